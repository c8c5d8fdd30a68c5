"""A small network that reads the prompt and writes a word learns Kuhn's game by each reward: `python -m studies.reward_texts`.

The network sees the tokens of the question that a language model would see, and nothing else; its answer is one word of all actions of the
game, so it must also learn which are legal. Updates are those of group-relative policy optimisation without the division by the standard
deviation: several answers to the same question (or, for chips, several plays of the same deal), each credited with its pay less the group's
mean. Needs PyTorch. `python -m studies.rewards` puts the rows on its page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from relance.envs.catalogue import make
from relance.model.arrays import Floats, Ints
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.play.batch import Batch
from relance.play.rewards import Rewards
from relance.solvers.exact import nash_conv
from relance.words.prompts import describe, situation
from studies.rewards import CONDITIONS, TEXTS, read

GAME = "one_card_poker(raises=0)"

SEEDS, UPDATES, SHOWN = 10, 300, 20
TUNED = 200
"""Supervised steps before the first update: the network then writes each legal word about equally often."""

HANDS, GROUP, RATE = 32, 8, 1e-3
"""Deals in an update, answers in a group, and Adam's step."""


class Texts(NamedTuple):
    """The questions of a game as tokens, and where each information set is.

    Attributes:
        tokens: (Q, L) int64, the last L tokens of each question; 0 before its first.
        words: how many different tokens there are, with 0.
        place: (nodes, hands) the question of each information set; -1 where nobody is asked.
        legal: (Q, A) which action ids are legal.
    """

    tokens: Tensor
    words: int
    place: Ints
    legal: Floats


def texts_of(game: Game) -> Texts:
    """All questions of the game: the rules and the situation."""
    table = game.tree.table
    place = np.full((len(table.names), max(game.deal.size(seat) for seat in (0, 1))), -1)
    told: list[list[str]] = []
    legal = []
    for name, node in game.tree.decisions.items():
        index = table.names.index(name)
        for hand in range(game.deal.size(node.player)):
            place[index, hand] = len(told)
            told.append(re.findall(r"\w+|[^\w\s]", f"{describe(game)}\n{situation(game, node.player, hand, name)}"))
            legal.append(table.legal[index])
    words = {word: 1 + i for i, word in enumerate(dict.fromkeys(word for one in told for word in one))}
    longest = max(map(len, told))
    rows = [[0] * (longest - len(one)) + [words[word] for word in one] for one in told]
    return Texts(torch.tensor(rows), len(words) + 1, place, np.array(legal, float))


class Reader(nn.Module):  # type: ignore[misc]  # torch has no types here
    """Reads tokens and gives a logit for each word it can write: features of three neighbours, the largest of each, a hidden layer."""

    def __init__(self, words: int, actions: int, width: int = 32, hidden: int = 64) -> None:
        super().__init__()
        self.word, self.near = nn.Embedding(words, width), nn.Conv1d(width, 2 * hidden, 3)
        self.hidden, self.out = nn.Linear(2 * hidden, hidden), nn.Linear(hidden, actions)

    def features(self, tokens: Tensor) -> Tensor:
        """(Q, L) tokens to (Q, hidden) numbers."""
        seen = self.near(self.word(tokens).transpose(1, 2)).amax(dim=2)
        return torch.as_tensor(self.hidden(seen.relu()).tanh())

    def forward(self, tokens: Tensor) -> Tensor:
        """(Q, L) tokens to (Q, A) logits."""
        return torch.as_tensor(self.out(self.features(tokens)))

    def tune(self, texts: Texts, steps: int = TUNED) -> None:
        """Learn from examples what a language model can do: to tell the questions apart, and to write each legal word equally often."""
        names = nn.Linear(self.out.in_features, len(texts.tokens))
        optimiser = torch.optim.Adam([*self.parameters(), *names.parameters()], lr=3e-3)
        target, which = torch.from_numpy(texts.legal).float(), torch.arange(len(texts.tokens))
        for _ in range(steps):
            seen = self.features(texts.tokens)
            wrong = -(target / target.sum(dim=1, keepdim=True) * self.out(seen).log_softmax(dim=1)).sum(dim=1).mean()
            optimiser.zero_grad()
            (wrong + nn.functional.cross_entropy(names(seen), which)).backward()
            optimiser.step()


