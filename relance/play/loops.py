"""The arithmetic of dealing and of showdowns, and the loops of a batch that handle one table after another.

The arithmetic takes arrays with an entry for each table; `relance.play.numpy_loops` uses it this way. `relance.play.numba_loops` compiles
it for single numbers, together with the loops below. `relance.registration.jax` shares the parts that do not depend on how random
numbers are drawn. Everything is in one file, because numba looks at no other file to see if its compiled code is out of date.

The random numbers are SplitMix64's: a stream's state grows by `STEP` before each number, which is `mix` of the new state. Each table has
a stream. Its start depends only on the seed and the table's number, and is 2**32 numbers before the start of the next table's stream.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints, Words
from relance.model.deal_table import CARDS, DENSITY, PAIRS, Alias, DealTable, Proposal
from relance.play.board import Board, onward, position_of
from relance.play.rules import check_whole

Bools: TypeAlias = npt.NDArray[np.bool_]
Hands: TypeAlias = npt.NDArray[Any]
"""(2, k) both players' hands in k deals: int indices, or float64 in [0, 1]. With chance nodes (3, k): the last row has the runouts."""
Each: TypeAlias = Any
"""(k,) an entry for each table; when compiled, one number."""

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_11, SHIFT_27, SHIFT_30, SHIFT_31, SHIFT_32 = (np.uint64(bits) for bits in (11, 27, 30, 31, 32))
UNIT = 2.0**-53


def streams(seed: int, tables: npt.NDArray[np.integer[Any]]) -> Words:
    """Return the first state of each table number's random stream, in the shape of `tables`; `seed` is at least 0."""
    check_whole("seed", seed, 0)
    key = np.random.SeedSequence(int(seed)).generate_state(1, np.uint64)
    states: Words = key + (tables.astype(np.uint64) << SHIFT_32) * STEP
    return states


def index(numbers: Each) -> Each:
    """Numbers as int64, rounded towards 0."""
    return numbers.astype(np.int64, copy=False)


def quotient(pair: Each, columns: int) -> Each:
    """Return the row of entry number `pair` of a table with this many columns, counted row by row."""
    return pair // columns


def mix(state: Each) -> Each:
    """Return the 64 random bits that SplitMix64 makes of each state."""
    bits = state ^ (state >> SHIFT_30)
    bits *= MIX_1
    bits ^= bits >> SHIFT_27
    bits *= MIX_2
    bits ^= bits >> SHIFT_31
    return bits


def unit(bits: Each) -> Each:
    """Return 64 random bits as a number in [0, 1), a multiple of 2**-53."""
    return (bits >> SHIFT_11) * UNIT


def pick(table: Alias, bits: Each) -> Each:
    """Draw an index from an alias table, by 64 random bits."""
    row = index(bits >> table.shift)
    return table.either[2 * row + ((bits << table.bits) >= table.threshold[row])]


def propose(distribution: DealTable, state: Each) -> tuple[Each, Each, Each, Each]:
    """Propose two hands from each random stream. The states of the streams advance, in place if they are an array.

    Returns:
        The new states; player 0's hand, to which games with chance nodes add the index of the runout times `distribution.rows`; player 1's
        hand; and True if the two hands are accepted, False if hands must be proposed again.
    """
    if distribution.kind == CARDS:
        return propose_cards(distribution.owner, distribution.bits, state)
    if distribution.kind != PAIRS:
        return propose_cells(
            distribution.kind,
            distribution.first,
            distribution.second,
            distribution.certain,
            distribution.blocked,
            state,
        )
    state += STEP
    pair = pick(distribution.pairs, mix(state))
    mine = quotient(pair, distribution.columns)
    return state, mine, pair - mine * distribution.columns, pair >= 0


def propose_cards(owner: npt.NDArray[np.int16], cards: Words, state: Each) -> tuple[Each, Each, Each, Each]:
    """Propose two of n hands; return as `propose` does. `cards`, (n,), has each hand's cards as bits, and `owner`, (n,), its class."""
    state += STEP
    i = index(unit(mix(state)) * len(cards))
    state += STEP
    j = index(unit(mix(state)) * len(cards))
    return state, index(owner[i]), index(owner[j]), (cards[i] & cards[j]) == 0


def propose_cells(
    kind: int, first: Proposal, second: Proposal, certain: bool, blocked: Floats, state: Each
) -> tuple[Each, Each, Each, Each]:
    """Propose two hands by rejection sampling. The arguments but `state` are fields of a `DealTable`; `kind` is RANKED or DENSITY.

    Return the new states, both hands (indices, or for DENSITY numbers in [0, 1]), and True if these hands are accepted. If not `certain`,
    the probability of acceptance is their `density`, less `blocked`, divided by the product of their cells' `Proposal.cap`.
    """
    i = j = index(state ^ state)  # zeros
    if len(first.cap) > 1:
        state += STEP
        i = pick(first.cells, mix(state))
    if len(second.cap) > 1:
        state += STEP
        j = pick(second.cells, mix(state))
    mine, theirs, x, y, dealt = i, j, 0.0, 0.0, i >= 0
    if kind == DENSITY:
        state += STEP
        mine, x = place(first, i, unit(mix(state)))
        state += STEP
        theirs, y = place(second, j, unit(mix(state)))
    if not certain:
        state += STEP
        dealt = unit(mix(state)) * first.cap[i] * second.cap[j] < density(first, second, blocked, i, j, x, y)
    return state, mine, theirs, dealt


