"""A model behind an address: what is sent, what comes back, and what is tried again."""

import json
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from email.utils import formatdate
from itertools import chain, count, repeat

import pytest
from conftest import called
from endpoint_server import completion, serving

import relance
from relance.words import endpoint
from relance.words.endpoint import Endpoint, EndpointError
from relance.words.spent import BudgetReached, Spent
from relance.words.text_agent import Question, TextAgent
from studies.scripted_models import scripted_baseline

KUHN = relance.make("one_card_poker", raises=0)
HI = [{"role": "user", "content": "hi"}]


pytest.importorskip("httpx2", reason="the client of the extra `words`")


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """The seconds that were to be waited; nobody waits."""
    found = []

    async def sleep(seconds):
        if seconds:
            found.append(round(seconds))

    monkeypatch.setattr(endpoint.asyncio, "sleep", sleep)
    return found


def test_a_model_plays_as_if_it_were_here(monkeypatch):
    monkeypatch.setenv("A_KEY", "secret")
    voice = scripted_baseline("honest caller").agent(KUHN).reply
    asked = [Question(1, hand, "bet") for hand in range(3)]
    with serving(voice) as (url, seen):
        agent = TextAgent(Endpoint(url, "tiny", key_variable="A_KEY", options={"temperature": 1}), batched=True)
        answers = agent.answers(KUHN, asked)
    assert [answer.action for answer in answers] == ["fold", "call", "call"]
    path, headers, body = seen[0]
    assert (path, headers["Authorization"]) == ("/v1/chat/completions", "Bearer secret")
    assert (body["model"], body["temperature"]) == ("tiny", 1)


def test_replies_keep_their_order():
    def slow_first(messages):
        if messages[0]["content"] == "0":
            threading.Event().wait(0.05)
        return messages[0]["content"]

    with serving(slow_first) as (url, _):
        said = Endpoint(url, "m", at_once=4)([[{"role": "user", "content": str(i)}] for i in range(8)])
        assert list(said) == [str(i) for i in range(8)]


@pytest.mark.parametrize("first", [0, 3])
def test_what_came_stays_when_one_fails_or_it_is_stopped(first):
    """Whoever is under way still comes; nobody else is asked."""
    next_has_begun = threading.Event()

    def reply(messages):
        text = messages[0]["content"]
        if text == str(first):
            next_has_begun.wait(10)
        if text == str(first + 1):
            next_has_begun.set()
            threading.Event().wait(0.2)
        return 400 if text == str(first) else text

    with serving(reply) as (url, seen):
        said = list(Endpoint(url, "m", at_once=2)([[{"role": "user", "content": str(i)}] for i in range(40)]))
    assert len(said) == 40
    assert isinstance(said[first], EndpointError)
    assert said[:first] == [str(i) for i in range(first)]
    assert said[first + 1] == str(first + 1)
    assert len([text for text in said if isinstance(text, str)]) == len(seen) - 1 < 39


def test_after_a_stop_nobody_is_waited_for():
    """The second of three is waited for when Ctrl-C comes, and the third is there already."""
    signal.siginterrupt(signal.SIGINT, True)  # z3 leaves it off, where a test asks it directly
    gate, answered = threading.Event(), threading.Event()

    def reply(messages):
        if messages[0]["content"] == "1":
            gate.wait(20)
            answered.set()
        return messages[0]["content"]

    with serving(reply) as (url, _):
        said = Endpoint(url, "m", at_once=3)([[{"role": "user", "content": str(i)}] for i in range(3)])
        first = next(said)
        timer = threading.Timer(0.2, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT])
        timer.start()
        rest = list(said)
        assert not answered.is_set()
        gate.set()
    assert first == "0"
    assert isinstance(rest[0], KeyboardInterrupt)
    assert rest[1] == "2"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(status, waits):
    left = [status, status, "done"]
    with serving(lambda messages: left.pop(0)) as (url, seen):
        assert Endpoint(url, "m").reply(HI) == "done"
    assert len(seen) == 3
    assert waits == [1, 2]


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ("7", 7),
        ("7000", 60),
        ("Wed, 21 Oct 2020 07:28:00 GMT", 1),
        pytest.param(formatdate(time.time() + 9999, usegmt=True), 60, id="a date to come"),
        ("nan", 1),
        ("-3", 1),
        ("x", 1),
    ],
)
def test_a_server_may_say_how_long_to_wait(asked, seconds, waits):
    left = [429, "done"]
    with serving(lambda messages: left.pop(0), {"Retry-After": asked}) as (url, _):
        assert Endpoint(url, "m").reply(HI) == "done"
    assert waits == [seconds]


