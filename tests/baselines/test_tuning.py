"""Searches that run: what they find, and how they go on after an interrupt."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from test_search import FAMILY, NAME, OTHER, of, searched

from relance.baselines import tuning as module
from relance.baselines.sweep import tasks
from relance.baselines.tuning import read_found, write_found


@pytest.fixture
def tuned():
    """Searches in this process; `rows` of it are those of all runs, in turn."""
    pytest.importorskip("optuna", reason="needs the extra sweep")
    pytest.importorskip("joblib", reason="needs the extra sweep")

    def tuned(search, path):
        return module.tune(search, path, jobs=1, tick=tuned.rows.append)

    tuned.rows = []
    return tuned


def test_it_finds_the_best_and_does_no_run_twice(tuned, tmp_path):
    path = tmp_path / "trials.log"
    first = tuned(searched(), path)
    assert len(tuned.rows) == searched().count == 16
    assert set(first) == {NAME, OTHER}
    found = first[NAME]
    assert found.score <= found.default
    assert (found.trials, found.failed, found.samples) == (4, 0, 4 * 2 * 50)
    assert tuned(searched(), path) == first
    assert len(tuned.rows) == 16
    scores = {}
    for row in tuned.rows:
        if row["algorithm"] == NAME:
            scores.setdefault(json.dumps(row["settings"]), []).append(row["points"][-1][2])
    assert len(scores) == 4
    assert min(sum(pair) / 2 for pair in scores.values()) == pytest.approx(found.score * 11 / 12)  # of uniform play
    assert scores[json.dumps(found.settings)] == pytest.approx(min(scores.values(), key=sum))


@pytest.mark.parametrize("done", [0, 1, 5, 11, 15])
def test_an_interrupted_search_goes_on_as_if_nothing_had_happened(tuned, tmp_path, monkeypatch, done):
    expected, calls, work = tuned(searched(), tmp_path / "whole.log"), [], module.work

    def interrupted(*given):
        calls.append(given)
        if len(calls) > done:
            raise KeyboardInterrupt
        return work(*given)

    monkeypatch.setattr(module, "work", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tuned(searched(), tmp_path / "part.log")
    monkeypatch.setattr(module, "work", work)
    tuned.rows.clear()
    again = tuned(searched(), tmp_path / "part.log")
    assert len(tuned.rows) == 16 - done // 2 * 2  # a trial, of two runs, begins again
    assert {name: (item.settings, item.score, item.failed) for name, item in again.items()} == {
        name: (item.settings, item.score, 0) for name, item in expected.items()
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


def test_hopeless_trials_are_stopped_early(tuned, tmp_path):
    path = tmp_path / "trials.log"
    found, per_trial = tuned(searched(**TWO), path)[NAME], {}
    for row in tuned.rows:
        per_trial.setdefault(row["settings"]["speed"], []).append((row["seed"], row["game"]))
    sizes = [len(runs) for runs in per_trial.values()]
    assert found.trials == len(sizes) == 12
    assert 0 < found.stopped == sum(size < 6 for size in sizes)
    assert set(sizes) <= {2, 4, 6}  # both games with a seed, or none
    assert sizes[:5] == [6] * 5  # the pruner has seen nothing yet
    assert len(per_trial[found.settings["speed"]]) == 6
    assert module.runs_left(searched(**TWO), path) == 0
    assert module.runs_left(searched(**TWO, samples=60), path) == 12 * 6
    assert module.runs_left(searched(**TWO, samples=60), tmp_path / "none.log") == 12 * 6
    assert not (tmp_path / "none.log").exists()


def test_a_journal_holds_searches_apart(tuned, tmp_path, monkeypatch):
    path = tmp_path / "trials.log"
    first = tuned(searched(trials=2), path)
    for other in ({"samples": 60}, {"games": ["ponssard"]}, {"seeds": [100, 102]}, of(speed={"low": 0.5, "high": 2.0})):
        before = len(tuned.rows)
        tuned(searched(trials=2, **other), path)
        assert len(tuned.rows) - before == (4 if "families" in other else 8), other
    before = len(tuned.rows)
    assert tuned(searched(trials=2), path) == first
    assert len(tuned.rows) == before
    assert tuned(searched(trials=3), path)[NAME].trials == 3  # more trials go on
    assert len(tuned.rows) == before + 4
    joined = searched(trials=3, families=[FAMILY, {"algorithms": ["cfr+"], "settings": {}}])
    assert tuned(joined, path)["cfr+"].trials == 1  # so do more learners, and nothing is searched for this one
    assert len(tuned.rows) == before + 6
    assert joined.count == 14
    monkeypatch.setattr(module, "code_of", lambda name: "0" * 12)
    assert (
        tuned(searched(trials=2), path)[NAME].score == first[NAME].score
    )  # a learner that has changed is searched again
    assert len(tuned.rows) == before + 14


def test_another_file_is_refused(tuned, tmp_path):
    path = tmp_path / "trials.log"
    path.write_text('{"a": 3}\n')
    with pytest.raises(ValueError, match="trials.log is not a journal of Optuna"):
        tuned(searched(), path)


def test_a_trial_that_fails_counts_as_one(tuned, tmp_path):
    """Both the runs of a setting must end; the others are compared."""
    space = of(fails=[None, 101], speed={"low": 0.1, "high": 1.0})
    path = tmp_path / "trials.log"
    found = tuned(searched(trials=8, **space), path)[NAME]
    assert found.trials == 8
    assert 0 < found.failed < 8
    assert found.settings["fails"] is None
    again = tuned(searched(trials=10, **space), path)[NAME]
    assert again.trials == 10
    assert again.failed >= found.failed
    with pytest.raises(ValueError, match="all trials of approaching:moving on one_card_poker.* failed"):
        module.best_found(searched(), NAME, path)


def test_what_was_found_is_written_and_read(tuned, tmp_path):
    search, path = searched(trials=2), tmp_path / "found.yaml"
    found = tuned(search, tmp_path / "trials.log")
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


def test_what_a_search_of_the_board_found_is_the_best_of_its_journal(tmp_path):
    pytest.importorskip("yaml", reason="needs the extra sweep")
    optuna = pytest.importorskip("optuna", reason="needs the extra sweep")
    results = Path(__file__).parents[2] / "docs" / "results"
    found = read_found(results / "board.settings.yaml").found
    path = tmp_path / "journal.log"
    path.write_bytes((results / "board.search.log").read_bytes())  # Optuna writes a lock beside it
    storage = optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(str(path)))
    best: dict[str, list[float]] = {}
    for summary in optuna.get_all_study_summaries(storage):
        name = summary.study_name.split()[0]
        if name not in found:  # its trials have not ended
            continue
        trials = optuna.load_study(study_name=summary.study_name, storage=storage).trials
        ended = [trial for trial in trials if trial.state.name in ("COMPLETE", "PRUNED")]
        least = min((trial for trial in ended if trial.state.name == "COMPLETE"), key=lambda trial: trial.value)
        if len(ended) == found[name].trials and least.user_attrs["settings"] == dict(found[name].settings):
            best.setdefault(name, []).append(least.value)
    assert {name: [item.score] for name, item in found.items()} == best
