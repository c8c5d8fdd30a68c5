"""The polytope of optimal strategies: against Relance's own ranges, corners and floats, and by what each condition must refuse."""

import importlib.util
import random
import subprocess
import sys
from fractions import Fraction as F

import numpy as np
import pyspiel
import pytest
from conftest import marked

import relance
from relance.equilibria import maximum_entropy, optimal_set
from relance.equilibria.certified_roots import certified_root, flint, precision
from relance.model.game_tree import TreeProfile
from relance.solvers.exact_lp import NotCertifiedError, Program
from relance.solvers.exact_simplex import CONSTANT
from relance.solvers.lp import optimal_face
from relance.solvers.polytope import Inequality, list_corners, nearest_point
from relance.solvers.tree_values import judge

if importlib.util.find_spec("ppl") is None:  # importing it here would take Ctrl-C from the tests
    pytest.skip("needs the extra polytopes, which `make test` installs where pplpy has wheels", allow_module_level=True)

GAMES = [
    "kuhn_poker",
    "one_card_poker(cards=4)",
    "von_neumann(hands=9)",
    "ponssard",
    "endgame",
    "endgame_hidden",
    "sized_endgame",
]
CASES = [(name, player) for name in GAMES for player in (0, 1)]


def sets(name, player):
    tree = relance.game_tree(name)
    return tree, optimal_set(tree, player)


def test_kuhns_family():
    """Kuhn (1950): player 0 bets a Jack with probability 0 to 1/3; player 1 has one optimal strategy."""
    tree, found = sets("kuhn_poker", 0)
    assert (found.dimension, found.names(), found.value) == (1, ("Bet at '0'",), F(-1, 18))
    corners, needed = found.polytope
    assert corners == [[0], [F(1, 3)]]
    assert [cut.text for cut in needed] == ["Bet at '0' at least 0", "Pass at '2' at least 0"]
    for alpha in (F(0), F(1, 7), F(1, 3)):
        family = found.profile_at([alpha])
        assert family["2"]["Bet"] == 3 * alpha
        assert family["1pb"]["Bet"] == alpha + F(1, 3)
        assert judge(tree, family).nash_conv == 0
    assert optimal_set(tree, 1).unique
    assert optimal_set(tree, 1).corners()[0]["0p"]["Bet"] == F(1, 3)


@pytest.mark.parametrize("case", marked(CASES, lambda case: case[0] == "one_card_poker(cards=4)"), ids=str)
def test_corners_and_ranges(case):
    """Each corner is optimal, a little beyond it nothing is; the ranges are those of the corners, and of Relance's own programs."""
    name, player = case
    tree, found = sets(name, player)
    corners, needed = found.polytope
    assert all(found.contains(corner) for corner in found.corners())
    weights = [found.weights_at(corner) for corner in corners]
    middle = [sum(c) / len(corners) for c in zip(*corners, strict=True)]
    for corner in corners:
        beyond = [2 * x - m + (x - m) / 1000 for x, m in zip(corner, middle, strict=True)]
        at = found.weights_at(beyond)
        assert not found.free or min(at) < 0 or not found.contains(found.profile_at(beyond))
    for cut in needed:  # each is needed: without it, the polytope is larger or not bounded
        others = [other for other in needed if other is not cut]
        far = found.dimension and unbounded_or_other(others, found.dimension, corners)
        assert far
    ranges = found.ranges()
    for s in tree.sets_of(player):
        for action, j in zip(s.actions, s.after, strict=True):
            assert ranges[s.name][action] == (min(w[j] for w in weights), max(w[j] for w in weights))
    if isinstance(tree.source, relance.Game):
        face, labels = optimal_face(tree.source, player), tree.source.finite_deal().labels[player]
        for (node, action), rows in face.ranges.items():
            for label, ends in zip(labels, rows, strict=True):
                if (here := f"{label} {node}".strip()) in ranges:
                    assert ranges[here][action] == ends


def unbounded_or_other(cuts, size, corners):
    try:
        return list_corners(cuts, size) != corners
    except AssertionError:  # a ray
        return True


