import copy
import pickle
from fractions import Fraction

import pytest
from conftest import DEFAULTS

import relance
from relance.envs.catalogue import make
from relance.model.parameters import Amount
from relance.model.tree import MOST_BETS


def test_a_game_is_its_name_and_parameters(game):
    assert game == copy.deepcopy(game) == pickle.loads(pickle.dumps(game)) == relance.make(game.name, **game.parameters)
    assert hash(game) == hash(copy.deepcopy(game))
    assert game.name in str(game)
    assert game.source.year > 1900
    changed = next(name for name, spec in game.blueprint.parameters.items() if isinstance(spec, Amount))
    assert relance.make(game.name, **{**game.parameters, changed: game.parameters[changed] / 2}) != game
    assert game != "a game"


def test_a_game_reads_what_it_prints(game):
    assert relance.make(str(game)) == game
    if not game.deal.is_finite:
        assert relance.make(str(game.grid(7))) == game.grid(7) == relance.make(str(game), hands=7)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("von_neumann(bet=2", "closing bracket"),
        ("von_neumann(bet=2,bet=3)", "'bet' twice"),
        ("von_neuman(bet=2)", "did you mean 'von_neumann'"),
        ("von_neumann(bet)", "bet="),
        ("von_neumann(cells=5)", "does not say where unequal cells begin"),
    ],
)
def test_text_that_is_no_game_is_refused(text, wrong):
    with pytest.raises(ValueError, match=wrong):
        relance.make(text)


def test_grids_and_cells(game):
    if game.deal.is_finite:
        with pytest.raises(ValueError, match="finitely many hands"):
            game.grid(9)
        return
    grid = game.grid(7)
    assert grid.hands == 7
    assert pickle.loads(pickle.dumps(grid)) == grid == relance.make(game.name, hands="7", **game.parameters)
    if game.is_published:
        cells = game.cells(game.published())
        assert pickle.loads(pickle.dumps(cells)) == cells
        assert "cells=" in str(cells) or cells.hands
    for bad in (0, 1, -3, 2.5, "nine"):
        with pytest.raises(ValueError, match="hands="):
            game.grid(bad)


def test_infinitely_many_hands_are_refused_with_the_way_out(default_game):
    if default_game.deal.is_finite:
        assert default_game.finite_deal() is default_game.deal
        return
    with pytest.raises(ValueError, match="infinitely many hands") as told:
        default_game.finite_deal()
    assert "game.grid(9)" in str(told.value)
    text = str(told.value).split("'")[1]
    assert make(text) == default_game.grid(9)


def test_the_published_profile_survives_cutting(published_game):
    """On a grid with the thresholds on borders, and on cells, the value is that of the interval."""
    value = relance.value(published_game, published_game.published())
    aligned = published_game.aligned()
    assert relance.value(aligned, aligned.published()) == value
    if not published_game.deal.is_finite:
        cells = published_game.cells(published_game.published())
        assert relance.value(cells, cells.published()) == value
        assert relance.nash_conv(cells, cells.fit(published_game.published())) <= published_game.rounding


def test_floats_mean_their_decimal_text():
    assert relance.make("von_neumann", bet=0.1) == relance.make("von_neumann", bet="1/10")


@pytest.mark.parametrize(
    "game",
    [
        relance.make("one_card_poker", raises=MOST_BETS - 1),
        relance.make("pot_limit", raises=MOST_BETS - 1, hands=3),
        relance.make("endgame", bets=[1] * MOST_BETS),
        relance.make("sized_endgame", sizes=list(range(1, MOST_BETS + 1))),
    ],
    ids=lambda game: game.name,
)
def test_the_longest_plays_are_walked(game):
    assert relance.nash_conv(game, game.uniform()) > 0
    assert relance.to_efg(game)
    assert relance.nash_conv(game, relance.solve(game)) == 0


def test_unknown_names_are_corrected():
    with pytest.raises(ValueError, match="did you mean 'von_neumann'"):
        relance.make("von_neuman")
    with pytest.raises(ValueError, match="did you mean 'bet'"):
        relance.make("von_neumann", bett=2)
    with pytest.raises(ValueError, match="did you mean 'alpha'"):
        relance.make("one_card_poker").published(alfa=0)


def test_actions_are_found_by_name(default_game):
    profile, tree = default_game.uniform(), default_game.tree
    for name, node in tree.decisions.items():
        for i, action in enumerate(node.actions):
            assert node.index(action) == i
            assert node.child(action) is node.children[i]
            assert node.by_action(node.children)[action] is node.children[i]
            assert profile.row(name, action) is profile.plan()[name][action] is profile[name][i]
            assert default_game.actions[default_game.action_id(action)] == action
        with pytest.raises(ValueError, match="there is no action 'bett'"):
            node.index("bett")
    with pytest.raises(ValueError, match="there is no action"):
        default_game.action_id("rise")
    assert default_game.whole is default_game
    if not default_game.deal.is_finite:
        assert default_game.grid(5).whole == default_game


@pytest.mark.parametrize("game", [game for game in DEFAULTS if not game.deal.is_finite], ids=str)
def test_from_cells_back_to_the_interval(game):
    """A profile of cells is played on [0, 1] as on the cells: the way back leads to itself, and the value stays."""
    for cells in (game.grid(7), game.cells(game.published())):
        profile = cells.profile(
            {name: {a: [Fraction(k % 3 + i, 9) for k in range(cells.deal.size(node.player))] for i, a in enumerate(node.actions[:-1])}
             for name, node in game.tree.decisions.items()}
        )  # fmt: skip
        back = cells.on_interval(profile)
        assert str(cells.fit(back)) == str(profile)
        assert relance.value(game, back) == relance.value(cells, profile)
        assert relance.nash_conv(game, back) >= relance.nash_conv(cells, profile)
    aligned = game.cells(game.published())
    assert relance.nash_conv(game, aligned.on_interval(aligned.published())) == relance.nash_conv(
        game, game.published()
    )


def test_only_cells_are_made_an_interval():
    game = relance.make("von_neumann")
    for other, profile in ((game, game.published()), (relance.make("endgame"), relance.make("endgame").published())):
        with pytest.raises(ValueError, match="has no cells"):
            other.on_interval(profile)
    with pytest.raises(ValueError, match="has 8 hands"):
        game.grid(9).on_interval(game.grid(8).published())


@pytest.mark.parametrize("game", DEFAULTS, ids=str)
def test_what_a_fold_at_once_wins_of_the_pot(game):
    """Who loses what they had put in wins nothing of the pot, and who wins what the other had put in wins all."""
    mine, theirs = game.tree.root.paid
    assert (game.pot_share(-mine), game.pot_share(theirs)) == (0, 1)
    assert game.pot_share((theirs - mine) / 2) == Fraction(1, 2)
