"""Ask a language model behind an OpenAI-compatible address, many conversations at once. It needs no package."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Event, Timer
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import BaseHandler, HTTPHandler, HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from relance.model.arguments import Count, NotNegative, Positive, checked
from relance.model.numbers import short
from relance.words.text_agent import Message, TextAgent

AGAIN = (408, 409, 429, 500, 502, 503, 504)
"""The HTTP statuses after which a request is tried again."""


LONGEST = 86400.0
"""The most seconds that one request may be given."""

LONGEST_WAIT = 60.0
"""Seconds that a server may ask to wait before a request is sent again."""


LARGEST = 2**24
"""The most bytes of an answer."""


class EndpointError(OSError):
    """The model gave no reply: the address, and what went wrong."""


@contextmanager
def _watched(seconds: float) -> Iterator[BaseHandler]:
    """A handler for urllib whose connections are closed at the time limit, whatever the server still sends; raises TimeoutError then.

    A time-out of a socket bounds each wait for a byte, not their sum. No redirect is followed: a key is sent only to the address that
    it was given for.
    """
    is_over, opened = Event(), list[socket]()

    def end() -> None:
        is_over.set()
        for one in opened:
            with suppress(OSError):  # it has ended by itself
                one.shutdown(SHUT_RDWR)

    class Plain(HTTPConnection):
        def connect(self) -> None:
            super().connect()
            opened.append(self.sock.dup())  # a copy, since TLS takes the socket away
            if is_over.is_set():
                end()

    class Secure(HTTPSConnection, Plain):
        pass  # its connect begins with that of `Plain`

    class Watched(HTTPHandler, HTTPSHandler, HTTPRedirectHandler):
        def http_open(self, req: Request) -> HTTPResponse:
            return self.do_open(Plain, req)

        def https_open(self, req: Request) -> HTTPResponse:
            return self.do_open(Secure, req)

        def redirect_request(self, *redirected: object) -> None:
            return None

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield Watched()
    except Exception:
        if not is_over.is_set():
            raise
    finally:
        timer.cancel()
        for one in opened:
            one.close()
    if is_over.is_set():
        raise TimeoutError(f"timed out after {seconds:g} seconds")


@checked
@dataclass(frozen=True)
class Endpoint:
    """A model as the `reply` of a `TextAgent`, which then is `batched`: TextAgent(Endpoint(url, model), batched=True).

    Attributes:
        url: the address without /chat/completions, such as "http://localhost:8000/v1".
        model: its name there.
        key_variable: the environment variable with the key; without it, no key is sent.
        at_once: how many requests are open at the same time.
        seconds: how long one request may take, to the last byte of its answer.
        tries: how often a request is sent before it counts as failed; the waits between are 1, 2, 4, ... seconds, or as the server asks.
        options: further fields of the request, such as {"temperature": 1, "max_tokens": 2000}.

    Raises:
        ValueError: the address is not http or https, the name of the model has control characters, a number is out of range, or the
            options are no JSON.
    """

    url: str
    model: str
    key_variable: str = "OPENAI_API_KEY"
    at_once: Count = 8
    seconds: Positive = 120.0
    tries: Count = 5
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"url={short(self.url)} must be an address such as 'http://localhost:8000/v1'")
        if not self.model or not self.model.isprintable():
            raise ValueError(f"model={short(self.model)} must be a name without control characters, such as 'gpt-5'")
        if self.seconds > LONGEST:
            raise ValueError(f"seconds={self.seconds} must be at most {LONGEST:,.0f}, a day")
        try:
            json.dumps(self.options, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise ValueError(f"options={short(self.options)} cannot be sent as JSON: {error}") from None

    @property
    def name(self) -> str:
        """The name under which its answers are kept; with other options it is another player."""
        told = ", ".join(f"{key}={value}" for key, value in sorted(self.options.items()))
        return f"{self.model} at {self.url}" + f" with {told}" * bool(told)

    def __call__(self, conversations: Sequence[list[Message]]) -> Iterator[str | BaseException]:
        """The replies, in order. Once a request has failed for good, those under way still come, and the error stands for the rest.

        After Ctrl-C, which stands for them likewise, no reply is waited for.
        """
        pool = ThreadPoolExecutor(self.at_once)
        asked = [pool.submit(self.reply, one) for one in conversations]
        failure: BaseException | None = None
        patience: float | None = None
        try:
            for one in asked:
                found: str | BaseException
                try:
                    found = one.result(patience)
                except (Exception, KeyboardInterrupt) as error:
                    found = failure = failure or error
                    patience = 0 if isinstance(error, KeyboardInterrupt) else patience
                    for other in asked:
                        other.cancel()
                yield found
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def reply(self, messages: list[Message]) -> str:
        """The reply to one conversation; raises as a call does."""
        for sent in range(self.tries):
            wait = 2.0**sent
            try:
                status, asked, body = self._sent(messages)
                if 200 <= status < 300:
                    return self._read(body)
                why = f"status {status}: {body[:300].decode(errors='replace')}"
                if status not in AGAIN:
                    break
                wait = min(float(asked), LONGEST_WAIT) if asked.isdecimal() else wait
            except (URLError, HTTPException, TimeoutError, ConnectionError) as error:
                why = str(getattr(error, "reason", error)) or type(error).__name__
            if sent + 1 < self.tries:
                time.sleep(wait)
        raise EndpointError(f"{self.name} gave no reply: {why}")

    def _sent(self, messages: list[Message]) -> tuple[int, str, bytes]:
        """The status of the answer, when to ask again, and its body.

        Raises:
            EndpointError: it is too large.
            TimeoutError, URLError, HTTPException, ConnectionError: nothing came, or not all of it in time.
        """
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(self.key_variable):
            headers["Authorization"] = f"Bearer {key}"
        body = json.dumps({"model": self.model, "messages": messages, **self.options}).encode()
        request = Request(f"{self.url.rstrip('/')}/chat/completions", body, headers)
        with _watched(self.seconds) as handler:
            try:
                answer = build_opener(handler).open(request, timeout=self.seconds)
            except HTTPError as error:
                answer = error
            with answer:
                found = bytes(answer.read(LARGEST + 1))
                status, asked = answer.status, answer.headers.get("Retry-After", "")
        if len(found) > LARGEST:
            raise EndpointError(f"{self.name} answered with more than {LARGEST:,} bytes")
        return status, asked, found

    def _read(self, body: bytes) -> str:
        """The text of an answer; an empty one if the model said nothing."""
        try:
            content = json.loads(body)["choices"][0]["message"].get("content")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise EndpointError(f"{self.name} answered in an unknown form: {short(body[:300])}") from None
        if not isinstance(content, str | None):
            raise EndpointError(f"{self.name} answered without a text: {short(content)}")
        return content or ""


@checked
def agent_at(text: str, temperature: NotNegative | None = None, max_tokens: Count | None = None) -> TextAgent:
    """The model at URL#NAME, such as "http://localhost:8000/v1#NAME", as an agent.

    Args:
        text: its address and name.
        temperature: the temperature of models behind a URL.
        max_tokens: the most tokens of a reply of models behind a URL.

    Raises:
        ValueError: the text is of another form.
    """
    url, _, model = text.partition("#")
    if not model:
        raise ValueError(f"{short(text)} names no model; write {url}#NAME")
    options = {"temperature": temperature, "max_tokens": max_tokens}
    given = {name: value for name, value in options.items() if value is not None}
    return TextAgent(Endpoint(url, model, options=given), batched=True)


def asks_a_model(agent: object) -> bool:
    """True if the answers of an agent, or of a part of it, are those of a model behind an address, which may cost money."""
    if isinstance(agent, (list, tuple)):
        return any(map(asks_a_model, agent))
    return isinstance(agent, TextAgent) and isinstance(agent.reply, Endpoint)
