"""The polytope of optimal strategies: against Relance's own ranges, corners and floats, and by what each condition must refuse."""

import importlib.util
import random
from fractions import Fraction as F
from importlib import import_module

import pyspiel
import pytest
from conftest import marked
from optimal_sets import CASES, plan, sets

import relance
from relance.model.game_tree import DecisionNode, GameTree, TerminalNode, TreeProfile
from relance.solvers.exact_lp import Program
from relance.solvers.exact_simplex import CONSTANT
from relance.solvers.optimal_set import _leaves_nothing_open, optimal_set
from relance.solvers.polytope import list_corners, value_of
from relance.solvers.tree_values import evaluate

if importlib.util.find_spec("ppl") is None:  # importing it here would take Ctrl-C from the tests
    pytest.skip("needs the extra polytopes, which `make test` installs where pplpy has wheels", allow_module_level=True)


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
        assert evaluate(tree, family).nash_conv == 0
    assert optimal_set(tree, 1).unique
    assert optimal_set(tree, 1).corners()[0]["0p"]["Bet"] == F(1, 3)


@pytest.mark.parametrize("case", marked(CASES, lambda case: case[0] == "one_card_poker(cards=4)"), ids=str)
def test_corners_and_ranges(case):
    """Each corner is optimal, a little beyond it nothing is; the ranges are those of the corners."""
    name, player = case
    tree, found = sets(name, player)
    corners, needed = found.polytope
    assert all(found.contains(corner) for corner in found.corners())
    weights = [found.realization_weights_at(corner) for corner in corners]
    middle = [sum(c) / len(corners) for c in zip(*corners, strict=True)]
    for corner in corners:
        beyond = [2 * x - m + (x - m) / 1000 for x, m in zip(corner, middle, strict=True)]
        at = found.realization_weights_at(beyond)
        assert not found.free or min(at) < 0 or not found.contains(found.profile_at(beyond))
    for cut in needed:  # each is needed: without it, the polytope is larger or not bounded
        others = [other for other in needed if other is not cut]
        far = found.dimension and unbounded_or_other(others, found.dimension, corners)
        assert far
    ranges = sets(name, player)[1].ranges()  # of a set that knows no corner
    for s in tree.infosets_of(player):
        for action, j in zip(s.actions, s.after, strict=True):
            assert ranges[s.name][action] == (min(w[j] for w in weights), max(w[j] for w in weights))


def unbounded_or_other(cuts, size, corners):
    try:
        return list_corners(cuts, size) != corners
    except AssertionError:  # a ray
        return True


def farthest(tree, player, value, direction):
    """The most of a linear form of the weights of optimal strategies, as one exact program."""
    program, other = Program(), 1 - player
    own = program.variables(tree.num_sequences[player], nonnegative=True)
    program.equal.append(({own[0]: F(1)}, F(1)))
    for s in tree.infosets_of(player):
        program.equal.append(({**{own[j]: F(1) for j in s.after}, own[s.before]: F(-1)}, F(0)))
    (held,) = program.variables(1)
    rows = [{} for _ in range(tree.num_sequences[other])]
    rows[0][held] = F(1)
    for s in tree.infosets_of(other):
        (chips,) = program.variables(1)
        for j in s.after:
            rows[j][chips] = F(1)
        rows[s.before][chips] = F(-1)
    for key, pays in tree.terminals.items():
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
        direction = [F(0)] * tree.num_sequences[player]
        for k, c in cut.form.items():
            if k != CONSTANT:
                direction[found.free[k]] = -c
        assert farthest(tree, player, found.value, direction) == cut.form.get(CONSTANT, 0)
    assert not needed or sorted(list_corners(needed, found.dimension)) == sorted(corners)
    draw, weights = random.Random(0), [found.realization_weights_at(corner) for corner in corners]
    for _ in range(3):
        direction = [draw.randint(-9, 9) for _ in range(tree.num_sequences[player])]
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


def step(found, profile, corner, size):
    a, b = (plan(found.tree, found.player, p) for p in (profile, corner))
    return [(1 - size) * x + size * y for x, y in zip(a, b, strict=True)]


def distance(tree, found, other, weights):
    return sum((x - y) ** 2 for x, y in zip(plan(tree, found.player, other), weights, strict=True))


def move(player, name, **below):
    """A decision; a number is what player 0 wins."""
    return DecisionNode(player, name, {a: TerminalNode(x) if isinstance(x, (int, F)) else x for a, x in below.items()})


