import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from conftest import DEFAULTS

import relance
from relance.envs import BLUEPRINTS, make
from relance.model.cards.parameters import BoardCards, Ranges
from relance.model.parameters import Amount, Bets, Chips, Flag, Law, PotShares, Probability, WholeNumber
from relance.model.strategy import Strategy
from relance.model.tree import MOST_BETS
from relance.solvers.lp import SequenceForm


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
    ("written", "text"),
    [
        ("fgm:0.5", "fgm:1/2"),
        ("fgm: +2/4", "fgm:1/2"),
        ("power:2.0:01", "power:2:1"),
        ("atoms:.25", "atoms:1/4"),
        ("normal:-0.6", "normal:-3/5"),
        ("uniform", "uniform"),
    ],
)
def test_a_law_is_the_same_however_it_is_written(written, text):
    games = [relance.make("von_neumann", deal=law) for law in (written, text)]
    assert games[0] == games[1]
    assert hash(games[0]) == hash(games[1])
    assert games[0].parameters["deal"] == text


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_bad_parameters_name_themselves(name):
    spec = BLUEPRINTS[name]
    for parameter, kind in spec.parameters.items():
        bad = {
            Chips: [0, -1, "-1/2"],
            Amount: [-1],
            WholeNumber: [getattr(kind, "least", 0) - 1, 2.5],
            Probability: [-0.1, 1.1],
            Bets: [0, [2, -1], [], "", "2;0"],
            Flag: ["maybe", 2],
            PotShares: [0, [2, 1], [1, 1], [], "", "1;all", "all-in;1", ["1/2", "all-in", "all-in"]],
            BoardCards: ["", "Ks9d7h", "Ks9d7h4cKs", "Ks9d7h4c2s2c", "Kx9d7h4c2s", 7],
            Ranges: ["AA", "AA vs", "AA vs KK vs QQ", "AX vs KK", ["AA"], "AA,AhAd vs KK", "AA:2 vs KK", "AA:0 vs KK"],
            Law: ["unifrom", "fgm", "fgm:2", "power:2", "power:1/2:1", "atoms:0", "normal:1", 7],
        }[type(kind)]
        for value in [*bad, "x", float("nan")]:
            with pytest.raises(ValueError, match="law|power" if isinstance(kind, Law) else f"{parameter}="):
                relance.make(name, **{parameter: value})
        with pytest.raises((TypeError, ValueError), match="law|power" if isinstance(kind, Law) else f"{parameter}="):
            relance.make(name, **{parameter: None})
    with pytest.raises(ValueError, match="has no parameter"):
        relance.make(name, unknown=1)


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_what_would_take_hours_is_refused_at_once(name):
    for parameter, kind in BLUEPRINTS[name].parameters.items():
        if isinstance(kind, (WholeNumber, Bets)):
            many = 10**8 if isinstance(kind, WholeNumber) else [1] * (MOST_BETS + 1)
            with pytest.raises(ValueError, match=rf"{parameter}.* (whole number|from 1) .*to \d+"):
                relance.make(name, **{parameter: many})
        if parameter == "raises":
            with pytest.raises(ValueError, match="raises"):
                relance.make(name, raises=1000)


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
    SequenceForm(game, 0)


def test_unknown_names_are_corrected():
    with pytest.raises(ValueError, match="did you mean 'von_neumann'"):
        relance.make("von_neuman")
    with pytest.raises(ValueError, match="did you mean 'bet'"):
        relance.make("von_neumann", bett=2)
    with pytest.raises(ValueError, match="did you mean 'alpha'"):
        relance.make("one_card_poker").published(alfa=0)


@pytest.mark.parametrize("alpha", [-0.1, "4/3", "x"])
def test_family_parameters_are_checked(alpha):
    with pytest.raises(ValueError, match="alpha="):
        relance.make("one_card_poker").published(alpha=alpha)


def test_what_is_not_published_says_so():
    game = relance.make("one_card_poker", cards=5)
    assert not game.is_published
    with pytest.raises(
        ValueError,
        match=r"no strategy is published for one_card_poker\(cards=5.*it is for cards == 3; it is for raises == 0$",
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
    assert made.blueprint.applying(made.parameters) == index


# --- profiles ---


@pytest.fixture(params=DEFAULTS, ids=str)
def plan(request):
    game = request.param
    return game, {
        name: {action: Fraction(1, len(node.actions)) for action in node.actions}
        for name, node in game.tree.decisions.items()
    }


def test_half_a_profile_is_refused(plan):
    game, full = plan
    half = {name: probabilities for name, probabilities in full.items() if name in game.tree.of(0)}
    with pytest.raises(ValueError, match="every decision node of both players"):
        game.profile(half)
    whole = game.profile(full)
    missing = game.together(whole.strategies[0], Strategy(1, {}))
    for use in (relance.value, relance.nash_conv):
        with pytest.raises(ValueError, match="has no probabilities here"):
            use(game, missing)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (Fraction(-1, 10), "must be between 0 and 1"),
        (Fraction(11, 10), "must be between 0 and 1|sum to"),
        (float("nan"), "not a finite number"),
        ("a lot", "is not a number"),
    ],
)
def test_bad_probabilities_are_refused(plan, bad, message):
    game, full = plan
    action = game.tree.root.actions[0]
    with pytest.raises(ValueError, match=message):
        game.profile({**full, "": {**full[""], action: bad}})


