"""Records what a check computes and proves; certificates are written from this record.

While a `Trace` is the current watcher (see `relance.solvers.watcher`), the exact numbers of a check remember where they come from. Each
fact that is proved of numbers, profiles and functions of the hand is recorded as a `Step`.
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
    """Yield `deal`, and all deals in its `events` and `contests`: those after public events, and those for other rules of showdowns."""
    yield deal
    for distribution in (*deal.events.values(), *deal.contests.values()):
        yield from distributions_of(distribution)


def numbers_of(game: Game, profile: Profile) -> Iterator[Number]:
    """All numbers in a game and a profile: payoffs, probabilities, and cuts of [0, 1]."""
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
    """The region of the first symbolic number among `numbers`; None if no number is symbolic."""
    return _proved_for(next((number.region for number in numbers if isinstance(number, Symbolic)), None))


def _proved_for(where: object) -> Region | None:
    from relance.claims.proof import Region

    return where if isinstance(where, Region) else None


def terminal(game: Game, profile: Profile, path: str, edge: Number) -> Number:
    """Return player 0's chips at the terminal node `path`; `edge` is the probability of winning the showdown minus that of losing it."""
    leaf = game.tree.leaves[path]
    number: Number = traced(leaf.constant + leaf.stake * edge, OfGame("terminal", game, profile, 0, path, at=(edge,)))
    return number


def taken(game: Game, profile: Profile, node: str, action: str, hand: int) -> Number:
    """Return the probability of `action` at `node` with the hand of index `hand`, of finitely many hands."""
    player = game.tree.decisions[node].player
    number: Number = traced(
        profile.row(node, action)[hand], OfGame("taken", game, profile, player, node, action, (hand,))
    )
    return number


def dealt(game: Game, profile: Profile, first: int, second: int) -> Number:
    """Return the probability of the hands with index `first` for player 0 and `second` for player 1."""
    chance = game.finite_deal().joint()[first, second]
    number: Number = traced(chance, OfGame("dealt", game, profile, 0, at=(first, second)))
    return number


def possible_moves(game: Game) -> dict[str, tuple[int, list[str]]]:
    """Return {node: (player who acts, names of the actions)} for all decision nodes of a game."""
    found = {name: (node.player, [*node.actions]) for name, node in game.tree.decisions.items()}
    decided("moves", game, {name: [*move] for name, move in found.items()})
    return found


def printed(name: str, text: str, number: Number, known: Mapping[str, Number]) -> Number:
    """Return the number as one that remembers its printed `name`, its formula `text`, and the values of the symbols in the formula."""
    if watcher() is None:
        return number
    used = {symbol: known[symbol] for symbol in names_in(text) if symbol in known}
    plain: Number = traced(number, PrintedNumber(name, text, used))
    return plain


@dataclass(frozen=True)
class Step:
    """A fact that a check decided, as recorded for its certificate.

    Attributes:
        kind: what the fact says. "equal", "differ": two numbers are equal, or differ. "rounds": one number, rounded, is another. "above",
            "at least": a number is > 0, or >= 0. "fails": one of these two is false of a number at `point`. "nash": the most that each
            player can gain by deviating from a profile. "short": a player earns less than an amount. "signs": the sign of a function of the
            hand between two hands. "rises": a function of the hand never falls, and rises between two hands. "moves": who acts at each
            node, with which actions. "left": which pure plans a player has with a hand if some actions are ruled out. "dominated": whether
            a plan is weakly dominated. Functions of `relance.claims.schemes` check the rest. "higher": whatever the opponent does, the gain
            of an action over another never falls as the hand rises. "better": whatever the opponent does, this gain is never below 0.
            "induction": relations hold after each step of a process. "root": a function of a symbol is 0 somewhere. "product":
            g(t1)*...*g(tn) is greatest where all t are equal. "whole": all whole numbers in a region satisfy one of several lists of
            conditions.
        of: the objects that the fact is about, such as a game and a profile.
        where: the region for which the fact was decided; None for a single game or point.
        name: the name of the printed number that was compared.
        mended: whether the fact is about the correction of a statement that is false as printed.
        point: where the numbers differ, or the comparison fails.
        asked: True if the statement needs the fact; False if the statement needs the opposite, so that the fact shows it to be wrong.
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
        """The region for which the fact was decided: the region of the symbolic numbers in `of`, or `where` if no number is symbolic."""
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
    """A watcher that records nothing; while it watches, computed numbers remember where they come from."""

    def computed(self, function: str, arguments: Mapping[str, Any], result: Any) -> Any:
        """Return `result`, which the solver's function called `function` returned, unchanged."""
        return result

    def compared(self, *_: Any, **__: Any) -> None:
        """Record nothing about a comparison."""


