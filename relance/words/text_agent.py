"""Agents that answer in words: they are asked in chat messages, and the last square brackets of a reply hold the action."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from numbers import Real
from typing import Annotated, Any, NamedTuple, Never, TypeAlias

from relance.model.arguments import OneOf, checked
from relance.model.game import Game
from relance.model.numbers import short
from relance.play.agents import Reader, read_with
from relance.play.wording import PLAIN, Wording
from relance.words.prompts import describe, situation
from relance.words.spent import Spent

Message: TypeAlias = dict[str, str]
"""A chat message: {"role": "user" or "assistant", "content": text}."""

RawReply: TypeAlias = str | tuple[str, Mapping[str, float]]
"""The text of a reply, alone or as a pair with {name of an action in the question: its log-probability}."""

Ask: TypeAlias = Callable[..., Any]
"""A function from a conversation, a list of `Message`, to a `RawReply`; if batched, from a list to a list of these."""

LONGEST = 100_000
"""The most characters of a reply."""


class ReplyFault(StrEnum):
    """The reason why a reply names no action; its text is also the value in logs."""

    EMPTY = "empty"
    CUT_OFF = "cut off"
    TOO_LONG = "too long"
    NO_ACTION = "no action"
    SEVERAL = "several actions"
    ILLEGAL = "illegal action"


class CutOff(str):
    """A reply that a limit of tokens cut off, perhaps in the middle of its reasoning; it never counts as naming an action."""


class Parsed(NamedTuple):
    """The reading of a reply: `action`, by the game's own name, and `fault`, why there is none; one of the two is None."""

    action: str | None
    fault: ReplyFault | None


@checked
def parse_reply(reply: str, legal: Sequence[str], wording: Wording = PLAIN) -> Parsed:
    """Read a reply: the last square brackets must hold the name of one legal action, in any case, and nothing else.

    Args:
        reply: the whole text, reasoning included.
        legal: the legal actions, by the game's own names.
        wording: the names of the actions in the question.

    Returns:
        The action, or the fault: a `CutOff`; no text; more than `LONGEST` characters; no brackets, or the last ones not closed; several
        legal actions in them; or anything else in them, numbers too.
    """
    if isinstance(reply, CutOff):
        return Parsed(None, ReplyFault.CUT_OFF)
    if not reply.strip():
        return Parsed(None, ReplyFault.EMPTY)
    if len(reply) > LONGEST:
        return Parsed(None, ReplyFault.TOO_LONG)
    opened, closed = reply.rfind("["), reply.rfind("]")
    if opened < 0 or closed < opened:
        return Parsed(None, ReplyFault.NO_ACTION)
    said = _plain(reply[opened + 1 : reply.index("]", opened)])
    names = {_plain(wording.action(action)): action for action in legal}
    if said in names:
        return Parsed(names[said], None)
    several = [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)]
    other = ReplyFault.ILLEGAL if said else ReplyFault.NO_ACTION
    return Parsed(None, ReplyFault.SEVERAL if len(several) > 1 else other)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


class Question(NamedTuple):
    """A question to player `seat`: the hand as dealt, the name of the decision node, and the real cards if cards were dealt."""

    seat: int
    hand: Any
    node: str
    cards: str | None = None


@dataclass(frozen=True)
class TextAnswer:
    """The answer of an agent to one question.

    Attributes:
        action: the action, by the game's own name; None is a forfeit, which costs the most that the player can lose.
        fault: why there is no action; None if there is one.
        raw: the texts of all replies to the question; the last one counts.
        faults: the faults of all replies, also of those after which the question was asked again.
        logprobs: log-probabilities by the game's own names, if the last reply brought any.
    """

    action: str | None
    fault: ReplyFault | None
    raw: tuple[str, ...]
    faults: tuple[ReplyFault, ...] = ()
    logprobs: Mapping[str, float] | None = None

    @property
    def replies(self) -> list[dict[str, Any]]:
        """For each reply the `raw` text, the `fault`, and the `action` that was read from it, as in `relance.words.LogRow`."""
        last = len(self.raw) - 1
        return [
            {"action": self.action if i == last else None, "raw": text, "fault": fault and str(fault)}
            for i, (text, fault) in enumerate(zip_longest(self.raw, self.faults))
        ]


