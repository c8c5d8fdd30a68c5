"""Logs of games, as JSON lines: a row for each answer of an agent, and one for the end of each game. `LogRow` has its keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

import numpy as np

from relance.envs.catalogue import make
from relance.model.files import Line
from relance.model.game import Game
from relance.model.limits import check_sets
from relance.model.numbers import short
from relance.model.renamed import HasOldNames
from relance.model.tree import Case
from relance.play.rules import rules
from relance.words.text_agent import ReplyFault

VERSION = 1

FORFEIT = -1
"""The action id of an answer without a legal action."""

UNFINISHED = "unfinished last lines"
"""The kind of fault of a last line without an end, which a stopped run leaves."""

FAULTS = frozenset(map(str, ReplyFault))

HandName: TypeAlias = str | float
"""A hand in a log: its name, or a number in [0, 1]."""

NEAR = 1e-6
"""The chips by which a terminal node may differ from what the game pays, for logs that are rounded."""


@dataclass(frozen=True, kw_only=True)
class LogRow(HasOldNames):
    """A line of a log: an answer of an agent, or the end of a game.

    A row is an object with these keys; each is checked against the game.

        version   the version of this form, 1
        game      the game with its parameters, such as "one_card_poker(cards=3, raises=0, ante=1, bet=1)"
        seed      a whole number; games of the same seed and the same `episode` are one game
        episode   the number of the game in its run, from 0
        seat      0 or 1, whose row this is
        agent     the name of who plays this seat; "" if unknown
        opponent  who plays the other seat, "" if unknown; a name in `relance.play.OPPONENTS`, not a file, tells the strategy
        hand      the seat's hand: its name, or a number in [0, 1]
        node      the betting so far, "check-bet"; "" at the start
        legal     the names of the legal actions; [] in the row of a terminal node
        action    the name of the action that was read from the answer; null if none was
        raw       the answer as it was given; "" if there was no text
        fault     why no action was read from it, such as "cut off"; left out if one was
        chips     what the seat got, in the row of a terminal node only

    An answer whose action is not in `legal` is illegal. Either the agent is asked again, and the next row has the same node; or the game
    ends, its last row has that node too, and the seat loses the most chips that it can. `where`, not a key, is the row's place in a log.
    """

    game: str
    seed: int
    episode: int
    seat: int
    agent: str = ""
    opponent: str = ""
    hand: HandName
    node: str
    legal: tuple[str, ...] = ()
    action: str | None = None
    raw: str = ""
    fault: str | None = None
    chips: float | None = None
    where: str = field(default="", compare=False)

    @property
    def is_terminal(self) -> bool:
        """True if this row is the end of a game, not an answer."""
        return self.chips is not None

    @property
    def is_illegal(self) -> bool:
        """True if this is an answer with no action, or with an illegal one."""
        return not self.is_terminal and self.action not in self.legal

    @property
    def why_illegal(self) -> str:
        """Why this answer is illegal: the fault in the log, or else that it has no action or an illegal one."""
        return self.fault or str(ReplyFault.NO_ACTION if self.action is None else ReplyFault.ILLEGAL)

    @property
    def played(self) -> tuple[str, str, int, int, int]:
        """The fields that rows of the same agent in the same game share: agent, opponent, seed, episode, seat."""
        return self.agent, self.opponent, self.seed, self.episode, self.seat

    def to_dict(self) -> dict[str, Any]:
        """The row as a dict in the order of the class's docstring, which `parse_row` reads back."""
        left_out = ["where", "legal", "action", "raw"] if self.is_terminal else ["where", "chips"]
        left_out += ["fault"] * (not self.fault)
        return {"version": VERSION} | {key: value for key, value in vars(self).items() if key not in left_out}


class Fault(NamedTuple):
    """A part of a log that cannot be used: where it is, such as "line 7", its `kind`, and what is wrong with it."""

    where: str
    kind: str
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


