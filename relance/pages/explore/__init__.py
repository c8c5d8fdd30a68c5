"""The explorer, `relance explore`: its content and logic (`position`, `views`), and the page itself (`app`, `serve`, `guard`).

`classroom` has the same content for the page of the documentation that runs in the reader's own browser.
"""
