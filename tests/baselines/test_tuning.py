"""Searches that run: what they find, and how they go on after an interrupt."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import geometric_mean, median

import pytest
from test_search import FAMILY, NAME, OTHER, of, searched

from relance.baselines import tuning as module
from relance.baselines.openspiel_games import any_game, uniform_nash_conv
from relance.baselines.rows import read_results
from relance.baselines.sweep import sweep, tasks
from relance.baselines.tuning import read_found, tune, write_found
from relance.model.files import json_line


@pytest.fixture
def quick(monkeypatch):
    """Sweeps in this process, whose runs are counted."""
    pytest.importorskip("optuna", reason="needs the extra sweep")
    pytest.importorskip("joblib", reason="needs the extra sweep")
    started = []

    def counted(runs, path, engine, jobs, tick, note):
        return sweep(runs, path, engine, 1, lambda row: (started.append(row), tick(row)), note)

    monkeypatch.setattr(module, "sweep", counted)
    return started


def test_it_finds_the_best_and_does_no_run_twice(quick, tmp_path):
    path = tmp_path / "trials.jsonl"
    first = tune(searched(), path)
    assert len(quick) == searched().count == 16
    assert set(first) == {NAME, OTHER}
    found = first[NAME]
    assert found.score <= found.default
    assert (found.trials, found.failed, found.samples) == (4, 0, 4 * 2 * 50)
    assert tune(searched(), path) == first
    assert len(quick) == 16
    scores = {}
    for row in map(json.loads, path.read_text().splitlines()):
        if row["algorithm"] == NAME:
            scores.setdefault(json.dumps(row["settings"]), []).append(row["points"][-1][2])
    assert len(scores) == 4
    assert min(sum(pair) / 2 for pair in scores.values()) == pytest.approx(found.score * 11 / 12)  # of uniform play
    assert scores[json.dumps(found.settings)] == pytest.approx(min(scores.values(), key=sum))


@pytest.mark.parametrize("done", [1, 5, 11, 15])
def test_an_interrupted_search_goes_on_as_if_nothing_had_happened(quick, tmp_path, done):
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    expected = tune(searched(), whole)
    part.write_text(
        "".join(whole.read_text().splitlines(keepends=True)[:done]) + whole.read_text().splitlines()[done][:20]
    )
    quick.clear()
    again = tune(searched(), part)
    assert len(quick) == 16 - done
    assert {name: (item.settings, item.score) for name, item in again.items()} == {
        name: (item.settings, item.score) for name, item in expected.items()
    }


def test_a_score_is_fair_to_the_stakes():
    """Chips that are worth ten times as much leave the score alone; in each game half of uniform play's NashConv is a score of 1/2."""
    small, large = (searched(games=["ponssard", f"endgame(ante={ante}, bets={ante})"]) for ante in (1, 10))
    assert large.uniform == pytest.approx((small.uniform[0], 10 * small.uniform[1]))
    rows = [[chips / 2 for chips in search.uniform] for search in (small, large)]
    for search, row in zip((small, large), rows, strict=True):
        worse = [[9 * row[0], row[1]], row, [row[0], 9 * row[1]]]  # the median over seeds
        assert search.score([row]) == search.score(worse) == pytest.approx(1 / 2)
        assert search.score([[row[0] / 4, row[1]]]) == pytest.approx(1 / 4)  # a quarter in one game, a half over both
        assert search.score([[0, row[1]]]) > 0


TWO = {
    "games": ["one_card_poker(raises=0)", "ponssard"],
    "seeds": [100, 101, 102],
    "trials": 12,
    "families": [{"algorithms": [NAME], "settings": {"speed": {"low": 0.01, "high": 10.0, "log": True}}}],
}


@pytest.fixture
def stopped(quick, tmp_path):
    """What a search with hopeless trials finds, and the lines of its results."""
    path = tmp_path / "whole.jsonl"
    return tune(searched(**TWO), path)[NAME], path.read_text().splitlines(keepends=True)


def test_hopeless_trials_are_stopped_early(stopped, tmp_path):
    found, lines = stopped
    rows = [json.loads(line) for line in lines]
    per_trial = {}
    for row in rows:
        per_trial.setdefault(row["settings"]["speed"], []).append((row["seed"], row["game"]))
    sizes = [len(runs) for runs in per_trial.values()]
    assert found.trials == len(sizes) == 12
    assert 0 < found.stopped == sum(size < 6 for size in sizes)
    assert set(sizes) <= {2, 4, 6}  # both games with a seed, or none
    assert sizes[:5] == [6] * 5  # the pruner has seen nothing yet
    assert len(per_trial[found.settings["speed"]]) == 6
    path = tmp_path / "whole.jsonl"
    assert module.runs_left(searched(**TWO), path) == 0
    assert module.runs_left(searched(**TWO, samples=60), tmp_path / "none.jsonl") == 12 * 6


