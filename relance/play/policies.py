"""Players at many tables: each one's actions, drawn from its strategy or asked of a function, and whole games between two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, Ints
from relance.model.game import Game
from relance.play.batch import Batch, check_actions
from relance.play.networks import Masks
from relance.play.numpy_loops import choose
from relance.play.opponents import Player, in_seat, strategy
from relance.play.readers import Answer, as_array, is_function, legal_probabilities
from relance.play.strategy_table import StrategyTable, tabulate
from relance.play.streams import check_whole


class Played(NamedTuple):
    """The results of whole games: `chips` to player 0 and the number of `decisions` of both players, both (rounds, n)."""

    chips: Floats
    decisions: Ints


def policy_of(game: Game, policy: Player, seat: int) -> StrategyTable | Answer:
    """A function unchanged, or the table of the strategy that `policy` plays in this seat; raises as `opponents.strategy` does."""
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


def play_games(batch: Batch, first: Player, second: Player, rounds: int = 1) -> Played:
    """Deal and play `rounds` whole games at every table of a batch; the last ones are left finished.

    Each player is as in `relance.play.opponents`. A callable (observations (k, K), masks (k, A)) -> action ids (k,) or
    probabilities (k, A) is called with all k tables at which it is to move.
    """
    check_whole("rounds", rounds, 1)
    policies = [policy_of(batch.game, policy, seat) for seat, policy in enumerate((first, second))]
    out = Played(np.zeros((rounds, batch.n)), np.zeros((rounds, batch.n), np.int64))
    tables = [policy for policy in policies if isinstance(policy, StrategyTable)]
    everyone = np.arange(batch.n)
    for chips, decisions in zip(*out, strict=True):
        batch.deal(everyone)
        live = everyone
        if batch.compiled and len(tables) == 2:
            batch.play_tables(tables[0], tables[1], decisions)
            live = everyone[:0]
        while len(live):
            for player in (0, 1):
                mine = live[batch.to_move.take(live) == player]
                if len(mine):
                    batch.move(mine, _ask(batch, policies[player], player, mine))
                    decisions[mine] += 1
            live = live[~batch.done.take(live)]
        chips[:] = batch.chips
    return out


def _ask(batch: Batch, policy: StrategyTable | Answer, player: int, tables: Ints) -> Ints:
    """The action ids, (k,), that `policy` takes at these tables of a batch, where it is the turn of `player`."""
    node = batch.node.take(tables)
    if isinstance(policy, StrategyTable):
        return choose(policy, node, batch.hands[:, player].take(tables), batch.draw(tables))
    masks = batch.game.tree.table.legal.take(node, axis=0)
    answer, where = policy(batch.observe(player, tables), masks), lambda row: f"table {tables[row]}"
    return check_actions(ids_of(batch.game, answer, masks, where, lambda: batch.draw(tables)), len(tables))
