"""Turns any agent (a name, a profile, a network, a function, ...) into the strategy that it plays in a seat.

`strategy` lists all kinds of agents, also called players. A mixture of players becomes one behaviour strategy with the same play (Kuhn
1953); see `relance.play.mixture`. A network, a function or an agent of a framework is asked once for its action probabilities at each
information set of the seat, from the observations of `relance.play.rules`. Each framework's adapter adds a `Reader` with `read_with`.
"""

from __future__ import annotations

import numbers
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from types import FunctionType, MethodType
from typing import Any, Literal, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from relance.envs.catalogue import read_profile
from relance.model.arguments import checked
from relance.model.arrays import Floats, Ints, host
from relance.model.game import Game
from relance.model.limits import check_memory
from relance.model.numbers import FieldElement, exact, short
from relance.model.piecewise import Piecewise
from relance.model.profile_file import strategy_path
from relance.model.strategy import Profile, Strategy
from relance.model.strategy_tables import is_table, profile_of_table, solution_of
from relance.play.board import Sight, compile_sight, see, show_hands, without_hands
from relance.play.call_syntax import Call, parse_call
from relance.play.equilibria import solved
from relance.play.mixture import mixed_strategy
from relance.play.networks import Masks, Observations, probabilities
from relance.play.opponents import Player, named_strategy
from relance.play.refinement import in_cells
from relance.play.rules import check_per_node, rules
from relance.solvers.exact import BestResponse

Answer: TypeAlias = Callable[[Observations, Masks], Any]
"""A function of N observations (N, K) and masks of A actions (N, A) that returns probabilities (N, A) or action ids (N,)."""

Mode: TypeAlias = Literal["sample", "argmax"]
Illegal: TypeAlias = Literal["error", "renormalise"]

ROUNDING = 1e-5
"""How far the sum of an agent's float probabilities may be from 1, and how much illegal actions may have in all."""

ROWS = 2**14
"""About how many information sets an agent is asked about in one call."""

IMPOSSIBLE = 1e-12
"""A hand counts as impossible if its probability is at most this times that of the likeliest hand after the same events."""

AGAIN = 64
"""A function is asked for this many answers twice, to check that they are not drawn at random."""

ESTIMATE = "estimate it from drawn answers: relance.words.score(game, agent, answers=100), or `relance ask` on the command line"
"""The advice in error messages about an agent whose action probabilities are not known."""


@checked
def strategy(game: Game, player: Player, seat: int, mode: Mode = "sample", illegal: Illegal = "error") -> Strategy:
    """Return the strategy that `player` plays in `seat`.

    A player, or agent, is one of:

    - a name in `relance.play.OPPONENTS`, with arguments as in Python, which may be names too:
      "perturbed(0.1, published(alpha=1/3))"
    - the result of `relance.play.opponent`, which takes any objects as arguments: `opponent("best_response", agent)`
    - a Profile; or a Strategy or BestResponse of the seat that it plays
    - a function (observations, masks) -> probabilities or action ids, a torch network, or an agent of a framework (see `read_with`)
    - a tuple of two players, one per seat
    - a table {information set: {action or its number: probability}}, or with arrays of probabilities: see `relance.model.strategy_tables`
    - a mixture: a list of players or of (player, weight), or a dict {player: weight}; one of them is drawn for each episode

    If the game is a grid (its hands are cells of [0, 1]), a strategy on [0, 1] is averaged over each cell. If its hands are on [0, 1],
    a function, network or agent of a framework plays all hands of each of `limits.CELLS` cells alike, in floats.

    Args:
        game: the game.
        player: one of the above.
        seat: 0 or 1, the player whose strategy is wanted.
        mode: "sample" keeps the probabilities; "argmax" always takes the most probable action of each information set.
        illegal: "error" refuses probability on illegal actions, "renormalise" drops it and scales up the rest.

    Raises:
        ValueError: for unknown names and arguments, strategies of another game or seat, NaN, wrong shapes, probabilities that are
            negative or do not sum to 1, and illegal actions (naming node and hand).
        TypeError: for anything that is not a player.
    """
    player = solution_of(in_seat(player, seat))
    if is_of_both(player):
        player = profile_of(game, player)
    if isinstance(player, (list, Mapping)) and not is_table(player):
        return _mixture(game, player, seat, mode, illegal)
    played = _alone(game, player, seat, illegal)
    if mode == "sample":
        return played
    check_per_node(game, "agents who take their most probable action")
    return Strategy(seat, {name: tuple(game.deal.pick_best(rows)) for name, rows in played.at.items()})