class LogError(ValueError):
    """The reason why a part of a log cannot be used; `kind` is a key of `Log.counts`."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


@dataclass(frozen=True)
class Log:
    """The rows of a log that can be used, in order, and the faults of all others."""

    rows: tuple[LogRow, ...]
    faults: tuple[Fault, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """The number of faults of each kind."""
        return dict(Counter(fault.kind for fault in self.faults))

    @property
    def firsts(self) -> dict[str, Fault]:
        """The first fault of each kind."""
        return {fault.kind: fault for fault in reversed(self.faults)}


def decision_row(game: Game, seat: int, hand: Any, node: int, action: str | None, **others: Any) -> LogRow:
    """The row of an answer: `hand` is an index or a number in [0, 1], `node` an index into `game.tree.table`, `others` more keys."""
    about = rules(game)
    others |= {"legal": tuple(game.actions[i] for i in about.legal[node]), "action": action}
    return LogRow(game=about.text, seat=seat, hand=logged_hand(game, seat, hand), node=about.names[node], **others)


def terminal_row(game: Game, seat: int, hand: Any, node: int, chips: float, **others: Any) -> LogRow:
    """The row of a terminal node: `chips` are what `seat` gets; the other arguments are as for `decision_row`."""
    return replace(decision_row(game, seat, hand, node, None, chips=float(chips), **others), legal=())


def answer_place(game: Game, row: LogRow) -> tuple[int, Any, int]:
    """Return (index of the node, hand, action id) of an answer, as `Coach.loss` takes them; an illegal answer is `FORFEIT`."""
    action = FORFEIT if row.is_illegal else game.actions.index(str(row.action))
    return rules(game).names.index(row.node), hand_index(game, row.seat, row.hand), action


def logged_hand(game: Game, seat: int, hand: Any) -> HandName:
    """Return a hand as it stands in a log: the name of the hand with this index, or the number in [0, 1]."""
    return game.deal.label(seat, hand) if game.deal.is_finite else float(hand)


def hand_index(game: Game, seat: int, name: object) -> Any:
    """The hand of the deal that has this name: an index, or a number in [0, 1]; LogError if there is none."""
    if game.deal.is_finite:
        known = _hands(game)[seat]
        if not isinstance(name, str) or name not in known:
            few = ", ".join(list(known)[:8]) + (", ..." if len(known) > 8 else "")
            raise LogError("impossible hands", f"hand {short(name)} of player {seat} does not exist; hands are {few}")
        return known[name]
    if isinstance(name, bool) or not isinstance(name, (int, float)) or not 0 <= name <= 1:
        raise LogError("impossible hands", f"hand {short(name)} of player {seat} must be a number in [0, 1]")
    return float(name)


@lru_cache(maxsize=16)
def _hands(game: Game, events: tuple[str, ...] = ()) -> tuple[dict[str, int], dict[str, int]]:
    """By seat, the index of each hand that is ever dealt together with these events, by name."""
    deal = game.finite_deal().in_case(Case(events))
    dealt = [np.flatnonzero(deal.floats.prior(seat)).tolist() for seat in (0, 1)]
    first, second = ({labels[i]: i for i in hands} for labels, hands in zip(deal.labels, dealt, strict=True))
    return first, second


# Reading


def parsed_lines(lines: Iterable[Line]) -> Iterator[tuple[str, object]]:
    """Yield (place such as "line 7", content of the line or a LogError) for each line of JSON."""
    for line in lines:
        where = f"line {line.number}"
        if line.is_cut:
            yield where, LogError(UNFINISHED, "the line has no end")
        else:
            yield where, LogError("damaged lines", f"this is not JSON: {line.problem}") if line.problem else line.item


def parse_rows(items: Iterable[tuple[str, object]], game: Game | None = None) -> Log:
    """Check rows that were read from a log of any kind.

    Args:
        items: for each row its place, such as "line 7", for messages, and the row as a dict; or a LogError in its stead.
        game: rows of any other game are faults; None allows any game.
    """
    rows: list[LogRow] = []
    faults = []
    for where, item in items:
        try:
            rows.append(replace(parse_row(item, game), where=where))
        except LogError as error:
            faults.append(Fault(where, error.kind, str(error)))
    return unrepeated(Log(tuple(rows), tuple(faults)))


def unrepeated(log: Log) -> Log:
    """Return the log without rows that repeat a game, seat and node; each repeated row becomes a fault."""
    rows, faults, decided = [], [], dict[object, LogRow]()
    for row in log.rows:
        place = (row.game, row.played, row.is_terminal or row.node)
        if place in decided:
            why = f"seed {row.seed}, episode {row.episode}, seat {row.seat} has another row at {row.node!r}"
            first = decided[place].where
            faults.append(Fault(row.where or "the log", "repeated rows", f"{why}, in {first}" if first else why))
            continue
        if not row.is_illegal:
            decided[place] = row
        rows.append(row)
    return Log(tuple(rows), (*log.faults, *faults))


KINDS = {
    key: (list, tuple) if get_origin(kind) is tuple else get_args(kind) or (kind,)
    for key, kind in get_type_hints(LogRow).items()
    if key != "where"
}
"""The allowed types of each key of a row; an int is allowed where a float is."""

NEEDED = ("version", "game", "seed", "episode", "seat", "hand", "node")


def parse_row(item: object, game: Game | None = None) -> LogRow:
    """Check one row, given as a dict; LogError if it cannot be used, or is not of `game`."""
    if isinstance(item, LogError):
        raise item
    if not isinstance(item, dict):
        raise LogError("damaged lines", f"a row is an object with keys, not {short(item)}")
    missing = [key for key in NEEDED if key not in item]
    if missing:
        raise LogError("damaged lines", f"the row lacks the keys {', '.join(map(repr, missing))}")
    if item["version"] != VERSION:
        raise LogError("other versions", f"version {short(item['version'])} of the log cannot be read, only {VERSION}")
    if unknown := [key for key in item if key not in KINDS and key != "version"]:
        raise LogError("damaged lines", f"the row has unknown keys: {', '.join(map(short, unknown))}")
    if item.get("chips") is None and "action" not in item:
        raise LogError("damaged lines", "the row has neither an action nor chips")
    for key, kinds in KINDS.items():
        value = item.get(key)
        fits = isinstance(value, kinds) or (isinstance(value, int) and float in kinds)
        if key in item and (not fits or isinstance(value, bool)):
            raise LogError(
                "damaged lines", f"{key}={short(value)} must be {' or '.join(kind.__name__ for kind in kinds)}"
            )
    names = {key: visible(item[key]) for key in ("agent", "opponent") if key in item}
    row = LogRow(**{key: item[key] for key in KINDS if key in item} | names | {"legal": tuple(item.get("legal", ()))})
    played = written_game(row.game)
    if game is None:
        check_named(played)
    elif played != game:
        raise LogError("rows of other games", f"this is a row of {played}, not of {game}")
    _check(played, row)
    if row.fault is not None and (not row.is_illegal or row.fault not in FAULTS):
        raise LogError(
            "damaged lines",
            f"fault={short(row.fault)} must be one of {', '.join(sorted(FAULTS))}, and the row's action must be null or illegal",
        )
    return row


def visible(name: str) -> str:
    """A name with unprintable characters, such as those that move a terminal's cursor, written as escapes such as \\x1b."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in name)


