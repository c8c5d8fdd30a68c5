"""Servers of models whose answers break off or are damaged anywhere: nothing that came whole is lost, and no budget is exceeded."""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest import mock

from fuzz.judge import Case, Traceback

import relance
from relance.words import endpoint

KUHN = relance.make("one_card_poker(raises=0)")
PIECES = (
    b"\x1b[2J\x1b]0;title\x07",
    b"\x00",
    b"\xff\xfe",
    b"NaN",
    b"1e999",
    b"[" * 9000,
    b"\r\n",
    b'"',
    b"{",
    b"-1",
    b"\\ud800",
    b"",
)


def whole(said: str, finish: str) -> bytes:
    """The bytes of an answer."""
    choice = {"message": {"role": "assistant", "content": said}, "finish_reason": finish}
    body = json.dumps({"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def broken(dice: random.Random) -> bytes:
    """An answer that breaks off, is damaged, or refuses; b"" hangs up."""
    data = whole(dice.choice(("[check]", "[bet]", "")), dice.choice(("stop", "length", "error")))
    at, kind = dice.randrange(len(data)), dice.randrange(4)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + dice.choice(PIECES) + data[at + dice.randrange(9) :]
    if kind == 2:
        text = dice.choice(PIECES) * dice.randrange(1, 4)
        status = dice.choice((200, 302, 400, 408, 418, 429, 500, 503, 529, 599, 99))
        after = dice.choice(("", "3", "-1", "nan", "1e999", "Wed, 21 Oct 2099 07:28:00 GMT", "Wed", "\x1b[2J"))
        return f"HTTP/1.1 {status} \r\nRetry-After: {after}\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text
    return b""


@contextmanager
def serving(answers: Callable[[], bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """A server that sends the next of these to each request and hangs up; yields its address and what it sent."""
    listening, sent, lock = socket.create_server(("127.0.0.1", 0)), list[bytes](), threading.Lock()

    def answer(line: socket.socket) -> None:
        with line, suppress(OSError):
            line.settimeout(5)
            head, _, data = line.recv(2**16).partition(b"\r\n\r\n")
            size = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
            while len(data) < size:
                data += line.recv(2**16)
            with lock:
                sent.append(answers())
            line.sendall(sent[-1])

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(listening.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", sent
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


async def _at_once(seconds: float) -> None:
    """Nobody waits."""


def cut_off(dice: random.Random) -> Iterator[Case]:
    """A model is asked through such a server, again and again with the same file, until it has answered."""
    seed, share, answers = dice.randrange(2**32), dice.choice((0.1, 0.4, 0.8)), dice.randrange(1, 3)
    budget = 12 * answers + dice.choice((0, 1, 20))
    good = whole("[check]", "stop"), whole("no", "stop"), whole("[check] but", "length")

    def run(folder: Path) -> None:
        mine, path, told = random.Random(seed), folder / "answers.jsonl", Exception("it ended")
        with (
            serving(lambda: broken(mine) if mine.random() < share else mine.choice(good)) as (url, sent),
            mock.patch.object(endpoint.asyncio, "sleep", _at_once),
        ):
            model = relance.words.Endpoint(url, "m", seconds=5, tries=3, at_once=1)
            agent = relance.words.TextAgent(model, batched=True)
            for _ in range(20):
                before, lines = len(sent), path.read_text().count("\n") if path.exists() else 1
                found = None
                try:
                    found = relance.words.score(KUHN, agent, answers=answers, answers_file=path, budget=budget)
                except ImportError:
                    raise
                except (OSError, ValueError) as error:
                    told = error
                new = sent[before:]
                kept = path.read_text().count("\n") - lines
                if len(new) > budget or kept < sum(one in good for one in new):
                    raise Traceback(
                        f"{len(new)} sent of {budget}, {sum(one in good for one in new)} whole, {kept} kept"
                    )
                if not (str(told).isprintable() and (found is None or str(found).replace("\n", "").isprintable())):
                    raise Traceback(f"escapes: {told!r}")
                if found is not None and not found.spent.cut:
                    return
        raise told

    yield Case(f"answers of which {share:.0%} break off, seed {seed}", run, bad=False)