@pytest.mark.parametrize(
    ("said", "message", "times"),
    [
        (500, "status 500", 5),
        (401, "status 401", 1),
        (302, "status 302", 1),  # a key must not travel on
        (b"not json", "the server's answer is not a chat completion", 5),
        (b"[" * 100_000, "the server's answer is not a chat completion", 5),
        (b'{"choices": []}', "the server's answer is not a chat completion", 5),
        (b'{"choices": [{"message": {"content": [1]}}]}', "chat completion has no text", 5),
        (b'{"error": {"message": "overloaded"}}', "not a chat completion.*overloaded", 5),
        (b'{"error": "half", "choices": [{"message": {"content": "ha"}}]}', "answered with an error.*half", 5),
        (b'{"choices": [{"message": {"content": "ha"}, "finish_reason": "error"}]}', "answered with an error", 5),
    ],
)
def test_failures_are_named(said, message, times):
    with serving(lambda messages: said) as (url, seen), pytest.raises(EndpointError, match=message):
        Endpoint(url, "m").reply(HI)
    assert len(seen) == times


@contextmanager
def sending(pieces):
    """Serve one connection after the other with these pieces of bytes, without an end; yields the address."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        with suppress(OSError):
            while True:
                one, _ = listening.accept()
                with one, suppress(OSError):
                    one.recv(10_000)
                    for piece in pieces():
                        one.sendall(piece)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(10)


def pause(seconds=0.02):
    threading.Event().wait(seconds)
    return b""


OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
DRIP = lambda start: lambda: chain([start], (pause() or b"x" for _ in repeat(0)))  # noqa: E731
ENDLESS = {
    "a body that drips": DRIP(OK + b"Content-Length: 100000\r\n\r\n"),
    "a body that drips without a length": DRIP(OK + b"\r\n"),
    "a header that drips": DRIP(b"HTTP/1.1 200 OK\r\nX: "),
    "100 Continue": lambda: (pause(0.001) or b"HTTP/1.1 100 Continue\r\n\r\n" for _ in repeat(0)),
    "an error whose body stalls": lambda: [b"HTTP/1.1 500 Oh\r\nContent-Length: 9\r\n\r\n", pause(0.6)],
    "nothing": lambda: [pause(0.6)],
}


@pytest.mark.parametrize("what", ENDLESS)
def test_a_request_takes_no_longer_than_its_seconds(what, waits):
    start = time.monotonic()
    with sending(ENDLESS[what]) as url, pytest.raises(EndpointError, match="gave no reply: timed out"):
        Endpoint(url, "m", seconds=0.4, tries=2).reply(HI)
    assert 0.8 <= time.monotonic() - start < 3
    assert waits == [1]


def test_a_request_keeps_no_more_than_its_largest_answer(monkeypatch):
    monkeypatch.setattr(endpoint, "LARGEST", 100_000)
    with (
        sending(lambda: chain([OK + b"\r\n"], repeat(b"x" * 9999))) as url,
        pytest.raises(EndpointError, match="answered with more than 100,000 bytes"),
    ):
        Endpoint(url, "m", seconds=20).reply(HI)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e9])
def test_seconds_are_bounded(seconds):
    with pytest.raises(ValueError, match="seconds="):
        Endpoint("http://127.0.0.1/v1", "m", seconds=seconds)


def test_a_model_that_is_silent_or_gone():
    with serving(lambda messages: None) as (url, _):
        assert Endpoint(url, "m").reply(HI) == ""
    with pytest.raises(EndpointError, match="gave no reply"):
        Endpoint(url, "m", tries=2).reply(HI)
    with (
        serving(lambda messages: threading.Event().wait(0.3) or 500) as (url, _),
        pytest.raises(EndpointError, match="timed out"),
    ):
        Endpoint(url, "m", seconds=0.05, tries=1).reply(HI)


def test_a_model_on_the_command_line(tmp_path):
    """It is scored from its answers; if it fails, what it has said is kept and the line says where."""
    voice, left = scripted_baseline("honest caller").agent(KUHN).reply, [25]

    def fails_later(messages):
        left[0] -= 1
        return voice(messages) if left[0] > 0 else 400

    def score(url):
        line = [sys.executable, "-m", "relance", "ask", str(KUHN), f"{url}#tiny"]
        line += ["--answers", "3", "--answers-file", "kept.jsonl"]
        return subprocess.run(line, capture_output=True, text=True, cwd=tmp_path)

    with serving(fails_later) as (url, _):
        failed = score(url)
        assert failed.returncode == 2
        assert f"tiny at {url} gave no reply: status 400" in failed.stderr
        assert "answers are kept in kept.jsonl" in failed.stderr
        left[0] = 100
        done = score(url)
    assert done.returncode == 0, done.stderr
    assert "NashConv" in done.stdout
    assert left[0] > 70


def test_a_model_without_a_name():
    with pytest.raises(ValueError, match="names no model; write http://localhost/v1#NAME"):
        endpoint.agent_at("http://localhost/v1")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("url", "localhost"),
        ("url", "file:///etc/passwd"),
        ("url", "http://x:99999/v1"),
        ("url", "http://[::1/v1"),
        ("url", "http://x/\x1b[2J"),
        ("model", ""),
        ("model", "\0junk"),
        ("tries", 0),
        ("seconds", -1),
    ],
)
def test_bad_settings(field, value):
    with pytest.raises(ValueError, match=f"{field}="):
        Endpoint(**{"url": "http://x", "model": "m", field: value})


def test_options_make_another_player(tmp_path):
    """Answers at two temperatures are not mixed in one file, and options that no model would hear are refused."""
    file, asked_once = str(tmp_path / "answers.jsonl"), ("ask", "one_card_poker(raises=0)")
    with serving(lambda messages: "[check] [bet] [fold]") as (address, asked):
        model = f"{address}#scripted"
        assert (
            called(*asked_once, model, "--answers", "1", "--answers-file", file, "--temperature", "0.1").returncode == 0
        )
        before = len(asked)
        other = called(*asked_once, model, "--answers", "2", "--answers-file", file, "--temperature", "1.5")
        assert other.returncode == 2
        assert "temperature=0.1" in other.stderr
        assert len(asked) == before
        for words, message in (
            ((model, "--temperature", "nan"), "temperature=nan must be a number at least 0"),
            (
                ("uniform", "--temperature", "1"),
                "--temperature 1.0 is an option for language models at a URL, but no agent here is one",
            ),
            (
                ("uniform", "--max-tokens", "9"),
                "--max-tokens 9 is an option for language models at a URL, but no agent here is one",
            ),
        ):
            refused = called(*asked_once, *words)
            assert (refused.returncode, message in " ".join(refused.stderr.split())) == (2, True), refused.stderr
        assert len(asked) == before


@pytest.mark.parametrize("body", [b"\x1b[31mred\x1b]0;title\x07", b"a\rb\xffc", "\u202ebackwards\x9b1m".encode()])
@pytest.mark.parametrize("status", [400, 200])
def test_nothing_of_a_server_reaches_a_terminal_unescaped(body, status):
    with serving(lambda messages: (status, body)) as (url, _), pytest.raises(EndpointError) as error:
        Endpoint(url, "m", tries=1).reply(HI)
    assert str(error.value).isprintable()


def test_a_missing_client_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(ImportError, match=r"httpx2: pip install 'relance\[words\]'"):
        Endpoint("http://localhost/v1", "m").reply(HI)


def test_what_is_sent_again_counts_and_so_do_tokens():
    """Of a budget of 7, three requests go to the first question, which is answered at the third; two to the second; two are no answer."""
    left = [500, b"{", "one", 503, "two", 503, 503]
    spent = Spent(7)
    with serving(lambda messages: left.pop(0)) as (url, seen):
        said = list(Endpoint(url, "m", at_once=1)([HI] * 4, spent))
    assert said[:2] == ["one", "two"]
    assert [type(one) for one in said[2:]] == [BudgetReached] * 2
    assert (len(seen), spent.sent, spent.left, spent.cut) == (7, 7, 0, True)
    assert (spent.read, spent.written) == (2, 2)  # the server says 1 and 1 with each answer


# A night: a server that fails in ten ways, and a model that is asked until all is answered


def ways(voice):
    """By name, what the server sends in place of the answer, given the connection, the messages and the number of the request."""

    def body(text, **choice):
        said = completion("m", text)
        said["choices"][0] |= choice
        return json.dumps(said).encode()

    def whole(status, data, *headers):
        head = [f"HTTP/1.1 {status} X", f"Content-Length: {len(data)}", "Connection: close", *headers]
        return lambda line, messages: line.sendall("\r\n".join([*head, "", ""]).encode() + data)

    def cut(line, messages):
        data = body(voice(messages))
        line.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data[: len(data) // 2])

    def forever(piece, seconds):
        def send(line, messages):
            line.sendall(OK + b"\r\n")
            while True:
                line.sendall(piece)
                threading.Event().wait(seconds)

        return send

    return {
        "cut in the body": cut,
        "drips": forever(b" ", 0.02),
        "without end": forever(b"x" * 50_000, 0),
        "busy": whole(429, b"slow down", "Retry-After: 3"),
        "broken": whole(500, b"oh"),
        "away": whole(503, b"back soon"),
        "an error with status 200": whole(200, b'{"error": {"message": "overloaded"}}'),
        "other JSON": whole(200, b'{"choices": 5}'),
        "escapes": whole(500, b"\x1b[31mred\x1b]0;title\x07"),
        "hangs up": lambda line, messages: None,
        "cut off": lambda line, messages: whole(200, body("[check] or", finish_reason="length"))(line, messages),
        "silent": lambda line, messages: whole(200, body(""))(line, messages),
        "answers": lambda line, messages: whole(200, body(voice(messages)))(line, messages),
    }


FAULTS = {"cut off": "cut off", "silent": "empty"}
"""The ways that are an answer, and the fault that the result must name."""


@contextmanager
def failing(voice, way):
    """A server whose request number n ends as `way(n)` says; yields its address, and how many ended in which way."""
    done, numbers, known = Counter(), count(), ways(voice)
    lock = threading.Lock()
    listening = socket.create_server(("127.0.0.1", 0), backlog=100)

    def answer(line):
        with line, suppress(OSError):
            head, _, data = line.recv(2**16).partition(b"\r\n\r\n")
            size = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
            while len(data) < size:
                data += line.recv(2**16)
            with lock:
                name = way(next(numbers))
                done[name] += 1
            known[name](line, json.loads(data)["messages"])

    def serve():
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(listening.accept()[0],), daemon=True).start()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", done
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(10)


BAD = [name for name in ways(None) if name not in (*FAULTS, "answers")]


def test_a_night_with_a_server_that_fails_in_ten_ways(tmp_path, monkeypatch):
    """Nothing that was answered is lost or counted twice, and no run sends more than its budget."""
    monkeypatch.setattr(endpoint, "LARGEST", 200_000)
    path, answers, dice = tmp_path / "night.jsonl", 8, random.Random(0)
    voice = scripted_baseline("honest caller").agent(KUHN).reply
    runs = 0
    with failing(voice, lambda n: dice.choice([*BAD, *FAULTS, *["answers"] * 18])) as (url, done):
        agent = TextAgent(Endpoint(url, "m", seconds=0.7, tries=4, at_once=6), batched=True)
        while runs < 60:
            runs, before, had = runs + 1, done.total(), path.read_text().count("\n") if path.exists() else 1
            came = before - sum(done[name] for name in BAD)
            result = None
            try:
                result = relance.words.score(KUHN, agent, answers=answers, answers_file=path, budget=answers * 12)
            except (EndpointError, ValueError) as error:
                assert str(error).isprintable(), error  # noqa: PT017
                assert "gave no reply" in str(error) or "was spent before" in str(error)  # noqa: PT017
            sent = done.total() - before
            assert sent <= answers * 12
            assert path.read_text().count("\n") - had == done.total() - sum(done[name] for name in BAD) - came
            if result is not None:
                assert result.spent.sent == sent
                if not result.spent.cut:
                    break
    assert result.answers == answers * 12 == done.total() - sum(done[name] for name in BAD)
    assert {name for name in done if name in BAD} == set(BAD)
    assert result.faults == {fault: done[way] for way, fault in FAULTS.items()}
    assert result.illegal == sum(result.faults.values()) > 0


@pytest.mark.parametrize("key", ["sk-secret\nX: y", "sk-s\xe9cret", "sk-secret\x7f"])
def test_a_key_that_no_header_takes_is_not_told(monkeypatch, key):
    monkeypatch.setenv("A_KEY", key)
    with (
        serving(lambda messages: "hi") as (url, seen),
        pytest.raises(EndpointError, match="A_KEY must hold printable ASCII") as error,
    ):
        Endpoint(url, "m", key_variable="A_KEY").reply(HI)
    assert "sk-s" not in str(error.value)
    assert seen == []
