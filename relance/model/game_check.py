"""Checks the games of a `Blueprint` at its defaults and samples: tree, distribution of hands, published strategies.

Sums are checked over all hands, and matrices number by number. Other pairs of hands are checked if one of the two is selected: as many as
`WORK` allows, at least `FEWEST`, evenly spaced from weakest to strongest. All are selected in a ranked deal of at most 64 hands a player.
Distributions whose operators take more than `MOST_EXACT` multiplications are checked in floats. Hands on [0, 1] are checked in `CELLS`
equal cells, cut also where a density changes its formula.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from relance.model.arguments import checked
from relance.model.blueprint import Blueprint
from relance.model.deal import Array, Deal, FiniteDeal, as_floats
from relance.model.game import Game, build
from relance.model.grid import EqualCuts
from relance.model.interval import DensityDeal
from relance.model.matrix_deal import MatrixDeal
from relance.model.numbers import FieldElement, short, show
from relance.model.tree import (
    MOST_BETS,
    BettingTree,
    Case,
    Decision,
    History,
    Leaf,
    Node,
    Reveal,
    path_name,
    steps_from,
)

WORK, FEWEST, MOST_EXACT, CELLS = 2**13, 4, 2**13, 20

FLOATS = 2**7
"""How many multiplications of floats the checks allow in place of one of exact numbers."""

LONGEST_PLAY = 2 * MOST_BETS
"""The most actions in one play; there is a limit because algorithms walk the tree recursively."""

MOST_NODES = 1_000_000
"""The most nodes of a tree; a node that is used in several places counts in each."""

SMALLEST = 1e-200
"""The smallest number of chips above 0 that a game may use, so that floats can hold a millionth of it, and products."""

NEAR, TOTAL = 1e-12, 1e-9
"""The largest difference allowed between two floats of one probability, and between a total probability and 1."""


@checked
def check_blueprint(blueprint: Blueprint) -> list[Game]:
    """Check the game of a blueprint at its defaults and at each of its samples, and return these games, each once.

    Raises:
        ValueError: a game cannot be made, or its tree, deal or printed strategies are wrong; the message says where, and what is right.
    """
    games: list[Game] = []
    for sample in ({}, *blueprint.samples):
        with _at(f"{blueprint.name} cannot be made with {f'the sample {short(sample)}' if sample else 'its defaults'}"):
            game = build(blueprint, **sample)
        if game in games:
            continue
        with _at(str(game)):
            check_tree(game.tree)
            check_distribution(game.deal, game.tree)
            _check_sets(game)
            check_printed(game)
        games.append(game)
    return games


def _check_sets(game: Game) -> None:
    """Check that no two information sets have one name."""
    if not game.deal.is_finite or max(map(game.deal.size, (0, 1))) * len(game.tree.decisions) > MOST_EXACT:
        return
    names: dict[tuple[int, str], str] = {}
    for node, at in game.tree.decisions.items():
        for hand in range(game.deal.size(at.player)):
            label, name = game.deal.label(at.player, hand), game.information_set(node, hand)
            if (other := names.setdefault((at.player, name), label)) != label:
                raise ValueError(f"hands {other!r} and {label!r} share an information set's name, {name!r}; rename one")


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Put the place before what is wrong."""
    try:
        yield
    except Exception as error:
        told = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise ValueError(f"{place}: {told}") from error


def check_tree(tree: BettingTree) -> None:
    """Check that every play ends, that every decision has a player and distinct actions, and that chips are finite.

    Raises:
        ValueError: the tree fails one of these checks; the message names the node.
    """
    if not isinstance(tree, BettingTree) or not isinstance(tree.root, Decision):
        raise ValueError(f"the tree {short(tree)} of `build` must be a BettingTree whose root is a Decision")
    nodes: dict[int, int] = {}
    _count((), tree.root, (), nodes)
    if nodes[id(tree.root)] > MOST_NODES:
        raise ValueError(f"the tree has {nodes[id(tree.root)]:,} nodes; at most {MOST_NODES:,} are allowed")
    names: dict[str, History] = {}
    for history, _ in tree.walk():
        if (other := names.setdefault(path_name(history), history)) != history:
            raise ValueError(f"histories {other} and {history} have one name, {path_name(history)!r}; rename an action")
    said: dict[str, str] = {}
    for action in tree.actions:  # raises where two nodes have the same actions in different orders
        if {*"[]"} & {*action}:
            raise ValueError(f"the action {action!r} has a square bracket, reserved for replies of language models")
        if (like := said.setdefault(" ".join(action.casefold().split()), action)) != action:
            raise ValueError(f"the actions {like!r} and {action!r} differ in case or spaces only; rename one")


