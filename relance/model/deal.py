"""The private half of a game: the joint distribution of the two hands, and who wins a showdown.

To every algorithm a deal is two linear operators on a weight w over the *opponent's* hands:

    mass(player, w)[h] = sum over k of P(h, k) * w[k], where P(h, k) is the probability of the player's hand h with the opponent's k
    edge(player, w)[h] = sum over k of P(h, k) * w[k] * (1 if h beats k, 0 at a tie, -1 if k beats h)

The sum of either over all h is an expectation. A function of the hand is an array of exact numbers or floats, or a `Piecewise` on [0, 1].

If chance turns up public events later, or showdowns compare hands in several ways, a deal holds one more deal over the same hands for
each: `after(event)`, with the probability of the hands and the event; `contest(name)`, with the same probabilities and other edges.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import product
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

import numpy as np

from relance.model import numba_start
from relance.model.arrays import Array as Array
from relance.model.arrays import Floats, Put, namespace
from relance.model.deal_table import DealTable, alias_table
from relance.model.limits import check_memory, check_time
from relance.model.numbers import Number, at_least_zero, did_you_mean, short, unique_names
from relance.model.sequences import CaseTerminals, MatrixTerminals, SequenceForm, WrittenTerminals, column
from relance.model.tree import USUAL, Case

HandFunction: TypeAlias = Any
"""A function of one player's hand: an array over finite hands, or a Piecewise on [0, 1], depending on the type of the deal."""

F = TypeVar("F")
"""The kind of hand function that a deal works with: arrays, or `Piecewise`."""

D = TypeVar("D", bound="DealOf[Any]")

PAIR, SECONDS = 24, 5e-6
"""What each pair of hands takes in a table of all pairs: bytes, and seconds if its probability is exact."""

ROUNDING = 1e-12
"""An event less likely than this times the likeliest event counts as impossible: in floats, 0 is seldom exact."""

MOST_WRITTEN = 2**18
"""The most numbers in tables of pairs of hands, one per terminal node, in games with chance events or several ways to compare hands."""

MOST_PAIRS = 2**16
"""With more pairs of hands than this, hands are dealt one after the other, not as a pair from a table of all pairs."""


class Showing(Protocol):
    """A way to show hands of a deal that each stand for several real hands, as a class of five-card hands does.

    Attributes:
        kind: (hands,) the kind of each hand, such as "one pair", as a number below `kinds`; the same for both players.
        place: (hands,) a number in (0, 1] that distinguishes hands of the same kind.
    """

    kind: Sequence[int]
    kinds: int
    place: Sequence[float]

    def cards(self, hands: tuple[int, int], rng: np.random.Generator) -> tuple[str, str]:
        """Return the cards that player 0 and player 1 see, drawn at random among those that their `hands` stand for."""

    def name(self, hand: int) -> str:
        """The hand in words, such as "one pair, K K J 8 6"."""

    def find(self, cards: str) -> int:
        """The number of the hand that these cards belong to, written as `cards` returns them."""


