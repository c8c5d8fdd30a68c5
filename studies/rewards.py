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
from relance.solvers.exact import action_values, nash_conv, reach_probs, value

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
    1: "its average moved once",
    5: "its average moved five times",
    10: "its average moved ten times",
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
                visits = np.asarray(others, float) * np.asarray(reach_probs(game, policy, seat, name), float)
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

This page tells which reward to choose if you train an agent or a language model in a game of bluffing. Two rewards, explained below, do
best. Use `magnet` if your gradients are exact. If you train on sampled answers, use `exploitability_descent`, which did better than
`magnet` in the one game tried.

Most of the usual rewards fail. Either their optimum is no equilibrium, or learning circles around an equilibrium for ever. We train a
softmax policy with a table of logits by exact gradient ascent on each reward. The table shows the [NashConv](glossary.md) of the
last policy after {steps:,} steps, in chips: the median over {starts} random starts, and in brackets the largest.

{_table(head, table)}

![NashConv during gradient ascent on each reward, in five games](rewards.svg)

A small loss against an equilibrium misleads. The last policies of every reward lose at most {max(lost):.4f} chips a hand to an equilibrium
(the sum over both seats; the median over the random starts), yet a best response wins far more from most of them. Von Neumann's game on
nine cells is easier, as it has a pure equilibrium. [PokerEval](https://github.com/patrickturri/pokereval) found a similar gap in Leduc
hold'em: training with a reward for each decision raised the agreement of a language model (4 billion parameters) with an equilibrium from
40% to 61%, but also its exploitability from 1.05 to 1.75.

- **The probability of the action in an equilibrium.** The optimum of this reward is a pure strategy, but Kuhn's game has no pure
  equilibrium.
- **Minus the loss against a fixed equilibrium** (`loss`), or chips against a fixed equilibrium. A policy that mixes the equilibrium's
  actions in any proportion loses nothing against it. Self-play does not help, because the reward ignores the learner's opponent.
- **Chips in self-play** (`chips`, or with less variance `advantage`). At an equilibrium neither seat can gain, but the policy keeps
  circling around it.
- **The advantage against a best response to the policy** (`exploitability_descent`,
  [Lockhart et al. 2019](https://arxiv.org/abs/1903.05614)). The optimum is an equilibrium, but the last policies stay at some
  distance from it.
- **The advantage in self-play, less the pull to a slow average** (`magnet`, after [Sokota et al. 2023](https://arxiv.org/abs/2206.05825)
  and [Perolat et al. 2021](https://arxiv.org/abs/2002.08456)). The policy is pulled towards a slowly moving average of itself. The pull
  turns circles into inward spirals, and vanishes once policy and average are the same equilibrium. This reward has the lowest median
  NashConv in four of the five games, and is the default of `Rewards`. It does not correct decisions that the policy no longer reaches:
  hence the one large NashConv in Miao's game.

## Fixed points

Training may end at a fixed point, where a reward leaves the policy unchanged. An equilibrium is a fixed point of the loss, of the
advantage in self-play, and of `magnet` once the average is the same equilibrium. For the advantage against a best response, an
equilibrium is the optimum, but no fixed point. The reward uses one of many best responses to the equilibrium, and against this one some
action earns more than the equilibrium does. The table shows the NashConv of other fixed points. It is exact in the first row; in the
others, the fixed points were computed with proved digits.

{_table(["fixed point", *head[1:]], points)}

- **The loss**: training may end at any policy that loses nothing to the equilibrium.
- **The magnet**: as long as the average does not move, the fixed point is a [quantal response
  equilibrium](howto/quantal_responses.md): the strength of the pull is its temperature, and the average its magnet. When the average is
  moved to this fixed point (the later rows), the fixed point itself moves towards an equilibrium.

`python -m studies.reward_fixed_points` computes these fixed points.

## Learned from words

A small network reads the tokens of a question about Kuhn's game, and answers with the word of an action. Before training it writes each
legal word equally often, which has NashConv 0.917. It is trained by {updates} updates of group-relative policy optimisation (groups of 8,
advantages not divided by the standard deviation). The table shows the median of {seeds} seeds, with the smallest and the largest.

{_table(["reward", "NashConv after training"], read)}

![NashConv while words are learned](reward_texts.svg)

At most {max(row["illegal"] for row in texts):.1%} of the moves that the network wrote were illegal. The advantage against a best response
had the lowest median of all rewards, even in the two rows "the same". There the network's policy was estimated from its answers, and the
learner played against the best response or in both seats. Our environments for language models also estimate a model's policy from
its answers, so they use `exploitability_descent` by default. A stronger pull to a slower average (`magnet(pull=1/5,follow=1/50)`) did
better than the default magnet. We did not vary `pull` and `follow` separately.

## How to use them

`relance.play.REWARDS` has all rewards above except the probability of the action. Some rewards depend on the learner's policy. Pass the
policy to `refresh` after each update, in any form that `relance.score` reads; otherwise the reward estimates it from the recorded answers.

```python
from relance.registration import SeatEnv

env = SeatEnv("one_card_poker", raises=0, seat="random", reward="exploitability_descent")
env.refresh("uniform")  # the learner's policy: a network, a function, a profile
env.reset(seed=0)
observation, reward, over, _, info = env.step(1)  # each decision is paid at once, in chips
```

`gymnasium.make`, `make_vec` and PettingZoo's environments take the same `reward=`; for a wrapped environment, call `env.unwrapped.refresh`.
`relance.play.Rewards` rewards the actions of a `Batch`. The reward also chooses the opponent, unless you name one. For language models see
[verifiers](howto/verifiers.md#the-reward), [OpenEnv](howto/openenv.md) and [TRL](howto/train_on_words.md).

`python -m studies.rewards run` and `python -m studies.reward_texts` compute the results in `docs/results/`. `python -m studies.rewards`
makes this page from them.
"""


@house_style()
def picture(found: Sequence[Row], path: Path) -> None:
    """Draw the median NashConv of each reward in each game."""
    from relance.pages.plots.style import add_title, figure, line_styles, save

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
    add_title(drawing, "Rewards", "NashConv in chips, median of the starts")
    save(drawing, path)


@house_style()
def picture_of_texts(texts: Sequence[Row], path: Path) -> None:
    """Draw the NashConv of each reward while words are learned: the median of the seeds, and the least and the most as a band."""
    from relance.pages.plots.style import add_title, figure, line_styles, save

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
    add_title(drawing, short_name(make(texts[0]["game"])), "NashConv in chips, median, least and most of the seeds")
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
