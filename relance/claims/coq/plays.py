"""A game and a profile as plain data, from which Coq files are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from relance.claims.trace import region_of
from relance.model.game import Game
from relance.model.interval import DensityDeal
from relance.model.numbers import Number
from relance.model.piecewise import refined
from relance.model.strategy import Profile
from relance.model.tree import BettingTree
from relance.solvers.exact import value

Texts: TypeAlias = list[str]
"""Numbers as texts of formulas in the symbols."""


class NotWrittenError(ValueError):
    """A profile has no theorem in Coq; the message says why."""


@dataclass(frozen=True)
class FiniteHands:
    """Tables with player 0's hands in rows: each pair's probability, and `edge`, player 0's probability of winning minus that of losing."""

    joint: list[Texts]
    edge: list[Texts]


@dataclass(frozen=True)
class IntervalHands:
    """For each player the probabilities of the cells of [0, 1], the lowest cell first."""

    masses: tuple[Texts, Texts]


@dataclass(frozen=True)
class Play:
    """A game, an exact profile of it, and its value to player 0, as formulas.

    Attributes:
        name: the game's name.
        tree: the betting tree; `==` between two plays does not compare it.
        terminals: two formulas for each terminal node in turn, c and s: player 0 is paid c + s * edge; see `FiniteHands` for `edge`.
        strategies: {node: for each hand or cell the probability of each action}.
        symbols, conditions: the parameters, and what they satisfy.
    """

    name: str
    tree: BettingTree = field(compare=False)
    terminals: Texts
    hands: FiniteHands | IntervalHands
    strategies: dict[str, list[Texts]]
    value: str
    symbols: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()


def written_play(game: Game, profile: Profile) -> Play:
    """Return the game and the profile as data; [0, 1] is cut into cells where densities of hands or strategies change.

    Raises:
        NotWrittenError: there is a chance node or a special rule of who wins, or hands on [0, 1] are dependent or not uniform in a cell.
    """
    if not game.tree.is_usual:
        raise NotWrittenError("the game has chance nodes, or showdowns in which the higher hand need not win")
    worth, total = value(game, profile), game.deal.total(game.deal.prior(0))
    numbers = [worth, total, *(leaf.constant for leaf in game.tree.leaves.values())]
    plan = [(name, action) for name, rows in profile.plan().items() for action in rows]
    rows = [profile.plan()[name][action] for name, action in plan]
    hands: FiniteHands | IntervalHands
    if isinstance(game.deal, DensityDeal):
        if len(game.deal.terms) != 1:
            raise NotWrittenError("the hands on [0, 1] are not independent")
        functions = refined([*game.deal.terms[0], *rows])
        cuts = functions[0].cuts
        if any(len(piece) > 1 for f in functions[:2] for piece in f.pieces):
            raise NotWrittenError("the density of a player's hands is not piecewise constant")
        masses = [
            [sum(piece) * (right - left) for piece, left, right in zip(f.pieces, cuts, cuts[1:], strict=False)]
            for f in functions[:2]
        ]
        both = [[mass / sum(side) for mass in side] for side in masses]
        columns = [list(function.values()) for function in functions[2:]]
        numbers += [*both[0], *both[1]]
        hands = IntervalHands((texts(both[0]), texts(both[1])))
    else:
        deal = game.finite_deal()
        joint = deal.joint() / total
        numbers += list(joint.flat)
        edge = [[deal.compare(i, j) if p != 0 else 0 for j, p in enumerate(row)] for i, row in enumerate(joint)]
        columns, hands = [list(row) for row in rows], FiniteHands([*map(texts, joint)], [*map(texts, edge)])
    for column in columns:
        numbers += column
    where = region_of(numbers)
    strategies = {
        name: [
            texts(row) for row in zip(*(c for (at, _), c in zip(plan, columns, strict=True) if at == name), strict=True)
        ]
        for name in profile.plan()
    }
    about = {} if where is None else {"symbols": where.names, "conditions": where.conditions}
    terminals = [text(number) for leaf in game.tree.leaves.values() for number in (leaf.constant, leaf.stake)]
    return Play(game.name, game.tree, terminals, hands, strategies, text(worth / total), **about)


def text(number: Number) -> str:
    """The text of a number's formula, with ** for powers."""
    return str(number).replace("^", "**")


def texts(numbers: Iterable[Number]) -> Texts:
    """The text of each number's formula, with ** for powers."""
    return [text(number) for number in numbers]
