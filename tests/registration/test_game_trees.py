"""The one way in: games of OpenSpiel, Gambit's files and Relance give the same object; what cannot be read is refused."""

import re
from fractions import Fraction

import pyspiel
import pytest
from conftest import FINITE, marked, repeats
from open_spiel.python import policy as open_spiel_policy
from open_spiel.python.algorithms import exploitability

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.model.game_tree import TerminalNode
from relance.registration.efg_file import write_efg
from relance.registration.game_trees import game_tree
from relance.registration.openspiel_trees import (
    fraction_meant,
    fractions_meant,
    policy_on_openspiel,
    profile_of_openspiel,
)
from relance.solvers.exact import nash_conv
from relance.solvers.tree_values import judge

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
    found = judge(tree, "uniform")
    assert values == pytest.approx([float(v) for v in found.values], abs=1e-12)
    theirs = exploitability.nash_conv(tree.source, open_spiel_policy.UniformRandomPolicy(tree.source))
    assert theirs == pytest.approx(float(found.nash_conv), abs=1e-12)
    assert profile_of_openspiel(tree, policy).texts() == tree.uniform().texts()
    again = game_tree(write_efg(tree))
    assert (again.by_name, again.endings, again.sum) == (tree.by_name, tree.endings, tree.sum)


FEW_HANDS = [game for game in FINITE if max(game.deal.size(0), game.deal.size(1)) <= 40 and game.deal.is_exact]


@pytest.mark.parametrize("game", marked(FEW_HANDS, repeats), ids=str)
def test_relances_games_give_the_same_object(game):
    assert judge(game_tree(game), "uniform").nash_conv == nash_conv(game, game.uniform())


def test_gambit_files(tmp_path):
    text = """EFG 2 R "a \\"title\\"" { "A" "B" } "a comment"
    c "" 1 "" { "x" 1/3 "y" 2/3 } 1 "bonus" { 1, -1 }
    p "" 1 7 { "l" "r" } 0
    t "" 2 "" { 0.5 -.5 }
    p "" 2 1 "" { "a" "a" } 0
    t "" 2
    t "" 0
    p "" 1 7 0
    t "" 3 "big" { 1e1, 0 }
    t "" 3"""
    path = tmp_path / "mine.efg"
    path.write_text(text)
    for source in (text, str(path), path):
        tree = game_tree(source)
        assert (tree.title, tree.players, tree.histories) == ('a "title"', 2, 9)
        assert tree.by_name.keys() == {"(set 7)", "(set 1)"}
        assert tree.by_name["(set 1)"].actions == ("a (1)", "a (2)")
        assert tree.endings[2, 1] == (Fraction(1, 2), Fraction(-1, 2))
        assert tree.endings[2, 2] == (Fraction(1, 3), Fraction(-1, 3))
        assert tree.endings[1, 0] == (Fraction(1, 2) + Fraction(22, 3), Fraction(-1, 2) - Fraction(2, 3))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("EFG 2", "NFG 1", "no game 'NFG 1"),
        ("2/3", "1/3", "at the start: probabilities must be at least 0 and sum to 1"),
        ('1 { "l" "r" }', "1", "uses information set 1 before its actions"),
        ("{ 1, -1 }", "", "uses outcome 1 before its payoffs"),
        ("{ 2, -2 }", "{ 2 }", "an outcome of the .efg file has 1 payoffs for 2 players"),
        ("p", "q", "a node of kind 'q'; c, p and t are known"),
        ('p "" 1', 'p "" 3', "player 3 acts; it names 2 players"),
        ('t "" 2 "" { 2, -2 }', "", "the .efg file needs word after"),
    ],
)
def test_a_damaged_gambit_file_is_refused(old, new, message):
    text = 'EFG 2 R "" { "A" "B" }\nc "" 1 "" { "x" 1/3 "y" 2/3 } 0\nt "" 1 "" { 1, -1 }\np "" 1 1 { "l" "r" } 0\n'
    text += 't "" 1\nt "" 2 "" { 2, -2 }'
    assert game_tree(text).histories == 5
    assert old in text
    with pytest.raises(ValueError, match=re.escape(message)):
        game_tree(text.replace(old, new))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("goofspiel", "has simultaneous moves.*pyspiel.convert_to_turn_based"),
        ("chess", "far more than 5,000,000 histories"),
        ("backgammon", "does not tell what a player knows"),
        ("mfg_crowd_modelling", "is a mean-field game"),
        ("kuhn_pokr", "OpenSpiel has no game 'kuhn_pokr'; did you mean 'kuhn_poker'"),
        ("kuhn_poker(players=99)", "OpenSpiel cannot load"),
        ("bridge_uncontested_bidding", "samples its chance and does not tell the probabilities"),
        ("liars_dice_ir(numdice=1,dice_sides=3)", "after .*: information set '.*' of player 1 forgets: .* has played"),
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
    assert game_tree(pyspiel.convert_to_turn_based(pyspiel.load_game("matching_pennies_3p"))).players == 3
    assert game_tree(TerminalNode(3)).endings == {(0, 0): (3, -3)}
    with pytest.raises(ValueError, match="more than 20 histories"):
        game_tree(game, most=20)
    with pytest.raises(TypeError, match="source=3 must be a game of OpenSpiel or Relance"):
        game_tree(3)
    assert {name.partition("(")[0] for name in SMALL} & BLUEPRINTS.keys() == {"liars_dice"}
    assert game_tree("liars_dice").source == relance.make("liars_dice")  # a name that both have is Relance's


def test_floats_are_read_as_the_fractions_meant():
    for p in (Fraction(1, 3), Fraction(2, 7), Fraction(1, 10), Fraction(999_999, 10**6), Fraction(-5, 2), Fraction(0)):
        assert fraction_meant(float(p)) == p
    assert fraction_meant(1 / 6 * (1 / 5)) == Fraction(1, 30)
    assert fraction_meant(2**-0.5) is None
    assert fraction_meant(float("inf")) is None
    assert fractions_meant("s", {"a": 1 / 3, "b": 2 / 3}) == {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    law = fractions_meant("s", {"a": 2**-0.5, "b": 1 - 2**-0.5})
    assert sum(law.values()) == 1
    assert float(law["a"]) == 2**-0.5
    for bad in ({"a": 0.5, "b": 0.4}, {"a": 1.5, "b": -0.5}, {"a": float("nan"), "b": 1.0}):
        with pytest.raises(ValueError, match="at 's' the probabilities .* are no law"):
            fractions_meant("s", bad)


def test_chance_that_is_no_fraction_is_refused():
    class Odd:
        """A state that tells a chance of 1/sqrt(2)."""

        def history(self):
            return [3]

        def get_game(self):
            return "odd"

    from relance.registration.openspiel_trees import _meant

    with pytest.raises(ValueError, match=r"odd, after the actions 3: the probability 0.7071.* means no fraction"):
        _meant(Odd(), 2**-0.5, "probability")


def test_policies_of_other_games_are_refused():
    kuhn, leduc = game_tree("kuhn_poker"), game_tree("leduc_poker")
    with pytest.raises(ValueError, match="the policy is not one of leduc_poker|are no law"):
        profile_of_openspiel(leduc, policy_on_openspiel(kuhn, kuhn.uniform()))
    with pytest.raises(ValueError, match="was not read from OpenSpiel"):
        policy_on_openspiel(game_tree(write_efg(kuhn)), kuhn.uniform())
