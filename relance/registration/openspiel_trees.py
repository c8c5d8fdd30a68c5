"""Reads OpenSpiel's games as game trees with fractions, and turns OpenSpiel's policies into profiles and back."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from statistics import fmean, median
from typing import Any

import pyspiel

from relance.model.game_tree import (
    MOST_HISTORIES,
    ChanceNode,
    DecisionNode,
    GameTree,
    OnRead,
    TerminalNode,
    TreeNode,
    TreeProfile,
    unwatched,
)
from relance.model.numbers import (
    MOST_DENOMINATOR,
    fraction_meant,
    probabilities_meant,
    short,
    unique_names,
)

PROBES, SURE = 31, 6
"""How many times a tree's size is estimated before it is read, and how many times too large it must seem to be refused."""


class _Children(Mapping[str, Any]):
    """The nodes after each action in an OpenSpiel state, created on demand."""

    def __init__(self, state: Any, names: dict[str, int], chances: dict[str, Fraction] | None = None) -> None:
        self.state, self.names, self.chances = state, names, chances

    def __getitem__(self, name: str) -> Any:
        child = _node(self.state.child(self.names[name]))
        return child if self.chances is None else (self.chances[name], child)

    def items(self) -> Any:
        if self.chances is None:  # the common case, without a call in between
            return ((name, _node(self.state.child(action))) for name, action in self.names.items())
        return ((name, self[name]) for name in self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def _node(state: Any) -> TreeNode:
    player = state.current_player()
    if player < 0 and state.is_terminal():
        terminal = _terminal(tuple(state.returns()))
        return terminal or TerminalNode(tuple(_meant(state, amount, "payoff") for amount in state.returns()))
    if player < 0:  # chance, as the moves are one at a time
        found, names = dict(state.chance_outcomes()), action_names(state)
        distribution = {name: found[action] for name, action in names.items()}
        chances = probabilities_meant(f"{state.get_game()}, {_history(state)}", distribution)
        return ChanceNode(_Children(state, names, chances))
    return DecisionNode(player, state.information_state_string(player), _Children(state, action_names(state)))


@lru_cache(maxsize=100_000)
def _terminal(returns: tuple[float, ...]) -> TerminalNode | None:
    """The end of a game that pays this, the same node each time, which is read quicker; None if a number means no fraction."""
    meant = [found for amount in returns if (found := fraction_meant(amount)) is not None]
    return TerminalNode(tuple(meant)) if len(meant) == len(returns) else None


def action_names(state: Any) -> dict[str, int]:
    """Return {name: action id} of the legal actions in a state of OpenSpiel."""
    actions = state.legal_actions()
    names = unique_names([state.action_to_string(action) for action in actions])
    return dict(zip(names, actions, strict=True))


def _meant(state: Any, number: float, what: str) -> Fraction:
    found = fraction_meant(number)
    if found is None:
        raise ValueError(
            f"{state.get_game()}, {_history(state)}: the {what} {number!r} is not near a fraction with a denominator up to "
            f"{MOST_DENOMINATOR:,}; write the game with fractions, as a Gambit file or with the nodes of relance.model"
        )
    return found


def _history(state: Any) -> str:
    past = ", ".join(map(str, state.history()))
    return f"after the actions {past}" if past else "at the start"


def tree_of_openspiel(game: Any, most: int = MOST_HISTORIES, tick: OnRead = unwatched) -> GameTree:
    """Read a game of OpenSpiel as a game tree; simultaneous moves are taken in turn, unseen by the other players.

    Raises:
        ValueError: chance is sampled, players' information is not given, a number is not near a fraction, recall is
            not perfect, or there are more than `most` histories. The message names the place and a remedy.
    """
    kind, kinds = game.get_type(), pyspiel.GameType
    if kind.dynamics == kinds.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
        kind = game.get_type()
    if kind.dynamics != kinds.Dynamics.SEQUENTIAL:
        raise ValueError(f"{game} is a mean-field game, which has no finite tree; a sequential game is needed")
    if kind.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
        raise ValueError(
            f"{game} samples its chance and does not tell the probabilities, so it cannot be solved exactly"
        )
    if not kind.provides_information_state_string:
        raise ValueError(f"{game} has no information_state_string, so its information sets are not known")
    _check_size(game, most)
    return GameTree(
        _node(game.new_initial_state()),
        str(game),
        max_histories=most,
        source=game,
        reader=profile_of_openspiel,
        numbers=_action_numbers,
        tick=tick,
    )


def _check_size(game: Any, most: int) -> None:
    """Refuse a game that is far too large, before it is read.

    Going down at random and multiplying the numbers of actions gives the number of terminal nodes on average (Knuth 1975, Estimating the
    efficiency of backtrack programs). So a mean is `SURE` times too large in at most one case of `SURE`, and the median of `PROBES` means
    in less than one of 80,000. Games of which no single probe comes near are not probed further.
    """
    draw = random.Random(0)

    def probe() -> int:
        state, size = game.new_initial_state(), 1
        while (actions := state.legal_actions()) and size <= most * 10**6:
            size *= len(actions)
            state.apply_action(draw.choice(actions))
        return size

    for probes in (1, 100):
        means = [fmean(probe() for _ in range(probes)) for _ in range(PROBES)]
        if median(means) > most * SURE:
            raise ValueError(
                f"{game} has far more than {most:,} histories, {median(means):.0e} by a rough count; take a smaller game, or allow more by "
                "max_histories=..."
            )
        if max(means) * 100 < most:
            return


def profile_of_openspiel(tree: GameTree, policy: Any) -> TreeProfile:
    """Return a policy of OpenSpiel, in Python or C++, as a profile in fractions.

    Floats such as .333... become fractions such as 1/3 if these sum to 1 at an information set; else each float is divided by their sum.

    Raises:
        ValueError: the tree was not read from OpenSpiel, or the policy gives no probabilities at an information set of the tree.
    """
    if not hasattr(policy, "action_probabilities"):
        raise TypeError(
            f"{short(policy)} must be a table {{information set: {{action: probability}}}} or a policy of OpenSpiel"
        )
    table: dict[str, dict[str, Fraction]] = {}
    for name, state in _states(tree):
        try:
            told = dict(policy.action_probabilities(state))
        except (pyspiel.SpielError, KeyError, IndexError) as error:
            raise ValueError(f"the policy does not fit {tree}: at {name!r}: {error}") from error
        names = action_names(state)
        for action, p in told.items():
            if p and action not in names.values():
                raise ValueError(f"at {name!r} the policy plays the illegal action {action} with probability {p}")
        table[name] = probabilities_meant(repr(name), {text: told.get(action, 0.0) for text, action in names.items()})
    return tree.profile(table)


def policy_on_openspiel(tree: GameTree, profile: TreeProfile) -> Any:
    """Return a profile as a `pyspiel.TabularPolicy` on the game of OpenSpiel that the tree was read from.

    Raises:
        ValueError: the tree was not read from OpenSpiel, or two players' information states have one name.
    """
    table = {}
    for name, state in _states(tree):
        key, distribution = state.information_state_string(), profile[name]
        if key in table:
            raise ValueError(f"OpenSpiel's tables cannot hold {tree}: both players have the information state {key!r}")
        table[key] = [(action, float(distribution[text])) for text, action in action_names(state).items()]
    return pyspiel.TabularPolicy(table)


def _action_numbers(tree: GameTree) -> dict[str, list[int]]:
    return {name: [*action_names(state).values()] for name, state in _states(tree)}


def _states(tree: GameTree) -> Iterator[tuple[str, Any]]:
    """The first state of each information set, with its name in the tree."""
    if not isinstance(tree.source, pyspiel.Game):
        raise ValueError(f"{tree} was not read from OpenSpiel, so policies of OpenSpiel do not fit it")
    seen: set[str] = set()
    stack = [tree.source.new_initial_state()]
    while stack:
        state = stack.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            player = state.current_player()
            name = tree.name_of(player, state.information_state_string(player))
            if name not in seen:
                seen.add(name)
                yield name, state
        stack += [state.child(action) for action in reversed(state.legal_actions())]
