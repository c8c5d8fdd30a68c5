"""What a blueprint says is published, and with which parameters."""

import pytest

import relance


@pytest.mark.parametrize("alpha", [-0.1, "4/3", "x"])
def test_family_parameters_are_checked(alpha):
    with pytest.raises(ValueError, match="alpha="):
        relance.make("one_card_poker").published(alpha=alpha)


def test_what_is_not_published_says_so():
    game = relance.make("one_card_poker", cards=5)
    assert not game.is_published
    with pytest.raises(
        ValueError,
        match=r"no strategy is published for one_card_poker\(cards=5.*one is published for cards == 3; one is published for raises == 0$",
    ):
        game.published()


@pytest.mark.parametrize(
    ("game", "index"),
    [
        ({"raises": 0}, 0),
        ({"raises": 1}, 1),
        ({"raises": 0, "bet": "1/2"}, 2),
        ({"raises": 0, "bet": "3/2"}, 3),
        ({"raises": 0, "bet": 2}, 4),
        ({"raises": 0, "cards": 5}, 5),
        ({"raises": 2, "bet": 2}, None),
    ],
)
def test_the_first_profile_whose_conditions_hold_is_published(game, index):
    made = relance.make("one_card_poker", **game)
    assert made.blueprint.printed_index(made.parameters) == index