Retries: TypeAlias = Annotated[int, OneOf(0, 1)]
"""How often a question is asked again after a reply that names no legal action."""

Talk: TypeAlias = Generator[list[Message], RawReply, TextAnswer]
"""A generator that yields conversations ending with a message of the user, takes the reply to each, and returns the answer."""


@checked
def talk(game: Game, question: Question, retries: Retries = 0, wording: Wording = PLAIN) -> Talk:
    """Return a generator that asks one question: `next` gives the first conversation, and `send` takes the agent's reply.

    Each question stands alone and says all that was seen, so an answer can depend only on the information set.

    Raises:
        ValueError: the question's node is not a decision of its player.
        TypeError: a reply is neither text nor text with log-probabilities.
    """
    seat, hand, node, cards = question
    asked = situation(game, seat, hand, node, wording, cards)
    messages = [{"role": "user", "content": f"{describe(game, wording)}\n\n{asked}"}]
    legal = game.tree.decisions[node].actions
    raw: list[str] = []
    faults: list[ReplyFault] = []
    while True:
        text, told = _text((yield [dict(message) for message in messages]))
        parsed = parse_reply(text, legal, wording)
        raw.append(text)
        faults += [parsed.fault] if parsed.fault else []
        if parsed.fault is None or len(raw) > retries:
            if wrong := [told[name] for name in told if not isinstance(told[name], Real)]:
                raise TypeError(f"log-probabilities must be numbers, not {short(wrong[0])}")
            logprobs = {name: told[called] for name in legal if (called := wording.action(name)) in told} or None
            return TextAnswer(parsed.action, parsed.fault, tuple(raw), tuple(faults), logprobs)
        named = " or ".join(f"[{wording.action(name)}]" for name in wording.listed(legal))
        again = f"That answer cannot be used ({parsed.fault}). End with one of your actions in square brackets: "
        messages += [{"role": "assistant", "content": text}, {"role": "user", "content": f"{again}{named}."}]


def _text(reply: Any) -> tuple[str, Mapping[str, float]]:
    match reply:
        case str():
            return reply, {}
        case None:  # what chat interfaces return for an empty message
            return "", {}
        case (str() as text, Mapping() as told):
            return text, told
    raise TypeError(f"a reply must be text, or a pair of text and {{action: log-probability}}, not {short(reply)}")


def own_name(agent: object) -> str | None:
    """Return an agent's own name: a text is its own name, a TextAgent has that of its `reply`, others their `name`; None if none."""
    if isinstance(agent, TextAgent):
        return own_name(agent.reply)
    named = agent if isinstance(agent, str) else getattr(agent, "name", None)
    return None if named is None else str(named)


def name_of(agent: object, name: str | None = None) -> str:
    """Return the name of an agent in files: the one that `own_name` gives, else its `name`, else the name of its function or class."""
    if isinstance(agent, TextAgent):
        said = name_of(agent.reply, name)
        return f"{type(agent).__name__} of {said}, {agent.wording.name} wording, {agent.retries} retries"
    return own_name(agent) or name or str(getattr(agent, "__qualname__", type(agent).__qualname__))


