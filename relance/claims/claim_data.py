"""Decides claims that `claims.toml` states as data, such as: a profile is a Nash equilibrium, or numbers are equal."""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise
from typing import Any, TypeAlias

from relance.claims import checks, schemes
from relance.claims.domain import Domain, names_in, spelled
from relance.claims.finding import At, Finding, spot, together
from relance.claims.numbers import Numbers
from relance.claims.proof import Region, region
from relance.claims.trace import printed, spelled_from
from relance.envs.catalogue import make
from relance.model.conditions import conditions_of
from relance.model.distributions import joint_distribution
from relance.model.game import Game
from relance.model.interval import DensityDeal
from relance.model.numbers import Number, formula, show
from relance.model.piecewise import Piecewise
from relance.model.strategy import Plan
from relance.solvers.exact import falls_short, nash_conv
from relance.solvers.lp import solve_lp

FORMS = {
    "nash": "game",
    "equal": "pairs",
    "always": "that",
    "short": "game",
    "signs": "game",
    "higher": "game",
    "better": "game",
    "induction": "holds",
    "whole": "either",
    "deck": "groups",
}
"""{form in which a claim may be stated as data: the key that each of its cases must have}; see `stated`."""


def stated(
    n: Numbers,
    domain: Domain = (),
    let: Mapping[str, Any] | None = None,
    counts: Sequence[str] = (),
    **forms: Any,
) -> Finding:
    """Decide a claim from its data, which may have one form or several; the claim holds if all of its cases hold.

    Args:
        n: the printed numbers.
        domain: the conditions on symbols for which the claim is made, or {part of the claim: such conditions}.
        let: {name: definition} of more numbers for the formulas. A definition is a formula; {game, plan}, the value of a profile to
            player 0; {game, plan, node, action, over, hand}, the counterfactual value of an action with a hand minus that of the action
            `over`, if given; {game, solved = true}, the equilibrium value; or {slope, by}, the derivative of a number by a symbol.
        counts: the symbols that stand for whole numbers; the forms `whole` and `deck` need them.
        forms: {form: its data}. The data of most forms are cases, which are tables with the keys named here:

            nash: in the `game`, such as "von_neumann(ante=1/2, bet=B)", the profile is a Nash equilibrium, and worth `value` chips to
                player 0 if this is given. `Symbols.play` lists the keys that describe a profile, here and below.
            short: with the profile in the `game`, the `player` earns less than `of` chips, so the player's strategy is not optimal.
            signs: the gain, by hand, of the `action` at a `node` over the action `over` has the signs `are` (1, 0 or -1) `between`
                these hands; or the gain never falls as the hand rises, and strictly `rises` between two hands.
            higher, better: whatever the other player does, the gain of the `action` at a `node` over the action `over` never falls as the
                hand rises (higher), or is never negative (better). If the other player acts as in `when`, the gain rises (higher), or is
                above 0 (better). See `relance.claims.schemes.higher`, also for `crosses`.
            equal: pairs of formulas are equal, the first printed, the second computed: [["V", "worth"], ...].
            always: conditions hold everywhere in the domain: ["V > 0", ...].
            induction: the relations `holds` are true after any number of steps, which begin with the values `first`; each step replaces
                symbols by the formulas `then`. See `relance.claims.schemes.induction`.
            whole: all whole numbers in the domain satisfy one of these lists of conditions.
            deck: in the `game`, each player gets one of `cards` cards. Each of the `groups`, the best cards first, is [number of cards,
                probabilities of the last action at each node]. This profile is an equilibrium, and worth `value` to player 0.

    A case may have a key `where` with more conditions, besides those of the domain; they may name printed numbers. To have this key, a case
    of `equal` or `always` is written as a table {pairs, where} or {that, where}. The cases in a list are one part of the claim, and must
    cover the domain together. In a table {name: cases}, each entry is a part of its own, and must cover the domain alone. The first case
    that fails ends the check.
    """
    found: list[Finding] = []
    known = partial(Symbols, texts=n.texts, let=let or {})
    for form, part, case in cases(forms):
        conditions = domain[part] if isinstance(domain, Mapping) else domain
        where = _region([*conditions, *case.get("where", ())], n.texts)
        finding = _DECIDED[form]({**case, "counts": counts}, known, where).part(part)
        if not finding.holds:
            return finding
        found.append(finding)
    return together(found)


