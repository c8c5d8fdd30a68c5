"""Every game as an OpenSpiel Python game `relance_<name>`.

Chips are whole numbers here, because OpenSpiel's parameters are strictly typed. Only the ratio of bet to ante matters, so
`bet=3/2` becomes `ante=2, bet=3`. Hands on [0, 1] are cut into `hands` equal cells; see `usual_hands`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel

from relance.envs.catalogue import BLUEPRINTS
from relance.model.arguments import checked
from relance.model.blueprint import Blueprint
from relance.model.distributions import MOST_CARDS
from relance.model.game import Game, as_game, build
from relance.model.interval import DensityDeal
from relance.model.numbers import did_you_mean, fraction
from relance.model.tree import CHANCE, Case
from relance.play.rules import Rules, Vector, rules
from relance.play.table import Table
from relance.registration.openspiel_texts import PREFIX, load_openspiel

USUAL = 0
"""The value of `hands` that stands for `usual_hands`."""

INEXACT_HANDS = 36
"""The number of cells of [0, 1] if `hands` is not given and no grid that `Game.aligned` allows is exact."""


ROUNDING = 1e-12
"""A probability in floats of at most this share of the largest one counts as 0."""


def _game_type(spec: Blueprint) -> pyspiel.GameType:
    parameters = {name: parameter.plain(parameter.default) for name, parameter in spec.parameters.items()}
    if isinstance(build(spec).deal, DensityDeal):
        parameters["hands"] = USUAL
    kind = pyspiel.GameType
    return kind(
        short_name=PREFIX + spec.name,
        long_name=spec.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={**parameters, "players": 2},
    )


def usual_hands(game: Game) -> int:
    """Return how many equal cells [0, 1] has if `hands` is not given: the fewest for which each published threshold is a border of cells.

    Then the published strategy changes its action only between cells, so if its NashConv is 0 in `game`, its NashConv on the cells is 0.
    Without a published strategy, or if `Game.aligned` does not allow so many cells, the number is `INEXACT_HANDS`.
    """
    return (game.aligned().hands if game.is_published else None) or INEXACT_HANDS


class RelanceGame(pyspiel.Game):
    """Any Relance game with finitely many hands as an OpenSpiel game; `register_games` makes one subclass per game."""

    game_type: pyspiel.GameType
    blueprint: Blueprint

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters, game_type = dict(params or {}), self.game_type
        players = parameters.pop("players", 2)
        if players != 2:
            raise pyspiel.SpielError(f"{game_type.short_name} is for 2 players, not players={players}")
        defaults = {n: value for n, value in game_type.parameter_specification.items() if n not in ("players", "hands")}
        hands = parameters.pop("hands", USUAL)
        try:
            built = build(self.blueprint, **{**defaults, **parameters})
            if hands != USUAL or not built.deal.is_finite:
                built = built.grid(hands or usual_hands(built))
            if (most := max(built.deal.size(0), built.deal.size(1))) > MOST_CARDS:
                raise ValueError(
                    f"OpenSpiel lists every hand that chance may deal; a player has {most:,} hands, at most {MOST_CARDS:,} are allowed"
                )
            deal = built.finite_deal()
        except (ValueError, TypeError) as error:
            raise pyspiel.SpielError(f"{game_type.short_name}: {error}") from None
        self.rules = r = rules(built)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(r.actions),
            max_chance_outcomes=max(len(side) for side in (*deal.labels, r.events)),
            num_players=2,
            min_utility=-max(r.worst),
            max_utility=max(r.worst),
            utility_sum=0.0,
            max_game_length=r.game.tree.depth,
        )
        super().__init__(game_type, info, dict(params or {}))

    def __reduce__(self) -> tuple[object, ...]:
        return _load_text, (str(self), self.blueprint)

    def new_initial_state(self) -> RelanceState:
        return RelanceState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.rules, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def _load_text(text: str, blueprint: Blueprint) -> pyspiel.Game:
    """Load a pickled game."""
    _register(blueprint)
    return load_openspiel(text)


class RelanceState(pyspiel.State):
    """A state: the hands dealt so far, and a node of the betting tree, which may be a chance node."""

    def __init__(self, game: RelanceGame) -> None:
        super().__init__(game)
        self.table = Table(game.rules)

    def current_player(self) -> int:
        table = self.table
        if table.player >= 0:
            return table.player
        return int(pyspiel.PlayerId.TERMINAL if table.over else pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.rules.legal[self.table.node]

    def _chances(self) -> dict[int, float]:
        rules, hands = self.table.rules, self.table.hands
        if len(hands) == 2:
            return rules.event_chances(self.table.node, *hands)
        return rules.chances(hands[0] if hands else None)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(self._chances().items())

    def _apply_action(self, action: int) -> None:
        table = self.table
        if len(table.hands) == 2:
            try:
                (table.turn_up if table.player == CHANCE else table.act)(action)
            except ValueError as error:
                raise pyspiel.SpielError(str(error)) from None
            return
        possible = self._chances()
        if action not in possible:
            raise pyspiel.SpielError(f"hand id {action} cannot be dealt; the possible ids are {sorted(possible)}")
        table.give((*table.hands, int(action)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return " ".join(self._chance(action))
        return self.table.rules.actions[action]

    def _chance(self, action: int) -> tuple[str, str]:
        """Return what chance does, "deal" or "turn up", and the hand or the event."""
        rules, dealt = self.table.rules, len(self.table.hands)
        return ("turn up", rules.events[action]) if dealt == 2 else ("deal", rules.deal.label(dealt, action))

    def is_terminal(self) -> bool:
        return self.table.over

    def returns(self) -> list[float]:
        if not self.table.over:
            return [0.0, 0.0]
        chips = self.table.chips
        return [chips, -chips]

    def __str__(self) -> str:
        dealt = " ".join(self.table.label(player) for player in range(len(self.table.hands)))
        return f"{dealt} {self.table.rules.names[self.table.node]}".strip()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> RelanceState:
        """Return a state that looks the same to `player`: the other hand is drawn anew, given `player`'s hand. Python's ISMCTS calls this.

        Args:
            player: 0 or 1.
            sampler: gives numbers in [0, 1), such as `pyspiel.UniformProbabilitySampler(0.0, 1.0)`.
        """
        table, other = self.table, 1 - player
        hands, deal = list(table.hands), table.rules.deal
        if other < len(hands):
            known = deal.constant(player, 1)
            if player < len(hands):
                known = np.arange(deal.size(player)) == hands[player]
            chances = deal.in_case(Case(table.rules.game.tree.cases[table.rules.names[table.node]].events)).mass(
                other, known * 1.0
            )
            upto = np.cumsum(np.where(chances > ROUNDING * chances.max(), chances, 0.0))
            hands[other] = int(np.searchsorted(upto, sampler() * upto[-1], side="right"))
        state: RelanceState = self.get_game().new_initial_state()
        for action in (*hands, *table.rules.game.tree.table.path[table.node]):
            state.apply_action(action)
        return state

    # OpenSpiel's structs: plain dicts for `to_json`, `to_observation_struct` and `apply_action_struct`

    def _public(self) -> dict[str, Any]:
        """Return what everybody sees."""
        table, rules = self.table, self.table.rules
        past = [rules.actions[action] for action in rules.game.tree.table.past[table.node]]
        legal = [rules.actions[action] for action in rules.legal[table.node]] if table.player >= 0 else []
        events = {"events": list(rules.game.tree.cases[rules.names[table.node]].events)} if rules.events else {}
        return {
            "betting": past,
            **events,
            "current_player": self.current_player(),
            "legal_actions": legal,
            "returns": self.returns(),
        }

    def _to_struct(self) -> dict[str, Any]:
        """The whole state: both hands, those not yet dealt as None."""
        return {"hands": [self._held(player) for player in (0, 1)], **self._public()}

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        """Return what `player` sees; never the other's hand."""
        return {"player": player, "hand": self._held(player), **self._public()}

    def _held(self, player: int) -> str | None:
        return self.table.label(player) if player < len(self.table.hands) else None

    def _action_to_struct(self, player: int, action: int) -> dict[str, str]:
        """{"action": name}, or {"deal": hand} or {"turn up": event} for chance."""
        if player == pyspiel.PlayerId.CHANCE:
            return dict([self._chance(action)])
        return {"action": self.table.rules.actions[action]}

    def _struct_to_actions(self, struct: Mapping[str, str]) -> list[int]:
        """The legal action that a struct from `_action_to_struct` names; SpielError if it does not name one."""
        player = self.current_player()
        legal = self._chances() if self.is_chance_node() else self.legal_actions()
        named = {tuple(self._action_to_struct(player, action).items()): action for action in legal}
        if (key := tuple(struct.items())) not in named:
            raise pyspiel.SpielError(f"{dict(struct)} is not a legal action here; {dict(next(iter(named), ()))} is")
        return [named[key]]

    def hides_state_from_agents(self) -> bool:
        """True, because a serialised state holds the whole deal. Kaggle's environments then give agents only their observations."""
        return True


