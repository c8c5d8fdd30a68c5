"""Every game as a Gymnasium vector environment: one seat at many tables, against an opponent.

Each table behaves like `relance.registration.gymnasium.SeatEnv`. Observations, masks and rewards are fresh arrays; the vectors in
`final_obs` are read-only, as finished tables share them.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from relance.model.arguments import checked
from relance.model.arrays import Ints
from relance.model.game import Game
from relance.model.limits import check_memory
from relance.play.batch import Batch, check_actions
from relance.play.coach import Lessons, coaches
from relance.play.frame import frame
from relance.play.loops import Hands
from relance.play.opponents import Player
from relance.play.rewards import Rewards
from relance.play.rules import check_whole
from relance.play.seats import Seats
from relance.play.table import Table
from relance.registration.gymnasium import LIMIT, SeatEnv

Infos = dict[str, Any]


TABLE, NUMBER = 100, 24
"""The bytes that a table takes, and those of each number in its observation, including the spaces."""


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
        compiled: whether to use numba, as for `relance.play.Batch`.
        render_mode: "rgb_array" for pictures; see `render`.
        max_episode_steps: passed by `gymnasium.make_vec` from the spec. No table is cut off, so a smaller limit is a ValueError.
        teach, reward: as for `SeatEnv`; `loss` in the infos, (num_envs,), is what the last action lost, or 0 if there was none.
        **parameters: the game's parameters, as for `SeatEnv`.
    """

    @checked
    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        opponent: Player = None,
        seat: Literal[0, 1, "random"] = 0,
        obs: Literal["flat", "dict"] = "flat",
        illegal: Literal["forfeit", "raise"] = "forfeit",
        extra_info: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        compiled: bool | None = None,
        teach: Player = False,
        render_mode: Literal["rgb_array"] | None = None,
        reward: str = "chips",
        max_episode_steps: int = LIMIT,
        **parameters: object,
    ) -> None:
        check_whole("max_episode_steps", max_episode_steps, LIMIT)
        options: dict[str, Any] = {"seat": seat, "obs": obs, "illegal": illegal, **parameters}
        single = SeatEnv(game, opponent="uniform", **options)
        self.game, self.rules = single.game, single.rules
        self.obs, self.illegal, self.extra_info = obs, illegal, extra_info
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": 1, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        check_whole("num_envs", num_envs, 1, 2**31)
        self.num_envs = int(num_envs)
        what = f"num_envs={num_envs} of {self.game}, {single.rules.size} numbers each,"
        check_memory((TABLE + NUMBER * single.rules.size) * self.num_envs, what, instead="take fewer environments")
        seats = (0, 1) if seat == "random" else (seat,)
        self.rewards = Rewards(self.game, reward, opponent)
        opponents = self.rewards.players(1 - seat for seat in seats)
        self._batch = Batch(self.game, self.num_envs, compiled=compiled)
        self._seats = Seats(self._batch, seats, opponents)
        taught = coaches(self.game, teach, seats)
        self._lessons = Lessons(taught, self._batch.board.nodes, self._batch.board.width) if taught else None
        self._loss = np.zeros(self.num_envs)
        shows = extra_info or render_mode
        self._cards = np.full((self.num_envs, 2), "", object) if shows and self.rules.showing else None
        self._every = np.ones(self.num_envs, bool)
        self._started = False
        self.single_observation_space, self.single_action_space = single.observation_space, single.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Infos]:
        """Deal, and let the opponent act where it is their turn.

        A `seed` restarts the random streams of all tables. `options["reset_mask"]`, (num_envs,) bool, deals only where it is True.

        Returns:
            The observations, (num_envs, K), and the infos.

        Raises:
            ValueError: the mask has another shape or type, or a seed is given too.
        """
        chosen = (options or {}).get("reset_mask")
        tables = np.arange(self.num_envs)
        if chosen is not None:
            if seed is not None or np.shape(chosen) != (self.num_envs,) or np.asarray(chosen).dtype != bool:
                raise ValueError(f"reset_mask must be a bool array of shape ({self.num_envs},), and needs seed=None")
            tables = np.flatnonzero(chosen)
        if seed is not None:
            self._seats.restart(seed)
            seed = int(seed)
        super().reset(seed=seed)
        self._deal(tables)
        self._seats.reply()
        self._batch.done[tables], self._loss[tables] = False, 0.0
        self._started = True
        return self._see(), self._infos()

    def refresh(self, policy: Player) -> None:
        """Take the learner's current policy, as in `SeatEnv.refresh`; needed after each update with `opponent="self"`."""
        self.rewards.refresh(policy)
        self._seats.opponents = self.rewards.players(self._seats.opponents)

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Infos]:
        """Play `actions`, (num_envs,), then the opponent; a reward is 0 until the game is over, then your chips, or as `reward` says."""
        if not self._started:
            raise RuntimeError("no hands have been dealt; call reset() first")
        seats, done, last = self._seats, self._batch.done, {}
        if self.autoreset_mode is AutoresetMode.DISABLED and np.count_nonzero(done):
            raise RuntimeError(f"the game at table {done.argmax()} is over; reset it with options['reset_mask']")
        ids = self._scored(check_actions(actions, self.num_envs))
        if self._lessons is not None:
            self._loss = self._lessons.losses(seats.seat, self._batch.node, seats.mine, ids)
        paid = None
        if self.rewards.by_decision:
            paid = self.rewards.paid_at(seats.seat, self._batch.node, seats.mine, ids)
        seats.step(ids, self._deal)
        over, rewards = done.copy(), seats.rewards if paid is None else paid
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            if np.count_nonzero(over):
                last = self._final(over)
                self._deal(over.nonzero()[0])
                done[:] = False
            seats.reply()  # even if nothing ended, so that a table's random numbers do not depend on the other tables
        return self._see(), rewards, over, np.zeros(self.num_envs, bool), self._infos() | last

    def _scored(self, ids: Ints) -> Ints:
        """The actions, with 0 where they are ignored. ValueError for one that is not in the game, or, under illegal="raise", not legal."""
        done, unknown = self._batch.done, ids.view(np.uint64) >= self._batch.board.width
        if np.count_nonzero(unknown):
            if np.count_nonzero(unknown & ~done):
                table = int((unknown & ~done).argmax())
                raise ValueError(f"table {table}: action {ids[table]} is not an action id; {self.rules.ids}")
            ids = np.where(unknown, 0, ids)
        if self.illegal == "raise":
            live = (self._batch.to_move >= 0).nonzero()[0]
            self._batch.next_nodes(live, ids[live])
        return ids

    def _deal(self, tables: Ints) -> None:
        """Deal again at these tables, each at the root."""
        self._seats.deal(tables)
        if self._cards is not None:
            for table, hands in zip(tables, self.hands[tables].tolist(), strict=True):
                self._cards[table] = self.rules.show(hands, self.np_random)

    @property
    def seat(self) -> Ints:
        """Your seat at each table, (num_envs,)."""
        return self._seats.seat.copy()

    @property
    def hands(self) -> Hands:
        """The hands of player 0 and player 1, (num_envs, 2)."""
        return self._batch.hands.copy()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, (num_envs, A) bool; all true before `reset`, at the end, or if the opponent ended the game."""
        return self._seats.mask.view(bool)

    def render(self) -> tuple[npt.NDArray[np.uint8], ...] | None:
        """Return a picture of each table, as for `SeatEnv`, in mode "rgb_array"; else None."""
        if self.render_mode is None:
            return None
        return tuple(map(self._picture, range(self.num_envs)))

    def _picture(self, table: int) -> npt.NDArray[np.uint8]:
        forfeited, node = divmod(int(self._batch.node[table]), self._batch.board.nodes)
        seat, shown = int(self.seat[table]), Table(self.rules)
        if self._started:
            shown.give(tuple(self.hands[table].tolist()))
            shown.cards = None if self._cards is None else tuple(self._cards[table])
            shown.node, shown.player = node, self.rules.player[node]
            if forfeited:
                shown.forfeit(seat)
        return frame(shown, (seat,))

    def _see(self) -> Any:
        vectors = self._seats.observe()
        return vectors if self.obs == "flat" else {"observation": vectors, "action_mask": self._seats.mask}

    def _infos(self) -> Infos:
        out: Infos = {"action_mask": self._seats.mask}
        if self._lessons is None and not self.extra_info:  # the usual case, quickly
            return out | {"_action_mask": self._every.copy()}
        if self._lessons is not None:
            out["loss"] = self._loss.copy()
        if self.extra_info:
            seat, mine, nodes = self.seat, self._seats.mine.tolist(), self._batch.board.nodes
            labels = [self.rules.deal.label(p, hand) for p, hand in zip(seat.tolist(), mine, strict=True)]
            names, here = self.rules.names, (self._batch.node % nodes).tolist()
            out["node"] = np.array([names[node] for node in here], object)
            out["hand"] = np.array(labels, object)
            if self._cards is not None:
                out["cards"] = self._cards[np.arange(self.num_envs), seat]
            out["seat"], out["forfeit"] = seat, self._batch.node >= nodes
        return out | {f"_{key}": self._every.copy() for key in out}

    def _final(self, over: npt.NDArray[np.bool_]) -> Infos:
        """The final observations and infos of the finished tables, in Gymnasium's form; the other tables have None."""
        tables, last = over.nonzero()[0], np.full(self.num_envs, None, object)
        seen = self._seats.observe_each(tables)
        if self.obs == "flat":
            last[tables] = seen
        else:
            masks = self._seats.mask[tables]
            rows = zip(seen, masks, strict=True)
            last[tables] = [{"observation": vector, "action_mask": mask} for vector, mask in rows]
        info = {key: value & over if key.startswith("_") else value for key, value in self._infos().items()}
        return {"final_obs": last, "_final_obs": over.copy(), "final_info": info, "_final_info": over.copy()}


def row_of(seen: Any, table: int) -> Any:
    """Copy one table's observation from the observations of all tables: an array or a dict of arrays."""
    return {key: part[table].copy() for key, part in seen.items()} if isinstance(seen, dict) else seen[table].copy()
