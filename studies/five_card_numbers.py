"""The numbers for `studies.five_card`, on Cutler's game with real cards: Cutler's tables against the continuous solution,
what they lose with real cards, the solved game, and where a better hand is worth less."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.envs.catalogue import make
from relance.envs.cutler_cards import PRINTED_RAISES, TABLES, by_class, continuous_thresholds, hands_below
from relance.model.game import Game
from relance.model.numbers import Number, formula
from relance.model.playing_cards.card_deal import CardDeal
from relance.model.playing_cards.classes import KINDS, deck
from relance.model.quadratic import square_root
from relance.model.strategy import Profile
from relance.solvers.cfr_solver import Solver
from relance.solvers.exact import exploitability, hand_values, value

Floats = npt.NDArray[np.float64]
Tick = Callable[[str], None]


CHECKPOINTS = Path.home() / ".cache" / "relance"


@dataclass(frozen=True)
class RowFound:
    """A row of Cutler's tables, compared with the continuous solution.

    Attributes:
        row: its name, such as B9; `start`: its first class as printed.
        below: hands below it as printed; `threshold`: hands below it in the continuous solution.
        inside: the class that contains the threshold.
        agrees: whether the row starts where that class starts, ends or is cut.
    """

    row: str
    start: str
    below: float
    threshold: float
    inside: str
    agrees: bool


def rows_against_thresholds() -> list[RowFound]:
    """Every row of both tables, as printed, against the thresholds of the game without end (Section 3)."""
    known: dict[str, Number] = {"s": square_root(7)}
    for symbol, text in continuous_thresholds().items():
        known[symbol] = formula(text, known)
    cards, out = deck(), []
    for row in (row for table in TABLES for row in table if row.start):
        below, threshold = float(hands_below(row, as_printed=True)), float(formula(row.threshold, known)) * cards.hands
        index = int(np.searchsorted(cards.below, threshold, side="right")) - 1
        agrees = bool(cards.below[index] <= below <= cards.below[index + 1])
        out.append(RowFound(row.name, row.printed or row.start, below, threshold, cards.names[index], agrees))
    return out


@dataclass(frozen=True)
class Cost:
    """Exploitability of a strategy in a game, chips a hand, and its value to player 0."""

    strategy: str
    game: str
    exploitability: float
    value: float


def costs(raises: int = PRINTED_RAISES) -> list[Cost]:
    """The losses of the continuous solution and the tables, one objection at a time.

    First there are 2,598,960 different hands, then hands of a class tie, then both hands come from one deck.
    """
    whole, cards = make("pot_limit", raises=raises), deck()
    solution = whole.published()
    distinct, classes = whole.grid(cards.hands), by_class(solution, floats=True)
    decks = {removal: make("five_card", raises=raises, removal=removal) for removal in (False, True)}
    words = {False: "a deck each", True: "one deck"}
    tried: list[tuple[str, str, Game, Profile]] = [
        ("continuous solution", "2,598,960 different hands", distinct, distinct.fit(solution, floats=True))
    ]
    tried += [("continuous solution", words[r], game, replace(classes, game=game.name)) for r, game in decks.items()]
    tried += [("tables, corrected", words[r], game, game.published().as_float()) for r, game in decks.items()]
    tried += [
        ("tables, as printed", words[r], game, game.published(as_printed=True).as_float()) for r, game in decks.items()
    ]
    return [Cost(what, where, float(exploitability(g, p)), float(value(g, p))) for what, where, g, p in tried]


FORGET = 0.01
"""The fraction of the regrets kept after an early stage, since regrets against untrained opponents are large in large pots."""


def solve(game: Game, tolerance: float, tick: Tick, checkpoint: Path | None = None) -> Solver:
    """Discounted CFR to this exploitability in chips.

    With more than four raises it restarts after 50 and after 100 iterations, with a hundredth of the regrets.
    """
    solver = Solver(game, "dcfr")
    stages = [50, 100] if int(game.parameters["raises"]) > 4 else []
    if checkpoint is not None and checkpoint.exists():
        solver.load(checkpoint)
        stages = []
    for length in stages:
        solver.run(length)
        for arrays, scale in ((solver.regrets, FORGET), (solver.averages, 0.0)):
            for array in arrays:
                array *= scale
        solver.iteration = 0
    left = solver.nash_conv() / 2 if solver.iteration else float("inf")
    while left > tolerance:
        solver.run(max(25, solver.iteration // 4))
        left = solver.nash_conv() / 2
        tick(f"{game}: iteration {solver.iteration}, exploitability {left:.2e}")
        if checkpoint is not None:
            checkpoint.parent.mkdir(parents=True, exist_ok=True)
            solver.save(checkpoint)
    return solver


def procedures(game: Game, profile: Profile, player: int) -> list[str]:
    """The most frequent line of play with each class, in the paper's words: "bet, reraise, and call"."""
    nodes = {name: np.stack(rows).argmax(axis=0) for name, rows in profile.strategies[player].at.items()}

    def does(index: int, name: str) -> str:
        return game.tree.decisions[name].actions[int(nodes[name][index])]

    def facing(index: int, name: str) -> str:
        action = does(index, name)
        if action != "raise":
            return action
        after = f"{name}-raise-raise"
        return f"raise, {facing(index, after)}" if after in nodes else "raise"

    def words(index: int) -> str:
        if player:
            return f"{facing(index, 'bet')} — {does(index, 'check')}"
        if does(index, "") == "check":
            return f"check, {facing(index, 'check-bet')}"
        return "bet, " + facing(index, "bet-raise").replace("raise", "reraise") if "bet-raise" in nodes else "bet"

    return [words(index) for index in range(game.deal.size(player))]