def farthest(tree, player, value, direction):
    """The most of a linear form of the weights of optimal strategies, as one exact program."""
    program, other = Program(), 1 - player
    own = program.variables(tree.sizes[player], nonnegative=True)
    program.equal.append(({own[0]: F(1)}, F(1)))
    for s in tree.sets_of(player):
        program.equal.append(({**{own[j]: F(1) for j in s.after}, own[s.before]: F(-1)}, F(0)))
    (held,) = program.variables(1)
    rows = [{} for _ in range(tree.sizes[other])]
    rows[0][held] = F(1)
    for s in tree.sets_of(other):
        (chips,) = program.variables(1)
        for j in s.after:
            rows[j][chips] = F(1)
        rows[s.before][chips] = F(-1)
    for key, pays in tree.endings.items():
        row, j = rows[key[other]], own[key[player]]
        row[j] = row.get(j, F(0)) - pays[player]
    program.at_most = [({j: c for j, c in row.items() if c}, F(0)) for row in rows] + [({held: F(-1)}, -value)]
    program.objective = {own[j]: F(c) for j, c in enumerate(direction) if c}
    return program.solve()[0]


@pytest.mark.parametrize(("name", "player"), CASES)
def test_no_corner_is_missing(name, player):
    """The corners are those of the inequalities that are needed, and programs that know nothing of corners say that each of these holds."""
    tree, found = sets(name, player)
    corners, needed = found.polytope
    for cut in needed:
        direction = [F(0)] * tree.sizes[player]
        for k, c in cut.form.items():
            if k != CONSTANT:
                direction[found.free[k]] = -c
        assert farthest(tree, player, found.value, direction) == cut.form.get(CONSTANT, 0)
    assert not needed or sorted(list_corners(needed, found.dimension)) == sorted(corners)
    draw, weights = random.Random(0), [found.weights_at(corner) for corner in corners]
    for _ in range(3):
        direction = [draw.randint(-9, 9) for _ in range(tree.sizes[player])]
        far = [sum(c * w for c, w in zip(direction, at, strict=True)) for at in weights]
        assert farthest(tree, player, found.value, direction) == max(far)


@pytest.mark.parametrize(("name", "player"), CASES)
def test_membership_and_the_nearest_member(name, player):
    tree, found = sets(name, player)
    for other in (tree.uniform(), relance.solve(tree)):
        near = found.nearest(other)
        assert found.contains(near.profile)
        assert (near.squared_distance == 0) == found.contains(other)
        mixed = near.squared_distance
        for corner in found.corners():  # no step towards a corner comes nearer: the set is convex
            assert distance(tree, found, other, step(found, near.profile, corner, F(1, 1000))) >= mixed
    assert found.shortfall("uniform") >= 0
    assert found.shortfall(relance.solve(tree)) == 0


def plan(tree, player, profile):
    out = [F(0)] * tree.sizes[player]
    out[0] = F(1)
    for s in tree.sets_of(player):
        for j, p in zip(s.after, profile[s.name].values(), strict=True):
            out[j] = out[s.before] * p
    return out


def step(found, profile, corner, size):
    a, b = (plan(found.tree, found.player, p) for p in (profile, corner))
    return [(1 - size) * x + size * y for x, y in zip(a, b, strict=True)]


def distance(tree, found, other, weights):
    return sum((x - y) ** 2 for x, y in zip(plan(tree, found.player, other), weights, strict=True))


def test_leducs_sets_have_43_and_149_dimensions():
    """By the rank of the equations; each side's point inside is checked by best responses."""
    tree = relance.game_tree("leduc_poker")
    first = optimal_set(tree, 0)
    assert first.dimension == 43
    assert first.contains(TreeProfile(tree, first.profile_at([first.inside[j] for j in first.free]).at))
    with pytest.raises(ValueError, match="the set has 43 dimensions, and corners are listed up to 20"):
        first.corners()


def test_a_large_set_far_from_uniform():
    tree = relance.game_tree(pyspiel.load_game("liars_dice(numdice=1,dice_sides=3)"))
    found = optimal_set(tree, 1)
    assert found.dimension == 88
    near = found.nearest("uniform")
    assert found.contains(near.profile)
    assert near.distance == pytest.approx(1.921284552, abs=1e-8)


