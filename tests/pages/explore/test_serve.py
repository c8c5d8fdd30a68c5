"""The server of the explorer's page: where it listens, and at which game it opens."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("marimo", reason="needs the extra explore")

from relance.pages.explore.serve import HOST, address, bound, opened_at


def test_it_listens_on_this_machine_only_and_names_a_port_in_use():
    with bound(0) as listening:
        host, port = listening.getsockname()
        assert host == HOST
        assert address(listening) == f"http://{HOST}:{port}/"
        assert address(listening, "endgame(p=1/4)") == f"http://{HOST}:{port}/?game=endgame%28p%3D1/4%29"
        with pytest.raises(ValueError, match=f"--port {port} cannot be opened"):
            bound(port)


@pytest.mark.parametrize(
    ("path", "query", "led"), [("/", b"", True), ("/", b"game=river", False), ("/page", b"", False)]
)
def test_an_address_without_a_game_leads_to_it(path, query, led):
    asked, said = [], []

    async def app(scope, receive, send):
        asked.append(scope)

    async def send(message):
        said.append(message)

    scope = {"type": "http", "path": path, "query_string": query}
    with ThreadPoolExecutor(1) as thread:  # in this one a browser's loop may run
        thread.submit(lambda: asyncio.run(opened_at(app, "von_neumann")(scope, None, send))).result()
    assert (len(asked), bool(said)) == (not led, led)
    if led:
        assert said[0]["status"] == 307
        assert dict(said[0]["headers"]) == {b"location": b"/?game=von_neumann"}