class DealOf(ABC, Generic[F]):
    """The joint distribution of two private hands. See the module docstring for the two operators.

    Attributes:
        is_finite: True if there are finitely many hands, numbered from 0; otherwise hands are on [0, 1].
        in_step: True if both players have the same hands, and at every showdown hand i beats just those below i and ties with i.
        in_pairs: True if `mass` and `edge` go through all pairs of hands instead of using running sums.
        places, cuts: for each player the middles of the hands' cells, (hands,); the borders of all cells. None unless hands are cells.
        showing: if a hand is a class of real hands, such as all K K J 8 6, an object that draws and names the cards; else None.
        words: how hands are dealt, in a sentence or two, where a table of all pairs of hands would not show it. It may contain the
            fields that `relance.play.wording.Wording` fills in: {0} and {1} for the players, {top}, {higher}.
        board: the names of cards that lie on the table for both players to see.
        events: for each public event that may turn up next, the deal after it.
        contests: for each further rule by which showdowns compare hands, the deal with the same probabilities and the edges of this rule.
    """

    is_finite = False
    in_step = False
    in_pairs = False
    places: tuple[Array, Array] | None = None
    cuts: Sequence[Number] | None = None
    showing: Showing | None = None
    words = ""
    board: tuple[str, ...] = ()
    events: Mapping[str, DealOf[F]] = {}
    contests: Mapping[str, DealOf[F]] = {}

    def with_events(self, events: Mapping[str, DealOf[F]]) -> Self:
        """Return a copy of this deal, after which chance may turn up these public events.

        Args:
            events: {event: deal over the same hands}; the deal has P(hands and event), and compares hands as they do after the event.

        Raises:
            ValueError: a deal in `events` is over other hands than this one.
        """
        return self._together("events", events)

    def with_contests(self, contests: Mapping[str, DealOf[F]]) -> Self:
        """Return a copy of this deal with more showdown rules: {name: deal with the same probabilities of hands, but winners by this rule}.

        Raises:
            ValueError: a deal in `contests` is over other hands than this one.
        """
        return self._together("contests", contests)

    def _together(self, what: str, deals: Mapping[str, DealOf[F]]) -> Self:
        for name, deal in deals.items():
            if not (deal.is_finite == self.is_finite and all(deal.size(p) == self.size(p) for p in (0, 1))):
                raise ValueError(
                    f"{what}[{short(name)}] must be a deal of the same hands, in the same order, as the deal to which {what} are added"
                )
        out = copy(self)
        for kept in ("floats", "_written"):  # where they are kept, it has no events yet
            vars(out).pop(kept, None)
        setattr(out, what, dict(deals))
        if not all(deal.in_step for deal in deals.values()):
            vars(out)["in_step"] = False
        return out

    def after(self, event: str) -> DealOf[F]:
        """The deal after `event`; its probabilities are those of the hands together with the event.

        Raises:
            ValueError: there is no such event.
        """
        if event not in self.events:
            raise ValueError(f"the deal has no event {short(event)}" + did_you_mean(event, self.events))
        return self.events[event]

    def contest(self, name: str) -> DealOf[F]:
        """The deal with the same probabilities in which showdowns compare hands by the rule called `name`.

        Raises:
            ValueError: there is no such rule.
        """
        if name not in self.contests:
            raise ValueError(f"the deal has no showdown rule called {short(name)}" + did_you_mean(name, self.contests))
        return self.contests[name]

    def in_case(self, case: Case) -> DealOf[F]:
        """Return the deal after the events of `case`, where the rule `case.contest` compares hands. Raises as `after` and `contest` do."""
        deal: DealOf[F] = self
        for event in case.events:
            deal = deal.after(event)
        return deal.contest(case.contest) if case.contest else deal

    def carry(self, out: D, change: Callable[[Any], DealOf[F]]) -> D:
        """Apply `change` to each deal in this deal's attributes `events` and `contests`; give the results to `out`, and return `out`."""
        if self.events:
            out.events = {name: change(deal) for name, deal in self.events.items()}
        if self.contests:
            out.contests = {name: change(deal) for name, deal in self.contests.items()}
        return out

    @property
    def is_exact(self) -> bool:
        """True if the probabilities are exact numbers, not floats."""
        return True

    @property
    def floats(self) -> DealOf[F]:
        """This deal with probabilities and functions of the hand in float64; a deal on [0, 1] is returned unchanged."""
        return self

    def moved(self, put: Put) -> DealOf[F]:
        """This deal in floats; `put` converts the arrays that `mass` and `edge` use to another library. On [0, 1] nothing changes."""
        return self

    @property
    def on_interval(self) -> bool:
        """True if hands are numbers in [0, 1] or cells of it, not cards."""
        return not self.is_finite or self.places is not None

    def size(self, player: int) -> int:
        """The number of hands of `player`; 0 for hands on [0, 1]."""
        return 0

    def label(self, player: int, hand: Any) -> str:
        """The name of a hand; on [0, 1] the number with four decimals."""
        return f"{hand:.4f}"

    def cards(self, player: int, hand: Any) -> tuple[str, ...]:
        """The names of the cards in a hand. A hand that is not made of several cards is its own only card."""
        return (self.label(player, hand),)

    def pay(self, player: int, terminals: CaseTerminals, reach: Array, values: Array) -> None:
        """Add `player`'s counterfactual values at the nodes in `terminals` to `values`, in the rows of the sequences that lead to them.

        `values` has shape (player's sequences, hands). `reach` has shape (opponent's sequences, hands): the probability that the opponent
        plays a sequence with a hand. On [0, 1] both are columns of functions.
        """
        kinds = ((terminals.paid, self.mass), (terminals.fought, self.edge))
        for (parts, operator), (rows, places) in zip(kinds, terminals.met, strict=True):
            if parts:
                found = self._rows(operator, player, reach[rows])
            for terminal, place in zip(parts, places, strict=True):
                values[terminal.own] += terminal.chips * found[place]

    def _rows(self, operator: Callable[[int, Any], Any], player: int, rows: Array) -> Array:
        """The results of an operator for each row of an array: (k, hands)."""
        return self.stack([operator(player, function) for function in self.unstack(rows)])

    def stack(self, functions: Sequence[F]) -> Array:
        """Return k functions of the hand as the rows of one array, (k, hands); on [0, 1] as the entries of a column, (k, 1)."""
        return column(functions)

    def unstack(self, rows: Array) -> list[F]:
        """The functions of the hand that are the rows of an array made by `stack`."""
        found: list[F] = rows[:, 0].tolist()
        return found

    def pay_cases(self, player: int, cases: Sequence[CaseTerminals], reach: Array, values: Array) -> None:
        """Do what `pay` does for each item of `cases`, with the deal after the item's events, in which showdowns follow the item's rule."""
        for of in cases:
            self.in_case(of.case).pay(player, of, reach, values)

    @abstractmethod
    def mass(self, player: int, weight: F) -> F:
        """For each hand of `player`, the sum of the opponent's weights times the probability of the two hands."""

    @abstractmethod
    def edge(self, player: int, weight: F) -> F:
        """For each hand of `player`, the sum over opponent's hands of weight * probability * edge (win 1, tie 0, loss -1)."""

    @abstractmethod
    def constant(self, player: int, value: Number) -> F:
        """The function that is `value` for every hand of `player`."""

    @abstractmethod
    def total(self, values: F) -> Number:
        """The sum of a function of the hand over all hands; on [0, 1] its integral."""

    @abstractmethod
    def pick_best(self, values: Sequence[F]) -> list[F]:
        """For each action, 1 on the hands where its value is the greatest and 0 elsewhere; the first action takes ties."""

    @abstractmethod
    def sample(self, rng: np.random.Generator) -> tuple[Any, Any]:
        """Deal two hands: indices for finite hands, floats in [0, 1] otherwise."""

    @abstractmethod
    def table(self) -> DealTable:
        """The distribution of hands as arrays, for dealing the hands of many games at once."""

    @abstractmethod
    def compare(self, mine: Any, theirs: Any) -> Number:
        """Player 0's edge, from -1 (a sure loss) to 1 (a win), with hand `mine` against player 1's hand `theirs`."""

    @abstractmethod
    def pair(self, mine: Any, theirs: Any) -> Number:
        """The probability (finite) or density (on [0, 1]) of player 0's hand `mine` together with player 1's hand `theirs`."""

    @cached_property
    def sharpest(self) -> Number:
        """The largest absolute edge of two hands, |P(player 0 wins a showdown) - P(player 1 wins it)|; 1 where it is not computed."""
        return 1

    def event_chances(self, mine: Any, theirs: Any, events: Sequence[str]) -> list[float]:
        """The probability of each of these events, given the hands of player 0 and player 1; they sum to 1."""
        weights = [float(self.after(event).pair(mine, theirs)) for event in events]
        weights = [weight if weight > ROUNDING * max(weights) else 0.0 for weight in weights]
        total = sum(weights)
        return [weight / total for weight in weights]

    def prior(self, player: int) -> F:
        """Return the probability (finite) or density (on [0, 1]) of each hand of `player`."""
        return self.mass(player, self.constant(1 - player, 1))


