"""What each result in JSON says of its origin."""

import json
import shlex

import pytest
import typer
from conftest import called

import relance
from relance.model.provenance import commit
from relance.pages.commands.main import app

KUHN = "one_card_poker(raises=0)"
LINES = (
    "games kuhn",
    f"score '{KUHN}' uniform",
    f"solve '{KUHN}'",
    "solve openspiel:kuhn_poker",
    "show kuhn --of uniform",
    "verify --paper miao-2014/value",
    "errata --paper ponssard-1974",
    f"match published uniform '{KUHN}' --hands 20 --seed 3",
    f"ask '{KUHN}' uniform --answers 2",
    f"score-games '{KUHN}' games.jsonl --agent uniform",
)
KEYS = {"version", "commit", "date", "command", "game", "seed", "options", "machine", "versions"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("about")
    relance.match(KUHN, "published", "uniform", 400, within=1e-9, log=here / "games.jsonl")
    return here


def test_each_command_that_writes_json_is_tried():
    group = typer.main.get_command(app)
    parameters = {name: [flag for one in group.commands[name].params for flag in one.opts] for name in group.commands}
    assert {name for name, flags in parameters.items() if "--json" in flags} - {"bench"} == {
        one.split()[0] for one in LINES
    }


@pytest.mark.parametrize("line", LINES)
def test_a_result_says_how_it_was_made(line, folder, monkeypatch):
    monkeypatch.chdir(folder)
    out = called(*shlex.split(line), "--json", "-")
    assert out.returncode == 0, out.stderr
    told = json.loads(out.stdout, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    about = told["about"]
    assert about.keys() == KEYS
    assert (about["version"], about["commit"]) == (relance.__version__, commit() or None)
    assert shlex.split(about["command"]) == ["relance", *shlex.split(line), "--json", "-"]
    if "kuhn" in line or KUHN in line:
        assert about["game"] in (str(relance.make(KUHN)), "kuhn_poker()", None)
        assert (about["game"] is None) == line.startswith("games")
    assert about["seed"] == (3 if "--seed" in line else 0 if "seed" in line else None)
    if line.split()[0] in ("ask", "match", "score-games"):
        assert [one["level"] for one in told.get("matches", [told])] == [0.95]


def test_options_are_those_typed_and_those_by_default(folder, monkeypatch):
    monkeypatch.chdir(folder)
    told = json.loads(called("score", "kuhn", "perturbed(0.1)", "--tolerance", "0.01", "--json", "-").stdout)["about"]
    assert {"agent": "perturbed(0.1)", "tolerance": 0.01, "mode": "sample"}.items() <= told["options"].items()
    assert not {"game", "json_file"} & told["options"].keys()


def test_a_solution_in_json_is_still_a_strategy(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for game in ("kuhn", "openspiel:kuhn_poker"):
        assert called("solve", game, "--json", "solved.json", "-o", "plain.json").returncode == 0
        assert called("grade", "solved.json", game).returncode == 0
        assert "about" in json.loads((folder / "solved.json").read_text())
        assert "about" not in json.loads((folder / "plain.json").read_text())


def test_the_hash_is_of_the_prompt():
    from relance.words import TextAgent, renamed_wording

    game = relance.make(KUHN)
    plain, same = (TextAgent(lambda messages: "[check]").settings_in(game) for _ in range(2))
    other = TextAgent(lambda messages: "[check]", retries=1, wording=renamed_wording(game, 3)).settings_in(game)
    assert plain == same
    assert other["retries"] == 1
    assert other["prompt_sha256"] != plain["prompt_sha256"]
    for name in relance.games():
        if (at := relance.make(name)).tree.decisions and name not in ("river", "turn"):
            assert TextAgent(print).settings_in(at)["prompt_sha256"]
