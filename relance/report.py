"""How results look in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from relance.baselines.verify import Confirmation
from relance.claims.ledger import Claim, Planted, Result, Verdict

COLOURS: dict[Verdict, str] = {
    "proved": "green",
    "exact": "cyan",
    "numeric": "blue",
    "refuted": "yellow",
    "failed": "bold red",
}
MEANING: dict[Verdict, str] = {
    "proved": "for all parameters",
    "exact": "at stated points",
    "numeric": "to a stated tolerance",
    "refuted": "false in print, corrected",
    "failed": "not as recorded",
}


def verdict(result: Result) -> Text:
    """The verdict in its colour, marked where it is not the recorded one."""
    return Text(result.verdict + ("" if result.as_recorded else " !"), COLOURS[result.verdict])


def show_claims(console: Console, results: Sequence[Result], citations: dict[str, str], details: bool = False) -> None:
    """A table per paper, then the refuted claims in full, then whatever did not end as recorded."""
    for key, citation in citations.items():
        mine = [result for result in results if result.paper == key]
        if not mine:
            continue
        table = Table(
            title=escape(citation),
            title_justify="left",
            title_style="bold",
            box=SIMPLE_HEAD,
            pad_edge=False,
            expand=True,
        )
        table.add_column("verdict", no_wrap=True)
        table.add_column("section", style="dim", ratio=1, overflow="fold")
        table.add_column("claim", ratio=4, overflow="fold")
        for result in mine:
            text = Text(result.statement)
            if details:
                text.append(f"\n{result.evidence}" + (f"  [{result.domain}]" if result.domain else ""), "dim")
            table.add_row(verdict(result), result.section, text)
        console.print(table)
    refuted = [result for result in results if result.verdict == "refuted"]
    if refuted:
        console.print("[bold]False as printed[/]")
        for result in refuted:
            show_refuted(console, result)
    for result in results:
        if not result.as_recorded:
            console.print(f"[bold red]Not as recorded[/] {result.id}: {result.verdict}; {escape(result.evidence)}")


def show_refuted(console: Console, result: Result) -> None:
    """A printed statement, why it is false, and what is right."""
    console.print(f"[yellow]{result.id}[/], section {escape(result.section)}")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim", width=9)
    grid.add_column(overflow="fold")
    for label, text in (("printed", result.statement), ("but", result.evidence), ("right", result.correction)):
        grid.add_row(label, Text(text))
    console.print(grid)


def summary(results: Sequence[Result], seconds: float) -> str:
    """One line: how many claims with each verdict."""
    counts = Counter(result.verdict for result in results)
    parts = ", ".join(f"[{COLOURS[v]}]{counts[v]} {v}[/] ({MEANING[v]})" for v in COLOURS if counts[v])
    papers = len({result.paper for result in results})
    return f"{len(results)} claims of {papers} paper{'s' * (papers != 1)} in {seconds:.1f} s: {parts}"


def show_confirmations(console: Console, found: Sequence[Confirmation]) -> None:
    """What OpenSpiel says of the published profiles."""
    table = Table(
        title="The published profiles in OpenSpiel",
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    headings = (
        "game",
        "value",
        "NashConv",
        "by OpenSpiel",
        "best response gains",
        "CFR+ value",
        "NashConv",
        "iterations",
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for item in found:
        theirs = item.native if item.theirs is None else item.theirs
        gains = max(item.responses, key=abs)
        floats = [f"{theirs:.1e}", f"{gains:.1e}", f"{item.cfr_value:.6f}", f"{item.cfr_nash_conv:.1e}"]
        row = [item.game, item.value, item.ours, *floats, str(item.iterations)]
        table.add_row(*row, style=None if item.agrees else "bold red")
    console.print(table)
    good = sum(item.agrees for item in found)
    console.print(f"OpenSpiel agrees on {good} of {len(found)} published profiles.")


def show_planted(console: Console, found: Sequence[tuple[Claim, list[Planted]]]) -> None:
    """How many printed numbers were moved and how many of the moves the checks caught."""
    moves = [item for _, items in found for item in items]
    numbers = len({(item.claim, item.letter) for item in moves})
    for item in moves:
        if not item.caught:
            console.print(f"[bold red]not caught[/] {item.claim}: {escape(item.letter)} as {escape(item.text)}")
    console.print(
        f"{numbers} printed numbers moved by 1/1000 up and down: {sum(item.caught for item in moves)} of {len(moves)} moves caught."
    )
