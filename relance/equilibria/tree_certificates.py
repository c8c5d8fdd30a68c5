"""Certificates for profiles of game trees: the game, the profile, its values and the values of best responses, as plain data.

`tools/check_game_trees.py`, which shares no code with Relance, re-verifies them independently.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from relance.model.arguments import checked
from relance.model.game_tree import GameTree
from relance.model.numbers import Number, fraction
from relance.registration.efg_file import write_efg
from relance.solvers.tree_values import as_tree_profile, evaluate


@checked
def tree_certificate(tree: GameTree, profile: Any, at_most: Number | None = None) -> dict[str, Any]:
    """Return a certificate, as plain data, that the NashConv of a profile is at most `at_most`; by default that is its NashConv.

    Returns:
        {"title", "game": the text of a Gambit file, "profile": {information set: {action: probability}}, "values" and "best_responses" of
        the players, "nash_conv_at_most"}; numbers are texts.

    Raises:
        ValueError: the profile does not fit the tree, or its NashConv is larger than `at_most`.
    """
    played = as_tree_profile(tree, profile)
    found = evaluate(tree, played)
    bound: Fraction = found.nash_conv if at_most is None else fraction(at_most, "at_most")
    if found.nash_conv > bound:
        raise ValueError(f"at_most={bound} is false: the profile's NashConv is {found.nash_conv}")
    return {
        "title": tree.title,
        "game": write_efg(tree),
        "profile": played.texts(),
        "values": [str(v) for v in found.values],
        "best_responses": [str(b) for b in found.best],
        "nash_conv_at_most": str(bound),
    }
