"""Checks of claims on Kuhn's game with an ante of a and a bet of b: the value, and all optimal strategies.

A player has six probabilities: x1, x2, x3 to bet with the queen, king and ace (the dealer: after a check), and y1, y2, y3 to call.
"""

from __future__ import annotations

from collections.abc import Collection

from relance.claims.prelude import *
from relance.claims.trace import named
from relance.solvers.exact import falls_short

OPENER = 0

NODES = ({"bet": "", "call": "check-bet"}, {"bet": "check", "call": "bet"})
"""The nodes where the opener, and then the dealer, may bet and call."""

SYMBOLS = tuple(symbol + card for symbol in "xy" for card in "123")

VIOLATED = {" == ": (" > ", " < "), " <= ": (" > ",), " >= ": (" < ",)}

BETS = ("0 < b and b < a", "b == a", "a < b and b < 2*a", "b >= 2*a")
"""Conditions on the bet b and the ante a, for each of which the solution has another form."""

RowTexts: TypeAlias = Mapping[str, Sequence[str]]
"""The probabilities to "bet" and to "call" with the three cards, as formulas."""


@dataclass(frozen=True)
class _Place:
    """The game for all antes a and some bets b, and the symbols of its numbers; `told` is its region with b as a symbol, even if fixed."""

    where: Region
    symbols: Mapping[str, Number]
    game: Game
    told: Region

    @classmethod
    def of(cls, bets: str, symbols: Sequence[str] = (), *conditions: str) -> _Place:
        """For bets like "a < b and b < 2*a" or "b == a", with more symbols between 0 and 1 that satisfy conditions."""
        only = bets.removeprefix("b == ") if bets.startswith("b == ") else ""
        names = ["a", *([] if only else ["b"]), *symbols]
        between = (f"0 <= {symbol} <= 1" for symbol in symbols)
        where = region(", ".join(names), "a > 0", *([] if only else bets.split(" and ")), *between, *conditions)
        known = {**where, "b": formula(only or "b", where)}
        told = region("a, b", "a > 0", *bets.split(" and ")) if only else where
        return cls(where, known, make("one_card_poker", raises=0, ante=known["a"], bet=known["b"]), told)

    def number(self, text: str) -> Number:
        return formula(text, self.symbols)


def _plan(place: _Place, player: int, mine: RowTexts, others: RowTexts) -> Plan:
    sides = ((player, mine), (1 - player, others))
    return {
        NODES[side][action]: {action: [place.number(text) for text in row]}
        for side, rows in sides
        for action, row in rows.items()
    }


def _rows(known: Mapping[str, str]) -> dict[str, list[str]]:
    """All six probabilities, as symbols unless they are known."""
    texts = [known.get(symbol, symbol) for symbol in SYMBOLS]
    return {"bet": texts[:3], "call": texts[3:]}


def _strategies(bets: str, *conditions: str) -> Region:
    """All strategies for these bets, by their six probabilities, that satisfy these conditions."""
    between = (f"0 <= {symbol} <= 1" for symbol in SYMBOLS)
    return region(", ".join(["a", "b", *SYMBOLS]), "a > 0", *bets.split(" and "), *between, *conditions)


def _departure(player: int, symbol: str, fixed: str, seen: Collection[str]) -> str:
    """Return the formula of how often the player departs from `fixed`, "0" or "1", the value of the probability `symbol`.

    The opener can call with a card only after a check with this card. The formula leaves out this check if `seen` has the probability of a
    bet with this card, since the check is then certain.
    """
    first = f"x{symbol[1]}"
    reached = f"(1 - {first})*" if player == OPENER and symbol != first and first not in seen else ""
    return f"{reached}(1 - {symbol})" if fixed == "1" else f"{reached}{symbol}"


def all_optimal(
    n: Numbers,
    player: int,
    bets: str,
    fixed: Mapping[str, str],
    others: RowTexts,
    unless: Mapping[str, Sequence[RowTexts]] = {},
) -> Finding:
    """Check that a strategy of `player` is optimal just if it has the probabilities `fixed` and satisfies the conditions in `unless`.

    The game is Kuhn's, for all bets b and antes a that satisfy `bets`; player 0 is the opener. With the three cards from the lowest up, a
    player bets with probabilities x1, x2 and x3, and calls with y1, y2 and y3. Each strategy that meets these conditions forms an
    equilibrium with the other player's strategy `others`. No other strategy is optimal: one that departs from a probability in `fixed`, at
    a decision that it reaches, earns less than the value against `others`. `unless` is {condition: changes of `others`}: a strategy that
    violates the condition earns less than the value against `others` with such a change. A condition that is an equation has two changes:
    the first is for strategies with which the left side is greater than the right, and the second for strategies with which it is less.
    """
    texts = {name: f"({text})" for name, text in n.texts.items()}
    limits = {condition.format(**texts): changes for condition, changes in unless.items()}
    names_of = {
        limit: condition.format_map({name: name for name in texts})
        for limit, condition in zip(limits, unless, strict=True)
    }
    given = {**fixed, **dict(c.split(" == ") for c in limits if " == " in c)}

    def free(known: Iterable[str]) -> list[str]:
        return [symbol for symbol in SYMBOLS if symbol not in known]

    place = _Place.of(bets, free(given), *(condition for condition in limits if " == " not in condition))
    worth = n.number("value", place.symbols)
    names = list(fixed)
    departures = {x: _departure(player, x, fixed[x], names[:k]) for k, x in enumerate(names)}
    kept = [*(f"{departure} == 0" for departure in departures.values()), *limits]
    optimal = nash(place.game, _plan(place, player, _rows(given), others), place.where, worth)
    findings = [optimal.part("", named(_strategies(bets, *kept), names_of))]
    told: list[str] = []

    def short(known: Mapping[str, str], change: RowTexts, *conditions: str) -> Finding:
        place = _Place.of(bets, free(known), *conditions)
        worth = (1 - 2 * player) * n.number("value", place.symbols)
        profile = place.game.profile(_plan(place, player, _rows(known), {**others, **change}))
        text = f"less than the value with {conditions[-1]}"
        finding = true_for(place.where, lambda: falls_short(place.game, profile, player, worth), text)
        return finding.part("", named(_strategies(bets, *told, *conditions), names_of))

    seen: dict[str, str] = {}
    for symbol, probability in fixed.items():
        findings.append(short(seen, {}, f"{departures[symbol]} > 0"))
        seen[symbol] = probability
        told.append(f"{departures[symbol]} == 0")
    before: list[str] = []
    for condition, changes in limits.items():
        left, relation, right = condition.partition(next(word for word in VIOLATED if word in condition))
        violations = (f"{left}{word}{right}" for word in VIOLATED[relation])
        findings += [short(seen, change, *before, text) for change, text in zip(changes, violations, strict=True)]
        if relation == " == ":
            seen[left] = right
            told.append(condition)
        else:
            before.append(condition)
    return together(findings)


def worst_bet(n: Numbers, at: str) -> Finding:
    """Check that the opener of Kuhn's game loses most if the size b of the bet satisfies `at`, one of the conditions `BETS`.

    With these sizes the opener must lose as much as with a bet equal to the ante a, and with every other size less.
    """
    findings, kuhn = [], make("one_card_poker", raises=0)
    for bets in BETS:
        place = _Place.of(bets)
        worth = play_value(place.game, place.game.published())
        better = worth - place.symbols["a"] * play_value(kuhn, kuhn.published())
        text = f"{bets}: {show(better)} more"
        found = Finding(bool(better == 0 if bets == at else better > 0), text, (place.where,))
        findings.append(found.part("", place.told))
    return together(findings)
