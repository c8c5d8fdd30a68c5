"""Re-verifies the reference answers in docs/results/reference/ independently, from the rules of the games alone. It needs only Python 3.11.

A file holds a game, how both players play it, the value to player 0, and perhaps other strategies with what a best response earns
against each. The rules are written here once more. A player's best response is computed over everything that the player has seen: against
these strategies player 0 earns at most `value`, and player 1 at most minus `value`; so it is the value, and both play an equilibrium.
All arithmetic is in fractions.

    python check_reference_answers.py FILES

The exit status is 1 if anything is wrong.
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import permutations
from pathlib import Path

Policy = Mapping[str, Mapping[str, Fraction]]
ZERO = Fraction(0)


@dataclass
class Node:
    """A terminal node (player None), a move of chance (-1), or a decision.

    `seen` is all that the player has seen, `key` the entry of that player's strategy, and `next` makes the node after each action.
    """

    pays: Fraction = ZERO
    player: int | None = None
    seen: object = None
    key: str = ""
    next: Mapping[str, Callable[[], "Node"]] = field(default_factory=dict)


def chance(nodes: Iterable[Callable[[], Node]]) -> Node:
    """Equally likely moves of chance."""
    return Node(player=-1, next={str(i): node for i, node in enumerate(nodes)})


# ---- the rules -------------------------------------------------------------------------------------------------------------


def kuhn() -> Node:
    """Kuhn poker: three cards, an ante of 1, one bet of 1; the keys are OpenSpiel's."""

    def play(cards: tuple[int, ...], history: str) -> Node:
        if history in ("pp", "bb", "pbb"):
            return Node(Fraction((2 if "b" in history else 1) * (1 if cards[0] > cards[1] else -1)))
        if history in ("bp", "pbp"):
            return Node(Fraction(1 if history == "bp" else -1))
        player = len(history) % 2
        key = f"{cards[player]}{history}"
        return Node(
            ZERO,
            player,
            key,
            key,
            {"Pass": partial(play, cards, history + "p"), "Bet": partial(play, cards, history + "b")},
        )

    return chance(partial(play, cards, "") for cards in permutations(range(3), 2))


def leduc() -> Node:
    """Leduc poker: six cards of three ranks, an ante of 1, two rounds of at most two raises, of 2 and then of 4; the keys are OpenSpiel's.

    A card lies open from the second round on; a pair with it wins, else the higher rank.
    """

    def strength(card: int, public: int) -> tuple[bool, int]:
        return card // 2 == public // 2, card // 2

    def play(cards: tuple[int, ...], public: int | None, paid: tuple[int, int], rounds: tuple[str, ...]) -> Node:
        actions = rounds[-1]
        player, other = len(actions) % 2, 1 - len(actions) % 2
        if actions.endswith("0"):  # the player to move is the one who did not fold
            return Node(Fraction(paid[other] * (1 - 2 * player)))
        if actions.endswith("1") and len(actions) > 1:
            if public is None:
                rest = [card for card in range(6) if card not in cards]
                return chance(partial(play, cards, card, paid, (actions, "")) for card in rest)
            mine, theirs = (strength(card, public) for card in cards)
            return Node(Fraction(paid[0] * ((mine > theirs) - (mine < theirs))))
        shown = "" if public is None else f"[Public: {public}]"
        spaced = [" ".join(text) for text in (*rounds, "")][:2]
        key = (
            f"[Observer: {player}][Private: {cards[player]}][Round {len(rounds)}][Player: {player}][Pot: {sum(paid)}]"
            f"[Money: {100 - paid[0]} {100 - paid[1]}]{shown}[Round1: {spaced[0]}][Round2: {spaced[1]}]"
        )

        def after(action: str, put: int) -> Callable[[], Node]:
            now = (put, paid[1]) if player == 0 else (paid[0], put)
            return partial(play, cards, public, now, (*rounds[:-1], actions + action))

        moves = {"Call": after("1", paid[other])}
        if paid[other] > paid[player]:
            moves["Fold"] = after("0", paid[player])
        if actions.count("2") < 2:
            moves["Raise"] = after("2", paid[other] + 2 * len(rounds))
        return Node(ZERO, player, key, key, moves)

    return chance(partial(play, cards, None, (1, 1), ("",)) for cards in permutations(range(6), 2))


