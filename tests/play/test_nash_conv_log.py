"""Exact scores along training: what is written where, the best that is kept, and when training may stop."""

import pytest

import relance
from relance.play.nash_conv_log import NashConvLog, largest_regrets

KUHN = relance.make("one_card_poker", raises=0)


class TensorBoard:
    """As `torch.utils.tensorboard.SummaryWriter`."""

    def __init__(self):
        self.seen = []

    def add_scalar(self, name, value, step):
        self.seen.append((name, value, step))


class Offline:
    """As a run of Weights & Biases."""

    def __init__(self):
        self.seen = []

    def log(self, scalars, step=None):
        self.seen += [(name, value, step) for name, value in scalars.items()]


@pytest.mark.parametrize("kind", [TensorBoard, Offline])
def test_scalars_go_where_they_are_read(kind):
    to = kind()
    NashConvLog(KUHN, to)("uniform", 7)
    exact = float(relance.nash_conv(KUHN, KUHN.uniform()))
    assert to.seen[0] == ("relance/nash_conv", pytest.approx(exact), 7)
    assert [name for name, _, _ in to.seen] == ["relance/nash_conv", "relance/value"]


def test_regrets_are_those_of_every_information_set():
    written = {}
    NashConvLog(KUHN, lambda scalars, step: written.update(scalars), regrets=True)("uniform", 0)
    regrets = {name: value for name, value in written.items() if "/regret/" in name}
    assert len(regrets) == 12
    found = relance.score(KUHN, "uniform")
    name = max(regrets, key=regrets.get)
    assert regrets[name] == pytest.approx(max(largest_regrets(found).values()))
    hand, node = name.removeprefix("relance/regret/").partition(" ")[::2]
    player = KUHN.tree.decisions[node].player
    row = KUHN.finite_deal().labels[player].index(hand)
    assert regrets[name] == pytest.approx(max(float(regret[row]) for regret in found.regrets[node][1]))
    nash = relance.score(KUHN, KUHN.published(alpha=0))
    assert max(largest_regrets(nash).values()) == 0


def test_the_best_is_kept_and_training_stops():
    saved = []
    log = NashConvLog(KUHN, save=lambda *best: saved.append(best), patience=2)
    better = [KUHN.uniform(), "uniform"]
    assert [log(agent, step) for step, agent in enumerate((better[0], better[1], better[1]))] == [False, False, True]
    assert [step for step, _ in saved] == [0]
    assert log.best == log.points[0]
    assert NashConvLog(KUHN, below=0.01)(KUHN.published(alpha=0), 0)


def test_what_cannot_be_is_refused():
    with pytest.raises(TypeError, match="to=3 must have add_scalar"):
        NashConvLog(KUHN, 3)
    with pytest.raises(ValueError, match="needs finitely many hands"):
        NashConvLog("von_neumann", regrets=True)
