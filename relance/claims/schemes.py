"""Proof schemes: induction, actions that are better whatever the opponent does, roots, products, whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from relance.claims.checks import symbolic, true_for
from relance.claims.domain import names_in, spelled
from relance.claims.finding import Finding, Scope, UndecidedError, listed
from relance.claims.proof import PATIENCE, Region, region
from relance.claims.symbolic import Symbolic
from relance.claims.trace import amount_to, decided
from relance.model.conditions import conditions_of
from relance.model.game import Game
from relance.model.interval import DensityDeal
from relance.model.numbers import Number, formula, show
from relance.model.tree import Decision, Leaf, Node, steps_from
from relance.solvers.watcher import watched_by


def induction(
    conditions: Sequence[str],
    holds: Sequence[str],
    first: Mapping[str, str],
    then: Mapping[str, str],
    known: Callable[[Region], Mapping[str, Number]] = lambda where: {},
) -> Finding:
    """Check by induction that relations between symbols hold before the first step of a process, and after each step.

    The base case is checked for all symbols that `conditions` allow. The step is checked for those that satisfy `holds` before it.

    Args:
        conditions: conditions on symbols that stay the same, or that are chosen anew in each step.
        holds: the relations, such as "S <= p"; one such as "S == p**2" defines a symbol S that changes.
        first: {symbol that changes: formula of its value before the first step}.
        then: {symbol that changes: formula of its value after a step, in the symbols before this step}.
        known: a function from the region of a step to further numbers {name: number} that `then` may name.

    Raises:
        ValueError: `first` and `then` do not name the same symbols.
    """
    if first.keys() != then.keys():
        raise ValueError(f"first={dict(first)} and then={dict(then)} must name the same symbols")
    told = region(", ".join(names_in(*conditions, *first.values())), *conditions)
    sides = (text.split(" == ") for text in holds if " == " in text)
    solved = {left: right for left, right in sides if left in first}
    before = [spelled(text, solved) for text in holds if text.split(" == ")[0] not in solved]
    symbols = [*told, *names_in(*before), *(symbol for symbol in first if symbol not in solved)]
    where = region(", ".join(dict.fromkeys(symbols)), *conditions, *before)
    given = {**where, **known(where)}
    numbers = {**given, **{symbol: formula(spelled(text, solved), given) for symbol, text in solved.items()}}

    def hold(state: Mapping[str, str], numbers: Mapping[str, Number]) -> bool:
        after = {**numbers, **{symbol: formula(text, numbers) for symbol, text in state.items()}}
        return all(bool(part) for text in holds for part in conditions_of(text, after))

    text = f"{' and '.join(holds)}, at first and after each step"
    with watched_by(None):
        fixed = known(told) if (more := {*names_in(*holds)} - {*told, *first}) else {}
        found = true_for(told, lambda: hold(first, {**told, **{name: fixed[name] for name in more}}), text)
        if found.holds and not (after := true_for(where, lambda: hold(then, numbers), text)).holds:
            found = replace(after, point={}, undecided=True)  # true relations need not carry over by themselves
    if found.holds:
        used = {name: given[name] for name in names_in(*then.values(), *holds) if name in given and name not in where}
        decided("induction", (tuple(holds), dict(first), dict(then), used, where), where=told)
    return replace(found, where=(told,))


def higher(
    game: Game, where: Scope, node: str, action: str, over: str, when: Mapping[str, str], crosses: bool = False
) -> Finding:
    """Check that the gain of `action` over the action `over` never falls as the hand rises, whatever the opponent does.

    The gain rises between two hands if the opponent has a hand between these with which the opponent acts as in `when`. This holds for any
    distributions of independent hands. So among sets of hands with the same total probability, the set of the best hands gains most.

    Args:
        game: a game in which the higher hand wins. After both actions only the opponent acts.
        where: the parameters for which this is checked.
        node: the name of the node with both actions.
        action: the action whose gain is checked.
        over: the action that it is compared with.
        when: {node: action} of the opponent, answers to `action` with which the gain rises.
        crosses: check as well that with these answers the gain is below 0 if all of the opponent's hands are better, and above 0 if all are
            worse. So the gain is 0 with one hand or with those of an interval, if the distributions have no jumps.
    """

    def statement(chips: Number, stake: Number, so: bool) -> bool:
        return bool(stake >= 0) and not (so and (not stake > 0 or (crosses and not -stake < chips < stake)))

    return _whatever("higher", game, where, (node, action, over, when, crosses), statement)


def better(game: Game, where: Scope, node: str, action: str, over: str, when: Mapping[str, str]) -> Finding:
    """Check that `action` never earns less than `over`, and more if the opponent acts as in `when`; see `higher`."""

    def statement(chips: Number, stake: Number, so: bool) -> bool:
        return bool(chips >= stake) and bool(-chips <= stake) and not (so and not chips > 0)

    return _whatever("better", game, where, (node, action, over, when), statement)


def _whatever(
    kind: str, game: Game, where: Scope, of: tuple[Any, ...], statement: Callable[[Number, Number, bool], bool]
) -> Finding:
    """Check `statement(chips, stake, so)` for each terminal node after `action` and each after the action `over`; `of` has all names.

    `chips` and `stake` are what the first node pays the player more than the second: outside the showdown, and by winning it. `so` is True
    if the way to the first node has the opponent's answers `when`.
    """
    node, action, over, when, *_ = of
    if not isinstance(game.deal, DensityDeal) or len(game.deal.terms) != 1 or not game.tree.is_usual:
        raise ValueError(f"{game} must have independent hands on [0, 1] and no chance nodes; the higher hand must win")
    owner = game.tree.decisions[node]

    def terminals(at: Node, name: str) -> Iterator[tuple[dict[str, str], Leaf]]:
        if isinstance(at, Leaf):
            yield {}, at
        elif not isinstance(at, Decision) or at.player == owner.player:
            raise ValueError(
                f"node {name!r} must be a decision of player {1 - owner.player}: no other may act after {action!r} or {over!r} at {node!r}"
            )
        else:
            for step, child in steps_from(at):
                yield from (({name: step, **more}, leaf) for more, leaf in terminals(child, f"{name}-{step}"))

    mine, others = ([*terminals(owner.child(step), f"{node}-{step}".strip("-"))] for step in (action, over))
    if not any(when.items() <= answers.items() for answers, _ in mine):
        raise ValueError(f"when={dict(when)} must be {{node: opponent's action}} on a path from {action!r} at {node!r}")
    sign, pairs = 1 - 2 * owner.player, [(*one, other) for one in mine for _, other in others]

    def all_of_them() -> bool:
        return all(
            statement(
                sign * (leaf.constant - other.constant), leaf.stake - other.stake, when.items() <= answers.items()
            )
            for answers, leaf, other in pairs
        )

    with watched_by(None):
        found = true_for(where, all_of_them, f"{action} is {kind} than {over}, whatever the other player does")
    if found.holds:
        decided(kind, game, *of, where=where)
    return found


def root(number: Number, symbol: str, low: str, high: str) -> Finding:
    """Check that a rational function is below 0 where a symbol is `low` and above 0 where it is `high`.

    This is checked for all values of the other symbols. The function has no pole, so it is 0 at some value of the symbol between.

    Args:
        number: the function, defined on a region of parameters that contains all values of the symbol from `low` to `high`.
        symbol: the name of the symbol.
        low: a formula in the other symbols, below `high`.
        high: a formula in the other symbols.
    """
    of = symbolic(number)
    _, rest = _with_and_without(of, symbol, f"{low} <= {symbol}", f"{symbol} <= {high}")
    ends = [0 * rest[rest.names[0]] + formula(end, rest) for end in (low, high)]

    def statement() -> bool:
        below, above = (of.at({**rest, symbol: end}) for end in ends)
        return bool(ends[0] < ends[1]) and bool(below < 0) and bool(above > 0)

    with watched_by(None):
        found = true_for(rest, statement, f"some {symbol} between {low} and {high} makes it 0")
    if found.holds:
        decided("root", of, symbol, low, high)
    return found


def _with_and_without(number: Symbolic, symbol: str, *values: str) -> tuple[Region, Region]:
    """The region on which a number is defined, which must contain all points that satisfy `values`, and the region of its other symbols."""
    whole = number.region
    assert isinstance(whole, Region)
    rest, others = [text for text in whole.conditions if symbol not in names_in(text)], {*whole.names} - {symbol}
    whole.need(region(", ".join(whole.names), *rest, *values))
    return whole, region(", ".join(name for name in whole.names if name in others), *rest) if others else whole


def greatest_product(number: Number, symbol: str) -> Finding:
    """Check that g(t1)*...*g(tn) is greatest where t1 = ... = tn, among all t1, ..., tn > 0 with the same product, for any n.

    It suffices that g is above 0 and t g'(t)/g(t) falls as t rises: then log g is a concave function of log t.

    Args:
        number: g(t), defined on a region of parameters that contains all values of t above 0.
        symbol: the name of the symbol t.
    """
    of = symbolic(number)
    whole, _ = _with_and_without(of, symbol, f"{symbol} > 0")

    def statement() -> bool:
        return bool(of > 0) and bool(symbolic(whole[symbol] * of.derivative(symbol) / of).derivative(symbol) < 0)

    with watched_by(None):
        found = true_for(whole, statement, f"equal {symbol} make the greatest product")
    if found.holds:
        decided("product", of, symbol)
    return found


def whole_numbers(conditions: Sequence[str], either: Sequence[Sequence[str]]) -> Finding:
    """Check that all whole numbers that satisfy `conditions` also satisfy all conditions of some list in `either`.

    Raises:
        UndecidedError: the prover cannot tell.
    """
    import z3  # half a second, which commands that decide nothing need not wait

    symbols = {name: z3.Int(name) for name in names_in(*conditions)}
    solver = z3.Solver()
    solver.set("rlimit", PATIENCE)
    solver.add(*(part for text in conditions for part in conditions_of(text, symbols)))
    solver.add(*(z3.Not(z3.And(*(part for text in case for part in conditions_of(text, symbols)))) for case in either))
    answer, text = solver.check(), " or ".join(map(" and ".join, either))
    if answer == z3.unknown:
        raise UndecidedError(
            f"the prover cannot decide whether all whole numbers with {' and '.join(conditions)} satisfy {text}"
        )
    point = {} if answer == z3.unsat else {name: str(solver.model().eval(x, True)) for name, x in symbols.items()}
    evidence = f"not so at {listed(point)}: {text}" if point else f"for whole numbers {text}"
    where = region(", ".join(symbols), *conditions)
    if not point:
        decided("whole", tuple(map(tuple, either)), where=where)
    return Finding(not point, evidence, (where,), point=point)


def whole_sizes(where: Region, sizes: Sequence[Number], counts: Sequence[str]) -> Finding:
    """Check that `sizes`, numbers of cards, are at least 0 everywhere in a region, and whole wherever the symbols `counts` are whole.

    Raises:
        ValueError: it cannot be told whether a size is whole. The size has a symbol in a denominator, or one that is not in `counts`, or it
            is a polynomial of degree 2 or more with a coefficient that is not whole.
    """
    for size in sizes:
        number = where[where.names[0]] * 0 + size
        used = {where.names[i] for powers in number.top.monoms() for i, power in enumerate(powers) if power}
        if number.bottom != where.one or not used <= {*counts}:
            raise ValueError(
                f"{show(size)}, a number of cards, must be a polynomial in the symbols that `counts` lists: {', '.join(counts) or 'none'}"
            )
        if any(c.q != 1 for c in number.top.coeffs()):
            if number.top.total_degree() > 1:  # n*(n - 1)/2 is whole, though its coefficients are not
                raise ValueError(f"it is unknown whether {show(size)} is whole: some coefficients are fractions")
            return Finding(False, f"{show(size)} is not always whole", (where,))
    amount_to(where, sizes)
    text = f"{', '.join(map(show, sizes))} are at least 0"
    return true_for(where, lambda: all(bool(size >= 0) for size in sizes), text)
