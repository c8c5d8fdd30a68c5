"""The optimal strategy of greatest entropy, with certified digits: the one that regularised learners pick in the limit.

The entropy of a strategy is the sum over the player's information sets of the probability that the player's own actions lead there,
times the entropy of the law there, in nats (the dilated entropy of Hoda et al. 2010 with all weights 1). It is strictly concave in the
weights of sequences, and its slope is infinite where a weight that may be positive is 0. So the maximum over the set of optimal strategies
is unique, and it is the only point where the slope along the set is a sum, with weights at least 0, of the slopes of inequalities that are
tight there: equations with one root, which the interval test of `relance.equilibria.certified_roots` proves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relance.equilibria.certified_roots import Balls, Enclosure, ball_of, certified_root, enclosed, flint, precision
from relance.model.arguments import Count, Seat, checked
from relance.model.game_tree import GameTree
from relance.solvers.exact_lp import NotCertifiedError
from relance.solvers.exact_simplex import CONSTANT, LinearForm, add_multiple, sum_of_rows
from relance.solvers.optimal_set import OptimalSet, optimal_set
from relance.solvers.polytope import NEGLIGIBLE, Inequality, least_distance, value_of

NEWTON, CLOSE = 300, 1e-9
"""The most steps of Newton's method in floats, and how small the last one is."""


@dataclass(frozen=True)
class MaximumEntropy:
    """The optimal strategy of greatest entropy.

    Attributes:
        tree: the game.
        player: whose strategy it is.
        at: {information set: {action: probability}} where the player's own play leads.
        entropy: in nats.
    """

    tree: GameTree
    player: int
    at: Mapping[str, Mapping[str, Enclosure]]
    entropy: Enclosure

    def floats(self) -> dict[str, dict[str, float]]:
        """The probabilities in floats."""
        return {name: {action: float(p.middle) for action, p in law.items()} for name, law in self.at.items()}


class _Entropy:
    """The entropy along a set, its slope and its second derivatives, in floats or in balls."""

    def __init__(self, found: OptimalSet) -> None:
        tree, player = found.tree, found.player
        self.found, self.size = found, found.dimension
        self.before = [0] * tree.sizes[player]
        self.follow = [0] * tree.sizes[player]
        for s in tree.sets_of(player):
            self.follow[s.before] += 1
            for j in s.after:
                self.before[j] = s.before
        self.used = [j for j, w in enumerate(found.inside) if w and j]

    def slopes(self, at: Sequence[Any], log: Any, convert: Any) -> list[Any]:
        """The derivatives by the coordinates; `at` are the weights of all sequences."""
        out = [convert(0)] * self.size
        for j in self.used:
            form = self.found.forms[j]
            if any(k != CONSTANT for k in form):
                slope = self.follow[j] - 1 - log(at[j] / at[self.before[j]])
                for k, c in form.items():
                    if k != CONSTANT:
                        out[k] += convert(c) * slope
        return out

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
    """The player's optimal strategy of greatest entropy, with this many certified decimal places.

    Args:
        game: of two players and zero sum: a game tree, or what `relance.game_tree` takes; or an `OptimalSet` of the player.
        player: 0 or 1.
        digits: decimal places.

    Raises:
        ValueError: the game has more players or another sum.
        NotCertifiedError: the interval test fails, as it does where a tight inequality has multiplier 0; an ArithmeticError.
        ImportError: python-flint is missing.
    """
    module = flint()
    found = game if isinstance(game, OptimalSet) else optimal_set(game, player)
    entropy = _Entropy(found)
    start, prices, tight = _in_floats(found, entropy)
    with precision(digits):
        rows = [{k: ball_of(c) for k, c in cut.form.items()} for cut in tight]
        forms = [{k: ball_of(c) for k, c in form.items()} for form in found.forms]
    size = entropy.size

    def at(z: Balls) -> list[Any]:
        return [
            sum((c * z[k] for k, c in form.items() if k != CONSTANT), form.get(CONSTANT, module.arb(0)))
            for form in forms
        ]

    def convert(number: Any) -> Any:
        return module.arb(number) if isinstance(number, int) else ball_of(number)

    def function(z: Balls) -> Balls:
        out = entropy.slopes(at(z), lambda x: x.log(), convert)
        for price, row in zip(z[size:], rows, strict=True):
            for k, c in row.items():
                if k != CONSTANT:
                    out[k] += price * c
        return out + [value_of(row, z[:size]) for row in rows]

    def jacobian(z: Balls) -> Sequence[Balls]:
        zero = module.arb(0)
        upper = [[*bend, *(row.get(k, zero) for row in rows)] for k, bend in enumerate(entropy.bends(at(z), convert))]
        return upper + [[row.get(k, zero) for k in range(size)] + [zero] * len(rows) for row in rows]

    root = certified_root(function, jacobian, [*start, *prices], digits)
    with precision(digits):
        return _proved(found, root, at(root), tight)


