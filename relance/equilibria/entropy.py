"""The optimal strategy of greatest entropy, with certified digits: the limit of learners with a bonus for entropy as the bonus falls to 0.

The entropy of a strategy is the sum over the player's information sets of the probability that the player's own actions lead there,
times the entropy of the distribution there, in nats (the dilated entropy of Hoda et al. 2010 with all weights 1, as in the quantal response
equilibria of kind "normal"). This sum is strictly concave in the realization weights, and its slope is infinite where a weight that may be
positive is 0. So the maximum over the set of optimal strategies is unique.

Let x be a point where the slope along the set is a sum, with weights above 0, of the slopes of inequalities of the set that are tight at x.
This x is a root of equations, which the interval test of `relance.equilibria.certified_roots` proves. No optimal strategy has a greater
entropy than x. Digits cannot tell whether x is optimal if another inequality is tight there too. But there is an optimal y, in fractions,
as near to x as the digits allow, and the maximum z has at least the entropy of y. At x the slope towards z is at most 0. So
the Bregman divergence of z from x, a sum over information sets of z's reach times the divergence of z's distribution from x's, is at most
d, the entropy of x less that of y. By Pinsker's inequality a probability of z differs from that of x by at most sqrt(d / (2 reach)).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from relance.equilibria.certified_roots import Balls, Enclosure, ball_of, certified_root, enclosed, flint, precision
from relance.model.arguments import Count, Seat, checked
from relance.model.game_tree import GameTree
from relance.solvers.exact_lp import NotCertifiedError
from relance.solvers.exact_simplex import CONSTANT, LinearForm
from relance.solvers.optimal_set import OptimalSet, optimal_set
from relance.solvers.polytope import NEGLIGIBLE, TRIES, Inequality, least_distance, value_of

NEWTON, CLOSE = 300, 1e-9
"""Newton's method in floats ends after `NEWTON` steps, or with a step shorter than `CLOSE`."""

TINY = 1e-100
"""A weight below this is too small for floats."""

MORE = 10, 30, 90
"""Extra decimal places, tried in turn: the root of the equations is proved to twice the decimal places of the answer, and these."""


@dataclass(frozen=True)
class MaximumEntropy:
    """The optimal strategy of greatest dilated entropy.

    Attributes:
        tree: the game.
        player: 0 or 1, the player of the strategy.
        at: {information set: {action: probability}} where the player's own play leads; each is an `Enclosure` between two fractions.
        entropy: the dilated entropy of the strategy, in nats.
    """

    tree: GameTree
    player: int
    at: Mapping[str, Mapping[str, Enclosure]]
    entropy: Enclosure

    def floats(self) -> dict[str, dict[str, float]]:
        """Return {information set: {action: probability}} with the probabilities as floats."""
        return {
            name: {action: float(p.middle) for action, p in distribution.items()}
            for name, distribution in self.at.items()
        }


class _Entropy:
    """The entropy along a set, its slope and its second derivatives, in floats or in balls."""

    def __init__(self, found: OptimalSet) -> None:
        tree, player = found.tree, found.player
        self.found, self.size = found, found.dimension
        self.before = [0] * tree.num_sequences[player]
        self.follow = [0] * tree.num_sequences[player]
        for s in tree.infosets_of(player):
            self.follow[s.before] += 1
            for j in s.after:
                self.before[j] = s.before
        self.used = [j for j, w in enumerate(found.inside) if w and j]

    def slopes(self, at: Sequence[Any], log: Any, convert: Any) -> list[Any]:
        """The derivatives by the coordinates; `at` are the realization weights, in the order of the sequences."""
        out = [convert(0)] * self.size
        for j in self.used:
            form = self.found.forms[j]
            if any(k != CONSTANT for k in form):
                slope = self.follow[j] - 1 - log(at[j] / at[self.before[j]])
                for k, c in form.items():
                    if k != CONSTANT:
                        out[k] += convert(c) * slope
        return out

    def at(self, at: Sequence[Any]) -> Any:
        """The entropy of realization weights, in balls."""
        return sum((at[j] * (at[self.before[j]] / at[j]).log() for j in self.used), flint().arb(0))

    def bends(self, at: Sequence[Any], convert: Any) -> list[list[Any]]:
        """The derivatives of `slopes`."""
        out = [[convert(0)] * self.size for _ in range(self.size)]
        forms = self.found.forms
        for j in self.used:
            for k, c in forms[j].items():
                if k == CONSTANT:
                    continue
                for sequence, sign in ((j, -1), (self.before[j], 1)):
                    for other, d in forms[sequence].items():
                        if other != CONSTANT:
                            out[k][other] += convert(sign * c * d) / at[sequence]
        return out


