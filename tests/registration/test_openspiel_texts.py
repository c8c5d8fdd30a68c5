"""One door for every text of OpenSpiel: what would end Python is refused, and only what is not known to be good is tried."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest

import relance
from relance.registration import openspiel_texts
from relance.registration.openspiel_texts import load_openspiel

ROOT = Path(relance.__file__).parent
LOADS = ("load_game", "load_game_as_turn_based", "deserialize_game_and_state")
KILLER = "hanabi(players=99)"


@pytest.fixture
def no_child(monkeypatch):
    def started(*arguments, **options):
        raise AssertionError("a child was started")

    monkeypatch.setattr(subprocess, "run", started)


@pytest.fixture
def forgotten():
    openspiel_texts._harm.cache_clear()
    yield
    openspiel_texts._harm.cache_clear()


def test_the_package_has_no_other_door():
    found = [
        (path.name, node.attr)
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in LOADS
    ]
    assert {name for name, _ in found} == {"openspiel_texts.py"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (KILLER, "it ends Python"),
        ("universal_poker(numPlayers=-1)", "it ends Python, by SIG(ABRT|SEGV)$"),
        ("yacht(players=-1)", "players=-1 must be from 1 to 10$"),
        ("misere(game=goofspiel(players=0))", "players=0 must be from 2 to 10$"),
        ("misere(game=hanabi(players=99))", "it ends Python"),
        ("liars_dice(numdice=1000000000)", "it takes more than 2 GiB of memory"),
        ("kuhn_poker(cards=3)", "Unknown parameter 'cards'"),
        ("kuhn_poker(players=3", "Missing closing bracket"),
        ("kuhn_poker(players=\ud800)", "characters that cannot be printed"),
        ("kuhn_poker(players=\x00)", "characters that cannot be printed"),
        (f"kuhn_poker(players={'9' * 60_000})", "it has 60,020 characters; at most 50,000 are allowed"),
        ("relance_von_neumann(hands=\ud800)", "characters that cannot be printed"),
        ("capture_the_flag(grid=é)", "Grid contains illegal characters|grid|it "),
        ("misere", "Missing parameter|game"),
    ],
)
def test_bad_texts_are_refused_in_a_line(text, why, capfd):
    with pytest.raises(ValueError, match=f"OpenSpiel cannot load .*{why}") as error:
        load_openspiel(text)
    assert "\n" not in str(error.value)
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_text_that_waits_for_ever_is_refused(tmp_path, monkeypatch, forgotten):
    os.mkfifo(tmp_path / "game.efg")
    monkeypatch.setattr(openspiel_texts, "PATIENCE", 0.5)
    with pytest.raises(ValueError, match=r"it takes more than 0\.5 seconds"):
        load_openspiel(f"efg_game(filename={tmp_path / 'game.efg'})")


@pytest.mark.parametrize("text", ["kuhn_poker", "leduc_poker()", "relance_von_neumann(hands=9)"])
def test_what_is_known_to_be_good_needs_no_child(text, no_child):
    assert load_openspiel(text).num_players() == 2


def test_a_text_is_tried_once(forgotten, monkeypatch):
    assert load_openspiel("kuhn_poker(players=3)").num_players() == 3
    monkeypatch.setattr(subprocess, "run", None)
    assert load_openspiel("kuhn_poker(players=3)").num_players() == 3


def test_a_game_that_the_user_registered_in_python_is_loaded_here(forgotten):
    """No fresh interpreter knows it, whether it is named by itself or inside another game."""

    class Mine(type(pyspiel.load_game("relance_one_card_poker"))):
        pass

    kind = pyspiel.load_game("relance_one_card_poker").get_type()
    mine = pyspiel.GameType(
        "mine_of_the_test", "Mine", kind.dynamics, kind.chance_mode, kind.information, kind.utility,
        kind.reward_model, 2, 2, True, True, True, True, parameter_specification=kind.parameter_specification,
    )  # fmt: skip
    made = type("Mine", (Mine,), {"game_type": mine})
    pyspiel.register_game(mine, made)
    assert load_openspiel("mine_of_the_test(cards=4)").max_chance_outcomes() == 4
    assert "mine_of_the_test" in str(load_openspiel("misere(game=mine_of_the_test(cards=4))"))


def test_games_of_openspiel_in_python_are_tried_too():
    assert load_openspiel("python_kuhn_poker").num_players() == 2
    assert load_openspiel("misere(game=python_kuhn_poker())").num_players() == 2
    assert "relance_one_card_poker" in str(load_openspiel("misere(game=relance_one_card_poker(cards=3))"))


def test_ctrl_c_ends_the_trial(tmp_path):
    """The child is in the terminal's group too, and Python waits no longer for it."""
    code = (
        "import os, signal, threading\n"
        "from relance.registration.openspiel_texts import load_openspiel\n"
        f"os.mkfifo({str(tmp_path / 'pipe')!r})\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        f"    load_openspiel('efg_game(filename={tmp_path / 'pipe'})')\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert ended.stdout == "stopped\n", ended.stderr