def _count(history: History, node: Node, above: tuple[int, ...], nodes: dict[int, int]) -> None:
    """Check a node and those below, and enter in `nodes` how many they are, by the id of the node: a node may have several places."""
    place = f"node {path_name(history)!r}" + " (the root)" * (not history)
    if id(node) in above:
        raise ValueError(f"{place} is a node that comes after itself, so a play might never end; make a new node")
    if id(node) in nodes:
        return
    if isinstance(node, Leaf):
        for name, number in (("constant", node.constant), ("stake", node.stake), ("put_in", node.put_in)):
            if number is not None or name != "put_in":
                _check_finite(f"{place}, {name}", number, Rational)
        nodes[id(node)] = 1
        return
    if not isinstance(node, (Decision, Reveal)):
        raise ValueError(f"{place} is {short(node)}; it must be a Decision, a Reveal or a Leaf")
    if isinstance(node, Reveal):
        kind, names = "event", node.events
        if not names:
            raise ValueError(f"{place}: chance has no event; where a play ends there must be a Leaf")
    else:
        kind, names = "action", node.actions
        if type(node.player) is not int or node.player not in (0, 1):
            raise ValueError(f"{place}: player {short(node.player)} does not exist; the players are 0 and 1")
        if not names:
            raise ValueError(f"{place}: player {node.player} has no action; where a play ends there must be a Leaf")
    if len(history) >= LONGEST_PLAY:
        raise ValueError(f"{place[:60]}... is too deep; a play may have at most {LONGEST_PLAY} actions")
    if len(names) != len(node.children):
        raise ValueError(f"{place} has {len(names)} {kind}s and {len(node.children)} children; each {kind} needs one")
    for k, name in enumerate(names):
        if not _is_name(name):
            raise ValueError(f"{place}: the {kind} {short(name)} must be {_NAME}")
        if name in names[:k]:
            raise ValueError(f"{place}: the {kind} {short(name)} is there twice")
    for name, child in steps_from(node):
        _count((*history, name), child, (*above, id(node)), nodes)
    nodes[id(node)] = 1 + sum(nodes[id(child)] for child in node.children)


_NAME = "text, not empty, that can be printed and has no space at an end"


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name == name.strip() != "" and name.isprintable()


def _check_finite(what: str, number: object, *kinds: Any) -> None:
    try:
        if isinstance(number, kinds) and math.isfinite(number):
            if number != 0 and abs(float(number)) < SMALLEST:
                raise ValueError(f"{what}: {short(number)} is nearer to 0 than {SMALLEST}; count in smaller units")
            return
    except OverflowError:
        raise ValueError(f"{what}: {short(number)} is too large for a float; count in larger units") from None
    also = "" if float in kinds else ", as an int, a Fraction or a float"
    raise ValueError(f"{what}: {short(number)} must be a finite number{also}")


@np.errstate(invalid="ignore")  # what is not a number is refused, not warned of
def check_distribution(deal: Deal, tree: BettingTree | None = None) -> None:
    """Check that a deal is one joint distribution of two hands: probabilities at least 0 that sum to 1, and edges from -1 to 1.

    For a pair of hands, `mass` (see `relance.model.deal`) must give both players the same probability, and `edge` opposite numbers. The
    deal's `compare` and `floats` must agree with them. The deals after the tree's chance events, whose probabilities need not sum to 1, and
    those for further rules of comparing hands must pass these checks too. Under each rule a pair must have the same probability. The pair's
    probabilities after the events of a chance node must sum to that before the node.

    Raises:
        ValueError: the deal fails one of these checks; the message names the hands.
    """
    if isinstance(deal, DensityDeal):
        deal = deal.cells(_cuts(deal))
    if not isinstance(deal, FiniteDeal):
        raise ValueError(f"the deal of `build` must be a FiniteDeal or a DensityDeal, not {short(deal)}")
    sizes = deal.size(0), deal.size(1)
    for player in (0, 1):
        names = deal.labels[player]
        if not sizes[player]:
            raise ValueError(f"player {player} has no hands; at least one is needed")
        if len(names) <= MOST_EXACT:
            if bad := [name for name in names if not _is_name(name)]:
                raise ValueError(f"player {player} has a hand called {short(bad[0])}; it must be {_NAME}")
            if len(set(names)) < len(names):
                twice = next(name for k, name in enumerate(names) if name in names[:k])
                raise ValueError(f"player {player} has two hands called {short(twice)}; rename one")
    _check_joint_distribution(deal)
    if tree is not None and not tree.is_usual:
        _check_cases(deal, tree)


