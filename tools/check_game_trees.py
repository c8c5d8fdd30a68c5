"""Re-verifies certificates of game trees independently, from the game and the profile alone. It imports nothing of Relance.

Python 3.11 is enough.

A file is JSON: "game" is the text of a Gambit file, "profile" {information set: {action: probability}}, "values" what each player earns,
"best_responses" what each could earn against the others, "nash_conv_at_most" a bound on the sum of the gains. Numbers are texts, and
all arithmetic is in fractions. A best response is computed over histories that look the same to the player; that this is right, because
no player forgets their own past, is checked on the way.

A file with "pieces" is the curve of a frontier: for each of its "points" what a strategy of "player" risks and earns against the known
"opponent"; for each piece a weight p and a strategy of the opponent against which no strategy has more than "at_most" of (1 - p) times its
guarantee plus p times its earnings; and "holds", a strategy of the opponent that leaves the player the "value" at most. So nobody can earn
more than the curve says.

    python check_game_trees.py FILES

The exit status is 1 if anything is wrong.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

ZERO, ONE = Fraction(0), Fraction(1)
WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]|[^\s{},"]+')
Profile = dict[str, dict[str, Fraction]]


@dataclass
class Node:
    """A terminal node ("t"), a move of chance ("c") or a decision ("p") of `player` at the information set `name`."""

    kind: str
    player: int = -1
    name: str = ""
    pays: tuple[Fraction, ...] = ()
    chances: list[Fraction] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)


class Wrong(Exception):
    """The certificate is wrong."""


def need(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Wrong(otherwise)


def plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1])


def read(text: str) -> tuple[Node, int]:
    """The root of a game, and the number of its players, from a file as Relance writes it: names and payoffs in full at each node."""
    words = WORD.findall(text)
    need(words[:3] == ["EFG", "2", "R"], "this is no Gambit file")
    at = words.index("}") + 1
    players = at - words.index("{") - 2
    root: list[Node] = []
    open_nodes: list[tuple[Node, int]] = []
    while at < len(words):
        start, end = words.index("{", at), words.index("}", at)
        kind, head, inner = words[at], words[at:start], words[start + 1 : end]
        where = " ".join(words[at : end + 1])
        at = end + 1
        if kind == "t":
            node = Node("t", pays=tuple(map(Fraction, inner)))
            need(len(head) == 4 and len(node.pays) == players, f"{where}: another number of payoffs")
        else:
            need(words[at : at + 1] == ["0"], f"{where}: a node with payoffs that is no terminal node")
            at += 1
            if kind == "c":
                node = Node("c", chances=[Fraction(p) for p in inner[1::2]])
                need(
                    len(head) == 4 and sum(node.chances) == 1 and min(node.chances) >= 0,
                    f"{where}: these are no chances",
                )
            else:
                need(kind == "p" and len(head) == 5, f"{where}: a node of an unknown kind")
                node = Node("p", int(head[2]) - 1, plain(head[4]), actions=[plain(a) for a in inner])
                good = 0 <= node.player < players and len(set(node.actions)) == len(inner) > 0
                need(good, f"{where}: no such decision")
        need(not root or bool(open_nodes), f"{where}: after the end")
        if root:
            parent, missing = open_nodes.pop()
            parent.children.append(node)
            open_nodes += [(parent, missing - 1)] if missing > 1 else []
        else:
            root.append(node)
        if count := len(node.chances) + len(node.actions):
            open_nodes.append((node, count))
    need(bool(root) and not open_nodes, "the game lacks its end")
    return root[0], players


def decisions(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node.kind == "p":
            yield node


def check_profile(root: Node, profile: Profile) -> None:
    """Every information set has one player, one list of actions, and a distribution of them."""
    known: dict[str, tuple[int, list[str]]] = {}
    for node in decisions(root):
        need(
            known.setdefault(node.name, (node.player, node.actions)) == (node.player, node.actions),
            f"{node.name}: two sets",
        )
    need(known.keys() == profile.keys(), "the profile has other information sets than the game")
    for name, (_, actions) in known.items():
        distribution = profile[name]
        need(distribution.keys() == set(actions), f"{name}: other actions")
        need(sum(distribution.values()) == 1 and min(distribution.values()) >= 0, f"{name}: no probabilities")


def values(root: Node, players: int, profile: Profile) -> list[Fraction]:
    """What each player earns if all play the profile."""
    out, waiting = [ZERO] * players, [(ONE, root)]
    while waiting:
        weight, node = waiting.pop()
        if node.kind == "t":
            out = [total + weight * amount for total, amount in zip(out, node.pays, strict=True)]
        else:
            distribution = node.chances or [profile[node.name][a] for a in node.actions]
            waiting += [(weight * p, child) for p, child in zip(distribution, node.children, strict=True) if p]
    return out


def best(nodes: list[tuple[Fraction, Node]], player: int, profile: Profile, met: set[str]) -> Fraction:
    """What `player` earns at best from these histories, which look the same to them, each with its weight."""
    total, groups = ZERO, dict[str, list[tuple[Fraction, Node]]]()
    while nodes:
        weight, node = nodes.pop()
        if node.kind == "t":
            total += weight * node.pays[player]
        elif node.player == player:
            groups.setdefault(node.name, []).append((weight, node))
        else:
            distribution = node.chances or [profile[node.name][a] for a in node.actions]
            nodes += [(weight * p, child) for p, child in zip(distribution, node.children, strict=True)]
    for name, group in groups.items():
        need(name not in met, f"{name}: player {player} forgets what they did before")
        met.add(name)
        count = len(group[0][1].actions)
        total += max(best([(w, node.children[i]) for w, node in group], player, profile, met) for i in range(count))
    return total


def check(certificate: dict[str, object]) -> Fraction:
    """Return the profile's NashConv; raise `Wrong` if anything is not as the certificate says."""
    root, players = read(str(certificate["game"]))
    told: dict[str, dict[str, str]] = certificate["profile"]  # type: ignore[assignment]  # as JSON has it
    profile = {name: {action: Fraction(p) for action, p in distribution.items()} for name, distribution in told.items()}
    check_profile(root, profile)
    earned = values(root, players, profile)
    most = [best([(ONE, root)], player, profile, set()) for player in range(players)]
    for key, found in (("values", earned), ("best_responses", most)):
        stated: list[str] = certificate[key]  # type: ignore[assignment]  # likewise
        need([Fraction(text) for text in stated] == found, f"{key} are {', '.join(map(str, found))}")
    nash_conv = sum(most, ZERO) - sum(earned, ZERO)
    need(nash_conv <= Fraction(str(certificate["nash_conv_at_most"])), f"NashConv is {nash_conv}")
    return nash_conv


