"""Opponents, and players in general, as strategies: by name, as a profile or a trained agent, or as a mixture of these.

Names take arguments as calls in python do, and may be nested:

    published(alpha=1/3)                  the printed strategies, the member of the family; also as_printed=true
    uniform                               all legal actions equally likely
    aggressive, super_bluffer             bets and raises the most it can, and calls the last bet (Cutler 1975, Section 5)
    passive                               checks, and folds to any bet
    caller                                never folds, never bets or raises more than it must
    superconservative(call=.514)          calls with a hand from `call` on, folds otherwise, never bets or raises (the same)
    perturbed(0.1, published)             the second with probability 0.9 at each decision, else all actions equally likely
    best_response(uniform)                a pure best response to the other's half of what is named; by default published
    mixture(published, uniform)           one of them for each episode, equally likely
    renormalised(...)                     an agent that gives probability to illegal actions, by what is left for legal ones

`relance.opponent("best_response", agent)` is the same for an agent, a profile or a strategy that has no name.

A list of opponents, or of (opponent, weight), or a dict {opponent: weight}, is a mixture: one is drawn for each episode. As nobody
sees which one it was, it is played as the one strategy that mixes at each node by what each would do there and how often it would have
come there itself, which deals out the same plays with the same probabilities (Kuhn 1953).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from inspect import signature
from numbers import Number
from typing import Any, Literal, TypeAlias

from relance.agents.floats import averaged, mix
from relance.agents.names import Call, parse
from relance.agents.reading import Illegal, read, reader_of
from relance.model.arrays import is_float
from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.laws import IntervalDeal
from relance.model.numbers import did_you_mean, exact, show
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile, Strategy
from relance.model.tree import Decision, Leaf
from relance.solvers.exact import BestResponse, best_response

FINE = 2000
"""On grids of more cells published strategies are averaged in floats; with Fractions that would take seconds and more."""


Mode: TypeAlias = Literal["sample", "argmax"]


def opponent(name: str, *given: Any, **named: Any) -> Call:
    """A named opponent with arguments that are objects: `opponent("best_response", model)`, `opponent("perturbed", "1/10", profile)`.

    Raises ValueError for an unknown name.
    """
    if name not in _NAMES:
        raise ValueError(f"there is no opponent {name!r}" + did_you_mean(name, _NAMES))
    return Call(name, list(given), named)


def strategy(game: Game, player: Any, seat: int, mode: Mode = "sample", illegal: Illegal = "error") -> Strategy:
    """What `player` plays in `seat`: a name, a Profile, an agent, a mixture, or a tuple of two of these, one per seat.

    A Strategy or BestResponse of this seat will do as well, and what `opponent` returns. Strategies on [0, 1] are averaged over the
    cells of a grid; agents in games on [0, 1] play by cells, as `relance.agents.reading.read` says. `mode` is "sample", or
    "argmax" for the most probable action at each information set. Raises ValueError or TypeError for unknown names and arguments,
    profiles and agents of another game, and as `read` does.
    """
    if mode not in ("sample", "argmax"):
        raise ValueError(f"mode={mode!r} must be 'sample' or 'argmax'")
    if illegal not in ("error", "renormalise"):
        raise ValueError(f"illegal={illegal!r} must be 'error' or 'renormalise'")
    if isinstance(player, list) and player and all((reader := reader_of(one)) and reader.one_seat for one in player):
        player = tuple(player)  # some frameworks keep their agents so, one per seat
    if isinstance(player, tuple):
        if len(player) != 2:
            raise ValueError(f"a pair has an agent for each of the two seats, not {len(player)}")
        return strategy(game, player[seat], seat, mode, illegal)
    if isinstance(player, (list, Mapping)):
        return mixture(game, player, seat, mode, illegal)
    found = _played(game, player, seat, illegal)
    if mode == "sample":
        return found
    return Strategy(seat, {name: tuple(game.deal.pick_best(rows)) for name, rows in found.at.items()})


def _played(game: Game, player: Any, seat: int, illegal: Illegal) -> Strategy:
    if isinstance(player, str):
        player = parse(player)
    if isinstance(player, Call):
        return _named(game, player, seat)
    if isinstance(player, BestResponse):
        player = player.strategy
    if isinstance(player, Strategy):
        if player.player != seat:
            raise ValueError(f"this is a strategy of player {player.player}, not of player {seat}")
        rows = next(iter(player.at.values()), ())
        whole = game.whole if any(isinstance(row, Piecewise) for row in rows) else game
        player = whole.uniform().replace(player)
    if isinstance(player, Profile):
        return _of_profile(game, player, seat)
    return read(game, player, seat, illegal)


def _of_profile(game: Game, profile: Profile, seat: int) -> Strategy:
    on_interval = any(isinstance(row, Piecewise) for node in profile.nodes() for row in profile[node])
    if game.cuts is None or not on_interval:
        game.check(profile)
        return profile.strategies[seat]
    game.whole.check(profile)
    return averaged(game, profile.strategies[seat])


# Names and their arguments


def _named(game: Game, call: Call, seat: int) -> Strategy:
    if call.name not in _NAMES:
        raise ValueError(f"there is no opponent {call.name!r}" + did_you_mean(call.name, _NAMES))
    made = _NAMES[call.name]
    try:
        signature(made).bind(game, seat, *call.given, **call.named)
    except TypeError as error:
        known = ", ".join(list(signature(made).parameters)[2:]) or "no arguments"
        raise ValueError(f"opponent {call.name!r} takes {known}, each once: {error}") from None
    found: Strategy = made(game, seat, *call.given, **call.named)
    return found


def _published(game: Game, seat: int, **given: Any) -> Strategy:
    if game.hands and game.hands > FINE:
        return averaged(game, game.whole.published(**given).strategies[seat])
    return game.published(**given).strategies[seat]


def _uniform(game: Game, seat: int) -> Strategy:
    return game.uniform().strategies[seat]


def _best_response(game: Game, seat: int, to: Any = "published") -> Strategy:
    profile = game.uniform().replace(strategy(game, to, 1 - seat))
    fine = isinstance(game.deal, FiniteDeal) and game.deal.size(seat) > FINE
    return best_response(game, profile.as_float() if fine else profile, seat).strategy


def _perturbed(game: Game, seat: int, epsilon: Any = Fraction(1, 10), of: Any = "published") -> Strategy:
    share = exact(epsilon, "epsilon")
    if not 0 <= share <= 1:
        raise ValueError(f"epsilon={show(share)} of opponent 'perturbed' must be from 0 to 1")
    base, at = strategy(game, of, seat), {}
    for name, rows in base.at.items():
        error = float(share) if any(map(is_float, rows)) else share
        at[name] = tuple(row * (1 - error) + error / len(rows) for row in rows)
    return Strategy(seat, at)


def _pure(game: Game, seat: int, choose: Callable[[Decision], str]) -> Strategy:
    return game.profile(
        {name: {a: int(a == choose(node)) for a in node.actions} for name, node in game.tree.decisions.items()}
    ).strategies[seat]


def _gives_up(node: Decision, action: str) -> bool:
    """Whether the action ends the game without a showdown."""
    child = node.child(action)
    return isinstance(child, Leaf) and child.stake == 0


def _aggressive(game: Game, seat: int) -> Strategy:
    return _pure(game, seat, lambda node: node.actions[-1])


def _passive(game: Game, seat: int) -> Strategy:
    return _pure(game, seat, lambda node: node.actions[0])


def _caller(game: Game, seat: int) -> Strategy:
    return _pure(game, seat, lambda node: next(a for a in node.actions if not _gives_up(node, a)))


def _superconservative(game: Game, seat: int, call: Any = Fraction(514, 1000)) -> Strategy:
    line = exact(call, "call")
    if not 0 <= line <= 1:
        raise ValueError(f"call={show(line)} of opponent 'superconservative' must be from 0 to 1")
    if game.cuts is None and not isinstance(game.deal, IntervalDeal):
        raise ValueError(f"opponent 'superconservative' needs hands on [0, 1], which {game} does not have")
    plan: dict[str, dict[str, Any]] = {}
    for name, node in game.tree.decisions.items():
        calm = next(a for a in node.actions if not _gives_up(node, a))
        first = node.actions[0]
        plan[name] = {a: 0 for a in node.actions if a not in (calm, first)} | {
            calm: 1 if calm == first else [(line, 1)]
        }
    return game.fit_plan(plan).strategies[seat]


def _renormalised(game: Game, seat: int, agent: Any) -> Strategy:
    return strategy(game, agent, seat, illegal="renormalise")


def _mixture(game: Game, seat: int, *parts: Any) -> Strategy:
    return mixture(game, list(parts), seat)


_NAMES: dict[str, Any] = {
    "published": _published,
    "uniform": _uniform,
    "best_response": _best_response,
    "perturbed": _perturbed,
    "aggressive": _aggressive,
    "super_bluffer": _aggressive,
    "passive": _passive,
    "caller": _caller,
    "superconservative": _superconservative,
    "mixture": _mixture,
    "renormalised": _renormalised,
}

NAMES: tuple[str, ...] = tuple(_NAMES)
"""The names of opponents, without their arguments."""


def mixture(
    game: Game, parts: Sequence[Any] | Mapping[Any, Any], seat: int, mode: Mode = "sample", illegal: Illegal = "error"
) -> Strategy:
    """One of `parts` for each episode, as a strategy; see the module's head. Raises ValueError for weights that are no weights."""
    entries = list(parts.items()) if isinstance(parts, Mapping) else [_weighted(part) for part in parts]
    weights = [exact(weight, "a mixture's weight") for _, weight in entries]
    if not all(weight >= 0 for weight in weights) or not sum(weights) > 0:
        raise ValueError(
            f"the weights of a mixture must be from 0, and not all 0: {', '.join(map(show, weights)) or 'none given'}"
        )
    return mix(game, [strategy(game, part, seat, mode, illegal) for part, _ in entries], weights)


def _weighted(part: Any) -> tuple[Any, Any]:
    """A member of a list: (opponent, weight), or an opponent alone, of weight 1."""
    pair = isinstance(part, tuple) and len(part) == 2
    number = pair and (
        isinstance(part[1], Number) or (isinstance(part[1], str) and part[1].strip()[:1] in "0123456789.+-")
    )
    return part if number else (part, 1)