class TextAgent:
    """An agent that answers in words, for both seats.

    Args:
        reply: takes a conversation, a list of {"role", "content"}, and returns the text of the reply; or text and the
            log-probabilities of actions. Its exceptions are passed on. Its attribute `name`, if any, is its name in files.
        retries: 1 asks once more after a reply without a legal action; 0 counts it as a forfeit at once.
        wording: the names of actions, hands and units in questions; see `relance.words.renamed_wording`.
        batched: whether `reply` takes a list of conversations and returns as many replies, a list or one after the other. An
            exception in the place of a reply is raised when the others have been counted.
    """

    @checked
    def __init__(self, reply: Ask, retries: Retries = 0, wording: Wording = PLAIN, batched: bool = False) -> None:
        self.reply, self.retries, self.wording, self.batched = reply, retries, wording, batched

    @property
    def name(self) -> str:
        """The name of the agent in files of answers."""
        return name_of(self)

    def settings_in(self, game: Game) -> dict[str, Any]:
        """Return what is needed to ask the same again, for JSON: name, settings of `reply`, retries, wording, hash of the prompts.

        The hash is the SHA-256 of the text of the rules and of one question at each decision.
        """
        hand, said = 0 if game.deal.is_finite else 0.5, [describe(game, self.wording)]
        said += [situation(game, at.player, hand, name, self.wording) for name, at in game.tree.decisions.items()]
        told = {"name": name_of(self.reply), **getattr(self.reply, "settings", {}), "retries": self.retries}
        prompt = hashlib.sha256("\n\n".join(said).encode()).hexdigest()
        return {**told, "wording": self.wording.name, "prompt_sha256": prompt}

    def answer(self, game: Game, question: Question) -> TextAnswer:
        """Ask one question, and return the answer."""
        return self.answers(game, [question])[0]

    def answers(self, game: Game, questions: Sequence[Question]) -> list[TextAnswer]:
        """Ask many questions, and return the answers in order; raises as `answered` does."""
        given = dict(self.answered(game, questions))
        return [given[place] for place in range(len(questions))]

    def answered(
        self, game: Game, questions: Sequence[Question], spent: Spent | None = None
    ) -> Iterator[tuple[int, TextAnswer]]:
        """Yield the answers as they come, each with the number of its question; all are asked at once if `batched`.

        Args:
            game: the game.
            questions: the questions.
            spent: counts what is sent. A question is begun only if the budget has room to ask it again after a reply without an action.

        Raises:
            BudgetReached: the budget is spent. This error and the others are raised after all answers that came.
            ValueError: a batched agent returned a list with too few or too many replies; none of them is counted.
            Exception: what the agent raised.
        """
        spent, begun = spent or Spent(), 0
        while begun < len(questions):
            if not (most := spent.left // (1 + self.retries)):
                spent.take(1 + self.retries)
            part = range(len(questions))[begun : begun + most]
            yield from self._asked({i: talk(game, questions[i], self.retries, self.wording) for i in part}, spent)
            begun += most

    def _asked(self, talks: Mapping[int, Talk], spent: Spent) -> Iterator[tuple[int, TextAnswer]]:
        waiting = {place: next(talk) for place, talk in talks.items()}
        while waiting:
            still: dict[int, list[Message]] = {}
            failure: BaseException | None = None
            for place, reply in zip(waiting, self._replies(list(waiting.values()), spent), strict=True):
                if isinstance(reply, BaseException):
                    failure = failure or reply
                    continue
                try:
                    still[place] = talks[place].send(reply)
                    continue
                except StopIteration as end:
                    answer = end.value
                yield place, answer
            if failure is not None:
                raise failure
            waiting = still

    def _replies(self, conversations: list[list[Message]], spent: Spent) -> Iterator[RawReply | BaseException]:
        """A reply to each conversation, or why there is none."""
        if getattr(self.reply, "counts_requests", False):  # also those that are sent again
            yield from self.reply(conversations, spent)
        elif self.batched:
            spent.take(len(conversations))
            replies = self.reply(conversations)
            if isinstance(replies, (str, Mapping)) or not isinstance(replies, Iterable):
                raise TypeError(f"a batched agent must return a list of replies, not {short(replies)}")
            several = replies if isinstance(replies, Iterator) else list(replies)
            if isinstance(several, list) and len(several) != len(conversations):
                raise ValueError(f"the agent gave {len(several)} replies to {len(conversations)} conversations")
            yield from several
        else:
            for conversation in conversations:
                spent.take()
                yield self.reply(conversation)


def _unknown(game: Game, agent: TextAgent, seat: int) -> Never:
    raise TypeError("a TextAgent answers in words; score it with `relance.words.score`")


read_with(Reader("an agent that answers in words", lambda agent: isinstance(agent, TextAgent), _unknown, draws=True))
