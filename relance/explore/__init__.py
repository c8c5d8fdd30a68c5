"""The explorer, `relance explore`: what its page shows and does, without the page (`position`, `views`), and the page (`app`, `serve`)."""
