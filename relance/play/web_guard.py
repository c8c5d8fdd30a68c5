"""Guards a page or server: refuses requests from pages of other sites, and limits the number of open websockets."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

AsgiMessage: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[AsgiMessage]]
Send: TypeAlias = Callable[[AsgiMessage], Awaitable[None]]
App: TypeAlias = Callable[[AsgiMessage, Receive, Send], Awaitable[None]]

LONGEST = 4000
"""The most bytes of an address after its question mark."""

HEADERS = (
    (b"content-security-policy", b"frame-ancestors 'none'"),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
)
"""Headers that keep other pages from showing this one inside them, and browsers from guessing file types."""


@dataclass(frozen=True)
class Guard:
    """A web application (ASGI) that checks requests and websockets before it passes them on to `app`.

    If a request has an Origin header, it must be the application's own. With `hosts`, answers forbid other pages to embed them.

    Attributes:
        app: the application that is guarded.
        called: the application's name in messages.
        most, most_of_one: the most websockets that may be open at a time, in all and from one address.
        hosts: the host names under which the application answers, since another name could be made to lead here; None for any.
        idle: the seconds after which a websocket that says nothing is closed; None for never.
    """

    app: App
    called: str
    most: int
    most_of_one: int
    hosts: Collection[str] | None = None
    idle: float | None = None
    _open: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        """Answer, or refuse to."""

        async def tell(message: AsgiMessage) -> None:
            # Without `hosts`, a hub may show a server inside its own page.
            if message["type"] == "http.response.start" and self.hosts is not None:
                kept = [(k, v) for k, v in message["headers"] if not k.lower().startswith(b"access-control-")]
                message["headers"] = [*kept, *HEADERS]
            await send(message)

        async def heard() -> AsgiMessage:
            try:
                return await asyncio.wait_for(receive(), self.idle)
            except TimeoutError:
                return {"type": "websocket.disconnect", "code": 1001}

        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        status, why = self._refusal(scope)
        if status and scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": why})
        elif status:
            await tell({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": why.encode()})
        elif scope["type"] == "http":
            await self.app(scope, receive, tell)
        else:
            self._open[_client(scope)] += 1
            try:
                await self.app(scope, receive if self.idle is None else heard, tell)
            finally:
                self._open[_client(scope)] -= 1
                if not self._open[_client(scope)]:
                    del self._open[_client(scope)]

    def _refusal(self, scope: AsgiMessage) -> tuple[int, str]:
        """The status and the reason if a request is refused; 0 and "" if it is not."""
        given = [(name.lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        hosts = [value for name, value in given if name == b"host" and value in (self.hosts or [value])]
        if not hosts:
            return 403, f"{self.called} answers only to " + " and ".join(sorted(self.hosts or ["a host"]))
        own = {f"{scheme}://{host}" for scheme in ("http", "https")[: 1 + (self.hosts is None)] for host in hosts}
        if any(name == b"origin" and value not in own for name, value in given):
            return 403, f"{self.called} does not answer pages of other sites"
        if len(scope["query_string"]) > LONGEST:
            return 414, f"the address has more than {LONGEST} characters after its question mark"
        if scope["type"] == "websocket" and self._open.total() >= self.most:
            return 503, f"{self.called} is open {self.most} times; close one"
        if scope["type"] == "websocket" and self._open[_client(scope)] >= self.most_of_one:
            return 503, f"{self.called} is open {self.most_of_one} times at your address; close one"
        return 0, ""


def _client(scope: AsgiMessage) -> str:
    """The address of who asks."""
    return str((scope.get("client") or ("",))[0])