def profile_of(game: Game, given: Player) -> Profile:
    """Return the profile (one strategy for each seat) of an agent that plays both seats, or of a pair of agents.

    Args:
        game: the game.
        given: a profile's file, "solved", a table {information set: {action or its number: probability}}, or what `strategy` reads.

    Raises:
        ValueError, TypeError: see `strategy`.
    """
    given = solution_of(given)
    if is_of_both(given):
        given = from_text(game, given)
    if is_table(given):
        return profile_of_table(game, given)
    return given if isinstance(given, Profile) else game.together(strategy(game, given, 0), strategy(game, given, 1))


def from_text(game: Game, text: str | os.PathLike[str], solve: Callable[[Game], Profile] = solved) -> Player:
    """Return the player that a text or path names, to pass to `strategy`. Unsafe for a stranger's text, which could run any module.

    Args:
        game: the game.
        text: "solved"; the path of a profile's file, as `relance solve -o` writes it; the import path module:name of any player; or a named
            opponent, with arguments.
        solve: finds an equilibrium of the game, for "solved", and for "equilibrium" if no strategy is published.

    Raises:
        ValueError: there is no such player, the profile is of another game, or no strategy is published for this game.
    """
    if text == "solved" or (text == "equilibrium" and not game.is_published):
        return solve(game)
    if (path := strategy_path(text)) is not None:
        played, profile = read_profile(path, game)
        if played not in (game, game.whole):
            raise ValueError(f"{text} is a profile of {played}, not of {game}")
        return profile if played == game else game.fit(profile)
    text = str(text)
    if is_import_path(text):
        module, _, name = text.partition(":")
        try:
            return getattr(import_module(module), name)
        except (ModuleNotFoundError, AttributeError, TypeError) as error:
            raise ValueError(f"there is no player {text!r}: {error}") from None
    if not game.is_published:  # checked before anything is solved
        try:
            strategy(game, text, 0)
        except ValueError as error:
            hint = "; try 'equilibrium', which is then solved first, or 'uniform', all actions equally likely"
            raise ValueError(f"{error}{hint * str(error).startswith('no strategy is published')}") from None
    return text


def by_name(text: str) -> Player:
    """Return the player that a stranger's text (in a log or request) names, to pass to `strategy`. Safe: no file is opened.

    Raises:
        ValueError: the text is neither "solved" nor a name, perhaps with arguments.
    """
    return text if text == "solved" else parse_call(text)


def is_of_both(given: object) -> TypeGuard[str | os.PathLike[str]]:
    """True if one object gives the play of both seats: the path of a profile's file, or the text "solved"."""
    return strategy_path(given) is not None or (isinstance(given, str) and given == "solved")


def is_import_path(text: str) -> bool:
    """True if the text is an import path, module:name."""
    module, colon, _ = text.partition(":")
    return bool(colon) and "(" not in module


def in_seat(player: Player, seat: int) -> Player:
    """Return the agent of a pair that plays `seat`; return any other player unchanged. A list of one-seat agents counts as a pair."""
    if isinstance(player, list) and player and all((r := reader_of(one)) and r.one_seat for one in player):
        player = tuple(player)
    if not isinstance(player, tuple):
        return player
    if len(player) != 2:
        raise ValueError(f"a pair has an agent for each of the two seats, not {len(player)} agents")
    return player[seat]


def _alone(game: Game, player: Player, seat: int, illegal: Illegal) -> Strategy:
    """The strategy of a player who is neither a pair nor a mixture."""
    if is_table(player):
        return profile_of_table(game, player).strategies[seat]
    match player:
        case str():
            return named_strategy(parse_call(player), game, seat, strategy)
        case Call():
            return named_strategy(player, game, seat, strategy)
        case BestResponse(strategy=own) | (Strategy() as own):
            return _of_strategy(game, own, seat)
        case Profile():
            return _of_profile(game, player, seat)
    return _asked(game, player, seat, illegal)


