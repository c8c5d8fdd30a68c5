"""Checks of Miao's section on stupid mistakes: which actions are dominated, outright or after removing others."""

from __future__ import annotations

from relance.claims.dominance import DominatedAction, dominated_by, is_dominated, plan_name, remaining
from relance.claims.miao.family import CARDS, DEALER, MIAO, OPENER, members
from relance.claims.prelude import *
from relance.claims.trace import shows_wrong
from relance.model.tree import path_name


def _mistakes(game: Game) -> dict[str, list[DominatedAction]]:
    """The seven candidates of the thesis by number."""

    def both(card: str, action: str) -> list[DominatedAction]:
        return [
            DominatedAction(
                p, card, tuple(name for name, node in game.tree.of(p).items() if action in node.actions), action
            )
            for p in (OPENER, DEALER)
        ]

    return {
        "1": both("A", "fold"),
        "2": both("Q", "call"),
        "3": [DominatedAction(DEALER, "A", ("check",), "check")],
        "4": [DominatedAction(OPENER, "K", ("",), "bet"), DominatedAction(DEALER, "K", ("check",), "bet")],
        "5": both("K", "raise"),
        "6": [DominatedAction(OPENER, "A", ("check-bet",), "call")],
        "7": [DominatedAction(DEALER, "A", ("bet",), "call")],
    }


_BASIC = "once nobody folds the ace or calls with the queen"
STANDING = {
    "outright": "weakly dominated, whatever the opponent does",
    "after removal": f"not dominated outright, but weakly dominated {_BASIC}",
    "never": f"not dominated, not even {_BASIC}",
    "mixed": "not the same for both players",
}


def _standing(game: Game, number: str) -> str:
    """Return the key of `STANDING` that is true of Miao's candidate mistake of this number."""
    table = _mistakes(game)
    basic = [m for key in "12" for m in table[key]]

    def alone(m: DominatedAction) -> str:
        return "outright" if is_dominated(game, m) else "after removal" if is_dominated(game, m, basic) else "never"

    ways = {alone(m) for m in table[number]}
    return ways.pop() if len(ways) == 1 else "mixed"


def mistake(n: Numbers, number: str, standing: str, raises: int = 1) -> Finding:
    """Check whether Miao's candidate mistake `number` ("1" to "7") is weakly dominated in Kuhn's poker with this many `raises`.

    `standing` must be "outright" (dominated), "after removal" (dominated only once nobody folds the ace or calls with the queen), "never"
    (not even then) or "mixed" (not the same for both players). The printed numbers are the chips that the player who makes the mistake
    wins with the higher card at some terminal nodes, by path.
    """
    game = make("one_card_poker", raises=raises)
    true = _standing(game, number)
    sign = 1 - 2 * _mistakes(game)[number][0].player
    won = {path: sign * leaf.constant + leaf.stake for path, leaf in game.tree.leaves.items()}
    text = "; ".join([STANDING[true], *(f"{path}: {won[path]}" for path in n)])
    return Finding(true == standing and all(won[path] == n[path] for path in n), text, (At(game),))


def six(n: Numbers, mistakes: Sequence[str]) -> Finding:
    """Check that `mistakes` are those of Miao's candidates 1 to 7 that are dominated, outright or once 1 and 2 are removed."""
    standing = {number: _standing(MIAO, number) for number in _mistakes(MIAO)}
    found = [number for number, how in standing.items() if how in ("outright", "after removal")]
    return Finding(
        found == list(mistakes),
        "; ".join(f"{number}: {STANDING[how]}" for number, how in standing.items()),
        (At(MIAO),),
    )


def _ruled_out() -> list[DominatedAction]:
    return [m for number, mistakes in _mistakes(MIAO).items() if number != "4" for m in mistakes]


def _dominated_steps(without: Sequence[DominatedAction]) -> dict[str, DominatedAction]:
    """The actions that only dominated plans contain, once the mistakes `without` are ruled out, as {"player card path": action}."""
    found = {}
    for player, (i, card) in product((OPENER, DEALER), enumerate(CARDS)):
        left = remaining(MIAO, player, card, without)
        good = [plan for plan in left if dominated_by(MIAO, player, i, plan, without) is None]
        for node, action in sorted({step for plan in left for step in plan.items()}):
            if all(plan.get(node) != action for plan in good):
                name = f"{('opener', 'dealer')[player]} {card} {path_name((*filter(None, [node]), action))}"
                found[name] = DominatedAction(player, card, (node,), action)
    return found


def later_mistakes(n: Numbers, rounds: list[list[str]]) -> Finding:
    """Check which actions are dominated in each round once the six mistakes are removed; Miao's family plays just the plans that remain."""
    without, found = _ruled_out(), []
    while new := _dominated_steps(without):
        found.append(sorted(new))
        without += new.values()
    _, profile = members("0 < alpha < 1")
    alike = all(
        (plan in remaining(MIAO, player, card, without)) == all(profile.row(*step)[i] != 0 for step in plan.items())
        for player, (i, card) in product((OPENER, DEALER), enumerate(CARDS))
        for plan in plans(MIAO, player)
    )
    text = "; then ".join(", ".join(steps) for steps in found)
    right = found == [sorted(steps) for steps in rounds] and alike
    return Finding(right, f"{text}; the family plays all that is left: {alike}", (At(MIAO),))


def king_bet_lives(n: Numbers) -> Finding:
    """Check that the opener's bet with the king is not dominated without Miao's six mistakes; a call of a queen's raise wins 3 chips."""
    bets = [plan for plan in plans(MIAO, OPENER) if plan[""] == "bet"]
    king = CARDS.index("K")
    alive = [plan_name(plan) for plan in bets if dominated_by(MIAO, OPENER, king, plan, _ruled_out()) is None]
    dealer = {"check": {"check": 1}, "bet": {"raise": 1, "call": 0}, "check-bet-raise": {"fold": 1}}
    profile = MIAO.profile({**MIAO.uniform().plan(), **dealer})
    won = 2 * expected(MIAO, profile, OPENER, "K", {"": "bet", "bet-raise": "call"}, opponent="Q")
    text = f"{', '.join(alive)} with the king stays undominated; bet, raise, call wins {won} against the queen"
    return equal({"wins": won}, n, MIAO).only_if(bool(alive), text)


def choices(n: Numbers, player: int, **printed: list[str]) -> Finding:
    """Check which plans of `player` make none of the six mistakes; `printed` names them by card ("K"), or by card and node ("K_bet")."""
    left = {}
    for key in printed:
        card, _, node = key.partition("_")
        plans_left = remaining(MIAO, player, card, _ruled_out())
        left[key] = {plan_name({at: plan[at] for at in plan if at.startswith(node)}) for plan in plans_left}
        if left[key] != set(printed[key]):
            shows_wrong()
    wrong = [key for key in printed if left[key] != set(printed[key])]
    text = "; ".join(f"{key.replace('_', ' after ')}: {', '.join(sorted(left[key]))}" for key in wrong or printed)
    return Finding(not wrong, text + (", and nothing else" if wrong else ""), (At(MIAO),))
