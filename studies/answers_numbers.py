"""Agents whose NashConv is known exactly are asked over and over, and the intervals of estimates are compared with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from relance.envs.catalogue import make, read_profile
from relance.model.arrays import Floats, Ints
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.play.agents import questions, strategy
from relance.play.networks import Masks, Observations
from relance.play.opponents import opponent
from relance.solvers.exact import best_response, nash_conv, value
from relance.words.estimate import FORFEIT, with_forfeits
from relance.words.nash_conv_interval import DRAWS, PARTS, Figures, Many, Sample
from relance.words.sampled_score import score

GAMES = (make("one_card_poker", raises=0), make("one_card_poker", cards=13))

UNPUBLISHED = Path(__file__).with_name("answers_13_cards.json")
"""An exact equilibrium of the game without print. It is kept, as which of many a linear program finds depends on the solver's version."""

LEDUC = Path(__file__).with_name("answers_leduc.json")
"""The same of Leduc poker with two ranks and one raise."""

OFTEN = 0.02
"""How often an agent errs that errs rarely."""

ANSWERS = (10, 30, 100, 300, 1000)

RARE_ANSWERS = (30, 50, 75, 100, 120, 150, 300, 1000)
"""For agents that err rarely: where most of them have not erred yet, or have erred once."""

AT_ONCE = 200
"""How many repetitions are computed together."""

WITHIN = 0.02
"""The half-width that answers are counted for, in chips."""

SPLITS = ((10, 100), (20, 50), (50, 20), (100, 10), (200, 5))
"""Hands and answers of the same 1,000 questions at each node, on [0, 1]."""

Row: TypeAlias = dict[str, Any]


class Agent(NamedTuple):
    """An agent of the study: its name, the game that it plays (with forfeits if it errs), and how."""

    name: str
    game: Game
    profile: Profile


def agents(game: Game) -> list[Agent]:
    """The agents of a game."""
    best = game.published() if game.is_published else read_profile(UNPUBLISHED)[1]
    pure = opponent("perturbed", 0, game.together(*(strategy(game, best, seat, mode="argmax") for seat in (0, 1))))
    players = {
        "equilibrium": best,
        "equilibrium, 2% noise": opponent("perturbed", "1/50", best),
        "equilibrium, 10% noise": opponent("perturbed", "1/10", best),
        "equilibrium, 30% noise": opponent("perturbed", "3/10", best),
        "most probable action of the equilibrium": pure,
        "the same, 2% noise": opponent("perturbed", "1/50", pure),
        "half equilibrium, half calling": [best, "caller"],
        "uniform": "uniform",
        "always calls": "caller",
        "always bets": "aggressive",
        "checks and folds": "passive",
        "checks and folds, 5% noise": opponent("perturbed", "1/20", "passive"),
        "best response to uniform, 1% noise": opponent("perturbed", "1/100", opponent("best_response", "uniform")),
    }
    found = [
        Agent(name, game, game.together(*(strategy(game, player, seat) for seat in (0, 1))).as_float())
        for name, player in players.items()
    ]
    return [*found, Agent("equilibrium, 5% illegal answers", *forfeiting(game, best, 0.05))]


def rare() -> list[Agent]:
    """Agents that err rarely: one who never should bluff, and one who checks and folds where the equilibrium may do otherwise."""
    kuhn = make("one_card_poker", raises=0, bet=3)
    plan = {
        name: node.by_action([np.array(row, float) for row in kuhn.published()[name]])
        for name, node in kuhn.tree.decisions.items()
    }
    plan[""]["bet"][0], plan[""]["check"][0] = OFTEN, 1 - OFTEN
    leduc, best = read_profile(LEDUC)
    passive = [strategy(leduc, "passive", seat) for seat in (0, 1)]
    mixed = {
        name: node.by_action(
            [
                (1 - OFTEN) * np.array(row, float) + OFTEN * np.array(other, float)
                for row, other in zip(best[name], passive[node.player].at[name], strict=True)
            ]
        )
        for name, node in leduc.tree.decisions.items()
    }
    return [
        Agent("Kuhn with bet 3: bluffs 2% of the time", kuhn, kuhn.profile(plan).as_float()),
        Agent("Leduc, 2 ranks: equilibrium, checks and folds 2% of the time", leduc, leduc.profile(mixed).as_float()),
    ]


