"""Players as strategies: by name, as a profile or a trained agent, or as a mixture of these.

A player is one of:

- a name in `OPPONENTS`, with arguments as in Python, which may be names too: "perturbed(0.1, published(alpha=1/3))"
- the result of `opponent`, which takes any objects as arguments: `opponent("best_response", agent)`
- a Profile; or a Strategy or BestResponse of the seat that it plays
- a trained agent or a function, as `relance.play.readers` reads it
- a tuple of two players, one per seat
- a mixture: a list of players or of (player, weight), or a dict {player: weight}; one of them is drawn for each episode

Nobody sees which player of a mixture was drawn, so a mixture is turned into a single strategy that plays the same (Kuhn 1953); see
`relance.play.mixture`.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from inspect import signature
from typing import Any, Literal, NamedTuple, TypeAlias

from relance.model.arguments import checked
from relance.model.arrays import is_float
from relance.model.game import Game
from relance.model.numbers import FieldElement, did_you_mean, exact, short
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile, Strategy
from relance.model.tree import Decision, Leaf
from relance.play.call_syntax import Call, parse_call
from relance.play.equilibria import solved
from relance.play.mixture import mixed_strategy
from relance.play.readers import Illegal, read, reader_of
from relance.solvers.exact import BestResponse, best_response

Mode: TypeAlias = Literal["sample", "argmax"]

Player: TypeAlias = object
"""A player of a seat; see the module docstring. Agents of different frameworks share no type, so this is any object until it is read."""

FINE = 2000
"""On grids with more cells than this, published strategies are averaged in floats; with Fractions that would take seconds or longer."""


@checked
def strategy(game: Game, player: Player, seat: int, mode: Mode = "sample", illegal: Illegal = "error") -> Strategy:
    """The strategy that `player` plays in `seat`.

    On a grid, strategies on [0, 1] are first averaged over its cells: "perturbed" then errs at each decision of a player who knows
    only the cell. On [0, 1], agents play constant on cells, as `reading.read` says.

    Args:
        game: the game.
        player: see the module docstring.
        seat: 0 or 1.
        mode: "sample" keeps the probabilities; "argmax" always takes the most probable action of each information set.
        illegal: as for `reading.read`.

    Raises:
        ValueError: for unknown names and arguments, strategies of another game or seat, and wherever `reading.read` raises it.
        TypeError: for anything that is not a player.
    """
    player = in_seat(player, seat)
    if isinstance(player, (list, Mapping)):
        return mixture(game, player, seat, mode, illegal)
    played = _alone(game, player, seat, illegal)
    if mode == "sample":
        return played
    return Strategy(seat, {name: tuple(game.deal.pick_best(rows)) for name, rows in played.at.items()})


def in_seat(player: Player, seat: int) -> Player:
    """The member of a pair that plays `seat`; anything else unchanged. A list of agents that each play one seat is a pair too."""
    if isinstance(player, list) and player and all((r := reader_of(one)) and r.one_seat for one in player):
        player = tuple(player)
    if not isinstance(player, tuple):
        return player
    if len(player) != 2:
        raise ValueError(f"a pair has an agent for each of the two seats, not {len(player)}")
    return player[seat]


def _alone(game: Game, player: Player, seat: int, illegal: Illegal) -> Strategy:
    """The strategy of a player who is neither a pair nor a mixture."""
    match player:
        case str():
            return _named(game, parse_call(player), seat)
        case Call():
            return _named(game, player, seat)
        case BestResponse(strategy=own) | (Strategy() as own):
            return _of_strategy(game, own, seat)
        case Profile():
            return _of_profile(game, player, seat)
    return read(game, player, seat, illegal)


def _of_strategy(game: Game, own: Strategy, seat: int) -> Strategy:
    if own.player != seat:
        raise ValueError(f"this is a strategy of player {own.player}, not of player {seat}")
    on = game.whole if any(isinstance(rows[0], Piecewise) for rows in own.at.values()) else game
    return _of_profile(game, on.uniform().replace(own), seat)


def _of_profile(game: Game, profile: Profile, seat: int) -> Strategy:
    """The strategy of `seat` in a profile, averaged over the cells of `game` if the profile is on [0, 1] and the game was cut."""
    if game.cuts is None or not any(isinstance(profile[name][0], Piecewise) for name in profile.nodes()):
        game.check(profile)
        return profile.strategies[seat]
    game.whole.check(profile)
    return game.fit_strategy(profile.strategies[seat], floats=True)


# Mixtures


def mixture(
    game: Game,
    parts: Sequence[Player] | Mapping[Player, Player],
    seat: int,
    mode: Mode = "sample",
    illegal: Illegal = "error",
) -> Strategy:
    """The strategy of a mixture, of which one part is drawn for each episode; see the module docstring.

    Raises:
        ValueError: a weight is below 0, all weights are 0, or `strategy` raises it for a part.
    """
    entries = list(parts.items()) if isinstance(parts, Mapping) else [_weighted(part) for part in parts]
    weights = [exact(weight, "a mixture's weight") for _, weight in entries]
    if not all(weight >= 0 for weight in weights) or not sum(weights) > 0:
        listed = ", ".join(map(short, weights)) or "none given"
        raise ValueError(f"the weights of a mixture must be at least 0, and not all 0: {listed}")
    return mixed_strategy(game, [strategy(game, part, seat, mode, illegal) for part, _ in entries], weights)


def _weighted(part: Player) -> tuple[Player, Player]:
    """A member of a list as (player, weight); the weight may be written as a number or text, and is 1 for a player alone."""
    match part:
        case tuple((player, numbers.Number() | FieldElement() as weight)):
            return player, weight
        case tuple((player, str() as text)):
            with suppress(ValueError):  # not a number: the text names a player, and the two are a pair
                return player, exact(text)
    return part, 1


# Names and their arguments


@checked
def opponent(name: str, *positional: Player, **keywords: Player) -> Call:
    """A named opponent with any objects as arguments: `opponent("best_response", model)`, `opponent("perturbed", "1/10", profile)`.

    Raises:
        ValueError: for an unknown name, or arguments that it does not take.
    """
    call = Call(name, list(positional), keywords)
    _player_of(call)
    return call


class Named(NamedTuple):
    """A named opponent.

    Attributes:
        usage: its name with example arguments.
        doc: what it does.
        play: takes a game, a seat and the arguments; returns its strategy.
    """

    usage: str
    doc: str
    play: Callable[..., Strategy]


OPPONENTS: dict[str, Named] = {}
"""The opponents by name."""


def _opponent(usage: str, doc: str) -> Callable[[Callable[..., Strategy]], Callable[..., Strategy]]:
    def add(play: Callable[..., Strategy]) -> Callable[..., Strategy]:
        OPPONENTS[usage.partition("(")[0]] = Named(usage, doc, play)
        return play

    return add


def _known(name: str) -> Named:
    if name not in OPPONENTS:
        raise ValueError(f"there is no opponent {name!r}" + did_you_mean(name, OPPONENTS))
    return OPPONENTS[name]


def _player_of(call: Call) -> Callable[..., Strategy]:
    """Return the opponent of this name, if it takes these arguments."""
    play = _known(call.name).play
    try:
        signature(play).bind(None, 0, *call.positional, **call.keywords)
    except TypeError as error:
        arguments = ", ".join(list(signature(play).parameters)[2:]) or "no arguments"
        raise ValueError(f"opponent {call.name!r} takes {arguments}, each once: {error}") from None
    return play


def _named(game: Game, call: Call, seat: int) -> Strategy:
    return _player_of(call)(game, seat, *call.positional, **call.keywords)


@_opponent("published(alpha=1/3)", "the printed strategies, the member of the family; also as_printed=true")
def _published(game: Game, seat: int, as_printed: bool = False, **family: object) -> Strategy:
    if game.hands and game.hands > FINE:
        return game.fit_strategy(game.whole.published(as_printed, **family).strategies[seat], floats=True)
    return game.published(as_printed, **family).strategies[seat]


@_opponent("equilibrium", "the printed strategies; where none are printed, an equilibrium that is solved once and kept")
def _equilibrium(game: Game, seat: int) -> Strategy:
    return _published(game, seat) if game.is_published else solved(game).strategies[seat]


@_opponent("uniform", "all legal actions equally likely")
def _uniform(game: Game, seat: int) -> Strategy:
    return game.uniform().strategies[seat]


@_opponent(
    "best_response(uniform)", "a pure best response to the other's half of the player named; by default equilibrium"
)
def _best_response(game: Game, seat: int, to: Player = "equilibrium") -> Strategy:
    profile = game.uniform().replace(strategy(game, to, 1 - seat))
    fine = game.deal.size(seat) > FINE
    return best_response(game, profile.as_float() if fine else profile, seat).strategy


@_opponent(
    "perturbed(0.1, equilibrium)", "the second with probability 0.9 at each decision, else all actions equally likely"
)
def _perturbed(game: Game, seat: int, epsilon: object = Fraction(1, 10), of: Player = "equilibrium") -> Strategy:
    share = exact(epsilon, "epsilon")
    if not 0 <= share <= 1:
        raise ValueError(f"epsilon={short(share)} of opponent 'perturbed' must be between 0 and 1")
    at = {}
    for name, rows in strategy(game, of, seat).at.items():
        error = float(share) if any(map(is_float, rows)) else share
        at[name] = tuple(row * (1 - error) + error / len(rows) for row in rows)
    return Strategy(seat, at)


def _pure(game: Game, seat: int, choose: Callable[[Decision], str]) -> Strategy:
    return game.profile(
        {name: {a: int(a == choose(node)) for a in node.actions} for name, node in game.tree.decisions.items()}
    ).strategies[seat]


def _calm(node: Decision) -> str:
    """The first action that does not end the game without a showdown: a check or a call."""
    ends = (isinstance(child, Leaf) and child.stake == 0 for child in node.children)
    return next(action for action, gives_up in zip(node.actions, ends, strict=True) if not gives_up)


@_opponent("super_bluffer", "the same as aggressive")
@_opponent("aggressive", "bets and raises the most it can, and calls the last bet (Cutler 1975, Section 5)")
def _aggressive(game: Game, seat: int) -> Strategy:
    return _pure(game, seat, lambda node: node.actions[-1])


@_opponent("passive", "checks, and folds to any bet")
def _passive(game: Game, seat: int) -> Strategy:
    return _pure(game, seat, lambda node: node.actions[0])


@_opponent("caller", "never folds, never bets, never raises more than it must")
def _caller(game: Game, seat: int) -> Strategy:
    return _pure(game, seat, _calm)


@_opponent(
    "superconservative(call=0.514)",
    "calls with a hand from `call` on, folds otherwise, never bets or raises (Cutler 1975, Section 5)",
)
def _superconservative(game: Game, seat: int, call: object = Fraction(514, 1000)) -> Strategy:
    threshold = exact(call, "call")
    if not 0 <= threshold <= 1:
        raise ValueError(f"call={short(threshold)} of opponent 'superconservative' must be between 0 and 1")
    if not game.deal.on_interval:
        raise ValueError(f"opponent 'superconservative' needs hands on [0, 1], which {game} does not have")
    plan: dict[str, dict[str, Any]] = {}
    for name, node in game.tree.decisions.items():
        first, calm = node.actions[0], _calm(node)
        calls = 1 if calm == first else [(threshold, 1)]
        plan[name] = {a: 0 for a in node.actions if a not in (calm, first)} | {calm: calls}
    return game.fit_plan(plan).strategies[seat]


@_opponent("mixture(published, uniform)", "one of them for each episode, equally likely")
def _mixture(game: Game, seat: int, *parts: Player) -> Strategy:
    return mixture(game, parts, seat)


@_opponent("renormalised(agent)", "an agent that gives illegal actions some probability, without them")
def _renormalised(game: Game, seat: int, agent: Player) -> Strategy:
    return strategy(game, agent, seat, illegal="renormalise")
