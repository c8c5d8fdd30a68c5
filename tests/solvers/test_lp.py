from fractions import Fraction

import pytest

import relance
from relance.solvers.exact import reach_probs
from relance.solvers.exact_lp import Program
from relance.solvers.lp import solve_lp
from relance.solvers.optimal_set import optimal_set

F = Fraction


def test_solution_is_an_exact_equilibrium(finite_game):
    worth, profile = solve_lp(finite_game)
    assert relance.nash_conv(finite_game, profile) == 0
    assert relance.value(finite_game, profile) == worth
    assert relance.nash_conv(finite_game, relance.solve(finite_game)) == 0


def test_the_published_value_by_a_second_route(aligned_game):
    worth = relance.value(aligned_game, aligned_game.published())
    gap = solve_lp(aligned_game)[0] - worth
    assert gap == 0 if not aligned_game.rounding else abs(gap) < 1e-12  # thresholds that are rounded are not optimal


@pytest.mark.parametrize(("raises", "ends"), [(0, (0, F(1, 3))), (1, (0, 1))])
def test_the_face_holds_the_published_family(raises, ends):
    game = relance.make("one_card_poker", raises=raises)
    for player in (0, 1):
        found = optimal_set(game, player)
        for alpha in ends:
            profile = game.published(alpha=alpha)
            for (node, action), ranges in found.ranges_by_hand().items():
                weights = reach_probs(game, profile, player, node) * profile.row(node, action)
                assert all(low <= w <= high for w, (low, high) in zip(weights, ranges, strict=True))


def test_only_the_first_player_of_kuhns_game_has_a_choice_of_optimal_strategies():
    assert [optimal_set(relance.make("one_card_poker", raises=0), player).unique for player in (0, 1)] == [False, True]


def test_the_extremes_of_a_face_are_attained():
    """The vertex that maximises a weight is itself optimal."""
    game = relance.make("one_card_poker", raises=0)
    assert optimal_set(game, 0).range_of("A", "bet") == (0, 1)


def test_the_interval_needs_a_grid():
    with pytest.raises(ValueError, match=r"game\.grid\(9\)"):
        solve_lp(relance.make("von_neumann"))
    with pytest.raises(ValueError, match="method='simplex'"):
        relance.solve(relance.make("one_card_poker"), method="simplex")


def test_float_probabilities_need_a_tolerance():
    game = relance.make("von_neumann", deal="normal:-1/2:9")
    assert not game.deal.is_exact
    for exactly in (relance.solve, solve_lp):
        with pytest.raises(
            ValueError, match=r"von_neumann\(.*deal=normal:-1/2:9.*has float probabilities.* tolerance=1e-6"
        ):
            exactly(game)
    for method in ("lp", "cfr+"):
        assert relance.exploitability(game, relance.solve(game, method, tolerance=1e-5)) <= 1e-5


def test_a_deal_knows_whether_it_is_exact(finite_game):
    assert finite_game.deal.is_exact == all(isinstance(p, (int, F)) for p in finite_game.deal.joint().flat)
    assert not finite_game.deal.floats.is_exact


def test_an_infeasible_program_says_so():
    program = Program()
    (x,) = program.variables(1, nonnegative=True)
    program.at_most.append(({x: F(1)}, F(-1)))
    with pytest.raises(ValueError, match="has no optimum"):
        program.solve()


@pytest.mark.parametrize(
    ("objective", "row", "bound"),
    [
        ({}, {0: F(1)}, F(-1)),
        ({0: F(1)}, {0: F(-1)}, F(1)),
        ({0: F(1)}, {}, F(-1)),
        ({0: F(1)}, {0: F(1)}, F(-1, 10**30)),
    ],
)
def test_a_program_without_an_optimum_says_so_whatever_floats_find(objective, row, bound, monkeypatch):
    """No point at all, no bound, or no point by a hair that floats do not see."""

    def nothing(self):
        raise ValueError("the linear program has no optimum")

    program = Program()
    program.variables(1, nonnegative=True)
    program.objective, program.at_most = objective, [(row, bound)]
    with pytest.raises(ValueError, match="has no optimum"):
        program.solve()
    monkeypatch.setattr(Program, "floats", nothing)
    with pytest.raises(ValueError, match="has no optimum"):
        program.solve()


def test_floats_that_are_off_cost_pivots_and_not_exactness(monkeypatch):
    program = Program()
    (x,) = program.variables(1, nonnegative=True)
    program.objective[x] = F(1)
    program.at_most.append(({x: F(3)}, F(1)))
    assert program.solve() == (F(1, 3), [F(1, 3)])
    best, point, multipliers = program.floats()
    monkeypatch.setattr(Program, "floats", lambda self: (best, point * 0.9, multipliers))
    assert program.solve() == (F(1, 3), [F(1, 3)])
