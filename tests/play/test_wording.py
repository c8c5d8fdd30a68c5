"""The words for the things in a game."""

from fractions import Fraction

import pytest

import relance
from relance.play.wording import PLAIN, Wording, betting

RENAMED = Wording("renaming", seats=("Ann", "Bob"), actions={"bet": "push", "check": "wait"}, unit="pebble", chips=20)


@pytest.mark.parametrize(
    ("chips", "plain", "renamed"),
    [
        (1, "1 chip", "20 pebbles"),
        (2, "2 chips", "40 pebbles"),
        (Fraction(1, 20), "1/20 chip", "1 pebble"),
        (0, "0 chips", "0 pebbles"),
    ],
)
def test_amounts(chips, plain, renamed):
    assert (PLAIN.amount(chips), RENAMED.amount(chips)) == (plain, renamed)


def test_actions_and_seats_have_the_names_of_the_renaming_and_its_order():
    assert (PLAIN.action("bet"), RENAMED.action("bet"), RENAMED.action("fold")) == ("bet", "push", "fold")
    assert PLAIN.listed(["check", "bet"]) == ["check", "bet"]
    assert RENAMED.listed(["check", "bet"]) == ["bet", "check"]
    assert RENAMED.contest("player 0 shows to player 1") == "Ann shows to Bob"


def test_the_betting_so_far_is_told_with_who_did_what():
    game = relance.make("one_card_poker", raises=0)
    assert betting(game, "check-bet") == betting(game, "check-bet", PLAIN)
    told = betting(game, "check-bet", RENAMED)
    assert told.index("Ann") < told.index("wait") < told.index("Bob") < told.index("push")
    assert "player" not in told