class Trace:
    """A watcher of a check that records the facts which the check decides, as `steps` in order."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.equilibria: list[tuple[Game, Profile]] = []
        self.mended = False
        self.parts: Mapping[str, Sequence[Scope]] = {}
        self.conditions: dict[Region, tuple[tuple[str, ...], bool]] = {}
        self.amounts: dict[Region, tuple[Number, ...]] = {}

    def add(self, kind: str, *of: Any, where: Any = None, **more: Any) -> None:
        """Record a `Step`: a fact of this kind about the objects `of`, decided for `where` if that is a region; `more` are attributes."""
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
        """Record a comparison that a check made: `number` > `other`, or =, != or >=. Comparisons made by games and solvers are left out.

        Without `fails_at` the comparison is true; else false at this point. `asked` is False if the check asked whether the opposite holds.
        """
        if not asked_by_a_check():
            return
        if relation == "!=" and isinstance(other, int) and other == 0:  # asked of shares and terms that may be missing
            return
        kind = "fails" if fails_at else KINDS[relation]
        of = [other] if kind in ("equal", "differ") else [KINDS[relation]] if fails_at else []
        point = {symbol: str(value) for symbol, value in (fails_at or {}).items()}
        self.add(kind, number, *of, where=getattr(number, "region", None), asked=asked and not fails_at, point=point)

    def left_open(self) -> str:
        """A part of the statement, as text, whose region is not covered by recorded steps; empty if there is none."""
        steps = (step.region for step in self.steps if step.asked and step.mended == self.mended)
        regions = [region for region in dict.fromkeys(steps) if region is not None]
        for part, scopes in self.parts.items():
            for told in filter(None, map(_proved_for, scopes)):
                if told not in regions and told.outside(regions) is not None:
                    return f"{part or 'the statement'}: no step is for {told}"
        return ""

    def computed(self, function: str, arguments: Mapping[str, Any], result: Any) -> Any:
        """Return what a solver's function computed, with numbers that remember the game and the profile that they come from.

        Steps of the kinds "nash", "short", "dominated" and "left" are recorded, if the function computed such a fact; see `Step`.
        """
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
    """Record a fact of this kind about the objects `of` in the current watcher, if that is a `Trace`; `more` is as for `Trace.add`."""
    if isinstance(who := watcher(), Trace):
        who.add(kind, *of, **more)


def shows_wrong() -> None:
    """Mark the last recorded step, a "nash" or "left" as `Step` lists them, as proof that a printed statement is wrong: not `asked`."""
    if isinstance(who := watcher(), Trace) and who.steps and who.steps[-1].kind in ("nash", "left"):
        who.steps[-1] = replace(who.steps[-1], asked=False)


def mended() -> None:
    """Tell the current watcher, if it is a `Trace`, that facts from now on are about the corrected statement."""
    if isinstance(who := watcher(), Trace):
        who.mended = True


def spelled_from(where: Region, conditions: Sequence[str]) -> None:
    """Record that certificates write the conditions of the region `where` as `conditions`, where printed numbers may stand by name."""
    if isinstance(who := watcher(), Trace) and tuple(conditions) != where.conditions:
        who.conditions[where] = tuple(conditions), who.mended


def amount_to(where: Region, sizes: Sequence[Number]) -> None:
    """Record that each of `sizes`, such as numbers of cards, is whole at all points of `where` whose coordinates are whole."""
    if isinstance(who := watcher(), Trace):
        who.amounts[where] = tuple(size for size in sizes if isinstance(size, Symbolic))


def named(where: Region, names: Mapping[str, str]) -> Region:
    """Return the region `where`, and record that certificates show some of its conditions as other, equivalent formulas.

    `names` is {condition of the region: formula to show}. Such a formula may name printed numbers; see `spelled_from`.
    """
    spelled_from(where, [names.get(condition, condition) for condition in where.conditions])
    return where


def found(parts: Mapping[str, Sequence[Scope]]) -> None:
    """Tell the current watcher, if it is a `Trace`, {part of the statement: the regions, games or points for which it was decided}."""
    if isinstance(who := watcher(), Trace):
        who.parts = parts
