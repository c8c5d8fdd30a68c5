"""Every game for JAX, with the interface of pgx: `init(key)` and `step(state, action)` are pure, and can be jitted and vmapped.

The tables are those of `relance.play.batch`, so the same random words deal the same hands. Needs the extra `jax`.

    env = relance.registration.jax.jax_env("von_neumann", bet=2)
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 4096))
    state = jax.jit(jax.vmap(env.step))(state, actions)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from relance.model.arguments import checked
from relance.model.arrays import Words
from relance.model.deal_table import CARDS, DENSITY, PAIRS, Alias, DealTable, Proposal
from relance.model.game import Game
from relance.play.board import compile_board, compile_sight, onward, position_of
from relance.play.loops import density, edge, edge_of_indices, place
from relance.play.rules import game_of, rules
from relance.play.runouts import distribution_of

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise ImportError("JAX is needed here: pip install 'relance[jax]'") from error

JaxArray: TypeAlias = Any
"""A JAX array."""

VERSION = "v0"


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State:
    """The state of one game; every field gets a leading axis under `jax.vmap`.

    Attributes:
        current_player: () int32, the player to move; at the end, the player who moved last.
        observation: (K,) float32, what that player sees; see `relance.play.rules`.
        rewards: (2,) float32, the chips that the last step paid; 0 until the game ends, and again after that.
        terminated, truncated: () bool; games are never truncated.
        legal_action_mask: (A,) bool; all true at the end.
        node: () int32, index into `game.tree.table`.
        hands: (2,) both hands: int32 indices, or float32 in [0, 1]. With public cards, (3,): the third entry is the number of the runout,
            all public cards that will turn up.
    """

    current_player: JaxArray
    observation: JaxArray
    rewards: JaxArray
    terminated: JaxArray
    truncated: JaxArray
    legal_action_mask: JaxArray
    node: JaxArray
    hands: JaxArray

    def replace(self, **changes: JaxArray) -> State:
        """The same state with some fields changed."""
        return replace(self, **changes)


class JaxEnv:
    """A game of Relance with the interface of a `pgx.Env`. Player numbers are those of Relance, never shuffled.

    Args:
        game: a name of `relance.games()`, or a Game.
        **parameters: of the game, such as `bet=2`; `hands=n` for a grid.

    Attributes:
        id, version, num_players, num_actions, observation_shape: as in pgx.
    """

    version = VERSION
    num_players = 2

    def __init__(self, game: str | Game, **parameters: object) -> None:
        self.game = game_of(game, parameters)
        self.id = f"relance/{self.game.name}"
        rulebook, distribution = rules(self.game), distribution_of(self.game)
        board, sight = compile_board(rulebook), compile_sight(rulebook)
        self.num_actions, self.observation_shape = board.width, (rulebook.size,)
        self._distribution = _Distribution(distribution)
        self._board, self._legal = _in_jax(board), jnp.asarray(board.mask, bool)
        self._sight = _in_jax(sight)
        if sight.tree:
            self._parent, self._column = (
                jnp.asarray(rows) for rows in (sight.tree.parent, sight.public + sight.tree.column)
            )

    def init(self, key: JaxArray) -> State:
        """Deal hands with a random key of JAX, and return the state at the root."""
        hands = self._distribution.deal(key)
        node, player = jnp.int32(0), self._board.player[0]
        none = jnp.bool_(False)
        seen = self._look(player, node, hands)
        return State(player, seen, jnp.zeros(2, jnp.float32), none, none, self._legal[0], node, hands)

    def step(self, state: State, action: JaxArray, key: JaxArray | None = None) -> State:
        """Return the state after one action id; `key` is not used.

        An illegal action ends the game: the player pays the most chips that they can lose. A finished game does not change; rewards are 0.
        """
        mover, action = state.current_player, jnp.asarray(action, jnp.int32)
        inside = (action >= 0) & (action < self.num_actions)
        board = self._board
        forfeited = board.nodes + state.node
        follow = board.child[position_of(board, state.node) * board.width + action]
        node = jnp.where(inside, onward(board, state.node, follow), forfeited)
        if board.chance.size:
            row = board.chance[position_of(board, node)]
            node = jnp.where(row < 0, node, onward(board, node, board.turned[row + state.hands[2]]))
        at, tree_node = position_of(board, node), node % board.nodes
        over = board.player[at] < 0
        player = jnp.where(over, mover, board.player[at])
        lead = self._distribution.edge(state.hands, board.case[at] if board.case.size else 0)
        won = board.constant[at] + board.stake[at] * lead
        played = State(
            player,
            self._look(player, tree_node, state.hands),
            jnp.stack([won, -won]),
            over,
            jnp.bool_(False),
            self._legal[at],
            tree_node,
            state.hands,
        )
        done = state.replace(rewards=jnp.zeros_like(state.rewards))
        kept: State = jax.tree.map(lambda old, new: jnp.where(state.terminated, old, new), done, played)
        return kept

    def observe(self, state: State, player_id: JaxArray | None = None) -> JaxArray:
        """Return what a player sees, (K,) float32; by default the player to move."""
        player = state.current_player if player_id is None else jnp.asarray(player_id, jnp.int32)
        return self._look(player, state.node, state.hands)

    def _look(self, player: JaxArray, node: JaxArray, hands: JaxArray) -> JaxArray:
        sight, hand = self._sight, hands[player]
        if sight.whole > 1:
            return sight.rows[player, node * sight.whole + hand]
        code = player * sight.hands + hand if sight.hands else 0
        seen = self._history(player, node) if sight.tree else sight.rows[player, node]
        return seen.at[sight.column[code]].set(sight.value[code] if sight.hands else hand)

    def _history(self, player: JaxArray, node: JaxArray) -> JaxArray:
        """(K,) what a player sees at a node of a large tree, without the hand: each step on the way to it is a one."""
        parent, column = self._parent, self._column

        def back(_: int, at: tuple[JaxArray, JaxArray]) -> tuple[JaxArray, JaxArray]:
            seen, node = at
            return seen.at[column[node]].max(jnp.float32(node > 0)), jnp.maximum(parent[node], 0)

        seen = jnp.zeros(self.observation_shape, jnp.float32).at[player].set(1)
        return jax.lax.fori_loop(0, len(self.game.tree.table.levels) - 1, back, (seen, node))[0]


class _Distribution:
    """Deals and compares hands from a `DealTable`, one game at a time. A random word is two uint32: its high and its low bits."""

    def __init__(self, table: DealTable) -> None:
        self.table, self.numbers = table, _in_jax(table)
        cells = 0 if table.kind in (PAIRS, CARDS) else sum(len(side.cap) > 1 for side in self.sides)
        places = 2 * (table.kind == DENSITY) + (not table.certain)
        self.words = 1 if table.kind == PAIRS else 2 if table.kind == CARDS else cells + places

    @property
    def sides(self) -> tuple[Proposal, Proposal]:
        return self.table.first, self.table.second

    def deal(self, key: JaxArray) -> JaxArray:
        """(2,) two hands, or (3,) with the number of the runout, the events to turn up; proposals are drawn until one is accepted."""

        def proposed(key: JaxArray) -> tuple[JaxArray, JaxArray, JaxArray]:
            key, draw = jax.random.split(key)
            return key, *self.propose(jax.random.bits(draw, (max(self.words, 1), 2), jnp.uint32))

        if self.table.certain and self.table.kind != CARDS:
            return proposed(key)[1]
        _, hands, _ = jax.lax.while_loop(lambda at: ~at[2], lambda at: proposed(at[0]), proposed(key))
        return hands

    def propose(self, words: JaxArray) -> tuple[JaxArray, JaxArray]:
        """Two hands made from random words, (words, 2) uint32, and True if they are dealt."""
        table, numbers, dealt, zero = self.table, self.numbers, jnp.bool_(True), jnp.int32(0)
        if table.kind == PAIRS:
            pair = _pick(table.pairs, words[0])
            hands = [pair // table.columns, pair % table.columns]
            if table.runouts:
                hands = [hands[0] % table.rows, hands[1], hands[0] // table.rows]
            return jnp.stack(hands), dealt
        if table.kind == CARDS:
            first, second = (_below(len(table.bits), word) for word in words)
            high, low = _halves(table.bits)
            apart = ((high[first] & high[second]) | (low[first] & low[second])) == 0
            return jnp.stack([numbers.owner[first], numbers.owner[second]]), apart
        rest, sides = iter(words), (numbers.first, numbers.second)
        cells = [_pick(side.cells, next(rest)) if len(side.cap) > 1 else zero for side in self.sides]
        hands, offsets = cells, [jnp.float32(0.0)] * 2
        if table.kind == DENSITY:
            places = [place(side, cell, _unit(next(rest))) for side, cell in zip(sides, cells, strict=True)]
            hands, offsets = [list(part) for part in zip(*places, strict=True)]
        if not table.certain:
            height = _unit(next(rest)) * numbers.first.cap[cells[0]] * numbers.second.cap[cells[1]]
            dealt = height < density(*sides, numbers.blocked, *cells, *offsets)
        return jnp.stack(hands), dealt

    def edge(self, hands: JaxArray, case: JaxArray | int = 0) -> JaxArray:
        """Player 0's edge in a showdown whose edges begin at `case` in the table."""
        if self.table.kind == PAIRS:
            return self.numbers.edge[case + hands[0] * self.table.columns + hands[1]]
        return (edge if self.table.on_interval else edge_of_indices)(self.numbers, *hands)


