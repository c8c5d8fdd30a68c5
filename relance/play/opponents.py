"""The opponents that have a name, and the strategies that they play; `relance.play.strategy` says who else may play."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from inspect import signature
from typing import Any, NamedTuple, TypeAlias

from relance.model.arguments import checked
from relance.model.arrays import is_float
from relance.model.game import Game
from relance.model.numbers import did_you_mean, exact, short
from relance.model.strategy import Rows, Strategy
from relance.model.tree import Decision, Leaf
from relance.play.call_syntax import Call
from relance.play.equilibria import solved
from relance.play.rules import check_per_node
from relance.solvers.exact import best_response

Player: TypeAlias = object
"""Who plays a seat: any object that `relance.play.strategy` reads. These objects share no type."""

FINE = 2000
"""On grids with more cells than this, published strategies are averaged in floats; with Fractions that would take seconds or longer."""


class Chair(NamedTuple):
    """The game and the seat in which a named opponent plays, and `read`, a function that returns the strategy of a player.

    An opponent needs `read` if its arguments are players, as in best_response(uniform). `read` is called like `relance.play.strategy`.
    """

    game: Game
    seat: int
    read: Callable[..., Strategy]


class Named(NamedTuple):
    """A named opponent.

    Attributes:
        usage: the opponent's name with example arguments.
        doc: how the opponent plays.
        play: a function of a `Chair` and the arguments that returns the opponent's strategy.
    """

    usage: str
    doc: str
    play: Callable[..., Strategy]


OPPONENTS: dict[str, Named] = {}
"""The opponents that have a name, a dict from each name to a `Named`."""


@checked
def opponent(name: str, *positional: Player, **keywords: Player) -> Call:
    """Return an opponent by its name; its arguments may be players, as in `opponent("best_response", network)`.

    Raises:
        ValueError: there is no opponent of this name, or the opponent does not take these arguments.
    """
    call = Call(name, list(positional), keywords)
    _player_of(call)
    return call


def named_strategy(call: Call, game: Game, seat: int, read: Callable[..., Strategy]) -> Strategy:
    """Return the strategy of the opponent that `call` names; `read` turns players among the opponent's arguments into strategies."""
    return _player_of(call)(Chair(game, seat, read), *call.positional, **call.keywords)


def _player_of(call: Call) -> Callable[..., Strategy]:
    """Return the opponent of this name, if it takes these arguments."""
    if call.name not in OPPONENTS:
        raise ValueError(f"there is no opponent {call.name!r}" + did_you_mean(call.name, OPPONENTS))
    play = OPPONENTS[call.name].play
    try:
        signature(play).bind(None, *call.positional, **call.keywords)
    except TypeError as error:
        arguments = ", ".join(list(signature(play).parameters)[1:]) or "no arguments"
        raise ValueError(f"opponent {call.name!r} takes {arguments}, each once: {error}") from None
    return play


def _opponent(usage: str, doc: str) -> Callable[[Callable[..., Strategy]], Callable[..., Strategy]]:
    def add(play: Callable[..., Strategy]) -> Callable[..., Strategy]:
        OPPONENTS[usage.partition("(")[0]] = Named(usage, doc, play)
        return play

    return add


@_opponent(
    "published(alpha=1/3)",
    "the strategies that the paper prints; of a family, the member with this parameter; as_printed=true keeps misprints",
)
def _published(on: Chair, as_printed: bool = False, **family: object) -> Strategy:
    if on.game.hands and on.game.hands > FINE:
        return on.game.fit_strategy(on.game.whole.published(as_printed, **family).strategies[on.seat], floats=True)
    return on.game.published(as_printed, **family).strategies[on.seat]


@_opponent("equilibrium", "the printed strategies; where none are printed, an equilibrium that is solved once and kept")
def _equilibrium(on: Chair) -> Strategy:
    return _published(on) if on.game.is_published else solved(on.game).strategies[on.seat]


@_opponent("uniform", "all legal actions equally likely")
def _uniform(on: Chair) -> Strategy:
    return on.game.uniform().strategies[on.seat]


