"""Gambit's extensive-form files (.efg): read as a tree of histories, and written from one, with exact numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any

from relance.model.arguments import checked
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode, TreeNode
from relance.model.numbers import fraction, number_or_none, short, unique_names

TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{}",]+)', re.DOTALL)


@dataclass
class GambitFile:
    """A Gambit file being read: its `tokens`, the place `at` in them, and the outcomes and information sets read so far."""

    tokens: list[tuple[str, str]]
    kind: str = ".efg"
    at: int = 0
    paid: dict[str, tuple[Fraction, ...]] = field(default_factory=dict)
    sets: dict[tuple[str, str], tuple[str, list[Any]]] = field(default_factory=dict)
    names: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)

    @contextmanager
    def at_line(self, text: str) -> Iterator[None]:
        """Begin the message of a ValueError in this context with the number of the line that is being read; `text` is the file's text."""
        try:
            yield
        except ValueError as error:
            last = next(islice(TOKEN.finditer(text), max(self.at - 1, 0), None), None)
            line = 1 + text.count("\n", 0, last.start() if last else None)
            raise ValueError(f"line {line}: {error}") from None

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def next(self, kind: str = "") -> str:
        """Read a token and return its value; ValueError unless it is of this kind: "text", "word", a brace, or "" for any."""
        found, value = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        if not found or (kind and found != kind):
            needed = {"text": "text in quotes", "word": "an unquoted word or number", "": "more"}.get(kind, kind)
            near = " ".join(value for _, value in self.tokens[max(0, self.at - 8) : self.at])
            raise ValueError(
                f"the {self.kind} file needs {needed} after {short(near)}, not {short(value) if found else 'its end'}"
            )
        self.at += 1
        return value

    def many(self, read: Any) -> list[Any]:
        """Call `read` for each item between braces, and return the results."""
        self.next("{")
        out = []
        while self.peek() != "}":
            out.append(read())
        self.next("}")
        return out

    def number(self) -> Fraction:
        return fraction(self.next("word"), f"number in the {self.kind} file")

    def chance(self) -> Fraction | float:
        """Read a probability, and return a float if it is a decimal, since OpenSpiel writes even 1/3 as a decimal; else a fraction."""
        word = self.next("word")
        number = fraction(word, f"number in the {self.kind} file")
        return float(number) if {*".eE"} & {*word} else number

    def action(self) -> str:
        return self.next("text")

    def outcome(self) -> tuple[Fraction, ...] | None:
        """Read a node's outcome: its number and, where this is new, its name and payoffs. Return the payoffs; None for number 0."""
        number = self.next("word")
        if self.peek() == "text":
            self.next()
        if self.peek() == "{":
            self.paid[number] = tuple(self.many(self.number))
        if number == "0":
            return None
        if number not in self.paid:
            raise ValueError(f"the .efg file uses outcome {number} before giving its payoffs")
        return self.paid[number]

    def set_of(self, kind: str, read: Any) -> tuple[str, list[Any]]:
        """Read an information set of player number `kind`, or of chance, "c"; return its unique name and its actions, read by `read`."""
        key = kind, self.next("word")
        name = self.next() if self.peek() == "text" else ""
        if self.peek() == "{":
            unique = bool(name) and self.names.setdefault((kind, name), key) == key
            self.sets[key] = (name if unique else f"{name} (set {key[1]})".strip(), self.many(read))
        if key not in self.sets:
            raise ValueError(f"the .efg file uses information set {key[1]} before giving its actions")
        return self.sets[key]


def tokens_of(text: str) -> list[tuple[str, str]]:
    """Split a Gambit file into tokens (kind, value): kind is "text" for quoted text, "word" for other words, or a brace."""
    words = [
        (("text", m[1]) if m[1] is not None else (m[2], m[2]) if m[2] else ("word", m[3])) for m in TOKEN.finditer(text)
    ]
    return [(kind, re.sub(r"\\(.)", r"\1", value) if kind == "text" else value) for kind, value in words]


