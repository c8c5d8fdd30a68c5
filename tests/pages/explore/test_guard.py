import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from relance.pages.explore.guard import MOST_PAGES, guarded
from relance.play.web_guard import LONGEST


async def page(scope, receive, send):
    headers = [(b"Access-Control-Allow-Origin", b"*"), (b"content-type", b"text/html")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"page"})


def asked(kind="http", query=b"", **headers):
    """What the guarded page sends, for a request with these headers."""
    sent = []

    async def receive():
        return {"type": f"{kind}.connect"}

    async def send(message):
        sent.append(message)

    lines = [(name.encode(), value.encode()) for name, value in headers.items()]
    answering = guarded(page, 2718)({"type": kind, "headers": lines, "query_string": query}, receive, send)
    # run by hand, for nothing in it waits, and a loop of events may run here already: the browser's
    with contextlib.suppress(StopIteration):
        answering.send(None)
    return sent


def test_the_page_answers_itself_without_frames_or_leave_for_other_origins():
    for headers in (
        {"host": "127.0.0.1:2718"},
        {"host": "localhost:2718", "origin": "http://localhost:2718"},
    ):
        start, _ = asked(**headers)
        names = dict(start["headers"])
        assert start["status"] == 200
        assert not any(b"access-control" in name.lower() for name in names)
        assert names[b"content-security-policy"] == b"frame-ancestors 'none'"


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"host": "evil.example:2718"}, 403),
        ({"host": "127.0.0.1"}, 403),
        ({"host": "127.0.0.1:2719"}, 403),
        ({"host": "127.0.0.1:2718", "origin": "http://evil.example"}, 403),
        ({"host": "127.0.0.1:2718", "origin": "https://127.0.0.1:2718"}, 403),
        ({"host": "127.0.0.1:2718", "origin": "null"}, 403),
        ({"host": "127.0.0.1:2718", "query": b"game=" + b"9" * LONGEST}, 414),
    ],
)
def test_other_names_other_pages_and_long_addresses_are_refused(kind, headers, status):
    first, *_ = asked(kind, **headers)
    assert (first["type"], first.get("status", status)) == (
        "websocket.close" if kind == "websocket" else "http.response.start",
        status,
    )


def test_only_so_many_pages_are_open_at_a_time():
    async def run():
        leave, sent = asyncio.Event(), []

        async def app(scope, receive, send):
            await leave.wait()

        async def receive():
            return {"type": "websocket.connect"}

        async def send(message):
            sent.append(message)

        page = guarded(app, 2718)
        scope = {"type": "websocket", "headers": [(b"host", b"127.0.0.1:2718")], "query_string": b""}
        opened = [asyncio.create_task(page(scope, receive, send)) for _ in range(MOST_PAGES)]
        await asyncio.sleep(0)
        await page(scope, receive, send)
        assert [message["reason"] for message in sent] == [f"the explorer is open {MOST_PAGES} times; close one"]
        leave.set()
        await asyncio.gather(*opened)
        await page(scope, receive, send)
        assert len(sent) == 1

    loop = asyncio.new_event_loop()
    with ThreadPoolExecutor(1) as pool:  # a loop of events may run here already: the browser's
        pool.submit(loop.run_until_complete, run()).result(30)
    loop.close()
