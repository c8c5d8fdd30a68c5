"""The explorer's logic: the sliders of a game, strategies at equilibrium and away from it, and each player's exact gain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from relance.envs.catalogue import make
from relance.model.arrays import is_float
from relance.model.game import Game, build
from relance.model.numbers import Number, did_you_mean, exact, show
from relance.model.strategy import Profile, Strategy
from relance.pages.plots.style import who_acts
from relance.play.equilibria import solved
from relance.play.rules import check_per_node
from relance.solvers.exact import BestResponse, best_response, value
from relance.solvers.method_choice import is_small

MOST_HANDS = 100
"""With more hands than this, the page could not keep up with a slider."""

PARTS = 60
"""The number of equal parts into which a slider divides the range of a probability."""

DIGITS = 4
"""The digits shown after the decimal point beside a slider."""

T = TypeVar("T")


@dataclass(frozen=True)
class Slider:
    """A number that the user can change: its meaning `doc`, its possible values `stops`, ascending, and its value at the start."""

    doc: str
    stops: tuple[Number, ...]
    start: Number

    @property
    def shown(self) -> list[float]:
        """The possible values as the page displays them: distinct decimals, rounded to `DIGITS` digits."""
        return [round(float(stop), DIGITS) for stop in self.stops]

    def at(self, shown: float) -> Number:
        """Return the exact number, one of `stops`, that the page displays as the decimal `shown`."""
        return min(self.stops, key=lambda stop: abs(float(stop) - shown))


def _slider(doc: str, stops: Sequence[Number], start: Number) -> Slider:
    """A slider with the possible values `stops` and `start`; of values that the page would display alike, only `start` is kept."""
    others = {stop for stop in stops if abs(float(stop) - float(start)) >= 10**-DIGITS * 2}
    return Slider(doc, tuple(sorted({*others, start})), start)


def _unit(parts: int, low: Number = Fraction(0), high: Number = Fraction(1)) -> list[Number]:
    return [low + (high - low) * Fraction(k, parts) for k in range(parts + 1)]


def attempt(make: Callable[[], T]) -> tuple[T | None, str]:
    """Return the result of `make` and "", or None and the message of the error in the user's input."""
    try:
        return make(), ""
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        return None, str(error)


def opened(text: str) -> Game:
    """Return the game in a text such as "von_neumann(bet=2)"; without parameters the default game or, if it is too large, the first sample.

    Raises:
        ValueError: the text is not a game, or the game has more than `MOST_HANDS` hands.
    """
    game = make(text)
    if "(" not in text and _too_large(game):
        game = build(game.blueprint, **game.blueprint.samples[0])
    return moved(game, {})


def _too_large(game: Game) -> bool:
    return max(map(game.deal.size, (0, 1))) > MOST_HANDS


def moved(game: Game, parameters: Mapping[str, Any]) -> Game:
    """The game with some of its parameters changed.

    Raises:
        ValueError: a parameter is unknown or outside its range, or the game has more than `MOST_HANDS` hands.
        TypeError: a parameter is of the wrong type.
    """
    game = build(game.blueprint, game.hands, **{**game.parameters, **parameters})
    check_per_node(game, "pages of the explorer")
    if _too_large(game):
        raise ValueError(f"{game} has more than {MOST_HANDS} hands, too many for the explorer")
    return game


def parameter_sliders(game: Game) -> dict[str, Slider]:
    """A slider for each numeric parameter, which starts at the game's own value."""
    kinds = game.blueprint.parameters
    return {
        name: _slider(kinds[name].doc, stops, at)
        for name, at in game.parameters.items()
        if (stops := kinds[name].stops(at, PARTS, 160))
    }


def family_sliders(game: Game) -> dict[str, Slider]:
    """A slider for each free parameter of the published family; none if nothing is published."""
    if not game.is_published:
        return {}
    family = game.printed_numbers()[0].family
    return {name: _slider(f.doc, _unit(PARTS, f.least, f.most), f.default) for name, f in family.items()}


