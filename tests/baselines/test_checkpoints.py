"""Runs that were stopped go on bit by bit, and hand back their policy."""

import json

import numpy as np
import pytest
from conftest import marked

import relance
from relance.baselines import runs
from relance.baselines.algorithms import algorithms
from relance.model.files import SaveWarning

GAMES = ("one_card_poker(raises=0)", "von_neumann", "leduc")
SMALL = {"num_envs": 64, "hidden_size": 8, "num_features": 8}
MAGNET = {"nash_pg": {"magnet_update_interval": 5}, "rnad": {"entropy_schedule_size": 5}}
OURS = [
    (item, game)
    for item in algorithms().values()
    if not item.name.startswith("openspiel_")
    for game in GAMES
    if game != "von_neumann" or item.real_hands
]
NAME = "approaching:moving"
KUHN = GAMES[0]


def settings_for(item):
    more = {"n_iteration": 3} if item.name == "ppg" else MAGNET.get(item.name, {})
    return {key: value for key, value in {**SMALL, **more}.items() if hasattr(item.Settings(), key)}


class Stopping:
    """A `watch` that stops a run after so many steps."""

    def __init__(self, steps):
        self.left = steps

    def __call__(self, seconds, samples):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def seen(points):
    return [point[1:] for point in points]


def saved(path):
    """What a checkpoint holds, but for the seconds."""
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive if name != "run"}
        run = json.loads(str(archive["run"]))
    run["progress"] = {"points": seen(run["progress"]["points"]), "samples": run["progress"]["samples"]}
    return run, {name: (array.dtype, array.shape, array.tobytes()) for name, array in arrays.items()}


@pytest.mark.parametrize("case", marked(OURS, lambda one: one[1] != KUHN), ids=lambda one: f"{one[0].name}-{one[1]}")
def test_a_run_that_was_stopped_goes_on_bit_by_bit(case, tmp_path):
    """Stopped three times, of which once between two steps that are not scored, and in the end at another budget."""
    item, game = case
    for module in item.modules:
        pytest.importorskip(module, reason=f"needs the extra {item.extra}")
    unit = 1 if item.sees == "samples" else 10**3
    at_samples = [unit * count for count in (200, 500, 900, 10**5)]
    given, most = {"settings": settings_for(item), "seed": 3, "at_samples": at_samples}, 1500 * unit
    whole = runs.train(item.name, game, samples=most, checkpoint=tmp_path / "whole.npz", **given)
    path = tmp_path / "parts.npz"
    for steps in (1, 7, 4):
        with pytest.raises(runs.Interrupted) as stopped:
            runs.train(item.name, game, samples=most, checkpoint=path, watch=Stopping(steps), **given)
        so_far = stopped.value.run
        assert stopped.value.__notes__ == [f"the same call goes on from {path}"]
        assert relance.nash_conv(game, so_far.agent) >= 0
        assert seen(so_far.points) == seen(whole.points)[: len(so_far.points)]
    last = runs.train(item.name, game, samples=most, checkpoint=path, **given)
    assert seen(last.points) == seen(whole.points)
    assert last.ended == whole.ended == "budget"
    assert saved(path) == saved(tmp_path / "whole.npz")
    again = runs.train(item.name, game, samples=most, checkpoint=path, watch=Stopping(1), **given)  # nothing is left
    assert seen(again.points) == seen(whole.points)
    cells = 0 if relance.make(game).deal.is_finite else 2e-3  # hands on [0, 1] are scored in cells
    assert float(relance.nash_conv(game, str(path))) == pytest.approx(whole.points[-1].nash_conv, abs=cells + 1e-9)


@pytest.mark.filterwarnings("ignore:Using a non-tuple sequence")  # OpenSpiel's, not this project's
@pytest.mark.parametrize(
    "item", [one for one in algorithms().values() if one.name.startswith("openspiel_")], ids=lambda one: one.name
)
def test_a_learner_that_cannot_go_on_says_so_before_and_keeps_its_policy(item, tmp_path):
    for module in item.modules:
        pytest.importorskip(module, reason=f"needs the extra {item.extra}")
    path = tmp_path / "policy.npz"

    def watch(seconds, samples):
        assert warned
        raise KeyboardInterrupt

    with (
        pytest.warns(
            SaveWarning, match=f"{item.name} cannot go on after a stop; .*policy.npz keeps its policy only"
        ) as warned,
        pytest.raises(runs.Interrupted) as stopped,
    ):
        runs.train(item.name, KUHN, samples=10**6, checkpoint=path, watch=watch)
    assert float(relance.nash_conv(KUHN, str(path))) == pytest.approx(
        float(relance.nash_conv(KUHN, stopped.value.run.agent))
    )
