"""`relance games`, as a user meets it."""

import json

from test_commands import run

import relance


def test_games_lists_the_registry():
    out = run("games").stdout
    assert all(name in out for name in relance.games())


def test_games_as_json():
    listed = json.loads(run("games", "--json", "-").stdout)
    assert [entry["name"] for entry in listed] == relance.games()
    assert set(listed[0]["source"]) == {"key", "authors", "title", "year", "where", "published_in"}
    assert all(relance.make(e["name"], **{k: v["default"] for k, v in e["parameters"].items()}) for e in listed)
