"""Tasks for the framework Inspect, `relance/<game>` for each game: models play it, or answer at every information set.

    inspect eval relance/one_card_poker -T raises=0 -T opponent=uniform --model openai/gpt-5

Inspect finds the tasks by the entry point of the installed package.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Any, Literal

from relance.envs.catalogue import BLUEPRINTS, make, read_profile
from relance.model.arguments import check
from relance.model.blueprint import Blueprint
from relance.model.game import Game, build
from relance.play.rules import check_whole
from relance.words.answer_counts import estimated
from relance.words.episodes import counted_answers
from relance.words.log_rows import logged_hand, parse_row
from relance.words.question_plan import Inquiry, inquiry
from relance.words.spoken_hands import SpokenGame, SpokenHand, SpokenQuestion, spoken_game
from relance.words.text_agent import CutOff

try:
    from anyio import get_cancelled_exc_class
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, get_model
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.util import LimitExceededError, StoreModel, sample_limits
    from pydantic import Field
except ImportError as error:
    raise ImportError(f"Inspect needs {error.name}: pip install 'relance[inspect]'") from error

MODEL = "model"
"""The value of `opponent` for a game of two models, which have the roles player0 and player1."""

BOTH = "both"
"""The value of `seat` with which every deal is played in both seats."""


class Decisions(StoreModel):
    """The decisions that a sample leaves in its store: rows of `relance.words.LogRow` as dicts, one agent's after the other's."""

    rows: list[dict[str, Any]] = Field(default_factory=list)


# Playing and asking


def _role(seat: int) -> str:
    return f"player{seat}"


def _name(seat: int) -> str:
    return str(get_model(role=_role(seat)))


async def _answer(state: TaskState, asked: SpokenHand | SpokenQuestion) -> TaskState:
    """Have the models answer until no question is left; their conversations, each private, are the sample's messages.

    A model that reaches a limit, of tokens or of time, has answered without an action: it must not be better than a bad answer.
    """
    kinds = {"user": ChatMessageUser, "assistant": ChatMessageAssistant}
    state.messages = []
    try:
        while asked.seat is not None:
            shown: list[ChatMessage] = [kinds[said["role"]](content=said["content"]) for said in asked.messages]
            state.output = await get_model(role=_role(asked.seat)).generate(shown)
            state.messages += [shown[-1], state.output.message]
            is_cut = state.output.stop_reason in ("max_tokens", "model_length")
            asked.answer(CutOff(state.output.completion) if is_cut else state.output.completion)
    except (LimitExceededError, get_cancelled_exc_class()) as stopped:
        limits = sample_limits()
        late = any(one.remaining is not None and one.remaining <= 0 for one in (limits.time, limits.working))
        if isinstance(stopped, LimitExceededError) or late:  # else someone stopped the run
            while asked.seat is not None:
                asked.answer("")
        raise
    finally:
        if asked.seat is None:  # else a model failed or the run was stopped, which is no answer
            rows = asked.rows if isinstance(asked, SpokenQuestion) else chain.from_iterable(asked.rows.values())
            state.store_as(Decisions).rows = [row.to_dict() for row in rows]
    return state


@solver
def play_hand(opponent: str = "equilibrium", reference_opponent: str = "equilibrium", **options: Any) -> Solver:
    """Return a solver that plays the hand in a sample's metadata: `game`, `seed`, `deal`, `seats`. Options as for `spoken_game`."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        told, fixed = state.metadata, reference_opponent if opponent == MODEL else opponent
        spoken = spoken_game(told["game"], fixed, reference_opponent, **options)
        names = [_name(seat) if seat in told["seats"] else fixed for seat in (0, 1)]
        return await _answer(state, SpokenHand(spoken, told["seed"], told["deal"], told["seats"], (names[0], names[1])))

    return solve


