"""Training and sweeps on the command line, as a user meets them."""

import pytest
from conftest import called

NAME = "approaching:moving"

GAME = "one_card_poker(raises=0)"


run = called


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train"], "name an algorithm and a game"),
        (["train", "cfr+"], "name an algorithm and a game"),
        (["train", "cfrplus", GAME], "there is no algorithm 'cfrplus'"),
        (["train", "cfr+", "von_neuman"], "did you mean 'von_neumann'"),
        (["train", "cfr+", "von_neumann"], "infinitely many hands"),
        (["train", "cfr+", GAME, "--seed", "9" * 20], "must be a whole number from 0 to 2147483647"),
        (["train", "cfr+", GAME, "--seconds", "0"], "seconds=0.0 must be a number above 0"),
        (["train", "cfr+", GAME, "--set", "method"], "--set method must be name=value"),
        (["train", "cfr+", GAME, "--set", "metod=cfr"], "did you mean 'method'"),
        (
            ["train", NAME, GAME, "--set", "always=perhaps"],
            "always='perhaps' of approaching:moving must be True or False",
        ),
        (["train", "cfr+", GAME, "-o", "/nowhere/x.json"], "no folder /nowhere"),
        (["leaderboard", "/nowhere/x.jsonl", "-o", "x.md"], "there is no file of results /nowhere/x.jsonl"),
        (["leaderboard", "/nowhere/x.jsonl", "-o", "/nowhere/x.md"], "there is no folder /nowhere"),
    ],
)
def test_mistakes_are_one_line_and_status_2(arguments, message):
    if arguments[0] == "leaderboard":
        pytest.importorskip("matplotlib", reason="needs the extra plot")
    out = run(*arguments)
    assert out.returncode == 2
    assert message in out.stderr
    assert len(out.stderr.strip().splitlines()) == 1
    assert not out.stdout


@pytest.mark.parametrize("command", ["train", "sweep", "leaderboard"])
def test_every_help_has_an_example(command):
    out = run(command, "--help")
    assert out.returncode == 0
    assert "relance " + command in " ".join(out.stdout.replace("│", " ").split())
