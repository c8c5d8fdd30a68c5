"""The one way in: games of OpenSpiel, Gambit's files and Relance give the same object; what cannot be read is refused."""

from fractions import Fraction

import numpy as np
import pyspiel
import pytest
from conftest import FINITE, marked, repeats
from open_spiel.python import policy as open_spiel_policy
from open_spiel.python.algorithms import exploitability

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.model.game_tree import TOLD, TerminalNode
from relance.registration.efg_file import write_efg
from relance.registration.game_trees import game_tree
from relance.registration.openspiel_trees import (
    policy_on_openspiel,
    profile_of_openspiel,
)
from relance.solvers.exact import nash_conv
from relance.solvers.tree_values import evaluate

SMALL = [
    "kuhn_poker",
    "python_kuhn_poker",
    "leduc_poker",
    "liars_dice(numdice=1,dice_sides=3)",
    "tiny_hanabi",
    "sheriff(max_bribe=1)",
    "first_sealed_auction(max_value=4)",
    "kuhn_poker(players=3)",
    "dark_hex(board_size=2)",
]


@pytest.mark.parametrize("name", SMALL)
def test_openspiel_confirms_uniform_play(name):
    tree = game_tree(pyspiel.load_game(name))
    policy = policy_on_openspiel(tree, tree.uniform())
    values = pyspiel.expected_returns(tree.source.new_initial_state(), policy, -1, True)
    found = evaluate(tree, "uniform")
    assert values == pytest.approx([float(v) for v in found.values], abs=1e-12)
    theirs = exploitability.nash_conv(tree.source, open_spiel_policy.UniformRandomPolicy(tree.source))
    assert theirs == pytest.approx(float(found.nash_conv), abs=1e-12)
    assert profile_of_openspiel(tree, policy).texts() == tree.uniform().texts()
    again = game_tree(write_efg(tree))
    assert (again.by_name, again.terminals, again.utility_sum) == (tree.by_name, tree.terminals, tree.utility_sum)


FEW_HANDS = [game for game in FINITE if max(game.deal.size(0), game.deal.size(1)) <= 40 and game.deal.is_exact]


@pytest.mark.parametrize("game", marked(FEW_HANDS, repeats), ids=str)
def test_relances_games_give_the_same_object(game):
    assert evaluate(game_tree(game), "uniform").nash_conv == nash_conv(game, game.uniform())


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("goofspiel", "turn_based_simultaneous_game.* has far more than 5,000,000 histories"),
        ("kuhn.game", "kuhn.game cannot be read: No such file"),
        ("chess", "far more than 5,000,000 histories"),
        ("openspiel:liars_dice(numdice=2)", r"far more than 5,000,000 histories, \de\+\d\d by a rough count"),
        ("backgammon", "has no information_state_string"),
        ("mfg_crowd_modelling", "is a mean-field game"),
        ("kuhn_pokr", "OpenSpiel has no game 'kuhn_pokr'; did you mean 'kuhn_poker'"),
        ("kuhn_poker(players=99)", "OpenSpiel cannot load"),
        ("bridge_uncontested_bidding", "samples its chance and does not tell the probabilities"),
        (
            "liars_dice_ir(numdice=1,dice_sides=3)",
            "after .*: information set '.*' of player 1 breaks perfect recall: .* has played",
        ),
        ("von_neumann", "infinitely many hands"),
    ],
)
def test_what_cannot_be_read_is_refused(source, message):
    with pytest.raises(ValueError, match=message):
        game_tree(source)


def test_other_sources():
    game = pyspiel.load_game("kuhn_poker")
    tree = relance.game_tree(game)
    assert game_tree(tree) is tree
    assert tree.source is game
    assert game_tree(pyspiel.convert_to_turn_based(pyspiel.load_game("matching_pennies_3p"))).num_players == 3
    assert game_tree(TerminalNode(3)).terminals == {(0, 0): (3, -3)}
    with pytest.raises(ValueError, match="more than 20 histories"):
        game_tree(game, max_histories=20)
    with pytest.raises(TypeError, match="source=3 must be a game of OpenSpiel or Relance"):
        game_tree(3)
    assert {name.partition("(")[0] for name in SMALL} & BLUEPRINTS.keys() == {"liars_dice"}
    assert game_tree("liars_dice").source == relance.make("liars_dice")  # a name that both have is Relance's


@pytest.mark.parametrize("kind", [list, np.array], ids=["list", "array"])
def test_a_matrix_is_a_source_like_another(kind):
    """Rock, paper, scissors, where what scissors win and lose counts twice."""
    game = game_tree(kind([[0, -1, 2], [1, 0, -2], [-2, 2, 0]]))
    profile = relance.solve(game)
    assert (relance.value(game, profile), relance.nash_conv(game, profile)) == (0, 0)
    assert [*profile["row"].values()] == [Fraction(2, 5), Fraction(2, 5), Fraction(1, 5)]
    assert relance.exploitability(game, relance.solve(game, "cfr+", tolerance=1e-3)) <= 1e-3


def test_a_cell_may_hold_what_each_player_gets():
    """The prisoner's dilemma: who keeps silent could gain 1 by talking."""
    game = game_tree([[(3, 3), (0, 4)], [(4, 0), (1, 1)]])
    silent = {"row": {"0": 1}, "column": {"0": 1}}
    assert relance.value(game, silent) == 3
    assert relance.nash_conv(game, silent) == 2
    assert relance.nash_conv(game, {"row": {"1": 1}, "column": {"1": 1}}) == 0


@pytest.mark.parametrize("matrix", [[], [[]], [[1, 2], [3]], [1, 2], np.zeros((2, 0)), np.zeros(3)])
def test_what_is_no_matrix_is_refused(matrix):
    with pytest.raises(ValueError, match="must be a matrix|payoff"):
        game_tree(matrix)


@pytest.mark.parametrize("name", ["kuhn", "leduc_holdem"])
def test_a_name_that_openspiel_lacks_is_relances(name):
    """`kuhn_poker` and `leduc_poker`, which it has, are OpenSpiel's as trees."""
    assert relance.game_tree(name).source == relance.make(name)
    assert isinstance(relance.game_tree("kuhn_poker").source, pyspiel.Game)


def test_who_reads_is_told_how_far_it_is():
    told = []
    tree = relance.game_tree("openspiel:liars_dice(numdice=1,dice_sides=5)", tick=told.append)
    assert sum(told) == tree.num_histories // TOLD * TOLD > 0


def test_a_game_within_the_limit_is_not_refused_by_the_probes():
    """Its size is known: 549,946 histories, 255,168 of them terminal nodes."""
    with pytest.raises(ValueError, match="has more than 200,000 histories"):
        relance.game_tree("tic_tac_toe", max_histories=200_000)
    with pytest.raises(ValueError, match="far more than 20,000 histories"):
        relance.game_tree("tic_tac_toe", max_histories=20_000)