def _check_cases(deal: FiniteDeal, tree: BettingTree) -> None:
    """Check the deals after chance events, and those in which showdowns compare hands by another rule than the usual one."""
    sums = {(tree.cases[name], node.events): name for name, node in tree.reveals.items()}
    for (case, events), name in sums.items():
        before = deal.in_case(case)
        for event in events:
            place = f"after {' and '.join((*case.events, event))}"
            distribution = before.after(event)
            if not isinstance(distribution, FiniteDeal) or distribution.labels != deal.labels:
                raise ValueError(f"{place}: the deal must have the same hands as before the event")
            if not any(prior > 0 for prior in distribution.floats.prior(0)):
                raise ValueError(f"{place}: this event has probability 0 with every pair of hands; leave it out")
            with _at(place):
                _check_joint_distribution(distribution, whole=False)
        _check_sum(f"node {name!r}", before, [deal.in_case(Case((*case.events, event))) for event in events])
    for case in {case for case in tree.cases.values() if case.contest}:
        before = deal.in_case(Case(case.events))
        distribution = before.contest(case.contest)
        place = f"contest {case.contest!r}"
        if not isinstance(distribution, FiniteDeal) or distribution.labels != deal.labels:
            raise ValueError(
                f"{place}: the deal of a showdown rule must have the same hands, in the same order, as the original deal"
            )
        with _at(place):
            _check_joint_distribution(distribution, not case.events)
        _check_sum(place, before, [distribution])


def _check_sum(place: str, before: FiniteDeal, distributions: Sequence[FiniteDeal]) -> None:
    """Check that the probabilities of each pair of hands in `distributions` sum to the pair's probability in `before`."""
    exact, near = _arithmetic(before)
    distributions = distributions if exact else [distribution.floats for distribution in distributions]
    distribution = before if exact else before.floats
    chosen = _chosen(distribution.size(1), _work(distribution, exact))
    parts = [_rows(one, 0, chosen, exact)[0] for one in distributions]
    total, whole = sum(parts[1:], parts[0]), _rows(distribution, 0, chosen, exact)[0]
    if wrong := _first(~(np.abs(total - whole) <= near)):
        i, k = wrong
        raise ValueError(
            f"{place}: {_hands(distribution, 0, k, chosen[i])} have the probability {show(whole[wrong])} in the deal, but "
            f"{show(total[wrong])} {'in this contest' if place.startswith('contest') else 'summed over the events'}; both must be the same"
        )


def _arithmetic(deal: Deal) -> tuple[bool, float]:
    """Return whether the distribution is checked with exact numbers, and how far two probabilities may be apart."""
    exact = _size(deal) <= MOST_EXACT and deal.is_exact
    return exact, 0 if exact else NEAR


def _work(deal: Deal, exact: bool) -> int:
    """Return the number of the opponent's hands that the checks may take."""
    return WORK * (1 if exact else FLOATS) // _size(deal)


def _size(deal: Deal) -> int:
    """The operations of one `mass`."""
    return deal.size(0) * deal.size(1) if deal.in_pairs else deal.size(0) + deal.size(1)


