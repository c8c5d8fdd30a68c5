"""Intervals of NashConv: they cover, and their standard errors are the deviations that are seen."""

import numpy as np
import pytest
from conftest import VARIED, random_profile
from test_estimate import KUHN, RARE, by_node, drawn, played, sample

import relance
from relance.solvers.exact import regrets
from relance.words import nash_conv_interval as intervals
from relance.words.estimate import estimate
from relance.words.nash_conv_interval import Many, Sample, split
from studies.answers_numbers import missed
from studies.answers_numbers import rare as seldom


def test_planted_errors_are_seen(monkeypatch):
    """Each end of the interval needs its own part of the method."""
    published, uniform = played(KUHN, "published"), played(KUHN, "uniform")
    with monkeypatch.context() as patch:  # no folds: the best response is valued on the answers that it was found on
        patch.setattr(Sample, "_trains", lambda self, seat: ([self.total[seat]] * 2, [self.total[seat]] * 2))
        assert missed(sample(KUHN, published, 100, 400).nash_conv, 0)[0] > 0.15
    with (
        monkeypatch.context() as patch
    ):  # folds that overlap: what ties at the equilibrium makes the standard error too small
        patch.setattr(Sample, "_trains", Sample._folds)
        patch.setattr(Sample, "_unused", 1.0)
        assert missed(sample(KUHN, published, 100, 1000).nash_conv, 0)[0] > 0.05
    with monkeypatch.context() as patch:  # standard errors that are too small by a third
        patch.setattr(intervals, "Z", intervals.Z * 2 / 3)
        assert sum(missed(sample(KUHN, uniform, 100, 400).nash_conv, relance.nash_conv(KUHN, uniform))) > 0.1
        assert sum(missed(sample(KUHN, uniform, 100, 400).value, relance.value(KUHN, uniform))) > 0.1
    (bluffs, folds), respond = seldom(), Sample._respond
    for agent, answers, where, name, wrong in (
        # What has not been seen is taken for no more than its standard error.
        (bluffs, 100, intervals, "SKEWED", 0.0),
        # There is no response to it.
        (folds, 300, Sample, "_respond", lambda self, p, a, b: respond(self, p, a[:1] * 2 if len(a) == 2 else a, b)),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, wrong)
            found, true = sample(*agent[1:], answers, 400).best(1), relance.best_response(*agent[1:], 1).value
            assert missed(found, true)[1] > 0.08
    with monkeypatch.context() as patch:  # a frequency of 0 or 1 taken as exact
        patch.setattr(intervals, "PRIOR", 0.0)
        rare = played(KUHN, RARE)
        assert sum(missed(sample(KUHN, rare, 10, 400).nash_conv, relance.nash_conv(KUHN, rare))) > 0.2


def test_intervals_are_no_wider_than_they_need_be():
    """Widths of the simulation that the method was chosen by; at the equilibrium the best alternative had .110 and .353."""
    for answers, most in ((100, 0.105), (10, 0.36)):
        found = sample(KUHN, played(KUHN, "published"), answers, 400).nash_conv
        assert (found.high - found.low).mean() < most
    pure = sample(KUHN, played(KUHN, "caller"), 100, 1).nash_conv
    assert pure.high - pure.low < 0.04


@pytest.mark.parametrize("name", ["uniform", "mixture(uniform, aggressive)"])
def test_standard_errors_are_the_deviations_that_are_seen(name):
    """The same experiment 2,000 times: each end of an interval lies as far off as what it is made of varies."""
    found, off = sample(KUHN, played(KUHN, name), 400, 2000), intervals.Z
    value = found.value
    assert value.point.std() == pytest.approx(float((value.high - value.low).mean()) / (2 * off), rel=0.06)
    for terms in found._terms:
        assert terms.steps.std() == pytest.approx(float(np.sqrt(terms.variance_low).mean()), rel=0.06)
        assert terms.steps.std() < 1.03 * np.sqrt(terms.variance_low).mean()  # as a tenth of the answers is not used
        assert terms.plug_in.std() == pytest.approx(float(np.sqrt(terms.variance_high).mean()), rel=0.06)


def test_the_point_does_not_know_the_answers_on_which_it_is_valued():
    """At an equilibrium, where many actions tie, the frequencies themselves say 6 hundredths of a chip too much."""
    profile = played(KUHN, "published")
    for player, terms in enumerate(sample(KUHN, profile, 10, 1000)._terms):
        true = float(relance.best_response(KUHN, profile, player).value)
        assert terms.plug_in.mean() > true + 0.05
        assert terms.fitted.mean() == pytest.approx(true, abs=0.01)


def test_the_high_end_of_a_regret_counts_actions_that_are_hardly_played():
    """A caller who errs rarely: the other action is as good or better, which few answers show."""
    profile = played(KUHN, "perturbed(0.02, caller)")
    true = {name: np.max(rows, axis=0) for p in (0, 1) for name, (_, rows) in regrets(KUHN, profile, p).items()}
    for name in ("", "check"):
        missed = [
            estimate(KUHN, drawn(KUHN, profile, 30, seed)).regrets[name].figures.high < true[name] for seed in range(60)
        ]
        assert np.mean(missed, axis=0).max() < 0.07


