"""Estimates from answers: intervals that cover, figures that agree with exact ones, forfeits, and bad input."""

from dataclasses import replace

import numpy as np
import pytest

import relance
from relance.play.agents import strategy
from relance.solvers.exact import regrets
from relance.words.estimate import FORFEIT, estimate, with_forfeits
from studies.answers_numbers import asked, missed, rare

KUHN = relance.make("one_card_poker", raises=0)

RARE = "perturbed(0.01, best_response(uniform))"

SMALL = [relance.make("one_card_poker"), relance.make("ponssard"), relance.make("von_neumann", hands=9)]


def played(game, name):
    return game.together(*(strategy(game, name, seat) for seat in (0, 1))).as_float()


def by_node(game, profile):
    """{node: (hands, actions)}"""
    return {name: np.array(profile[name], float).T for name in game.tree.decisions}


def drawn(game, profile, answers, seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.multinomial(answers, rows) for name, rows in by_node(game, profile).items()}


def sample(game, profile, answers, repetitions):
    """The same experiment many times."""
    return asked(game, profile, answers, repetitions, np.random.default_rng(0))


@pytest.mark.parametrize("answers", [10, 100])
@pytest.mark.parametrize(
    "name", ["published", "perturbed(0.1)", "uniform", "mixture(published, caller)", "caller", RARE]
)
def test_intervals_cover(name, answers):
    profile = played(KUHN, name)
    found = sample(KUHN, profile, answers, 1000)
    assert sum(missed(found.nash_conv, relance.nash_conv(KUHN, profile))) < 0.06
    assert sum(missed(found.value, relance.value(KUHN, profile))) < 0.06
    for player in (0, 1):
        true = relance.best_response(KUHN, profile, player).value
        assert sum(missed(found.best(player), true)) < 0.07


@pytest.mark.parametrize("answers", [100, 120])
@pytest.mark.parametrize("agent", rare(), ids=lambda agent: agent.name)
def test_intervals_cover_what_has_not_happened_yet(agent, answers):
    """An agent that errs 2% of the time: before its errors show, the high end allows for them, also in the best response to them."""
    found, true = sample(*agent[1:], answers, 1000), [relance.nash_conv(*agent[1:]), relance.value(*agent[1:])]
    assert sum(missed(found.nash_conv, true[0])) < 0.06
    assert sum(missed(found.value, true[1])) < 0.06
    for player in (0, 1):
        assert sum(missed(found.best(player), relance.best_response(*agent[1:], player).value)) < 0.06


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_figures_of_frequencies_are_those_of_the_profile(game):
    profile = played(game, "perturbed(0.3, uniform)")
    found = estimate(game, drawn(game, profile, 50))
    own = found.profile
    assert found.nash_conv.plug_in == pytest.approx(relance.nash_conv(game, own))
    assert found.value.plug_in == pytest.approx(relance.value(game, own))
    for player in (0, 1):
        assert found.best[player].plug_in == pytest.approx(relance.best_response(game, own, player).value)
        for name, (_, rows) in regrets(game, own, player).items():
            assert found.regrets[name].figures.plug_in == pytest.approx(np.max(rows, axis=0))
            assert (found.regrets[name].action == np.argmax(rows, axis=0)).all()
    for figure in (found.nash_conv, found.value, *found.best):
        assert figure.low <= figure.point <= figure.high


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_probabilities_that_are_given_need_no_interval(game):
    profile = game.published().as_float()
    counts = {name: np.stack([rows] * 4) for name, rows in by_node(game, profile).items()}
    found = estimate(game, counts, spread={name: np.zeros(rows.shape[1]) for name, rows in counts.items()})
    assert found.nash_conv == pytest.approx([float(relance.nash_conv(game, profile))] * 4, abs=1e-9)
    assert found.value == pytest.approx([float(relance.value(game, profile))] * 4)
    regrets = [regret.figures for regret in found.regrets.values()]
    assert max((figures.high - figures.low).max() for figures in regrets) < 1e-5


@pytest.mark.parametrize("name", ["perturbed(0.2)", "perturbed(0.15, caller)"])
def test_regrets_cover(name):
    profile = played(KUHN, name)
    true = {name: np.max(rows, axis=0) for p in (0, 1) for name, (_, rows) in regrets(KUHN, profile, p).items()}
    off = [
        (regret.figures.low > true[name] + 1e-9) | (regret.figures.high < true[name] - 1e-9)
        for seed in range(60)
        for name, regret in estimate(KUHN, drawn(KUHN, profile, 30, seed)).regrets.items()
    ]
    assert np.mean(off, axis=0).max() < 0.07


