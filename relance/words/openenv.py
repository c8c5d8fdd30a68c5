"""For OpenEnv: a server whose environment is one seat of one hand, in words, and a client for it.

    uvicorn --factory relance.words:openenv_app --port 8000

Only sessions over WebSocket play hands, as the client does; over plain HTTP OpenEnv makes a new environment for each request.
"""

from __future__ import annotations

import secrets
import threading
from functools import lru_cache
from typing import Any

from relance.model.arguments import NaturalNumber, Seat, checked
from relance.play.agents import by_name
from relance.play.web_guard import Guard
from relance.words.spoken_hands import SpokenGame, SpokenHand, check_size, spoken_game
from relance.words.text_agent import Retries

try:
    from fastapi import FastAPI, Request
    from fastapi.responses import JSONResponse
    from openenv.core import EnvClient
    from openenv.core.client_types import StepResult
    from openenv.core.env_server import Action, ConcurrencyConfig, Environment, Observation, State, create_app
    from pydantic import Field
except ImportError as error:
    needs = error.name or "other versions of its packages"
    raise ImportError(f"OpenEnv needs {needs}: pip install 'relance[openenv]'") from error

GAME = "one_card_poker(raises=0)"
"""The game of an episode that names none: Kuhn's."""

SESSIONS, OF_ONE = 64, 48
"""The number of sessions at a time, in all and of one address; others are refused."""

IDLE = 900.0
"""The seconds after which a session that says nothing ends."""

LEARNERS = 16
"""The most learners whose policies a server estimates at the same time."""

_LOCK = threading.Lock()


@lru_cache(maxsize=LEARNERS)
def _taught(spoken: SpokenGame, reward: str, opponent: str, learner: str) -> SpokenGame:
    """The game with a reward; learners of one name share an estimate, and the last `LEARNERS` are kept."""
    return spoken.learning(reward, opponent or None)


class Reply(Action):
    """A player's reply to the question: any text whose last square brackets hold a legal action."""

    text: str = Field(description="The reply; the last [brackets] hold the action")


class QuestionObservation(Observation):
    """A question, and the reward: the player's chips at the end of the hand, or what `reward` pays for each reply."""

    messages: list[dict[str, str]] = Field(default_factory=list, description="The conversation to be answered")
    legal: list[str] = Field(default_factory=list, description="The actions, as the question calls them")
    loss: float | None = Field(
        None, description="Expected chips that the last reply cost against the reference opponent"
    )


class HandState(State):
    """The hand so far. `rows` are those of `relance.words.LogRow`, as dicts. The seed, from which all cards follow, is told at the end."""

    game: str = GAME
    opponent: str = ""
    seat: int = 0
    seed: int | None = None
    rows: list[dict[str, Any]] = Field(default_factory=list)