def test_answers_are_divided_so_that_all_parts_but_the_first_have_some():
    many, rng = Many(KUHN), np.random.default_rng(5)
    counts = [rng.integers(0, 4, (side.size, KUHN.deal.size(p))) * 1.0 for p, side in enumerate(many.sides)]
    parts = split(many, counts, rng)
    for side, count, of in zip(many.sides, counts, parts, strict=True):
        assert (of.sum(axis=0) == count).all()
        for group in side.widths:
            some = group.of(count).sum(axis=1) > 0
            assert all((group.of(part).sum(axis=1)[some] > 0).all() for part in of[1:])


def test_where_a_part_has_no_answers_all_count():
    found = sample(KUHN, played(KUHN, "uniform"), 30, 1)
    for seat in (0, 1):
        none = np.zeros_like(found.total[seat])
        assert found._valued(seat, [none]) == pytest.approx(found.share[seat], abs=1e-12)
        assert not np.allclose(found.share[seat], 1 / 2)


def test_standard_errors_of_regrets_are_the_deviations_that_are_seen():
    """At the information sets where the same action is always best, in 150 experiments."""
    profile, off = played(KUHN, "uniform"), intervals.Z
    found = [estimate(KUHN, drawn(KUHN, profile, 400, seed)).regrets for seed in range(150)]
    checked = 0
    for name, (_, rows) in ((n, r) for p in (0, 1) for n, r in regrets(KUHN, profile, p).items()):
        figures = [one[name].figures for one in found]
        for hand in np.flatnonzero(np.abs(rows[0]) > 0.1):
            plug_in, high, low, point = (
                np.array([getattr(f, key)[hand] for f in figures]) for key in ("plug_in", "high", "low", "point")
            )
            assert (high - plug_in).mean() == pytest.approx(off * plug_in.std(), rel=0.2)
            assert (point - low).mean() == pytest.approx(
                (high - plug_in).mean() * (10 / 9) ** 0.5, rel=0.12
            )  # a tenth is unused
            checked += 1
    assert checked > 3


def outcomes(game, player):
    """The least and the most that a player can get, over all terminal nodes and pairs of hands."""
    chips = [leaf.constant + leaf.stake * edge for leaf in game.tree.leaves.values() for edge in (-1, 1)]
    return sorted(float((1 - 2 * player) * end) for end in (min(chips), max(chips)))


@pytest.mark.parametrize("game", [KUHN, relance.make("endgame"), relance.make("ponssard")], ids=str)
@pytest.mark.parametrize("answers", [1, 3])
def test_intervals_stay_in_the_range_that_the_game_allows(game, answers):
    """Few answers, many or all of them illegal: the widest intervals there are."""
    rng, ranges = np.random.default_rng(0), [outcomes(game, p) for p in (0, 1)]
    for share in (0.0, 0.5, 1.0):
        counts = {
            name: rng.binomial(answers, 1 - share, rows.shape)
            for name, rows in by_node(game, played(game, "uniform")).items()
        }
        found = estimate(
            game, counts, {name: np.full(len(rows), answers * (share > 0)) for name, rows in counts.items()}
        )
        figures = [(found.value, ranges[0]), *zip(found.best, ranges, strict=True)]
        figures.append((found.nash_conv, (0, ranges[0][1] + ranges[1][1])))
        for figure, (least, most) in figures:
            assert least <= figure.low <= figure.point <= figure.high <= most
        for name, node in game.tree.decisions.items():
            widest = game.finite_deal().floats.prior(node.player) * (ranges[0][1] - ranges[0][0])
            _, low, high, _ = found.regrets[name].figures
            assert ((low >= 0) & (low <= high) & (high <= widest + 1e-12)).all()


def rows(game, many, profile, player):
    out = np.zeros((many.sides[player].size, game.deal.size(player)))
    for name, slots in many.sides[player].slots.items():
        out[slots] = np.stack([np.asarray(row, float) for row in profile[name]])
    return out


@pytest.mark.parametrize("game", [game for game in VARIED if max(map(game.deal.size, (0, 1))) <= 100], ids=str)
def test_values_and_best_responses_are_those_of_each_profile(game):
    rng, many = np.random.default_rng(3), Many(game)
    profiles = [random_profile(game, lambda: int(rng.integers(1, 7))).as_float() for _ in range(3)]
    share = [np.hstack([rows(game, many, profile, player) for profile in profiles]) for player in (0, 1)]
    for player in (0, 1):
        chips = many.chips(player, share[1 - player])
        earned = many.earns(player, share[player], chips)
        best = many.earns(player, many.respond(player, chips), chips)
        for k, profile in enumerate(profiles):
            sign = 1 - 2 * player
            assert earned[k] == pytest.approx(sign * float(relance.value(game, profile)), abs=1e-9)
            assert best[k] == pytest.approx(float(relance.best_response(game, profile, player).value), abs=1e-9)