@dataclass(frozen=True)
class Run:
    """Neighbouring classes with the same procedure, and their share of all hands."""

    first: str
    last: str
    procedure: str
    share: float


def runs(game: Game, profile: Profile, player: int) -> list[Run]:
    """The classes in order, cut wherever the procedure changes."""
    cards, start, out = deck(), 0, []
    for words, group in groupby(procedures(game, profile, player)):
        end = start + len(list(group))
        share = float(cards.below[end] - cards.below[start]) / cards.hands
        out.append(Run(cards.names[start], cards.names[end - 1], words, share))
        start = end
    return out


def showdown() -> Floats:
    """(classes,) the expected edge of a showdown against the remaining hands, averaged over the hands of the class."""
    deal = CardDeal(deck())
    return np.asarray(deal.edge(0, deal.constant(1, 1)) / deal.prior(0), float)


def class_values(game: Game, profile: Profile) -> list[Floats]:
    """For each player, (classes,) the chips that each class is worth when both play `profile`."""
    out = []
    for player in (0, 1):
        met, chips = hand_values(game, profile, player)[""]
        out.append(chips / met)
    return out


NOTICED = 1e-3
"""The least fall in chips from a class to the next that counts, since the strategies are not exact."""


def falls(worth: Floats, least: float = 0.0) -> list[int]:
    """The classes whose next better class is worth less, by more than `least`."""
    return [int(index) for index in np.flatnonzero(np.diff(worth) < -least)]


def changes_of_kind() -> Iterator[tuple[str, int]]:
    """The eight changes from one kind of hand to the next, each with the best class of the lower kind."""
    kinds = [item.kind for item in deck().classes]
    for kind in range(1, len(KINDS)):
        yield f"{KINDS[kind - 1]} to {KINDS[kind]}", kinds.index(kind) - 1


def as_csv(head: list[str], rows: list[list[Any]]) -> str:
    """A table as CSV text."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([head, *rows])
    return out.getvalue()


@dataclass(frozen=True)
class Solved:
    """A solution of the game with real cards, for one number of raises."""

    game: Game
    profile: Profile
    exploitability: float
    value: float


def solved(raises: int, tolerance: float, tick: Tick) -> Solved:
    """Solve the game with hands from one deck; see `solve`."""
    game = make("five_card", raises=raises)
    solver = solve(game, tolerance, tick, CHECKPOINTS / f"five-card-{raises}-raises.npz")
    profile = solver.average()
    return Solved(game, profile, float(exploitability(game, profile)), float(value(game, profile)))
