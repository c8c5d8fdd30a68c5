import io

import numpy as np
import pyspiel
import pytest

import relance
from relance.model.tree import Case
from relance.registration.efg import to_efg
from relance.registration.openspiel_policies import efg_policy


def test_the_file_is_the_game(finite_game):
    text = to_efg(finite_game)
    native, python = pyspiel.load_efg_game(text), relance.openspiel.load(finite_game)
    scale = relance.openspiel.chip_scale(finite_game)
    profile = finite_game.uniform()
    table = efg_policy(finite_game, profile)
    assert abs(pyspiel.nash_conv(native, table) - float(relance.nash_conv(finite_game, profile))) < 1e-9
    assert native.max_utility() * scale == pytest.approx(python.max_utility())


@pytest.mark.parametrize("name", ["river", "turn", "leduc", "one_card_poker", "von_neumann(hands=9)", "endgame_draw"])
def test_a_tree_that_is_too_large_is_refused_by_its_size_before_it_is_read(name):
    size, read = relance.game_tree(name).num_histories, []
    assert relance.game_tree(name, max_histories=size).num_histories == size
    with pytest.raises(ValueError, match=f"has {size:,} histories, more than {size - 1:,}; take a smaller game"):
        relance.game_tree(name, max_histories=size - 1, tick=read.append)
    assert not read


def test_gambit_reads_the_file(finite_game):
    pygambit = pytest.importorskip("pygambit", reason="needs the group gambit")
    gambit = pygambit.read_efg(io.StringIO(to_efg(finite_game)))
    tree, deal = finite_game.tree, finite_game.finite_deal()
    sets = [
        sum(np.count_nonzero(deal.in_case(Case(tree.cases[name].events)).prior(player)) for name in tree.of(player))
        for player in (0, 1)
    ]  # without hands that are never dealt, or that events make impossible
    assert [len(player.infosets) for player in gambit.players] == sets


def test_gambit_finds_the_value_exactly():
    pygambit = pytest.importorskip("pygambit", reason="needs the group gambit")
    game = relance.make("one_card_poker", raises=1)
    gambit = pygambit.read_efg(io.StringIO(to_efg(game)))
    found = pygambit.nash.lp_solve(gambit, rational=True).equilibria[0]
    worth = relance.value(game, game.published())
    assert found.payoff("player 0") == pygambit.Rational(worth.numerator, worth.denominator)


def test_payoffs_are_exact_fractions():
    assert "{ 3/2, -3/2 }" in to_efg(relance.make("one_card_poker", ante="1/2", bet=1))


def test_the_interval_has_no_file():
    game = relance.make("von_neumann")
    for write in (to_efg, lambda game: efg_policy(game, game.published())):
        with pytest.raises(ValueError, match=r"by game\.grid\(9\)"):
            write(game)
