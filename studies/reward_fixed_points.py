"""Where rewards stand still, exactly: `python -m studies.reward_fixed_points` writes docs/results/reward_fixed_points.jsonl.

A loss against a fixed equilibrium has many optima: the worst of them is a pure policy, as what a best response earns is convex in what it
responds to. The magnet's fixed points, as long as its average stays, are quantal response equilibria, whose digits are proved.
`python -m studies.rewards` puts the rows on its page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from relance.envs.catalogue import make
from relance.equilibria.logit_equilibria import quantal_response
from relance.model.game import Game
from relance.model.game_tree import TreeProfile, as_tree
from relance.model.numbers import fraction, show
from relance.model.strategy import Profile
from relance.play.coach import Coach
from relance.play.rewards import PULL
from relance.play.rules import rules
from relance.solvers.exact import best_response
from relance.solvers.tree_values import evaluate
from studies.rewards import FIXED, GAMES

MOVES = 10
"""How often the magnet's average moves to the fixed point."""


def free_actions(game: Game, seat: int) -> dict[str, list[list[int]]]:
    """By node and hand of a seat, the places of the actions that lose nothing against an equilibrium."""
    coach, table = Coach(game, seat), game.tree.table
    return {
        name: [
            [place for place, action in enumerate(table.legal_ids[index]) if coach.loss(index, hand, int(action)) == 0]
            for hand in range(game.deal.size(seat))
        ]
        for name in game.tree.of(seat)
        for index in [table.names.index(name)]
    }


def worst_without_loss(game: Game) -> tuple[Profile, Fraction]:
    """A pure profile that loses nothing against an equilibrium and has the largest NashConv of all that do not, with this NashConv."""
    plan: dict[str, Any] = {}
    total = Fraction(0)
    for seat in (0, 1):
        free = free_actions(game, seat)
        places = [(name, hand) for name, hands in free.items() for hand in range(len(hands))]
        best: tuple[Fraction, dict[str, Any]] | None = None
        for chosen in product(*(free[name][hand] for name, hand in places)):
            taken = dict(zip(places, chosen, strict=True))
            mine = {
                name: {
                    action: [Fraction(int(taken[name, hand] == place)) for hand in range(len(free[name]))]
                    for place, action in enumerate(game.tree.decisions[name].actions)
                }
                for name in free
            }
            played = game.uniform().replace(game.profile({**_uniform(game, 1 - seat), **mine}).strategies[seat])
            earned = fraction(best_response(game, played, 1 - seat).value)
            if best is None or earned > best[0]:
                best = earned, mine
        assert best is not None
        total += best[0]
        plan |= best[1]
    return game.profile(plan), total


def _uniform(game: Game, seat: int) -> dict[str, Any]:
    return {
        name: {action: np.full(game.deal.size(seat), 1.0) / len(node.actions) for action in node.actions}
        for name, node in game.tree.decisions.items()
        if node.player == seat
    }


def magnets(game: Game, moves: int = MOVES) -> Iterator[TreeProfile]:
    """The magnet's fixed point while its average is uniform play, then while it is that point, and so on."""
    tree = as_tree(game)
    temperature = fraction(Fraction(str(PULL)) * Fraction(max(rules(game).worst)))
    at: Any = "uniform"
    for _ in range(moves + 1):
        at = quantal_response(tree, temperature, "agent", magnet=at).profile()
        yield at


def rows() -> Iterator[dict[str, Any]]:
    """A row for each game and kind of fixed point."""
    for text in GAMES:
        game = make(text)
        worst = worst_without_loss(game)[1]
        yield {"game": text, "point": "loss", "nash_conv": round(float(worst), 5), "exact": show(worst)}
        for moved, profile in enumerate(magnets(game)):
            found = evaluate(as_tree(game), profile).nash_conv
            yield {"game": text, "point": "magnet", "moved": moved, "nash_conv": round(float(found), 5)}


def main(path: Path = FIXED) -> None:
    """Write the rows."""
    with path.open("w") as file:
        for row in rows():
            print(json.dumps(row), file=file, flush=True)


if __name__ == "__main__":
    main()