def place(side: Proposal, cell: Each, u: Each) -> tuple[Each, Each]:
    """Return a hand in cell `cell` of `side`, u times the cell's width above its left border, and the hand minus the cell's middle."""
    width = side.width[cell]
    return side.left[cell] + width * u, width * (u - 0.5)


def density(first: Proposal, second: Proposal, blocked: Floats, i: Each, j: Each, x: Each, y: Each) -> Each:
    """Return the density, or probability, of two hands in cells i and j, at offsets x and y from the cells' middles."""
    total = 0.0
    for t in range(len(first.poly)):
        total = total + polynomial(first.poly, t, i, x) * polynomial(second.poly, t, j, y)
    return total - blocked[i] * (i == j) if len(blocked) else total


def polynomial(poly: Floats, term: int, cell: Each, offset: Each) -> Each:
    """Return the value, at this offset from a cell's middle, of the polynomial with coefficients poly[term, cell], the constant first."""
    total = 0.0
    for k in range(poly.shape[2] - 1, -1, -1):
        total = total * offset + poly[term, cell, k]
    return total


def edge(distribution: DealTable, mine: Each, theirs: Each) -> Each:
    """Return player 0's edge with two hands: the probability of winning a showdown minus that of losing it."""
    if distribution.kind == DENSITY:
        return 1.0 * (mine > theirs) - (mine < theirs)
    return edge_of_indices(distribution, index(mine), index(theirs))


def edge_of_indices(distribution: DealTable, mine: Each, theirs: Each) -> Each:
    """Return player 0's edge with two hands, as `edge` does, where hands are indices."""
    if distribution.kind == PAIRS:
        return distribution.edge[mine * distribution.columns + theirs]
    won = 1.0 * (theirs < distribution.below[mine]) - (theirs >= distribution.not_above[mine])
    return won * (mine != theirs) + distribution.tie[mine] * (mine == theirs) if len(distribution.tie) else won


# From here on, loops over one table after another; they only run when compiled.


class Slots(NamedTuple):
    """The legal actions at the nodes of a large tree, stored once for each of S kinds of nodes.

    Attributes:
        kind: (M,) for each node of the tree, the number of its kind.
        counts, ids: (S,) how many actions are legal, and (S, A) the action ids, the legal ones first.
    """

    kind: npt.NDArray[np.int32]
    counts: Ints
    ids: Ints


class StrategyTable(NamedTuple):
    """A strategy as arrays: for each of M nodes and each cell of hands, the cumulative probabilities of the A action ids.

    Attributes:
        cuts: (cells - 1,) where the strategy changes on [0, 1]; empty for finite hands, each of which is its own cell.
        interval: True if hands are on [0, 1].
        start: (M,) for each node of the player, the first column of the node in `upto`; in a large tree, the first row.
        upto: the cumulative probabilities, exactly 1 from the last action with positive probability on. In a small tree (A - 1, columns),
            with a column for each cell at each node; in a large tree (rows, hands), with a row for each legal action at each node.
        slots: the legal actions in a large tree, which has more than `MOST_LISTED` nodes; None in a small tree.
    """

    cuts: Floats
    interval: bool
    start: npt.NDArray[np.integer[Any]]
    upto: Floats
    slots: Slots | None = None


class Running(NamedTuple):
    """The games at n tables, in arrays that are updated in place.

    Attributes:
        state: (n,) the state of each table's random stream.
        node: (n,) the node that each table's game has reached.
        hands: (2, n) the hands of player 0 and of player 1; in games with chance nodes (3, n), with the runouts last.
        edge: (n,) with these hands, player 0's probability of winning a showdown minus that of losing it. It is right from the deal on; but
            with chance nodes, or if the higher hand does not win every showdown, only once the game is over.
        chips: (n,) chips to player 0 of the games that the last step ended, 0 elsewhere.
        done: (n,) True where the last step ended the game.
    """

    state: Words
    node: Ints
    hands: Hands
    edge: Floats
    chips: Floats
    done: Bools


def running(n: int, distribution: DealTable) -> Running:
    """Return the arrays of n tables before the first deal."""
    hands: Hands = np.zeros((2 + (distribution.runouts > 0), n), np.float64 if distribution.on_interval else np.int64)
    return Running(np.zeros(n, np.uint64), np.zeros(n, np.int64), hands, np.zeros(n), np.zeros(n), np.zeros(n, bool))


