"""The games of Relance for verifiers: hands in words, and exact rewards.

vf-eval relance-verifiers -n 100 -m MODEL --env.taskset.game 'one_card_poker(raises=0)' --env.taskset.opponent uniform
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import httpx
import verifiers.v1 as vf
from pydantic import Field
from verifiers.v1.dialects.chat import message_to_wire

from relance.words import LogRow, SpokenGame, SpokenHand, spoken_game

__all__ = ["Chat", "Hands", "Poker"]

MODEL = "model"
"""The opponent that is a model too."""

LEARNER = "learner"
"""The opponent who follows the model's policy."""

TRAINING = "exploitability_descent"
"""The reward where the opponent follows the model."""

SEATS: dict[str, tuple[tuple[int, ...], ...]] = {"both": ((0,), (1,)), "0": ((0,),), "1": ((1,),)}


class HandData(vf.TaskData):
    """A hand: its number in the run, and the seats that models play."""

    deal: int
    seats: tuple[int, ...]


class Hand(vf.Task[HandData]):
    """One hand."""


class HandsConfig(vf.TasksetConfig):
    """What is played, under `--env.taskset.*`."""

    game: str = "one_card_poker(raises=0)"
    """The game with its parameters; Kuhn's by default."""
    deals: int = Field(100, ge=1)
    """How many hands are dealt. Those that the opponent ends before the model is asked are left out."""
    seed: int = Field(0, ge=0)
    """Of the deals and of the opponent's choices."""
    opponent: str = ""
    """Who plays the other seat, as for `relance.score`; "solved"; "model": player0 and player1 are both models; or "learner":
    the model's policy, estimated from its answers, or a best response to it. Empty is who the reward says, else an equilibrium."""
    seat: Literal["0", "1", "both"] = "both"
    """The model's seat; "both" plays every deal in both."""
    reference_opponent: str = "equilibrium"
    """The opponent against whom decisions are scored; or "solved"."""
    reward: str = ""
    """What a decision is rewarded with: "chips", those of its hand; "loss"; "both"; or another of `relance.play.REWARDS`, such as
    "magnet(pull=0.2)". Empty is "exploitability_descent" if two models play or the opponent is "learner", so that training leads to an
    equilibrium, and else "loss"."""
    every: int = Field(256, ge=1)
    """After how many answers the models' policy is estimated anew, for a reward that follows it."""
    retries: int = Field(0, ge=0, le=1)
    """1 asks once more after an answer without a legal action, which otherwise loses the most that can be lost."""
    renaming: int | None = None
    """The seed of a renamed game, in which everything has another name."""

    @property
    def paid_by(self) -> str:
        """The reward, never empty."""
        return self.reward or (TRAINING if self.opponent in (MODEL, LEARNER) else "loss")

    def spoken(self) -> SpokenGame:
        """The game in words, with an estimate of the models' policy of its own."""
        fixed = "" if self.opponent in (MODEL, LEARNER) else self.opponent
        played = fixed or (self.reference_opponent if self.opponent else "equilibrium")
        spoken = spoken_game(self.game, played, self.reference_opponent, self.retries, self.renaming)
        out = spoken.learning("chips" if self.paid_by == "both" else self.paid_by, fixed or None, self.every)
        if self.opponent == LEARNER and out.called("") != LEARNER:
            raise ValueError(
                f"reward {self.paid_by!r} brings no opponent 'learner'; name another opponent, or a reward that follows it"
            )
        return out


class Hands(vf.Taskset[Hand, HandsConfig]):
    """The hands that are played."""

    def load(self) -> Iterable[Hand]:
        """Each hand in which a model is asked, in each of the seats."""
        config, spoken = self.config, self.config.spoken()
        for deal in range(config.deals):
            for seats in ((0, 1),) if config.opponent == MODEL else SEATS[config.seat]:
                if SpokenHand(spoken, config.seed, deal, seats).seat is not None:
                    name = f"deal {deal}, " + " and ".join(f"player{seat}" for seat in seats)
                    yield Hand(HandData(name=name, deal=deal, seats=seats), config.task)


class PokerConfig(vf.EnvConfig):
    """Who plays, under `--env.player0.*` and `--env.player1.*`."""

    player0: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    player1: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class Poker(vf.Env[PokerConfig]):
    """Plays a hand. Each decision is a run of its own, which is rewarded on its own, and whose `info["rows"]` log it."""

    _spoken: SpokenGame | None = None

    async def run(self, task: Hand, agents: vf.Agents) -> None:
        """Ask until the hand is over, then reward all its decisions."""
        config: HandsConfig = self.taskset.config
        if self._spoken is None:
            self._spoken = config.spoken()
        players = (agents.player0, agents.player1)
        other = self._spoken.called(config.opponent)
        names = [players[seat].config.model or "" if seat in task.data.seats else other for seat in (0, 1)]
        hand = SpokenHand(self._spoken, config.seed, task.data.deal, task.data.seats, (names[0], names[1]))
        runs: list[tuple[int, vf.Trace, float, list[LogRow]]] = []
        while (seat := hand.seat) is not None:
            logged, question = len(hand.rows[seat]), vf.Task(vf.TaskData(idx=task.data.idx, name=task.data.name))
            async with players[seat].interaction(question) as talk:
                asked, loss = hand.asked, 0.0
                while hand.asked is asked and hand.seat is not None:
                    part = await talk.turn(hand.messages[-1]["content"])
                    # At a limit nothing is left for a second try; a model that failed has given no answer.
                    at_limit = part.terminated and talk.trace.num_turns > 0 and talk.trace.is_truncated
                    if part.terminated and not at_limit:
                        raise vf.RolloutError(f"player{seat} stopped before it answered: {talk.trace.stop_condition}")
                    loss += hand.answer("" if at_limit else part.last_reply)
            rows = hand.rows[seat][logged:]
            talk.trace.info["rows"] = [row.to_dict() for row in rows]
            runs.append((seat, talk.trace, loss, rows))
        paid_by = config.paid_by
        for seat, trace, loss, rows in runs:
            trace.record_reward("loss", -loss, float(paid_by in ("loss", "both")))
            trace.record_reward("chips", hand.chips(seat), float(paid_by in ("chips", "both")))
            if paid_by not in ("loss", "chips", "both"):
                trace.record_reward("paid", sum(self._spoken.pay(rows)), 1.0)


class Chat(vf.Harness[vf.HarnessConfig]):
    """Asks the model within this process: a question in words needs no program beside it."""

    APPENDS_SYSTEM_PROMPT = SUPPORTS_RESUME = True
    EXECUTES_CODE = NEEDS_CONTAINER = False

    async def launch(
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp_urls: Any, data: vf.TaskData
    ) -> vf.ProgramResult:
        """Send the conversation to the model through verifiers' own server, which records it."""
        system, prompt = self.resolve_prompt(data)
        messages: list[Any] = [{"role": "system", "content": system}] if system else []
        messages += [{"role": "user", "content": prompt}] if isinstance(prompt, str) else map(message_to_wire, prompt)
        async with httpx.AsyncClient(timeout=None) as client:
            reply = await client.post(
                f"{endpoint}/chat/completions",
                json={"model": ctx.model, "messages": messages},
                headers={"Authorization": f"Bearer {secret}"},
            )
        return vf.ProgramResult(int(reply.is_error), "", reply.text if reply.is_error else "")
