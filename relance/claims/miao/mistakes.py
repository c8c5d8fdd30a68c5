"""Checks of the section on stupid mistakes: which actions are dominated, outright or after removing others."""

from __future__ import annotations

from functools import cache
from itertools import product

from relance.claims.checks import equal, expected
from relance.claims.finding import At, Finding
from relance.claims.ledger import Numbers
from relance.claims.miao.family import CARDS, DEALER, MIAO, OPENER
from relance.envs import make
from relance.model.game import Game
from relance.solvers.dominance import Mistake, dominated_by, is_dominated, plan_name, plans, remaining


def _mistakes(game: Game) -> dict[str, list[Mistake]]:
    """The seven candidates of the thesis by number."""

    def both(card: str, action: str) -> list[Mistake]:
        return [
            Mistake(p, card, tuple(name for name, node in game.tree.of(p).items() if action in node.actions), action)
            for p in (OPENER, DEALER)
        ]

    return {
        "1": both("A", "fold"),
        "2": both("Q", "call"),
        "3": [Mistake(DEALER, "A", ("check",), "check")],
        "4": [Mistake(OPENER, "K", ("",), "bet"), Mistake(DEALER, "K", ("check",), "bet")],
        "5": both("K", "raise"),
        "6": [Mistake(OPENER, "A", ("check-bet",), "call")],
        "7": [Mistake(DEALER, "A", ("bet",), "call")],
    }


_BASIC = "once nobody folds the ace or calls with the queen"
STANDING = {
    "outright": "weakly dominated, whatever the opponent does",
    "after removal": f"not dominated outright, but weakly dominated {_BASIC}",
    "never": f"not dominated, not even {_BASIC}",
}


@cache
def _standing(game: Game, number: str) -> str:
    table = _mistakes(game)
    if all(is_dominated(game, m) for m in table[number]):
        return "outright"
    basic = [m for key in "12" for m in table[key]]
    return "after removal" if all(is_dominated(game, m, basic) for m in table[number]) else "never"


def mistake(n: Numbers, number: str, standing: str, raises: int = 1) -> Finding:
    """Whether a candidate is dominated outright, only after the basic mistakes are removed, or not at all.

    The printed numbers are what its player wins at some endings, by path, if his card is the higher one.
    """
    game = make("one_card_poker", raises=raises)
    true = _standing(game, number)
    sign = 1 - 2 * _mistakes(game)[number][0].player
    won = {path: sign * leaf.constant + leaf.stake for path, leaf in game.tree.leaves.items()}
    text = "; ".join([STANDING[true], *(f"{path}: {won[path]}" for path in n)])
    return Finding(true == standing and all(won[path] == n[path] for path in n), text, (At(game),))


def six(n: Numbers) -> Finding:
    return equal({"mistakes": sum(_standing(MIAO, number) != "never" for number in _mistakes(MIAO))}, n, MIAO)


def _ruled_out() -> list[Mistake]:
    return [m for number, mistakes in _mistakes(MIAO).items() if number != "4" for m in mistakes]


def next_mistakes(n: Numbers, opener: list[str], dealer: list[str]) -> Finding:
    """Exactly these ways to bet or check, by card, are dominated once the six mistakes are ruled out."""
    found: list[set[str]] = [set(), set()]
    for player, hand in product((OPENER, DEALER), range(len(CARDS))):
        for plan in remaining(MIAO, player, CARDS[hand], _ruled_out()):
            if dominated_by(MIAO, player, hand, plan, _ruled_out()):
                first = {node: action for node, action in plan.items() if player == OPENER or node.startswith("check")}
                found[player].add(f"{CARDS[hand]} {plan_name(first)}")
    text = f"dominated next: {', '.join(sorted(found[OPENER]))} for the opener, {', '.join(sorted(found[DEALER]))} for the dealer"
    return Finding(found == [set(opener), set(dealer)], text, (At(MIAO),))


def king_bet_lives(n: Numbers) -> Finding:
    """Betting the king survives the removal of the six mistakes, and wins 3 chips if the queen raises and is called."""
    bets = [plan for plan in plans(MIAO, OPENER) if plan[""] == "bet"]
    king = CARDS.index("K")
    alive = [plan_name(plan) for plan in bets if dominated_by(MIAO, OPENER, king, plan, _ruled_out()) is None]
    dealer = {"check": {"check": 1}, "bet": {"raise": 1, "call": 0}, "check-bet-raise": {"fold": 1}}
    profile = MIAO.profile({**MIAO.uniform().plan(), **dealer})
    won = 2 * expected(MIAO, profile, OPENER, "K", {"": "bet", "bet-raise": "call"}, opponent="Q")
    text = f"{', '.join(alive)} with the king stays undominated; bet, raise, call wins {won} against the queen"
    return equal({"wins": won}, n, MIAO).only_if(bool(alive), text)


def choices(n: Numbers, player: int, **printed: list[str]) -> Finding:
    """The plans that make no mistake, by card, or by card and node as "card_node"."""
    left = {}
    for key in printed:
        card, _, node = key.partition("_")
        plans_left = remaining(MIAO, player, card, _ruled_out())
        left[key] = {plan_name({at: plan[at] for at in plan if at.startswith(node)}) for plan in plans_left}
    wrong = [key for key in printed if left[key] != set(printed[key])]
    text = "; ".join(f"{key.replace('_', ' after ')}: {', '.join(sorted(left[key]))}" for key in wrong or printed)
    return Finding(not wrong, text + (", and nothing else" if wrong else ""), (At(MIAO),))
