"""Players at a table or at many: each one's actions, drawn from its strategy or asked of a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints
from relance.model.game import Game
from relance.play.agents import Answer, as_array, in_seat, is_function, legal_probabilities, strategy
from relance.play.batch import Batch, check_actions
from relance.play.networks import Masks
from relance.play.numpy_loops import choose
from relance.play.opponents import Player
from relance.play.strategy_table import Sampler, StrategyTable, tabulate
from relance.play.table import Table


def policy_of(game: Game, policy: Player, seat: int) -> StrategyTable | Answer:
    """A function unchanged, or the table of the strategy that `policy` plays in this seat; raises as `agents.strategy` does."""
    player = in_seat(policy, seat)
    return player if is_function(player) else tabulate(game, strategy(game, player, seat))


def ids_of(
    game: Game, answer: object, masks: Masks, where: Callable[[int], str], uniform: Callable[[], Floats]
) -> npt.NDArray[Any]:
    """A function's answer as action ids; if it is probabilities (k, A), an action is drawn for each row.

    Args:
        game: the game.
        answer: what the function returned for `masks`.
        masks: (k, A) which actions are legal.
        where: returns the name of a row, for errors.
        uniform: returns (k,) random numbers in [0, 1); called only if actions are drawn.

    Raises:
        ValueError: the probabilities do not sum to 1, or some are of illegal actions.
    """
    ids = as_array(answer)
    if ids.ndim != 2:
        return ids
    upto = np.cumsum(legal_probabilities(game, ids, masks, where), axis=1)
    drawn: Ints = (uniform()[:, None] * upto[:, -1:] >= upto).sum(axis=1)
    return drawn


def play_on(table: Table, seat: int, player: Sampler | Answer, draws: np.random.Generator) -> None:
    """Let a player act at a table while it is their turn in this seat; ValueError for an illegal answer of a function."""
    while table.player == seat:
        if isinstance(player, Sampler):
            table.act(player.draw(table.node, table.hands[seat], draws.random()))
            continue
        rules, mask = table.rules, table.mask(seat).astype(bool)[None]
        answer = player(table.observe(seat)[None], mask)
        ids = ids_of(rules.game, answer, mask, lambda row: "the opponent", lambda: draws.random(1))
        action = rules.action_id(ids.item() if ids.size == 1 else answer)
        if not mask[0, action]:
            raise ValueError("the opponent's " + rules.illegal(action, table.node))
        table.act(action)


def ids_at(
    batch: Batch,
    policy: StrategyTable | Answer,
    player: int,
    tables: Ints,
    uniform: Callable[[], Floats],
    name: Callable[[int], str] = "table {}".format,
) -> Ints:
    """The action ids, (k,), that `policy` takes at these tables of a batch, (k,), where it is the turn of `player`.

    `uniform` is as for `ids_of`; `name` returns what a table is called in errors. A function's ids may be illegal.
    """
    node = batch.node.take(tables)
    if isinstance(policy, StrategyTable):
        return choose(policy, node, batch.held(player, tables), uniform())
    masks = batch.board.mask.take(node, axis=0).view(bool)
    answer = policy(batch.observe(player, tables), masks)
    return check_actions(ids_of(batch.game, answer, masks, lambda row: name(tables[row]), uniform), len(tables))
