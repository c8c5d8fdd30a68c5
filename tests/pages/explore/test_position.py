"""What the explorer can move, over all games: sliders stop at equilibrium, and away from it gains are what `relance` says."""

from fractions import Fraction

import pytest

import relance
from relance.model.parameters import WholeNumber
from relance.pages.explore.position import (
    MOST_HANDS,
    attempt,
    family_sliders,
    mix_sliders,
    moved,
    number_sliders,
    opened,
    parameter_sliders,
    position,
    symbols,
)
from relance.play.equilibria import SOLVED_TO
from relance.play.rules import rules
from relance.solvers.exact import exploitability, nash_conv, value


@pytest.fixture(params=relance.games())
def opened_game(request):
    return opened(request.param)


def all_sliders(game):
    return [
        *parameter_sliders(game).values(),
        *family_sliders(game).values(),
        *number_sliders(game).values(),
        *mix_sliders(game).values(),
    ]


def near(found, number):
    """The number itself; or, where nothing is published and the equilibrium is in floats, at a distance of rounding."""
    return pytest.approx(number, rel=1e-12, abs=1e-12) if found.equilibrium.in_floats else number


def test_every_game_opens_at_an_equilibrium(opened_game):
    found = position(opened_game)
    assert not found.moved
    assert found.gains == near(found, (0, 0))
    assert found.values[0] == near(found, found.values[1])
    assert found.values[1] == near(found, value(opened_game, found.profile))


def test_every_slider_starts_at_a_stop_and_shows_no_two_stops_alike(opened_game):
    for slider in all_sliders(opened_game):
        assert slider.start in slider.stops
        assert list(slider.stops) == sorted(set(slider.stops))
        assert len(set(slider.shown)) == len(slider.stops)
        assert [slider.at(shown) for shown in slider.shown] == list(slider.stops)


def test_sliders_where_they_start_change_nothing(opened_game):
    numbers = {name: slider.start for name, slider in number_sliders(opened_game).items()}
    mixes = {name: slider.start for name, slider in mix_sliders(opened_game).items()}
    family = {name: slider.start for name, slider in family_sliders(opened_game).items()}
    found = position(opened_game, family, numbers, mixes)
    assert not found.moved
    assert found.nash_conv == near(found, 0)
    assert (
        moved(opened_game, {name: slider.start for name, slider in parameter_sliders(opened_game).items()})
        == opened_game
    )


def test_uniform_play_everywhere_is_the_uniform_profile(opened_game):
    uniform = opened_game.uniform()
    found = position(opened_game, mixes=dict.fromkeys(opened_game.tree.decisions, 1))
    assert found.moved
    if found.equilibrium.in_floats:
        uniform = uniform.as_float()
    assert found.values[1] == near(found, value(opened_game, uniform))
    assert found.nash_conv > 0
    assert found.nash_conv == near(found, nash_conv(opened_game, uniform))
    assert sum(found.gains) / 2 == near(found, exploitability(opened_game, uniform))
    for answer, sign in zip(found.answers, (1, -1), strict=True):
        assert value(opened_game, found.profile.replace(answer.strategy)) == near(found, sign * answer.value)


def test_one_players_mistake_is_the_others_gain(opened_game):
    """The player's own gain is what they gave up; together they are what the mistake makes the game cost."""
    node = next(iter(opened_game.tree.of(1)))
    found = position(opened_game, mixes={node: Fraction(1, 2)})
    assert found.answers[1].value == near(found, -found.values[0])
    assert found.nash_conv == near(found, found.answers[0].value - found.values[0])


def test_each_parameter_moves_or_is_named(opened_game):
    """By one stop to either side; there may be no game there."""
    for name, slider in parameter_sliders(opened_game).items():
        at = slider.stops.index(slider.start)
        for stop in {*slider.stops[max(at - 1, 0) : at + 2]} - {slider.start}:
            made, wrong = attempt(lambda name=name, stop=stop: moved(opened_game, {name: stop}))
            assert made.parameters[name] == stop if made else f"{name}=" in wrong


def test_at_the_ends_of_sliders_there_is_an_equilibrium_or_no_game(opened_game):
    for name, slider in parameter_sliders(opened_game).items():
        if isinstance(opened_game.blueprint.parameters[name], WholeNumber):
            continue  # more cards and raises take seconds
        for stop in (slider.stops[0], slider.stops[-1]):
            made, wrong = attempt(lambda name=name, stop=stop: moved(opened_game, {name: stop}))
            assert made is not None or wrong
            if made is not None:
                assert list(number_sliders(made)) == [item.name for item in symbols(made)]
                found = position(made)
                solved_to = 2 * SOLVED_TO * max(rules(made).worst) if found.equilibrium.in_floats else 0
                assert found.nash_conv <= solved_to