def _proved(found: OptimalSet, root: Balls, at: Sequence[Any], tight: Sequence[Inequality]) -> MaximumEntropy:
    """The strategy at a root, which lies in the set for certain, and whose multipliers are positive for certain."""
    size = found.dimension
    if not all(at[j] > 0 for j, w in enumerate(found.inside) if w):
        raise NotCertifiedError("a weight is not certainly positive")
    if not all(price > 0 for price in root[size:]):
        raise NotCertifiedError("the multiplier of a tight inequality is not certainly positive")
    _check_deviations(found, root[:size], tight)
    laws: dict[str, dict[str, Enclosure]] = {}
    total: Any = flint().arb(0)
    for s in found.tree.sets_of(found.player):
        if found.inside[s.before]:
            laws[s.name] = {}
            for action, j in zip(s.actions, s.after, strict=True):
                p = at[j] / at[s.before]
                laws[s.name][action] = enclosed(p) if found.inside[j] else Enclosure(*[found.inside[j]] * 2)
                if found.inside[j]:
                    total -= at[j] * p.log()
    return MaximumEntropy(found.tree, found.player, laws, enclosed(total))


def _check_deviations(found: OptimalSet, coordinates: Balls, tight: Sequence[Inequality]) -> None:
    """Raise NotCertifiedError unless no deviation of the opponent gains anything at a root of the equations, for certain.

    A form is at most 0 there if its ball is, or if it is a sum of multiples of the tight forms, which are 0 there.
    """
    pivots: dict[int, LinearForm] = {}
    for cut in tight:
        if rest := _reduced(cut.form, pivots):
            pivots[max(rest)] = rest

    def at_most(form: LinearForm, other: LinearForm) -> None:
        rest = _reduced(sum_of_rows([(1, form), (-1, other)]), pivots)
        if rest and not value_of({k: ball_of(c) for k, c in rest.items()}, coordinates) < 0:
            raise NotCertifiedError("an inequality does not certainly hold at the greatest entropy")

    chips, other = found.chips_as_forms(), 1 - found.player
    middles = [float(x.mid()) for x in coordinates]
    for s in reversed([*found.tree.sets_of(other)]):
        on_path = bool(found.theirs[s.before])
        best = found.used_at(s) if on_path else max(s.after, key=lambda j: value_of(chips[j], middles))
        for j in s.after:
            if j != best and not found.theirs[j]:
                at_most(chips[j], chips[best])
        chips[s.before] = sum_of_rows([(1, chips[s.before]), (1, chips[best])])


def _reduced(form: LinearForm, pivots: Mapping[int, LinearForm]) -> LinearForm:
    """Return what is left of a form after multiples of the pivots' forms are taken away."""
    rest = dict(form)
    for pivot in sorted(pivots, reverse=True):
        if factor := rest.get(pivot):
            add_multiple(rest, -factor / pivots[pivot][pivot], pivots[pivot])
    return rest


def _in_floats(found: OptimalSet, entropy: _Entropy) -> tuple[list[float], list[float], list[Inequality]]:
    """The maximum in floats, the multipliers of the tight inequalities, and these."""
    size, point = entropy.size, np.array([float(found.inside[j]) for j in found.free])
    if not size:
        return [], [], []
    matrix = np.array([[float(form.get(k, 0)) for k in range(size)] for form in found.forms])
    constant = np.array([float(form.get(CONSTANT, 0)) for form in found.forms])
    used, before = np.array(entropy.used), np.array([entropy.before[j] for j in entropy.used])
    follow, cuts = np.array([entropy.follow[j] for j in entropy.used]), list[Inequality]()
    for _ in range(NEWTON):
        at = constant + matrix @ point
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
            kept = [i for i, price in enumerate(prices) if price > NEGLIGIBLE]
            return point.tolist(), [float(prices[i]) for i in kept], [cuts[i] for i in kept]
    raise NotCertifiedError("Newton's method does not converge to the greatest entropy")
