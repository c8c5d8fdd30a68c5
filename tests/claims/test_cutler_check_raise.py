"""The game with check-raises: the solution by other routes, in pure strategies, and what in it cannot be moved."""

from fractions import Fraction

import pytest

import relance
from relance.claims.cutler.check_raise import two_lines, without_lots
from relance.model.quadratic import square_root
from relance.solvers.lp import solve_lp

F = Fraction


def solved(raises, **more):
    game = relance.make("pot_limit", raises=raises, check_raise=True, **more)
    return game, game.printed_numbers()[1]


@pytest.mark.parametrize("raises", [1, 2, 3, 6])
@pytest.mark.parametrize("ante", [1, "2/3"])
def test_the_solution_is_an_equilibrium_of_the_value_stated(raises, ante):
    game, numbers = solved(raises, ante=ante)
    profile, alpha = game.published(), numbers["alpha1"]
    assert relance.nash_conv(game, profile) == 0
    assert relance.value(game, profile) == -F(ante) * (1 + 2 * alpha) / (12 * (1 + alpha) ** 2)


def test_it_is_not_given_out_as_the_paper_s():
    game, _ = solved(1)
    assert game.printed_numbers()[0].source.key == "relance"
    without = relance.make("pot_limit", raises=1)
    assert without.printed_numbers()[0].source.key == "cutler-1975"
    with pytest.raises(ValueError, match="no parameter 'q'"):
        game.published(q="1/2")


@pytest.mark.parametrize(("raises", "hands"), [(1, 15), (2, 138)])
def test_the_value_by_linear_programming_where_the_lines_are_borders(raises, hands):
    game, _ = solved(raises)
    best = relance.solve(game.grid(hands), method="lp", tolerance=1e-9)
    assert float(relance.value(game.grid(hands), best)) == pytest.approx(
        float(relance.value(game, game.published())), abs=1e-12
    )


def test_the_value_by_exact_linear_programming():
    game, _ = solved(1)
    assert solve_lp(game.grid(15))[0] == F(-2, 25)


@pytest.mark.parametrize("raises", [1, 2, 4])
def test_pure_strategies_do(raises):
    game, numbers = solved(raises)
    profile = game.profile(without_lots(game, numbers))
    assert relance.nash_conv(game, profile) == 0
    assert all(set(row.values()) <= {0, 1} for name in game.tree.decisions for row in profile[name])
    bets = profile.row("", "bet")
    assert (
        sum(map(bool, bets.pieces)) == 2 + raises // 2
    )  # the bluffs, and one interval for every two blocks of good hands


@pytest.mark.parametrize("share", [0, "1/4", "1/2", 1])
def test_the_best_hands_may_be_neither_all_checked_nor_bet_more_than_their_share(share):
    """With one raise: hands above the line for a raise bet with another share, the others so that as many bet in all."""
    game, v = solved(1)
    line = 1 - v["h"] * v["alpha1"]
    below = (v["q"] - F(share) * v["alpha1"]) / (1 - v["alpha1"])
    plan = game.published().plan()
    plan[""] = {"bet": [(0, v["h"] / 2, v["q"]), (v["a"], line, below), (line, 1, F(share))]}
    assert relance.nash_conv(game, game.profile(plan)) > 0


@pytest.mark.parametrize(
    ("x", "better"), [("0.934", False), ("0.935", True), ("0.98", True), ("0.999", True), ("0.9995", False)]
)
def test_where_the_line_of_the_paper_beats_the_bet(x, better):
    check, bet = two_lines(F(x), 4)
    assert (check > bet) == better


def test_the_ends_of_these_hands():
    root = square_root(7)
    for x in (F(29, 27) - root * F(10, 189), F(205, 243) + root * F(100, 1701)):
        check, bet = two_lines(x, 4)
        assert check == bet


@pytest.mark.parametrize(("answer", "better"), [("fold", True), ("call", True), ("raise", False)])
def test_the_answer_to_the_check_raise_matters(answer, better):
    check, bet = two_lines(F("0.98"), 4, answer)
    assert (check > bet) == better
    assert two_lines(F("0.98"), 3, answer) == (check, bet)
