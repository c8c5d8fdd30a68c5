"""Who may use a page or a server: checked without one. The explorer's own names are in its tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from relance.play.web_guard import Guard


def run(work):
    """Run a coroutine, also where a loop of events runs already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result(30)


def scope(client="1.2.3.4", kind="websocket", **headers):
    lines = [(name.encode(), value.encode()) for name, value in ({"host": "example.org"} | headers).items()]
    return {"type": kind, "headers": lines, "query_string": b"", "client": (client, 5)}


async def opened(page, asked, left=None):
    """What is sent in answer to a websocket that stays open until `left`, and then says goodbye."""
    sent, came = [], iter(["websocket.connect"])

    async def receive():
        kind = next(came, None)
        if kind is None:
            await (asyncio.Event() if left is None else left).wait()
        return {"type": kind or "websocket.disconnect"}

    async def send(message):
        sent.append(message)

    await page(asked, receive, send)
    return sent


async def listening(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass
    await send({"type": "left"})


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("origin", "fine"),
    [
        ("http://example.org", True),
        ("https://example.org", True),
        ("http://evil.example", False),
        ("http://example.org.evil.example", False),
        ("http://example.org:81", False),
        ("null", False),
    ],
)
def test_only_its_own_pages_are_answered(kind, origin, fine):
    reached = []

    async def app(scope, receive, send):
        reached.append(scope["type"])

    sent = run(opened(Guard(app, "this server", 9, 9), scope(kind=kind, origin=origin)))
    assert reached == [kind] * fine
    assert [message.get("status", message.get("code")) for message in sent[:1]] == (
        [] if fine else [403 if kind == "http" else 1008]
    )


def test_a_request_without_a_host_is_refused():
    asked = scope(kind="http") | {"headers": []}
    start, _ = run(opened(Guard(listening, "this server", 9, 9), asked))
    assert start["status"] == 403


def test_one_address_leaves_room_for_others_and_places_are_given_back():
    page = Guard(listening, "this server", 4, 3)

    async def work():
        left = asyncio.Event()
        held = [asyncio.create_task(opened(page, scope("1.1.1.1"), left)) for _ in range(3)]
        await asyncio.sleep(0)
        refused = await opened(page, scope("1.1.1.1"))
        held.append(asyncio.create_task(opened(page, scope("2.2.2.2"), left)))
        await asyncio.sleep(0)
        full = await opened(page, scope("3.3.3.3"))
        left.set()
        return refused, full, [sent[-1]["type"] for sent in await asyncio.gather(*held)]

    refused, full, ended = run(work())
    assert refused[0]["reason"] == "this server is open 3 times at your address; close one"
    assert full[0]["reason"] == "this server is open 4 times; close one"
    assert ended == ["left"] * 4
    assert not page._open


def test_who_says_nothing_is_closed():
    sent = run(opened(Guard(listening, "this server", 1, 1, idle=0.05), scope()))
    assert [message["type"] for message in sent] == ["websocket.accept", "left"]