def test_illegal_answers_forfeit():
    with_illegal = with_forfeits(KUHN)
    plan = {
        name: {action: 0.8 / len(node.actions) for action in node.actions} | {FORFEIT: 0.2}
        for name, node in KUHN.tree.decisions.items()
    }
    true = with_illegal.profile(plan)
    counts = drawn(with_illegal, true, 4000)
    found = estimate(KUHN, *({name: rows[:, part] for name, rows in counts.items()} for part in (slice(2), 2)))
    assert found.illegal / found.answers == pytest.approx(0.2, abs=0.01)
    pairs = ((found.nash_conv, relance.nash_conv), (found.value, relance.value))
    for figure, exact in pairs:
        assert figure.low < exact(with_illegal, true) < figure.high < figure.low + 0.2
    assert found.nash_conv.low > relance.nash_conv(KUHN, KUHN.uniform()) + 0.1
    nothing = {name: 0 * rows[:, :2] for name, rows in counts.items()}
    always = estimate(KUHN, nothing, {name: np.full(3, 50) for name in counts})
    assert always.value.plug_in == pytest.approx(-2)  # player 0 forfeits 2 chips at once
    assert always.best[0].plug_in == pytest.approx(2)


def test_any_numbers_of_answers():
    """One answer, or different numbers of them; an information set without any answer is played at random."""
    profile, rng = played(KUHN, "perturbed(0.2)"), np.random.default_rng(0)
    for least, most in ((1, 1), (1, 3), (0, 4), (50, 500)):
        counts = {
            name: np.array([rng.multinomial(rng.integers(least, most + 1), row) for row in rows])
            for name, rows in by_node(KUHN, profile).items()
        }
        found = estimate(KUHN, counts)
        assert found.nash_conv.low <= relance.nash_conv(KUHN, profile) <= found.nash_conv.high
        assert all(np.isfinite(figure).all() for figure in (*found.best, found.value))
        assert all(np.isfinite(regret.figures).all() for regret in found.regrets.values())


def test_bad_input():
    counts = drawn(KUHN, played(KUHN, "uniform"), 10)
    for bad, says in (
        ({**counts, "chekc": counts[""]}, "no decision node 'chekc'.*'check'"),
        ({name: rows for name, rows in counts.items() if name}, "nothing is given at ''"),
        ({**counts, "": counts[""][:2]}, r"shape \(3, 2\).*not \(2, 2\)"),
        ({**counts, "": -counts[""]}, "at least 0"),
        ({**counts, "": counts[""] * np.nan}, "at least 0"),
        ({name: 0 * rows for name, rows in counts.items()}, "counts and illegal are all 0"),
        ({name: rows / 3 for name, rows in counts.items()}, "not whole"),
        ({**counts, "": np.stack([counts[""]] * 3)}, "same number of parts"),
    ):
        with pytest.raises(ValueError, match=says):
            estimate(KUHN, bad)
    with pytest.raises(ValueError, match="infinitely many hands"):
        estimate(relance.make("von_neumann"), counts)
    with pytest.raises(TypeError, match="counts=5 must be a mapping"):
        estimate("von_neumann", 5)


@pytest.mark.parametrize(("name", "wrong"), [("caller", True), ("published", False)])
def test_only_what_gains_something_is_printed(name, wrong):
    """Von Neumann's game on nine cells has a pure equilibrium; elsewhere rounding leaves regrets of 1e-17."""
    game = SMALL[2]
    shown = str(estimate(game, {node: 50 * rows for node, rows in by_node(game, played(game, name)).items()}))
    assert ("would gain most" in shown) == wrong
    assert "0.0000 [" not in shown.partition("another action")[2]


@pytest.mark.parametrize(("illegal", "answers"), [(0, 10), (3, 12), (5, 400), (36, 36)])
def test_the_rate_of_illegal_answers_has_wilsons_interval(illegal, answers):
    stats = pytest.importorskip("scipy.stats")
    rate = replace(
        estimate(KUHN, drawn(KUHN, played(KUHN, "uniform"), 1)), illegal=illegal, answers=answers
    ).illegal_rate
    low, high = stats.binomtest(illegal, answers).proportion_ci(method="wilson")
    assert (rate.low, rate.high) == pytest.approx((low, high), abs=1e-6)
