"""The same game in other words: new names, units and order, so that memory of a famous game should not help.

A renamed game changes no rule: chips are told in other units, numbers on another scale, and actions, hands and players have other names.
Answers are read back into the game's own names, so every score is of the game itself and comparable between renamed games.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import lcm

import numpy as np

from relance.model.arguments import NaturalNumber, checked
from relance.model.game import Game, as_game
from relance.model.numbers import exact
from relance.play.wording import Wording

SEATS = ("North", "South", "East", "West", "Left", "Right", "Up", "Down")
ACTIONS = (
    *("ash", "birch", "cedar", "elm", "fir", "hazel", "juniper"),
    *("larch", "maple", "oak", "pine", "rowan", "willow", "yew"),
)
HANDS = (
    *("amber", "basalt", "chalk", "coral", "flint", "garnet", "granite", "jade", "jasper", "lapis", "marble", "onyx"),
    *("opal", "pearl", "quartz", "ruby", "slate", "topaz"),
)
"""If a game has more hands than names here, its hands keep their own names."""

UNITS = ("bead", "coin", "point", "shell", "token")
SCALES = (3, 5, 7, 9, 11, 13, 15, 17, 20, 30, 35, 45)
TOPS = (10, 20, 50, 100, 200, 500, 1000)


@checked
def renamed_wording(game: Game | str, seed: NaturalNumber) -> Wording:
    """Return random names for the actions, hands and units of a game; the same seed gives the same names.

    Args:
        game: the game. Real cards keep their names, since the rules go by their ranks; so do hands and actions named in the rules.
        seed: a whole number, at least 0.

    Raises:
        ValueError: the game has more actions to rename than there are new names for actions.
    """
    game, number = as_game(game), int(seed)
    kept = _told(game)
    renamed = [action for action in game.actions if action not in kept]
    if len(renamed) > len(ACTIONS):
        raise ValueError(
            f"{game} has {len(renamed)} actions to rename, but there are only {len(ACTIONS)} new names for actions"
        )
    rng = np.random.default_rng([number, 19])
    labels = [] if game.deal.on_interval or game.deal.showing else game.finite_deal().labels
    hands = list(dict.fromkeys(label for side in labels for label in side if label not in kept))
    hands *= len(hands) <= len(HANDS)
    listed = [renamed[place] for place in rng.permutation(len(renamed))]
    chips = [exact(chips) for leaf in game.tree.leaves.values() for chips in (leaf.constant, leaf.stake)]
    first, second = rng.choice(SEATS, 2, replace=False).tolist()
    return Wording(
        name=f"renamed game {number}",
        seats=(first, second),
        actions=dict(zip(listed, rng.choice(ACTIONS, len(listed), replace=False).tolist(), strict=True)),
        hands=dict(zip(hands, rng.choice(HANDS, len(hands), replace=False).tolist(), strict=True)),
        unit=str(rng.choice(UNITS)),
        chips=int(rng.choice(SCALES)) * lcm(*(amount.denominator for amount in chips if isinstance(amount, Fraction))),
        top=int(rng.choice(TOPS)),
        turned=bool(rng.integers(2)),
    )


def _told(game: Game) -> set[str]:
    """The hands and actions that the deal's words, an event or a contest name."""
    leaves = game.tree.leaves.values()
    said = " ".join([game.deal.words, *game.tree.events, *(leaf.contest for leaf in leaves)])
    labels = game.finite_deal().labels if game.deal.is_finite else ((), ())
    names = {*game.actions, *labels[0], *labels[1]}
    return {name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)}