class _Read(dict[str, Number]):
    """Numbers by symbol, with a record of those that were read."""

    def __init__(self, numbers: Mapping[str, Number]) -> None:
        super().__init__(numbers)
        self.read: dict[str, None] = {}

    def __getitem__(self, symbol: str) -> Number:
        self.read[symbol] = None
        return super().__getitem__(symbol)


@dataclass(frozen=True)
class Symbol:
    """A threshold or probability in the published strategies: its symbol, its printed formula ("" if none), its exact value."""

    name: str
    formula: str
    value: Number


def symbols(game: Game, family: Mapping[str, Any] | None = None) -> list[Symbol]:
    """The thresholds and probabilities in the published strategies; none if nothing is published."""
    if not game.is_published:
        return []
    printed, numbers = game.printed_numbers(**(family or {}))
    read = _Read(numbers)
    printed.plan(read, game.tree)
    formulas = printed.formulas(game.parameters)
    in_symbols = {name: f for name, f in formulas.items() if isinstance(f, str) and any(map(str.isalpha, f))}
    return [Symbol(name, in_symbols.get(name, ""), numbers[name]) for name in read.read]


def number_sliders(game: Game, family: Mapping[str, Any] | None = None) -> dict[str, Slider]:
    """A slider from 0 to 1 for each number of the published strategies, which starts at equilibrium and says what it changes."""
    return {
        item.name: _slider(meaning(game, item.name, family), _unit(2 * PARTS), item.value)
        for item in symbols(game, family)
        if 0 <= item.value <= 1
    }


def meaning(game: Game, name: str, family: Mapping[str, Any] | None = None) -> str:
    """The choices that the published number `name` sets, such as "player 0, at the start: how often to bet with the hand Q"."""
    printed, numbers = game.printed_numbers(**(family or {}))
    before, after = (
        printed.plan({**numbers, name: numbers[name] + step}, game.tree) for step in (0, Fraction(1, 1000))
    )
    found = []
    for node, rows in before.items():
        changed = [action for action, row in rows.items() if not callable(row) and row != after[node][action]]
        if changed:
            said = _changed(game, node, rows[changed[0]], after[node][changed[0]])
            found.append(f"{who_acts(game, node)}: {said.format(' and '.join(changed), 's' * (len(changed) == 1))}")
    return "; ".join([*found[:2], *["and at other decisions"] * (len(found) > 2)])


def _changed(game: Game, node: str, before: Any, after: Any) -> str:
    """What differs between two rows of a plan: an end of an interval of hands, or how often some hands take an action."""
    if not isinstance(before, (list, tuple)):
        return "how often to {}"
    if any(isinstance(one, tuple) for one in before):
        ends = {i for old, new in zip(before, after, strict=True) for i in (0, 1) if old[i] != new[i]}
        return f"at which hand {{0}} {' and '.join(('begin{1}', 'end{1}')[i] for i in sorted(ends))}"  # one action begins, two begin
    labels = game.finite_deal().labels[game.tree.decisions[node].player]
    hands = [str(label) for label, old, new in zip(labels, before, after, strict=True) if old != new]
    return f"how often to {{}} with the hand {' or '.join(hands)}"


def mix_sliders(game: Game) -> dict[str, Slider]:
    """A slider for each decision node: the share of uniform play to mix in there."""
    doc = "share of the time at which all actions are equally likely"
    return {name: Slider(doc, tuple(_unit(20)), Fraction(0)) for name in game.tree.decisions}


