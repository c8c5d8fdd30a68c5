"""Hands played by agents that answer in words. The adapter of each framework only carries the messages.

While `seat` of a `SpokenHand`, or of a single `SpokenQuestion`, is not None, show `messages` to the agent in that seat and give its
reply to `answer`. Each question stands alone: it has the rules, the hand and the betting, and nothing that the other seat wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from relance.envs.catalogue import make
from relance.model.arguments import Count, NaturalNumber, checked
from relance.model.game import Game
from relance.model.limits import check_sets
from relance.model.numbers import short
from relance.play.agents import strategy
from relance.play.coach import Coach
from relance.play.equilibria import solved
from relance.play.opponents import Player
from relance.play.policies import Sampler, play_on, tabulate
from relance.play.rewards import Rewards
from relance.play.rules import check_per_node, rules
from relance.play.table import Table
from relance.play.wording import PLAIN, Wording
from relance.words.episodes import counted_answers
from relance.words.log_rows import FORFEIT, LogRow, answer_place, decision_row, terminal_row
from relance.words.renamings import renamed_wording
from relance.words.text_agent import Message, Question, RawReply, Retries, TextAnswer, talk

LEARNER = "learner"
"""The log's name for an opponent made from the learner's answers: their estimated policy, or a best response to it."""

DEFAULT = "exploitability_descent"
"""The default reward for training on words; `docs/rewards.md` compares all rewards."""

EVERY = 256
"""After how many answers a learner's policy is estimated anew."""

MOST_SOLVED = 5_000
"""The most information sets of a game that a server accepts from a stranger if it must solve this game."""

MOST_TEXT = 400
"""The most characters of the text of a game or a player that a server accepts from a stranger."""


def check_size(game: str, *players: str) -> None:
    """Raise ValueError if the texts are too long, or the game too large, for a server to accept from a stranger."""
    for text in (game, *players):
        if len(text) > MOST_TEXT:
            raise ValueError(f"{short(text)} has {len(text):,} characters; this server takes at most {MOST_TEXT}")
    made = make(game)
    solved = not made.is_published or any("solved" in text for text in players)
    limits = (MOST_SOLVED, ", where its strategies are solved") if solved else ()
    check_sets(made, "this server plays games of", *limits)


