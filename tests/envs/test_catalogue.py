"""Games are found by name, without the import of the others."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import relance
from relance.envs.catalogue import BLUEPRINTS, ours
from relance.pages.commands.games import LIST, game_lines, game_rows, list_text


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


def test_the_name_of_each_game_stands_in_its_file():
    here = Path(relance.__file__).parent / "envs"
    texts = [path.read_text(encoding="utf-8") for path in here.glob("[a-z]*.py")]
    assert all(any(f'"{name}"' in text for text in texts) for name in ours())


def test_the_list_of_games_is_that_of_today():
    """If this fails, run `make numbers`."""
    assert LIST.read_text(encoding="utf-8") == list_text(game_rows())
    listed = " ".join(" ".join(game_lines(game_rows(), 1000)).split())
    assert all(str(spec.source) in listed for spec in BLUEPRINTS.values())


@pytest.mark.parametrize("width", [40, 99, 100, 140])
def test_the_list_of_games_is_whole_at_any_width(width):
    lines = [re.sub(r"\x1b\[\d+m", "", line) for line in game_lines(game_rows(), width)]
    assert max(map(len, lines)) <= width
    words = " ".join(" ".join(lines).split())
    assert all(f"{name} " in words for name in BLUEPRINTS)
    assert len(lines) > 2 * len(BLUEPRINTS)