def _check_joint_distribution(deal: FiniteDeal, whole: bool = True) -> None:
    """Check that a deal is one joint distribution; its total must be 1 if it is the `whole` distribution, and not that of an event."""
    sizes = deal.size(0), deal.size(1)
    exact, near = _arithmetic(deal)
    distribution = deal if exact else deal.floats
    _check_totals(distribution, exact, whole)
    chosen = [_chosen(size, _work(deal, exact)) for size in sizes]
    if isinstance(distribution, MatrixDeal):
        _check_range(distribution, 0, range(sizes[1]), distribution.joint().T, distribution.joint_edge().T, near)
    tables = [_rows(distribution, player, chosen[1 - player], exact) for player in (0, 1)]
    if exact:
        _check_exact(distribution, chosen, tables)
    _check_pairs(distribution, chosen, tables, near)
    _check_all_at_once(distribution, exact)
    if exact:
        for player, table in enumerate(tables):
            for rows, floats, operator in zip(
                table, _rows(deal.floats, player, chosen[1 - player], False), ("mass", "edge"), strict=True
            ):
                apart = np.abs(as_floats(rows) - floats)
                if place := _first(~(apart <= NEAR)):
                    i, k = place
                    raise ValueError(
                        f"{_hands(distribution, player, k, chosen[1 - player][i])}: `{operator}` is {show(rows[place])}, but "
                        f"{show(float(floats[place]))} in `floats`; both must be the same to {NEAR}"
                    )


def _check_exact(distribution: FiniteDeal, chosen: list[list[int]], tables: list[tuple[Array, Array]]) -> None:
    """Check that no probability or edge is a float, or irrational, where the distribution is exact, as its totals are."""
    for player, table in enumerate(tables):
        for rows, what in zip(table, ("a probability", "an edge"), strict=True):
            others = np.array([[type(number) not in (int, Fraction) for number in row] for row in rows])
            if place := _first(others):
                i, k = place
                hands = _hands(distribution, player, k, chosen[1 - player][i])
                raise ValueError(f"{hands}: {what} is {rows[place]!r}, a {type(rows[place]).__name__}; use a Fraction")


def _cuts(deal: DensityDeal) -> EqualCuts | tuple[Fraction, ...]:
    equal = EqualCuts(CELLS)
    distributions = [deal, *deal.events.values(), *deal.contests.values()]
    pieces = [
        f
        for distribution in distributions
        if isinstance(distribution, DensityDeal)
        for pair in distribution.terms
        for f in pair
    ]
    cuts = sorted({*equal, *(cut for f in pieces for cut in f.cuts)})
    return equal if len(cuts) == CELLS + 1 else tuple(cuts)


def _chosen(size: int, most: int) -> list[int]:
    """The hands whose pairs are checked: all, or some from the weakest to the strongest."""
    count = min(size, max(FEWEST, most))
    return sorted({round(k * (size - 1) / max(count - 1, 1)) for k in range(count)})


def _hands(distribution: FiniteDeal, player: int, mine: int, theirs: int) -> str:
    """The two hands in words, where `player` holds `mine`."""
    first, second = (theirs, mine) if player else (mine, theirs)
    return f"hands {distribution.label(0, first)!r} of player 0 and {distribution.label(1, second)!r} of player 1"


def _first(wrong: Array) -> tuple[int, ...] | None:
    """Return the place of the first wrong entry."""
    places = np.argwhere(wrong)
    return tuple(map(int, places[0])) if len(places) else None


def _check_totals(distribution: FiniteDeal, exact: bool, whole: bool) -> None:
    """Check that the probabilities of each player's hands are at least 0, and sum to 1 if this is the `whole` distribution."""
    for player in (0, 1):
        prior = distribution.prior(player)
        if place := _first(~(prior >= (0 if exact else -NEAR))):
            (hand,) = place
            raise ValueError(
                f"hand {distribution.label(player, hand)!r} of player {player} has the probability {show(prior[hand])}; "
                "it must be at least 0"
            )
        total = distribution.total(prior)
        if whole and not abs(total - 1) <= (0 if exact else TOTAL):
            raise ValueError(
                f"player {player}'s hands have the total probability {show(total)}, not 1; divide each probability by the total"
            )


