"""What counts for a budget, and which rows are of one board."""

import pytest
from board_rows import row, written

from relance.baselines.boards import at_budget, boards_of, gathered, labels


def test_the_last_score_by_then_counts():
    run = row()
    assert [at_budget(run, 0, seconds) for seconds in (0.1, 1, 10, 60, 600)] == [None, 1.0, 0.75, 0.5, None]
    found = [at_budget(run, 1, samples) for samples in (9900, 10_500, 10_600, 100_000, 10**6, 10**7)]
    assert found == [1.0, 1.0, None, 0.75, 0.5, None]
    assert at_budget(row(ended="converged", last=1e-10), 1, 10**7) == 1e-10
    late = row(points=[[0.4, 10, 1.0], [12.0, 20, 0.5]], seconds=12.0)
    assert at_budget(late, 0, 10) == 1.0  # a step that took long: what it had by then
    assert at_budget(row(ended="converged", last=1e-10), 0, 600) == 1e-10
    assert at_budget(row(ended="interrupted"), 0, 600) is None


def test_the_score_nearest_to_the_samples_counts():
    run = row(points=[[1.0, 940, 9.0], [2.0, 990, 1.0], [3.0, 1040, 0.5]], seconds=3.0)
    assert [at_budget(run, 1, samples) for samples in (1000, 1020, 1090, 1100)] == [1.0, 0.5, 0.5, None]


def test_of_one_seed_the_longest_run_counts_and_settings_tell_algorithms_apart():
    results = [row(seconds=600.0), row(seconds=60.0), row(settings={"learning_rate": 0.30000000000000004})]
    results[0]["settings"] = results[1]["settings"] = {"learning_rate": 1.0}
    board = boards_of(results)[results[0]["game"]]
    assert {name: [run["seconds"] for run in runs] for name, runs in board.items()} == {
        "ppo (learning_rate=1)": [600.0],
        "ppo (learning_rate=0.3)": [60.0],
    }
    assert set(labels([row(), row(seed=1)]).values()) == {"ppo"}


def test_an_interrupted_run_gives_way_to_one_that_ended_or_lasted_longer(tmp_path):
    cut, longer = (row(ended="interrupted", points=[[t, 10, 1.0]]) for t in (1.0, 2.0))
    whole, other = row(), row(seed=1, ended="interrupted")
    for order in ((cut, whole, longer, other), (whole, cut, other), (other, longer, cut, whole)):
        results = gathered([written(tmp_path / "a", *order)])
        assert sorted((item["seed"], item["ended"]) for item in results) == [(0, "budget"), (1, "interrupted")]
    assert gathered([written(tmp_path / "a", cut), written(tmp_path / "b", longer, cut)]) == [longer]
    with pytest.raises(ValueError, match="appear twice"):
        gathered([written(tmp_path / "a", cut, whole, whole)])
    older, newer = row(code="1" * 12), row(code="2" * 12)
    assert gathered([written(tmp_path / "a", older, other, newer)]) == [newer, other], (
        "a learner that was changed ran again"
    )
    with pytest.raises(ValueError, match="appear twice"):
        gathered([written(tmp_path / "a", older), written(tmp_path / "b", newer)])


def test_labels_are_short_where_that_tells_them_apart():
    def label(*speeds):
        made = [row(settings={"speed": speed}, seed=seed) for seed, speed in enumerate(speeds)]
        return list(labels(made).values())

    assert label(0.123456, 0.0) == ["ppo (speed=0.123)", "ppo (speed=0)"]
    assert label(0.123456, 0.123457) == ["ppo (speed=0.123456)", "ppo (speed=0.123457)"]