class Observer:
    """What a player sees of a state, for OpenSpiel's observation API. The named pieces in `dict` are views of the flat `tensor`."""

    def __init__(self, shared: Rules, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported; got {params}")
        self.rules = shared
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.public = kind.public_info
        visible = {"player": True, "hand": self.private, "betting": self.public, "events": self.public}
        sizes = [math.prod(piece.shape) for piece in shared.pieces]
        self._shown = np.flatnonzero(np.repeat([visible[piece.name] for piece in shared.pieces], sizes))
        self.tensor: Vector = np.zeros(len(self._shown), np.float32)
        self.dict: dict[str, Vector] = {}
        rest = self.tensor
        for (name, shape, _), size in zip(shared.pieces, sizes, strict=True):
            if visible[name]:
                self.dict[name], rest = rest[:size].reshape(shape), rest[size:]

    def set_from(self, state: Any, player: int) -> None:
        """Write the observation that `player` has of `state` into `tensor`, and so into its views in `dict`."""
        hands, node = state.table.hands, state.table.node
        self.tensor[:] = self.rules.rows[player][node].take(self._shown)
        if "hand" in self.dict and len(hands) > player:
            index, value = self.rules.hand_code(player, hands[player])
            self.dict["hand"][index - 2] = value

    def string_from(self, state: Any, player: int) -> str:
        """Return what `player` sees in `state`, such as "player 0, hand K, check-bet"."""
        table, parts = state.table, [f"player {player}"]
        if self.private and len(table.hands) > player:
            parts.append(f"hand {table.label(player)}")
        if self.public and table.node:
            parts.append(self.rules.names[table.node])
        return ", ".join(parts)


def register_games() -> None:
    """Register every game with OpenSpiel, once per process."""
    for spec in BLUEPRINTS.values():
        _register(spec)


_CLASSES: dict[str, type[RelanceGame]] = {}


def _register(spec: Blueprint) -> None:
    name = PREFIX + spec.name
    if name in _CLASSES and _CLASSES[name].blueprint is spec:
        return
    if BLUEPRINTS.get(spec.name, spec) is not spec:
        raise ValueError(f"another game is called {spec.name!r} in OpenSpiel already; give yours another name")
    game_type = _game_type(spec)
    # A class, not a function: OpenSpiel drops its reference after the interpreter exits, which would free a function.
    _CLASSES[name] = type(name, (RelanceGame,), {"game_type": game_type, "blueprint": spec})
    pyspiel.register_game(game_type, _CLASSES[name])


@checked
def chip_scale(game: Game | str) -> int:
    """The factor by which `load` multiplies all chips: the smallest one that makes them whole numbers."""
    game = as_game(game)
    specs = game.blueprint.parameters
    chips = [amount for name, value in game.parameters.items() for amount in specs[name].chips(value)]
    return math.lcm(*(fraction(value).denominator for value in chips), 1)


MOST_CHIPS = 2**31 - 1
"""The largest whole number that OpenSpiel takes as a parameter."""


def _nearest(game: Game) -> Game | None:
    """The game with chips rounded to the finest fractions that fit into OpenSpiel; None if even whole chips do not fit."""
    specs, given = game.blueprint.parameters, game.parameters
    chips = {name: value for name, value in given.items() if specs[name].chips(value) == (value,)}
    for digits in range(9, -1, -1):
        rounded = {name: fraction(value).limit_denominator(10**digits) for name, value in chips.items()}
        scale = math.lcm(*(value.denominator for value in rounded.values()))
        if all(0 < value * scale <= MOST_CHIPS for value in rounded.values()):
            return build(game.blueprint, game.hands, **{**given, **rounded})
    return None


@checked
def load(game: Game | str) -> pyspiel.Game:
    """Return the OpenSpiel game of a Relance game. OpenSpiel pays whole chips, so all are multiplied by `chip_scale(game)`.

    Examples:
        >>> relance.openspiel.load("one_card_poker(bet=3/2)").max_utility(), relance.openspiel.chip_scale("one_card_poker(bet=3/2)")
        (8.0, 2)

    Raises:
        ValueError: hands are on [0, 1] or in cells of unequal width (a grid of equal cells is allowed), or chips are too large for
            OpenSpiel; the message then names the nearest game that fits.
    """
    game = as_game(game)
    game.finite_deal()
    if game.cuts and game.hands is None:
        raise ValueError(f"{game} has cells of unequal width; use either game.whole.grid(n) or relance.to_efg(game)")
    scale = chip_scale(game)
    parameters = {name: spec.plain(game.parameters[name], scale) for name, spec in game.blueprint.parameters.items()}
    if game.hands:
        parameters["hands"] = game.hands
    if any(isinstance(value, int) and value > MOST_CHIPS for value in parameters.values()):
        near = _nearest(game)
        hint = f"; the nearest game that fits is {near}" if near else ""
        raise ValueError(
            f"{game} has an amount of more than {MOST_CHIPS} chips after scaling to whole chips for OpenSpiel{hint}"
        )
    _register(game.blueprint)
    return load_openspiel(PREFIX + game.name, parameters)


@checked
def relance_game(game: pyspiel.Game) -> Game:
    """Return the Relance game behind an OpenSpiel game `relance_<name>`.

    Raises:
        ValueError: `game` is not a game of Relance.
    """
    name = game.get_type().short_name
    if name not in _CLASSES:
        raise ValueError(f"{name!r} is not a game of Relance" + did_you_mean(name, _CLASSES))
    known: RelanceGame = game if isinstance(game, RelanceGame) else load_openspiel(str(game))
    return known.rules.game


register_games()