def _check_all_at_once(distribution: FiniteDeal, exact: bool) -> None:
    """Check by one sum over all pairs of hands that `mass` and `edge` of player 0 agree with those of player 1.

    Each hand of a player has another weight in the sum, so that a fault at any one hand changes it.
    """
    sizes = distribution.size(0), distribution.size(1)
    ramps = [
        np.array([Fraction(k + 1, size) for k in range(size)]) if exact else np.arange(1, size + 1) / size
        for size in sizes
    ]
    for operator, sign in ((distribution.mass, 1), (distribution.edge, -1)):
        first, second = (distribution.total(ramps[player] * operator(player, ramps[1 - player])) for player in (0, 1))
        if not abs(first - sign * second) <= (0 if exact else TOTAL):
            raise ValueError(
                f"`{operator.__name__}` of player 0 and of player 1 contradict each other. If the k-th of a player's n hands has "
                f"the weight k/n, the sum of weight * {operator.__name__}(player, the opponent's weights) over the player's hands "
                f"is {show(first)} for player 0 and {show(second)} for player 1; "
                + ("they must be equal" if sign == 1 else "one must be minus the other")
            )


def _rows(distribution: FiniteDeal, player: int, theirs: list[int], exact: bool) -> tuple[Array, Array]:
    """`mass` and `edge` of `player` against each of some hands of the opponent, shape (some hands, hands of `player`)."""
    weights = []
    for hand in theirs:
        weight = distribution.constant(1 - player, Fraction(0) if exact else 0.0)
        weight[hand] = 1
        weights.append(weight)
    masses, edges = (
        np.stack([operator(player, weight) for weight in weights])
        for operator in (distribution.mass, distribution.edge)
    )
    return masses, edges


def _check_range(
    distribution: FiniteDeal, player: int, theirs: Sequence[int], mass: Array, edge: Array, near: float
) -> None:
    """Check that the probabilities of `player`'s hands with some of the opponent's are at least 0, and edges from -1 to 1."""
    for wrong, of_edge in ((~(mass >= -near), False), (~(np.abs(edge) <= mass + near), True)):
        if place := _first(wrong):
            i, k = place
            hands = _hands(distribution, player, k, theirs[i])
            if not of_edge:
                raise ValueError(f"{hands} have the probability {show(mass[place])}; it must be at least 0")
            if not mass[place]:
                raise ValueError(f"{hands} have the probability 0, but `edge` is {show(edge[place])}; it must be 0 too")
            raise ValueError(f"{hands}: edge = P(win) - P(loss) = {show(edge[place] / mass[place])}, not from -1 to 1")


def _check_pairs(
    distribution: FiniteDeal, chosen: list[list[int]], tables: list[tuple[Array, Array]], near: float
) -> None:
    """Check the probability and the edge of each pair of which a hand is chosen."""
    for player, (mass, edge) in enumerate(tables):
        _check_range(distribution, player, chosen[1 - player], mass, edge, near)
    for operator, sign in (("mass", 1), ("edge", -1)):
        first, second = (table[operator == "edge"] for table in tables)
        first, second = first[:, chosen[0]].T, sign * second[:, chosen[1]]
        if place := _first(~(np.abs(first - second) <= near)):
            raise ValueError(
                f"{_hands(distribution, 0, chosen[0][place[0]], chosen[1][place[1]])}: `{operator}` is {show(first[place])} for player 0 "
                f"and {show(sign * second[place])} for player 1; {'both must be equal' if sign == 1 else 'one must be minus the other'}"
            )
    mass, edge = (part[:, chosen[0]].T for part in tables[0])
    for row, mine in enumerate(chosen[0][:16]):
        for column, theirs in enumerate(chosen[1][:16]):
            met, paid = mass[row, column], edge[row, column]
            if met > near and not abs(distribution.compare(mine, theirs) * met - paid) <= near:
                raise ValueError(
                    f"{_hands(distribution, 0, mine, theirs)}: `compare` is {show(distribution.compare(mine, theirs))}, but `edge` "
                    f"divided by `mass` is {show(paid / met)}; both must be the same"
                )


def check_printed(game: Game) -> None:
    """Check that the paper's symbols are finite numbers, and its strategies for these parameters a profile of the game.

    Each free parameter of a family is checked at its default and at both ends.

    Raises:
        ValueError: a symbol is not a finite number, or the published numbers make no profile.
    """
    for symbol, number in game.blueprint.values(game.parameters).items():
        _check_finite(f"the symbol {symbol}", number, Rational, float, FieldElement)
    if game.is_published:
        printed, _ = game.printed_numbers()
        ends: list[dict[str, Any]] = [
            {name: end} for name, family in printed.family.items() for end in (family.least, family.most)
        ]
        for values in ({}, *ends):
            game.published(**values)