@_opponent(
    "best_response(uniform)", "a pure best response to the named player in the other seat; by default to equilibrium"
)
def _best_response(on: Chair, to: Player = "equilibrium") -> Strategy:
    profile = on.game.uniform().replace(on.read(on.game, to, 1 - on.seat))
    fine = on.game.deal.size(on.seat) > FINE
    return best_response(on.game, profile.as_float() if fine else profile, on.seat).strategy


@_opponent(
    "perturbed(0.1, equilibrium)", "the player with probability 0.9 at each decision, else all actions equally likely"
)
def _perturbed(on: Chair, epsilon: object = Fraction(1, 10), of: Player = "equilibrium") -> Strategy:
    share = exact(epsilon, "epsilon")
    if not 0 <= share <= 1:
        raise ValueError(f"epsilon={short(share)} of opponent 'perturbed' must be between 0 and 1")
    own, at = on.read(on.game, of, on.seat), {}
    if isinstance(own.at, Rows):
        errors = on.game.uniform().strategies[on.seat].map(lambda rows: rows * float(share))
        return own.map(lambda rows: rows * float(1 - share) + next(errors.rows()))
    for name, rows in own.at.items():
        error = float(share) if any(map(is_float, rows)) else share
        at[name] = tuple(row * (1 - error) + error / len(rows) for row in rows)
    return Strategy(on.seat, at)


def _pure(on: Chair, choose: Callable[[Decision], str]) -> Strategy:
    check_per_node(on.game, "opponents with rules of thumb")
    return on.game.profile(
        {name: {a: int(a == choose(node)) for a in node.actions} for name, node in on.game.tree.decisions.items()}
    ).strategies[on.seat]


def _calm(node: Decision) -> str:
    """The first action that does not end the game without a showdown: a check or a call."""
    ends = (isinstance(child, Leaf) and child.stake == 0 for child in node.children)
    return next(action for action, gives_up in zip(node.actions, ends, strict=True) if not gives_up)


@_opponent("super_bluffer", "the same as aggressive")
@_opponent("aggressive", "bets and raises the most it can, and calls the last bet (Cutler 1975, Section 5)")
def _aggressive(on: Chair) -> Strategy:
    return _pure(on, lambda node: node.actions[-1])


@_opponent("passive", "checks, and folds to any bet")
def _passive(on: Chair) -> Strategy:
    return _pure(on, lambda node: node.actions[0])


@_opponent("caller", "never folds, never bets, never raises more than it must")
def _caller(on: Chair) -> Strategy:
    return _pure(on, _calm)


@_opponent(
    "superconservative(call=0.514)",
    "calls with a hand from `call` on, folds otherwise, never bets or raises (Cutler 1975, Section 5)",
)
def _superconservative(on: Chair, call: object = Fraction(514, 1000)) -> Strategy:
    threshold = exact(call, "call")
    if not 0 <= threshold <= 1:
        raise ValueError(f"call={short(threshold)} of opponent 'superconservative' must be between 0 and 1")
    if not on.game.deal.on_interval:
        raise ValueError(f"opponent 'superconservative' needs hands on [0, 1], which {on.game} does not have")
    plan: dict[str, dict[str, Any]] = {}
    for name, node in on.game.tree.decisions.items():
        first, calm = node.actions[0], _calm(node)
        calls = 1 if calm == first else [(threshold, 1)]
        plan[name] = {a: 0 for a in node.actions if a not in (calm, first)} | {calm: calls}
    return on.game.fit_plan(plan).strategies[on.seat]


@_opponent("mixture(published, uniform)", "one of the named players for each episode, equally likely")
def _mixture(on: Chair, *parts: Player) -> Strategy:
    members: dict[object, tuple[Player, int]] = {}  # thousands of one name are one member
    for part in parts:
        plain = isinstance(part, Call) and not part.positional and not part.keywords
        key = part.name if isinstance(part, Call) and plain else id(part)
        members[key] = part, members.get(key, (part, 0))[1] + 1
    return on.read(on.game, list(members.values()), on.seat)


@_opponent("renormalised(agent)", "an agent that gives illegal actions some probability, without them")
def _renormalised(on: Chair, agent: Player) -> Strategy:
    return on.read(on.game, agent, on.seat, illegal="renormalise")
