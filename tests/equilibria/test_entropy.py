"""The strategy of maximum entropy: by hand, against members of the set, and from floats that are wrong."""

import importlib.util
from fractions import Fraction as F

import numpy as np
import pytest
from optimal_sets import CASES, plan, sets
from random_games import random_tree

from relance.equilibria import entropy as module
from relance.equilibria import maximum_entropy
from relance.solvers import optimal_set

if importlib.util.find_spec("ppl") is None:  # importing it here would take Ctrl-C from the tests
    pytest.skip("needs the extra polytopes, which `make test` installs where pplpy has wheels", allow_module_level=True)


def entropy(tree, player, profile):
    total, weights = 0.0, plan(tree, player, profile)
    for s in tree.infosets_of(player):
        total -= sum(
            float(weights[j]) * np.log(float(p)) for j, p in zip(s.after, profile[s.name].values(), strict=True) if p
        )
    return total


def test_kuhns_maximum_entropy_strategy():
    """By the golden section on Kuhn's family of one parameter."""
    tree, found = sets("kuhn_poker", 0)
    low, high = 0.0, 1 / 3
    for _ in range(80):
        a, b = high - 0.618 * (high - low), low + 0.618 * (high - low)
        worse = entropy(tree, 0, found.profile_at([F(a)])) < entropy(tree, 0, found.profile_at([F(b)]))
        low, high = (a, high) if worse else (low, b)
    best = maximum_entropy(tree, 0, 30)
    jack = best.at["0"]["Bet"]
    assert str(jack).startswith("0.200760903203186358265047874573")
    assert jack.high - jack.low < F(1, 10**30)
    assert float(jack.middle) == pytest.approx(low, abs=1e-7)
    assert float(best.entropy.middle) == pytest.approx(entropy(tree, 0, found.profile_at([F(low)])), abs=1e-12)


TOUCHING = [("bellman_blackwell(hands=12)", 1), ("liars_dice(sides=2)", 1)]
"""Here the greatest entropy lies on an inequality that does not matter for it."""


@pytest.mark.parametrize(("name", "player"), CASES + TOUCHING)
def test_no_member_is_more_random(name, player):
    found = sets(name, player)[1]
    check(found, maximum_entropy(found, player))


@pytest.mark.parametrize("seed", range(25))
def test_every_random_game_is_answered(seed):
    tree = random_tree(seed)
    for player in (0, 1):
        found = optimal_set(tree, player)
        best = maximum_entropy(found, player, 10)
        if found.dimension < 8:
            check(found, best)


def check(found, best):
    """Against corners, mixtures of them with the answer, and the point inside; where an inequality is tight too."""
    tree, player = found.tree, found.player
    table = {s.name: best.floats().get(s.name, dict.fromkeys(s.actions, 0.0)) for s in tree.infosets_of(player)}
    most = float(best.entropy.middle)
    assert entropy(tree, player, table) == pytest.approx(most, abs=1e-12)
    coordinates = [F(float(x)) for x in inside_of(found, table)]
    for corner in [*found.polytope[0], [found.inside[j] for j in found.free]]:
        for share in (F(1, 100), F(1, 2), F(1)):
            mixed = [(1 - share) * x + share * y for x, y in zip(coordinates, corner, strict=True)]
            assert entropy_at(found, mixed) <= most + 1e-12


def inside_of(found, table):
    weights = [0.0] * found.tree.num_sequences[found.player]
    weights[0] = 1.0
    for s in found.tree.infosets_of(found.player):
        for j, p in zip(s.after, table[s.name].values(), strict=True):
            weights[j] = weights[s.before] * p
    return [weights[j] for j in found.free]


def entropy_at(found, coordinates):
    at, total = [max(0.0, float(w)) for w in found.realization_weights_at(coordinates)], 0.0
    for s in found.tree.infosets_of(found.player):
        total -= sum(at[j] * np.log(at[j] / at[s.before]) for j in s.after if at[j] > 0)
    return total


@pytest.mark.parametrize("seed", [4, 6, 22])
def test_floats_that_are_wrong_change_nothing(seed, monkeypatch):
    """Inequalities that they miss are found, and those that they wrongly hold for tight are let go."""
    found = optimal_set(random_tree(seed), {4: 0, 6: 0, 22: 1}[seed])
    right, point = maximum_entropy(found, found.player, 10), module._in_floats(found, module._Entropy(found))[0]
    for cuts in ([], [*found.cuts.values()][:1]):
        near = [*point[: found.dimension], *[0.1] * len(cuts)], cuts
        monkeypatch.setattr(module, "_in_floats", lambda *_, near=near: near)
        other = maximum_entropy(found, found.player, 10)
        for name, distribution in right.at.items():
            for action, p in distribution.items():
                assert abs(p.middle - other.at[name][action].middle) < F(1, 10**10)
