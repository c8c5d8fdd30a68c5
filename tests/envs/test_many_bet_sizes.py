"""Von Neumann's poker with several bet sizes: long sets of bet sizes, two routes to the value, and the best sets of bet sizes."""

import random
from fractions import Fraction

import pyspiel
import pytest

import relance
from relance.envs.many_bet_sizes import best_sizes
from relance.solvers.lp import solve_lp

F = Fraction
NEWMAN = F(1, 7)
"""The value in antes if every bet is allowed."""


def worth(ante, sizes):
    game = relance.make("sized_von_neumann", ante=ante, sizes=sizes)
    profile = game.published()
    assert relance.nash_conv(game, profile) == 0
    return relance.value(game, profile)


@pytest.mark.parametrize("count", [4, 5, 8, 13, 30])
def test_long_bet_sizes_are_solved_exactly(count):
    """The value, also by integrating what each size adds to a check: hands above v_i win 2 (s_i - s_(i - 1)) per unit more."""
    draw = random.Random(count)
    sizes = sorted({F(draw.randint(1, 60), draw.randint(1, 7)) for _ in range(count)})
    game = relance.make("sized_von_neumann", sizes=sizes)
    numbers = game.printed_numbers()[1]
    steps = [size - less for less, size in zip([0, *sizes], sizes, strict=False)]
    lines = [1 - numbers[f"v{i}"] for i in range(1, len(sizes) + 1)]
    bluffs = numbers["d1"]
    added = bluffs**2 + sum(step * line**2 for step, line in zip(steps, lines, strict=True))
    assert worth(1, sizes) == added == bluffs < NEWMAN


@pytest.mark.parametrize("sizes", [[2], [1, 4], ["2/3", 2, 6]])
def test_linear_programming_finds_the_same_value(sizes):
    game = relance.make("sized_von_neumann", sizes=sizes)
    profile = game.published()
    assert solve_lp(game.cells(profile))[0] == relance.value(game, profile)


def test_one_size_is_von_neumanns_game():
    one, other = relance.make("sized_von_neumann", sizes=[3], ante=2), relance.make("von_neumann", bet=3, ante=2)
    assert relance.value(one, one.published()) == relance.value(other, other.published())


@pytest.mark.parametrize("count", range(1, 9))
def test_the_best_bet_sizes(count):
    """It approaches Newman's value by 6/(7 (7 (k + 1)^2 - 1)) antes, and moving one size loses."""
    sizes = best_sizes(count, ante=3)
    assert worth(3, sizes) == 3 * (NEWMAN - F(6, 7 * (7 * (count + 1) ** 2 - 1)))
    for i in range(count):
        for by in (F(99, 100), F(101, 100)):
            moved = [size * by if i == j else size for j, size in enumerate(sizes)]
            assert worth(3, moved) < worth(3, sizes)


@pytest.mark.parametrize("sizes", [[2, 1], [1, 1], [1, 3, 2]])
def test_a_bet_sizes_must_rise(sizes):
    with pytest.raises(ValueError, match=rf"sizes={';'.join(map(str, sizes))} must rise from each to the next"):
        relance.make("sized_von_neumann", sizes=sizes)


@pytest.mark.parametrize(("count", "ante"), [(0, 1), (101, 1), (2, 0)])
def test_no_bet_sizes(count, ante):
    with pytest.raises(ValueError, match=f"count={count} must be from 1 to 100, and ante={ante} above 0"):
        best_sizes(count, ante)


@pytest.mark.parametrize("cards", [*range(2, 21), 52, 100, 233])
def test_a_deck_and_a_bet_of_the_pot(cards):
    """Linear programming finds the value, which is at most 2/(3 n (n - 1)) below that of hands on [0, 1]."""
    game = relance.make("sized_von_neumann", ante=F(1, 2), sizes=[1], deal=f"cards:{cards}")
    profile = game.published()
    assert relance.nash_conv(game, profile) == 0
    assert relance.value(game, profile) == solve_lp(game)[0]
    assert 0 <= F(1, 9) - 2 * relance.value(game, profile) <= F(2, 3 * cards * (cards - 1))


def test_a_deck_with_other_bets_has_nothing_published():
    for sizes in ([1], [2, 4]):
        with pytest.raises(ValueError, match="deal=cards:9: a deck is solved for one size, the pot, here sizes=2"):
            relance.make("sized_von_neumann", sizes=sizes, deal="cards:9").published()


@pytest.mark.parametrize("cards", ["1", "5/2", "x", "1000001"])
def test_no_deck(cards):
    with pytest.raises(ValueError, match="cards"):
        relance.make("sized_von_neumann", deal=f"cards:{cards}")


@pytest.mark.parametrize("name", ["von_neumann", "la_relance", "sized_von_neumann"])
def test_any_game_with_a_distribution_takes_a_deck(name):
    """Also as an OpenSpiel game, whose default for `hands` is for hands on [0, 1]."""
    game = relance.make(name, deal="cards:5")
    assert game.finite_deal().labels[0] == tuple("TJQKA")
    loaded = relance.openspiel.load(game)
    assert loaded.max_chance_outcomes() == 5
    assert pyspiel.load_game(f"relance_{name}(deal=cards:5)").max_chance_outcomes() == 5
