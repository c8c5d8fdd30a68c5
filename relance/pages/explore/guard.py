"""Decides who may use the explorer's page: browsers on this machine that opened it, but no page of another site."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

AsgiMessage: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[AsgiMessage]]
Send: TypeAlias = Callable[[AsgiMessage], Awaitable[None]]
App: TypeAlias = Callable[[AsgiMessage, Receive, Send], Awaitable[None]]

LONGEST = 4000
"""The most bytes of an address after its question mark."""

MOST_PAGES = 20
"""The number of pages that may be open at a time; each has a websocket and its own state, and further ones are refused."""

HEADERS = (
    (b"content-security-policy", b"frame-ancestors 'none'"),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
)
"""No other page may show this one inside itself."""


def guarded(app: App, port: int) -> App:
    """Wrap the application in a check of every request and websocket.

    The host must be this machine at this port, because another name could be made to lead here. Browsers send an origin for other
    pages and for websockets; it must be the page's own. At most `MOST_PAGES` websockets are open at a time.
    """
    pages = 0
    hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}

    def refusal(scope: AsgiMessage) -> tuple[int, str]:
        """The status and the reason if a request is refused; 0 and "" if it is not."""
        given = [(name.lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        if [value for name, value in given if name == b"host" and value in hosts] == []:
            return 403, "the explorer answers only to " + " and ".join(sorted(hosts))
        if any(name == b"origin" and value not in {f"http://{host}" for host in hosts} for name, value in given):
            return 403, "the explorer does not answer other pages"
        if len(scope["query_string"]) > LONGEST:
            return 414, f"the address has more than {LONGEST} characters after its question mark"
        if scope["type"] == "websocket" and pages >= MOST_PAGES:
            return 503, f"the explorer is open {MOST_PAGES} times; close one"
        return 0, ""

    async def checked(scope: AsgiMessage, receive: Receive, send: Send) -> None:
        nonlocal pages

        async def tell(message: AsgiMessage) -> None:
            if message["type"] == "http.response.start":
                kept = [(k, v) for k, v in message["headers"] if not k.lower().startswith(b"access-control-")]
                message["headers"] = [*kept, *HEADERS]
            await send(message)

        if scope["type"] not in ("http", "websocket"):
            await app(scope, receive, send)
            return
        status, why = refusal(scope)
        if not status:
            opened = int(scope["type"] == "websocket")
            pages += opened
            try:
                await app(scope, receive, tell)
            finally:
                pages -= opened
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": why})
        else:
            await tell({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": why.encode()})

    return checked