class RelanceEnvironment(Environment[Reply, QuestionObservation, HandState]):
    """The environment of OpenEnv: one seat of one hand, in words."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._hand: SpokenHand | None = None
        self._state = HandState()

    @checked
    def reset(
        self,
        seed: NaturalNumber | None = None,
        episode_id: str | None = None,
        game: str = GAME,
        opponent: str = "",
        seat: Seat = 0,
        reference_opponent: str = "equilibrium",
        retries: Retries = 0,
        renaming: NaturalNumber | None = None,
        reward: str = "chips",
        learner: str = "",
        **unknown: Any,
    ) -> QuestionObservation:
        """Deal a hand. If the opponent ends it at once, the hand is already done.

        Args:
            seed: of the deal and of the opponent's choices; None draws one.
            episode_id: what the client calls the hand.
            game: such as "von_neumann(bet=2)".
            opponent: the name of an opponent, as in `relance.play.strategy`. By default an equilibrium; if the reward depends on the
                learner's policy, this policy, as estimated from the replies, or for "exploitability_descent" a best response to it.
            reference_opponent: the name of the opponent against whom decisions are scored.
            **unknown: any other argument is an error.
            seat: which player the client is, 0 or 1.
            retries: 1 asks once more after a reply without a legal action, which otherwise loses the most that can be lost.
            renaming: the seed of a renamed game, in which everything has another name.
            reward: a name of `relance.play.rewards`; all but "chips" are paid for each reply.
            learner: a name of the learner; replies under one name, in all sessions of this server, estimate one policy.

        Raises:
            TypeError: an argument is of the wrong kind.
            ValueError: an argument is not allowed, or the game is too large for a server; the hand before this call can still be played.
        """
        if unknown:
            raise ValueError(f"reset() has no argument {', '.join(map(repr, unknown))}")
        check_size(game, opponent, reference_opponent, reward, learner)
        for player in filter(None, (opponent, reference_opponent)):
            by_name(player)
        seed = secrets.randbits(53) if seed is None else seed  # as many as a number in JSON has
        plain = spoken_game(game, opponent or "equilibrium", reference_opponent, retries, renaming)
        with _LOCK:  # so that two sessions of a learner do not make one each
            spoken = _taught(plain, reward, opponent, learner)
        opponent = spoken.called(opponent)
        names = ("", opponent) if seat == 0 else (opponent, "")
        self._spoken, self._seed = spoken, seed
        self._hand = SpokenHand(spoken, seed, seats=(seat,), agents=names)
        self._state = HandState(episode_id=episode_id, game=str(spoken.game), opponent=opponent, seat=seat)
        return self._seen(None)

    def step(self, action: Reply, timeout_s: float | None = None, **options: Any) -> QuestionObservation:
        """Take the reply to the open question, and return the next question, or the end of the hand.

        Raises:
            RuntimeError: the hand is over, or none has been dealt.
        """
        if self._hand is None:
            raise RuntimeError("no hand has been dealt; call reset() first")
        asked, paid = self._hand.asked, 0.0
        loss = self._hand.answer(action.text)
        self._state.step_count += 1
        if asked is not None and asked.given and self._spoken.by_decision:
            with _LOCK:
                paid = sum(self._spoken.pay(asked.rows))
        return self._seen(loss, paid)

    def _seen(self, loss: float | None, paid: float = 0.0) -> QuestionObservation:
        assert self._hand is not None
        hand, seat, over = self._hand, self._state.seat, self._hand.seat is None
        hidden = () if over else ("seed",)
        rows = (row.to_dict() for row in hand.rows[seat])
        self._state.seed = self._seed if over else None
        self._state.rows = [{key: value for key, value in row.items() if key not in hidden} for row in rows]
        messages = [dict(message) for message in hand.messages]
        reward = paid if self._spoken.by_decision else hand.chips(seat)
        return QuestionObservation(done=over, reward=reward, messages=messages, legal=hand.legal, loss=loss)

    @property
    def state(self) -> HandState:
        """The hand so far."""
        return self._state


class RelanceEnv(EnvClient[Reply, QuestionObservation, HandState]):
    """A client of `openenv_app`, such as `RelanceEnv("http://127.0.0.1:8000").sync()`; `reset` is as in `RelanceEnvironment`."""

    def _step_payload(self, action: Reply) -> dict[str, Any]:
        return dict(action.model_dump())

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[QuestionObservation]:
        reward, done = payload.get("reward"), bool(payload.get("done"))
        seen = QuestionObservation(**{**payload["observation"], "reward": reward, "done": done})
        return StepResult(seen, reward, done)

    def _parse_state(self, payload: dict[str, Any]) -> HandState:
        return HandState(**payload)


def openenv_app() -> FastAPI:
    """The OpenEnv server, for uvicorn. It refuses requests from pages of other sites, and has at most `SESSIONS` sessions at a time."""
    limits = ConcurrencyConfig(max_concurrent_envs=SESSIONS, session_timeout=IDLE)
    kinds = RelanceEnvironment, Reply, QuestionObservation
    app: FastAPI = create_app(*kinds, env_name="relance", concurrency_config=limits, state_cls=HandState)

    async def refused(request: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 400)

    async def no_tools() -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": "this environment has no tools"}}

    for kind in (ValueError, TypeError, RuntimeError):
        app.add_exception_handler(kind, refused)
    app.post("/mcp")(no_tools)  # that of OpenEnv opens sessions that no connection holds
    app.router.routes.insert(0, app.router.routes.pop())
    app.add_middleware(Guard, called="this server", most=SESSIONS, most_of_one=OF_ONE, idle=IDLE)
    return app