def profile_of(game: Game, texts: Texts, chances: Floats) -> Profile:
    """The policy as a profile: the chances of legal words, scaled to sum to 1."""
    table, plan = game.tree.table, {}
    for name, node in game.tree.decisions.items():
        index = table.names.index(name)
        rows = chances[texts.place[index, : game.deal.size(node.player)]][:, table.legal_ids[index]]
        plan[name] = dict(zip(node.actions, (rows / rows.sum(axis=1, keepdims=True)).T, strict=True))
    return game.profile(plan)


class Credits(NamedTuple):
    """Answers to be learned from: the question, the word, and its credit; each (k,)."""

    question: Ints
    word: Ints
    credit: Floats


def draw(chances: Floats, rng: np.random.Generator) -> Ints:
    """One index of each row, (k, A)."""
    drawn: Ints = np.minimum(
        (rng.random((len(chances), 1)) > np.cumsum(chances, axis=1)).sum(axis=1), chances.shape[1] - 1
    )
    return drawn


def credits_of_actions(
    game: Game, texts: Texts, chances: Floats, rewards: Rewards, seat: int | None, rng: np.random.Generator
) -> Credits:
    """Play hands; at each decision of the learner, draw a group of answers and credit each with its pay less the group's mean.

    `seat` is the learner's, against the rewards' opponent; None is self-play. The first answer of a group is played; an illegal one ends
    the hand.
    """
    batch, table = Batch(game, HANDS, seed=int(rng.integers(2**31))), game.tree.table
    other = None if seat is None else profile_of_opponent(game, rewards, 1 - seat)
    parts: list[Credits] = []
    live = np.arange(HANDS)
    while len(live):
        node, mover = batch.node[live], batch.to_move[live]
        hand = batch.hands[live, mover]
        actions = np.zeros(len(live), np.int64)
        mine = np.ones(len(live), bool) if seat is None else mover == seat
        if other is not None and not mine.all():
            actions[~mine] = draw(other[node[~mine], hand[~mine]], rng)
        asked = texts.place[node[mine], hand[mine]]
        if len(asked):
            drawn = np.stack([draw(chances[asked], rng) for _ in range(GROUP)])
            pay = np.stack([rewards.paid_at(mover[mine], node[mine], hand[mine], words) for words in drawn])
            parts.append(Credits(np.tile(asked, GROUP), drawn.ravel(), (pay - pay.mean(axis=0)).ravel()))
            for one in zip(
                np.tile(node[mine], GROUP).tolist(),
                np.tile(hand[mine], GROUP).tolist(),
                drawn.ravel().tolist(),
                strict=True,
            ):
                rewards.record(*one)
            actions[mine] = drawn[0]
        fine = table.legal[node, actions].astype(bool)
        live, actions = live[fine], actions[fine]
        batch.move(live, actions)
        live = live[~batch.done[live]]
    return Credits(*map(np.concatenate, zip(*parts, strict=True)))


def profile_of_opponent(game: Game, rewards: Rewards, seat: int) -> Floats:
    """(nodes, hands, A) the probabilities of the opponent in this seat."""
    table, played = game.tree.table, rewards.opponent(seat)
    out = np.zeros((len(table.names), game.deal.size(seat), len(game.actions)))
    for name, rows in played.at.items():
        index = table.names.index(name)
        for action, row in zip(table.legal_ids[index], rows, strict=True):
            out[index, :, action] = np.asarray(row, float)
    return out


