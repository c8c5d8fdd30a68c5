"""The examples in the help of every command: each runs as it stands."""

import json
import shlex

import pytest
import typer
from board_rows import ORIGIN
from conftest import called, marked

import relance
from relance.pages.commands.main import app

MINE = """
import numpy as np
import pyspiel, relance
from open_spiel.python.games.kuhn_poker import KuhnPokerGame as KuhnPoker

def bluffer(seen, masks):
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

rng = np.random.default_rng(0)

def model(seen, masks):
    return (rng.random(masks.shape) * masks).argmax(axis=1)

talker = relance.words.TextAgent(lambda messages: "[check]")
"""
"""What the examples call `my_agents` and `my_games`."""

NOT_HERE = {
    "bench": "runs the benchmarks of a checkout",
    "explore": "serves a page until Ctrl-C: tests/pages/commands/test_explore.py",
    "sweep": "takes hours: tests/pages/commands/test_commands_learn.py",
    "http://": "needs a model: tests/words/test_endpoint.py",
    "verify --json": "decides every claim",
}
SLOW = ("--seconds 10", "openspiel:leduc_poker", "verify", "errata", "square", "leaderboard")


def examples():
    group = typer.main.get_command(app)
    parts = [inner for command in group.commands.values() for inner in getattr(command, "commands", {}).values()]
    lines = [line for command in (*group.commands.values(), *parts) for line in (command.epilog or "").split("\n\n")]
    return [line for line in lines if "relance " in line and not any(part in line for part in NOT_HERE)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the examples name."""
    here = tmp_path_factory.mktemp("examples")
    for name in ("my_agents", "my_games"):
        (here / f"{name}.py").write_text(MINE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        patch.setattr("relance.baselines.rows.commit", lambda: ORIGIN["commit"])  # a row of changed files is not ranked
        for line in (
            "solve von_neumann(hands=90) -o profile.json",
            "export one_card_poker -o theirs.efg",
            "match published my_agents:talker one_card_poker --log games.jsonl",
            "train cfr+ one_card_poker --samples 100 -o results.jsonl",
            "ask one_card_poker uniform --answers 1 --json asked.json",
            "match uniform caller one_card_poker --hands 20 --json played.json",
        ):
            assert called(*line.split()).returncode == 0
    leduc = relance.game_tree("leduc_poker").uniform().texts()
    (here / "their_solution.json").write_text(json.dumps({"profile": leduc}))
    return here


@pytest.mark.parametrize("line", marked(examples(), lambda line: any(part in line for part in SLOW)))
def test_it_runs(line, folder, monkeypatch):
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    monkeypatch.chdir(folder)
    said, _, words = line.rpartition("| ")
    _, *arguments = shlex.split(words)
    say = shlex.split(said)[1].encode().decode("unicode_escape") if said else "q\n"
    out = called(*arguments, say=say)
    assert out.returncode == ("their_solution" in line), out.stderr
