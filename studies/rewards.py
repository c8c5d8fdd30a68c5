"""Which rewards have an equilibrium as their optimum: `python -m studies.rewards` writes docs/rewards.md from docs/results/rewards.jsonl.

    python -m studies.rewards run           # exact gradient ascent: five games, all rewards, five starts (six minutes of processor time)

A softmax policy, a table of logits, climbs the exact gradient of each reward from random starts, so nothing here is sampled. NashConv is
exact too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import numpy as np

from relance.envs.catalogue import make
from relance.model.arrays import Floats
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.pages.board_notes import short_name
from relance.pages.plots.style import house_style
from relance.play.equilibria import equilibrium
from relance.play.rewards import Rewards
from relance.play.rules import rules
from relance.solvers.exact import action_values, nash_conv, reach, value

GAMES = (
    "one_card_poker(raises=0)",
    "one_card_poker",
    "endgame",
    "ponssard",
    "von_neumann(hands=9)",
)

REWARDS = {
    "probability": "the probability with which an equilibrium takes the action",
    "loss": "minus the loss against a fixed equilibrium",
    "advantage": "chips, or the advantage, in self-play",
    "exploitability_descent": "the advantage against a best response to the policy",
    "magnet": "the advantage in self-play, less the pull to a slow average",
}
"""What is climbed, and what it is called on the page. All but the first are names of `relance.play.rewards`."""

CONDITIONS = {
    "chips": "chips in self-play",
    "loss": "minus the loss against a fixed equilibrium",
    "advantage": "the advantage in self-play",
    "exploitability_descent": "the advantage against a best response",
    "exploitability_descent, estimated": "the same, the policy estimated from the answers",
    "exploitability_descent, estimated, in self-play": "the same, played by the learner in both seats",
    "magnet(pull=1/5,follow=1/50)": "the magnet, with a stronger pull to a slower average",
    "magnet(pull=1/5,follow=1/50), estimated": "this magnet, the policy estimated from the answers",
    "magnet": "the magnet as it is by default",
}
"""The rewards of `studies.reward_texts`."""

MOVED = {
    0: "its average at uniform play",
    1: "its average moved there",
    5: "moved on five times",
    10: "moved on ten times",
}
"""The fixed points of the magnet that are shown, by how often its average has moved."""

STARTS, STEPS, SHOWN = 5, 1000, 20
RATE, SLOW = 10.0, 200.0
"""A step is `RATE`, per most chips that can be lost, at first; it falls like (1 + step / SLOW) ** -0.5."""

RESULTS, PAGE, PICTURE = Path("docs/results/rewards.jsonl"), Path("docs/rewards.md"), Path("docs/rewards.svg")
FIXED = Path("docs/results/reward_fixed_points.jsonl")
TEXTS, TEXTS_PICTURE = Path("docs/results/reward_texts.jsonl"), Path("docs/reward_texts.svg")

Logits: TypeAlias = dict[str, Floats]
Row: TypeAlias = dict[str, Any]


def policy_of(game: Game, logits: Logits) -> Profile:
    """The softmax policy of these logits, (actions, hands) at each node."""
    plan = {}
    for name, node in game.tree.decisions.items():
        weights = np.exp(logits[name] - logits[name].max(axis=0))
        plan[name] = dict(zip(node.actions, weights / weights.sum(axis=0), strict=True))
    return game.profile(plan)


Paid: TypeAlias = Callable[[Profile, int], tuple[dict[str, Floats], Profile]]
"""Takes the policy and a seat; returns what each action is paid, (actions, hands) at each node of the seat, and who is met."""


def paid_by(game: Game, reward: str) -> Paid:
    """What a reward pays each action under a policy. The other seat is the policy, or a best response where the reward says so."""
    names, legal = game.tree.table.names, game.tree.table.legal_ids
    if reward == "probability":
        best = equilibrium(game).as_float()
        return lambda policy, seat: ({name: np.array(best[name]) for name in game.tree.of(seat)}, policy)
    rewards = Rewards(game, reward)

    def paid(policy: Profile, seat: int) -> tuple[dict[str, Floats], Profile]:
        if seat == 0:
            rewards.refresh(policy)
        lost = rewards.coach(seat).lost
        tables = {name: -lost[names.index(name)][:, legal[names.index(name)]].T for name in game.tree.of(seat)}
        met = rewards.opponent(1 - seat) if reward == "exploitability_descent" else policy.strategies[1 - seat]
        return tables, policy.replace(met).as_float()

    return paid


def ascend(game: Game, reward: str, start: int, steps: int = STEPS) -> Iterator[tuple[int, Profile]]:
    """The policies, step by step: each decision counts as often as the policies bring it about."""
    rng, paid = np.random.default_rng(start), paid_by(game, reward)
    sizes = {name: (len(node.actions), game.deal.size(node.player)) for name, node in game.tree.decisions.items()}
    logits: Logits = {name: rng.normal(size=size) for name, size in sizes.items()}
    rate = RATE / max(rules(game).worst)
    for step in range(steps + 1):
        policy = policy_of(game, logits)
        yield step, policy
        for seat in (0, 1):
            tables, met = paid(policy, seat)
            for name, (others, _) in action_values(game, met, seat).items():
                chance = np.array(policy[name], float)
                visits = np.asarray(others, float) * np.asarray(reach(game, policy, seat, name), float)
                gain = tables[name] - (chance * tables[name]).sum(axis=0)
                logits[name] += rate * (1 + step / SLOW) ** -0.5 * visits * chance * gain


def lost_to_equilibrium(game: Game, policy: Profile) -> float:
    """What the policy earns less than the value of the game against an equilibrium, both seats together, in chips."""
    best = equilibrium(game).as_float()
    first, second = (float(value(game, best.replace(policy.strategies[seat]))) for seat in (0, 1))
    return second - first


def rows(texts: Sequence[str] = GAMES, starts: int = STARTS, steps: int = STEPS) -> Iterator[Row]:
    """A row for each game, reward and start: NashConv on the way, and what the last policy loses to an equilibrium."""
    for text in texts:
        game = make(text)
        for reward in REWARDS:
            for start in range(starts):
                found = [
                    (step, policy)
                    for step, policy in ascend(game, reward, start, steps)
                    if step % (steps // SHOWN) == 0
                ]
                lost = lost_to_equilibrium(game, found[-1][1])
                curve = [round(float(nash_conv(game, policy)), 5) for _, policy in found]
                yield {
                    "game": text,
                    "reward": reward,
                    "start": start,
                    "steps": steps,
                    "nash_conv": curve,
                    "lost": round(lost, 5),
                }


def read(path: Path) -> list[Row]:
    """The rows that are kept in a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def ends(found: Sequence[Row], **which: str) -> list[float]:
    """The last NashConv of the rows with these fields."""
    return sorted(row["nash_conv"][-1] for row in found if all(row[key] == value for key, value in which.items()))