@solver
def ask_once(reference_opponent: str = "equilibrium", **options: Any) -> Solver:
    """Return a solver that asks the question in a sample's metadata, at its `seat`, `hand` and `node`. Options as for `spoken_game`."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        told = state.metadata
        number, seat = told["question"] + (state.epoch - 1) * told["questions"], told["seat"]
        marks = {"seed": told["seed"], "episode": number, "agent": _name(seat)}
        spoken = spoken_game(told["game"], reference_opponent, reference_opponent, **options)
        node = spoken.rules.names.index(told["node"])
        return await _answer(state, SpokenQuestion(spoken, seat, told["hand"], node, **marks))

    return solve


# Scores


def _parts(scores: list[SampleScore]) -> dict[str, list[dict[str, Any]]]:
    """By role, or "" where one model plays alone, what `referee` says of it in each sample."""
    out: dict[str, list[dict[str, Any]]] = {}
    for sample in scores:
        for role, part in (sample.score.metadata or {}).get("parts", {}).items():
            out.setdefault(role, []).append(part)
    return out


@metric(scores="unreduced")
def per_decision() -> Metric:
    """Expected chips lost per decision, and the share of answers that named no legal action; with two models, for each model.

    `loss_per_decision` is the mean over the decisions of hands that were played. Where a model is asked at every information set, all
    sets count alike, however rare, and the mean is called `loss_per_question`.
    """

    def measure(scores: list[SampleScore]) -> dict[str, float]:
        out: dict[str, float] = {}
        name = "loss_per_question" if "questions" in (scores[0].sample_metadata or {}) else "loss_per_decision"
        for role, parts in _parts(scores).items():
            losses = [loss for part in parts for loss in part["losses"]]
            answers, illegal = (sum(part[key] for part in parts) for key in ("answers", "illegal"))
            out |= {_of(name, role): sum(losses) / max(len(losses), 1)}
            out |= {_of("illegal_rate", role): illegal / max(answers, 1)}
        return out

    return measure


@metric("nash_conv", scores="unreduced")
def nash_conv_metric() -> Metric:
    """NashConv and its 95% interval, in chips; empty unless there are answers at every information set."""

    def measure(scores: list[SampleScore]) -> dict[str, float]:
        rows = [row for parts in _parts(scores).values() for part in parts for row in part["rows"]]
        told = scores[0].sample_metadata or {}
        if not rows or ("questions" not in told and inquiry(make(rows[0]["game"])).note):
            return {}  # too many hands for games to meet them all
        found = estimated(make(rows[0]["game"]), rows, told.get("hands"))
        names = "nash_conv", "nash_conv_low", "nash_conv_high"
        return dict(zip(names, found.nash_conv if found else (), strict=False))

    return measure


def _of(name: str, role: str) -> str:
    return f"{name}_{role}" if role else name


@scorer(metrics=[{"*": [mean(), stderr()]}, per_decision(), nash_conv_metric()])
def referee(reference_opponent: str = "equilibrium", reward: str = "", policy: str = "") -> Scorer:
    """Return a scorer of each sample's chips, losses against `reference_opponent` and illegal answers. The scorer can rescore logs.

    If the opponent is the reference opponent, `adjusted` is chips without most of the luck: what a best response earns minus the losses.
    With a `reward` of `relance.play.rewards`, `paid` is the sum of the rewards of all decisions. `policy` is the learner's policy, on which
    a reward may depend: the file of a profile, as `relance.envs.write_profile` writes it, or the name of an opponent.
    """

    async def score(state: TaskState, target: Target) -> Score:
        rows = [parse_row(item) for item in state.store_as(Decisions).rows]
        spoken = spoken_game(state.metadata["game"], reference_opponent, reference_opponent)
        value: dict[str, Any] = {}
        parts: dict[str, dict[str, Any]] = {}
        seats = sorted({row.seat for row in rows})
        for seat in seats:
            mine, role = [row for row in rows if row.seat == seat], _role(seat) if len(seats) == 2 else ""
            losses, answers = spoken.losses(mine), [row for row in mine if not row.is_terminal]
            value |= {_of("chips", role): row.chips for row in mine if row.is_terminal}
            if mine[-1].is_terminal and mine[-1].opponent == reference_opponent:
                value[_of("adjusted", role)] = float(spoken.coach(seat).value) - sum(losses)
            illegal = sum(row.is_illegal for row in answers)
            value |= {_of("loss", role): sum(losses), _of("illegal", role): illegal}
            if reward:
                value[_of("paid", role)] = sum(
                    _paid(state.metadata["game"], reference_opponent, reward, policy).pay(mine)
                )
            kept = [replace(row, raw="").to_dict() for row in counted_answers(mine)]
            parts[role] = {"rows": kept, "losses": losses, "illegal": illegal, "answers": len(answers)}
        said = ", ".join(row.action or "illegal" for row in rows if not row.is_terminal)
        return Score(value=value, answer=said, metadata={"parts": parts})

    return score


@lru_cache(maxsize=16)
def _paid(game: str, reference_opponent: str, reward: str, policy: str) -> SpokenGame:
    """Return the game with this reward, for a learner whose policy is known and stays the same.

    Raises:
        ValueError: the reward is unknown, is not paid for each decision, or depends on a policy that is not given.
    """
    learned = spoken_game(game, reference_opponent, reference_opponent).learning(reward, every=2**62)
    assert learned.rewards is not None
    said = f"reward {reward!r}"
    if not learned.rewards.by_decision:
        raise ValueError(f"{said} is paid when the hand ends; choose a reward paid at each decision, such as 'magnet'")
    if learned.rewards.follows and not policy:
        needed = "give policy=FILE, a profile, or the name of an opponent"
        raise ValueError(f"{said} depends on the learner's policy: {needed}")
    if policy:
        learned.rewards.refresh(read_profile(policy)[1] if Path(policy).is_file() else policy)
    return learned


# Tasks


def _task(blueprint: Blueprint) -> Callable[..., Task]:
    def game(
        opponent: str = "equilibrium",
        seat: Any = BOTH,
        deals: int = 100,
        answers: int = 0,
        reference_opponent: str = "equilibrium",
        seed: int = 0,
        retries: int = 0,
        renaming: int | None = None,
        hands: int | None = None,
        reward: str = "",
        policy: str = "",
        **parameters: Any,
    ) -> Task:
        check("seat", seat, Literal[0, 1, "both"])
        for name, value, least in (("deals", deals, 1), ("answers", answers, 0), ("seed", seed, 0)):
            check_whole(name, value, least)
        options = {"retries": retries, "renaming": renaming}
        made, fixed = build(blueprint, None if answers else hands, **parameters), opponent
        if answers or opponent == MODEL:
            fixed = reference_opponent
        spoken_game(str(made), fixed, reference_opponent, **options)  # a mistake in the options is told now
        if reward:
            _paid(str(made), reference_opponent, reward, policy)
        graded = referee(reference_opponent, reward, policy)
        if answers:
            asked = _questions(inquiry(made, hands), seed, hands)
            return Task(asked, solver=ask_once(reference_opponent, **options), scorer=graded, epochs=answers)
        seats = ((0, 1),) if opponent == MODEL else ((0,), (1,)) if seat == BOTH else ((seat,),)
        return Task(
            _deals(made, seed, deals, seats), solver=play_hand(opponent, reference_opponent, **options), scorer=graded
        )

    game.__doc__ = f"""{blueprint.title}.

    Args:
        opponent: who plays the other seat, as in `relance.play.strategy`; "model" for a model, the roles player0 and player1.
        seat: 0, 1, or "both" to play every deal in both seats.
        deals: how many hands are dealt.
        answers: how often to ask at each information set instead of playing; 0 plays.
        reference_opponent: the opponent against whom decisions are scored.
        seed: of the deals.
        retries: 1 asks once more after an answer without a legal action, which otherwise loses the most that can be lost.
        renaming: the seed of a renamed game, in which everything has another name.
        reward, policy: what decisions are paid besides, and the learner's policy; see `referee`.
        hands: cuts hands on [0, 1] into this many cells; with `answers`, at how many hands of each player to ask, as in `relance.score`.
        **parameters: of the game.
    """
    game.__name__ = game.__qualname__ = blueprint.name
    made: Callable[..., Task] = task(name=blueprint.name)(game)
    return made


def _deals(game: Game, seed: int, deals: int, seats: tuple[tuple[int, ...], ...]) -> MemoryDataset:
    samples = []
    for deal, who in product(range(deals), seats):
        told = {"game": str(game), "seed": seed, "deal": deal, "seats": list(who)}
        samples.append(Sample(id=f"deal {deal}, {' and '.join(map(_role, who))}", input=str(game), metadata=told))
    return MemoryDataset(samples, name=str(game))


def _questions(where: Inquiry, seed: int, hands: object) -> MemoryDataset:
    """A sample for each information set."""
    sets = [(seat, node, hand) for seat in (0, 1) for node, hand in where.sets(seat)]
    game, samples = str(where.asked), []
    about = {"game": game, "seed": seed, "hands": hands, "questions": len(sets)}
    for place, (seat, node, hand) in enumerate(sets):
        asked = where.question(seat, node, hand)
        called = f"{_role(seat)} with {logged_hand(where.asked, seat, asked.hand)} at {node or 'the start'}"
        told = about | {"question": place, "seat": seat, "node": node, "hand": asked.hand}
        samples.append(Sample(id=called, input=game, metadata=told))
    return MemoryDataset(samples, name=game)


TASKS = {name: _task(blueprint) for name, blueprint in BLUEPRINTS.items()}
"""Inspect's task of each game, by name."""