def _in_jax(part: Any) -> Any:
    """The table of a distribution, or a part of it, with 32-bit numbers; 64-bit words stay as they are."""
    if isinstance(part, tuple):
        return type(part)(*map(_in_jax, part))
    kinds = {"f": jnp.float32, "i": jnp.int32}
    return jnp.asarray(part, kinds[part.dtype.kind]) if getattr(part, "ndim", 0) and part.dtype.kind in kinds else part


def _unit(word: JaxArray) -> JaxArray:
    """A number in [0, 1) from the high 24 bits of a word."""
    return (word[0] >> 8).astype(jnp.float32) * jnp.float32(2.0**-24)


def _halves(words: Words) -> tuple[JaxArray, JaxArray]:
    """The high and the low 32 bits of each word."""
    high, low = words >> np.uint64(32), words & np.uint64(2**32 - 1)
    return jnp.asarray(high.astype(np.uint32)), jnp.asarray(low.astype(np.uint32))


def _below(count: int, word: JaxArray) -> JaxArray:
    """A word of 64 bits as an index below `count`: the product of both over 2**64, in 32 bits."""

    def product(half: JaxArray) -> tuple[JaxArray, JaxArray]:
        """The high and the low 32 bits of `half` times `count`."""
        c, d = (jnp.uint32(part) for part in divmod(count, 2**16))
        a, b = half >> 16, half & 0xFFFF
        ad = a * d + ((b * d) >> 16)
        return a * c + (ad >> 16) + ((b * c + (ad & 0xFFFF)) >> 16), half * jnp.uint32(count)

    (high, low), (carried, _) = product(word[0]), product(word[1])
    return (high + (low + carried < low)).astype(jnp.int32)


def _pick(alias: Alias, word: JaxArray) -> JaxArray:
    """An index from an alias table, as `relance.play.loops.pick` draws it from 64 bits."""
    bits = int(alias.bits)
    row = (word[0] >> (32 - bits)).astype(jnp.int32)
    high, low = (word[0] << bits) | (word[1] >> (32 - bits)), word[1] << bits
    most, least = _halves(alias.threshold)
    keep = (high < most[row]) | ((high == most[row]) & (low < least[row]))
    return jnp.where(keep, row, jnp.asarray(alias.alias, jnp.int32)[row])


@checked
def jax_env(game: str | Game, **parameters: object) -> JaxEnv:
    """Return the JAX environment of a game; arguments as for `JaxEnv`."""
    return JaxEnv(game, **parameters)