def _span(values: Sequence[float]) -> str:
    """The median, and the least and the most."""
    return f"{median(values):.3f} ({values[0]:.3f} to {values[-1]:.3f})"


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---", *["---:"] * (len(head) - 1)], *lines])


def page(found: Sequence[Row], texts: Sequence[Row], fixed: Sequence[Row]) -> str:
    """The page in Markdown."""
    games = list(dict.fromkeys(row["game"] for row in found))
    table, lost = [], []
    for reward, name in REWARDS.items():
        last = [ends(found, game=game, reward=reward) for game in games]
        table.append([name, *(f"{median(values):.3f} ({values[-1]:.3f})" for values in last)])
        mine = [row for row in found if row["reward"] == reward]
        lost += [median(row["lost"] for row in mine if row["game"] == game) for game in games]
    head = ["reward", *(short_name(make(game)) for game in games)]
    seeds, updates = len({row["seed"] for row in texts}), texts[0]["updates"]
    points = [
        ["the loss: the worst policy that loses nothing", *(one["exact"] for one in fixed if one["point"] == "loss")],
        *(
            [f"the magnet, {where}", *(f"{one['nash_conv']:.5f}" for one in fixed if one.get("moved") == moved)]
            for moved, where in MOVED.items()
        ),
    ]
    read = [[name, _span(ends(texts, reward=key))] for key, name in CONDITIONS.items()]
    starts, steps = len({row["start"] for row in found}), found[0]["steps"]
    return f"""# Which reward leads to an equilibrium

Which reward to train with in a game of bluffing: most of the usual ones have an optimum that is no equilibrium, or an equilibrium that
learning circles for ever. Use `magnet` with exact gradients. With sampled answers `exploitability_descent` did better in the one game
tried, and is the default in words.

A softmax policy, a table of logits, climbs the exact gradient of each reward from {starts} random starts for {steps:,} steps. NashConv of
the last policy, in chips: the median, and in brackets the most over the starts.

{_table(head, table)}

![NashConv while each reward is climbed, in five games](rewards.svg)

The trap: all these policies lose little to an equilibrium, at most {max(lost):.4f} chips a hand (both seats together, the median over
starts), yet a best response takes far more from most of them. Von Neumann's game on nine cells has a pure equilibrium, so there is less to
miss. [PokerEval](https://github.com/patrickturri/pokereval) met the trap with a language model of 4 billion parameters on Leduc hold'em:
paid by decision, it agreed with an equilibrium 61% of the time and no longer 40%, and its exploitability rose from 1.05 to 1.75.

- **The probability of the action in an equilibrium.** The optimum is pure; Kuhn's game has no pure equilibrium.
- **Minus the loss against a fixed equilibrium** (`loss`), and chips against one. Every mixture of an equilibrium's
  actions loses nothing. Self-play does not help, as the reward ignores who sits in the other seat.
- **Chips in self-play** (`chips`, or without luck `advantage`). At an equilibrium nobody gains, but the last policy circles around it.
- **The advantage against a best response to the policy** (`exploitability_descent`,
  [Lockhart et al. 2019](https://arxiv.org/abs/1903.05614)). The optimum is an equilibrium; the last steps hover at some
  distance.
- **The advantage in self-play, less a pull to a slow average** (`magnet`, after
  [Sokota et al. 2023](https://arxiv.org/abs/2206.05825) and [Perolat et al. 2021](https://arxiv.org/abs/2002.08456)). The pull turns
  circles into spirals, and vanishes where the average has caught up, at an equilibrium. It has the lowest median in four games of
  five, and is the default of `Rewards`. A decision that the policy stops bringing about is no longer corrected: one start of Miao's game
  ends this way.

## Where they stand still

An equilibrium is a fixed point of the loss, of the advantage in self-play, and of the magnet once its average is there. It is the optimum
against a best response, but not fixed: the response is one of many, and some action gains against it. NashConv of other fixed points, the
first in fractions, the others from proved digits:

{_table(["fixed point", *head[1:]], points)}

- **The loss** has as optima all policies that lose nothing to the equilibrium, and any of them is where training may end.
- **The magnet**'s fixed point is the [quantal response equilibrium](howto/quantal_responses.md) of its pull, as long as the average stays.
  When the average moves there, the point moves on, towards an equilibrium.

`python -m studies.reward_fixed_points` computes them.

## Learned from words

A small network reads the tokens of Kuhn's question and writes one word of all the game's actions. At first it writes each legal one
equally often: NashConv 0.917. After {updates} updates of group-relative policy optimisation (groups of 8, not divided by the deviation;
{seeds} seeds):

{_table(["reward", "last NashConv"], read)}

![NashConv while words are learned](reward_texts.svg)

At most {max(row["illegal"] for row in texts):.1%} of its words are illegal.
A best response had the lowest median, also where the policy was estimated from its own answers, as the environments for language models
do, and where the learner met itself rather than the best response. So `exploitability_descent` is the default there. A stronger pull to a
slower average (`magnet(pull=1/5,follow=1/50)`) did better than the default magnet; the two were not varied apart.

## How to use them

`relance.play.REWARDS` has all but the first, in chips and without luck. A reward that follows the learner is told the learner's policy
after each update: anything that `relance.score` reads. Without one, it is estimated from the answers that were recorded.

```python
from relance.registration import SeatEnv

env = SeatEnv("one_card_poker", raises=0, seat="random", reward="exploitability_descent")
env.refresh("uniform")  # the learner's policy: a network, a function, a profile
env.reset(seed=0)
observation, reward, over, _, info = env.step(1)  # each decision is paid at once, in chips
```

`gymnasium.make`, `make_vec` and PettingZoo's environments take the same `reward=`; through a wrapper, call `env.unwrapped.refresh`.
`relance.play.Rewards` pays actions of `Batch`. The opponent is then who the reward says, unless you name another. In words:
[verifiers](howto/verifiers.md#the-reward), [OpenEnv](howto/openenv.md), [TRL](howto/train_on_words.md).

`python -m studies.rewards run` and `python -m studies.reward_texts` compute the rows in `docs/results/`, and `python -m studies.rewards`
makes this page from them.
"""


