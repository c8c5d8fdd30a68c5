"""The methods follow from sizes, deal and tolerance; the next one takes over; what cannot work is refused before the work starts."""

import pytest

import relance
from relance.solvers import solve
from relance.solvers.cfr_solver import Solver
from relance.solvers.method_choice import Attempt, attempts

ALL_HANDS = "river(ranges=random vs random,pot=10,stack=30,bets=1/2;1;all-in,raises=1)"


def methods(game, tolerance):
    return [attempt.method for attempt in attempts(game, tolerance)]


@pytest.mark.parametrize(
    ("game", "tolerance", "expected"),
    [
        ("one_card_poker", 1e-6, ["exact", "lp", "dcfr+"]),
        ("von_neumann(deal=normal:1/2:6)", 1e-6, ["lp", "dcfr+"]),  # its probabilities are floats
        ("one_card_poker(cards=4,raises=4)", 1e-6, ["lp", "exact", "dcfr+"]),
        ("one_card_poker(cards=300,raises=1)", 1e-3, ["dcfr+", "lp", "dcfr+"]),
        ("one_card_poker(cards=300,raises=1)", 106e-7, ["dcfr+", "lp", "dcfr+"]),
        ("one_card_poker(cards=300,raises=1)", 104e-7, ["lp", "dcfr+"]),
        ("one_card_poker(cards=65,raises=1)", 106e-7, ["dcfr+", "lp", "dcfr+"]),
        ("one_card_poker(cards=64,raises=1)", 106e-7, ["lp", "dcfr+"]),
        ("one_card_poker(cards=9000,raises=3)", 176e-7, ["dcfr+", "lp", "dcfr+"]),
        ("one_card_poker(cards=9000,raises=3)", 174e-7, ["lp", "dcfr+"]),
        ("one_card_poker(cards=9000,raises=4)", 43e-7, ["dcfr+", "lp", "dcfr+"]),
        ("one_card_poker(cards=9000,raises=4)", 41e-7, ["lp", "dcfr+"]),
        ("pot_limit(raises=2,hands=780)", 109e-6, ["dcfr+", "lp", "dcfr+"]),
        ("pot_limit(raises=2,hands=780)", 107e-6, ["lp", "dcfr+"]),
        ("pot_limit(raises=2,hands=380)", 28e-6, ["dcfr+", "lp", "dcfr+"]),
        ("pot_limit(raises=2,hands=380)", 26e-6, ["lp", "dcfr+"]),
        ("pot_limit(raises=2,hands=9000)", 676e-6, ["dcfr+", "lp", "dcfr+"]),
        ("pot_limit(raises=2,hands=9000)", 674e-6, ["lp", "dcfr+"]),
        ("force_in(raises=1,hands=801)", 181e-7, ["dcfr+", "lp", "dcfr+"]),  # two actions at most
        ("force_in(raises=1,hands=801)", 179e-7, ["lp", "dcfr+"]),
        ("la_relance(deal=fgm:1/3,hands=501)", 15e-7, ["dcfr+", "lp", "dcfr+"]),
        ("la_relance(deal=fgm:1/3,hands=501)", 14e-7, ["lp", "dcfr+"]),
        ("la_relance(deal=fgm:1/3,hands=500)", 15e-7, ["lp", "dcfr+"]),
        ("five_card(ranks=5,raises=3)", 1e-3, ["dcfr+", "lp", "dcfr+"]),
        ("five_card(ranks=5,raises=3)", 48e-6, ["dcfr+", "lp", "dcfr+"]),
        ("five_card(ranks=5,raises=3)", 47e-6, ["lp", "dcfr+"]),
        ("von_neumann(hands=100000)", 61e-8, ["dcfr+", "lp", "dcfr+"]),
        ("von_neumann(hands=100000)", 59e-8, ["lp", "dcfr+"]),
        ("von_neumann(hands=99999)", 9e-7, ["lp", "dcfr+"]),
        ("la_relance(hands=100000)", 29e-10, ["pdcfr+", "lp", "dcfr+"]),
        ("la_relance(hands=100000)", 3e-9, ["lp", "dcfr+"]),
        ("la_relance(hands=99999)", 1e-9, ["lp", "dcfr+"]),
        ("pot_limit(raises=3,hands=250)", 1e-9, ["lp", "dcfr+"]),
        ("river", 1e-3, ["lp", "exact", "dcfr+"]),
        ("river(ranges=22+;A2s+ vs 22+;A9s+,pot=10,stack=30,bets=1/2;1,raises=1)", 1e-3, ["dcfr+", "lp", "dcfr+"]),
        ("river(ranges=22+;A2s+ vs 22+;A9s+,pot=10,stack=30,bets=1/2;1,raises=1)", 1e-5, ["lp", "dcfr+"]),
        (ALL_HANDS, 1e-3, ["dcfr+"]),
        ("five_card", 1e-9, ["dcfr+"]),
    ],
)
def test_sizes_deal_and_tolerance_choose_the_methods(game, tolerance, expected):
    assert methods(relance.make(game), tolerance) == expected


