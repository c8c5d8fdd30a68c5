"""Pieces that checks are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from relance.claims.ledger import Finding, Method, Numbers
from relance.model.game import Game
from relance.model.numbers import Number, show
from relance.model.piecewise import Piecewise
from relance.model.strategy import Plan, Profile
from relance.solve.exact import action_values, best_response, value
from relance.solve.proof import DependsOnParametersError, Region, Symbolic


def equal(found: Mapping[str, Number], numbers: Mapping[str, Number], method: Method = "exact", domain: str = "") -> Finding:
    """Whether each printed number is the one found; the evidence names those that differ, or lists all."""
    wrong = [f"{name} is {show(found[name])}, not {show(number)}" for name, number in numbers.items() if found[name] != number]
    return Finding(not wrong, "; ".join(wrong) or ", ".join(f"{name} = {show(found[name])}" for name in numbers), method, domain)


def nash(game: Game, plan: Plan, region: Region | None = None, worth: Number | None = None) -> Finding:
    """Whether the plan is a Nash equilibrium of the game, of value `worth` (to player 0) if that is given."""
    method: Method = "proved" if region else "exact"
    domain = str(region) if region else str(game)
    try:
        profile = game.profile(plan)
        gains = [best_response(game, profile, player).value for player in (0, 1)]
        mine = value(game, profile)
        gains = [gains[0] - mine, gains[1] + mine]
    except DependsOnParametersError as error:
        return Finding(False, f"not a profile, or not optimal, for all parameters: {error}", method, domain)
    except ValueError as error:
        return Finding(False, str(error), method, domain)
    parts = [f"player {player} can gain {show(gain)}{_example(gain)}" for player, gain in enumerate(gains) if gain != 0]
    if worth is not None and mine != worth:
        parts.append(f"the value is {show(mine)}, not {show(worth)}{_example(mine - worth)}")
    return Finding(not parts, "; ".join(parts) or f"NashConv 0, value {show(mine)}", method, domain)


def _example(gain: Number) -> str:
    if not isinstance(gain, Symbolic):
        return ""
    top = gain.element.numer * (1 if gain.element.denom.LC > 0 else -1)
    point = gain.region.witness(top, ">") or gain.region.witness(-top, ">")
    return f" (for instance {show(gain.at(point))} at {', '.join(f'{k}={v}' for k, v in point.items())})" if point else ""


def true_for(region: Region, statement: Callable[[], bool], evidence: str) -> Finding:
    """A statement proved for all parameters of a region; false or changing with the parameters is a refutation."""
    try:
        holds = statement()
        return Finding(holds, evidence if holds else f"not so: {evidence}", "proved", str(region))
    except DependsOnParametersError as error:
        return Finding(False, str(error), "proved", str(region))


def advantage(game: Game, profile: Profile, node: str, action: str, over: str) -> Piecewise:
    """Chips by which `action` beats `over` at `node`, hand by hand, weighted by reach; on [0, 1]."""
    owner = game.tree.decisions[node]
    _, chips = action_values(game, profile, owner.player)[node]
    found = chips[owner.actions.index(action)] - chips[owner.actions.index(over)]
    assert isinstance(found, Piecewise)
    return found


def sign_inside(f: Piecewise, left: Number, right: Number) -> int | None:
    """+1 or -1 if the piecewise linear `f` has that sign strictly inside (left, right), 0 if it vanishes there, else None."""
    signs = set()
    for a, b, p in zip(f.cuts, f.cuts[1:], f.pieces, strict=False):
        if not (left <= a and b <= right):
            continue
        if not p:
            signs.add(0)
            continue
        if len(p) > 2:
            raise ValueError("not piecewise linear")
        ends = [p[0] + (p[1] * x if len(p) == 2 else 0) for x in (a, b)]
        if all(end >= 0 for end in ends):
            signs.add(1)
        elif all(end <= 0 for end in ends):
            signs.add(-1)
        else:
            return None
    return signs.pop() if len(signs) == 1 else None


def increasing(f: Piecewise) -> bool:
    """Whether a piecewise linear function never falls, jumps included."""
    for i, (right, p) in enumerate(zip(f.cuts[1:], f.pieces, strict=True)):
        if len(p) == 2 and not p[1] >= 0:
            return False
        if i + 1 < len(f.pieces):
            here, there = (sum((c * right**k for k, c in enumerate(q)), Fraction(0)) for q in (p, f.pieces[i + 1]))
            if not there - here >= 0:
                return False
    return True


def chances_of(texts: Mapping[str, str], **letters: Any) -> dict[str, Number]:
    """Evaluate printed formulas with these letters."""
    return Numbers(texts).at(**letters)