@house_style()
def picture(found: Sequence[Row], path: Path) -> None:
    """Draw the median NashConv of each reward in each game."""
    from relance.pages.plots.style import figure, headed, line_styles, save

    games = list(dict.fromkeys(row["game"] for row in found))
    drawing, places = figure(2, 3, 8.4, 5.2, sharex=True)
    looks = line_styles(list(REWARDS))
    for axes, game in zip(places.flat, games, strict=False):
        for reward in REWARDS:
            curves = [row["nash_conv"] for row in found if (row["game"], row["reward"]) == (game, reward)]
            steps = np.linspace(0, found[0]["steps"], len(curves[0]))
            axes.plot(
                steps, np.median(curves, axis=0), markersize=3, markevery=5, label=REWARDS[reward], **looks[reward]
            )
        axes.set_yscale("log")
        axes.set_title(short_name(make(game)), fontsize=8)
    key = places.flat[len(games)]
    key.axis("off")
    key.legend(*places.flat[0].get_legend_handles_labels(), loc="upper left", fontsize=7)
    drawing.supxlabel("steps of exact gradient ascent", fontsize=9)
    headed(drawing, "Rewards", "NashConv in chips, median of the starts")
    save(drawing, path)


@house_style()
def picture_of_texts(texts: Sequence[Row], path: Path) -> None:
    """Draw the NashConv of each reward while words are learned: the median of the seeds, and the least and the most as a band."""
    from relance.pages.plots.style import figure, headed, line_styles, save

    drawing, ((axes,),) = figure(1, 1, 6.4, 4.6)
    looks = line_styles(list(CONDITIONS))
    for key, name in CONDITIONS.items():
        curves = np.array([row["nash_conv"] for row in texts if row["reward"] == key])
        updates = np.linspace(0, texts[0]["updates"], curves.shape[1])
        axes.plot(updates, np.median(curves, axis=0), markersize=3, markevery=5, label=name, **looks[key])
        axes.fill_between(updates, curves.min(axis=0), curves.max(axis=0), color=looks[key]["color"], alpha=0.08)
    axes.set_yscale("log")
    axes.set_xlabel("updates")
    axes.legend(loc="lower left", fontsize=7)
    headed(drawing, short_name(make(texts[0]["game"])), "NashConv in chips, median, least and most of the seeds")
    save(drawing, path)


def main(what: str = "page") -> None:
    """Write the page and its pictures from the rows; with "run", compute the rows first."""
    if what == "run":
        with RESULTS.open("w") as file:
            for row in rows():
                print(json.dumps(row), file=file, flush=True)
    found, texts = read(RESULTS), read(TEXTS)
    PAGE.write_text(page(found, texts, read(FIXED)), encoding="utf-8")
    picture(found, PICTURE)
    picture_of_texts(texts, TEXTS_PICTURE)


if __name__ == "__main__":
    main(*sys.argv[1:])
