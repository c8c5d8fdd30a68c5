"""The average policy of a run: what it consists of, what depends on it, and that rows say which policy they score."""

import sys
from importlib import import_module

import numpy as np
import pytest

import relance
from relance.baselines.algorithms import algorithms, code_of
from relance.baselines.averages import MOST, Average
from relance.baselines.rows import as_row
from relance.baselines.runs import train
from relance.envs.catalogue import make

KUHN = make("one_card_poker", raises=0)


def only(action):
    """Play one action wherever it is legal, else evenly."""

    def play(observations, masks):
        chosen = masks & (np.arange(masks.shape[1]) == action)
        rows = np.where(chosen.any(axis=1, keepdims=True), chosen, masks).astype(float)
        return rows / rows.sum(axis=1, keepdims=True)

    return play


def test_the_average_is_that_of_the_last_half():
    """Snapshots are taken evenly, at most `MOST`; those before half of the samples do not count."""
    average, last = Average(KUHN), only(1)
    for step in range(1, 1001):
        average.after_step(10 * step, lambda step=step: only(0) if step <= 400 else last)
        assert len(average.kept) <= MOST
    samples = [at for at, _ in average.kept]
    assert len(samples) > MOST / 2
    assert len(set(np.diff(samples))) == 1
    mixed = average.policy()
    assert 1 < len(mixed) < len(samples)
    assert relance.score(KUHN, mixed).nash_conv == pytest.approx(float(relance.score(KUHN, last).nash_conv))


def test_the_average_of_two_policies_is_their_mixture():
    average = Average(KUHN)
    for step, action in enumerate((0, 0, 1, 0), 1):
        average.after_step(step, lambda action=action: only(action))
    expected = relance.score(KUHN, [only(1), only(0)]).nash_conv
    assert relance.score(KUHN, average.policy()).nash_conv == pytest.approx(float(expected))
    assert Average(relance.baselines.openspiel_games.any_game("openspiel:kuhn_poker")).policy() == []


def test_both_policies_are_scored_and_neither_depends_on_the_budget():
    short, long = (
        train("mmd_sampled", KUHN, samples=n, at_samples=[10_000], settings={"num_envs": 4096})
        for n in (12_288, 40_000)
    )
    assert long.points[0][1:] == short.points[0][1:]
    ((_, _, averaged, last, _),) = short.points
    assert averaged != last
    row = as_row(short)
    assert (row["scored"], row["parameters"]) == ("average", 192 * 4)
    assert row["other"] == [pytest.approx(last, rel=1e-5)]


def test_the_games_of_the_start_count():
    """`mmd_sampled` plays games at random before it learns; they are samples too."""
    learner = algorithms()["mmd_sampled"].start(KUHN, algorithms()["mmd_sampled"].Settings(num_envs=100), 0)
    assert [learner.step() for _ in range(3)] == [200, 100, 100]


def test_the_control_is_a_table():
    """The same steps with a feature for each information set: its policy is that of random features when these are many."""
    table, features = (
        algorithms()[name].start(KUHN, algorithms()[name].Settings(), 0) for name in ("mmd_tabular", "mmd_sampled")
    )
    for _ in range(30):
        table.step(), features.step()
    near, far = (float(relance.score(KUHN, learner.agent()).nash_conv) for learner in (table, features))
    assert near < 0.4
    assert abs(near - far) < 0.05


def test_a_learner_is_its_own_file_and_those_that_it_uses():
    """Learners that share a file have other code when it changes; what all are declared with is no part of it."""
    frame = import_module("relance.baselines.algorithms")

    used = {name: frame._used(sys.modules[algorithms()[name].start.__module__]) for name in ("ppo", "rnad")}
    names = {name: {path.rsplit("/", 1)[-1] for path in files} for name, files in used.items()}
    assert {"train_rnad.py", "rollouts.py"} < names["rnad"]
    assert "train_rnad.py" not in names["ppo"]
    assert code_of("ppo") != code_of("rnad")
    assert code_of("ppo") == code_of("nash_pg")


def test_docstrings_and_defaults_are_not_code():
    """Rows hold their settings, so neither another default nor a better sentence makes them rows of other code."""
    text = (
        'class Settings:\n    """A."""\n\n    step: float = 0.5\n\n\n'
        'LEAST = 1\n"""The lêast."""\n\n\ndef go(size=2):\n    """Go."""\n    return size\n'
    )
    frame = import_module("relance.baselines.algorithms")
    for old, new, equal in (
        ('"""A."""', '"""Of\n    several lines."""', True),
        ("0.5", "0.25", True),
        ("lêast", "smallest", True),
        ('"""Go."""', '"""Start."""', True),
        ("step: float = 0.5", "step: float = 0.5\n    tau: float = 0.1", True),
        ("LEAST = 1", "LEAST = 2", False),
        ("size=2", "size=3", False),
        ("return size", "return -size", False),
    ):
        changed = text.replace(old, new)
        assert changed != text
        assert (frame._code(changed.encode()) == frame._code(text.encode())) == equal