def test_a_number_at_its_ends_is_played_or_refused(opened_game):
    for name, slider in number_sliders(opened_game).items():
        for stop in (slider.stops[0], slider.stops[-1]):
            found, wrong = attempt(lambda name=name, stop=stop: position(opened_game, numbers={name: stop}))
            assert found is not None or any(word in wrong for word in ("node", "interval", "give no strategy"))
            if found is not None:
                assert min(found.gains) >= 0
                assert found.moved == (stop != slider.start)


def test_moved_thresholds_are_played():
    game = opened("von_neumann")
    found = position(game, numbers={"a": Fraction(1, 9), "b": Fraction(7, 9), "c": Fraction(1, 2)})
    played = game.profile(
        {"": {"bet": [(0, Fraction(1, 9)), (Fraction(7, 9), 1)]}, "bet": {"call": [(Fraction(1, 2), 1)]}}
    )
    assert found.profile == played
    assert found.moved
    assert found.gains[0] + found.gains[1] == relance.nash_conv(game, played) > 0


def test_symbols_are_what_the_plan_reads():
    assert [(item.name, item.value) for item in symbols(opened("von_neumann(bet=3)"))] == [
        ("a", Fraction(3, 28)),
        ("b", Fraction(23, 28)),
        ("c", Fraction(9, 14)),
    ]
    assert symbols(opened("von_neumann"))[0].formula == "B/((B + 1)*(B + 4))"
    assert symbols(opened("five_card")) == []


def test_members_of_a_family_are_equilibria():
    game = opened("one_card_poker(raises=0)")
    for alpha in family_sliders(game)["alpha"].stops[::20]:
        found = position(game, {"alpha": alpha})
        assert found.nash_conv == 0
        assert found.values == (Fraction(-1, 18), Fraction(-1, 18))


def test_a_large_game_opens_at_its_sample_or_not_at_all():
    game = opened("five_card")
    assert game.deal.is_finite
    assert game.deal.size(0) <= MOST_HANDS
    with pytest.raises(ValueError, match="more than 100 hands"):
        opened("von_neumann(hands=101)")
    with pytest.raises(ValueError, match="more than 100 hands"):
        moved(opened("one_card_poker"), {"cards": 101})


def test_without_exact_numbers_it_says_so():
    assert "rounded" in position(opened("la_relance(deal=power:2:1)")).note
    assert "exactly" in position(opened("one_card_poker(cards=5)")).note
    found = position(opened("one_card_poker(cards=30, raises=1)"))
    assert "in floats" in found.note
    assert 0 < found.nash_conv < 1e-2


def test_cells_stay_cells():
    game = opened("von_neumann(hands=9)")
    assert moved(game, {"bet": 3}).hands == 9
    assert position(game, numbers={"c": Fraction(5, 9)}).nash_conv == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: opened("von_neuman"), "did you mean 'von_neumann'"),
        (lambda: opened("von_neumann(bet=0)"), "bet=0 must be above 0"),
        (lambda: moved(opened("bellman_blackwell"), {"low": 3}), "low=3 must be at most high=2"),
        (lambda: position(opened("von_neumann"), numbers={"a": Fraction(9, 10)}), "sum to|must be between 0 and 1"),
        (lambda: position(opened("von_neumann"), numbers={"z": 1}), "do not depend on 'z'"),
        (lambda: position(opened("von_neumann"), mixes={"bett": 1}), "no decision node 'bett'; did you mean 'bet'"),
        (lambda: position(opened("von_neumann"), mixes={"bet": 2}), "share 2 of uniform play at 'bet'"),
        (lambda: position(opened("von_neumann"), {"alpha": 1}), "have no parameter 'alpha'"),
        (lambda: position(opened("five_card"), numbers={"a": 1}), "no strategy is published"),
    ],
)
def test_what_is_wrong_is_said(make, message):
    with pytest.raises(ValueError, match=message):
        make()
    found, wrong = attempt(make)
    assert found is None
    assert wrong


@pytest.mark.parametrize(
    ("game", "name", "said"),
    [
        ("von_neumann", "a", "player 0, at the start: at which hand bet ends"),
        ("von_neumann", "c", "player 1, after bet: at which hand call begins"),
        ("one_card_poker", "king_call", "player 0, after check-bet: how often to call with the hand K"),
        ("endgame", "f1", "player 1, after bet: how often to fold"),
        ("bellman_blackwell", "lowest", "player 0, at the start: at which hand high and low end"),
    ],
)
def test_a_slider_says_what_its_number_changes(game, name, said):
    assert number_sliders(opened(game))[name].doc == said