@checked
def read_efg(text: str) -> tuple[TreeNode, str]:
    """Return the root and the title of a game tree, given as the text of a Gambit file.

    Raises:
        ValueError: the text is not such a file; the message shows where.
    """
    file = GambitFile(tokens_of(text))
    if [value for _, value in file.tokens[:2]] != ["EFG", "2"]:
        raise ValueError(f"a Gambit file of a game tree begins with EFG 2 R, not {short(text[:20])}")
    file.at = 3
    with file.at_line(text):
        title = file.next("text")
        players = len(file.many(file.action))
        if file.peek() == "text":  # a comment
            file.next()
        return _node(file, players), title


def _node(file: GambitFile, players: int) -> TreeNode:
    """The node that starts here."""
    root: dict[str, Any] = {}
    waiting: list[tuple[Any, Any, Any, tuple[Fraction, ...]]] = [(root, "", None, (Fraction(0),) * players)]
    while waiting:
        parent, name, chance, paid = waiting.pop()
        kind = file.next("word")
        file.next("text")
        node: TreeNode
        labels: list[Any] = []
        if kind == "c":
            _, labels = file.set_of("c", lambda: (file.action(), file.chance()))
            node = ChanceNode({})
        elif kind == "p":
            number = file.next("word")
            player = (number_or_none(number) or 0) - 1
            if player not in range(players):
                raise ValueError(f"in the .efg file player {short(number)} acts; the file names {players} players")
            name_of_set, actions = file.set_of(str(player), file.action)
            node, labels = DecisionNode(player, name_of_set, {}), [(action, None) for action in actions]
        elif kind == "t":
            node = TerminalNode(())
        else:
            raise ValueError(f"the .efg file has a node of kind {short(kind)}; it must be c, p or t")
        added = file.outcome()
        if added is not None:
            if len(added) != players:
                raise ValueError(f"an outcome of the .efg file has {len(added)} payoffs for {players} players")
            paid = tuple(a + b for a, b in zip(paid, added, strict=True))
        if isinstance(node, TerminalNode):
            node = TerminalNode(paid)
        parent[name] = node if chance is None else (chance, node)
        unique = unique_names([label for label, _ in labels])
        below: Any = node.outcomes if isinstance(node, ChanceNode) else getattr(node, "actions", None)
        waiting += [(below, label, p, paid) for label, (_, p) in reversed([*zip(unique, labels, strict=True)])]
    found: TreeNode = root[""]
    return found


@checked
def write_efg(tree: GameTree) -> str:
    """A game tree as the text of a Gambit file, in exact numbers."""
    return efg_text(tree.root, tree.title, tree.num_players, tree.name_of)


def efg_text(
    root: TreeNode,
    title: str,
    players: int = 2,
    name_of: Callable[[int, str], str] = lambda player, name: name,
    number: Callable[[Any], str] = str,
    comment: str | None = None,
) -> str:
    """Return a game tree as the text of a Gambit .efg file.

    Args:
        root: the root of the tree.
        title: the title of the game.
        players: the number of players.
        name_of: a function from a player and an information set to the set's name in the file.
        number: a function from a payoff or a probability to its text.
        comment: a text below the title; None for none.
    """
    numbers: list[dict[str, int]] = [{} for _ in range(players)]
    chances = outcomes = 0
    lines = [f"EFG 2 R {_quoted(title)} {{ {' '.join(_quoted(f'player {p}') for p in range(players))} }}"]
    if comment is not None:
        lines.append(_quoted(comment))
    stack: list[TreeNode] = [root]
    while stack:
        node = stack.pop()
        match node:
            case TerminalNode():
                outcomes += 1
                lines.append(f't "" {outcomes} "" {{ {", ".join(map(number, node.payoffs()))} }}')
            case ChanceNode():
                chances += 1
                branches = " ".join(f"{_quoted(name)} {number(fraction(p))}" for name, (p, _) in node.outcomes.items())
                lines.append(f'c "" {chances} "" {{ {branches} }} 0')
                stack.extend(reversed([child for _, child in node.outcomes.values()]))
            case DecisionNode():
                name = name_of(node.player, node.information_set)
                of_set = numbers[node.player].setdefault(name, len(numbers[node.player]) + 1)
                actions = " ".join(map(_quoted, node.actions))
                lines.append(f'p "" {node.player + 1} {of_set} {_quoted(name)} {{ {actions} }} 0')
                stack.extend(reversed([*node.actions.values()]))
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
