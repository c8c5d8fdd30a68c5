"""Writes definitions and theorems in Coq, in terms that the file `Relance.v` of this folder defines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from relance.claims.coq.plays import FiniteHands, NotWrittenError, Play, Texts
from relance.model.tree import BettingTree, Decision, Leaf, Node, path_name

Show: TypeAlias = Callable[[object], str]
"""From a number, or the text of its formula, to its text in Coq."""


def list_in_coq(items: Iterable[str]) -> str:
    """The text in Coq of a list."""
    return "[" + "; ".join(items) + "]"


def fraction_in_coq(number: object) -> str:
    """A number as a literal of Coq's type Q of fractions.

    Raises:
        NotWrittenError: the number is not a fraction.
    """
    try:
        fraction = Fraction(str(number))
    except ValueError:
        raise NotWrittenError(f"{number} is not a fraction") from None
    top = f"({fraction.numerator})" if fraction < 0 else str(fraction.numerator)
    return top if fraction.denominator == 1 else f"({fraction.numerator} # {fraction.denominator})"


def tree_in_coq(node: Node, show: Show, depth: int = 1) -> str:
    """The text in Coq of the betting tree below `node`, with the names of the actions as comments."""
    if isinstance(node, Leaf):
        return f"Terminal {show(node.constant)} {show(node.stake)}"
    assert isinstance(node, Decision)  # `written_play` refuses trees with events
    children = (
        f"\n{'  ' * depth}(* {action} *) {tree_in_coq(child, show, depth + 1)}"
        for action, child in node.by_action(node.children).items()
    )
    return f"Choice {str(bool(node.player)).lower()} [{';'.join(children)}]"


def decisions(tree: BettingTree, player: int) -> Iterator[tuple[str, list[int], Decision]]:
    """Yield each decision node of a player, parents first: (name, indices of the actions that lead to it, node)."""
    numbers: dict[tuple[str, ...], list[int]] = {(): []}
    for history, node in tree.walk():
        if isinstance(node, Decision):
            numbers |= {(*history, action): [*numbers[history], i] for i, action in enumerate(node.actions)}
            if node.player == player:
                yield path_name(history), numbers[history], node


def strategy_in_coq(play: Play, player: int, show: Show) -> str:
    """The text in Coq of a player's strategy: a function of the hand, the history (last action first) and action."""
    cases = ""
    for name, path, _ in decisions(play.tree, player):
        history = list_in_coq(f"{i}%nat" for i in reversed(path))
        cases += f"  | {history} => {list_in_coq(list_in_coq(map(show, row)) for row in play.strategies[name])}\n"
    return f"fun hand past action => nth action (nth hand (match past with\n{cases}  | _ => []\n  end) []) 0"


def pairs_in_coq(table: Sequence[Texts], show: Show, higher: str) -> str:
    """Return the text in Coq of a function of two hands, whose values are in `table`; `show` writes a value.

    If the table says that the higher hand wins, the text is `higher`, unless this is empty. A table with one value for all pairs of
    different hands, and 0 for others, becomes a case distinction.
    """
    indexed = [(i, j, entry) for i, row in enumerate(table) for j, entry in enumerate(row)]
    if higher and all(entry == str((i > j) - (i < j)) for i, j, entry in indexed):
        return higher
    apart = {entry for i, j, entry in indexed if i != j}
    if len(apart) == 1 and {entry for i, j, entry in indexed if i == j} == {"0"}:
        return f"fun i j => if Nat.eqb i j then 0 else {show(apart.pop())}"
    rows = ";\n  ".join(list_in_coq(map(show, row)) for row in table)
    return f"fun i j => nth j (nth i [\n  {rows}] []) 0"


def definitions(play: Play, numbers: str, show: Show, higher: str) -> list[str]:
    """Return Coq code for a game and profile. `numbers` is the numbers' type, `show` writes one, `higher` names "the higher hand wins"."""
    found = [f"Definition betting : tree {numbers} := {tree_in_coq(play.tree.root, show)}."]
    if isinstance(play.hands, FiniteHands):
        tables = {"probability": (play.hands.joint, ""), "wins": (play.hands.edge, higher)}
        found += [
            f"Definition {name} : nat -> nat -> {numbers} := {pairs_in_coq(table, show, word)}."
            for name, (table, word) in tables.items()
        ]
    else:
        found += [
            f"Definition mass{player} : nat -> {numbers} := fun k => nth k {list_in_coq(map(show, masses))} 0."
            for player, masses in enumerate(play.hands.masses)
        ]
    found += [f"Definition player{p} : nat -> plan {numbers} := {strategy_in_coq(play, p, show)}." for p in (0, 1)]
    return [*found, f"Definition worth : {numbers} := {show(play.value)}."]


def computed(play: Play) -> list[str]:
    """The lines of Coq that define a profile without symbols and prove by computing that it is an equilibrium.

    Raises:
        NotWrittenError: a number is not a fraction.
    """
    if isinstance(play.hands, FiniteHands):
        sound = "finite_sound"
        deal = f"equilibrium (map_tree fraction betting) (dealt K {len(play.hands.joint)} {len(play.hands.joint[0])} probability wins)"
    else:
        sound = "interval_sound"
        masses = " ".join(f"(fun k => fraction (mass{player} k))" for player in (0, 1))
        deal = f"equilibrium_on_interval (map_tree fraction betting) {len(play.hands.masses[0])} {masses}"
    return [
        "Local Open Scope Q_scope.",
        *definitions(play, "Q", fraction_in_coq, "qhigher"),
        f"Theorem holds : forall K : ordered_field, {deal}",
        "  (played K player0) (played K player1) (fraction worth).",
        f"Proof. intro K; apply {sound}; vm_compute; reflexivity. Qed.",
    ]
