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

from relance.explore.guard import guarded
from relance.explore.views import HEAD

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
    """The address of the page, opened at this game."""
    asked = f"/?game={quote(game)}" if game else "/"
    return f"http://{HOST}:{listening.getsockname()[1]}{asked}"


def serve(listening: socket.socket, ready: Callable[[], object] = lambda: None) -> None:
    """Serve the page until Ctrl-C, which raises KeyboardInterrupt; `ready` is called first: a browser that connects early waits."""
    made = create_asgi_app(quiet=True, html_head=HEAD)
    page = made.with_app(path="", root=str(Path(__file__).parent / "app.py"))
    settings = uvicorn.Config(
        guarded(page.build(), listening.getsockname()[1]), log_level="warning", timeout_graceful_shutdown=1
    )
    ready()
    uvicorn.Server(settings).run(sockets=[listening])
