"""How results look in a terminal."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from relance.claims.finding import MEANING, RESTORED, Verdict
from relance.claims.ledger import Claim, Planted, Result
from relance.model.blueprint import Blueprint
from relance.model.game import Game
from relance.model.numbers import Number, exact, show
from relance.model.strategy import Profile
from relance.model.tree import Decision
from relance.registration.confirmation import Confirmation
from relance.solvers.exact import nash_conv, value
from relance.solvers.lp import Face

COLOURS: dict[Verdict, str] = {
    "proved": "green",
    "proved, given the argument": "green italic",
    "exact": "cyan",
    "numeric": "blue",
    "refuted": "yellow",
    "open": "magenta",
    "failed": "bold red",
}


TITLED: Any = {"title_justify": "left", "title_style": "bold", "box": SIMPLE_HEAD, "pad_edge": False}
"""The look of a table with a title."""


def plain_table(*headings: str, justify: Literal["left", "right"] = "left") -> Table:
    """A table without lines; long cells are wrapped."""
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify=justify, overflow="fold")
    return table


WIDE = 100
"""The fewest columns in which games are listed as a table."""


def listed_games(specs: Iterable[Blueprint], width: int) -> RenderableType:
    """The games with their parameters and sources: a table, or in narrow terminals one below the other."""
    rows = [
        (spec.name, ", ".join(f"{name}={p.text(p.default)}" for name, p in spec.parameters.items()), str(spec.source))
        for spec in specs
    ]
    if width < WIDE:
        return Group(
            *(Group(Text(name, "bold"), *(Padding(Text(t), (0, 0, 0, 2)) for t in rest)) for name, *rest in rows)
        )
    table = plain_table("game", "parameters", "source")
    for row in rows:
        table.add_row(*row)
    return table


def verdict(result: Result) -> Text:
    """The verdict in its colour, marked where it is not the recorded one."""
    return Text(result.verdict + ("" if result.as_recorded else " !"), COLOURS[result.verdict])


def show_claims(console: Console, results: Sequence[Result], citations: dict[str, str], details: bool = False) -> None:
    """A table per paper, then the claims whose verdict is not the recorded one."""
    for key, citation in citations.items():
        mine = [result for result in results if result.paper == key]
        if not mine:
            continue
        table = Table(title=escape(citation), **TITLED, expand=True)
        table.add_column("verdict", max_width=9)
        table.add_column("section", style="dim", ratio=1, overflow="fold")
        table.add_column("claim", ratio=4, overflow="fold")
        for result in mine:
            text = Text(result.statement)
            if result.restored:
                text.append("  as restored", "dim italic")
            if details:
                for label, fact in shown(result):
                    text.append(f"\n{label}: ", "dim italic").append(fact, "dim")
            table.add_row(verdict(result), result.section, text)
        console.print(table)
    for result in results:
        if not result.as_recorded:
            console.print(f"[bold red]Not as recorded[/] {result.id}: {result.verdict}; {escape(result.evidence)}")


def shown(result: Result) -> list[tuple[str, str]]:
    """What the details of a claim show, by label; what is empty is left out. Of a false statement, the domain is that of the correction."""
    details = {
        "place": "; ".join(result.places),
        "our copy": result.restored,
        "evidence": result.evidence,
        "right": result.correction,
        "right for" if result.correction else "for": result.domain,
        "argument": result.argument,
        "note": result.note,
    }
    return [(label, text) for label, text in details.items() if text]


def show_errata(console: Console, results: Sequence[Result], citations: dict[str, str]) -> None:
    """By paper, the false statements with a counterexample and the right statement, then passages garbled in our copy."""
    for key, citation in citations.items():
        mine = [result for result in results if result.paper == key]
        wrong = [result for result in mine if result.correction]
        garbled = [result for result in mine if not result.correction]
        if mine:
            console.print(f"\n[bold]{escape(citation)}[/]")
        if wrong:
            console.print(f"[yellow]False as printed[/]: {len(wrong)}")
        for result in wrong:
            reading = (("our copy", result.restored),) if result.restored else ()
            parts = (("printed", result.statement), *reading, ("but", result.evidence), ("right", result.correction))
            _show_parts(console, result, parts)
        if garbled:
            console.print(f"\n[cyan]{RESTORED.capitalize()}[/]: {len(garbled)}")
        for result in garbled:
            _show_parts(console, result, (("restored", result.statement), ("our copy", result.restored)))


def _show_parts(console: Console, result: Result, parts: Sequence[tuple[str, str]]) -> None:
    marks = "" if result.as_recorded else f"  [bold red]not as recorded: {result.verdict}[/]"
    console.print(f"\n  Section {escape(result.section)}  [dim]{result.id}[/]{marks}")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim", width=10)
    grid.add_column(overflow="fold")
    for label, text in parts:
        grid.add_row(label, Text(text))
    console.print(grid)


def summary(results: Sequence[Result], seconds: float) -> str:
    """One line: how many claims with each verdict."""
    counts = Counter(result.verdict for result in results)
    parts = ", ".join(f"[{COLOURS[v]}]{counts[v]} {v}[/] ({MEANING[v]})" for v in COLOURS if counts[v])
    papers = len({result.paper for result in results})
    restored = sum(bool(result.restored and not result.correction) for result in results)
    more = f"; {restored} {RESTORED}" if restored else ""
    return f"{len(results)} claim{'s' * (len(results) != 1)} of {papers} paper{'s' * (papers != 1)} in {seconds:.1f} s: {parts}{more}"


def show_tables(
    console: Console, game: Game, cell: Callable[[str, str, int], str], players: Sequence[int] = (0, 1)
) -> None:
    """A table per decision of these players, with a row per hand and a column per action, filled by cell(node, action, hand)."""
    labels = game.finite_deal().labels
    for name, node in game.tree.decisions.items():
        if node.player in players:
            table = plain_table("hand", *node.actions, justify="right")
            for hand, label in enumerate(labels[node.player]):
                table.add_row(label, *(cell(name, action, hand) for action in node.actions))
            _show_node(console, node, name, table)


def _show_node(console: Console, node: Decision, name: str, table: Table) -> None:
    console.print(f"\n[bold]player {node.player} {'after ' + name if name else 'to open'}[/]")
    console.print(table)


MOST_ROWS = 40
"""The most hands shown one by one; with more, neighbours that act alike share a row."""


def show_solution(console: Console, game: Game, profile: Profile, worth: Number, left: Number) -> None:
    """The value, the exploitability, and the strategies hand by hand or by intervals of hands."""
    exact = not isinstance(left, float)
    console.print(
        f"{game}: value {show(worth)} chips to player 0, exploitability {show(left) if exact else f'{left:.1e}'}"
    )

    def chance(node: str, action: str, hand: int) -> str:
        p = profile.row(node, action)[hand]
        return f"{p:.4f}" if isinstance(p, float) else show(p)

    if max(map(game.deal.size, (0, 1))) <= MOST_ROWS:
        show_tables(console, game, chance)
        return
    for name, node in game.tree.decisions.items():
        table, labels = plain_table("hands", "mostly", "probability"), game.finite_deal().labels[node.player]
        for first, last, action, mean in _runs(np.array(profile[name], float)):
            table.add_row(f"{labels[first]} to {labels[last]}", node.actions[action], f"{mean:.4f}")
        _show_node(console, node, name, table)


def _runs(rows: Any) -> Iterator[tuple[int, int, int, float]]:
    """Runs of hands with the same most likely action: first and last hand, the action, its mean probability."""
    best = rows.argmax(axis=0)
    borders = [0, *(np.flatnonzero(np.diff(best)) + 1).tolist(), len(best)]
    runs = [(a, b - 1, int(best[a]), float(rows[best[a], a:b].mean())) for a, b in pairwise(borders)]
    yield from (run for run in runs if run[1] - run[0] >= len(best) // 1000 or len(runs) <= MOST_ROWS)


def show_face(console: Console, game: Game, face: Face) -> None:
    """The least and the greatest weight of each action over all optimal strategies of a player."""
    kinds = "one optimal strategy" if face.unique else "many optimal strategies; the range of each weight"
    console.print(f"[bold]player {face.player}[/]: {kinds}, worth {show(face.value)} to him")

    def cell(node: str, action: str, hand: int) -> str:
        low, high = face.ranges[node, action][hand]
        return show(low) if low == high else f"{show(low)} to {show(high)}"

    show_tables(console, game, cell, (face.player,))


def about_game(game: Game, as_printed: bool, family: Mapping[str, str]) -> list[str]:
    """The rules, the published strategies with their value and NashConv, and the source, as lines of plain text."""
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
        if game.deal.is_finite or game.deal.is_exact:
            out.append(
                f"value {show(value(game, profile))} chips to player 0, NashConv {show(nash_conv(game, profile))}"
            )
        out.append(f"Source: {printed.source}")
    return out


def show_confirmations(console: Console, confirmations: Sequence[Confirmation]) -> None:
    """OpenSpiel's verdicts on the published profiles."""
    table = Table("game", title="The published profiles in OpenSpiel", **TITLED)
    for heading in ("value", "NashConv", "by OpenSpiel", "best response gains", "CFR+ value", "NashConv", "iterations"):
        table.add_column(heading, justify="right")
    for item in confirmations:
        theirs = item.native if item.theirs is None else item.theirs
        gains = max(item.responses, key=abs)
        floats = [f"{theirs:.1e}", f"{gains:.1e}", f"{item.cfr_value:.6f}", f"{item.cfr_nash_conv:.1e}"]
        row = [item.game, item.value, item.ours, *floats, str(item.iterations)]
        table.add_row(*row, style=None if item.agrees else "bold red")
    console.print(table)
    good = sum(item.agrees for item in confirmations)
    console.print(f"OpenSpiel agrees on {good} of {len(confirmations)} published profiles.")


def show_planted(console: Console, planted: Sequence[tuple[Claim, list[Planted]]]) -> None:
    """How many printed numbers were moved, and how many moves the checks caught."""
    moves = [item for _, items in planted for item in items]
    numbers = len({(item.claim, item.changed) for item in moves if item.changed != "statement"})
    others = sum(item.changed == "statement" for item in moves)
    for item in moves:
        if not item.caught:
            console.print(f"[bold red]not caught[/] {item.claim}: {escape(item.changed)} as {escape(item.text)}")
    console.print(
        f"{numbers} printed numbers moved by 1/1000, {others} statements changed otherwise: "
        f"{sum(item.caught for item in moves)} of {len(moves)} errors caught."
    )
