"""What the page shows, as HTML: exact numbers, a sentence, pictures in the page's colours."""

import re
from fractions import Fraction

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.pages.explore import views
from relance.pages.explore.position import opened, position, symbols


def cells(html):
    return dict(re.findall(r'data-played="([^"]*)"[^>]*>([^<]*)<', html))


@pytest.fixture
def moved_position(game_of_a_kind):
    game = opened(game_of_a_kind.name)
    return position(game, mixes=dict.fromkeys(game.tree.decisions, Fraction(1, 4)))


def test_every_game_has_its_tables_and_pictures(moved_position):
    found = cells(views.gains_table(moved_position))
    assert found["nash-conv"] == views.exactly(moved_position.nash_conv)
    assert [found[f"gain-{player}"] for player in (0, 1)] == [views.exactly(gain) for gain in moved_position.gains]
    bars, lines = views.strategies(moved_position), views.chips(moved_position)
    assert bars.count("<svg") == lines.count("<svg") == 1
    for name in ("equilibrium", "as played", "best response"):
        assert f">{name}</text>" in bars
    assert "http" not in (bars + lines).replace("http://www.w3.org/", "")


def test_gains_by_hand():
    """Player 1 calls everything: of a hand x player 0 then wins 2x - 1 of 3 chips by a bet, and of 1 chip by a check."""
    game = opened("von_neumann")
    found = position(game, numbers={"c": 0})
    best = Fraction(1, 2)  # the integral of 3(2x - 1) over x above 1/2, and of 2x - 1 below it
    assert found.answers[0].value == best
    shown = cells(views.gains_table(found))
    assert shown["best-0"] == "1/2 (0.5000)"
    assert shown["gain-0"] == views.exactly(best - found.values[1])
    assert "player 0" in views.verdict(found)


def test_sentences():
    game = opened("one_card_poker(raises=0)")
    assert views.verdict(position(game)) == "Nobody gains by playing differently: this is an equilibrium, exactly."
    along = {item.name: item.value for item in symbols(game, {"alpha": "1/3"})}  # by hand to another of the family
    assert "after all" in views.verdict(position(game, numbers=along))
    assert "not exact" in views.verdict(position(opened("la_relance(deal=power:2:1)")))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2, "2"),
        (Fraction(4, 2), "2"),
        (Fraction(1, 3), "1/3 (0.3333)"),
        (Fraction(10**20 + 1, 3 * 10**20), "0.333333"),
        (0.25, "0.25"),
    ],
)
def test_numbers(number, text):
    assert views.exactly(number) == text


def test_symbols_beside_what_is_played():
    game = opened("von_neumann(bet=3)")
    html = views.symbols_table(game, {}, {"a": Fraction(3, 28), "c": Fraction(1, 2)})
    assert cells(html) == {"a": "3/28 (0.1071)", "b": "23/28 (0.8214)", "c": "1/2 (0.5000)"}
    assert re.findall('class="moved"', html) == ['class="moved"']
    assert views.symbols_table(opened("five_card"), {}, {}) == ""


def test_the_value_curve_reaches_where_the_game_is():
    assert "<svg" in views.values(opened("von_neumann(bet=20)"), "bet")
    with pytest.raises(ValueError, match="no numeric parameter 'bet'"):
        views.values(opened("five_card"), "bet")
