"""`relance games`, as a user meets it."""

import json

from test_commands import run

import relance


def test_games_lists_the_registry():
    out = run("games").stdout
    assert all(name in out for name in relance.games())


def test_games_as_json():
    listed = json.loads(run("games", "--json", "-").stdout)["games"]
    assert [entry["name"] for entry in listed] == relance.games()
    assert set(listed[0]["source"]) == {"key", "authors", "title", "year", "where", "published_in"}
    assert all(relance.make(e["name"], **{k: v["default"] for k, v in e["parameters"].items()}) for e in listed)


def test_one_game_is_shown_by_either_name():
    for name in ("one_card_poker", "kuhn"):
        out = run("games", name).stdout
        assert "cards=3  cards in the deck; a whole number from 2" in out
        assert "kuhn_poker is one_card_poker(raises=0)" in out
    assert [row["name"] for row in json.loads(run("games", "leduc_poker", "--json", "-").stdout)["games"]] == ["leduc"]
    assert "there is no game 'kun'; did you mean 'kuhn'?" in run("games", "kun").stderr
