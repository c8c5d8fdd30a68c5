"""The page that shows how to compare a learner with ours, followed word by word, on one game and with a second where it says thirty."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "howto" / "compare_your_learner.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [shlex.split(line) for line in re.findall(r"^\$ relance (.*)$", PAGE, re.MULTILINE)]
COMMAND = Path(sys.executable).with_name("relance")  # `python -m` would also find modules in the current folder


@pytest.mark.slow
def test_the_learner_of_the_page_is_trained_and_ranked_and_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    (tmp_path / "mine.py").write_text(BLOCKS[0], encoding="utf-8")
    results = tmp_path / "docs" / "results"
    results.mkdir(parents=True)
    rows = (ROOT / "docs" / "results" / "board.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    ours = [row for row in rows if '"one_card_poker(cards=3, raises=0, ante=1, bet=1)"' in row]
    (results / "board.jsonl").write_text("".join(ours), encoding="utf-8")  # one game is enough, and drawn soon

    def relance(*words):
        words = ["1" if before == "--seconds" else word for before, word in zip(("", *words), words, strict=False)]
        out = subprocess.run([COMMAND, *words], cwd=tmp_path, capture_output=True, text=True)
        assert out.returncode == 0, out.stdout[-2000:] + out.stderr[-2000:]

    def clean(name):
        """As if this checkout had no changes, which keep rows from being ranked."""
        path = tmp_path / name
        path.write_text(path.read_text(encoding="utf-8").replace("-dirty", ""), encoding="utf-8")

    trained = [words for words in COMMANDS if words[0] == "train"]
    others = [words for words in COMMANDS if words[0] != "train"]
    assert {words[0] for words in others} >= {"leaderboard", "plot"}
    for words in trained:
        relance(*words)
    clean("mine.jsonl")
    for words in others:
        if all((tmp_path / word).exists() for word in words if word.endswith(".jsonl")):
            relance(*words)
    relance("train", "mine:MINE", "one_card_poker(raises=0)", "--samples", "2000", "-o", "sent.jsonl")
    clean("sent.jsonl")
    relance("leaderboard", "sent.jsonl", "-o", "sent.md", "--check", "100000", "--import", "mine")
    board = (tmp_path / "board.md").read_text(encoding="utf-8")
    assert re.search(r"^\| mine:MINE.\(ent_coef=0.1\) \|", board, re.MULTILINE)
    assert "<svg" in (tmp_path / "costs.svg").read_text(encoding="utf-8")