def test_unnormalised_profiles_are_refused(plan):
    game, full = plan
    with pytest.raises(ValueError, match=r"sum to \d+/\d+, not to 1"):
        game.profile({**full, "": {**full[""], game.tree.root.actions[0]: 1}})
    with pytest.raises(ValueError, match="at most one action may be left out|no probabilities at"):
        game.profile({**full, "": {}} if len(game.tree.root.actions) > 1 else {})


def test_unknown_nodes_and_actions_are_refused(plan):
    game, full = plan
    with pytest.raises(ValueError, match="has no decision node 'chekc'"):
        game.profile({**full, "chekc": {}})
    with pytest.raises(ValueError, match="has no action 'jump'"):
        game.profile({**full, "": {"jump": 1}})


def test_float_arrays_are_checked_too():
    game = relance.make("von_neumann", hands=4)
    good = {"": {"bet": np.array([0.1, 0.2, 0.3, 1.0])}, "bet": {"call": np.array([0.0, 0.0, 1.0, 1.0])}}
    assert game.profile(good)[""][1].dtype == float
    for bad in (np.array([0.1, np.nan, 0, 0]), np.array([0.1, -1e-3, 0, 0]), np.array([0.1, 1.5, 0, 0])):
        with pytest.raises(ValueError, match="must be between 0 and 1|sum to"):
            game.profile({**good, "": {"bet": bad}})
    for hand in range(4):
        some = good[""]["bet"].copy()
        some[hand] += 0.01 if hand < 3 else -0.01
        with pytest.raises(ValueError, match=rf"with hand \[{Fraction(hand, 4)}, .* sum to (1.01|0.99), not to 1"):
            game.profile({**good, "": {"bet": some, "check": 1 - good[""]["bet"]}})
    with pytest.raises(ValueError, match="3 probabilities for 4 hands"):
        game.profile({**good, "": {"bet": np.array([0.1, 0.2, 0.3])}})


def test_floats_in_lists_are_floats():
    """As in arrays: they need not sum to 1 exactly, and the other rows of the node are floats too."""
    game = relance.make("one_card_poker", raises=0)
    plan = game.uniform().plan()
    for rows in (
        {"bet": [1 / 3] * 3, "check": [2 / 3] * 3},
        {"bet": [1 / 3] * 3},
        {"bet": [1 / 3, "1/3", Fraction(1, 3)], "check": "2/3"},
        {"bet": [np.float64(1 / 3)] * 3, "check": [Fraction(2, 3)] * 3},
    ):
        bet, check = (game.profile({**plan, "": rows}).row("", action) for action in ("bet", "check"))
        assert bet.dtype == check.dtype == float
        assert bet == pytest.approx([1 / 3] * 3)
        assert check == pytest.approx([2 / 3] * 3)
    assert game.profile({**plan, "": {"bet": ["0.1"] * 3}}).row("", "check")[0] == Fraction(9, 10)
    with pytest.raises(ValueError, match="probability nan of '(bet|check)' with hand"):
        game.profile({**plan, "": {"bet": [0.5, math.nan, 0.5]}})
    with pytest.raises(ValueError, match="sum to 0.99998.*, not to 1"):
        game.profile({**plan, "": {"bet": [0.5] * 3, "check": [0.5, 0.5, 0.49999]}})


def test_a_profile_of_another_game_is_refused():
    neumann, borel = relance.make("von_neumann"), relance.make("la_relance")
    with pytest.raises(ValueError, match="a profile of 'la_relance', not of 'von_neumann'"):
        relance.nash_conv(neumann, borel.published())
    with pytest.raises(ValueError, match=r"is on \[0, 1\], unlike .*hands=9\); `game.fit\(profile\)`"):
        relance.nash_conv(neumann.grid(9), neumann.published())
    with pytest.raises(ValueError, match=r"is over cells, unlike .*; `grid.on_interval\(profile\)`"):
        relance.nash_conv(neumann, neumann.grid(9).published())
    with pytest.raises(ValueError, match="has 9 hands"):
        relance.nash_conv(neumann.grid(8), neumann.grid(9).published())
    with pytest.raises(ValueError, match="2 rows of probabilities for the 3 actions"):
        relance.nash_conv(
            relance.make("one_card_poker", raises=2), relance.make("one_card_poker", raises=1).published()
        )
    with pytest.raises(TypeError, match="must be a profile or the name of an opponent"):
        relance.value(neumann, {"": 1})


def test_strategies_on_the_interval_are_steps():
    game = relance.make("von_neumann")
    profile = game.profile({"": {"bet": [(0, "1/9"), ("7/9", 1, "1/2")]}, "bet": {"call": "1/2"}})
    assert profile[""][1].values() == [1, 0, Fraction(1, 2)]
    assert profile.cuts() == [0, Fraction(1, 9), Fraction(7, 9), 1]
    with pytest.raises(ValueError, match=r"\(left, right\)"):
        game.profile({"": {"bet": [(0, 1, 1, 1)]}, "bet": {"call": 1}})
    with pytest.raises(KeyError, match="no decision node"):
        profile["nowhere"]


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