@checked
def maximum_entropy(game: object, player: Seat, digits: Count = 20) -> MaximumEntropy:
    """Return the optimal strategy of greatest dilated entropy: entropies at information sets, weighted by the player's own reach.

    Args:
        game: a game of two players and zero sum: a game tree, or what `relance.game_tree` takes; or an `OptimalSet` of the player.
        player: 0 or 1.
        digits: how many decimal places of each probability are proved.

    Raises:
        ValueError: the game is not of two players and zero sum.
        NotCertifiedError: floats do not come near enough to the maximum; a subclass of ArithmeticError.
        ImportError: python-flint is missing.
    """
    flint()
    found = game if isinstance(game, OptimalSet) else optimal_set(game, player)
    entropy, why = _Entropy(found), None
    near, tight = _in_floats(found, entropy)
    for more in MORE:
        try:
            root, tight = _root(entropy, near, tight, 2 * digits + more)
        except NotCertifiedError as error:
            why = error
            continue
        near = [x.mid() for x in root]
        with precision(2 * digits + more):
            best = _enclosed(entropy, root, 2 * digits + more)
        if all(
            p.high - p.low < Fraction(1, 10**digits) for distribution in best.at.values() for p in distribution.values()
        ):
            return best
    raise NotCertifiedError(
        f"the greatest entropy in {found.tree} is not found: floats do not come near enough to the strategy of greatest entropy"
    ) from why


