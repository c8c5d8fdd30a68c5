"""`relance score-games` and pictures of logged games."""

import json

import pytest
from typer.testing import CliRunner

import relance
from relance.pages.commands.main import app

KUHN = "one_card_poker(raises=0)"


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "games.jsonl"
    relance.match(relance.make(KUHN), "perturbed(0.2)", "uniform", 200, within=1e-9, log=path)
    return path


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_a_log_is_scored(log, tmp_path):
    page, data = tmp_path / "agent.html", tmp_path / "score.json"
    out = run("score-games", KUHN, log, "--agent", "perturbed(0.2)", "--html", page, "--json", data)
    assert out.exit_code == 0, out.exception
    assert out.stdout.startswith("perturbed(0.2) in one_card_poker(cards=3, raises=0, ante=1, bet=1): 200 hands")
    assert f"the page is in {page}" in out.stdout
    assert "perturbed(0.2)" in page.read_text()
    assert json.loads(data.read_text())["agent"] == "perturbed(0.2)"
    out = run("score-games", KUHN, log, log, "--agent", "perturbed(0.2)", "--opponent", "caller", "--json", "-")
    assert json.loads(out.stdout)["against"][0]["reference_opponent"] == "uniform"


def test_pictures_of_a_log(log, tmp_path):
    for name in ("costs", "strategy"):
        out = run("plot", name, KUHN, "--learned", log, "-o", tmp_path / f"{name}.svg")
        assert out.exit_code == 0, out.exception
        assert "perturbed(0.2)" in (tmp_path / f"{name}.svg").read_text()


def test_what_is_refused(log, tmp_path):
    for arguments, message in (
        (["score-games", KUHN, log], "several agents; name one of them: 'perturbed.0.2.', 'uniform'"),
        (
            ["score-games", "von_neumann", log],
            "nothing in .* can be used: line 1: this is a row of one_card_poker",
        ),
        (["score-games", KUHN, tmp_path / "none.jsonl"], "No such file"),
        (["plot", "costs", KUHN, "-o", tmp_path / "x.svg"], "needs --learned"),
    ):
        with pytest.raises((ValueError, OSError), match=message):
            raise run(*arguments).exception
    assert not list(tmp_path.iterdir())