def test_chips_do_not_matter_only_shares_of_the_largest_stake():
    small, large = (attempts(relance.make("von_neumann", ante=n, bet=2 * n, hands=500), n / 1000) for n in (1, 10**200))
    assert small == large
    assert relance.make("von_neumann", ante=3, bet=6).max_chips == 9


@pytest.mark.parametrize(
    ("first", "then", "solved_by"),
    [
        (Attempt("dcfr+", 1), Attempt("lp", 10**6), "a linear program in floats"),
        (Attempt("lp", 1), Attempt("dcfr+", 10**4), "dcfr+"),
        (Attempt("lp", 1), Attempt("exact"), "an exact linear program"),
    ],
)
def test_the_next_method_takes_over_where_one_overruns_its_bound(first, then, solved_by, monkeypatch):
    game, seen = relance.make("von_neumann", hands=60), []
    monkeypatch.setattr(solve, "attempts", lambda game, tolerance: [first, then])
    profile = relance.solve(game, tolerance=1e-3, tick=lambda step, left: seen.append(left))
    assert profile.solved_by == solved_by
    assert relance.exploitability(game, profile) <= 1e-3
    assert seen[-1] <= 1e-3
    monkeypatch.setattr(solve, "attempts", lambda game, tolerance: [first])
    with pytest.raises(ArithmeticError):
        relance.solve(game, tolerance=1e-3)


def test_cfr_gives_up_once_more_iterations_than_its_bound_are_foreseen():
    first, *_ = attempts(relance.make("five_card(ranks=5,raises=3)"), 101e-6)
    assert (first.method, first.foresee) == ("dcfr+", True)
    assert not attempts(relance.make("five_card(ranks=5,raises=3)"), 103e-6)[0].foresee
    for foresee, iterations, message in (
        (True, 30, r"dcfr\+ needs about .* more than the 500 allowed"),
        (False, 500, "after 500 iterations"),
    ):
        solver = Solver(relance.make("one_card_poker(cards=30,raises=2)"), "dcfr+")
        with pytest.raises(ArithmeticError, match=message):
            solve._run(solver, 1e-9, 500, lambda step, left: None, None, foresee)
        assert solver.iteration == iterations


def test_hands_that_cannot_be_made_coarser_are_not_for_programs():
    game = relance.make("five_card")
    with pytest.raises(ValueError, match=r"five_card.* has 7,462 hands, but .* cannot be grouped; use method='dcfr\+'"):
        relance.solve(game, "lp", tolerance=1e-3)


@pytest.mark.parametrize("method", [None, "lp", "cfr+"])
def test_a_tolerance_that_floats_do_not_reach_is_refused(method):
    game = relance.make("one_card_poker", cards=5, bet="7/5")
    with pytest.raises(ValueError, match=r"tolerance=1e-30 is below 4e-14.*without a tolerance the solution is exact"):
        relance.solve(game, method, tolerance=1e-30)


@pytest.mark.parametrize("distribution", ["uniform", "fgm:1/3"])
def test_a_choice_needs_no_probabilities(distribution):
    game = relance.make(f"la_relance(hands=90000,deal={distribution})")
    assert methods(game, 1e-6) == ["lp", "dcfr+"]
    assert not {"terms", "floats"} & vars(game.finite_deal()).keys()  # they are made on first use
