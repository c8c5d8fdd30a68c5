"""Scripted baselines for language models: they read the text of a question, follow a simple rule, and answer in words.

Each is a rule on top of an equilibrium, so what it plays is known exactly, and what a score makes of it can be checked. They are no
language models, and nothing that they show says how well one would play.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from relance.model.deal import Array
from relance.model.game import Game
from relance.model.numbers import did_you_mean
from relance.model.strategy import Profile
from relance.model.tree import Decision, Leaf
from relance.play.equilibria import equilibrium
from relance.play.wording import PLAIN, Wording, betting
from relance.words.prompts import tell_rules
from relance.words.text_agent import Message, RawReply, TextAgent

Rows: TypeAlias = dict[str, Array]
"""For each legal action its probability with each hand, (hands,)."""


class Place(NamedTuple):
    """A decision as a rule sees it.

    Attributes:
        node: the decision.
        rows: what the equilibrium plays there.
        edge: (hands,) what each hand wins on average when compared with all of the opponent's, from -1 to 1.
        first: what the equilibrium plays at the first decision of the seat.
    """

    node: Decision
    rows: Rows
    edge: Array
    first: Rows

    @property
    def gives_up(self) -> str:
        """The most timid action: a fold, or else a check."""
        return self.node.actions[0]

    @property
    def pushes(self) -> str:
        """The boldest action."""
        return self.node.actions[-1]

    @property
    def folds(self) -> list[str]:
        """The actions that end the hand without comparing hands."""
        return [a for a in self.node.actions if isinstance(leaf := self.node.child(a), Leaf) and not leaf.stake]

    @property
    def raises(self) -> list[str]:
        """The actions after which the opponent has to pay more: bets and raises."""
        mover = self.node.player
        children = ((action, self.node.child(action)) for action in self.node.actions)
        return [a for a, child in children if isinstance(child, Decision) and child.paid[mover] > child.paid[1 - mover]]

    @property
    def calls(self) -> list[str]:
        """All other actions: checks and calls."""
        return [action for action in self.node.actions if action not in self.folds + self.raises]

    def pure(self, chosen: Mapping[str, Any]) -> Rows:
        """Each action with the hands where its entry is true."""
        zero = self.edge * 0
        return {action: zero + np.asarray(chosen.get(action, False), int) for action in self.node.actions}

    def moved(self, away: list[str], to: str, where: Any = True) -> Rows:
        """The equilibrium, but with the hands `where` the actions `away` are replaced by `to`."""
        out, part = dict(self.rows), np.asarray(where, int)
        for action in away:
            if action != to:
                out[to] = out[to] + out[action] * part
                out[action] = out[action] * (1 - part)
        return out

    def supported(self, last: Any) -> Rows:
        """Of the actions that the equilibrium ever takes with a hand, the last one where `last` is true, else the first one."""
        used = np.array([self.rows[action] > 0 for action in self.node.actions])
        pick = np.where(np.asarray(last), len(used) - 1 - used[::-1].argmax(axis=0), used.argmax(axis=0))
        return self.pure({action: pick == place for place, action in enumerate(self.node.actions)})


Rule: TypeAlias = Callable[[Place], Rows]


@dataclass(frozen=True)
class ScriptedBaseline:
    """A scripted agent.

    Attributes:
        name: its name.
        doc: its rule in a sentence.
        rule: what it plays at a decision.
        illegal: how often it answers without a legal action.
        by_heart: whether it knows the game by its plain words only, and plays at random when these are others.
    """

    name: str
    doc: str
    rule: Rule
    illegal: Fraction = Fraction(0)
    by_heart: bool = False

    def profile(self, game: Game, wording: Wording = PLAIN) -> Profile:
        """What it plays in both seats whenever it answers with a legal action; exact if the equilibrium is.

        Raises:
            ValueError: hands are on [0, 1]; take a grid.
        """
        deal, base = game.finite_deal(), equilibrium(game)
        if self.by_heart and tell_rules(game, wording) != tell_rules(game):
            return game.uniform()
        deal = deal.floats if base.in_floats else deal
        plan: dict[str, dict[str, Any]] = {}
        first: dict[int, Rows] = {}
        for name, node in game.tree.decisions.items():
            rows = node.by_action(base[name])
            won, met = deal.edge(node.player, deal.constant(1 - node.player, 1)), deal.prior(node.player)
            edge = np.array([w / m if m else m for w, m in zip(won, met, strict=True)], won.dtype)
            place = Place(node, rows, edge, first.setdefault(node.player, rows))
            plan[name] = (
                self.rule(place) if len(rows) > 1 else rows
            )  # where there is nothing to choose, nothing changes
        return game.profile(
            {name: {action: row.tolist() for action, row in rows.items()} for name, rows in plan.items()}
        )

    def agent(
        self, game: Game, wording: Wording = PLAIN, seed: int = 0, retries: int = 0, tells: bool = False
    ) -> TextAgent:
        """The scripted baseline as an agent that answers in words.

        Args:
            game: with finitely many hands.
            wording: what things are called in its questions.
            seed: of what it draws, and of its turns of phrase.
            retries: as for `TextAgent`.
            tells: whether it gives the log-probabilities of its actions with each answer.
        """
        return TextAgent(_Voice(self, game, wording, seed, tells), retries, wording)


# Reading and speaking


class _Voice:
    """Answers conversations; see `ScriptedBaseline.agent`."""

    def __init__(
        self, scripted_baseline: ScriptedBaseline, game: Game, wording: Wording, seed: int, tells: bool
    ) -> None:
        self.name = scripted_baseline.name
        self._scripted_baseline, self._game, self._wording, self._tells = scripted_baseline, game, wording, tells
        self._profile = scripted_baseline.profile(game, wording).as_float()
        self._rng = np.random.default_rng(seed)
        self._nodes = {betting(game, name, wording): name for name in game.tree.decisions}
        deal = game.finite_deal()
        self._hands = [{wording.hand(game, seat, hand): hand for hand in range(deal.size(seat))} for seat in (0, 1)]

    def __call__(self, messages: list[Message]) -> RawReply:
        node, hand = self._read(messages[0]["content"])
        decision = self._game.tree.decisions[node]
        chances = [float(row[hand]) for row in self._profile[node]]
        called = [self._wording.action(action) for action in decision.actions]
        text = self._say(called, int(self._rng.choice(len(called), p=chances)))
        if not self._tells:
            return text
        legal = 1 - float(self._scripted_baseline.illegal)
        return text, {name: log(p * legal) for name, p in zip(called, chances, strict=True) if p > 0}

    def _read(self, text: str) -> tuple[str, int]:
        """The node and the hand, from the lines of the question."""
        said = dict(re.findall(r"^(You are|Your hand:|So far:) (.*)$", text, re.MULTILINE))
        seat = self._wording.seats.index(said["You are"].rstrip("."))
        node = self._nodes[re.sub("^nothing, .*", "", said["So far:"])]
        hands = self._hands[seat]
        held, showing = said.get("Your hand:", next(iter(hands))), self._game.deal.showing
        if held not in hands and showing is not None:
            return node, showing.find(held.partition(" (")[0])
        return node, hands[held]

    def _say(self, called: list[str], chosen: int) -> str:
        other, name = called[chosen - 1], called[chosen]
        if self._rng.random() < self._scripted_baseline.illegal:
            return str(
                self._rng.choice([f"I choose {name}.", f"[{other}, {name}]", "[pass the salt]", "", "[1]", f"[{name}"])
            )
        return str(
            self._rng.choice(
                [
                    f"[{name}]",
                    f"[{other}] looks good, but no: [{name}]",
                    f"Thinking it over.\n\nAnswer: [{name.upper()}]",
                ]
            )
        )


# The rules


def _noisy(share: Fraction) -> Rule:
    def rule(at: Place) -> Rows:
        part: Any = float(share) if at.edge.dtype.kind == "f" else share
        return {action: row * (1 - part) + part / len(at.node.actions) for action, row in at.rows.items()}

    return rule


def _most_probable(at: Place) -> Rows:
    best = np.array([row.astype(float) for row in at.rows.values()]).argmax(axis=0)
    return at.pure({action: best == place for place, action in enumerate(at.node.actions)})


def _forgetful(at: Place) -> Rows:
    """The boldest action as often as at the first decision of the seat, else the most timid one."""
    bold = at.first[list(at.first)[-1]]
    return {
        action: bold if action == at.pushes else (bold * 0 + (1 - bold) * (action == at.gives_up)) for action in at.rows
    }


SCRIPTED_BASELINES: dict[str, ScriptedBaseline] = {
    one.name: one
    for one in (
        ScriptedBaseline("equilibrium", "plays an equilibrium", lambda at: at.rows),
        ScriptedBaseline(
            "noise 1/10", "plays the equilibrium, but one decision in ten at random", _noisy(Fraction(1, 10))
        ),
        ScriptedBaseline(
            "noise 3/10", "plays the equilibrium, but three decisions in ten at random", _noisy(Fraction(3, 10))
        ),
        ScriptedBaseline("most probable", "always takes the most probable action of the equilibrium", _most_probable),
        ScriptedBaseline(
            "honest caller",
            "takes only actions of the equilibrium: the most timid one with a hand below average, else the boldest",
            lambda at: at.supported(at.edge >= 0),
        ),
        ScriptedBaseline(
            "never bluffs",
            "plays the equilibrium, but gives up where it would bet a hand below average",
            lambda at: at.moved(at.raises, at.gives_up, at.edge < 0),
        ),
        ScriptedBaseline(
            "always bluffs",
            "plays the equilibrium, but bets and raises every hand below average where it can",
            lambda at: at.moved(list(at.rows), at.raises[-1], at.edge < 0) if at.raises else at.rows,
        ),
        ScriptedBaseline(
            "never folds",
            "plays the equilibrium, but calls where it would fold",
            lambda at: at.moved(at.folds, at.calls[0]) if at.calls else at.rows,
        ),
        ScriptedBaseline(
            "calls everything", "never folds and never bets", lambda at: at.pure({(at.calls or at.raises)[0]: True})
        ),
        ScriptedBaseline(
            "only the best",
            "bets and calls hands above average, and gives up all others",
            lambda at: _only(at, at.edge > 0),
        ),
        ScriptedBaseline(
            "the better half",
            "bets and calls hands that are at least average, and gives up all others",
            lambda at: _only(at, at.edge >= 0),
        ),
        ScriptedBaseline(
            "forgets the betting", "plays every decision like the first of its seat, whatever was bet", _forgetful
        ),
        ScriptedBaseline(
            "always bets", "takes the boldest action with every hand", lambda at: at.pure({at.pushes: True})
        ),
        ScriptedBaseline("at random", "takes every legal action with the same probability", _noisy(Fraction(1))),
        ScriptedBaseline(
            "illegal now and then",
            "plays the equilibrium, but one answer in twenty names no legal action",
            lambda at: at.rows,
            illegal=Fraction(1, 20),
        ),
        ScriptedBaseline(
            "by heart",
            "plays the equilibrium if the game is told in the words of the paper, else at random",
            lambda at: at.rows,
            by_heart=True,
        ),
    )
}
"""The scripted baselines by name."""


def _only(at: Place, good: Any) -> Rows:
    return at.pure({at.gives_up: ~good, at.pushes: good})


def scripted_baseline(name: str) -> ScriptedBaseline:
    """The scripted baseline of this name.

    Raises:
        ValueError: there is none.
    """
    if name not in SCRIPTED_BASELINES:
        raise ValueError(f"there is no scripted baseline {name!r}" + did_you_mean(name, SCRIPTED_BASELINES))
    return SCRIPTED_BASELINES[name]