def _root(
    entropy: _Entropy, near: Sequence[Any], tight: list[Inequality], digits: int
) -> tuple[Balls, list[Inequality]]:
    """The point of greatest entropy where inequalities are tight, and their multipliers, all positive; and these inequalities."""
    size = entropy.size
    for _ in range(TRIES):
        root = certified_root(*_equations(entropy, tight, digits), near, digits)
        kept = [i for i, price in enumerate(root[size:]) if price > 0]
        if len(kept) < len(tight):
            near, tight = [*near[:size], *(near[size + i] for i in kept)], [tight[i] for i in kept]
            continue
        with precision(digits):
            point = [enclosed(x).middle for x in root[:size]]
        worst = min(entropy.found.violated(point), key=lambda cut: value_of(cut.form, point), default=None)
        if worst is None or value_of(worst.form, point) > -Fraction(1, 10 ** (digits // 2)):
            return root, tight
        near, tight = [*(x.mid() for x in root), 0], [*tight, worst]
    raise NotCertifiedError("floats are too inexact to tell which inequalities are tight at the greatest entropy")


def _equations(
    entropy: _Entropy, tight: Sequence[Inequality], digits: int
) -> tuple[Callable[[Balls], Balls], Callable[[Balls], Sequence[Balls]]]:
    """What is 0 at the coordinates and multipliers of the greatest entropy where inequalities are tight; and the derivatives."""
    module, size = flint(), entropy.size
    with precision(digits):
        rows, forms = ([_balls(form) for form in part] for part in ([cut.form for cut in tight], entropy.found.forms))

    def convert(number: Any) -> Any:
        return module.arb(number) if isinstance(number, int) else ball_of(number)

    def function(z: Balls) -> Balls:
        out = entropy.slopes(_weights(forms, z), lambda x: x.log(), convert)
        for price, row in zip(z[size:], rows, strict=True):
            for k, c in row.items():
                if k != CONSTANT:
                    out[k] += price * c
        return out + [value_of(row, z[:size]) for row in rows]

    def jacobian(z: Balls) -> Sequence[Balls]:
        zero, bends = module.arb(0), entropy.bends(_weights(forms, z), convert)
        upper = [[*bend, *(row.get(k, zero) for row in rows)] for k, bend in enumerate(bends)]
        return upper + [[row.get(k, zero) for k in range(size)] + [zero] * len(rows) for row in rows]

    return function, jacobian


def _balls(form: LinearForm) -> dict[int, Any]:
    return {k: ball_of(c) for k, c in form.items()}


def _weights(forms: Sequence[dict[int, Any]], z: Balls) -> list[Any]:
    """Linear forms at a point, in balls."""
    return [value_of(form, z) + flint().arb(0) for form in forms]


def _enclosed(entropy: _Entropy, root: Balls, digits: int) -> MaximumEntropy:
    """The optimal strategy of greatest entropy, by the root of the equations: see the module's docstring."""
    found, arb, share = entropy.found, flint().arb, Fraction(1, 10**digits)
    points = [(enclosed(x).middle, found.inside[j]) for x, j in zip(root, found.free, strict=False)]
    while True:  # a share of 1 gives the point inside, which is optimal
        near = [(1 - share) * x + share * inside for x, inside in points]
        optimal = found.realization_weights_at(near)
        if all((x > 0) == (y > 0) for x, y in zip(optimal, found.inside, strict=True)) and not found.violated(near):
            break
        share *= 10
    at = _weights([_balls(form) for form in found.forms], root)
    most = entropy.at(at)
    less = (most - entropy.at([ball_of(w) for w in optimal])).upper()
    distributions: dict[str, dict[str, Enclosure]] = {}
    reach = {0: arb(1)}
    for s in found.tree.infosets_of(found.player):
        if found.inside[s.before]:
            distributions[s.name] = dict.fromkeys(s.actions, Enclosure(Fraction(0), Fraction(0)))
            off = (less / (2 * reach[s.before])).sqrt().upper() if reach[s.before] > 0 else arb(1)
            for action, j in zip(s.actions, s.after, strict=True):
                if found.inside[j]:
                    p = at[j] / at[s.before] + arb(0, off)
                    reach[j] = reach[s.before] * p
                    distribution = enclosed(p)
                    distributions[s.name][action] = Enclosure(
                        max(distribution.low, Fraction(0)), min(distribution.high, Fraction(1))
                    )
    return MaximumEntropy(
        found.tree, found.player, distributions, Enclosure(enclosed(most - less).low, enclosed(most).high)
    )


def _in_floats(found: OptimalSet, entropy: _Entropy) -> tuple[list[float], list[Inequality]]:
    """The maximum in floats, as near as they come, with the multipliers of the tight inequalities; and these."""
    size, point = entropy.size, np.array([float(found.inside[j]) for j in found.free])
    if not size:
        return [], []
    matrix = np.array([[float(form.get(k, 0)) for k in range(size)] for form in found.forms])
    constant = np.array([float(form.get(CONSTANT, 0)) for form in found.forms])
    used, before = np.array(entropy.used), np.array([entropy.before[j] for j in entropy.used])
    follow, cuts, prices = np.array([entropy.follow[j] for j in entropy.used]), list[Inequality](), np.zeros(0)
    for _ in range(NEWTON):
        at = constant + matrix @ point
        if at[used].min() < TINY:
            break
        slope = matrix[used].T @ (follow - 1 - np.log(at[used] / at[before]))
        bend = matrix[used].T @ (matrix[used] / at[used, None] - matrix[before] / at[before, None])
        rows = [[float(cut.form.get(k, 0)) for k in range(size)] for cut in cuts]
        sides = [float(cut.form.get(CONSTANT, 0)) for cut in cuts]
        goal, prices = least_distance((bend + bend.T) / 2, bend @ point + slope, rows, sides)
        change = (matrix @ (goal - point))[used]
        falling = change < 0
        most = float((-at[used][falling] / change[falling]).min(initial=np.inf))
        point, moved = point + min(1.0, 0.9 * most) * (goal - point), float(np.abs(goal - point).max())
        new = [cut for cut in found.violated(point.tolist()) if not any(cut is one for one in cuts)]
        cuts += new
        if not new and moved < CLOSE:
            break
    kept = [i for i, price in enumerate(prices) if price > NEGLIGIBLE]
    return [*point.tolist(), *(float(prices[i]) for i in kept)], [cuts[i] for i in kept]