def _of_strategy(game: Game, own: Strategy, seat: int) -> Strategy:
    if own.player != seat:
        raise ValueError(f"the agent in seat {seat} is a strategy of player {own.player}, not of player {seat}")
    on = game.whole if any(isinstance(row, Piecewise) for row in own.rows()) else game
    return _of_profile(game, on.uniform().replace(own), seat)


def _of_profile(game: Game, profile: Profile, seat: int) -> Strategy:
    """The strategy of `seat` in a profile, averaged over the cells of `game` if the profile is on [0, 1] and the game was cut."""
    if game.cuts is None or not any(isinstance(profile[name][0], Piecewise) for name in profile.nodes()):
        game.check(profile)
        return profile.strategies[seat]
    game.whole.check(profile)
    return game.fit_strategy(profile.strategies[seat], floats=True)


# Mixtures


def _mixture(
    game: Game, parts: Sequence[Player] | Mapping[Player, Player], seat: int, mode: Mode, illegal: Illegal
) -> Strategy:
    """The strategy of a mixture, of which one part is drawn for each episode; see the top of this file.

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


# Agents that are asked


@dataclass(frozen=True)
class Reader:
    """How to recognise agents of one kind, such as the models of a framework, and to ask them for action probabilities.

    Attributes:
        kind: what an agent of this kind is called in messages, such as "a Stable-Baselines3 model".
        reads: a function that returns True if an object is an agent of this kind.
        answer: a function of a game, an agent and a seat that returns the agent as a function (observations, masks) -> probabilities or
            action ids; ValueError for an agent of another game.
        one_seat: whether an agent of this kind plays only one seat, so that a list of two such agents is a pair.
        finite_hands: whether such an agent can only play games with finitely many hands.
        draws: whether such an agent answers with actions drawn at random, so that its strategy can only be estimated.
    """

    kind: str
    reads: Callable[[Any], bool]
    answer: Callable[[Game, Any, int], Answer]
    one_seat: bool = False
    finite_hands: bool = False
    draws: bool = False

    def check_hands(self, game: Game) -> None:
        """Raise ValueError if agents of this kind need finitely many hands, and the hands of the game are on [0, 1]."""
        if self.finite_hands and not game.deal.is_finite:
            raise ValueError(f"{self.kind} needs finitely many hands; use a grid, such as {game.name} with hands=9")


def _is_network(agent: object) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(agent, torch.nn.Module)


_READERS: list[Reader] = []
_NETWORK = Reader("a torch module", _is_network, lambda game, module, seat: partial(probabilities, module))
_FUNCTION = Reader("a function", callable, lambda game, function, seat: partial(_steady, function))


@checked
def read_with(*readers: Reader) -> None:
    """Add readers, each for one more kind of agent; if several recognise an agent, the reader added first is used."""
    _READERS.extend(readers)


def reader_of(agent: object) -> Reader | None:
    """Return the `Reader` for an agent of a framework, a torch network or a function; None for any other object."""
    if isinstance(agent, (str, type)):
        return None
    if isinstance(agent, (FunctionType, MethodType)):  # no framework has such agents
        return _FUNCTION
    return next((reader for reader in (*_READERS, _NETWORK, _FUNCTION) if reader.reads(agent)), None)


def is_function(agent: object) -> TypeGuard[Answer]:
    """True if an agent is a plain function of observations and masks: neither a class nor an agent of a framework."""
    return reader_of(agent) is _FUNCTION


def is_drawn(agent: object) -> bool:
    """True if an agent may draw its actions at random: a function, or an agent whose `Reader` has `draws`."""
    reader = reader_of(agent)
    return reader is not None and (reader is _FUNCTION or reader.draws)


def no_agent(agent: object) -> TypeError:
    """Return the error for an object that is not an agent; its message says what an agent may be."""
    kinds = ", ".join(reader.kind for reader in (_NETWORK, *_READERS))
    return TypeError(
        f"{type(agent).__name__} {short(agent)} is not an agent; an agent is {kinds}, a Profile, the name of an opponent, a callable "
        "(observations, masks) -> probabilities or action ids, or a pair or a mixture of these"
    )


def _steady(function: Answer, seen: Observations, masks: Masks) -> npt.NDArray[Any]:
    """The answer of a function; ValueError if it answers differently when asked again, since its probabilities are then unknown."""
    few = slice(0, AGAIN)
    saved = seen[few].copy(), masks[few].copy()  # a function may write into what it is given
    first = as_array(function(np.require(seen, requirements="W"), masks))
    if first.shape[:1] != (len(seen),) or first.dtype.kind not in "fiub":
        return first  # wrong shape or type: `legal_probabilities` raises the error
    for _ in range(-(-AGAIN // len(seen))):
        again = as_array(function(saved[0].copy(), saved[1].copy()))
        if again.shape != first[few].shape or not np.allclose(first[few], again, atol=1e-4, equal_nan=True):
            raise ValueError(
                "the agent answers the same observations differently when it is asked again; give a function that returns action "
                f"probabilities, (observations, actions), or give the model itself, or {ESTIMATE}"
            )
    return first


def as_array(answer: object) -> npt.NDArray[Any]:
    """Return an agent's answer as a numpy array; a tensor is copied from its device."""
    try:
        return np.asarray(host(answer) if hasattr(answer, "detach") else answer)
    except ValueError:
        raise ValueError(f"the agent answered {short(answer)}, whose rows must have the same length") from None


