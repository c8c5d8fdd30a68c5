"""What a user may get wrong: each bad value is refused at once, in a sentence that names it."""

import re
from fractions import Fraction

import numpy as np
import pytest

import relance
from relance.model import distributions
from relance.model.game_check import check_blueprint
from relance.model.numbers import formula, short, show
from relance.model.strategy import Strategy
from relance.model.tree import facing_a_bet
from relance.play.batch import Batch
from relance.registration.gymnasium import SeatEnv
from relance.registration.pettingzoo import ParallelEnv, env

HUGE, KUHN = 10**10_000, relance.make("one_card_poker", raises=0)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("von_neumann(bet=1e1000000000)", "bet='1e1000000000' is too long; a number has at most 4000 digits"),
        ("von_neumann(bet=1e-1000000000)", "bet='1e-1000000000' is too long"),
        ("von_neumann(hands=1e1000000000)", "hands='1e1000000000' is too long"),
        ("one_card_poker(cards=1E1_000_000_000)", "cards='1E1_000_000_000' is too long"),
        ("endgame(p=1e-1000000000)", "p='1e-1000000000' is too long"),
        ("endgame(bets=1;1e1000000000)", "bets='1e1000000000' is too long"),
        ("von_neumann(deal=fgm:1e-1000000000)", "parameter='1e-1000000000' is too long"),
        ("von_neumann(deal=power:1e1000000000:1)", "power='1e1000000000' is too long"),
        (f"von_neumann(bet={'9' * 10_000})", r"bet='9+\.\.\.9+' is too long"),
        (f"von_neumann(bet={'9' * 100_000})", "has 100017 characters; at most 50000 are allowed"),
        ("von_neumann(bet=1e400)", "bet='1e400' has too many digits"),
        ("von_neumann(bet=1e-400)", "bet='1e-400' has too many digits"),
    ],
)
def test_numbers_are_bounded_before_they_are_made(game, message):
    with pytest.raises(ValueError, match=message):
        relance.make(game)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("von_neumann", {"bet": HUGE}),
        ("von_neumann", {"bet": Fraction(1, HUGE)}),
        ("von_neumann", {"hands": HUGE}),
        ("one_card_poker", {"cards": HUGE}),
        ("pot_limit", {"check_raise": HUGE}),
        ("endgame", {"bets": [1, HUGE]}),
    ],
)
def test_a_number_that_python_does_not_print_is_named(name, parameters):
    with pytest.raises(ValueError, match=re.escape("a number of more than 4300 digits")):
        relance.make(name, **parameters)


def test_large_numbers_within_the_bounds_are_exact_and_printed():
    game = relance.make("von_neumann", bet="1e299", ante="1e-299")
    assert game == relance.make(str(game))
    assert show(HUGE) == "(a number of more than 4300 digits)"
    assert short("x" * 100) == "'" + "x" * 29 + "..." + "x" * 14 + "'"
    with pytest.raises(ValueError, match="formula"):
        formula("2**1000000000", {})


@pytest.mark.parametrize("name", [None, 3, ["von_neumann"]])
def test_the_name_of_a_game_is_text(name):
    with pytest.raises(TypeError, match="make: name=.* must be text"):
        relance.make(name)


@pytest.mark.parametrize("text", ["-" * 5000 + "1", "perturbed(" * 5000 + "1" + ")" * 5000, "9" * 5000])
def test_opponents_that_no_parser_reads(text):
    with pytest.raises(ValueError, match=r"opponent '.{40,60}' cannot be read"):
        relance.score(KUHN, text)


@pytest.mark.parametrize("use", [relance.solve, relance.to_efg, lambda game: relance.value(game, KUHN.published())])
def test_only_a_game_is_solved(use):
    with pytest.raises(
        TypeError, match=r"game=None must be a game, such as relance.make\('von_neumann'\), or its text"
    ):
        use(None)


@pytest.mark.parametrize(
    ("option", "value", "error"),
    [
        ("method", 0, TypeError),
        ("method", "nash", ValueError),
        ("iterations", float("nan"), ValueError),
        ("iterations", True, TypeError),
        ("iterations", 1.5, ValueError),
        ("tolerance", float("inf"), ValueError),
        ("tolerance", True, TypeError),
    ],
)
def test_options_of_solve(option, value, error):
    with pytest.raises(error, match=option):
        relance.solve(KUHN, **{"method": "cfr+", option: value})


@pytest.mark.parametrize("rows", [([1, 1, 1], [0, 0, 0]), (np.full(3, 1j), np.zeros(3)), ("a", "b")], ids=str)
def test_a_strategy_made_by_hand_has_arrays(rows):
    mine, _ = KUHN.uniform().strategies
    made = Strategy(0, dict.fromkeys(mine.at, rows))
    with pytest.raises(TypeError, match="probabilities are arrays of real numbers"):
        relance.value(KUHN, KUHN.uniform().replace(made))


@pytest.mark.parametrize("values", [np.ones((3, 3)), np.full(3, 0.5), [1, 2]], ids=str)
def test_a_strategy_on_the_interval_is_a_list_of_intervals(values):
    game = relance.make("la_relance")
    with pytest.raises((TypeError, ValueError), match=r"is a list of \(left, right"):
        game.profile(game.uniform().plan() | {"": {"bet": values}})


@pytest.mark.parametrize("action", [True, np.True_, 1.0, np.float64(1), "1", None, [1]], ids=repr)
def test_an_action_id_is_a_whole_number_everywhere(action):
    seat, turns, both = SeatEnv(KUHN), env(KUHN), ParallelEnv(KUHN)
    seat.reset(seed=0), turns.reset(seed=0), both.reset(seed=0)
    steps = (seat.step, turns.step, lambda one: both.step({"player_0": one, "player_1": both.wait}))
    for step in (*steps, lambda one: Batch(KUHN, 1, seed=0).step([one])):
        with pytest.raises((TypeError, ValueError), match="action"):
            step(action)
    with pytest.raises((TypeError, ValueError), match="action"):
        both.step({"player_0": 0, "player_1": float(both.wait)})


@pytest.mark.parametrize(
    ("bet", "near"),
    [("0.12345678901", r"; the nearest .* bet=120459002/975717925\)"), (10**10, "$")],
)
def test_chips_too_large_for_openspiel(bet, near):
    with pytest.raises(
        ValueError,
        match=f"has an amount of more than 2147483647 chips after scaling to whole chips for OpenSpiel{near}",
    ):
        relance.openspiel.load(relance.make("one_card_poker", bet=bet))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: distributions.fgm("x"), "theta='x' is not a number"),
        (lambda: distributions.atoms(" "), "high=' ' is not a number"),
        (lambda: distributions.independent("x"), "independent needs second"),
        (lambda: distributions.independent("x", {}), "independent: first='x' must be a mapping from text"),
        (lambda: facing_a_bet(0, {}, 1), "facing_a_bet: matched={} must be an exact number"),
        (lambda: relance.words.describe(5), "describe: game=5 must be a game"),
        (lambda: check_blueprint("x"), "check_blueprint: blueprint='x' must be a Blueprint"),
        (lambda: relance.model.distribution(5), "distribution: text=5 must be text"),
        (lambda: relance.words.parse_reply(5, ["check"]), "parse_reply: reply=5 must be text"),
        (lambda: relance.play.rules([]), r"rules: game=\[\] must be a Game"),
    ],
)
def test_arguments_of_the_wrong_kind_are_named(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
