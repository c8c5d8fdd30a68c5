"""Values and best responses on a game tree, exact, for any number of players and any payoffs.

A player's weight of a sequence is the product of the probabilities of its actions. What a player can earn is then a sum over endings
of the others' weights times the payoff (their counterfactual value), maximised from the last information sets to the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any, NamedTuple, TypeAlias

from relance.model.arguments import checked
from relance.model.game_tree import GameTree, TreeProfile

TreePolicy: TypeAlias = Mapping[str, Mapping[str, Any]]
"""{information set: {action: probability}}."""

LONGEST = 4000
"""Bits: weights with a common denominator of at most this length are compared as whole numbers."""


class SequenceWeights(NamedTuple):
    """A player's weights of their sequences, times `unit`."""

    unit: int
    at: Sequence[Any]


class TreeResponse(NamedTuple):
    """What `player` can earn against the others' strategies, and an action for each of their information sets that earns it."""

    player: int
    value: Fraction
    actions: Mapping[str, str]


class TreeMistake(NamedTuple):
    """What a player's strategy gives up at an information set, in chips of the whole game, if they play best elsewhere."""

    player: int
    information_set: str
    best: str
    loss: Fraction


class Judgement(NamedTuple):
    """A profile judged exactly.

    Attributes:
        values: what each player earns.
        best: what a best response would earn each player.
    """

    values: tuple[Fraction, ...]
    best: tuple[Fraction, ...]

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """Each player's gain from a best response."""
        return tuple(most - earned for most, earned in zip(self.best, self.values, strict=True))

    @property
    def nash_conv(self) -> Fraction:
        """The sum of the gains; 0 if and only if the profile is a Nash equilibrium."""
        return sum(self.gains, Fraction(0))


def as_tree_profile(tree: GameTree, profile: object) -> TreeProfile:
    """Return a profile of a tree as it is, or check a table.

    Raises:
        TypeError: it is neither.
    """
    if profile == "uniform":
        return tree.uniform()
    if not isinstance(profile, Mapping):
        if tree.reader is not None and not isinstance(profile, (int, float)):
            return tree.reader(tree, profile)
        raise TypeError(
            f"profile={profile!r:.60} must be a table {{information set: {{action: probability}}}}, or 'uniform', for {tree}"
        )
    return tree.profile(profile)


def weights(tree: GameTree, profile: TreePolicy, player: int) -> SequenceWeights:
    """A player's weights of their sequences, as whole numbers with a common unit where these are not too long."""
    at: list[Fraction] = [Fraction(0)] * tree.sizes[player]
    at[0] = Fraction(1)
    for s in tree.sets_of(player):
        if reach := at[s.before]:
            for sequence, p in zip(s.after, profile[s.name].values(), strict=True):
                at[sequence] = reach * p
    unit = 1
    for weight in at:
        unit = lcm(unit, weight.denominator)
        if unit.bit_length() > LONGEST:
            return SequenceWeights(1, at)
    return SequenceWeights(unit, [weight.numerator * (unit // weight.denominator) for weight in at])


def counterfactual(tree: GameTree, player: int, others: Sequence[SequenceWeights | None]) -> SequenceWeights:
    """Return what each sequence of a player adds to their payoff, by the others' weights; the player's own are not used."""
    unit, endings = tree.scaled
    out: list[Any] = [0] * tree.sizes[player]
    if tree.players == 2 and (other := others[1 - player]) is not None:
        theirs, at = 1 - player, other.at
        for key, pays in endings:
            if weight := at[key[theirs]]:
                out[key[player]] += weight * pays[player]
        return SequenceWeights(unit * other.unit, out)
    rest = [(q, w) for q, w in enumerate(others) if q != player and w is not None]
    for key, pays in endings:
        out[key[player]] += pays[player] * prod(w.at[key[q]] for q, w in rest)
    return SequenceWeights(unit * prod(w.unit for _, w in rest), out)


def respond(tree: GameTree, player: int, values: SequenceWeights) -> TreeResponse:
    """The best actions, from the last information sets to the first, by the counterfactual values of sequences."""
    at, actions = list(values.at), {}
    for s in reversed([*tree.sets_of(player)]):
        chips = at[s.first : s.first + len(s.actions)]
        most = max(chips)
        actions[s.name] = s.actions[chips.index(most)]
        at[s.before] += most
    return TreeResponse(player, Fraction(at[0]) / values.unit, actions)


@checked
def judge(tree: GameTree, profile: Any) -> Judgement:
    """Return what each player earns under a profile, and what best responses would earn, in fractions.

    Args:
        tree: the game.
        profile: {information set: {action: probability}} for all players, or "uniform".

    Raises:
        ValueError: the profile does not fit the game.
    """
    played = as_tree_profile(tree, profile)
    plans = [weights(tree, played, player) for player in range(tree.players)]
    values, best = [], []
    for player, own in enumerate(plans):
        chips = counterfactual(tree, player, plans)
        earned = sum(w * c for w, c in zip(own.at, chips.at, strict=True) if w)
        values.append(Fraction(earned) / (own.unit * chips.unit))
        best.append(respond(tree, player, chips).value)
    return Judgement(tuple(values), tuple(best))


@checked
def response(tree: GameTree, profile: Any, player: int) -> TreeResponse:
    """A best response of `player`; only the others' parts of the profile matter. Of equally good actions it takes the first."""
    if player not in range(tree.players):
        raise ValueError(f"player={player} must be one of 0 to {tree.players - 1} in {tree}")
    played = as_tree_profile(tree, profile)
    plans = [None if q == player else weights(tree, played, q) for q in range(tree.players)]
    return respond(tree, player, counterfactual(tree, player, plans))


@checked
def tree_mistakes(tree: GameTree, profile: Any) -> list[TreeMistake]:
    """Where each player's strategy gives up chips: by the others' play, and their own best play later. The worst first."""
    played, out = as_tree_profile(tree, profile), []
    plans = [weights(tree, played, player) for player in range(tree.players)]
    for player in range(tree.players):
        values = counterfactual(tree, player, plans)
        at = list(values.at)
        for s in reversed([*tree.sets_of(player)]):
            chips = at[s.first : s.first + len(s.actions)]
            most = max(chips)
            mean = sum(p * c for p, c in zip(played[s.name].values(), chips, strict=True))
            if mean != most and plans[player].at[s.before]:
                reach = Fraction(plans[player].at[s.before]) / plans[player].unit
                loss = reach * (most - mean) / values.unit
                out.append(TreeMistake(player, s.name, s.actions[chips.index(most)], Fraction(loss)))
            at[s.before] += most
    return sorted(out, key=lambda mistake: -mistake.loss)