def credits_of_chips(game: Game, texts: Texts, chances: Floats, rng: np.random.Generator) -> Credits:
    """Play each deal `GROUP` times; credit all answers of a seat in a play with its chips less the group's mean for that seat."""
    batch, table = Batch(game, HANDS, seed=int(rng.integers(2**31))), game.tree.table
    dealt = batch.hands.copy()
    worst = np.array([2.0, 2.0])
    plays: list[list[tuple[Any, ...]]] = []
    paid = np.zeros((GROUP, HANDS, 2))
    for group in range(GROUP):
        node, live, kept = np.zeros(HANDS, np.int64), np.arange(HANDS), []
        while len(live):
            mover = table.player[node[live]]
            asked = texts.place[node[live], dealt[live, mover]]
            words = draw(chances[asked], rng)
            kept.append((live, mover, asked, words))
            fine = table.legal[node[live], words].astype(bool)
            for table_, seat in zip(live[~fine], mover[~fine], strict=True):
                paid[group, table_, seat], paid[group, table_, 1 - seat] = -worst[seat], worst[seat]
            live, words = live[fine], words[fine]
            node[live] = table.child[node[live], words]
            ended = live[table.player[node[live]] < 0]
            edge = np.sign(dealt[ended, 0] - dealt[ended, 1])
            chips = table.constant[node[ended]] + table.stake[node[ended]] * edge
            paid[group, ended, 0], paid[group, ended, 1] = chips, -chips
            live = live[table.player[node[live]] >= 0]
        plays.append(kept)
    credit = paid - paid.mean(axis=0)
    parts = [
        Credits(asked, words, credit[group, live, mover])
        for group, kept in enumerate(plays)
        for live, mover, asked, words in kept
    ]
    return Credits(*map(np.concatenate, zip(*parts, strict=True)))


def train(condition: str, seed: int, updates: int = UPDATES, text: str = GAME) -> dict[str, Any]:
    """Train one network; NashConv on the way is exact, that of the legal words."""
    game = make(text)
    texts, rng = texts_of(game), np.random.default_rng(seed)
    torch.manual_seed(seed)
    network = Reader(texts.words, len(game.actions))
    network.tune(texts)
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
    name, *how = condition.split(", ")
    rewards = Rewards(game, name)
    curve, illegal = [], 0.0
    for update in range(updates + 1):
        logs = network(texts.tokens).log_softmax(dim=1)
        chances = logs.detach().exp().double().numpy()
        if update % (updates // SHOWN) == 0:
            curve.append(round(float(nash_conv(game, profile_of(game, texts, chances))), 5))
            illegal = float((chances * (1 - texts.legal)).sum(axis=1).mean())
        if name == "chips":
            found = [credits_of_chips(game, texts, chances, rng)]
        else:
            if rewards.follows and update:
                rewards.refresh(None if "estimated" in how else profile_of(game, texts, chances))
            alone = name == "exploitability_descent" and "in self-play" not in how
            seats: Sequence[int | None] = (0, 1) if alone else (None,)
            found = [credits_of_actions(game, texts, chances, rewards, seat, rng) for seat in seats]
        question, word, credit = (np.concatenate(part) for part in zip(*found, strict=True))
        objective = (logs[torch.from_numpy(question), torch.from_numpy(word)] * torch.from_numpy(credit).float()).mean()
        optimiser.zero_grad()
        (-objective).backward()
        optimiser.step()
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 + update / 50) ** -0.5
    return {
        "game": text,
        "reward": condition,
        "seed": seed,
        "updates": updates,
        "nash_conv": curve,
        "illegal": round(illegal, 5),
    }


def rows(done: Container[tuple[str, int]] = (), seeds: int = SEEDS) -> Iterator[dict[str, Any]]:
    """A row for each seed and condition that is not done."""
    for seed in range(seeds):
        for condition in CONDITIONS:
            if (condition, seed) not in done:
                yield train(condition, seed)


def main() -> None:
    """Write the rows that are missing."""
    torch.set_num_threads(1)
    done = {(row["reward"], row["seed"]) for row in read(TEXTS)} if TEXTS.exists() else set()
    with TEXTS.open("a") as file:
        for row in rows(done):
            print(json.dumps(row), file=file, flush=True)


if __name__ == "__main__":
    main()
