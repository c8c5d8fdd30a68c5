"""The server of the explorer's page, for this machine only."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

try:
    import uvicorn
    from marimo import create_asgi_app
except ImportError as error:
    raise ImportError("the explorer needs marimo: pip install 'relance[explore]'") from error

from relance.envs.catalogue import BLUEPRINTS
from relance.pages.explore.guard import guarded
from relance.pages.explore.position import opened, position
from relance.pages.explore.views import HEAD, strategies
from relance.play.web_guard import App, AsgiMessage, Receive, Send

HOST = "127.0.0.1"


def bound(port: int) -> socket.socket:
    """A socket that listens on this port or, for 0, on a free one.

    Raises:
        ValueError: the port is in use or not allowed.
    """
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise ValueError(f"--port {port} cannot be opened: {error.strerror}; --port 0 takes any free one") from None
    listening.listen()
    return listening


def address(listening: socket.socket, game: str | None = None) -> str:
    """The URL of the page on this socket; with a game, of the page opened at this game."""
    asked = f"/?game={quote(game)}" if game else "/"
    return f"http://{HOST}:{listening.getsockname()[1]}{asked}"


def opened_at(app: App, game: str) -> App:
    """Wrap the application: its address without a game redirects to that of this game."""
    start = {"type": "http.response.start", "status": 307, "headers": [(b"location", f"/?game={quote(game)}".encode())]}

    async def led(scope: AsgiMessage, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/" and not scope["query_string"]:
            await send({**start})
            await send({"type": "http.response.body"})
        else:
            await app(scope, receive, send)

    return led


def serve(listening: socket.socket, game: str | None = None, ready: Callable[[], object] = lambda: None) -> None:
    """Serve the page, opened at this game, until Ctrl-C, which raises KeyboardInterrupt.

    `ready` is called first. A browser that connects before the page is built must wait, but is not refused.
    """
    ready()
    made = create_asgi_app(quiet=True, html_head=HEAD)
    page = made.with_app(path="", root=str(Path(__file__).parent / "app.py")).build()
    strategies(position(opened(next(iter(BLUEPRINTS)))))  # imports what every picture needs while the browser starts
    app = guarded(opened_at(page, game) if game else page, listening.getsockname()[1])
    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)).run(sockets=[listening])