def test_nearest_point_on_a_triangle():
    """The point of x, y at least 0, x + y at most 1, that is nearest to (2, 1) is (1, 0); a slanted metric moves it."""
    known = [Inequality({0: F(1)}, ""), Inequality({1: F(1)}, ""), Inequality({0: F(-1), 1: F(-1), CONSTANT: F(1)}, "")]
    one = [[F(1), F(0)], [F(0), F(1)]]
    assert nearest_point(one, [F(2), F(1)], known, lambda point: []) == [1, 0]
    assert nearest_point(one, [F(1), F(1)], known[:2], lambda point: known[2:] if sum(point) > 1 else []) == [
        F(1, 2),
        F(1, 2),
    ]
    assert nearest_point(one, [F(-1), F(-1)], known, lambda point: []) == [0, 0]
    assert sorted(list_corners(known, 2)) == [[0, 0], [0, 1], [1, 0]]


def test_arguments():
    tree = relance.game_tree("kuhn_poker")
    with pytest.raises(ValueError, match="player 0 has no action 'Raise' at '0'"):
        optimal_set(tree, 0).range_of("0", "Raise")
    with pytest.raises(ValueError, match="is not a game of zero sum"):
        optimal_set("tiny_hanabi", 0)
    with pytest.raises(ValueError, match="player=2 must be 0 or 1"):
        optimal_set(tree, 2)
    assert optimal_set("kuhn_poker", 0).dimension == 1


# ---- the greatest entropy ------------------------------------------------------------------------------------------------------


def entropy(tree, player, profile):
    total, weights = 0.0, plan(tree, player, profile)
    for s in tree.sets_of(player):
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


@pytest.mark.parametrize(("name", "player"), CASES)
def test_no_member_is_more_random(name, player):
    """Against corners, mixtures of them with the answer, and the point inside; where an inequality is tight too."""
    tree, found = sets(name, player)
    best = maximum_entropy(found, player)
    table = {s.name: best.floats().get(s.name, dict.fromkeys(s.actions, 0.0)) for s in tree.sets_of(player)}
    most = float(best.entropy.middle)
    assert entropy(tree, player, table) == pytest.approx(most, abs=1e-12)
    coordinates = [F(float(x)) for x in inside_of(found, table)]
    for corner in [*found.polytope[0], [found.inside[j] for j in found.free]]:
        for share in (F(1, 100), F(1, 2), F(1)):
            mixed = [(1 - share) * x + share * y for x, y in zip(coordinates, corner, strict=True)]
            assert entropy_at(found, mixed) <= most + 1e-12


def inside_of(found, table):
    weights = [0.0] * found.tree.sizes[found.player]
    weights[0] = 1.0
    for s in found.tree.sets_of(found.player):
        for j, p in zip(s.after, table[s.name].values(), strict=True):
            weights[j] = weights[s.before] * p
    return [weights[j] for j in found.free]


def entropy_at(found, coordinates):
    at, total = [max(0.0, float(w)) for w in found.weights_at(coordinates)], 0.0
    for s in found.tree.sets_of(found.player):
        total -= sum(at[j] * np.log(at[j] / at[s.before]) for j in s.after if at[j] > 0)
    return total


def test_the_interval_test_finds_a_planted_error():
    """A root is certified; what is none, or a double one, is not."""
    arb = flint().arb
    (root,) = certified_root(lambda x: [x[0] ** 2 - 2], lambda x: [[2 * x[0]]], [1.4], 40)
    with precision(40):
        assert abs(root - arb(2).sqrt()) < arb(10) ** -40
    for function, slope in (
        (lambda x: [x[0] ** 2 + 1], lambda x: [[2 * x[0]]]),  # no root
        (lambda x: [x[0] ** 2], lambda x: [[2 * x[0]]]),  # a double root
        (lambda x: [x[0] ** 2 - 2], lambda x: [[-2 * x[0]]]),  # a wrong derivative
    ):
        with pytest.raises(NotCertifiedError):
            certified_root(function, slope, [1.4], 20)


CTRL_C = """
import os, signal
from relance.equilibria import optimal_set
import relance
optimal_set(relance.make("one_card_poker(raises=0)"), 0).corners()
signal.signal(signal.SIGINT, signal.signal(signal.SIGINT, lambda *given: None))  # as what takes Ctrl-C for a while does
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print("stopped")
"""


def test_no_ctrl_c_is_lost_after_corners_were_listed():
    out = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, text=True, check=True)
    assert out.stdout == "stopped\n"
