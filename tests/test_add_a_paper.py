"""The page that shows how to add a paper, followed word by word in a copy of the package."""

import filecmp
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "howto" / "add_a_paper.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r'^```\w+ title="(relance/[\w/.]+)[^\n]*\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = re.findall(r"^\$ (.*?) *(?:#.*)?$", PAGE, re.MULTILINE)
COPIED = ["relance", "tests", "tools", "docs", "paper"]
MENDED = ["README.md", "CITATION.cff"]
FILLED = ["docs/games.md", "docs/sentences.md", "paper/paper.md"]
TESTS = [
    "tests/claims/test_ledger.py",
    "tests/test_docs.py",
    "tests/test_readme.py",
    "tests/envs",
    "tests/registration/test_openspiel.py",
]
TESTED = "three_cards or your-paper or of_today or unique or stand_with"


@pytest.fixture
def copy(tmp_path):
    """A copy of the package and what stands beside it, with the mark of an environment that is installed."""
    for place in ROOT.iterdir():
        if place.is_dir() and place.name in COPIED:
            shutil.copytree(place, tmp_path / place.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif place.is_dir() and place.name[0] != ".":
            (tmp_path / place.name).symlink_to(place)
        elif place.is_file():
            shutil.copy(place, tmp_path)
    (tmp_path / ".venv").mkdir()
    for name in (".python", ".proof", ".test"):
        (tmp_path / ".venv" / name).touch()
    return tmp_path


def changed(copy):
    """The files of the copy that are new or not as they were."""
    found = [
        path
        for name in COPIED
        for path in (copy / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    names = [path.relative_to(copy) for path in found] + [Path(name) for name in MENDED]
    return {
        name.as_posix()
        for name in names
        if not (ROOT / name).exists() or not filecmp.cmp(copy / name, ROOT / name, shallow=False)
    }


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="the page uses make")
def test_a_paper_is_one_file_and_one_folder(copy):
    pytest.importorskip("z3", reason="needs the extra proof")
    for name, text in FILES.items():
        path = copy / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(*words):
        environment = {**os.environ, "PYTHONPATH": str(copy)}
        out = subprocess.run(words, cwd=copy, env=environment, capture_output=True, text=True)
        assert out.returncode == 0, out.stdout[-3000:] + out.stderr[-2000:]
        return out.stdout

    said = []
    for program, *words in map(shlex.split, COMMANDS):
        if program == "make":
            said.append(run("make", f"BIN={Path(sys.executable).parent}", *words))
        else:
            said.append(run(sys.executable, "-m", program, *words))
    assert "6 of 6 errors caught" in said[0]
    assert "1 claim of 1 paper" in said[0]
    assert changed(copy) == {
        *FILES,
        *MENDED,
        *FILLED,
        "relance/claims/goals.txt",
        "relance/envs/games.json",
        "tests/playthroughs/relance_three_cards.txt",
    }
    run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *TESTS, "-k", TESTED)