def renamed(node: Node, player: int) -> Node:
    """A copy of the tree in which the information sets of `player` have other names."""
    name = f"known: {node.name}" if node.player == player else node.name
    children = [renamed(child, player) for child in node.children]
    return Node(node.kind, node.player, name, node.pays, node.chances, node.actions, children)


def check_frontier(certificate: dict[str, object]) -> int:
    """Return the number of pieces; raise `Wrong` if anything is not as the certificate says."""
    root, players = read(str(certificate["game"]))
    need(players == 2, "a frontier is of two players")
    player = certificate["player"]
    need(player in (0, 1), "player must be 0 or 1")
    assert isinstance(player, int)
    sums = {sum(node.pays, ZERO) for node in terminals(root)}
    need(len(sums) == 1, "payoffs have more than one sum")
    total = sums.pop()

    def distribution(table: object) -> Profile:
        assert isinstance(table, dict)
        return {name: {action: Fraction(p) for action, p in row.items()} for name, row in table.items()}

    known, value = distribution(certificate["opponent"]), Fraction(str(certificate["value"]))
    points: list[dict[str, object]] = certificate["points"]  # type: ignore[assignment]  # likewise
    pieces: list[dict[str, object]] = certificate["pieces"]  # type: ignore[assignment]  # likewise
    need(len(points) == len(pieces) + 1, "there must be one piece between each two points")
    found = []
    for point in points:
        profile = known | distribution(point["strategy"])
        check_profile(root, profile)
        guaranteed = total - best([(ONE, root)], 1 - player, profile, set())
        risk, earned = value - guaranteed, values(root, 2, profile)[player]
        need(
            (risk, earned) == (Fraction(str(point["risk"])), Fraction(str(point["earned"]))),
            f"risk {risk}, earned {earned}",
        )
        found.append((risk, earned))
    need(found[0][0] == 0, "the first point must risk nothing")
    mixed_known = {f"known: {name}": row for name, row in known.items()}
    copy, slopes = renamed(root, 1 - player), []
    for (left, right), piece in zip(pairwise(found), pieces, strict=True):
        p, most = Fraction(str(piece["p"])), Fraction(str(piece["at_most"]))
        need(0 < p < 1, f"p={p} is not between 0 and 1")
        against = distribution(piece["against"])
        check_profile(root, against | distribution(points[0]["strategy"]))
        mixture = Node("c", chances=[1 - p, p], children=[root, copy])
        reached = best([(ONE, mixture)], player, against | mixed_known, set())
        need(reached <= most, f"a strategy has {reached}, more than {most}")
        need(left[0] < right[0] and left[1] < right[1], "risk and earnings must grow")
        for risk, earned in (left, right):
            need((1 - p) * (value - risk) + p * earned == most, f"a point is not on the piece with p={p}")
        slopes.append((1 - p) / p)
    need(all(a > b for a, b in pairwise(slopes)), "the curve is not concave")
    last = best([(ONE, root)], player, known, set())
    need(found[-1][1] == last, f"a best response earns {last}, more than the last point")
    holds = distribution(certificate["holds"])
    check_profile(root, holds | distribution(points[0]["strategy"]))
    held = best([(ONE, root)], player, holds, set())
    need(held == value, f"the value is at most {held}")
    return len(pieces)


def terminals(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node.kind == "t":
            yield node


def main() -> int:
    failed = len(sys.argv) < 2
    for path in map(Path, sys.argv[1:]):
        try:
            certificate = json.loads(path.read_text(encoding="utf-8"))
            if "pieces" in certificate:
                verdict = f"right: a frontier of {check_frontier(certificate)} pieces"
            else:
                verdict = (
                    f"right: NashConv is {float(check(certificate)):.6g}, at most {certificate['nash_conv_at_most']}"
                )
        except (Wrong, OSError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            failed, verdict = True, f"WRONG: {type(error).__name__}: {error}"
        print(f"{path.name}: {verdict}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
