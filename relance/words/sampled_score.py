"""Estimate the score of an agent whose strategy cannot be read, by asking it many times at every information set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from relance.model.arguments import Count, PathName, checked
from relance.model.game import Game, as_game
from relance.model.numbers import check_between, short
from relance.play.agents import ROUNDING, ROWS, Answer, as_array, in_seat, is_drawn, is_function, reader_of, strategy
from relance.play.opponents import Player
from relance.play.rules import rules
from relance.words.answer_counts import AnswerLine, Tally
from relance.words.estimate import Estimate
from relance.words.kept_files import AnswerFile
from relance.words.question_plan import Inquiry, inquiry, words
from relance.words.spent import BudgetReached, Spent
from relance.words.text_agent import ReplyFault, TextAgent, name_of, own_name, parse_reply

MOST = {True: 100_000, False: 10_000_000}
"""The most questions that are asked without a `budget`: True for agents that answer in words, False for others."""

ALONE = 1
"""The questions in one call of a function: a function may draw once per call, and the intervals need independent answers."""

BATCH = 64
"""The number of questions at once for a batched agent that answers in words."""

KNOWN = 0.9
"""Log-probabilities are used if the legal actions have at least this probability together."""

Sets: TypeAlias = Sequence[tuple[str, int]]
"""Information sets of a seat: node and hand."""

Answers: TypeAlias = Iterator[tuple[int, AnswerLine]]
"""Yields each answer as it comes, with the number of its information set in the `Sets` that were asked."""


class Cost(NamedTuple):
    """The cost of an estimate: the number of `questions`, and of `words` in them that agents answering in words must read."""

    questions: int
    words: int

    def __str__(self) -> str:
        return f"{self.questions:,} questions" + (f" of {self.words:,} words in all" if self.words else "")


class AskedSeat(NamedTuple):
    """The agent in one seat: `ask` asks the agent at most `size` questions in a call; `talks` is True if the agent answers in words.

    `sure` is True if the agent's strategy is known. One answer at each information set, the probabilities of its actions, is then enough.
    """

    ask: Callable[[Sets, Spent], Answers]
    talks: bool
    sure: bool
    name: str
    size: int


@checked
def cost(game: Game | str, agent: Player, answers: Count, hands: Count | None = None) -> Cost:
    """Return how many questions `score` would ask with the same arguments, and about how many words agents would read; none is asked."""
    where, questions, read = inquiry(as_game(game), hands), 0, 0
    for seat in (0, 1):
        player = in_seat(agent, seat)
        drawn = is_drawn(player)
        if not drawn and not _is_asked(player):
            strategy(_known(where), player, seat)  # refuses what plays nothing
        questions += len(where.sets(seat)) * (int(answers) if drawn else 1)
        if isinstance(player, TextAgent):
            read += words(where, seat, player) * int(answers)
    return Cost(questions, read)


def _is_asked(player: Player) -> bool:
    """Whether to read its strategy would take questions: a function, a network, or a mixture or pair with one of them."""
    if isinstance(player, (list, tuple, Mapping)):
        return any(map(_is_asked, player))
    return reader_of(player) is not None


@checked
def score(
    game: Game | str,
    agent: Player,
    answers: Count,
    *,
    hands: Count | None = None,
    answers_file: PathName | None = None,
    name: str | None = None,
    budget: Count | None = None,
    tick: Callable[[int, int], None] | None = None,
) -> Estimate:
    """Estimate the score of an agent that draws its actions, from `answers` answers at every information set; illegal ones forfeit.

    Args:
        game: a Game, or its text.
        agent: as for `relance.score`; a function may return names of actions or texts too, and a `TextAgent` answers in words.
        answers: how often to ask at each information set.
        hands: at how many hands of each player to ask, at most 60 by default.
        answers_file: a file of JSON lines that each answer is added to at once, and that is continued if it exists.
        name: the name in the file for an agent without a `name` of its own; an agent without any name cannot continue a file.
        budget: the most questions that are sent, repeated ones included. After the last one, the answers so far are scored.
        tick: called as answers come in, with their number so far and in all.

    Returns:
        An `Estimate`, whose figures have 95% intervals; its `spent` says what was sent, and whether the budget ended it.

    Raises:
        ValueError: the questions are more than the budget, or spend it before each information set has an answer; the file has answers
            to other questions, or of another agent, or of one without a name, which may be another; an answer has an unknown form.
        Exception: whatever the agent raises, with a note that says where its answers so far are.
    """
    game, answers = as_game(game), int(answers)
    check_between("answers", answers, 1, max(MOST[False], int(budget or 0)))
    where = inquiry(game, hands)
    needed = cost(game, agent, answers, hands)
    players = [in_seat(agent, seat) for seat in (0, 1)]
    seats = [_seat(where, player, seat, name) for seat, player in enumerate(players)]
    most = MOST[any(seat.talks for seat in seats)] if budget is None else int(budget)
    if needed.questions > most:
        sets = sum(len(where.sets(seat)) for seat in (0, 1))
        allowed = "are allowed without a budget" if budget is None else "are in the budget"
        raise ValueError(
            f"{answers:,} answers at {sets:,} information sets of {game} take {needed}; {most:,} {allowed}. Ask for fewer answers, "
            f"or at fewer hands (hands={len(where.hands[0])} now), or allow more with budget={needed.questions}"
        )
    asked = {"game": str(where.asked), "hands": len(where.hands[0]), "agents": [seat.name for seat in seats]}
    record, spent = Tally(where, [seat.sure for seat in seats]), Spent(most)
    nameless = [player for player in players if name is None and own_name(player) is None]
    unnamed = [name_of(player.reply if isinstance(player, TextAgent) else player) for player in nameless]
    models = [player.settings_in(where.asked) for player in players if isinstance(player, TextAgent)]
    with AnswerFile(answers_file, asked, record, spent, unnamed[0] if unnamed else "", models) as file:
        with suppress(BudgetReached):
            _ask_all(record, seats, answers, file, spent, lambda done: tick and tick(done, needed.questions))
        if (found := record.estimate()) is None:
            raise ValueError(f"the budget of {most:,} questions was spent before each information set had an answer")
    return replace(found, spent=spent)


def _ask_all(
    record: Tally, seats: Sequence[AskedSeat], answers: int, file: AnswerFile, spent: Spent, tick: Callable[[int], Any]
) -> None:
    """Ask in rounds, so that all information sets have about as many answers at any time.

    Each round has an order of its own: an agent that goes by the number of the question must not look as if it went by the hand.
    """
    for turn in range(answers):
        for number, seat in enumerate(seats):
            if turn and seat.sure:
                continue
            sets = [place for place in record.where.sets(number) if len(record.given[number, *place]) <= turn]
            sets = [sets[i] for i in np.random.default_rng([turn, number]).permutation(len(sets))]
            for start in range(0, len(sets), seat.size):
                part = sets[start : start + seat.size]
                for place, answer in seat.ask(part, spent):
                    line = record.named(number, *part[place]) | answer
                    file.add(line)
                    record.add(line)
                    tick(record.count)


# Kinds of agents


def _seat(where: Inquiry, player: Player, seat: int, name: str | None) -> AskedSeat:
    called = name_of(player, name)
    if isinstance(player, TextAgent):
        return AskedSeat(partial(_ask_words, where, player, seat), True, False, called, BATCH if player.batched else 1)
    if (reader := reader_of(player)) is not None and is_drawn(player):
        reader.check_hands(where.asked)
        drawing = player if is_function(player) else reader.answer(where.asked, player, seat)
        return AskedSeat(partial(_ask_function, where, drawing, seat), False, False, called, ALONE)
    return AskedSeat(partial(_ask_strategy, where, player, seat), False, True, called, ROWS)


def _ask_words(where: Inquiry, agent: TextAgent, seat: int, sets: Sets, spent: Spent) -> Answers:
    for number, answer in agent.answered(where.asked, [where.question(seat, *place) for place in sets], spent):
        line: AnswerLine = {"action": answer.action, "raw": list(answer.raw)}
        if answer.fault is not None:
            line["fault"] = str(answer.fault)
        elif answer.logprobs:
            chances = {action: math.exp(min(logprob, 1.0)) for action, logprob in answer.logprobs.items()}
            if KNOWN <= (total := sum(chances.values())) <= 1 + ROUNDING:
                line["chances"] = {action: chance / total for action, chance in chances.items()}
        yield number, line


def _ask_function(where: Inquiry, function: Answer, seat: int, sets: Sets, spent: Spent) -> Answers:
    """Ask a function at one information set, since `ALONE` is 1."""
    spent.take()
    game, table, ((node, place),) = where.asked, where.asked.tree.table, sets
    index, hand = table.names.index(node), where.hands[seat][place]
    mask, legal = table.legal[index], [game.actions[i] for i in table.legal_ids[index]]
    given = as_array(function(rules(game).observe(seat, hand, index)[None], mask[None].copy()))
    if given.shape == (1, len(mask)) and given.dtype.kind in "fiub":
        row = given[0].astype(float)
        if not ((row >= -ROUNDING).all() and abs(row.sum() - 1) <= ROUNDING):
            at = f"{game.name}, node {node!r}, hand {game.deal.label(seat, hand)}"
            raise ValueError(f"{at}: the agent's probabilities {row.tolist()} must be at least 0 and sum to 1")
        yield 0, {"chances": dict(zip(legal, row.clip(0)[mask].tolist(), strict=True))}  # the rest is illegal
    elif given.shape == (1,) and given.dtype.kind in "iuUO":
        yield 0, _said(game, given.item(), legal)
    else:
        raise ValueError(
            f"the agent answered an observation of {game} with {given.dtype} of shape {given.shape}; it must give probabilities of shape "
            f"(1, {len(mask)}), or an action id, the name of an action or a text, of shape (1,)"
        )


def _said(game: Game, answer: object, legal: Sequence[str]) -> AnswerLine:
    """An answer of an action id, a name or a text; texts are read as `parse_reply` reads them."""
    if isinstance(answer, str):
        found = parse_reply(answer if "[" in answer else f"[{answer}]", legal)
        return {"action": found.action, "raw": [answer]} | ({} if found.fault is None else {"fault": str(found.fault)})
    if isinstance(answer, int) and 0 <= answer < len(game.actions) and game.actions[answer] in legal:
        return {"action": game.actions[answer]}
    return {"action": None, "raw": [short(answer)], "fault": str(ReplyFault.ILLEGAL)}


def _known(where: Inquiry) -> Game:
    """The game in which a strategy that needs no asking is read."""
    return where.asked if where.asked.deal.is_finite else where.game


def _ask_strategy(where: Inquiry, player: Player, seat: int, sets: Sets, spent: Spent) -> Answers:
    """Take the known probabilities of a player whose strategy can be read; do not ask."""
    spent.take(len(sets))
    on = _known(where)
    played = strategy(on, player, seat)
    for number, (node, hand) in enumerate(sets):
        place = where.hands[seat][hand] if on is where.asked else hand
        actions = on.tree.decisions[node].actions
        yield number, {"chances": {a: float(row[place]) for a, row in zip(actions, played.at[node], strict=True)}}
