"""The notebooks for teaching: they run as scripts, and show what they are there to show."""

import importlib.util
import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import relance

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.py"))


CLASS = Path(__file__).parent.parent / "notebooks" / "class.ipynb"


def printed(cells):
    """What each cell that prints has printed; a kernel may send it in several pieces."""
    streams = [[out["text"] for out in cell.get("outputs", []) if out["output_type"] == "stream"] for cell in cells]
    return ["".join(map("".join, texts)) for texts in streams if texts]


def test_the_notebook_for_a_class_prints_what_is_stored_in_it():
    nbformat = pytest.importorskip("nbformat", reason="needs the group notebooks")
    nbclient = pytest.importorskip("nbclient", reason="needs the group notebooks")
    pytest.importorskip("ipykernel", reason="needs the group notebooks")
    pytest.importorskip("z3", reason="needs the extra proof")
    stored = nbformat.read(CLASS, as_version=4)
    again = nbformat.read(CLASS, as_version=4)
    nbclient.NotebookClient(again, timeout=120, resources={"metadata": {"path": str(CLASS.parent)}}).execute()
    assert printed(again.cells) == printed(stored.cells)
    assert len(printed(stored.cells)) >= 5
    assert any("image/svg+xml" in out.get("data", {}) for cell in again.cells for out in cell.get("outputs", []))


def test_the_links_of_the_notebook_for_a_class_lead_to_files():
    cells = json.loads(CLASS.read_text(encoding="utf-8"))["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert targets
    assert all((CLASS.parent / target).is_file() for target in targets)


def opened(name):
    pytest.importorskip("marimo", reason="needs the extra explore")
    path = next(path for path in NOTEBOOKS if path.stem == name)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_as_a_script(path, tmp_path):
    pytest.importorskip("marimo", reason="needs the extra explore")
    out = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert (out.returncode, out.stderr) == (0, "")


@pytest.mark.parametrize("name", [path.stem for path in NOTEBOOKS])
def test_its_slider_starts_at_a_stop_and_the_picture_is_of_it(name):
    page = opened(name)
    assert page.START in page.STOPS
    assert page.draw(page.START).axes[0].lines


def test_the_right_share_of_bluffs_is_worth_the_value_of_the_game_and_any_other_less():
    page = opened("why_bluff")
    for bet in page.STOPS:
        game = relance.make("von_neumann", bet=bet)
        best = game.printed_numbers()[1]["a"]
        assert page.sure(game, best) == relance.value(game, game.published())
        assert all(page.sure(game, best * k / 4) < page.sure(game, best) for k in (0, 3, 5))


def test_the_reward_is_near_the_value_while_the_gap_stays_and_entropy_mends_it():
    page = opened("self_play")
    plain, mended = (page.learn(bonus)[-10:].mean(axis=0) for bonus in (0, 0.1))
    assert abs(plain[1] - float(relance.value(page.GAME, page.GAME.published()))) < 0.02
    assert plain[2] > 0.25
    assert mended[2] < plain[2] / 1.8


def test_the_printed_strategies_lose_at_every_stop_and_the_corrected_ones_nowhere():
    page = opened("read_a_paper")
    for low in page.STOPS:
        for high in (1, 2, 3, 4):
            found = page.gaps(page.two_bets(low, high))
            assert (found["printed"] > Fraction(1, 100), found["corrected"]) == (True, 0)
    assert page.formulas(page.START).count("\n| ") == 3
