"""Every game as a Gymnasium vector environment: one seat at many tables, against an opponent, on top of `Batch`.

Each table behaves like `relance.registration.gymnasium.SeatEnv`. Observations, masks and rewards are fresh arrays.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from relance.agents.coach import coaches
from relance.agents.drawing import policy_of
from relance.agents.opponents import Player
from relance.model.arrays import Ints
from relance.model.game import Game
from relance.registration.gymnasium import SeatEnv
from relance.tables.batch import Batch, check_actions

Infos = dict[str, Any]


class VectorSeatEnv(VectorEnv[Any, Any, Any]):
    """One seat at `num_envs` tables; `gymnasium.make_vec` returns this for a game of Relance.

    Args:
        game: a name of `relance.games()`, or a Game.
        num_envs: how many tables.
        opponent: as for `SeatEnv`; a callable is called with all k tables at which it is to move.
        seat: as for `SeatEnv`; a "random" one is drawn for each episode and table.
        obs, illegal, extra_info: as for `SeatEnv`, table by table; vectors are (num_envs, K).
        autoreset_mode: NEXT_STEP deals a finished table again in the next step, which ignores its action; SAME_STEP at once,
            with `final_obs` and `final_info` in the infos; DISABLED waits for `reset(options={"reset_mask": ...})`.
        compiled: as for `Batch`.
        teach: as for `SeatEnv`; `loss` in the infos, (num_envs,), is the loss of the action just played, or 0 if there was none.
        **parameters: the game's parameters, as for `SeatEnv`.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        opponent: Player = "published",
        seat: Literal[0, 1, "random"] = 0,
        obs: Literal["flat", "dict"] = "flat",
        illegal: Literal["forfeit", "raise"] = "forfeit",
        extra_info: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        compiled: bool | None = None,
        teach: Player = False,
        **parameters: object,
    ) -> None:
        options: dict[str, Any] = {"seat": seat, "obs": obs, "illegal": illegal, **parameters}
        single = SeatEnv(game, opponent="uniform", **options)
        self.game, self.rules = single.game, single.rules
        self.obs, self.illegal, self.extra_info = obs, illegal, extra_info
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.render_mode = None
        self._batch = Batch(self.game, num_envs, compiled=compiled)
        self.num_envs = self._batch.n
        self._random_seat = seat == "random"
        seats = (0, 1) if seat == "random" else (seat,)
        self._policies = {1 - s: policy_of(self.game, opponent, 1 - s) for s in seats}
        self._coaches, self._loss = coaches(self.game, teach, seats), np.zeros(self._batch.n)
        self.seat: Ints = np.full(self.num_envs, seats[0], np.int64)
        self._cards = np.full((self.num_envs, 2), "", object) if extra_info and self.rules.showing else None
        self._over = np.ones(self.num_envs, bool)
        self._forfeited = np.zeros(self.num_envs, bool)
        self._started = False
        self.single_observation_space, self.single_action_space = single.observation_space, single.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Infos]:
        """Deal, and let the opponent act where it is his turn.

        A `seed` restarts the random streams of all tables. `options["reset_mask"]`, (num_envs,) bool, deals only at these
        tables, and cannot be combined with a seed.
        """
        chosen = (options or {}).get("reset_mask")
        tables = np.arange(self.num_envs)
        if chosen is not None:
            if seed is not None or np.shape(chosen) != (self.num_envs,) or np.asarray(chosen).dtype != bool:
                raise ValueError(f"reset_mask must be a bool array of shape ({self.num_envs},), without a seed")
            tables = np.flatnonzero(chosen)
        super().reset(seed=None if seed is None else int(seed))
        if seed is not None:
            self._batch.reset(seed)
        self._start(tables)
        self._loss[tables] = 0.0
        self._started = True
        return self._see(), self._infos()

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Infos]:
        """Play `actions`, (num_envs,), then the opponent; a reward is 0 until the game is over, then your chips."""
        if not self._started:
            raise RuntimeError("call reset() first")
        waiting = self._over.copy()
        if self.autoreset_mode == AutoresetMode.DISABLED and waiting.any():
            raise RuntimeError(f"the game at table {waiting.argmax()} is over; reset it with options['reset_mask']")
        numbers, wrong = self._judge(actions, waiting)
        self._teach(numbers, waiting)
        mine = np.flatnonzero(~waiting & ~wrong & (self._batch.to_move == self.seat))
        self._batch.move(mine, numbers[mine])
        self._let_opponent_act(mine)
        self._forfeited = wrong
        self._over = ~waiting & (wrong | (self._batch.to_move < 0))
        worst = np.array(self.rules.worst).take(self.seat)
        chips = np.where(wrong, -worst, self._batch.rewards[np.arange(self.num_envs), self.seat])
        rewards, over = np.where(self._over, chips, 0.0), self._over.copy()
        last = self._final(over) if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any() else {}
        fresh = waiting if self.autoreset_mode == AutoresetMode.NEXT_STEP else over if last else None
        if fresh is not None:
            self._start(np.flatnonzero(fresh))
        return self._see(), rewards, over, np.zeros(self.num_envs, bool), self._infos() | last

    def _judge(self, actions: Any, waiting: npt.NDArray[np.bool_]) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """The actions as numbers, and at which tables they are illegal."""
        numbers = np.where(waiting, 0, check_actions(actions, self.num_envs))
        unknown = (numbers < 0) | (numbers >= len(self.rules.actions))
        if unknown.any():
            table = int(unknown.argmax())
            raise ValueError(f"table {table}: action {numbers[table]} is not an action id; {self.rules.ids}")
        wrong = ~waiting & ~self.action_masks()[np.arange(self.num_envs), numbers]
        if wrong.any() and self.illegal == "raise":
            table = int(wrong.argmax())
            raise ValueError(f"table {table}: {self.rules.illegal(int(numbers[table]), int(self._batch.node[table]))}")
        return numbers, wrong

    def _teach(self, numbers: Ints, waiting: npt.NDArray[np.bool_]) -> None:
        """Store the losses of these actions, at the tables where the seat has a decision."""
        self._loss[:] = 0.0
        deciding = ~waiting & (self._batch.to_move == self.seat)
        for seat, coach in self._coaches.items():
            for node in np.unique(self._batch.node[deciding & (self.seat == seat)]):
                here = np.flatnonzero(deciding & (self.seat == seat) & (self._batch.node == node))
                self._loss[here] = coach.losses(int(node), self._batch.hands[here, seat], numbers[here])

    def _start(self, tables: Ints) -> None:
        if self._random_seat:
            self.seat[tables] = self._batch.draw(tables) >= 0.5
        self._batch.deal(tables)
        if self._cards is not None:
            for table in tables:
                self._cards[table] = self.rules.show(self._batch.hands[table].tolist(), self.np_random)
        self._over[tables] = self._forfeited[tables] = False
        self._let_opponent_act(tables)

    def _let_opponent_act(self, tables: Ints) -> None:
        while True:
            tables = tables[self._batch.to_move.take(tables) == 1 - self.seat.take(tables)]
            if not len(tables):
                return
            for player, policy in self._policies.items():
                theirs = tables[self.seat.take(tables) == 1 - player]
                if len(theirs):
                    try:
                        self._batch.move(theirs, self._batch.ask(policy, player, theirs))
                    except ValueError as error:
                        raise ValueError(f"the opponent's answer: {error}") from error

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(num_envs, A) legal actions; all true before `reset`, at the end, and if the opponent ended the game before your turn."""
        mask = self._batch.mask()
        mask[self._over | (self._batch.to_move != self.seat)] = True
        return mask

    def _see(self) -> Any:
        vectors = self._batch.observe(self.seat)
        if self.obs == "flat":
            return vectors
        return {"observation": vectors, "action_mask": self.action_masks().astype(np.int8)}

    def _infos(self) -> Infos:
        out: Infos = {"action_mask": self.action_masks().astype(np.int8)}
        if self._coaches:
            out["loss"] = self._loss.copy()
        if self.extra_info:
            hands = self._batch.hands[np.arange(self.num_envs), self.seat].tolist()
            labels = [self.rules.deal.label(p, hand) for p, hand in zip(self.seat.tolist(), hands, strict=True)]
            out["node"] = np.array(self.rules.names, object).take(self._batch.node)
            out["hand"] = np.array(labels, object)
            if self._cards is not None:
                out["cards"] = self._cards[np.arange(self.num_envs), self.seat]
            out["seat"], out["forfeit"] = self.seat.copy(), self._forfeited.copy()
        return out | {f"_{key}": np.ones(self.num_envs, bool) for key in out}

    def _final(self, over: npt.NDArray[np.bool_]) -> Infos:
        """The final observations and infos of the finished tables, in Gymnasium's form; observations of the others are None."""
        seen, infos = self._see(), self._infos()
        last = np.full(self.num_envs, None, object)
        for table in np.flatnonzero(over).tolist():
            last[table] = row_of(seen, table)
        info = {key: value & over if key.startswith("_") else value for key, value in infos.items()}
        return {"final_obs": last, "_final_obs": over.copy(), "final_info": info, "_final_info": over.copy()}


def row_of(seen: Any, table: int) -> Any:
    """A copy of one table's observation, from the observations of all tables: an array or a dict of arrays."""
    return {key: part[table].copy() for key, part in seen.items()} if isinstance(seen, dict) else seen[table].copy()
