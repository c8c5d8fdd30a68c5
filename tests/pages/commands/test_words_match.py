"""`relance match`, as a user meets it."""

import json


def test_the_command(tmp_path):
    from typer.testing import CliRunner

    from relance.pages.commands.main import app

    run = CliRunner().invoke
    log = tmp_path / "log.jsonl"
    out = run(app, ["match", "published", "uniform", "one_card_poker", "--hands", "2000", "--log", str(log)])
    assert (out.exit_code, out.stdout.splitlines()[2]) == (0, "  decided     published wins")
    assert all(json.loads(line)["version"] == 1 for line in log.read_text().splitlines())
    out = run(app, ["match", "published", "uniform", "passive", "one_card_poker", "--hands", "1e3"])
    assert out.exit_code == 0
    assert "1 published" in out.stdout
    for wrong, message in (
        (["published", "one_card_poker"], "name two agents or more"),
        (["published", "uniform", "uniform", "one_card_poker"], "must have different names"),
        (["published", "uniform", "caller", "one_card_poker", "--log", str(log)], "is not a folder"),
    ):
        assert message in str(run(app, ["match", *wrong]).exception)