def deal(distribution: DealTable, state: Each) -> tuple[Each, Each, Each, Each, Each]:
    """Deal; return the stream's next state, both hands (as floats), the runout's number or 0, and player 0's edge, as `edge` returns it."""
    while True:
        state, first, second, dealt = propose(distribution, state)
        if dealt:
            mine, theirs, runout = np.float64(first), np.float64(second), 0
            if distribution.runouts:
                runout = index(mine // distribution.rows)
                mine -= runout * distribution.rows
            return state, mine, theirs, runout, edge(distribution, mine, theirs)


def paid(board: Board, at: Each, edge: Each) -> Each:
    """Return player 0's chips at the terminal node with position `at`; `edge` is the probability of winning there minus that of losing."""
    return board.constant[at] + board.stake[at] * edge


def begin(distribution: DealTable, running: Running, tables: Ints) -> None:
    """Deal at these tables, (k,), each at the root; see `numpy_loops.begin`."""
    for i in tables:
        put_at(running, i, 0, *deal(distribution, running.state[i]))


def put_at(running: Running, i: int, at: Each, state: Each, mine: Each, theirs: Each, runout: Each, lead: Each) -> None:
    """Set table i to node `at` and to what `deal` returned: state, hands of player 0 and 1, runout, and `lead`, player 0's edge."""
    hands = running.hands
    hands[-1, i] = runout  # where events turn up; elsewhere the next line writes over it
    running.node[i], running.state[i], hands[0, i], hands[1, i], running.edge[i] = at, state, mine, theirs, lead


def case_edge(board: Board, distribution: DealTable, at: Each, mine: Each, theirs: Each) -> Each:
    """Return player 0's edge with two hands at the terminal node at position `at` of a tree in which edges depend on the node."""
    return distribution.edge[board.case[at] + index(mine) * distribution.columns + index(theirs)]


def turned_up(board: Board, runout: Each, node: Each) -> Each:
    """Return the node after the chance events at `node`, which runout number `runout` contains; `node` itself if it is no chance node."""
    if not len(board.chance):
        return np.uint64(node)
    row = board.chance[position_of(board, node)]
    return onward(board, node, board.turned[row + runout]) if row >= 0 else np.uint64(node)


def drawn_choice(board: Board, state: Each, at: Each) -> tuple[Each, Each]:
    """Return a random stream's next state, and the index in `board.action` and `board.follow` of a legal action drawn at position `at`."""
    state, at = state + STEP, np.uint64(at)
    return state, at * np.uint64(board.width) + (((mix(state) >> SHIFT_32) * board.choices[at]) >> SHIFT_32)


def random_actions(board: Board, running: Running, actions: Ints, low: int, high: int) -> None:
    """Draw a legal action id for each table from `low` to `high` - 1; see `numpy_loops.random_actions`."""
    for i in range(low, high):
        running.state[i], choice = drawn_choice(board, running.state[i], position_of(board, running.node[i]))
        actions[i] = board.action[choice]


def play_random(
    board: Board, distribution: DealTable, running: Running, steps: int, chips: Floats, games: Ints, low: int, high: int
) -> None:
    """Take random decisions at each table from `low` to `high` - 1; see `numpy_loops.play_random`."""
    hands = running.hands
    for i in range(low, high):
        # Local variables, and a node without a sign, which numba never counts from the end, take a sixth less time.
        node: Each = np.uint64(running.node[i])
        at: Each = position_of(board, node)
        state, runout, lead = running.state[i], index(hands[-1, i]), running.edge[i]
        mine, theirs = np.float64(hands[0, i]), np.float64(hands[1, i])
        for _ in range(steps):
            state, choice = drawn_choice(board, state, at)
            node = turned_up(board, runout, onward(board, node, board.follow[choice]))
            at = position_of(board, node)
            if not board.choices[at]:
                if len(board.case):
                    lead = case_edge(board, distribution, at, mine, theirs)
                chips[i] += paid(board, at, lead)
                games[i] += 1
                node = at = np.uint64(0)
                state, mine, theirs, runout, lead = deal(distribution, state)
        put_at(running, i, node, state, mine, theirs, runout, lead)


def reply_by_table(
    board: Board, table: StrategyTable, player: int, seat: Ints, running: Running, first: Words, turn: int
) -> None:
    """Let `player` act by a strategy at the tables where it is the turn of `player` and the learner's seat, `seat` (n,), is the other one.

    The action at table i is drawn by random number `turn`, counted from 1, of the stream whose state is `first[i]`.
    """
    node, hands = running.node, running.hands
    for i in range(len(node)):
        if board.player[node[i]] == player and seat[i] != player:
            u = unit(mix(first[i] + np.uint64(turn) * STEP))
            node[i] = act(board, table, cell(table, hands[player, i]), u, hands, i, node[i])


def act(board: Board, table: StrategyTable, place: Each, u: Each, hands: Hands, i: int, at: Each) -> Each:
    """Return the node after `at`. A number u in [0, 1) draws the action by `table` in cell `place`; `hands[-1, i]` is table i's runout."""
    row, action = table.start[at] + place, 0
    for k in range(table.upto.shape[0]):
        action += u >= table.upto[k, row]
    return turned_up(board, index(hands[-1, i]), board.child[at * board.width + action])


def cell(table: StrategyTable, hand: Each) -> Each:
    """Return the index of the cell of a strategy's table that contains a hand."""
    return np.searchsorted(table.cuts, hand, side="right") if table.interval else index(hand)
