"""How results look in a terminal."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from relance.equilibria.grades import in_short
from relance.model.game import Game
from relance.model.game_tree import GameTree, TreeProfile
from relance.model.numbers import Number, exact, show
from relance.model.strategy import Profile
from relance.model.tree import Decision
from relance.pages.commands.progress import called
from relance.solvers.exact import reach_probs
from relance.solvers.tree_values import evaluate

if TYPE_CHECKING:
    from relance.solvers.optimal_set import OptimalSet

TITLED: Any = {"title_justify": "left", "title_style": "bold", "box": SIMPLE_HEAD, "pad_edge": False}
"""The look of a table with a title."""


def plain_table(*headings: str, numbers: int = 0) -> Table:
    """A table without lines, whose last `numbers` columns are aligned right, for numbers; long cells are wrapped."""
    table = Table(box=None, pad_edge=False)
    for left, heading in zip(range(len(headings), 0, -1), headings, strict=True):
        table.add_column(heading, justify="right" if left <= numbers else "left", overflow="fold")
    return table


MOST_NODES = 40
"""The most decision nodes, or information sets of a player, that are shown."""

MOST_ROWS = 40
"""The most hands shown one by one; with more, neighbours that act alike share a row."""

TableOf: TypeAlias = Callable[[str, Decision], Table]
"""A function (name of a decision node, the node) -> the table that shows it."""


def show_tables(console: Console, game: Game, table_of: TableOf, players: Sequence[int] = (0, 1)) -> None:
    """Print a table for each decision node of these players; a last line says how many are not shown."""
    nodes = ((name, node) for name, node in game.tree.decisions.items() if node.player in players)
    for name, node in islice(nodes, MOST_NODES):
        console.print(f"\n[bold]player {node.player} {'after ' + name if name else 'to open'}[/]")
        console.print(table_of(name, node))
    if (more := sum(len(game.tree.of(player)) for player in players) - MOST_NODES) > 0:
        console.print(f"\nand {more:,} more decisions; `relance solve` writes all with -o FILE.npz")


def by_hand(game: Game, cell: Callable[[str, str, int], str]) -> TableOf:
    """Tables with a row per hand and a column per action, filled by cell(node, action, hand)."""

    def table_of(name: str, node: Decision) -> Table:
        table = plain_table("hand", *node.actions, numbers=1 + len(node.actions))
        for hand, label in enumerate(game.finite_deal().labels[node.player]):
            table.add_row(label, *(cell(name, action, hand) for action in node.actions))
        return table

    return table_of


def show_solution(
    console: Console, game: Game, profile: Profile, worth: Number, left: Number, everywhere: bool = False
) -> None:
    """Print the value (`worth`), the exploitability (`left`), and the strategies by hand or by intervals of hands.

    A dash marks hands that the player's own choices never bring to a node; with `everywhere`, what they would do is shown instead.
    """
    off = f"{left:.1e}" if isinstance(left, float) else show(left)
    share = f"{show(game.pot_share(worth))} of the pot"
    console.print(f"{game}: value {show(worth)} chips to player 0, {share}, exploitability {off}")

    never: dict[str, Any] = {}

    def chance(node: str, action: str, hand: int) -> str:
        if not everywhere and node not in never:
            never[node] = reach_probs(game, profile, game.tree.decisions[node].player, node) == 0
        p = profile.row(node, action)[hand]
        return "-" if node in never and never[node][hand] else f"{p:.4f}" if isinstance(p, float) else show(p)

    def in_runs(name: str, node: Decision) -> Table:
        table, labels = plain_table("hands", "mostly", "probability"), game.finite_deal().labels[node.player]
        for first, last, action, mean in _runs(np.array(profile[name], float)):
            table.add_row(f"{labels[first]} to {labels[last]}", node.actions[action], f"{mean:.4f}")
        return table

    few = max(map(game.deal.size, (0, 1))) <= MOST_ROWS
    show_tables(console, game, by_hand(game, chance) if few else in_runs)
    if few and any(here.any() for here in never.values()):
        console.print("\n-: the player's own choices never bring this hand here")


def _runs(rows: Any) -> Iterator[tuple[int, int, int, float]]:
    """Runs of hands with the same most likely action: first and last hand, the action, its mean probability."""
    best = rows.argmax(axis=0)
    borders = [0, *(np.flatnonzero(np.diff(best)) + 1).tolist(), len(best)]
    runs = [(a, b - 1, int(best[a]), float(rows[best[a], a:b].mean())) for a, b in pairwise(borders)]
    yield from (run for run in runs if run[1] - run[0] >= len(best) // 1000 or len(runs) <= MOST_ROWS)


def show_tree_solution(tree: GameTree, profile: TreeProfile) -> None:
    """Print the value, NashConv, and the probabilities of a profile, a line for each information set."""
    found = evaluate(tree, profile)
    print(f"{tree}: value {in_short(found.values[0])} to player 0, NashConv {in_short(found.nash_conv)}")
    for player in range(tree.num_players):
        sets = [*tree.infosets_of(player)]
        more = "" if len(sets) <= MOST_NODES else f": {len(sets):,} information sets; -o FILE saves their probabilities"
        print(f"player {player}{more}")
        for s in sets if not more else ():
            distribution = ", ".join(f"{action} {p}" for action, p in profile[s.name].items())
            print(f"  {' '.join(s.name.split())}: {distribution}")


def show_optimal_set(console: Console, found: OptimalSet) -> None:
    """Print the least and the greatest realization weight of each action over all optimal strategies of a player."""
    kinds = "one optimal strategy" if found.unique else "many optimal strategies; the range of each weight"
    console.print(f"[bold]player {found.player}[/]: {kinds}, worth {show(found.value)} to them")

    def told(ends: tuple[Fraction, Fraction]) -> str:
        low, high = ends
        return show(low) if low == high else f"{show(low)} to {show(high)}"

    if isinstance(game := found.tree.source, Game):
        ranges = called(found.ranges_by_hand)
        cells = by_hand(game, lambda node, action, hand: told(ranges[node, action][hand]))
        show_tables(console, game, cells, (found.player,))
        return
    for name, distribution in called(found.ranges).items():
        print(
            f"  {' '.join(name.split())}: "
            + ", ".join(f"{action} {told(ends)}" for action, ends in distribution.items())
        )


def about_game(game: Game, as_printed: bool, family: Mapping[str, str]) -> list[str]:
    """The rules, the published strategies with their value and NashConv, and the source, as lines of plain text."""
    from relance.solvers.exact import nash_conv, value

    out = [str(game), "", inspect.getdoc(game.blueprint.build) or "", ""]
    if not game.is_published and not family:
        out += [
            f"Source: {game.source}",
            "No strategies are published for these parameters; `relance solve` finds them.",
        ]
    else:
        printed, _ = game.printed_numbers(as_printed, **family)
        profile = game.published(as_printed, **family)
        for name, free in printed.family.items():
            chosen = show(exact(family.get(name, free.default)))
            out += [f"{name} = {chosen}, from {free.least} to {free.most}: {free.doc}", ""]
        if game.deal.is_finite:
            hands = [", ".join(names) for names in game.finite_deal().labels if len(names) <= MOST_ROWS]
            out += [f"hands: {names}" for names in dict.fromkeys(hands)]
        out += [*str(profile).splitlines()[1:], ""]
        out.append(f"value {show(value(game, profile))} chips to player 0, NashConv {show(nash_conv(game, profile))}")
        out.append(f"Source: {printed.source}")
    return out