class SpokenGame:
    """A game for agents that answer in words.

    Args:
        game: the game.
        opponent: who plays the seats that no agent plays, as in `relance.play.strategy`.
        reference_opponent: the opponent against whom decisions are scored.
        retries: 1 asks once more after a reply without a legal action; 0 counts it as a forfeit at once.
        wording: the names of actions, hands and units; see `relance.words.renamed_wording`.
        rewards: computes the reward of each decision; None for minus its loss. If the reward depends on the learner's policy, this is
            estimated from the answers given to `pay`, and `rewards.opponent`, not `opponent`, plays the seats that no agent plays.
        every: after how many answers the learner's policy is estimated anew.

    Raises:
        ValueError: an argument is not allowed. A wrong opponent is reported only when it is first needed.
    """

    @checked
    def __init__(
        self,
        game: Game,
        opponent: Player = "equilibrium",
        reference_opponent: Player = "equilibrium",
        retries: Retries = 0,
        wording: Wording = PLAIN,
        rewards: Rewards | None = None,
        every: Count = EVERY,
    ) -> None:
        check_per_node(game, "language models")
        self.rewards, self.every, self._unread = rewards, every, 0
        self.game, self.opponent, self.reference_opponent, self.retries, self.wording = (
            game,
            opponent,
            reference_opponent,
            retries,
            wording,
        )
        self.rules, self._learner = rules(game), rewards if rewards and rewards.follows else None
        self._players: dict[int, Sampler] = {}
        self._coaches: dict[int, Coach] = {}

    @property
    def by_decision(self) -> bool:
        """True if `rewards` pays each decision; otherwise a hand pays its chips."""
        return self.rewards is not None and self.rewards.by_decision

    def player(self, seat: int) -> Sampler:
        """The opponent that plays this seat, ready to draw actions."""
        if seat not in self._players:
            who = self._learner.opponent(seat) if self._learner else strategy(self.game, self.opponent, seat)
            self._players[seat] = Sampler(tabulate(self.game, who))
        return self._players[seat]

    def called(self, opponent: str) -> str:
        """Return `opponent`. If `opponent` is "", return "learner" if the reward depends on the learner's policy, else "equilibrium"."""
        return opponent or (LEARNER if self._learner else "equilibrium")

    def learning(self, reward: str, opponent: Player = None, every: int = EVERY) -> SpokenGame:
        """Return the same game for a learner paid by this reward, whose policy is estimated from answers in the new game alone.

        Args:
            reward: its name, as for `relance.play.rewards.Rewards`.
            opponent: as for `Rewards`; it also plays the seats that no agent plays.
            every: after how many answers the learner's policy is estimated anew.

        Raises:
            ValueError: an argument is not allowed; or the reward needs the learner's policy, and hands are on [0, 1].
        """
        rewards = Rewards(self.game, reward, opponent)
        if rewards.follows:
            self.game.finite_deal()
        return SpokenGame(self.game, self.opponent, self.reference_opponent, self.retries, self.wording, rewards, every)

    def pay(self, rows: Sequence[LogRow]) -> list[float]:
        """Return each answer's reward in expected chips, and use the answers in the next estimate of the learner's policy.

        `rows` are the rows of one agent in one hand. An answer after which the agent was asked again does not count, and has no reward.
        If `rewards` is None, or pays only at the end of a hand, as "chips" does, return minus the loss of each answer, as in `losses`.
        """
        if not (self.rewards and self.rewards.by_decision):
            return [-loss for loss in self.losses(rows)]
        places = [answer_place(self.game, row) for row in counted_answers(rows)]
        paid = [self.rewards.paid(*place) for place in places]
        for place in places if self._learner else ():
            self.rewards.record(*place)
            self._unread += 1
        if self._unread >= self.every:
            self.rewards.refresh()
            self._unread, self._players = 0, {}
        return paid

    def coach(self, seat: int) -> Coach:
        """The coach that scores the decisions of this seat; its `value` is the value of a best response in this seat."""
        if seat not in self._coaches:
            self._coaches[seat] = Coach(self.game, seat, self.reference_opponent, exact=False)
        return self._coaches[seat]

    def losses(self, rows: Sequence[LogRow]) -> list[float]:
        """Return the expected chips that each question's last answer lost against the reference opponent."""
        return [self.coach(row.seat).loss(*answer_place(self.game, row)) for row in counted_answers(rows)]

    def action_id(self, action: str | None) -> int:
        """Return the id of an action given by name; None, an answer without a legal action, gives the id of a forfeit."""
        return FORFEIT if action is None else self.rules.actions.index(action)


@checked
@lru_cache(maxsize=16)
def spoken_game(
    game: str,
    opponent: str = "equilibrium",
    reference_opponent: str = "equilibrium",
    retries: int = 0,
    renaming: int | None = None,
) -> SpokenGame:
    """Return a game for language models. An opponent may also be "solved", an equilibrium computed even where one is published.

    Args:
        game: the text of the game, such as "kuhn".
        opponent: who plays the seats that no agent plays, by name.
        reference_opponent: the opponent against whom decisions are scored, by name.
        retries: 1 asks once more after an illegal answer, else 0.
        renaming: the seed of a renamed game, in which everything has another name; None keeps the game's own names.

    Raises:
        ValueError: an argument is not allowed, or an opponent cannot play this game.
    """
    made = make(game)
    player, critic = (solved(made) if name == "solved" else name for name in (opponent, reference_opponent))
    wording = PLAIN if renaming is None else renamed_wording(made, renaming)
    out = SpokenGame(made, player, critic, retries, wording)
    out.player(1), out.coach(0)  # bad names are told now, not in the middle of a run
    return out


