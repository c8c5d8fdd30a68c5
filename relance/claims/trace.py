"""What a check computes and compares, kept as it goes: its certificate is written from this.

While a `Trace` watches, numbers that a game gives and printed numbers remember where they come from, and so does all that is
computed from them. What was proved of numbers, profiles and functions of the hand becomes a `Step`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from relance.claims.domain import names_in
from relance.claims.finding import Scope
from relance.claims.symbolic import Symbolic, asked_by_a_check
from relance.claims.traced_numbers import OfGame, PrintedNumber, traced
from relance.model.deal import FiniteDeal
from relance.model.game import Game, as_played
from relance.model.game_tree import GameTree
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile
from relance.solvers.exact import BestResponse
from relance.solvers.watcher import watched_by, watcher

if TYPE_CHECKING:  # the prover takes half a second to load
    from relance.claims.proof import Region


def distributions_of(deal: Any) -> Iterator[Any]:
    """A distribution of the hands, those after its events, and those of its contests."""
    yield deal
    for distribution in (*deal.events.values(), *deal.contests.values()):
        yield from distributions_of(distribution)


def numbers_of(game: Game, profile: Profile) -> Iterator[Number]:
    """All numbers that say what is played and how."""
    for leaf in game.tree.leaves.values():
        yield from (leaf.constant, leaf.stake)
    factors: list[Any] = []
    for distribution in distributions_of(game.deal):
        if isinstance(distribution, FiniteDeal):
            yield from distribution.joint().flat
        factors += [f for term in getattr(distribution, "terms", ()) for f in term]
    for row in (*factors, *(row for name in profile.nodes() for row in profile[name])):
        if isinstance(row, Piecewise):
            yield from (*row.cuts, *(c for piece in row.pieces for c in piece))
        else:
            yield from row


def region_of(numbers: Iterable[Any]) -> Region | None:
    """The region of the first number with symbols; None if none has any."""
    return _proved_for(next((number.region for number in numbers if isinstance(number, Symbolic)), None))


def _proved_for(where: object) -> Region | None:
    from relance.claims.proof import Region

    return where if isinstance(where, Region) else None


def terminal(game: Game, profile: Profile, path: str, edge: Number) -> Number:
    """The chips of player 0 at a terminal node, with this edge at its showdown."""
    leaf = game.tree.leaves[path]
    number: Number = traced(leaf.constant + leaf.stake * edge, OfGame("terminal", game, profile, 0, path, at=(edge,)))
    return number


def taken(game: Game, profile: Profile, node: str, action: str, hand: int) -> Number:
    """Return how often the player who acts takes this action with this hand, of finitely many."""
    player = game.tree.decisions[node].player
    number: Number = traced(
        profile.row(node, action)[hand], OfGame("taken", game, profile, player, node, action, (hand,))
    )
    return number


def dealt(game: Game, profile: Profile, first: int, second: int) -> Number:
    """Return how often the players are dealt these hands."""
    chance = game.finite_deal().joint()[first, second]
    number: Number = traced(chance, OfGame("dealt", game, profile, 0, at=(first, second)))
    return number


def possible_moves(game: Game) -> dict[str, tuple[int, list[str]]]:
    """Return who may do what at each node."""
    found = {name: (node.player, [*node.actions]) for name, node in game.tree.decisions.items()}
    decided("moves", game, {name: [*move] for name, move in found.items()})
    return found


def printed(name: str, text: str, number: Number, known: Mapping[str, Number]) -> Number:
    """A printed number, with the values that its formula `text` was given."""
    if watcher() is None:
        return number
    used = {symbol: known[symbol] for symbol in names_in(text) if symbol in known}
    plain: Number = traced(number, PrintedNumber(name, text, used))
    return plain


@dataclass(frozen=True)
class Step:
    """Something that was decided.

    Attributes:
        kind: "equal", "differ", "above", "at least", "rounds", "nash", "short", "signs" or "rises"; "dominated", "left" or "moves" of
            plans and nodes; "higher" or "better" of actions; "root" or "product" of functions of a symbol; "whole" of conditions on whole
            numbers; "induction"; "fails" if a number is not above 0, or not at least 0, at `point`.
        of: what it was decided of.
        where: for which parameters; None for a single game or point.
        name: of the printed number that was compared.
        mended: whether it belongs to the corrected statement.
        point: where the numbers differ, or the comparison fails.
        asked: False if a check asked for the opposite, so that this shows what is wrong.
    """

    kind: str
    of: tuple[Any, ...]
    where: Region | None = None
    name: str = ""
    mended: bool = False
    point: Mapping[str, str] = field(default_factory=dict)
    asked: bool = True

    @cached_property
    def region(self) -> Region | None:
        """For which parameters it was decided: the region of its numbers, or `where` if they have no symbols."""
        match self.of:
            case (Game() as game, *play):
                numbers: Iterable[Any] = numbers_of(
                    game, play[0] if play and isinstance(play[0], Profile) else game.uniform()
                )
            case (Piecewise() as f, *ends):
                numbers = (*f.cuts, *sum(f.pieces, ()), *ends)
            case numbers:
                pass
        return region_of(numbers) or self.where


class Origins:
    """Lets numbers keep where they come from, and nothing else."""

    def computed(self, function: str, arguments: Mapping[str, Any], result: Any) -> Any:
        """The result, as it is."""
        return result

    def compared(self, *_: Any, **__: Any) -> None:
        """Nothing is kept."""


class Trace:
    """Watches a check, and keeps its steps in order."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.equilibria: list[tuple[Game, Profile]] = []
        self.mended = False
        self.parts: Mapping[str, Sequence[Scope]] = {}
        self.conditions: dict[Region, tuple[tuple[str, ...], bool]] = {}
        self.amounts: dict[Region, tuple[Number, ...]] = {}

    def add(self, kind: str, *of: Any, where: Any = None, **more: Any) -> None:
        """Keep a step."""
        region = _proved_for(where)
        self.steps.append(Step(kind, of, region, mended=self.mended, **more))

    def compared(
        self,
        number: Any,
        relation: str,
        other: Any,
        asked: bool = True,
        fails_at: Mapping[str, Any] | None = None,
    ) -> None:
        """Keep what was proved for a whole region, if a check asked: not what a game or a function of the hand asks on its way."""
        if not asked_by_a_check():
            return
        if relation == "!=" and isinstance(other, int) and other == 0:  # asked of shares and terms that may be missing
            return
        kind = "fails" if fails_at else KINDS[relation]
        of = [other] if kind in ("equal", "differ") else [KINDS[relation]] if fails_at else []
        point = {symbol: str(value) for symbol, value in (fails_at or {}).items()}
        self.add(kind, number, *of, where=getattr(number, "region", None), asked=asked and not fails_at, point=point)

    def left_open(self) -> str:
        """A part of the statement that is told for a region which no steps cover; empty if there is none."""
        steps = (step.region for step in self.steps if step.asked and step.mended == self.mended)
        regions = [region for region in dict.fromkeys(steps) if region is not None]
        for part, scopes in self.parts.items():
            for told in filter(None, map(_proved_for, scopes)):
                if told not in regions and told.outside(regions) is not None:
                    return f"{part or 'the statement'}: no step is for {told}"
        return ""

    def computed(self, function: str, arguments: Mapping[str, Any], result: Any) -> Any:
        """Give what the engine computed its origin; keep profiles whose gains were computed."""
        if isinstance(arguments["game"], GameTree):
            return result
        if function in ("dominated_by", "remaining"):
            game, player, hand, *more = (tuple(a) if isinstance(a, list) else a for a in arguments.values())
            self.add("dominated" if function == "dominated_by" else "left", game, player, hand, *more, result)
            return result
        game, profile = as_played(arguments["game"], arguments["profile"])
        if profile.in_floats:
            return result
        player, against = arguments.get("player", 0), arguments.get("against")
        of, where = OfGame("value", game, profile, player, against=against), region_of(numbers_of(game, profile))
        match function:
            case "value":
                return traced(result, of, where)
            case "best_response":
                return BestResponse(player, traced(result.value, of._replace(what="best"), where), result.strategy)
            case "gains" | "nash_conv":
                self.add("nash", game, profile)
                with watched_by(None):
                    if bool((result if function == "nash_conv" else sum(result)) == 0):
                        self.equilibria.append((game, profile))
            case "falls_short" if result:
                self.add("short", game, profile, player, arguments["of"])
            case "reach_probs":
                return _by_hand(result, of._replace(what="reach", node=arguments["node"]), where)
            case "hand_values":
                return {
                    node: (
                        _by_hand(met, of._replace(what="met", node=node), where),
                        _by_hand(chips, of._replace(what="chips", node=node), where),
                    )
                    for node, (met, chips) in result.items()
                }
            case "action_values":
                return {
                    node: (
                        _by_hand(met, of._replace(what="met", node=node), where),
                        [
                            _by_hand(row, of._replace(what="chips", node=node, action=action), where)
                            for action, row in zip(game.tree.decisions[node].actions, chips, strict=True)
                        ],
                    )
                    for node, (met, chips) in result.items()
                }
        return result


