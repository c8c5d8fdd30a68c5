"""Games of one's own: registered, by import path on the command line, and in other processes."""

import os
import pickle
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from fuzz.odd_games import odd_blueprint, registered_and_used
from hypothesis import given
from hypothesis import strategies as st

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.model.blueprint import Blueprint, Printed, Source
from relance.model.distributions import cards, distinct_cards, joint_distribution
from relance.model.game import build
from relance.model.parameters import ANTE
from relance.model.tree import BettingTree, Decision, Leaf, decision, facing_a_bet, showdown
from relance.play.batch import Batch
from relance.registration.own_games import own

MODULE = """
from fractions import Fraction
import relance
from relance.model.blueprint import Blueprint, Source
from relance.model.distributions import cards
from relance.model.parameters import ANTE, Chips
from relance.model.tree import BettingTree, decision, facing_a_bet, showdown

def half_street(ante, bet):
    return BettingTree(decision(0, check=showdown(ante), bet=facing_a_bet(1, ante, [bet]))), cards(["Q", "K", "A"])

KINDS = {"ante": ANTE, "bet": Chips(Fraction(1), "chips of the bet")}
HALF_STREET = Blueprint("half_street", "One bet", Source("me", "A", "T", 2026, "1"), KINDS, half_street)
TAKEN = Blueprint("von_neumann", "One bet", HALF_STREET.source, KINDS, half_street)
"""


@pytest.fixture(autouse=True)
def as_before():
    before = dict(BLUEPRINTS)
    yield
    BLUEPRINTS.clear()
    BLUEPRINTS.update(before)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "my_games.py").write_text(MODULE)
    return tmp_path


def run(folder, *words):
    path = os.pathsep.join([str(Path(relance.__file__).parents[1]), *sys.path])
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=folder, env={**os.environ, "PYTHONPATH": path}
    )


BY_NAME = """
pyspiel.load_game("relance_half_street(bet=2)")
assert gymnasium.make("relance/HalfStreet-v0", bet=2).unwrapped.game == relance.make("half_street(bet=2)")
assert gymnasium.make("relance/half_street-v0").reset(seed=0)
assert gymnasium.make_vec("relance/HalfStreet-v0", num_envs=2).reset(seed=0)
assert pettingzoo.make("aec", "relance/half_street-v0", bet=2).game.parameters["bet"] == 2
assert relance.openspiel.relance_game(pyspiel.load_game("relance_half_street")) == relance.make("half_street")
"""


@pytest.mark.parametrize("first", ["registered", "frameworks"])
def test_it_is_known_by_name_in_every_framework(folder, first):
    """Whichever comes first: the framework, or the game."""
    steps = [
        "import relance, my_games\nrelance.register(my_games.HALF_STREET)",
        "import gymnasium, pettingzoo, pyspiel",
    ]
    steps = steps if first == "registered" else ["import relance", *steps[::-1]]
    out = run(folder, "-c", "\n".join([*steps, BY_NAME]))
    assert out.returncode == 0, out.stderr


def test_without_registration_it_works_in_openspiel_and_travels(folder):
    """`openspiel.load` needs no name, and a pickle brings the game to a process that has never heard of it."""
    make = "import pickle, relance, my_games; game = relance.model.game.build(my_games.HALF_STREET, bet='1/2');"
    send = "open('game', 'wb').write(pickle.dumps(relance.openspiel.load(game)))"
    assert run(folder, "-c", make.replace("relance,", "relance, relance.model.game,") + send).returncode == 0
    out = run(folder, "-c", "import pickle; print(pickle.loads(open('game', 'rb').read()))")
    assert out.stdout.strip() == "relance_half_street(ante=2,bet=1,players=2)"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "my_games:HALF_STREET(bet=1/2)"], "half_street(ante=1, bet=1/2)"),
        (["solve", "my_games:HALF_STREET(bet=1/2)"], "value 1/20 chips"),
    ],
)
def test_the_command_line_takes_its_import_path(folder, words, said):
    out = run(folder, "-m", "relance", *words)
    assert said in out.stdout, out.stderr


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("my_games:NOPE", "has no attribute 'NOPE'"),
        ("no_games:NOPE", "No module named 'no_games'"),
        ("my_games:KINDS", "it must be a Blueprint, not dict"),
        ("my_games:TAKEN", "there is a game 'von_neumann' already, of relance.envs"),
        ("my_games:HALF_STREET(bet=-1)", "bet=-1 must be above 0"),
    ],
)
def test_wrong_paths(folder, monkeypatch, path, message):
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "my_games", raising=False)
    with pytest.raises(ValueError, match=message):
        relance.make(own(path))


def test_only_a_user_names_modules():
    """What a file or an address says is never run."""
    for text in ("my_games:HALF_STREET", "os:path"):
        with pytest.raises(ValueError, match="there is no game"):
            relance.make(text)
    assert own("von_neumann(bet=2)") == "von_neumann(bet=2)"
    assert own("openspiel:leduc_poker") == "openspiel:leduc_poker"
    spot = "river(board=Ks9d7h4c2s, ranges=99;QJs vs TT:1/2)"
    assert own(spot) == spot


def one_card(ante):
    return BettingTree(decision(0, check=showdown(ante), fold=showdown(ante))), cards(["Q", "K"])


def own_distribution(joint, edge=((0, -1), (1, 0))):
    return tiny("bad_game", lambda ante: (one_card(ante)[0], joint_distribution("ab", "ab", joint, edge)))


def own_tree(root):
    return tiny("bad_game", lambda ante: (BettingTree(root()), cards(["Q", "K"])))


