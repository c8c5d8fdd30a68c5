"""How the papers' claims look in a terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from relance.claims.finding import RESTORED, VERDICT_MEANINGS, Verdict
from relance.claims.ledger import Claim, Planted, Result
from relance.pages.commands.terminal import TITLED, plain_table
from relance.pages.report import shown

if TYPE_CHECKING:
    from relance.registration.confirmation import Confirmation

COLOURS: dict[Verdict, str] = {
    "proved": "green",
    "proved, given the argument": "green italic",
    "exact": "cyan",
    "numeric": "blue",
    "refuted": "yellow",
    "open": "magenta",
    "failed": "bold red",
}


def show_claims(console: Console, results: Sequence[Result], citations: dict[str, str], details: bool = False) -> None:
    """Print a table of claims for each paper (`citations` by key); a verdict other than the recorded one has a "!"."""
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
            marked = result.verdict + ("" if result.as_recorded else " !")
            table.add_row(Text(marked, COLOURS[result.verdict]), result.section, text)
        console.print(table)


def announcement(claims: int, seconds: float, jobs: int) -> str:
    """A line that says how many claims will be decided, by how many processes (`jobs`), and how long that takes."""
    many = f"{jobs} processes" if jobs > 1 else "one process"
    time = "a second" if seconds < 1.5 else f"{seconds:.0f} seconds"
    return f"Deciding {claims} claim{'s' * (claims != 1)} with {many}: about {time}."


def authors(citation: str) -> str:
    """Return the authors and the year of a citation that begins with them, such as "D. Szafron and others (2013)"."""
    names, _, rest = citation.partition(" (")
    first, *others = re.split(", | and ", names)
    return f"{names if len(others) < 2 else f'{first} and others'} ({rest[:4]})"


def show_papers(console: Console, results: Sequence[Result], citations: dict[str, str]) -> None:
    """Print a line per paper with its verdicts, and a line per false statement: counterexample and right statement."""
    table = plain_table("--paper", "by", "claims", "verdicts")
    for key, citation in citations.items():
        mine = Counter(result.verdict for result in results if result.paper == key)
        verdicts = Text(", ").join(Text(f"{mine[v]} {v}", COLOURS[v]) for v in COLOURS if mine[v])
        table.add_row(key, escape(authors(citation)), str(mine.total()), verdicts)
    console.print(table)
    wrong = [result for result in results if result.correction]
    if not wrong:
        return
    table = Table(title="False as printed", **TITLED, expand=True)
    table.add_column("claim", no_wrap=True)
    table.add_column("counterexample", no_wrap=True, ratio=1)
    table.add_column("right", no_wrap=True, ratio=1)
    for result in wrong:
        table.add_row(result.id, Text(result.evidence), Text(result.correction))
    console.print(table)


def show_surprises(console: Console, results: Sequence[Result]) -> None:
    """Print the claims whose verdict differs from the recorded one."""
    for result in results:
        if not result.as_recorded:
            console.print(f"[bold red]Not as recorded[/] {result.id}: {result.verdict}; {escape(result.evidence)}")


def show_errata(console: Console, results: Sequence[Result], citations: dict[str, str]) -> None:
    """Print, by paper, false statements with counterexample and right statement, then passages garbled in our copy."""
    for key, citation in citations.items():
        mine = [result for result in results if result.paper == key]
        if mine:
            console.print(f"\n[bold]{escape(citation)}[/]")
        wrong, garbled = ([one for one in mine if bool(one.correction) == is_wrong] for is_wrong in (True, False))
        if wrong:
            console.print(f"[yellow]False as printed[/]: {len(wrong)}")
        for one in wrong:
            _show_parts(console, one, {"printed": one.statement, "our copy": one.restored, "but": one.evidence})
        if garbled:
            console.print(f"\n[cyan]{RESTORED.capitalize()}[/]: {len(garbled)}")
        for one in garbled:
            _show_parts(console, one, {"restored": one.statement, "our copy": one.restored})


def _show_parts(console: Console, result: Result, parts: dict[str, str]) -> None:
    marks = "" if result.as_recorded else f"  [bold red]not as recorded: {result.verdict}[/]"
    console.print(f"\n  Section {escape(result.section)}  [dim]{result.id}[/]{marks}")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim", width=10)
    grid.add_column(overflow="fold")
    for label, text in (*parts.items(), ("right", result.correction)):
        if text:
            grid.add_row(label, Text(text))
    console.print(grid)


def verdict_counts(results: Sequence[Result], seconds: float) -> str:
    """A line that says how many claims have each verdict."""
    counts = Counter(result.verdict for result in results)
    parts = ", ".join(f"[{COLOURS[v]}]{counts[v]} {v}[/] ({VERDICT_MEANINGS[v]})" for v in COLOURS if counts[v])
    papers = len({result.paper for result in results})
    restored = sum(bool(result.restored and not result.correction) for result in results)
    more = f"; {restored} {RESTORED}" if restored else ""
    return f"{len(results)} claim{'s' * (len(results) != 1)} of {papers} paper{'s' * (papers != 1)} in {seconds:.1f} s: {parts}{more}"


def show_confirmations(console: Console, confirmations: Sequence[Confirmation]) -> None:
    """Print for each published profile the values that OpenSpiel computes, and how many profiles it confirms."""
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
    """Print how many errors were planted in claims (moved numbers, changed statements and cases), and how many caught."""
    moves = [item for _, items in planted for item in items]
    others, cases = (sum(item.changed == kind for item in moves) for kind in ("statement", "cases"))
    numbers = len({(item.claim, item.changed) for item in moves if item.changed not in ("statement", "cases")})
    for item in moves:
        if not item.caught:
            console.print(f"[bold red]error not noticed[/] {item.claim}: {escape(item.changed)} as {escape(item.text)}")
    console.print(
        f"{numbers} printed numbers moved by 1/1000, {others} statements changed otherwise, {cases} cases dropped: "
        f"{sum(item.caught for item in moves)} of {len(moves)} errors caught."
    )