def textarena_kuhn(bet: int, hands: int = 3) -> Node:
    """TextArena's Kuhn poker: hands in turn, player 1 first in the first one; who has more chips at the end wins 1 from the other.

    After a showdown both have seen both cards. `bet` is what a bet puts into the pot; 0 in release 0.7.4.
    """

    def start(hand: int, chips: int, seen: tuple[tuple[object, ...], ...]) -> Node:
        if hand > hands:
            return Node(Fraction((chips > 0) - (chips < 0)))
        return chance(partial(play, hand, chips, seen, cards, ()) for cards in permutations(range(3), 2))

    def play(
        hand: int, chips: int, seen: tuple[tuple[object, ...], ...], cards: tuple[int, ...], history: tuple[str, ...]
    ) -> Node:
        player = (hand + len(history)) % 2
        shown = history[-1:] != ("fold",)
        if not shown:  # the player to move is the one who did not fold
            won = 1 - 2 * player
        elif history in (("check", "check"), ("bet", "call"), ("check", "bet", "call")):
            won = (1 if cards[0] > cards[1] else -1) * (1 + bet * ("bet" in history))
        else:
            facing = history[-1:] == ("bet",)
            key = f"hand {hand}, {chips if player == 0 else -chips:+d}: {'JQK'[cards[player]]} {'-'.join(history)}".rstrip()
            return Node(
                ZERO,
                player,
                (seen[player], cards[player], history),
                key,
                {
                    action: partial(play, hand, chips, seen, cards, (*history, action))
                    for action in (("fold", "call") if facing else ("check", "bet"))
                },
            )
        return start(hand + 1, chips + won, tuple((*seen[p], cards if shown else cards[p], history) for p in (0, 1)))

    return start(1, 0, ((), ()))


GAMES: dict[str, Callable[[], Node]] = {
    "kuhn_poker": kuhn,
    "leduc_poker": leduc,
    "textarena_kuhn": lambda: textarena_kuhn(bet=1),
    "textarena_kuhn_0.7.4": lambda: textarena_kuhn(bet=0),
}


# ---- best responses --------------------------------------------------------------------------------------------------------


def best(nodes: list[tuple[Fraction, Node]], player: int, policy: Policy) -> Fraction:
    """What `player` earns at best from histories that look the same to that player, each with its chance, against `policy`."""
    total, groups = Fraction(0), dict[object, list[tuple[Fraction, Node]]]()
    while nodes:
        weight, node = nodes.pop()
        if node.player is None:
            total += weight * node.pays * (1 - 2 * player)
        elif node.player == player:
            groups.setdefault(node.seen, []).append((weight, node))
        else:
            distribution = (
                policy[node.key] if node.player >= 0 else dict.fromkeys(node.next, Fraction(1, len(node.next)))
            )
            if (
                distribution.keys() != node.next.keys()
                or sum(distribution.values()) != 1
                or min(distribution.values()) < 0
            ):
                raise ValueError(
                    f"{node.key!r}: {distribution} is no distribution of the actions {', '.join(node.next)}"
                )
            nodes += [
                (weight * distribution[action], child()) for action, child in node.next.items() if distribution[action]
            ]
    for group in groups.values():
        total += max(best([(w, node.next[a]()) for w, node in group], player, policy) for a in group[0][1].next)
    return total


def read(policy: Mapping[str, Mapping[str, str]]) -> Policy:
    return {key: {action: Fraction(p) for action, p in distribution.items()} for key, distribution in policy.items()}


def check(path: Path) -> str | None:
    """What is wrong with a file, or None."""
    answer = json.loads(path.read_text(encoding="utf-8"))
    game, value = GAMES[answer["game"]], Fraction(answer["value"])
    for player, claimed in enumerate((value, -value)):
        if (found := best([(Fraction(1), game())], player, read(answer["policy"]))) != claimed:
            return f"a best response of player {player} earns {found}, not {claimed}"
    for name, other in answer.get("others", {}).items():
        earned = [best([(Fraction(1), game())], player, read(other["policy"])) for player in (0, 1)]
        if earned != [Fraction(text) for text in other["best_responses"]]:
            return f"against {name} best responses earn {', '.join(map(str, earned))}"
    return None


def main() -> None:
    """Check the files that the command line names."""
    failed = False
    for path in map(Path, sys.argv[1:]):
        try:
            wrong = check(path)
        except (OSError, ValueError, KeyError) as error:
            wrong = f"{type(error).__name__}: {error}"
        print(f"{path.name}: {wrong or 'right'}")
        failed |= wrong is not None
    sys.exit(failed or len(sys.argv) < 2)


if __name__ == "__main__":
    main()