def cases(forms: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield (form, name of the part of the claim, case) for each case in `forms`, the data of a claim: {form: its data}; see `stated`.

    A case is a table, such as {that = ["V > 0"]} for the form "always". A case with no other key than that in `FORMS` may be written as
    its value: ["V > 0"]. A form's data are one case, a list of cases, or {part: such data}. A part without a name is named after its form.
    """

    def walk(form: str, part: str, data: Any) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        key = FORMS[form]
        if isinstance(data, Mapping):
            if key in data:
                yield form, part, data
            else:
                for name, inner in data.items():
                    yield from walk(form, name, inner)
        elif isinstance(data[0], Mapping):
            for case in data:
                yield from walk(form, part, case)
        else:
            yield form, part, {key: data}

    for form in sorted(forms, key=[*FORMS].index):
        if forms[form]:
            yield from walk(form, form, forms[form])


def _region(conditions: Sequence[str], texts: Mapping[str, str]) -> Region | None:
    """The region of these conditions, which may name printed numbers; None if there are none. Symbols are in order of appearance."""
    texts_of = [spelled(condition, texts) for condition in conditions]
    if not texts_of:
        return None
    where = region(", ".join(names_in(*texts_of)), *texts_of)
    spelled_from(where, conditions)
    return where


class Symbols(Mapping[str, Number]):
    """The numbers of a claim by name: symbols of its region, printed numbers, and numbers that `let` defines."""

    def __init__(self, given: Mapping[str, Number], texts: Mapping[str, str], let: Mapping[str, Any]) -> None:
        self._known, self.texts, self._let = dict(given), texts, let

    def __getitem__(self, name: str) -> Number:
        if name not in self._known:
            text = self.texts.get(name)
            self._known[name] = self._computed(self._let[name]) if text is None else self._printed(name, text)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._known, **self.texts, **self._let})

    def __len__(self) -> int:
        return len({**self._known, **self.texts, **self._let})

    def _printed(self, name: str, text: str) -> Number:
        return printed(name, text, self.number(text), self)

    def _computed(self, what: Any) -> Number:
        match what:
            case {"slope": str(text), "by": str(symbol)}:
                return checks.symbolic(self.number(text)).derivative(symbol)
            case {"game": str(), "action": str(action)}:
                chips = checks.chips_by_action(*self.play(what), what["node"])
                gain = chips[action] - chips[what["over"]] if "over" in what else chips[action]
                number: Number = (
                    gain(self.number(what["hand"])) if isinstance(gain, Piecewise) else gain[what.get("hand", 0)]
                )
                return number
            case {"game": str(text), "solved": True}:
                worth, profile = solve_lp(self.game(text))
                if nash_conv(self.game(text), profile) != 0:
                    raise ArithmeticError(
                        f"no exact equilibrium of {text} was found, so its equilibrium value, which the claim needs, is not known"
                    )
                return worth
            case {"game": str()}:
                game, plan = self.play(what)
                return checks.play_value(game, plan)
        return self.number(what)

    def number(self, text: str) -> Number:
        """Return the number of the claim whose name is `text`; if no number has this name, the value of `text` as a formula."""
        return self[text] if text in self else formula(text, self)

    def spelled(self, text: str) -> str:
        """Return a formula in symbols of the region only: that of the number named `text` or, if no number has this name, `text` itself."""
        texts = {**self.texts, **{name: let for name, let in self._let.items() if isinstance(let, str)}}
        return spelled(texts.get(text, text), texts)

    def game(self, text: str) -> Game:
        """Return the game written as `name(parameter=formula, ...)`; a list has brackets, and text has quotation marks.

        Raises:
            ValueError: the text is not so written, or the game refuses a parameter.
        """
        match ast.parse(text, mode="eval").body:
            case ast.Name(id=name):
                keywords: list[ast.keyword] = []
            case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords):
                pass
            case _:
                raise ValueError(f"game {text!r} is not written as name(parameter=formula, ...)")
        return make(name, **{str(keyword.arg): self._parameter(keyword.value) for keyword in keywords})

    def _parameter(self, node: ast.expr) -> Any:
        match node:
            case ast.List(elts=items):
                return [self._parameter(item) for item in items]
            case ast.Constant(value=str() | bool() as given):
                return given
        return formula(ast.unparse(node), self)

    def play(self, case: Mapping[str, Any]) -> tuple[Game, Plan]:
        """Return the game and the plan that `case`, a table in the data of a claim, describes by the keys below.

        `plan` is {node: {action: probabilities}} or "published". Without `plan`, the game's printed plan of index `printed` is played, in
        which symbols stand for the claim's numbers of the same name, or for formulas in `numbers`. `change`, written like `plan`,
        replaces nodes of the plan. With `cells`, `player` has one hand and the opponent's hand is in a cell; `cells` lists the cells'
        probabilities, the worst cell first, without the best. The hand beats the cells of index below `own` and loses to the others.
        `distributions` lists for each player the hand's distribution function at equally spaced points in (0, 1), linear in between.
        """
        game, plan = self.game(case["game"]), case.get("plan")
        if "cells" in case:
            cells = [self.number(text) for text in case["cells"]]
            game = checks.below_cell(game, case["player"], cells, case["own"])
        if "distributions" in case:
            mine, theirs = map(self._density, case["distributions"])
            game = replace(game, deal=DensityDeal([(mine, theirs)]))
        if plan == "published":
            rows: dict[str, Any] = {**game.published().plan()}
        elif plan is not None:
            rows = self._rows(plan)
        else:
            renamed = {symbol: self.number(text) for symbol, text in case.get("numbers", {}).items()}
            numbers: Mapping[str, Number] = ChainMap(renamed, self)  # type: ignore[arg-type]  # nobody writes into it
            rows = {**checks.with_numbers(game, numbers, case.get("printed", 0))}
        return game, {**rows, **self._rows(case.get("change", {}))}

    def _density(self, distribution: Sequence[str]) -> Piecewise:
        """The density of a hand on [0, 1] whose distribution function has these values at equally spaced points."""
        values = [Fraction(0), *map(self.number, distribution), Fraction(1)]
        return checks.spread([above - below for below, above in pairwise(values)])

    def _rows(self, item: Any) -> Any:
        """Return a plan with its formulas evaluated: {node: {action: probability, list by hand, or list of [from, to, probability]}}."""
        match item:
            case Mapping():
                return {key: self._rows(inner) for key, inner in item.items()}
            case list():
                return [
                    tuple(map(self._rows, inner)) if isinstance(inner, list) else self._rows(inner) for inner in item
                ]
            case str():
                return self.number(item)
        return Fraction(item)


Lookup: TypeAlias = Callable[[Mapping[str, Number]], Symbols]
"""From symbols, or their values at a point, to all numbers that the formulas of a claim may name."""


def _nash(case: Mapping[str, Any], known: Lookup, where: Region | None) -> Finding:
    """Check that the play of a case is a Nash equilibrium; a simple point of the region is tried before the prover is asked."""

    def decided(symbols: Mapping[str, Number], where: Region | None = None) -> Finding:
        own = known(symbols)
        return checks.nash(*own.play(case), where, own.number(case["value"]) if "value" in case else None)

    if where is None:
        return decided({})

    def in_part(place: Mapping[str, Number], part: Region | None = None) -> Finding:
        try:
            known(place).play(case)
        except (
            ValueError,
            ZeroDivisionError,
        ) as error:  # the printed numbers make no game or no plan there, as they do elsewhere
            if part is where:
                raise
            return Finding(False, str(error), (part or spot(place),))
        return decided(place, part)

    early = checks.false_at(where, islice(where.each_sample(), 1), decided)
    return early or checks.by_parts(where, in_part)


def _short(case: Mapping[str, Any], known: Lookup, where: Region | None) -> Finding:
    """Check that a player earns less than an amount."""
    own = known(where or {})
    game, plan = own.play(case)
    profile, player, most = game.profile(plan), case["player"], own.number(case["of"])
    text = f"player {player} earns less than {show(most)}"
    return checks.true_for(where or At(game), lambda: falls_short(game, profile, player, most), text)


def _signs(case: Mapping[str, Any], known: Lookup, where: Region | None) -> Finding:
    """Check the sign of an action's gain over another, between given hands; or that the gain never falls, and rises between two hands."""
    own = known(where or {})
    game, plan = own.play(case)
    gain = checks.advantage(game, plan, case["node"], case["action"], case["over"])
    cuts = [own.number(text) for text in case.get("between") or case["rises"]]
    text = f"what {case['action']} gains over {case['over']} "
    if "rises" in case:
        text += f"never falls, and rises between {' and '.join(case['rises'])}"
    else:
        text += f"has the signs {case['are']} between {', '.join(case['between'])}"

    def statement() -> bool:
        if "rises" in case:
            return checks.rises(gain, *cuts)
        there = all(low < high for low, high in pairwise(cuts))
        return there and checks.signs_between(gain, *cuts, claimed=case["are"]) == case["are"]

    return checks.true_for(where or At(game), statement, text)


def _whatever(decide: Callable[..., Finding], case: Mapping[str, Any], known: Lookup, where: Region | None) -> Finding:
    """Check what an action gains over another, whatever the other player does."""
    game = known(where or {}).game(case["game"])
    more = {"crosses": True} if case.get("crosses") else {}
    return decide(game, where or At(game), case["node"], case["action"], case["over"], case["when"], **more)


def _equal(case: Mapping[str, Any], known: Lookup, where: Region | None) -> Finding:
    """Check that the two sides of each pair are equal."""
    own = known(where or {})
    left, right = ({pair[0]: own.number(pair[side]) for pair in case["pairs"]} for side in (0, 1))
    if len(left) < len(case["pairs"]):
        raise ValueError(f"two of pairs={case['pairs']} begin with the same formula: their first formulas must differ")
    return checks.equal(right, left, where or spot(own.texts))


def _always(case: Mapping[str, Any], known: Lookup, where: Region | None) -> Finding:
    """Check that each condition holds everywhere."""
    own = known(where or {})
    text = " and ".join(case["that"])

    def statement() -> bool:
        return all(bool(part) for condition in case["that"] for part in conditions_of(condition, own))

    return checks.true_for(where or spot(own.texts), statement, text)


def _induction(case: Mapping[str, Any], known: Lookup, where: Region | None) -> Finding:
    """Check that relations hold at first and after each step."""
    assert where is not None
    return schemes.induction(where.conditions, case["holds"], case["first"], case["then"], known)


def _whole(case: Mapping[str, Any], known: Lookup, where: Region | None) -> Finding:
    """Check that all whole numbers of the region satisfy one of some lists of conditions."""
    assert where is not None
    if strange := [name for name in where if name not in case["counts"]]:
        raise ValueError(
            f"`whole` has the symbol {strange[0]}, which `counts` must list; `counts` lists {', '.join(case['counts']) or 'none'}"
        )
    return schemes.whole_numbers(where.conditions, case["either"])


NumberRows: TypeAlias = Sequence[Sequence[Number]]


@dataclass(frozen=True)
class Groups:
    """A game in which each player gets one card of a deck, and a profile that plays all cards of a group alike.

    Attributes:
        game: any game with the betting tree; its deal is not used.
        sizes: the number of cards in each group, the best group first.
        rows: for each group the probability of the last action at each node, in the order of `game.tree.decisions`.
    """

    game: Game
    sizes: Sequence[Number]
    rows: NumberRows

    @property
    def cards(self) -> Number:
        """The number of cards in the deck."""
        return sum(self.sizes, Fraction(0))

    @property
    def worth(self) -> Number:
        """The expected chips of player 0 with this profile; all pairs of different cards are equally likely."""
        order, pairs = range(len(self.sizes)), self.cards * (self.cards - 1)
        joint = [[p * (q - (j == k)) / pairs for j, q in enumerate(self.sizes)] for k, p in enumerate(self.sizes)]
        edge = [[Fraction((j > k) - (j < k)) for j in order] for k in order]
        names = [str(k) for k in order]
        game = replace(self.game, deal=joint_distribution(names, names, joint, edge), cuts=None)
        return checks.play_value(game, self._plan(self.rows, self.rows))

    def is_best(self, own: int, better: Number, player: int) -> bool:
        """Return True if `player` cannot gain with a card of group number `own`; `better` is how many cards of this group beat the card."""
        others = [*zip(self.sizes, self.rows, strict=True)]
        others[own : own + 1] = [(better, self.rows[own]), (self.sizes[own] - 1 - better, self.rows[own])]
        ranked = [*enumerate(others)][::-1]  # the worst first, as hands are listed
        distribution = {str(k): (size / (self.cards - 1), 2 * (own - k) + 1) for k, (size, _) in ranked}
        game = checks.one_hand(self.game, player, distribution, 0)
        mine, theirs = [self.rows[own]], [row for _, (_, row) in ranked]
        profile = game.profile(self._plan(theirs, mine) if player else self._plan(mine, theirs))
        return bool(checks.best_value(game, profile, player) == (1 - 2 * player) * checks.play_value(game, profile))

    def _plan(self, *rows: NumberRows) -> Plan:
        """Return the plan in which player 0 acts by the first of `rows` and player 1 by the second; see `Groups.rows`."""
        decisions = self.game.tree.decisions.items()
        return {
            name: {node.actions[-1]: [row[k] for row in rows[node.player]]} for k, (name, node) in enumerate(decisions)
        }


def _deck(case: Mapping[str, Any], known: Lookup, where: Region | None) -> Finding:
    """Check that a profile of a deck is an equilibrium. In each group, the card that i others of the group beat is checked for all i."""
    assert where is not None
    conditions = where.conditions

    def told(where: Region) -> tuple[Symbols, Groups]:
        own = known(where)
        sizes = [own.number(size) for size, _ in case["groups"]]
        rows = [[own.number(text) for text in row] for _, row in case["groups"]]
        return own, Groups(own.game(case["game"]), sizes, rows)

    def parts() -> Iterator[tuple[str, Finding]]:
        own, whole_deck = told(where)
        yield "groups", schemes.whole_sizes(where, whole_deck.sizes, case["counts"])
        sums = {"cards": whole_deck.cards, "value": whole_deck.worth}
        yield "value", checks.equal(sums, {name: own.number(case[name]) for name in sums}, where)
        for k, (size, _) in enumerate(case["groups"]):
            more = [] if size == "1" else ["0 <= i", f"i + 1 <= {own.spelled(size)}"]
            there = region(", ".join(names_in(*conditions, *more)), *conditions, *more)
            own, cards = told(there)
            for player in (0, 1):
                text = f"player {player} plays card {k + 1} right"
                yield text, checks.true_for(there, partial(cards.is_best, k, own["i"] if more else 0, player), text)

    found = checks.every(parts(), "nobody wins more with any card, in any deck")
    return replace(found, where=(where,))


_DECIDED: dict[str, Callable[..., Finding]] = {
    "nash": _nash,
    "short": _short,
    "equal": _equal,
    "always": _always,
    "signs": _signs,
    "higher": partial(_whatever, schemes.higher),
    "better": partial(_whatever, schemes.better),
    "induction": _induction,
    "whole": _whole,
    "deck": _deck,
}
