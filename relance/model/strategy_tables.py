"""Strategies as tables by information set, as users, files and OpenSpiel hold them; read in one way for all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeGuard

import numpy as np

from relance.model.game import Game
from relance.model.numbers import MOST_DENOMINATOR, did_you_mean, number_or_none, probabilities_meant, short
from relance.model.strategy import FLOAT_TOLERANCE, Profile

MOST_UNTOLD = 10_000
"""At most this many information sets per entry of a table: a table may leave out hands that are never dealt."""


def is_table(given: object) -> TypeGuard[Mapping[str, Any]]:
    """Return True for {information set: distribution}; False for a mixture {agent: weight}, whose values are numbers."""
    return isinstance(given, Mapping) and all(
        isinstance(distribution, (Mapping, list, tuple, np.ndarray)) for distribution in given.values()
    )


def solution_of(given: Any) -> Any:
    """Return the average strategy, if `given` is a solver of Relance or OpenSpiel; any other object is returned as it is."""
    for average in ("average_policy", "average"):
        if callable(getattr(given, average, None)) and not isinstance(given, np.ndarray):
            return getattr(given, average)()
    return given


def read_distribution(
    where: str, actions: Sequence[str], given: Any, numbers: Sequence[int] | None = None, as_written: bool = False
) -> dict[str, Any]:
    """Read a distribution in any form as {action: exact probability}; `probabilities_meant` says how floats are read.

    Args:
        where: the place, for messages.
        actions: the legal actions.
        given: {action or its number: probability}, where actions that are left out have probability 0; or the probabilities in order.
        numbers: the number of each action in a framework such as OpenSpiel; by default its index in `actions`.
        as_written: return numbers that sum to 1 as they are, floats included.

    Raises:
        ValueError: an action is not legal, or the numbers are no probabilities.
        TypeError: `given` is neither a mapping nor a sequence.
    """
    if isinstance(given, str) or not isinstance(given, (Mapping, Sequence, np.ndarray)):
        raise TypeError(f"{where} needs {{action: probability}}, or probabilities in action order, not {short(given)}")
    places = range(len(actions)) if numbers is None else numbers
    if isinstance(given, Mapping):
        by_number: dict[int | None, str] = dict(zip(places, actions, strict=True))
        told = {}
        for name, p in given.items():
            action = name if name in actions else by_number.get(number_or_none(name))
            if action is None:
                raise ValueError(f"{where} has no action {short(name)}" + did_you_mean(str(name), actions))
            told[action] = p
    else:
        row = list(given)
        if len(row) != len(actions):  # of all actions of the game, as OpenSpiel's tables are
            places_of = dict(zip(places, actions, strict=True))
            if len(row) <= max(places) or any(p for i, p in enumerate(row) if i not in places_of):
                raise ValueError(
                    f"{where} has {len(actions)} actions, {', '.join(actions)}, but {len(row)} probabilities in the table, {short(row)}"
                )
            row = [row[place] for place in places]
        told = dict(zip(actions, row, strict=True))
    distribution = {action: told.get(action, 0) for action in actions}
    total = sum(distribution.values()) if as_written else 0
    if as_written and (abs(total - 1) <= FLOAT_TOLERANCE if isinstance(total, float) else total == 1):
        return distribution
    return probabilities_meant(where, distribution)


def profile_of_table(game: Game, table: Mapping[str, Any], as_written: bool = False) -> Profile:
    """The profile of a table {name from `Game.information_set`: distribution} of a game with finitely many hands.

    Floats that mean simple fractions become exact, others make a profile in floats; `as_written` leaves numbers that sum to 1 unchanged.

    Raises:
        ValueError: an information set or action is unknown, a hand that can be dealt is missing, or numbers are no probabilities.
    """
    deal, left, rough = game.finite_deal(), set(table), False
    sets = sum(deal.size(at.player) for at in game.tree.decisions.values())
    if sets > MOST_UNTOLD * (1 + len(table)):  # at once: the game that a file names may be a stranger's
        raise ValueError(
            f"the table has {len(table):,} of the {sets:,} information sets of {game}, too few; add the others, except those of hands "
            "that are never dealt"
        )
    plan: dict[str, dict[str, Any]] = {}
    for node, at in game.tree.decisions.items():
        rows = np.empty((len(at.actions), deal.size(at.player)), object)
        dealt = deal.in_case(game.tree.cases[node]).prior(at.player)
        for hand in range(rows.shape[1]):
            here = game.information_set(node, hand)
            left.discard(here)
            if here not in table:
                if dealt[hand]:
                    raise ValueError(
                        f"the table says nothing of information set {here!r} of player {at.player} in {game}"
                    )
                rows[:, hand] = Fraction(1, len(at.actions))  # what is never dealt
                continue
            distribution = read_distribution(
                repr(here), at.actions, table[here], [game.action_id(a) for a in at.actions], as_written
            )
            rows[:, hand] = [*distribution.values()]
            if has_floats(table[here]):
                rough |= as_written or any(p.denominator > MOST_DENOMINATOR for p in distribution.values())
        plan[node] = dict(zip(at.actions, rows, strict=True))
    if left:
        known = [
            game.information_set(node, h)
            for node, at in game.tree.decisions.items()
            for h in range(deal.size(at.player))
        ]
        raise ValueError(
            f"{game} has no information set {short(min(left, key=str))}" + did_you_mean(str(min(left, key=str)), known)
        )
    if rough:
        plan = {node: {action: row.astype(float) for action, row in rows.items()} for node, rows in plan.items()}
    return game.profile(plan)


def has_floats(distribution: Any) -> bool:
    """Return True if a distribution holds floats of any kind."""
    return any(
        isinstance(p, (float, np.floating)) or hasattr(p, "dtype")
        for p in (distribution.values() if isinstance(distribution, Mapping) else distribution)
    )