@pytest.mark.parametrize("unit", [1, F(1, 10**12)])
def test_what_the_opponent_earns_three_moves_later_counts(unit):
    """By hand: staying costs player 0 1/2; with a chance x of left, leaving costs x - (1 - x), so x is at most 3/4.

    Player 0 goes left or right, unseen. Player 1 stays or leaves, and then has three more moves, at each of which to stop costs 2.
    """

    def on(name, steps, chips):
        return chips * unit if not steps else move(1, f"{name} {steps}", go=on(name, steps - 1, chips), stop=2 * unit)

    def start(chips):
        return move(1, "start", stay=on("stay", 3, F(-1, 2)), leave=on("leave", 3, chips))

    tree = GameTree(move(0, "open", left=start(-1), right=start(1)))
    found = optimal_set(tree, 0)
    assert (found.value, found.dimension) == (-F(unit) / 2, 1)
    assert sum(value_of(cut.form, [x]) < 0 for x in (F(0), F(1)) for cut in found.violated([x])) == 1
    assert found.range_of("open", "left") == (0, F(3, 4))
    assert {profile["open"]["left"] for profile in optimal_set(tree, 0).corners()} == {0, F(3, 4)}


def test_two_deviations_that_begin_alike_are_two():
    """Who leaves may still choose a side and wins a chip if it is player 0's: x is from 1/4 to 3/4, by hand."""

    def start(x):
        return move(1, "start", stay=F(-1, 2), leave=move(1, "later", a=-x, b=x))

    found = optimal_set(GameTree(move(0, "open", left=start(1), right=start(-1))), 0)
    for point in ([F(0)], [F(1)]):
        (cut,) = found.violated(point)
        assert value_of(cut.form, point) < 0
    assert found.range_of("open", "left") == (F(1, 4), F(3, 4))


def test_a_pair_on_the_border_is_not_taken(monkeypatch):
    """Two rows are worth the same, and one of them is always played: player 0 could play the other one too, so another pair is sought."""
    tree = relance.game_tree([[1], [1]])
    border, inner = ([F(1), F(1), F(0)], [F(1), F(1)]), ([F(1), F(1, 2), F(1, 2)], [F(1), F(1)])
    assert [_leaves_nothing_open(tree, player, border) for player in (0, 1)] == [False, True]
    assert [_leaves_nothing_open(tree, player, inner) for player in (0, 1)] == [True, True]
    monkeypatch.setattr(
        import_module("relance.solvers.optimal_set"), "_inner_pairs", lambda tree: iter([border, inner])
    )
    name, row = tree.infosets[0].name, tree.infosets[0].actions[0]
    assert optimal_set(tree, 0).range_of(name, row) == (0, 1)


def test_leducs_sets_have_43_and_149_dimensions():
    """By the rank of the equations; each side's point inside is checked by best responses."""
    tree = relance.game_tree("leduc_poker")
    first = optimal_set(tree, 0)
    assert first.dimension == 43
    assert first.contains(TreeProfile(tree, first.profile_at([first.inside[j] for j in first.free]).at))
    with pytest.raises(ValueError, match="the set has 43 dimensions, and corners are listed for at most 20"):
        first.corners()


def test_a_large_set_far_from_uniform():
    tree = relance.game_tree(pyspiel.load_game("liars_dice(numdice=1,dice_sides=3)"))
    found = optimal_set(tree, 1)
    assert found.dimension == 88
    near = found.nearest("uniform")
    assert found.contains(near.profile)
    assert near.distance == pytest.approx(1.921284552, abs=1e-8)


def test_payoffs_of_many_sizes_leave_nothing_open():
    """Player 1 has 0 by "b"; player 0 must make that the best, so 10^6 chips times x, of 1 - x chips 10^6 times smaller, are the most."""
    far = DecisionNode(0, "far", {"x": TerminalNode(-(10**6)), "y": TerminalNode(F(1, 10**6))})
    found = optimal_set(GameTree(DecisionNode(1, "near", {"a": far, "b": TerminalNode(0)})), 0)
    assert found.value == 0
    assert found.range_of("far", "x") == (0, 1 / (F(10**12) + 1))


def test_a_player_alone():
    """The opponent never moves, and the value is 0."""
    found = optimal_set(GameTree(DecisionNode(0, "alone", {"a": TerminalNode(0), "b": TerminalNode(-1)})), 0)
    assert (found.value, found.dimension, found.corners()[0]["alone"]["a"]) == (0, 0, 1)


def test_arguments():
    tree = relance.game_tree("kuhn_poker")
    with pytest.raises(ValueError, match="player 0 has no action 'Raise' at information set '0'"):
        optimal_set(tree, 0).range_of("0", "Raise")
    with pytest.raises(ValueError, match="is not a game of zero sum"):
        optimal_set("tiny_hanabi", 0)
    with pytest.raises(ValueError, match="player=2 must be 0 or 1"):
        optimal_set(tree, 2)
    assert optimal_set("kuhn_poker", 0).dimension == 1
