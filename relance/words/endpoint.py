"""Ask a language model behind an OpenAI-compatible address, many conversations at once. The client is httpx2, of the extra `words`."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from relance.model.arguments import Count, NotNegative, Positive, checked
from relance.model.numbers import short
from relance.words.log_rows import visible
from relance.words.spent import Spent
from relance.words.text_agent import CutOff, Message, TextAgent

AGAIN = (408, 409, 429)
"""The HTTP statuses below 500 after which a request is sent again, as after all from 500 on."""

LONGEST = 86400.0
"""The most seconds that one request may be given."""

LONGEST_WAIT = 60.0
"""The most seconds of waiting, before a request is sent again, that a server may ask for."""

LARGEST = 2**24
"""The most bytes of an answer."""


class EndpointError(OSError):
    """A language model at a URL gave no reply; the message has the URL and the reason."""


@checked
@dataclass(frozen=True)
class Endpoint:
    """A language model behind a URL, for an agent such as `TextAgent(Endpoint(url, model), batched=True)`.

    Attributes:
        url: the address without /chat/completions, such as "http://localhost:8000/v1".
        model: the name of the model at this address.
        key_variable: the environment variable with the key; without it, no key is sent.
        at_once: how many requests are open at the same time.
        seconds: how long one request may take, to the last byte of its answer.
        tries: how often a request is sent before it counts as failed; once if the status says that a repetition is no use. The waits
            between are 1, 2, 4, ... seconds, or as the server asks.
        options: further fields of the request, such as {"temperature": 1, "max_tokens": 2000}.

    Raises:
        ValueError: the address is not http(s), the name has control characters, a number is out of range, or options are no JSON.
    """

    url: str
    model: str
    key_variable: str = "OPENAI_API_KEY"
    at_once: Count = 8
    seconds: Positive = 120.0
    tries: Count = 5
    options: dict[str, Any] = field(default_factory=dict)

    counts_requests = True  # for `TextAgent`: it is called with what was spent, and counts what it sends itself

    def __post_init__(self) -> None:
        is_address = False
        with suppress(ValueError):  # of a port, or of brackets
            parts = urlsplit(self.url)
            is_address = parts.scheme in ("http", "https") and bool(parts.netloc) and parts.port != 0
        if not is_address or not self.url.isprintable():
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
        """The name of the model in files of answers, with its options, since a model with other options plays differently."""
        told = ", ".join(f"{key}={value}" for key, value in sorted(self.options.items()))
        return f"{self.model} at {self.url}" + f" with {told}" * bool(told)

    @property
    def settings(self) -> dict[str, Any]:
        """The model, its address, options and limits, for JSON; the temperature is null if the server chooses it."""
        limits = {
            "tries": self.tries,
            "seconds": self.seconds,
            "at_once": self.at_once,
            "max_tokens": self.options.get("max_tokens"),
        }
        told = {"model": self.model, "server": self.url, "temperature": self.options.get("temperature")}
        return {**told, "limits": limits, "options": self.options}

    def __call__(
        self, conversations: Sequence[list[Message]], spent: Spent | None = None
    ) -> Iterator[str | BaseException]:
        """Yield the replies, in order. If a request fails for good, requests under way still yield replies, the rest its error.

        After Ctrl-C no request is waited for: unfinished ones yield KeyboardInterrupt. A reply that the server cut off is a `CutOff`.

        Args:
            conversations: the conversations to send.
            spent: counts each request before it is sent, repeated ones too; after its budget is spent, the rest yield BudgetReached.

        Raises:
            ImportError: httpx2 is missing.
        """
        client_of, start_blocking_portal = _client()
        counted, room, failures = spent or Spent(), asyncio.Semaphore(self.at_once), list[BaseException]()

        async def answered(messages: list[Message]) -> str | BaseException:
            async with room:
                try:
                    return failures[0] if failures else await self._reply(client, messages, counted)
                except Exception as error:
                    failures.append(error)
                    return error

        patience: float | None = None
        opened = client_of(timeout=None)  # it follows no redirect: a key is for the address that it was given for
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(opened) as client:
            asked = [portal.start_task_soon(answered, one) for one in conversations]
            try:
                for one in asked:
                    try:
                        found = one.result(patience)
                    except (TimeoutError, KeyboardInterrupt) as error:
                        failures.append(error)
                        found, patience = failures[0], 0
                    yield found
            finally:
                for one in asked:
                    one.cancel()

    def reply(self, messages: list[Message]) -> str:
        """The reply to one conversation; EndpointError if none came."""
        (found,) = self([messages])
        if isinstance(found, BaseException):
            raise found
        return found

    async def _reply(self, client: Any, messages: list[Message], spent: Spent) -> str:
        import httpx2

        wait, why = 0.0, ""
        for tried in range(self.tries):
            spent.take()
            await asyncio.sleep(wait)
            wait = 2.0**tried
            try:
                # The time-outs of the client bound each wait for a byte, not their sum.
                async with asyncio.timeout(self.seconds):
                    return await self._sent(client, messages, spent)
            except TimeoutError:
                why = f"timed out after {self.seconds:g} seconds"
            except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
                why = str(error) or type(error).__name__
            except _NoReply as error:
                why, wait = str(error), error.wait or wait
                if error.is_final:
                    break
        raise EndpointError(f"{self.name} gave no reply: {visible(why)}")

    async def _sent(self, client: Any, messages: list[Message], spent: Spent) -> str:
        """The text of the answer to one request; _NoReply if it has none, or what the client raises."""
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if key := os.environ.get(self.key_variable, "").strip():
            if not (key.isascii() and key.isprintable()):  # which is told without the key
                raise _NoReply(f"the environment variable {self.key_variable} must hold printable ASCII", is_final=True)
            headers["Authorization"] = f"Bearer {key}"
        content, body = json.dumps({"model": self.model, "messages": messages, **self.options}), bytearray()
        url = f"{self.url.rstrip('/')}/chat/completions"
        async with client.stream("POST", url, content=content, headers=headers) as answer:
            async for part in answer.aiter_raw():
                body += part
                if len(body) > LARGEST:
                    raise _NoReply(f"the server answered with more than {LARGEST:,} bytes")
        if answer.is_success:
            return _read(bytes(body), spent)
        status, wait = answer.status_code, _wait(answer.headers.get("Retry-After", ""))
        why = f"status {status}: {body[:300].decode(errors='replace')}"
        raise _NoReply(why, wait, is_final=status < 500 and status not in AGAIN)


def _client() -> tuple[Any, Any]:
    """The client, and what runs it in a thread beside this one."""
    try:
        from anyio.from_thread import start_blocking_portal
        from httpx2 import AsyncClient
    except ImportError as error:
        raise ImportError(f"a language model at a URL needs {error.name}: pip install 'relance[words]'") from error
    return AsyncClient, start_blocking_portal


class _NoReply(Exception):
    """An answer without a reply: the reason, the seconds that the server asks to wait or 0, and whether to ask again is no use."""

    def __init__(self, why: str, wait: float = 0.0, is_final: bool = False) -> None:
        super().__init__(why)
        self.wait, self.is_final = wait, is_final


def _wait(asked: str) -> float:
    """The seconds of a `Retry-After`, a number or a date, at most `LONGEST_WAIT`; 0 if it is neither."""
    try:
        wait = float(asked) if asked[:1].isdecimal() else parsedate_to_datetime(asked).timestamp() - time.time()
    except (ValueError, OverflowError):
        return 0.0
    return min(max(wait, 0.0), LONGEST_WAIT)


def _read(body: bytes, spent: Spent) -> str:
    """The text of an answer, empty if the model said nothing; its tokens are counted. _NoReply if it is none, such as an error."""
    try:
        told = json.loads(body)
        choice, usage = told["choices"][0], told.get("usage") or {}
        content, end = choice["message"].get("content"), choice.get("finish_reason")
        read, written = (int(usage.get(f"{name}_tokens") or 0) for name in ("prompt", "completion"))
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        raise _NoReply(f"the server's answer is not a chat completion: {short(body[:300])}") from None
    spent.read, spent.written = spent.read + read, spent.written + written
    if told.get("error") or end == "error":
        raise _NoReply(f"the server answered with an error: {short(body[:300])}")
    if not isinstance(content, str | None):
        raise _NoReply(f"the server's chat completion has no text: {short(content)}")
    return CutOff(content or "") if end == "length" else content or ""


@checked
def agent_at(text: str, temperature: NotNegative | None = None, max_tokens: Count | None = None) -> TextAgent:
    """The model at URL#NAME, such as "http://localhost:8000/v1#NAME", as an agent.

    Args:
        text: the address and the name of the model.
        temperature: the temperature of the model; None leaves it to the server.
        max_tokens: the most tokens of a reply; None leaves it to the server.

    Raises:
        ValueError: the text is of another form.
        ImportError: the client for HTTP is not installed; raised before anything is played.
    """
    url, _, model = text.partition("#")
    if not model:
        raise ValueError(f"{short(text)} names no model; write {url}#NAME")
    _client()
    options = {"temperature": temperature, "max_tokens": max_tokens}
    given = {name: value for name, value in options.items() if value is not None}
    return TextAgent(Endpoint(url, model, options=given), batched=True)


def asks_a_model(agent: object) -> bool:
    """True if the answers of an agent, or of a part of it, are those of a language model at a URL, which may cost money."""
    if isinstance(agent, (list, tuple)):
        return any(map(asks_a_model, agent))
    return isinstance(agent, TextAgent) and isinstance(agent.reply, Endpoint)
