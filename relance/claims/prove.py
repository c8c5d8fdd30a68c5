"""Proofs of one's own: whether a plan is an equilibrium, for all parameters of a region."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from relance.claims.checks import by_parts, nash
from relance.claims.finding import At, Finding, spot
from relance.claims.proof import Region
from relance.claims.symbolic import Symbolic
from relance.claims.trace import Trace
from relance.equilibria.tree_certificates import tree_certificate
from relance.model.arguments import PathName, checked
from relance.model.files import check_writable, write_text
from relance.model.game import Game, as_game, as_profile, build
from relance.model.game_tree import GameTree
from relance.model.numbers import DependsOnParametersError, Number, exact
from relance.model.piecewise import Piecewise
from relance.model.strategy import NotProbabilitiesError, Plan, Profile
from relance.solvers.tree_values import evaluate
from relance.solvers.watcher import watched_by


@checked
def prove(
    game: Game | GameTree | str,
    plan: object,
    where: Region | None = None,
    value: Number | None = None,
    certificate: PathName | None = None,
) -> Finding:
    """Decide whether a plan is a Nash equilibrium of a game, for all parameters of a region.

    Args:
        game: a game whose parameters are numbers or contain symbols of the region; or a game tree, without symbols.
        plan: {node: {action: probabilities}} as for `game.profile`, with numbers, symbols and formulas of these; or a profile, or
            whatever `relance.score` takes, such as "published" or a table by information set.
        where: the region of the symbols, see `relance.region`; None if there are no symbols.
        value: the expected chips of player 0 with the plan, if these are to be decided too.
        certificate: a file, such as "mine.json", for the certificate of the proof, which `tools/check_certificates.py` re-verifies, or for
            a game tree `tools/check_game_trees.py`. It is written only if the plan is an equilibrium.

    Returns:
        A finding: whether the plan is an equilibrium (`holds`), by which `method` ("proved" for a region, "exact" for numbers), the
        `evidence`, and for a plan that is no equilibrium a `point` of the region where a player can gain, if one is found.

    Raises:
        ValueError: a node or an action is unknown or missing, a name given as `plan` is unknown, or `plan` is no profile of the game.
        TypeError: an argument is of the wrong kind.
        UndecidedError: the prover gives up on a comparison, also after the region was cut into parts; an ArithmeticError.
        FileError: the certificate cannot be written; this is found out before the proof.
    """
    if certificate is not None:
        check_writable(Path(certificate))
    if isinstance(game, GameTree):
        found = _tree_nash(game, plan, where, value)
        if found.holds and certificate is not None:
            _write_data(Path(certificate), tree_certificate(game, plan))
        return found
    game, value = as_game(game), None if value is None else exact(value, "value")
    if isinstance(plan, Profile):
        plan = plan.plan()
    for_the_prover = (NotProbabilitiesError, DependsOnParametersError) if where else ()
    with suppress(*for_the_prover):  # any other error is one of the plan
        game.profile(_plan(game, plan))
    with watched_by(trace := Trace()):
        found = nash(game, _plan(game, plan), worth=value) if where is None else _over(where, game, plan, value)
    if found.holds and certificate is not None:
        _write(Path(certificate), game, found, trace, where)
    return found


def _over(where: Region, game: Game, plan: object, value: Number | None) -> Finding:
    """Decide over a region; the finding is one of the whole."""

    def decided(place: Mapping[str, Any], part: Region | None = None) -> Finding:
        try:
            there, played, worth = (game, plan, value) if part is where else _in(place, game, plan, value)
        except ValueError as error:  # a function of the hand leaves [0, 1] there
            return Finding(False, f"not a profile: {error}", (spot(place) if part is None else part,))
        return nash(there, _plan(there, played), part, worth)

    found = by_parts(where, decided)
    return replace(found, where=(where,), parts={"": found.where}) if found.holds else found


def _plan(game: Game, plan: object) -> Plan:
    """A plan by node as it is; else what `as_profile` reads."""
    if isinstance(plan, Mapping) and set(plan) <= set(game.tree.decisions):
        return plan
    return as_profile(game, plan).plan()


def _in(place: Mapping[str, Any], game: Game, plan: object, value: Number | None) -> tuple[Game, object, Number | None]:
    """A game, a plan and its value at a point, or in a part of the region."""
    there = build(game.blueprint, **_at(game.parameters, place))
    there = there if game.cuts is None else there.cut(_at(game.cuts, place))
    return there, _at(plan, place), _at(value, place)


def _write(file: Path, game: Game, found: Finding, trace: Trace, where: Region | None) -> None:
    """Write the certificate of a plan that is an equilibrium."""
    from relance.claims.certificates import certificate as written

    trace.parts = found.cases
    domain = () if where is None else where.conditions
    data = written(file.stem, f"The plan is a Nash equilibrium of {game}.", trace, domain, found.method)
    _write_data(file, data)


def _write_data(file: Path, data: Mapping[str, Any]) -> None:
    write_text(file, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def _tree_nash(tree: GameTree, table: object, where: Region | None, value: Number | None) -> Finding:
    """Check that a profile of a game tree is a Nash equilibrium, with this value to player 0 if it is given."""
    if where is not None:
        raise ValueError(f"{tree} is a game tree, which has no symbols: leave out where={where}")
    found = evaluate(tree, table)
    if value is not None and found.values[0] != exact(value, "value"):
        return Finding(False, f"the value is {found.values[0]}, not {value}", (At(tree),))
    wrong = {player: gain for player, gain in enumerate(found.gains) if gain}
    text = "; ".join(f"player {player} can gain {gain}" for player, gain in wrong.items())
    return Finding(not wrong, text or f"NashConv 0, value {found.values[0]}", (At(tree),))


def _at(item: Any, point: Mapping[str, Fraction]) -> Any:
    """An object that may hold symbols, with their values at a point put in."""
    match item:
        case Symbolic():
            return item.at(point)
        case Mapping():
            return {key: _at(value, point) for key, value in item.items()}
        case list() | tuple():
            return type(item)(_at(value, point) for value in item)
        case np.ndarray():
            return [_at(value, point) for value in item]
        case Piecewise():
            spans = zip(item.cuts, item.cuts[1:], item.values(), strict=False)
            return Piecewise.steps([_at(span, point) for span in spans])
    return item
