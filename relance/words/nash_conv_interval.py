"""Figures with 95% intervals from counts of drawn answers.

The frequencies of answers are the *plug-in* policy. Its NashConv is biased upward, since a best response also exploits the noise. So
the point is *cross-fitted*: best responses are found on some of the answers and valued on the rest. The interval:

- Its low end comes from ten parts of the answers. Each part values the best response to all parts before it, so the noise of the part is
  independent of that response, and the standard error of the mean over parts is right even where best responses tie, as at an equilibrium
  (the same idea as Luedtke and van der Laan 2016, for the value of optimal treatments).
- Its high end is what the best response to all answers earns on them, plus 1.96 standard errors: a best response to the true policy
  earns no more on these answers. But an agent that errs rarely may not have erred yet, and then this best response exploits no errors. So
  a high end is also found from a best response to a policy in which rare actions are more frequent; the higher of the two counts.

Standard errors are of first order, with half an answer added to each action, since a frequency of 0 or 1 need not be exact. Rare errors
make a sum skewed: the end on its longer side moves out in proportion to third cumulant / variance (Johnson 1978). So for an error that was
not seen in n answers, the high end is 2.8 / n; the exact end for a single frequency is 3.7 / n, but these sums have several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import NamedTuple, TypeAlias

import numpy as np

from relance.model.arrays import Floats, Ints
from relance.model.deal import Array, FiniteDeal
from relance.model.game import Game
from relance.model.sequences import Group, SequenceForm, sides
from relance.solvers.sequence_form import back_up, best, mixed_chips, normalised, sequence_probs

PARTS = 10
"""The number of parts of the answers for the low end of an interval."""

FOLDS = 5
"""The number of folds, each some of the parts, for the cross-fitted point estimate."""

PRIOR = 0.5
"""Added to the count of each action to estimate the variance of its frequency (Jeffreys)."""

LESS = 3
"""Subtracted from the number of answers in a variance, because a variance estimated from few answers is too small."""

Z = 1.959964
"""The normal quantile of 95% intervals."""

SKEWED = (1 + 2 * Z**2) / 6
"""How far an end moves for each unit of the third cumulant divided by the variance."""

DRAWS = 200
"""The number of policies drawn for the standard errors of regrets."""

SURE = 1e-15
"""A tiny number in the place of 0: for the spread of answers that are always the same, and for actions without answers."""


class Figure(NamedTuple):
    """An estimate in chips.

    Attributes:
        point: the cross-fitted estimate.
        low, high: the ends of its 95% interval.
        plug_in: the result if the policy were the frequencies of the answers; biased upward, except for the value of the game.
    """

    point: float
    low: float
    high: float
    plug_in: float

    def __str__(self) -> str:
        return f"{self.point:z.4f} [{self.low:z.4f}, {self.high:z.4f}]"


class Figures(NamedTuple):
    """Estimates in chips for several repetitions or information sets at once: a `Figure` of arrays of one shape."""

    point: Floats
    low: Floats
    high: Floats
    plug_in: Floats

    def at(self, place: int) -> Figure:
        """Return the estimate at this index."""
        return Figure(*(float(row[place]) for row in self))


class Many:
    """A game with finitely many hands, in which many profiles are evaluated at once, in floats: what they and best responses earn.

    Each profile is played in its own copy of the game. Arrays are those of `relance.solvers.sequence_form`, with the hands of all copies
    side by side: in an array (slots, copies * hands) a row is an action at a decision node, and column k * hands + i is hand i in copy k.
    """

    def __init__(self, game: Game) -> None:
        self.sides = sides(game.tree)
        self.deal: FiniteDeal = game.finite_deal().floats

    def chips(self, player: int, share: Floats) -> Floats:
        """Return for each sequence the player's counterfactual value of the terminal nodes directly after it, (sequences, copies * hands).

        Each copy of the game has its own opponent. `share`, (slots, copies * hands), has the opponents' probability of each action (slot).
        """
        side, reach = self.sides[player], sequence_probs(self.sides[1 - player], share)
        copies = reach.shape[1] // self.deal.size(1 - player)
        values = np.zeros((side.size + 1, copies * self.deal.size(player)))
        self.deal.pay_cases(player, side.terminals, reach, values)
        return values

    def respond(self, player: int, chips: Floats) -> Floats:
        """Return a pure best response in each copy of the game, 1 or 0 for each action (slot) with each hand: (slots, copies * hands).

        Each copy has an opponent of its own; `chips` is `self.chips(player, their strategies)`. Of tied actions the first is taken.
        """
        side, picked = self.sides[player], np.zeros((self.sides[player].size, chips.shape[1]))

        def choose(group: Group, values: Array) -> Array:
            np.put_along_axis(group.of(picked), values.argmax(axis=1)[:, None], 1.0, axis=1)
            return best(group, values)

        back_up(side, chips.copy(), choose)
        return picked

    def earns(self, player: int, share: Floats, chips: Floats) -> Floats:
        """Return the chips that `player` earns in each copy of the game, (copies,). A copy is played by one of the profiles to evaluate.

        `share`, (slots, copies * hands), has the probability of each action (slot); `chips` is `self.chips(player, the opponent's share)`.
        """
        at_root = back_up(self.sides[player], chips.copy(), partial(mixed_chips, share))
        summed: Floats = self.by_copy(player, at_root).sum(axis=-1)
        return summed

    def actions(self, player: int, share: Floats, chips: Floats) -> Floats:
        """Return the counterfactual values of all actions (slots) if the player then follows `share`, (slots, copies * hands) like `share`.

        Each copy of the game has its own profile: `share` has the player's part, and `chips` is `self.chips(player, the opponent's part)`.
        """
        values = chips.copy()
        back_up(self.sides[player], values, partial(mixed_chips, share))
        return values[1:]

    def by_copy(self, player: int, values: Array) -> Array:
        """Return a player's values (..., copies * hands) as (..., copies, hands); each copy of the game is played by its own profile."""
        hands = self.deal.size(player)
        parts: Array = values.reshape(*values.shape[:-1], values.shape[-1] // hands, hands)
        return parts


Divided: TypeAlias = tuple[list[Floats], list[Floats]]
"""(counts on which best responses are found, counts on which these are valued), one pair of arrays for each division."""


def split(many: Many, counts: Sequence[Floats], rng: np.random.Generator) -> list[Floats]:
    """Divide the answers of both seats at random into parts of about equal size; return for each seat the counts (parts, slots, columns).

    `many` holds the game. `counts` has for each seat the whole number of answers with each action (a slot), (slots, columns); column
    k * hands + i is hand i in experiment k. There are min(`PARTS`, n + 1) parts, where n is the least number of answers at an information
    set that has any. So each part but the first has answers wherever `counts` has, and can value a best response to the parts before.
    """
    both = list(zip(many.sides, counts, strict=True))
    sets = [group.of(count).sum(axis=1) for side, count in both for group in side.widths]
    least = min((int(row[row > 0].min()) for row in sets if row.any()), default=1)
    size = min(PARTS, max(2, least + 1))
    out = []
    for side, count in both:
        parts = np.zeros((size, *count.shape))
        for group in side.widths:
            left = np.rint(group.of(count)).astype(np.int64)
            total = left.sum(axis=1)
            for part in range(size):
                taken = _drawn(left, total * (part + 1) // size - total * part // size, rng)
                left = left - taken
                parts[part, group.slots] = taken.reshape(-1, taken.shape[-1])
        out.append(parts)
    return out


def _drawn(left: Ints, wanted: Ints, rng: np.random.Generator) -> Ints:
    """Draw `wanted` (nodes, columns) answers without replacement from `left` (nodes, actions, columns)."""
    taken, rest = np.zeros_like(left), left.sum(axis=1)
    for action in range(left.shape[1]):
        here = left[:, action]
        rest = rest - here
        taken[:, action] = rng.hypergeometric(here, rest, wanted)
        wanted = wanted - taken[:, action]
    return taken


class Sample:
    """Answers of both seats, divided into random parts, and the figures that follow from them.

    Several repetitions of an experiment, called copies, can be evaluated together: column k * hands + i of an array is hand i in copy k.

    Args:
        many: evaluates profiles of the game; if answers were illegal, of the game that `estimate.with_forfeits` makes of it.
        parts: for each seat the counts of answers in each part, (parts, slots, copies * hands); a slot is an action at a decision node.
        spread: for each seat (slots, copies * hands): the variance of an answer divided by that of an action drawn from it. It is 1, the
            default, if answers are drawn actions, and may be less if answers are probabilities.
        legal: for each seat (slots, 1): 1 for a legal action, assumed equally likely where nothing was answered, 0 for illegal answers.
    """

    def __init__(
        self,
        many: Many,
        parts: Sequence[Floats],
        spread: Sequence[Floats] | None = None,
        legal: Sequence[Floats] | None = None,
    ) -> None:
        self.many, self.parts = many, parts
        self.total = [part.sum(axis=0) for part in parts]
        self.spread = spread or [np.ones_like(total) for total in self.total]
        self.guess = [SURE * one for one in legal or [np.ones((side.size, 1)) for side in many.sides]]
        self.share = [normalised(many.sides[p], self.total[p] + self.guess[p]) for p in (0, 1)]
        self.likely = [normalised(many.sides[p], self.total[p] + PRIOR) for p in (0, 1)]

    def _found(self, seat: int, counts: Sequence[Floats]) -> Floats:
        """Return the frequencies of answers for each of several `counts`; the policies of all stand side by side, as copies in `Many`."""
        return np.concatenate([normalised(self.many.sides[seat], count + self.guess[seat]) for count in counts], axis=1)

    def _valued(self, seat: int, counts: Sequence[Floats]) -> Floats:
        """As `_found`, but at an information set where one of `counts` has no answers, the frequencies of all answers in the sample."""
        return self._found(seat, [np.where(self._sums(seat, count) > 0, count, self.share[seat]) for count in counts])

    def _sums(self, seat: int, values: Floats) -> Floats:
        """On all slots of a node, the sum over them."""
        out = np.empty_like(values)
        for group in self.many.sides[seat].widths:
            group.of(out)[:] = group.of(values).sum(axis=1, keepdims=True)
        return out

    @property
    def _unused(self) -> float:
        """By how much variances grow because the first part values nothing."""
        return len(self.parts[0]) / (len(self.parts[0]) - 1)

    def _trains(self, seat: int) -> Divided:
        """All parts before each part but the first, and that part."""
        before = np.cumsum(self.parts[seat], axis=0)
        return list(before[:-1]), list(self.parts[seat][1:])

    def _folds(self, seat: int) -> Divided:
        """All but each fold, and the fold."""
        count = min(FOLDS, len(self.parts[seat]))
        folds = [self.parts[seat][fold::count].sum(axis=0) for fold in range(count)]
        return [self.total[seat] - fold for fold in folds], folds

    def best(self, player: int) -> Figures:
        """Return estimates of what a best response to the agent earns as `player`: (copies,), one for each copy of the experiment."""
        return _figures(self._terms[player])

    @cached_property
    def nash_conv(self) -> Figures:
        """NashConv: the sum of the gains of both players, at least 0."""
        both = Terms(*(first + second for first, second in zip(*self._terms, strict=True)))
        return Figures(*(np.maximum(row, 0.0) for row in _figures(both)))

    @cached_property
    def value(self) -> Figures:
        """The chips that player 0 expects when the agent plays both seats; the plug-in estimate has no bias."""
        first, second = (self._cumulants(seat, self.many.chips(seat, self.likely[1 - seat])) for seat in (0, 1))
        found = self.many.earns(0, self.share[0], self.many.chips(0, self.share[1]))
        variance, third = first[0] + second[0], first[1] - second[1]
        return Figures(found, found - _off(variance, -third), found + _off(variance, third), found)

    @cached_property
    def _terms(self) -> tuple[Terms, Terms]:
        return self._terms_of(0), self._terms_of(1)

    def _terms_of(self, player: int) -> Terms:
        other = 1 - player
        total = self.total[other]
        more = total + PRIOR + Z * np.sqrt(total + PRIOR)
        folds, *_ = self._respond(player, *self._folds(other))
        steps, variances, _ = self._respond(player, *self._trains(other))
        found = self._respond(player, [total, more], [total, total])
        most = (found[0] + _off(*found[1:])).argmax(axis=0)[None]
        high = (np.take_along_axis(row, most, axis=0)[0] for row in found)
        return Terms(folds.mean(axis=0), found[0][0], steps.mean(axis=0), variances.mean(axis=0) * self._unused, *high)

    def _respond(self, player: int, trains: list[Floats], tests: list[Floats]) -> tuple[Floats, Floats, Floats]:
        """Return what best responses to some answers earn against others, and its variance and third cumulant if all answers were used.

        A best response to each of the k counts `trains` plays against the `tests` of the same index. Each result is (k, copies).
        """
        many, other = self.many, 1 - player
        picked = many.respond(player, many.chips(player, self._found(other, trains)))
        found = many.earns(player, picked, many.chips(player, self._valued(other, tests)))
        variance, third = self._cumulants(other, many.chips(other, picked))
        return found.reshape(len(trains), -1), variance.reshape(len(trains), -1), -third.reshape(len(trains), -1)

    def _cumulants(self, seat: int, chips: Floats) -> list[Floats]:
        """Return, to first order, the variance and the third cumulant of what `seat` earns if its answers are drawn again, (copies,) each.

        `chips` is `Many.chips(seat, policies of the opponent)`; a copy is one of these policies.
        """
        side, times = self.many.sides[seat], chips.shape[1] // self.likely[seat].shape[1]
        share, total, spread = (np.tile(a[seat], times) for a in (self.likely, self.total, self.spread))
        worth, reach = self.many.actions(seat, share, chips), sequence_probs(side, share)
        out = [np.zeros(chips.shape[1] // self.many.deal.size(seat))] * 2
        for group in side.groups:
            values, chance = group.of(worth), group.of(share)
            off = values - (chance * values).sum(axis=1, keepdims=True)
            answers = np.maximum(group.of(total).sum(axis=1) - LESS, 1.0)
            come = reach[group.before] * np.sqrt(group.of(spread)[:, 0])
            for k, of_group in enumerate((chance * off**n).sum(axis=1) * come**n / answers ** (n - 1) for n in (2, 3)):
                out[k] = out[k] + self.many.by_copy(seat, of_group.sum(axis=0)).sum(axis=-1)
        return out

    def regrets(self, seat: int) -> tuple[Floats, Figures]:
        """Return the counterfactual regret of each action (slot), (slots, hands), and estimates of the best action's regret at its node.

        The regrets take the frequencies of answers as the policy. The estimates, (slots, hands), are equal for all actions at a node, and
        have 95% intervals from the spread of `DRAWS` policies drawn around the frequencies. The answers must be of one experiment.
        """
        many, side = self.many, self.many.sides[seat]
        rng, drawn = np.random.default_rng(0), []
        for p in (0, 1):
            weight = np.maximum(self._sums(p, self.total[p]) - LESS - 1, 1.0) / np.maximum(self.spread[p], SURE)
            each = np.tile(normalised(many.sides[p], self.total[p] + 2 * PRIOR) * weight, DRAWS)
            drawn.append(normalised(many.sides[p], rng.standard_gamma(each)))
        around = many.by_copy(seat, self._gains(seat, drawn))
        spread = around.var(axis=1)
        third = ((around - around.mean(axis=1, keepdims=True)) ** 3).mean(axis=1)

        def valued(divide: Callable[[int], Divided]) -> tuple[Floats, Floats]:
            """The mean of what the actions picked on some answers gain on others, and the mean of their variances: (slots, hands)."""
            best = self._gains(seat, [self._found(p, divide(p)[0]) for p in (0, 1)])
            tests = self._gains(seat, [self._valued(p, divide(p)[1]) for p in (0, 1)])
            gains = many.by_copy(seat, _at_best(side, tests, best))
            variance = many.by_copy(seat, _at_best(side, np.tile(spread, gains.shape[1]), best))
            return gains.mean(axis=1), variance.mean(axis=1)

        gains = self._gains(seat, self.share)
        fitted, _ = valued(self._folds)
        steps, variance = valued(self._trains)
        plug_in = _at_best(side, gains, gains)
        highs = gains + _off(spread, third / 2)  # a drawn policy is twice as skewed as the counts it is drawn around
        low = steps - Z * np.sqrt(variance * self._unused)
        high = _at_best(side, highs, highs)
        rows = (np.clip(fitted, low, high), low, high, plug_in)
        return gains, Figures(*(np.maximum(row, 0.0) for row in rows))

    def _gains(self, seat: int, share: Sequence[Floats]) -> Floats:
        """Return what each action (a slot) would gain at its node over the policy `share`, (slots, columns)."""
        worth = self.many.actions(seat, share[seat], self.many.chips(seat, share[1 - seat]))
        return worth - self._sums(seat, share[seat] * worth)


class Terms(NamedTuple):
    """Estimates of a best response's chips, `fitted` (cross-fitted) and `plug_in`, and the numbers behind the interval; all (copies,).

    A copy is a repetition of the experiment. Low end: `steps` is the mean, with variance `variance_low`, of what best responses to the
    first parts of the answers earn on the next part. High end: `most` is earned on all answers (`third` is its third cumulant).
    """

    fitted: Floats
    plug_in: Floats
    steps: Floats
    variance_low: Floats
    most: Floats
    variance_high: Floats
    third: Floats


def _figures(terms: Terms) -> Figures:
    """The figures of these terms; each point is moved into its interval."""
    fitted, plug_in, steps, variance, most, *cumulants = terms
    high = most + _off(*cumulants)
    low = np.minimum(steps - Z * np.sqrt(variance), high)
    return Figures(np.clip(fitted, low, high), low, high, plug_in)


def _off(variance: Floats, third: Floats) -> Floats:
    """How far the high end of a sum lies above it."""
    off: Floats = Z * np.sqrt(variance) + SKEWED * np.maximum(third, 0.0) / np.maximum(variance, SURE**2)
    return off


def _at_best(side: SequenceForm, rows: Floats, by: Floats) -> Floats:
    """On all slots of a node, the row of the slot for which `by` is the greatest: (slots, columns)."""
    out = np.empty_like(rows)
    for group in side.widths:
        best = group.of(by).argmax(axis=1)[:, None]
        group.of(out)[:] = np.take_along_axis(group.of(rows), best, axis=1)
    return out