class SpokenQuestion:
    """A single question to one player, outside of a hand.

    Args:
        spoken: the game.
        seat, hand, node, cards: as in `Question`, but `node` is the index of the decision in `game.tree.table`.
        **marks: further fields of the log's rows: seed, episode, agent, opponent.

    Attributes:
        messages: the conversation to be answered; empty after the answer.
        given: the answer; None before it.
        rows: the log's row of each reply; see `relance.words.LogRow`.
    """

    def __init__(
        self, spoken: SpokenGame, seat: int, hand: Any, node: int, cards: str | None = None, **marks: Any
    ) -> None:
        self._spoken, self._place, self._marks = spoken, (spoken.game, seat, hand, node), marks
        question = Question(seat, hand, spoken.rules.names[node], cards)
        self._talk = talk(spoken.game, question, spoken.retries, spoken.wording)
        self.messages: list[Message] = next(self._talk)
        self.given: TextAnswer | None = None
        self.rows: list[LogRow] = []

    @property
    def seat(self) -> int | None:
        """The seat that is asked; None once it has answered."""
        return None if self.given else self._place[1]

    @property
    def legal(self) -> list[str]:
        """The legal actions as they are called in the question."""
        game, wording = self._spoken.game, self._spoken.wording
        actions = game.tree.decisions[self._spoken.rules.names[self._place[3]]].actions
        return [wording.action(action) for action in wording.listed(actions)]

    def answer(self, reply: RawReply) -> float:
        """Take a reply, and return the expected chips that it lost, or 0 if the question is asked again.

        Raises:
            RuntimeError: the question has been answered.
        """
        if self.given:
            raise RuntimeError("the question has been answered; make another SpokenQuestion to ask again")
        try:
            self.messages = self._talk.send(reply)
            return 0.0
        except StopIteration as end:
            given: TextAnswer = end.value
        self.given, self.messages = given, []
        game, seat, hand, node = self._place
        self.rows = [decision_row(game, seat, hand, node, **reply, **self._marks) for reply in given.replies]
        return self._spoken.coach(seat).loss(node, hand, self._spoken.action_id(given.action))


class SpokenHand:
    """One hand in words, dealt at its start. The same seed and number give the same deal, whoever plays.

    Args:
        spoken: the game.
        seed, number: the seed of a run, and the hand's number in it; both fix the deal and the opponent's draws.
        seats: the seats that agents play, one or both; the opponent plays the other.
        agents: what the players of both seats are called in the log.

    Attributes:
        table: the state of the hand.
        asked: the question that is open, or the last one; None if no agent was asked.
        rows: by seat, what its agent answered and how the hand ended; see `relance.words.LogRow`.
    """

    @checked
    def __init__(
        self,
        spoken: SpokenGame,
        seed: NaturalNumber,
        number: NaturalNumber = 0,
        seats: Sequence[int] = (0, 1),
        agents: tuple[str, str] = ("", ""),
    ) -> None:
        self._spoken, run = spoken, {"seed": seed, "episode": number}
        self._marks = [run | {"agent": mine, "opponent": other} for mine, other in (agents, agents[::-1])]
        dealer, self._draws = (np.random.default_rng([int(seed), int(number), part]) for part in (0, 1))
        self.table = Table(spoken.rules)
        self.table.deal(dealer)
        self.rows: dict[int, list[LogRow]] = {seat: [] for seat in seats}
        self.asked: SpokenQuestion | None = None
        self._go_on()

    @property
    def seat(self) -> int | None:
        """The seat whose agent is to answer; None when the hand is over."""
        return None if self.table.over else self.table.player

    @property
    def messages(self) -> list[Message]:
        """The conversation that the agent must answer; empty when the hand is over."""
        return self.asked.messages if self.asked else []

    @property
    def legal(self) -> list[str]:
        """The legal actions as they are called in the question; empty when the hand is over."""
        return self.asked.legal if self.asked and self.seat is not None else []

    def answer(self, reply: RawReply) -> float:
        """Return the expected chips that this reply of the agent in `seat` loses, or 0 if the agent is asked again; the hand goes on.

        Raises:
            RuntimeError: the hand is over.
        """
        if self.asked is None or self.table.over:
            raise RuntimeError("the hand is over; deal another")
        cost = self.asked.answer(reply)
        if self.asked.given:
            self.rows[self.table.player] += self.asked.rows
            self.table.act(self._spoken.action_id(self.asked.given.action), "forfeit")
            self._go_on()
        return cost

    def _go_on(self) -> None:
        """Let the opponent act, then ask the next question, or write down how the hand ended."""
        table, spoken = self.table, self._spoken
        while not table.over and table.player not in self.rows:
            play_on(table, table.player, spoken.player(table.player), self._draws)
        if not table.over:
            seat, cards = table.player, table.cards[table.player] if table.cards else None
            self.asked = SpokenQuestion(spoken, seat, table.hands[seat], table.node, cards, **self._marks[seat])
            return
        for seat, rows in self.rows.items():
            chips, marks = self.chips(seat), self._marks[seat]
            rows.append(terminal_row(spoken.game, seat, table.hands[seat], table.node, chips, **marks))

    def chips(self, seat: int) -> float:
        """Return the chips that the player in `seat` wins, negative if lost; 0 while the hand goes on."""
        return self.table.chips * (1 - 2 * seat)
