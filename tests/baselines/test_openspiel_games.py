"""Games of OpenSpiel itself in runs: read, refused, played and scored."""

import pytest

import relance
from relance.baselines import runs
from relance.baselines.algorithms import check_playable
from relance.baselines.openspiel_games import any_game, games_of, states
from relance.baselines.rows import as_row, as_text, read_results
from relance.baselines.sweep import tasks

LEDUC = "openspiel:leduc_poker"


@pytest.mark.parametrize(
    ("name", "samples"), [("openspiel_cfr", 400_000), ("openspiel_cfr_plus", 400_000), ("openspiel_mccfr", 48_000)]
)
def test_tabular_algorithms_learn_leduc_poker(name, samples):
    run = runs.train(name, any_game(LEDUC), samples=samples, at_samples=())
    assert 0 < run.points[-1].nash_conv < 4.7472 / 2  # half of uniform play's


def test_uniform_play_has_the_nash_conv_that_is_known():
    """4.747222 is in OpenSpiel's own tests, in `exploitability_test.py`."""
    run = runs.train("openspiel_cfr", any_game(LEDUC), samples=1, at_samples=())
    assert run.points[-1].nash_conv == pytest.approx(4.747222, abs=1e-6)


def test_its_size():
    leduc = any_game(LEDUC)
    assert len(states(leduc)) == 936
    assert games_of(leduc.load()) == 5520
    assert str(any_game(str(leduc))) == str(leduc) == "openspiel:leduc_poker()"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("openspiel:leduc_pokr", "OpenSpiel has no game 'leduc_pokr'.*leduc_poker"),
        ("openspiel:kuhn_poker(cards=3)", "OpenSpiel cannot load .*cards"),
        ("openspiel:kuhn_poker(players=3)", "has no two players, which learners need"),
        ("openspiel:blackjack", "has no two players and no zero sum and no information state tensor"),
        ("openspiel:goofspiel", "has no turns"),
        ("leduc_pokr", "no game 'leduc_pokr'"),
    ],
)
def test_games_that_cannot_be_played(text, message):
    with pytest.raises(ValueError, match=message):
        any_game(text)


def test_who_cannot_play_it():
    with pytest.raises(
        ValueError,
        match=r"mmd learns only games of Relance; algorithms that can learn openspiel:leduc_poker\(\) are .*openspiel_cfr",
    ):
        check_playable("mmd", any_game(LEDUC))


def test_its_rows(tmp_path):
    """A row keeps its scores and no policy, and is read again."""
    row = as_row(runs.train("openspiel_cfr_plus", any_game(LEDUC), samples=20_000, at_samples=()))
    assert row["policy"] is None
    path = tmp_path / "rows.jsonl"
    path.write_text(as_text(row))
    assert read_results(path)[0][0]["game"] == "openspiel:leduc_poker()"
    path.write_text(as_text(row).replace("leduc_poker", "leduc_pokr"))
    with pytest.raises(ValueError, match="the row's game cannot be made: OpenSpiel has no game 'leduc_pokr'"):
        read_results(path)


@pytest.mark.parametrize("name", ["hanabi(players=99)", "universal_poker(numPlayers=-1)"])
def test_a_strangers_row_and_plan_do_not_end_python(name, tmp_path):
    row = as_row(runs.train("openspiel_cfr_plus", any_game(LEDUC), samples=20_000, at_samples=())) | {
        "game": f"openspiel:{name}"
    }
    path = tmp_path / "rows.jsonl"
    path.write_text(as_text(row | {"key": runs.key_of(row)}))
    with pytest.raises(ValueError, match="the row's game cannot be made: OpenSpiel cannot load .*ends Python"):
        read_results(path)
    plan = {"seeds": [0], "samples": 9, "runs": [{"games": [f"openspiel:{name}"], "algorithms": ["openspiel_cfr"]}]}
    with pytest.raises(ValueError, match="group 1 of runs: OpenSpiel cannot load .*ends Python"):
        tasks(plan)
    with pytest.raises(ValueError, match="OpenSpiel cannot load .*ends Python"):
        relance.game_tree(name)


def test_its_place_on_the_leaderboard():
    from relance.pages.leaderboard import leaderboard_page

    run = runs.train("openspiel_cfr_plus", any_game(LEDUC), samples=20_000, at_samples=(10_000,))
    text = leaderboard_page([as_row(run)], {})
    assert "## openspiel:leduc_poker()" in text
    assert "| openspiel_cfr_plus |" in text
    assert "thresholds" not in text
