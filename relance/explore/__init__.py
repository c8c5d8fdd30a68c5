"""The explorer, `relance explore`: its content and logic (`position`, `views`), and the page itself (`app`, `serve`, `guard`)."""
