"""Decides who may use the explorer's page: browsers on this machine that opened it, but no page of another site."""

from __future__ import annotations

from relance.play.web_guard import App, Guard

MOST_PAGES = 20
"""The number of pages that may be open at a time; each has a websocket and its own state, and further ones are refused."""


def guarded(app: App, port: int) -> Guard:
    """Wrap the application in a check of every request and websocket: the host must be this machine at this port."""
    hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
    return Guard(app, "the explorer", MOST_PAGES, MOST_PAGES, hosts)