def cycle():
    children = [Leaf(1)]
    children.append(Decision(1, ("stop", "go"), children))
    return Decision(0, ("stop", "go"), children)


def two_cards(ante):
    return BettingTree(decision(0, check=showdown(ante), fold=showdown(ante))), cards(["Q", "K", "A"])


SOURCE = Source("me", "A", "T", 2026, "1")


def tiny(name, make=one_card):
    return Blueprint(name, "Tiny", SOURCE, {"ante": ANTE}, make)


def test_a_cell_can_be_run_again():
    """A blueprint of the same module takes the place of the old one, also where games had been compiled."""
    import gymnasium
    import pyspiel

    for make, hands in ((one_card, 2), (two_cards, 3)):
        relance.register(tiny("tiny_game", make))
        assert len(pyspiel.load_game("relance_tiny_game").new_initial_state().chance_outcomes()) == hands
        assert gymnasium.make("relance/TinyGame-v0", opponent="uniform").unwrapped.rules.deal.size(0) == hands
        assert Batch("tiny_game", 2).game == relance.make("tiny_game")
    assert build(tiny("tiny_game")) != relance.make("tiny_game")


@pytest.mark.parametrize(
    ("item", "error"),
    [
        (tiny("von_neumann"), "there is a game 'von_neumann' already"),
        (tiny("My Game"), "name='My Game' must be lower-case"),
        (tiny("bad_game", lambda ante: 1 / 0), "division"),
        ("von_neumann", "blueprint='von_neumann' must be a Blueprint"),
        (
            own_distribution([[1, 0], [0, 1]]),
            r"bad_game\(ante=1\): player 0's hands have the total probability 2, not 1; divide each probability by the total",
        ),
        (own_distribution([[0.25, 0], [0, 0.25]]), "hands have the total probability 1/2, not 1"),
        (
            own_distribution([[-1, 1], [1, 0]]),
            "hands 'a' of player 0 and 'a' of player 1 have the probability -1; it must be",
        ),
        (own_distribution([[1, 0], [0, 0]], [[5, 0], [0, 0]]), "= 5, not from -1 to 1"),
        (own_tree(lambda: decision(0, go=decision(1))), "node 'go': player 1 has no action"),
        (own_tree(lambda: decision(0, go=decision(2, fold=Leaf(1)))), "node 'go': player 2 does not exist"),
        (own_tree(lambda: decision(0, go=Leaf(float("nan")))), "node 'go', constant: nan must be a finite number"),
        (own_tree(cycle), "comes after itself, so a play might never end"),
        (own_tree(lambda: decision(0, go=showdown(1, flip=2))), "its defaults: flip=2 must be between 0 and 1"),
        (
            tiny("bad_game", lambda ante: (one_card(ante)[0], distinct_cards(-1))),
            "cards -1 must be a whole number from 2",
        ),
        (tiny("bad_game", lambda ante: one_card(ante)[0]), "cannot be made with its defaults: TypeError"),
        (
            replace(
                tiny("bad_game", lambda ante: (one_card(ante)[0], distinct_cards(int(ante)))), samples=[{"ante": 1}]
            ),
            "its defaults: the deck's number of cards 1 must be",
        ),
        (
            replace(
                tiny("bad_game", lambda ante: (one_card(ante)[0], distinct_cards(4 - int(ante)))), samples=[{"ante": 3}]
            ),
            r"cannot be made with the sample \{'ante': 3\}: the deck's number of cards 1 must be",
        ),
        (
            replace(
                own_tree(lambda: decision(0, check=showdown(1), fold=Leaf(-1))),
                printed=[Printed(SOURCE, {}, lambda symbols, tree: {"": {"fold": 1}})],
            ),
            r"bad_game\(ante=1\): the printed strategies are no equilibrium; their NashConv is 1, and at most 0 is allowed",
        ),
    ],
)
def test_what_cannot_be_registered_changes_nothing(item, error):
    before = dict(BLUEPRINTS)
    with pytest.raises((ValueError, TypeError, ZeroDivisionError), match=error):
        relance.register(item)
    assert before == BLUEPRINTS


def test_stakes_and_edges_in_floats_are_solved_exactly():
    """The twin in fractions has the same tree and distribution, and so the same value."""

    def value(stake, edge):
        def made(ante):
            tree = BettingTree(decision(0, check=showdown(ante), bet=facing_a_bet(1, ante, [stake])))
            half, hands = 1 / 2, ["a", "b"]
            return tree, joint_distribution(hands, hands, [[half, 0], [0, half]], [[edge, 0], [0, -edge]])

        game = build(relance.register(tiny("float_game", made)))
        return relance.value(game, relance.solve(game))

    assert value(1.5, 0.1) == value(np.float64(1.5), np.float32(0.1)) == value(Fraction(3, 2), Fraction(1, 10))


@given(st.integers(0, 2**64))
def test_an_odd_game_is_refused_in_a_sentence_or_works(seed):
    """Numbers and names as people write them, and some that are none: what `register` takes does not fail later."""
    try:
        wrong = registered_and_used(odd_blueprint(random.Random(seed)))
    except ValueError as error:
        wrong = "" if str(error) else "refused without a word"
    assert wrong == ""


def test_a_twin_does_not_take_the_place_of_a_game_in_openspiel():
    import pyspiel

    with pytest.raises(ValueError, match="another game is called 'von_neumann'"):
        relance.openspiel.load(build(tiny("von_neumann")))
    assert pickle.loads(pickle.dumps(pyspiel.load_game("relance_von_neumann"))).num_distinct_actions() == 4