def forfeiting(game: Game, profile: Profile, share: float) -> tuple[Game, Profile]:
    """The game with forfeits, and a profile of it whose answers are illegal with this probability."""
    wide = with_forfeits(game)
    plan: dict[str, dict[str, Any]] = {}
    for name, node in game.tree.decisions.items():
        rows = [(1 - share) * np.asarray(row, float) for row in profile[name]]
        plan[name] = {**node.by_action(rows), FORFEIT: share}
    return wide, wide.profile(plan)


def asked(game: Game, profile: Profile, answers: int, repetitions: int, rng: np.random.Generator) -> Sample:
    """The answers of an agent that is asked this often at each information set, for many repetitions."""
    many, seats, size = Many(game), [], min(PARTS, answers + 1)
    sizes = np.diff(np.arange(size + 1) * answers // size)
    for side, mine in zip(many.sides, profile.strategies, strict=True):
        parts = np.zeros((size, side.size, repetitions * many.deal.size(mine.player)))
        for name, slots in side.slots.items():
            chances = np.tile(np.array(mine.at[name], float), repetitions).T
            for part, count in zip(parts, sizes, strict=True):
                part[slots] = rng.multinomial(count, chances).T
        seats.append(parts)
    return Sample(many, seats)


def missed(figures: Figures, true: float) -> tuple[float, float]:
    """How often the interval lies above and below the true figure."""
    return float((figures.low > true + 1e-9).mean()), float((figures.high < true - 1e-9).mean())


def study(agent: Agent, answers: int, repetitions: int, seed: int = 0) -> Row:
    """Coverage of the intervals of all figures, and the mean width of that of NashConv."""
    _, game, profile = agent
    rng, rows = np.random.default_rng(seed), []
    true = [float(f(game, profile)) for f in (nash_conv, value)]
    true += [float(best_response(game, profile, player).value) for player in (0, 1)]
    for start in range(0, repetitions, AT_ONCE):
        sample = asked(game, profile, answers, min(AT_ONCE, repetitions - start), rng)
        rows.append([sample.nash_conv, sample.value, sample.best(0), sample.best(1)])
    found = [Figures(*(np.concatenate(ends) for ends in zip(*part, strict=True))) for part in zip(*rows, strict=True)]
    misses = [missed(figures, figure) for figures, figure in zip(found, true, strict=True)]
    covers = [1 - above - below for above, below in misses]
    conv = found[0]
    return {
        "nash_conv": true[0],
        "answers": answers,
        "repetitions": repetitions,
        "covers": covers[0],
        "above": misses[0][0],
        "below": misses[0][1],
        "width": float((conv.high - conv.low).mean()),
        "point": float(conv.point.mean()),
        "plug_in": float(conv.plug_in.mean()),
        "covers_value": covers[1],
        "covers_best": min(covers[2:]),
    }


def plain(agent: Agent, answers: int, repetitions: int, seed: int = 0) -> float:
    """How often the middle 95% of bootstrapped NashConvs, an interval that others might report, covers the true one."""
    _, game, profile = agent
    rng, true = np.random.default_rng(seed), float(nash_conv(game, profile))
    sample = asked(game, profile, answers, repetitions, rng)
    many, drawn = sample.many, []
    for seat, side in enumerate(many.sides):
        chances = np.repeat(many.by_copy(seat, sample.share[seat]), DRAWS, axis=1)
        weights = np.empty((side.size, chances[0].size))
        for group in side.widths:
            rows = np.moveaxis(group.of(chances.reshape(side.size, -1)), 1, -1)
            weights[group.slots] = np.moveaxis(rng.multinomial(answers, rows), -1, 1).reshape(-1, weights.shape[1])
        drawn.append(weights / answers)
    found = np.zeros(repetitions * DRAWS)
    for player in (0, 1):
        chips = many.chips(player, drawn[1 - player])
        found += many.earns(player, many.respond(player, chips), chips)
    low, high = np.quantile(found.reshape(repetitions, DRAWS), (0.025, 0.975), axis=1)
    return float(((low <= true + 1e-9) & (true <= high + 1e-9)).mean())


def needed(agent: Agent, within: float = WITHIN) -> int | None:
    """The fewest answers, of two digits, at which the mean half-width of the interval is at most `within`; None above 9,500."""
    for answers in (scale * step for scale in (10, 100, 1000) for step in np.arange(1, 10, 0.5)):
        sample = asked(agent.game, agent.profile, int(answers), 100, np.random.default_rng(0)).nash_conv
        if (sample.high - sample.low).mean() <= 2 * within:
            return int(answers)
    return None


class Drawing:
    """A function of observations that draws what a profile plays; actions that the game lacks are illegal ids.

    It draws a number for each observation, or with `once` one number per call, for all of them.
    """

    def __init__(self, game: Game, profile: Profile, seed: int = 0, once: bool = False) -> None:
        self._rng, self._once = np.random.default_rng(seed), once
        self._chances: dict[bytes, Floats] = {}
        width = len(game.actions) + 1
        for seat, mine in enumerate(profile.strategies):
            rows = np.zeros((len(mine.at), width, game.deal.size(seat)))
            for at, (name, played) in zip(rows, mine.at.items(), strict=True):
                ids = [game.action_id(action) for action in game.tree.decisions[name].actions]
                at[[*ids, width - 1][: len(played)]] = np.array(played, float)
            chances = np.swapaxes(rows, 1, 2).reshape(-1, width)
            self._chances |= {seen.tobytes(): row for seen, row in zip(questions(game, seat)[0], chances, strict=True)}

    def __call__(self, seen: Observations, masks: Masks) -> Ints:
        chances = np.array([self._chances[row.tobytes()] for row in seen])
        drawn: Ints = (self._rng.random((1 if self._once else len(seen), 1)) > chances.cumsum(axis=1)).sum(axis=1)
        return drawn


def agreement(game: Game, agent: Agent, answers: int = 100) -> Row:
    """What `relance.words.score` says of an agent that draws, and the exact score of the same agent."""
    found = score(game, Drawing(game, agent.profile), answers=answers)
    return {"exact": float(nash_conv(agent.game, agent.profile)), **found.nash_conv._asdict(), "illegal": found.illegal}


def once_per_call(game: Game, agent: Agent, answers: int, repetitions: int) -> Row:
    """Coverage of what `relance.words.score` says of an agent that draws one number per call."""
    true = [float(f(game, agent.profile)) for f in (nash_conv, value)]
    true += [float(best_response(game, agent.profile, player).value) for player in (0, 1)]
    covers = np.zeros(4)
    for seed in range(repetitions):
        found = score(game, Drawing(game, agent.profile, seed, once=True), answers=answers)
        figures = (found.nash_conv, found.value, *found.best)
        covers += [one.low - 1e-9 <= exact <= one.high + 1e-9 for one, exact in zip(figures, true, strict=True)]
    conv, worth, *best = (covers / repetitions).tolist()
    return {
        "answers": answers,
        "repetitions": repetitions,
        "covers": conv,
        "covers_value": worth,
        "covers_best": min(best),
    }


def splits(repetitions: int) -> list[Row]:
    """The same number of questions about hands on [0, 1], as many hands with few answers or few hands with many."""
    game = make("von_neumann")
    rows = []
    for name in ("perturbed(0.2)", "mixture(published, uniform)", "superconservative"):
        whole = game.together(*(strategy(game, name, seat) for seat in (0, 1)))
        true = float(nash_conv(game, whole))
        for hands, answers in SPLITS:
            grid = game.grid(hands)
            at = {
                node: {
                    action: np.array([float(row(middle)) for middle in (np.arange(hands) + 0.5) / hands])
                    for action, row in zip(whole.tree.decisions[node].actions, whole[node], strict=True)
                }
                for node in whole.nodes()
            }
            profile = grid.profile(at)
            found = asked(grid, profile, answers, repetitions, np.random.default_rng(0)).nash_conv
            rows.append(
                {
                    "agent": name,
                    "nash_conv": true,
                    "hands": hands,
                    "answers": answers,
                    "on_cells": float(nash_conv(grid, profile)),
                    "covers": 1 - sum(missed(found, true)),
                    "covers_cells": 1 - sum(missed(found, float(nash_conv(grid, profile)))),
                    "width": float((found.high - found.low).mean()),
                }
            )
    return rows
