"""The price of exploiting with hands on [0, 1]: a curve that strategies reach, and one that no strategy exceeds, both exact.

The frontier of the game on cells gives strategies for both curves. The player's strategies are played on [0, 1], and best responses there
say what these guarantee. The opponent's strategies are mixed with the known strategy; a best response then bounds every strategy on [0, 1].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from relance.equilibria.restricted_responses import frontier
from relance.model.arguments import Count, Seat, checked
from relance.model.game import Game, as_game
from relance.model.game_tree import TreeProfile
from relance.model.numbers import Number, fraction, short
from relance.model.strategy import Profile, Strategy
from relance.play.agents import strategy
from relance.play.mixture import mixed_strategy
from relance.play.opponents import Player
from relance.solvers.exact import best_response, value


@dataclass(frozen=True)
class FrontierBounds:
    """Bounds, in chips, on the most that a player can earn against a known opponent, as a function of what the player guarantees.

    Attributes:
        reached: (guaranteed against anybody, earned against the known opponent) for each strategy found, the most guaranteed first.
        limits: (p, most): for every strategy, (1 - p) times what it guarantees plus p times what it earns is at most `most`.
    """

    reached: Sequence[tuple[Number, Number]]
    limits: Sequence[tuple[Number, Number]]

    def at_least(self, guaranteed: Number) -> Number:
        """Return the most that a mixture of the strategies found earns against the known opponent, if it guarantees `guaranteed` chips.

        Raises:
            ValueError: no strategy found guarantees so much.
        """
        wanted = fraction(guaranteed, "guaranteed")
        if wanted > self.reached[0][0]:
            raise ValueError(f"guaranteed={wanted}: the strategies found guarantee at most {self.reached[0][0]}")
        for (high, less), (low, more) in pairwise(self.reached):
            if wanted >= low:
                return less + (more - less) * (high - wanted) / (high - low)
        return self.reached[-1][1]

    def at_most(self, guaranteed: Number) -> Number:
        """Return an upper bound on what a strategy that guarantees `guaranteed` chips against anybody earns against the known opponent."""
        wanted = fraction(guaranteed, "guaranteed")
        return min((most - (1 - p) * wanted) / p for p, most in self.limits if p)


@checked
def frontier_on_interval(game: Game | str, player: Seat, opponent: Player, cells: Count) -> FrontierBounds:
    """Return bounds on the most that a player can earn against a known opponent, with hands on [0, 1].

    Args:
        game: a `Game` with hands on [0, 1], or its name.
        player: 0 or 1, the player who exploits.
        opponent: a profile on [0, 1], or the name of an opponent such as "uniform".
        cells: the number of equal cells of [0, 1] for which strategies are computed; more cells bring the two bounds together.

    Raises:
        ValueError: hands are finite, or the game on cells is too large for an exact solution.
    """
    whole = as_game(game)
    if whole.deal.is_finite:
        raise ValueError(f"{short(str(whole))} has finitely many hands; use the exact relance.equilibria.frontier")
    grid, other = whole.grid(cells), 1 - player
    known = strategy(whole, opponent, other)
    uniform = whole.uniform()
    found = frontier(grid, player, grid.together(*grid.uniform().replace(grid.fit_strategy(known)).strategies))

    def on_interval(profile: TreeProfile, seat: int) -> Strategy:
        return grid.strategy_on_interval(_of_tree(grid, profile).strategies[seat])

    points = set()
    for point in found.points:
        played = uniform.replace(on_interval(point.profile, player)).replace(known)
        chips = value(whole, played)
        points.add((-best_response(whole, played, other).value, -chips if player else chips))
    limits = []
    for p, against in ((fraction(0), found.holds), *((piece.p, piece.against) for piece in found.pieces)):
        mixed = mixed_strategy(whole, [known, on_interval(against, other)], [p, 1 - p])
        limits.append((p, best_response(whole, uniform.replace(mixed), player).value))
    limits.append((fraction(1), best_response(whole, uniform.replace(known), player).value))
    return FrontierBounds(_upper(points), limits)


def _of_tree(grid: Game, profile: TreeProfile) -> Profile:
    """A profile of the tree of a game as one of the game."""
    labels = grid.finite_deal().labels
    return grid.profile(
        {
            name: {
                action: [profile[f"{label} {name}".strip()][action] for label in labels[node.player]]
                for action in node.actions
            }
            for name, node in grid.tree.decisions.items()
        }
    )


def _upper(points: set[tuple[Number, Number]]) -> list[tuple[Number, Number]]:
    """The corners of the concave curve above these points, from the most guaranteed to the most earned."""
    curve: list[tuple[Number, Number]] = []
    for g, e in sorted(points, key=lambda point: (-point[0], -point[1])):
        if curve and e <= curve[-1][1]:
            continue
        while len(curve) > 1:
            (g0, e0), (g1, e1) = curve[-2:]
            if (e1 - e0) * (g0 - g) > (e - e0) * (g0 - g1):
                break
            curve.pop()
        curve.append((g, e))
    return curve