@dataclass(frozen=True)
class Position:
    """A profile of a game, compared with an equilibrium.

    Attributes:
        game: the game.
        equilibrium: the published profile, or a solved one if none is published.
        note: the source of the equilibrium.
        profile: the profile that is played: the equilibrium with the user's changes.
        moved: True if anything was changed.
        values: expected chips of player 0 at equilibrium, and with the profile.
        answers: each player's best response to the other's strategy in the profile.
    """

    game: Game
    equilibrium: Profile
    note: str
    profile: Profile
    moved: bool
    values: tuple[Number, Number]
    answers: tuple[BestResponse, BestResponse]

    @property
    def gains(self) -> tuple[Number, Number]:
        """Each player's gain from a best response, in chips. Both are 0 if and only if the profile is an equilibrium."""
        return self.answers[0].value - self.values[1], self.answers[1].value + self.values[1]

    @property
    def nash_conv(self) -> Number:
        """The sum of the gains."""
        return self.gains[0] + self.gains[1]

    @property
    def responses(self) -> Profile:
        """The two best responses, as one profile."""
        return self.game.together(self.answers[0].strategy, self.answers[1].strategy)


def position(
    game: Game,
    family: Mapping[str, Any] | None = None,
    numbers: Mapping[str, Any] | None = None,
    mixes: Mapping[str, Any] | None = None,
) -> Position:
    """The position after changes to an equilibrium: other numbers, and a share of uniform play.

    Args:
        game: the game.
        family: values of the free parameters of the published family.
        numbers: new values of some published numbers, by name, see `symbols`.
        mixes: by node, the share of uniform play.

    Raises:
        ValueError: the numbers do not give a strategy, for example if thresholds are out of order.
        ArithmeticError: a best response has no exact threshold.
    """
    family = family or {}
    equilibrium, note = _equilibrium(game, family)
    profile, away = equilibrium, False
    if numbers:
        printed, at = game.printed_numbers(**family)
        moved_to = {name: exact(number, name) for name, number in numbers.items()}
        unknown = [name for name in moved_to if name not in at]
        if unknown:
            hint = did_you_mean(unknown[0], at)
            raise ValueError(f"the published strategies of {game} do not depend on {unknown[0]!r}{hint}")
        try:
            profile = game.fit_plan(printed.plan({**at, **moved_to}, game.tree))
        except ZeroDivisionError:
            raise ValueError(f"these values of {', '.join(moved_to)} give no strategy: division by 0") from None
        away = any(number != at[name] for name, number in moved_to.items())
    shares = {node: exact(share, f"the share at {node!r}") for node, share in (mixes or {}).items()}
    profile = _mixed(game, profile, shares)
    away = away or any(shares.values())
    answers = best_response(game, profile, 0), best_response(game, profile, 1)
    return Position(game, equilibrium, note, profile, away, (value(game, equilibrium), value(game, profile)), answers)


def _equilibrium(game: Game, family: Mapping[str, Any]) -> tuple[Profile, str]:
    if game.is_published:
        printed = game.printed_numbers(**family)[0]
        rounded = "; its numbers are rounded" if printed.precision else ""
        return game.published(**family), f"published: {printed.source}{rounded}"
    exactly = game.deal.is_finite and is_small(game)
    how = "exactly, by a linear program" if exactly else "in floats, by CFR+"
    return solved(game), f"nothing is published for these parameters; solved {how}"


def _mixed(game: Game, profile: Profile, shares: Mapping[str, Number]) -> Profile:
    """Mix uniform play into the profile at each of these nodes, in this share."""
    at = [dict(strategy.at) for strategy in profile.strategies]
    for node, share in shares.items():
        if node not in game.tree.decisions:
            raise ValueError(f"{game} has no decision node {node!r}" + did_you_mean(node, game.tree.decisions))
        if not 0 <= share <= 1:
            raise ValueError(f"the share {show(share)} of uniform play at {node!r} must be between 0 and 1")
        rows = profile[node]
        uniform = float(share) if is_float(rows[0]) else share
        mixed = tuple(row * (1 - uniform) + uniform / len(rows) for row in rows)
        at[game.tree.decisions[node].player][node] = mixed
    return game.together(Strategy(0, at[0]), Strategy(1, at[1]))
