"""Games are found by name, without the import of the others."""

import json
import re
import subprocess
import sys
import time
from threading import Event, Thread

import pytest

import relance
from relance.envs import catalogue
from relance.envs.catalogue import BLUEPRINTS, game_rows, ours
from relance.pages.commands.games import game_lines
from tools.metadata import TABLES, as_text


def test_asking_for_one_game_changes_neither_the_others_nor_their_order():
    code = (
        "import json, sys, relance\nrelance.make('endgame(p=1/3)'); relance.make('one_card_poker')\n"
        "some = [m for m in sys.modules if m.startswith('relance.envs.')]\n"
        "print(json.dumps([some, relance.games(), str(relance.make('ponssard'))]))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    some, names, made = json.loads(out.stdout)
    assert {"relance.envs.ferguson_endgame", "relance.envs.kuhn_miao"} <= {*some}
    assert "relance.envs.liars_dice" not in some
    assert names == [*ours()]
    assert made == str(relance.make("ponssard"))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_the_tables_of_games_and_commands_are_those_of_today(path):
    """If this fails, run `make numbers`."""
    assert path.read_text(encoding="utf-8") == as_text(TABLES[path]())


def test_a_game_that_is_not_in_the_table_is_found(monkeypatch, tmp_path):
    (tmp_path / "games.json").write_text("[]")
    monkeypatch.setattr(catalogue, "TABLE", tmp_path / "games.json")
    assert catalogue._Games()["endgame"] is BLUEPRINTS["endgame"]


def test_two_threads_that_ask_for_games_lose_none(monkeypatch):
    """One asks for a game while the other asks for all."""
    games, found, begun = catalogue._Games(), catalogue._games_of, Event()

    def slowly(files):
        begun.set()
        time.sleep(0.05)
        return found(files)

    monkeypatch.setattr(catalogue, "_games_of", slowly)
    asks = Thread(target=games.__getitem__, args=["leduc"])
    asks.start()
    begun.wait()
    assert [*games] == [*ours()]
    asks.join()
    assert [*games] == [*ours()]


def test_the_list_of_games_names_their_sources():
    listed = " ".join(" ".join(game_lines(game_rows(), 1000)).split())
    assert all(str(spec.source) in listed for spec in BLUEPRINTS.values())


@pytest.mark.parametrize("width", [40, 99, 100, 140])
def test_the_list_of_games_is_whole_at_any_width(width):
    lines = [re.sub(r"\x1b\[\d+m", "", line) for line in game_lines(game_rows(), width)]
    assert max(map(len, lines)) <= width
    words = " ".join(" ".join(lines).split())
    assert all(f"{name} " in words for name in BLUEPRINTS)
    assert len(lines) > 2 * len(BLUEPRINTS)


def test_a_comma_in_a_value_belongs_to_it():
    """Ranges with commas, as solvers write them; what is no value is still refused."""
    with_commas, with_semicolons = (
        relance.make(f"river(ranges=99{c}QJs{c}65s vs KTs{c}TT:1/2,pot=4,bets=1/2{c}1)") for c in ",;"
    )
    assert with_commas == with_semicolons
    with pytest.raises(ValueError, match="has no parameter '2'"):
        relance.make("von_neumann(2)")
    with pytest.raises(ValueError, match="bet='2,3' is not a number"):
        relance.make("von_neumann(bet=2,3)")


def test_names_by_which_others_know_a_game():
    assert relance.make("kuhn") == relance.make("kuhn_poker") == relance.make("one_card_poker", raises=0)
    assert relance.make("leduc_holdem", ranks=4) == relance.make("leduc", ranks=4)
    with pytest.raises(ValueError, match="kuhn has raises=0; make one_card_poker for another value of raises"):
        relance.make("kuhn", raises=1)
    assert str(relance.game_tree("kuhn_poker(players=3)")) == "kuhn_poker(players=3)"  # that of OpenSpiel