@lru_cache(maxsize=64)
def written_game(text: str) -> Game:
    """Make the game that a row of a log names by this text, such as "von_neumann(bet=2)"; LogError if no game can be made from it."""
    try:
        return make(text)
    except (ValueError, TypeError) as error:
        raise LogError("rows of other games", f"game {short(text)} cannot be made: {error}") from None


def check_named(game: Game) -> None:
    """Raise LogError if a game that only a log names, not the caller, has too many information sets."""
    try:
        check_sets(game, "give the game, or take a log of games with")
    except ValueError as error:
        raise LogError("games that are too large", str(error)) from None


def _check(game: Game, row: LogRow) -> None:
    """Raise LogError unless this can have happened in the game."""
    if row.seat not in (0, 1) or row.episode < 0 or row.seed < 0:
        what = f"seat={row.seat}, episode={row.episode}, seed={row.seed}"
        raise LogError("damaged lines", f"{what}: the seat must be 0 or 1, episode and seed at least 0")
    hand_index(game, row.seat, row.hand)
    here = game.tree.decisions.get(row.node)
    if here is None and row.node not in game.tree.leaves:
        raise LogError("impossible nodes", f"{game} has no node {short(row.node)}")
    events = game.tree.cases[row.node].events
    if events and row.hand not in _hands(game, events)[row.seat]:
        raise LogError("impossible hands", f"player {row.seat} cannot hold {row.hand} at {row.node!r}")
    if row.chips is None:
        if here is None or here.player != row.seat:
            why = "is the end of the game" if here is None else f"is a decision of player {here.player}"
            raise LogError("impossible nodes", f"player {row.seat} does not act at {row.node!r}, which {why}")
        if sorted(map(str, row.legal)) != sorted(here.actions):
            why = f"legal actions at {row.node!r} are {', '.join(here.actions)}, not {short(row.legal)}"
            raise LogError("other legal actions", why)
        return
    if here is not None:  # the player to move here forfeited the game
        middle, around = rules(game).forfeits[here.player], 0.0
    else:
        middle, stake = game.tree.leaves[row.node].in_floats
        around = abs(stake) * float(game.deal.in_case(game.tree.cases[row.node]).sharpest)
    low, high = middle * (1 - 2 * row.seat) - around, middle * (1 - 2 * row.seat) + around
    if not low - NEAR <= row.chips <= high + NEAR:
        allowed = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        why = f"player {row.seat} cannot get {short(row.chips)} chips at {row.node!r}, only {allowed}"
        raise LogError("impossible chips", why)