@pytest.mark.parametrize("part", [0.1, 0.5, 0.7, 0.9])
def test_a_search_with_stopped_trials_goes_on_from_its_results_alone(quick, stopped, tmp_path, part):
    found, lines = stopped
    done, path = int(part * len(lines)), tmp_path / "part.jsonl"
    path.write_text("".join(lines[:done]))
    quick.clear()
    assert len(lines) - done <= module.runs_left(searched(**TWO), path)
    again = tune(searched(**TWO), path)[NAME]
    assert len(quick) == len(lines) - done
    assert (again.settings, again.score, again.stopped) == (found.settings, found.score, found.stopped)


def test_results_of_other_settings_are_refused(quick, tmp_path):
    path = tmp_path / "trials.jsonl"
    tune(searched(trials=2), path)
    before = path.read_text()
    quick.clear()
    with pytest.raises(
        ValueError,
        match="has 8 runs that are not of this search, .*; the first is approaching:moving on .*, seed 100, with speed",
    ):
        tune(searched(trials=2, samples=60), path)
    other = of(speed={"low": 0.5, "high": 2.0})
    with pytest.raises(ValueError, match="has 2 runs that are not of this search"):
        tune(searched(trials=2, **other), path)
    with pytest.raises(ValueError, match="has 8 runs that are not of this search"):
        tune(searched(trials=2, games=["ponssard"]), path)
    assert path.read_text() == before
    assert quick == []
    more = tune(searched(trials=3), path)  # more trials go on
    assert len(quick) == 4
    assert more[NAME].trials == 3
    joined = tune(
        searched(trials=3, families=[FAMILY, {"algorithms": ["cfr+"], "settings": {}}]), path
    )  # so do more learners
    assert len(quick) == 6
    assert joined.items() > more.items()


def test_runs_of_a_learner_that_has_changed_are_done_again(quick, tmp_path):
    path = tmp_path / "trials.jsonl"
    found = tune(searched(trials=2), path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json_line({**row, "code": "0" * 12} if row["algorithm"] == NAME else row) for row in rows))
    quick.clear()
    assert tune(searched(trials=2), path)[NAME].score == found[NAME].score
    assert [row["algorithm"] for row in quick] == [NAME] * 4


def test_a_trial_that_fails_counts_as_one(quick, tmp_path):
    """Both the runs of a setting must end; the others are compared."""
    space = of(fails=[None, 101], speed={"low": 0.1, "high": 1.0})
    path = tmp_path / "trials.jsonl"
    found = tune(searched(trials=8, **space), path)[NAME]
    assert found.trials == 8
    assert 0 < found.failed < 8
    assert found.settings["fails"] is None
    again = tune(searched(trials=10, **space), path)[NAME]
    assert again.trials == 10
    assert again.failed >= found.failed
    space = of(fails=[100], speed=[5.0])
    plan = replace(searched(trials=1, **space), spaces={NAME: {}})
    with pytest.raises(ValueError, match="all trials of approaching:moving on one_card_poker.* failed"):
        module._Tuner(plan, NAME).found({})


def test_one_trial_where_there_is_nothing_to_search(quick, tmp_path):
    search = searched(families=[FAMILY, {"algorithms": ["cfr+"], "settings": {}}])
    assert search.count == 18
    assert tune(search, tmp_path / "trials.jsonl")["cfr+"].trials == 1


def test_what_was_found_is_written_and_read(quick, tmp_path):
    search, path = searched(trials=2), tmp_path / "found.yaml"
    found = tune(search, tmp_path / "trials.jsonl")
    write_found(found, search, path)
    read = read_found(path)
    assert (read.games, read.seeds, read.samples) == (list(map(str, search.games)), [100, 101], 50)
    assert read.settings == {name: dict(item.settings) for name, item in found.items()}
    assert read.found[NAME] == replace(found[NAME], seconds=round(found[NAME].seconds, 1))
    plan = {"runs": [{"games": ["ponssard"], "algorithms": [NAME], "seeds": [0], "samples": 10}]}
    (run,) = tasks(plan, tuned=read.settings)
    assert run.settings == found[NAME].settings
    write_found({OTHER: found[OTHER]}, search, path)  # a call with another `--algorithm`
    assert read_found(path) == read
    write_found({OTHER: found[OTHER]}, searched(trials=2, samples=60), path)
    assert list(read_found(path).found) == [OTHER]  # of another search
    for damaged in ("a: 3", "a: [3\n  b: {4"):
        path.write_text(damaged)
        with pytest.raises(ValueError, match=r"\A.* is not a file of settings that a search found: .*\Z"):
            read_found(path)


@pytest.mark.parametrize("name", ["field", "searched"])
def test_what_a_search_of_the_board_found_is_read(name):
    pytest.importorskip("yaml", reason="needs the extra sweep")
    results = Path(__file__).parents[2] / "docs" / "results"
    read = read_found(results / f"{name}.settings.yaml")
    rows, _ = read_results(results / f"{name}.search.jsonl")
    assert {row["game"] for row in rows} == set(read.games)
    for learner, item in read.found.items():
        mine = [row for row in rows if (row["algorithm"], row["settings"]) == (learner, item.settings)]
        shares = [
            median(row["points"][-1][2] for row in mine if row["game"] == game) / uniform_nash_conv(any_game(game))
            for game in read.games
        ]
        assert geometric_mean(shares) == pytest.approx(item.score)