KINDS = {"=": "equal", "!=": "differ", ">": "above", ">=": "at least"}


def _by_hand(function: Any, of: OfGame, where: Region | None) -> Any:
    if isinstance(function, Piecewise):
        pieces = [
            tuple(traced(c, of._replace(at=(left, k)), where) for k, c in enumerate(piece))
            for left, piece in zip(function.cuts, function.pieces, strict=False)
        ]
        return Piecewise(function.cuts, pieces)
    return np.array([traced(number, of._replace(at=(i,)), where) for i, number in enumerate(function)], object)


def decided(kind: str, *of: Any, **more: Any) -> None:
    """Keep a step, if a trace watches."""
    if isinstance(who := watcher(), Trace):
        who.add(kind, *of, **more)


def shows_wrong() -> None:
    """Say that the equilibrium, the gains or the plans that were just found show that the print is wrong."""
    if isinstance(who := watcher(), Trace) and who.steps and who.steps[-1].kind in ("nash", "left"):
        who.steps[-1] = replace(who.steps[-1], asked=False)


def mended() -> None:
    """Say that what follows is about the corrected statement."""
    if isinstance(who := watcher(), Trace):
        who.mended = True


def spelled_from(where: Region, conditions: Sequence[str]) -> None:
    """Return {condition: the same in named printed numbers} for these conditions of a region."""
    if isinstance(who := watcher(), Trace) and tuple(conditions) != where.conditions:
        who.conditions[where] = tuple(conditions), who.mended


def amount_to(where: Region, sizes: Sequence[Number]) -> None:
    """Say that these are whole numbers for all symbols of a region that stand for whole numbers."""
    if isinstance(who := watcher(), Trace):
        who.amounts[where] = tuple(size for size in sizes if isinstance(size, Symbolic))


def named(where: Region, names: Mapping[str, str]) -> Region:
    """Return the region; its certificate writes each condition that is a key of `names` as its value, in named printed numbers."""
    spelled_from(where, [names.get(condition, condition) for condition in where.conditions])
    return where


def found(parts: Mapping[str, Sequence[Scope]]) -> None:
    """Say for which parameters each part of the statement was decided."""
    if isinstance(who := watcher(), Trace):
        who.parts = parts
