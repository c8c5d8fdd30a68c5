"""The thresholds for any distribution of hands, where their equations have a closed solution or are hard on floats."""

from fractions import Fraction

import pytest

import relance
from relance.model.distributions import MOST_POWER, distribution
from relance.play.agents import strategy


@pytest.mark.parametrize("power", [1, 2, 28, 30, MOST_POWER])
def test_player_two_calls_with_his_best_half_in_la_relance(power):
    """With a bet of the pot player 1 calls above c, P(Y < c) = B/(B + 2) = 1/2, whatever the power of their distribution."""
    game = relance.make("la_relance", deal=f"power:1:{power}")
    assert float(game.printed_numbers()[1]["c"]) == pytest.approx(0.5 ** (1 / power), abs=1e-12)


@pytest.mark.parametrize("name", ["la_relance", "von_neumann"])
@pytest.mark.parametrize("powers", ["30:1", "1:30", "40:35"])
def test_high_powers_are_solved(name, powers):
    """To what cells of equal length take off, where most hands are in the last few."""
    game = relance.make(name, deal=f"power:{powers}", hands=5000)
    profile = game.together(*(strategy(game, "published", seat) for seat in (0, 1)))
    assert relance.nash_conv(game, profile) < 1e-5


@pytest.mark.parametrize("text", ["power:30:20", "atoms:1/4"])
def test_independent_hands_say_nothing_of_each_other(text):
    deal = distribution(text)
    for player in (0, 1):
        below, prior = deal.conditional(player), deal.prior(1 - player).cumulative()
        for x in (1e-12, 0.2, 0.9):
            assert below(0.75, x) == pytest.approx(float(prior(0.75)), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "parameters", "lost"),
    [
        ("la_relance", {"deal": "power:2:1"}, 0.0627),  # II calls too rarely
        ("la_relance", {"deal": "power:2:1", "bet": 4}, 0),  # where player I folds some hands, the summary is right
        ("von_neumann", {"deal": "atoms:1/4"}, 1 / 8),  # a losing hand bluffs with probability 1/4, not 1/6
        ("von_neumann", {"deal": "atoms:1/2"}, 1),  # player I bets always and II never calls
        ("von_neumann", {"deal": "atoms:2/3"}, 0),  # from here on they should
    ],
)
def test_what_the_misprints_of_section_5_cost(name, parameters, lost):
    game = relance.make(name, **parameters)
    assert float(relance.nash_conv(game, game.published(as_printed=True))) == pytest.approx(lost, abs=1e-4)


@pytest.mark.parametrize("deal", ["power:3:5", "power:2:3", "fgm:-1/3"])
@pytest.mark.parametrize("bet", ["1e-5", "30", "1e5"])
@pytest.mark.parametrize("name", ["la_relance", "von_neumann"])
def test_thresholds_solved_in_floats_keep_their_promise_wherever_they_are_given(name, deal, bet):
    game = relance.make(name, deal=deal, bet=bet)
    assert relance.nash_conv(game, game.published()) <= game.rounding


@pytest.mark.parametrize("bet", ["1e-6", "1e9"])
def test_bets_too_far_from_the_ante_for_floats_are_refused(bet):
    with pytest.raises(ValueError, match=r"bet=\S+: with deal=power:2:1 .* bets from 1/100000 to 100000 antes"):
        relance.make("la_relance", deal="power:2:1", bet=bet).published()


def test_a_form_that_fails_by_little_is_refused():
    """With a large bet floats hide a violation of the inequalities unless the slack is that of their rounding."""
    assert not relance.make("von_neumann", deal="fgm:-5/12", bet=20000).is_published


@pytest.mark.parametrize("bet", [1, 2, "3/2"])
def test_the_ends_of_the_bridge(bet):
    for low, other in ((bet, "la_relance"), (0, "von_neumann")):
        bridge = relance.make("bellman_blackwell", low=low, high=bet)
        end = relance.make(other, bet=bet)
        assert relance.value(bridge, bridge.published()) == relance.value(end, end.published())


def test_printed_and_corrected_strategies_of_the_bridge():
    game = relance.make("bellman_blackwell", low="1/5", high=2)
    assert relance.nash_conv(game, game.published()) == 0
    assert relance.nash_conv(game, game.published(as_printed=True)) > Fraction(1, 20)


def test_a_form_that_fails_only_with_the_weakest_hands_is_refused():
    """With the very worst of negatively correlated hands a bluff meets a call: 2e-5 chips can be gained on any number of cells."""
    assert not relance.make("von_neumann", deal="normal:-1/10", bet="1/2").is_published
    game = relance.make("von_neumann", deal="normal:-1/1000", bet="1/2")
    assert relance.nash_conv(game, game.published()) < 1e-6