Deal: TypeAlias = DealOf[Any]
"""A deal of finitely many hands, or of hands on [0, 1]."""


class FiniteDeal(DealOf[Array]):
    """A deal of finitely many hands, named by `labels`; functions of the hand are arrays.

    `mass` and `edge` also take k weights at once, as the rows of one array, (k, hands).
    """

    labels: tuple[Sequence[str], Sequence[str]]
    is_finite = True

    @cached_property
    @abstractmethod
    def floats(self) -> FiniteDeal: ...

    @abstractmethod
    def moved(self, put: Put) -> FiniteDeal: ...

    def in_case(self, case: Case) -> FiniteDeal:
        if case is USUAL:  # the quickest way for games that need no more
            return self
        deal = super().in_case(case)
        assert isinstance(deal, FiniteDeal)
        return deal

    @property
    def compiled(self) -> FiniteDeal:
        """The deal in floats, with compiled operators where possible, even for few hands."""
        return self.floats

    @property
    def distribution_rows(self) -> int:
        """The number of floats per hand that the deal stores for its probabilities, in estimates of memory; 0 if hands are few."""
        return 0

    def _rows(self, operator: Callable[[int, Any], Any], player: int, rows: Array) -> Array:
        found: Array = operator(player, rows.reshape(-1, self.size(1 - player)))  # also of several copies side by side
        return found.reshape(len(rows), -1)

    def stack(self, functions: Sequence[Array]) -> Array:
        stacked: Array = namespace(functions[0]).stack(list(functions))
        return stacked

    def unstack(self, rows: Array) -> list[Array]:
        return list(rows)

    def written(self, side: SequenceForm, player: int) -> WrittenTerminals | MatrixTerminals | None:
        """Return the payoffs at the terminal nodes of `side`, the player's sequence form, with tables of all pairs of hands; or None.

        A table has a number for each pair of hands: the probability of the pair, and for showdowns this times the player's edge, which is
        the probability of winning minus that of losing. Each terminal node has its own table if the tables take at most `MOST_WRITTEN`
        numbers. Otherwise terminal nodes share tables, and a loop of numba adds the payoffs. The result is None if all terminal nodes
        follow the same chance events and compare hands by the same rule, if the deals are not matrices of numpy's floats, or if numba is
        needed, but not installed or not worth its start.
        """
        kept = vars(self).setdefault("_written", {})
        if player not in kept or kept[player][0] is not side:
            kept[player] = side, self._write(side, player)
        found: WrittenTerminals | MatrixTerminals | None = kept[player][1]
        return found

    def _write(self, side: SequenceForm, player: int) -> WrittenTerminals | MatrixTerminals | None:
        distributions = [self.in_case(of.case) for of in side.terminals]
        if len(distributions) == 1 or not all(
            distribution.in_pairs and isinstance(distribution.like(0), np.ndarray) for distribution in distributions
        ):
            return None
        pairs = self.size(0) * self.size(1)
        tables = [
            (distribution.joint(), (1 - 2 * player) * distribution.joint_edge()) for distribution in distributions
        ]
        ways = [
            (table.T if player else table, way)
            for of, both in zip(side.terminals, tables, strict=True)
            for table, listed in zip(both, of.listed, strict=True)
            for way in listed
        ]
        if not ways:
            return None
        own, theirs, chips = (np.concatenate([way[i] for _, way in ways]) for i in range(3))
        which = np.repeat(np.arange(len(ways)), [len(way[0]) for _, way in ways])
        if len(own) * pairs <= MOST_WRITTEN:
            written = np.concatenate([way[2][:, None, None] * table for table, way in ways])
            return WrittenTerminals.of(own, [theirs], written)
        if not numba_start.is_worth(len(own) * pairs):
            return None
        order = np.argsort(own, kind="stable")
        tables_of = np.ascontiguousarray(np.stack([table.T for table, _ in ways]))
        return MatrixTerminals(own[order], theirs[order], chips[order], which[order], tables_of)

    def size(self, player: int) -> int:
        return len(self.labels[player])

    def label(self, player: int, hand: int) -> str:
        return self.labels[player][hand]

    @cached_property
    def names(self) -> tuple[list[str], ...]:
        """The names of each player's hands, made unique where labels repeat."""
        return tuple(unique_names(list(of)) for of in self.labels)

    @property
    def is_exact(self) -> bool:
        others = (*self.events.values(), *self.contests.values())
        return not isinstance(self.total(self.prior(0)), float) and all(deal.is_exact for deal in others)

    def constant(self, player: int, value: Number) -> Array:
        if (like := self.like(player)) is not None:
            filled: Array = namespace(like).full_like(like, float(value))
            return filled
        same = np.empty(self.size(player), object if not isinstance(value, float) else float)
        same[:] = value
        return same

    def like(self, player: int) -> Array | None:
        """Return a float array, (hands of `player`,), whose library, device and type new arrays must share; None if the deal is exact."""
        return None

    def total(self, values: Array) -> Number:
        total: Number = values.sum()
        return total

    def pair(self, mine: int, theirs: int) -> Number:
        weight = self.constant(1, 0.0 if not self.is_exact else 0)
        weight[theirs] = 1
        probability: Number = self.mass(0, weight)[mine]
        return probability

    def pick_best(self, values: Sequence[Array]) -> list[Array]:
        xp, best = namespace(values[0]), values[0]
        ones = xp.ones_like(best)
        if len(values) == 2 and best.dtype != object:
            first = ones * (best >= values[1])
            return [first, ones - first]
        picked = [ones]
        for value in values[1:]:
            gap = best - value
            better = ~np.array([at_least_zero(g) for g in gap], bool) if gap.dtype == object else gap < 0
            best = xp.where(better, value, best)
            picked = [xp.where(better, row * 0, row) for row in picked] + [xp.where(better, ones, ones * 0)]
        return picked

    def chances(self, hand: int | None = None) -> Floats:
        """The distribution of player 0's hand, or of player 1's hand given player 0's `hand`; shape (hands,), sums to 1."""
        if hand is None:
            distribution = self.floats.prior(0)
        else:
            mine = np.zeros(self.size(0))
            mine[hand] = 1.0
            distribution = self.floats.mass(1, mine)
        chances: Floats = distribution / distribution.sum()
        return chances

    @cached_property
    def _pairs(self) -> tuple[list[float], list[tuple[int, int]]]:
        """The cumulative probability after each pair but the last, row by row, and the pairs; for few hands."""
        sums = np.cumsum(self.floats.joint())
        upto: list[float] = (sums[:-1] / sums[-1]).tolist()
        return upto, list(product(range(self.size(0)), range(self.size(1))))

    @cached_property
    def few_pairs(self) -> bool:
        """True if the distribution of all pairs of hands is small enough to write out."""
        return self.size(0) * self.size(1) <= MOST_PAIRS

    def sample(self, rng: np.random.Generator) -> tuple[int, int]:
        if self.few_pairs:
            upto, pairs = self._pairs
            return pairs[bisect_right(upto, rng.random())]
        return self._sample_in_turn(rng)

    def _sample_in_turn(self, rng: np.random.Generator) -> tuple[int, int]:
        """Deal player 0's hand, then player 1's."""
        mine = self._draw(None, rng)
        return mine, self._draw(mine, rng)

    @cached_property
    def _sums(self) -> dict[int | None, list[float]]:
        """Cached running sums of `chances`, by its argument."""
        return {}

    def _draw(self, hand: int | None, rng: np.random.Generator) -> int:
        if hand not in self._sums:
            self._sums[hand] = np.cumsum(self.chances(hand)).tolist()
        sums = self._sums[hand]
        return bisect_right(sums, rng.random() * sums[-1], 0, len(sums) - 1)

    def joint(self) -> Array:
        """The probability of each pair of hands, shape (hands of player 0, hands of player 1)."""
        return self._pairwise(self.mass)

    def joint_edge(self) -> Array:
        """P(pair of hands) * (P(player 0 wins its showdown) - P(player 1 wins it)), shape (hands of player 0, hands of player 1)."""
        return self._pairwise(self.edge)

    def _pairwise(self, operator: Callable[[int, Array], Array]) -> Array:
        what, instead = f"a table of all {self.size(0):,} x {self.size(1):,} pairs of hands", "take fewer hands"
        check_memory(PAIR * self.size(0) * self.size(1), what, instead=instead)
        if self.is_exact:
            check_time(SECONDS * self.size(0) * self.size(1), what, instead)
        return np.stack([operator(0, column) for column in np.diag(self.constant(1, 1))], axis=1)

    def table(self) -> DealTable:
        joint = self.floats.joint()
        edge = np.divide(self.floats.joint_edge(), joint, out=np.zeros_like(joint), where=joint > 0)
        pairs = alias_table(np.clip(joint, 0, None).ravel())
        return DealTable(pairs=pairs, rows=self.size(0), columns=self.size(1), edge=edge.ravel())


def as_floats(values: Array) -> Array:
    """Return an array as float64; quick if all entries are one object."""
    if values.dtype != object:
        return values.astype(float, copy=False)
    first = values.flat[0] if values.size else 0
    if all(value is first for value in values.flat):
        return np.full(values.shape, float(first))
    return values.astype(float)