def _asked(game: Game, agent: object, seat: int, illegal: Illegal) -> Strategy:
    """The strategy of an agent that is asked, in floats; with hands on [0, 1] it is constant on cells."""
    if not game.deal.is_finite:
        cells = in_cells(game)
        return cells.strategy_on_interval(_asked(cells, agent, seat, illegal))
    reader = reader_of(agent)
    if reader is None:
        raise no_agent(agent)
    if reader.draws:
        raise ValueError(f"{reader.kind} draws its actions, so its probabilities are not known; {ESTIMATE}")
    answer = reader.answer(game, agent, seat)
    table, form, hands = game.tree.table, game.forms[seat], game.finite_deal().size(seat)
    nodes, out = np.flatnonzero(table.player == seat), np.empty((form.size, hands))
    for first in range(0, len(nodes), step := max(1, ROWS // hands)):
        part = slice(first, first + step)
        at, legal = nodes[part], table.legal_at(nodes[part])
        seen, rows = _some_questions(game, seat, at, part)
        masks, where = legal[rows // hands], lambda row, rows=rows, at=at: _where(game, seat, at, rows[row])
        plays = legal_probabilities(game, answer(seen, masks), masks, where, illegal)
        if len(rows) < len(at) * hands:  # a hand that cannot be dealt plays uniformly
            asked, plays = plays, np.repeat(legal / legal.sum(axis=1, keepdims=True), hands, axis=0)
            plays[rows] = asked
        row, action = np.nonzero(legal)  # actions ascend, as in slots
        slots = form.starts[part][row] + np.arange(len(row)) - np.searchsorted(row, row)
        out[slots] = plays.reshape(-1, hands, masks.shape[1])[row, :, action]
    return Strategy.of_array(game.tree, seat, out)


def _some_questions(game: Game, seat: int, nodes: Ints, part: slice) -> tuple[Observations, Ints]:
    """The observations at these nodes, which are a part of the seat's, and their rows among all nodes and hands.

    Those of a large tree are made when they are asked, and only of hands that can be dealt.
    """
    hands = game.deal.size(seat)
    if not game.tree.is_large:
        seen = questions(game, seat)[0][part.start * hands : part.stop * hands]
        return seen, np.arange(len(seen))
    sight, dealt = _dealt(game, seat)
    node, hand = np.nonzero(dealt[game.tree.table.case[nodes]])
    seen = without_hands(sight, seat, nodes)[node]
    show_hands(sight, seen, seat, hand)
    return seen, node * hands + hand


@lru_cache(maxsize=8)
def _dealt(game: Game, seat: int) -> tuple[Sight, Masks]:
    """What players see, and by case and hand whether a player can hold the hand."""
    deal = game.finite_deal().floats
    priors = np.array([deal.in_case(case).prior(seat) for case in game.tree.table.every_case])
    return compile_sight(rules(game)), priors > IMPOSSIBLE * priors.max(axis=1, keepdims=True)


def check_questions(game: Game, seat: int) -> None:
    """Raise ValueError if the observations of all information sets of `seat` do not fit into memory."""
    sets = len(game.tree.of(seat)) * game.deal.size(seat)
    needed = sets * (4 * rules(game).size + 40 + 9 * len(game.actions))
    if needed > 2**20:  # less fits everywhere
        what = f"asking an agent of {game} at all {sets:,} information sets of player {seat}"
        check_memory(needed, what, instead="take fewer hands")


@lru_cache(maxsize=8)
def questions(game: Game, seat: int) -> tuple[Observations, Masks]:
    """Return observations (N, K) and masks (N, A) of all N information sets of `seat`: nodes depth first, then hands ascending."""
    table, hands = game.tree.table, game.finite_deal().size(seat)
    nodes = np.flatnonzero(table.player == seat)
    check_questions(game, seat)
    node, hand = np.repeat(nodes, hands), np.tile(np.arange(hands), len(nodes))
    seen, masks = see(compile_sight(rules(game)), np.full(len(node), seat), node, hand), table.legal.take(node, axis=0)
    seen.flags.writeable = masks.flags.writeable = False
    return seen, masks


_CURE = "; with illegal='renormalise' relance.score drops illegal actions and scales up the rest"


def legal_probabilities(
    game: Game, answer: object, masks: Masks, where: Callable[[int], str], illegal: Illegal = "error"
) -> Floats:
    """Return an agent's answer as checked probabilities (N, A); `where` names a row in errors, and `illegal` is as in `strategy`."""
    given, (n, width) = as_array(answer), masks.shape
    if given.shape == (n,) and given.dtype.kind in "iu":
        wrong = (given < 0) | (given >= width)
        if wrong.any():
            row = int(wrong.argmax())
            raise ValueError(f"{where(row)}: the answer {given[row]} is not an action id; {rules(game).ids}")
        given = np.eye(width)[given]
    if given.shape != (n, width) or given.dtype.kind not in "fiub":
        raise ValueError(
            f"the agent answered {n} observations of {game} with {given.dtype} of shape {given.shape}; "
            f"probabilities of shape ({n}, {width}) or whole action ids of shape ({n},) are needed"
        )
    chance = given.astype(float)
    if not (chance.min(initial=0) >= -ROUNDING and chance.max(initial=0) < np.inf):  # NaN is neither
        row, action = np.argwhere(~np.isfinite(chance) | (chance < -ROUNDING))[0].tolist()
        what = f"the probability {chance[row, action]}; it must be between 0 and 1"
        raise ValueError(f"{where(row)}: the agent gives {game.actions[action]!r} {what}")
    chance = chance.clip(0.0)
    total = chance.sum(axis=1)
    strict = illegal == "error"
    off = (total > 1 + ROUNDING) | (strict & (total < 1 - ROUNDING))
    if off.any():
        row = int(off.argmax())
        cure = _CURE if total[row] < 1 else ""
        raise ValueError(f"{where(row)}: the agent's probabilities sum to {total[row]:g}, not to 1{cure}")
    legal = np.where(masks, chance, 0.0)
    left = legal.sum(axis=1)
    lost = (total - left > ROUNDING) if strict else left <= 0
    if lost.any():
        row = int(lost.argmax())
        action = int(np.where(masks[row], 0, chance[row]).argmax())
        allowed = ", ".join(name for name, fine in zip(game.actions, masks[row], strict=True) if fine)
        raise ValueError(
            f"{where(row)}: the agent gives the illegal action {game.actions[action]!r} the probability "
            f"{chance[row, action]:.4g}; legal: {allowed}{_CURE if strict else ''}"
        )
    normalised: Floats = legal / left[:, None]
    return normalised


def _where(game: Game, seat: int, nodes: Ints, row: int) -> str:
    labels = game.finite_deal().labels[seat]
    node, hand = divmod(row, len(labels))
    return f"{game.name}, node {game.tree.table.names[nodes[node]]!r}, hand {labels[hand]}"
