"""A table of all against all, from matches of each two agents."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from relance.pages.commands.terminal import TITLED, plain_table
from relance.words.match import Match


def crosstable(matches: Sequence[Match]) -> RenderableType:
    """A table of chips per hand, each agent against each other, best on top; below it, the hands of each match."""
    names = list(dict.fromkeys(name for match in matches for name in match.names))
    gets = {pair: match.mean for match in matches for pair in [match.names]}
    gets |= {(second, first): -mean for (first, second), mean in list(gets.items())}
    decided = {frozenset(match.names): bool(match.winner) for match in matches}
    means = {name: sum(gets[name, other] for other in names if other != name) / (len(names) - 1) for name in names}
    ranked = sorted(names, key=lambda name: -means[name])

    table = Table(title=f"Chips a hand in {escape(str(matches[0].game))}", **TITLED)
    for heading in ("", *(str(place) for place in range(1, len(ranked) + 1)), "mean"):
        table.add_column(heading, justify="right" if heading else "left", overflow="fold")
    for place, name in enumerate(ranked, 1):
        cells = [
            "" if other == name else f"{gets[name, other]:z.4f}{' ' if decided[frozenset((name, other))] else '?'}"
            for other in ranked
        ]
        table.add_row(escape(f"{place} {name}"), *cells, f"{means[name]:z.4f}")
    note = f"? is not decided: the {matches[0].level:.0%} interval of that match holds 0"

    hands = plain_table("match", "hands", "chips a hand of the first", "raw chips would need")
    for match in matches:
        needed = "" if match.raw_hands is None else f"about {match.raw_hands} hands"
        interval = f"{match.mean:z.4f} [{match.low:z.4f}, {match.high:z.4f}]"
        hands.add_row(escape(" - ".join(match.names)), str(match.hands), escape(interval), needed)
    return Group(table, note, "", hands)
