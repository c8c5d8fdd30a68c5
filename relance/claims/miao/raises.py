"""Checks of claims on Kuhn's poker with any number of raises, by a second raise against a raiser who never folds.

Only the ace raises in Miao's family, and it never folds after that. So whoever raises it again loses all the chips that this player has
put in by the end. These are the chips put in before the second raise and a further amount, `more`, of at least 0, whatever follows.
"""

from __future__ import annotations

from relance.claims.miao.family import (
    ALL,
    CARDS,
    DEALER,
    MIAO,
    OPENER,
    VARIANTS,
    Change,
    changed,
    in_equilibrium,
    lp_solution,
)
from relance.claims.prelude import *
from relance.solvers.optimal_set import optimal_set

DEPTHS = range(1, 7)
"""The numbers of raises at which the games are also solved one by one."""


def _second_raise(where: Region) -> Game:
    """The game that a second raise ends, with a showdown for the chips put in before it and `more`."""

    def cut(name: str, node: Node) -> Node:
        if name.count("raise") < 2 or not isinstance(node, Decision):
            return node
        folded = node.child("fold")
        assert isinstance(folded, Leaf)
        return showdown(abs(folded.constant) + where["more"])

    return rewritten(make("one_card_poker", raises=2), cut)


def _no_less() -> Finding:
    """No chips come back: after s chips and a raise of b, terminal nodes are worth s and s + b, or come after it."""
    where = region("b", "b > 0")
    stakes = induction(["b > 0"], ["s >= before"], {"s": "before"}, {"s": "s + b"})
    found = true_for(
        where, lambda: all(_is_ladder(node, where["b"]) for node in _after_raises(where["b"])), "each raise adds b"
    )
    return together([found, replace(stakes, where=found.where)])


def _after_raises(b: Number) -> Iterator[Decision]:
    for raises in DEPTHS:
        game = make("one_card_poker", raises=raises, bet=b)
        yield from (node for name, node in game.tree.decisions.items() if name.endswith("raise"))


def _is_ladder(node: Decision, b: Number) -> bool:
    """True if a fold here costs what was put in, s, a call leads to a showdown for s + b, and a raise to where a fold costs s + b."""
    fold = node.child("fold")
    assert isinstance(fold, Leaf)
    s = fold.constant if node.player else -fold.constant
    again = node.child("raise") if "raise" in node.actions else None
    next_fold = again.child("fold") if isinstance(again, Decision) else None
    after = isinstance(next_fold, Leaf) and (next_fold.constant if node.player == 0 else -next_fold.constant) == s + b
    return fold.stake == 0 and node.child("call") == showdown(s + b) and (again is None or after)


def _ace_alone(game: Game, change: Change) -> bool:
    """True if in the family with this change nobody raises with the queen or the king, and nobody folds the ace."""
    plan = game.profile(changed(region("alpha", ALL), change, game)).plan()
    queen, king, ace = map(CARDS.index, "QKA")
    raises, folds = ([row[action] for row in plan.values() if action in row] for action in ("raise", "fold"))
    return all(row[queen] == row[king] == 0 for row in raises) and all(row[ace] == 0 for row in folds)


@unproved("from two raises to any number")
def any_raises(n: Numbers, name: str = "") -> Finding:
    """Check that Miao's family is an equilibrium with the printed value, for any number of raises.

    With a `name`, the family is changed as this entry of `VARIANTS` says.
    """
    change = VARIANTS[name] if name else lambda numbers: {}

    def direct(raises: int) -> Finding:
        game = make("one_card_poker", raises=raises)
        found, worth = in_equilibrium(game, change), lp_solution(raises)[0]
        right = worth == n["value"] and _ace_alone(game, change)
        return found.only_if(right, f"{found.evidence}, by linear programming {worth}")

    one, two = in_equilibrium(change=change), region("alpha, more", ALL, "more >= 0")
    if not one.holds:
        return one
    text = f"{one.evidence}; directly, and by linear programming, with {DEPTHS[0]} to {DEPTHS[-1]} raises"
    facts = {"one raise": one, "second raise": in_equilibrium(_second_raise(two), change, two), "chips": _no_less()}
    return _any_number(facts, text, DEPTHS, direct)


def _any_number(
    facts: Mapping[str, Finding], text: str, raises: Sequence[int], direct: Callable[[int], Finding]
) -> Finding:
    """Check that the facts that decide any number of raises hold, and the statement directly for some."""
    found = together(facts)
    return found.only_if(each("raises", raises, direct), text) if found.holds else found


@unproved("from two raises to any number")
def raises_with_aces(n: Numbers, cards: Sequence[str]) -> Finding:
    """Check that no optimal strategy raises, or calls a raise, with one of these cards, for any number of raises.

    Against Miao's family with 0 < alpha < 1 such a move earns less than folding, so that no optimal strategy makes it. A second check: the
    greatest total weight of these moves over all optimal strategies is 0.
    """
    one, two = region("alpha", "0 < alpha < 1"), region("alpha, more", "0 < alpha < 1", "more >= 0")

    def loses(where: Region, game: Game, node: str, card: str) -> Finding:
        won = {
            a: chips[CARDS.index(card)] for a, chips in chips_by_action(game, changed(where, game=game), node).items()
        }
        bad = [action for action in won if action == "raise" or (action == "call" and node.endswith("raise"))]
        text = f"after {node}, {' and '.join(bad)} with the {card} earns less than folding"
        return true_for(where, lambda: all(won[action] < won["fold"] for action in bad), text)

    def everywhere(where: Region, game: Game) -> Finding:
        facing = [name for name, node in game.tree.decisions.items() if "fold" in node.actions]
        return together([loses(where, game, node, card) for node, card in product(facing, cards)])

    facts = {
        "one raise": everywhere(one, MIAO),
        "second raise": everywhere(two, _second_raise(two)),
        "chips": _no_less(),
    }

    def most(raises: int) -> Finding:
        weight = []
        for player in (OPENER, DEALER):
            found, ends = optimal_set(make("one_card_poker", raises=raises), player), ("raise", "raise-call")
            named = [(s.name, *s.name.split(), action) for s in found.tree.infosets_of(player) for action in s.actions]
            raised = {
                (name, path[-1]): 1 for name, card, *path in named if card in cards and "-".join(path).endswith(ends)
            }
            weight.append(found.range_of_sum(raised)[1])
        return Finding(not any(weight), f"by linear programming their total weight is at most {max(weight)}").part(
            "", At(raises)
        )

    text = f"raising, or calling a raise, with {' and '.join(cards)} earns less than folding; and by linear programming with 1 to 4 raises"
    return _any_number(facts, text, (1, 2, 3, 4), most)
