"""Exact answers for poker games that others ship: OpenSpiel's Kuhn and Leduc poker, and TextArena's Kuhn poker of three hands.

    python -m studies.reference_answers

It writes a certificate for each to docs/results/reference/, which `tools/check_reference_answers.py` independently re-verifies, and prints
what docs/reference_answers.md says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any, TypeAlias

from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode, TreeNode, TreeProfile
from relance.registration.game_trees import game_tree
from relance.solvers.lp import solve_exactly
from relance.solvers.tree_values import evaluate
from tools.check_reference_answers import GAMES, best

FOLDER = Path(__file__).resolve().parent.parent / "docs/results/reference"

Policy: TypeAlias = dict[str, dict[str, Fraction]]
"""For each information set, the probability of each action."""

ZERO, ONE = Fraction(0), Fraction(1)


def solved(tree: GameTree) -> tuple[Fraction, TreeProfile]:
    """The value to player 0 and an equilibrium, exact."""
    profile = solve_exactly(tree)
    return evaluate(tree, profile).values[0], profile


def stage(hand: int, chips: int, worth: Mapping[int, Fraction], bet: int) -> GameTree:
    """One hand of TextArena's Kuhn poker when player 0 has `chips`; `worth` is what each number of chips after it is worth to them."""

    def play(cards: tuple[int, ...], history: tuple[str, ...]) -> TreeNode:
        player = (hand + len(history)) % 2
        if history[-1:] == ("fold",):  # the player to move is the one who did not fold
            return TerminalNode(worth[chips + 1 - 2 * player])
        if history in (("check", "check"), ("bet", "call"), ("check", "bet", "call")):
            return TerminalNode(worth[chips + (1 if cards[0] > cards[1] else -1) * (1 + bet * ("bet" in history))])
        actions = ("fold", "call") if history[-1:] == ("bet",) else ("check", "bet")
        mine = f"{'JQK'[cards[player]]} {'-'.join(history)}".rstrip()
        info = f"hand {hand}, {chips if player == 0 else -chips:+d}: {mine}"
        return DecisionNode(player, info, {action: play(cards, (*history, action)) for action in actions})

    deals = list(permutations(range(3), 2))
    return GameTree(ChanceNode({str(cards): (Fraction(1, len(deals)), play(cards, ())) for cards in deals}))


HANDS = 3
"""Hands of `KuhnPoker-v0`."""


def textarena(bet: int) -> tuple[Fraction, Policy]:
    """The value to player 0 and an equilibrium: from the last hand to the first, for each number of chips."""
    worth = {chips: Fraction((chips > 0) - (chips < 0)) for chips in range(-2 * HANDS, 2 * HANDS + 1)}
    policy: Policy = {}
    for hand in range(HANDS, 0, -1):
        found = {chips: solved(stage(hand, chips, worth, bet)) for chips in range(2 - 2 * hand, 2 * hand - 1)}
        worth = {chips: value for chips, (value, _) in found.items()}
        policy |= {
            info: dict(distribution)
            for _, distributions in found.values()
            for info, distribution in distributions.items()
        }
    return worth[0], policy


def kuhns(alpha: Fraction) -> Policy:
    """Kuhn's equilibrium in each hand of TextArena's, whatever the chips."""
    third = Fraction(1, 3)
    bets = {"": (alpha, ZERO, 3 * alpha), "check": (third, ZERO, ONE)}
    calls = {"bet": (ZERO, third, ONE), "check-bet": (ZERO, alpha + third, ONE)}
    policy: Policy = {}
    for hand in range(1, HANDS + 1):
        for chips in range(2 - 2 * hand, 2 * hand - 1):
            for table, (no, yes) in ((bets, ("check", "bet")), (calls, ("fold", "call"))):
                for history, often in table.items():
                    for card, p in zip("JQK", often, strict=True):
                        policy[f"hand {hand}, {chips:+d}: {card} {history}".rstrip()] = {no: 1 - p, yes: p}
    return policy


def texts(policy: Mapping[str, Mapping[str, Fraction]]) -> dict[str, dict[str, str]]:
    """A policy with its numbers as texts."""
    return {info: {action: str(p) for action, p in distribution.items()} for info, distribution in policy.items()}


def main() -> None:
    """Solve the games and write a certificate for each."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in ("kuhn_poker", "leduc_poker"):
        write(name, *solved(game_tree(name)), {})
    for name, bet in (("textarena_kuhn", 1), ("textarena_kuhn_0.7.4", 0)):
        value, policy = textarena(bet)
        others = {
            f"Kuhn's equilibrium, alpha = {alpha}": kuhns(alpha) for alpha in (ZERO, Fraction(1, 6), Fraction(1, 3))
        }
        write(name, value, policy, others)


def write(
    name: str, value: Fraction, policy: Mapping[str, Mapping[str, Fraction]], others: Mapping[str, Policy]
) -> None:
    """Write one certificate and print its value."""
    print(f"{name}: {value} = {float(value):.12f}")
    answer: dict[str, Any] = {"game": name, "value": str(value), "policy": texts(policy)}
    if others:
        answer["others"] = {}
    for title, other in others.items():
        earned = [best([(ONE, GAMES[name]())], player, other) for player in (0, 1)]
        print(f"  against {title}: {', '.join(map(str, earned))}")
        answer["others"][title] = {"best_responses": [*map(str, earned)], "policy": texts(other)}
    (FOLDER / f"{name}.json").write_text(json.dumps(answer, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
