"""Results of models: what they say of the model, and `relance tabulate`."""

import json
import shlex
from pathlib import Path

import pytest
from conftest import called
from endpoint_server import serving
from test_commands import fresh

import relance

KUHN = "one_card_poker(raises=0)"


def test_a_model_is_told_so_that_it_can_be_asked_again_and_tabulated(tmp_path, monkeypatch):
    pytest.importorskip("httpx2", reason="needs the extra words")
    monkeypatch.chdir(tmp_path)
    with serving(lambda messages: "[check]" if "[bet]" in messages[0]["content"] else "[call]") as (address, _):
        model = f"{address}#m"
        line = (
            "ask",
            KUHN,
            model,
            "--answers",
            "2",
            "--temperature",
            "0.5",
            "--max-tokens",
            "64",
            "--answers-file",
            "a.jsonl",
        )
        assert called(*line, "--json", "ask.json").returncode == 0
        assert called(*line, "--json", "ask.json").returncode == 0  # the file of answers goes on
        played = called(
            "match", "published", model, "uniform", KUHN, "--hands", "20", "--budget", "60", "--json", "match.json"
        )
        assert played.returncode == 0, played.stderr
    told = json.loads((tmp_path / "ask.json").read_text())
    (found,) = told["about"]["models"]
    assert (found["model"], found["server"], found["temperature"], found["retries"]) == ("m", address, 0.5, 0)
    assert found["limits"] == {"tries": 5, "seconds": 120.0, "at_once": 8, "max_tokens": 64}
    assert (found["wording"], len(found["prompt_sha256"])) == ("plain", 64)
    first = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])
    assert first["about"]["models"] == [found, found]
    relance.match(KUHN, "published", "uniform", 400, within=1e-9, log="games.jsonl")
    assert called("score-games", KUHN, "games.jsonl", "--agent", "uniform", "--json", "log.json").returncode == 0
    out = called("tabulate", "ask.json", "match.json", "log.json").stdout
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in out.splitlines()]
    assert len(rows) == 2 + 1 + 3 + 1
    assert len({len(row) for row in rows}) == 1
    named = dict(zip(rows[0], rows[2], strict=True))
    assert (named["agent"], named["temperature"], named["answers"]) == (
        model,
        "0.5",
        "24",
    )
    conv = told["nash_conv"]
    assert named["NashConv"] == f"{conv['point']:z.4f} [{conv['low']:z.4f}, {conv['high']:z.4f}]"
    prompts = [dict(zip(rows[0], row, strict=True))["prompt"] for row in rows[2:]]
    assert prompts == [found["prompt_sha256"][:8]] * 2 + ["", found["prompt_sha256"][:8], ""]
    refused = called("tabulate", "a.jsonl")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    for wrong in (
        '{"about": {}}',
        "[]",
        "3",
        '{"about": {}, "matches": 3}',
        '{"about": {}, "agent": "a", "game": "b", "answers": "x", "illegal": 0}',
    ):
        (tmp_path / "other.json").write_text(wrong)
        assert "other.json is no result of ask, match or score-games" in called("tabulate", "other.json").stderr


def test_the_table_of_the_page_is_made_as_it_says(tmp_path, monkeypatch):
    page = (Path(relance.__file__).parents[1] / "docs" / "howto" / "report_a_model.md").read_text()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_agents.py").write_text(page.partition("```python\n")[2].partition("```")[0])
    lines = [line[2:] for line in page.splitlines() if line.startswith("$ relance ")]
    assert len(lines) == 3
    for line in lines:
        out = fresh(*shlex.split(line)[1:], cwd=tmp_path)
        assert out.returncode == 0, out.stderr
    assert out.stdout in page
