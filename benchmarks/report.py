"""Results as a table on the terminal, and as a page with pictures: `python -m benchmarks.report RESULTS.json [MORE.json ...]`."""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.harness import LEAST, figure, module
from relance.model.blueprint import counted

PAGE, ALL, PICTURE, FRONT = "benchmarks.md", "benchmarks.csv", "benchmarks.svg", "benchmarks-front.svg"


def times(value: float | None) -> str:
    """A ratio with at most three digits: 12,300x."""
    if value is None:
        return "-"
    if value < 10:
        return f"{value:.2g}x"
    digits = max(0, int(math.log10(value)) - 2)
    return f"{round(value, -digits):,.0f}x"


def aim(row: dict[str, Any]) -> str:
    """The aim: a ratio, or an upper limit."""
    if row["limit"] is not None:
        return "at most " + figure(row["limit"], row["unit"])
    return times(row["target"])


def cells(row: dict[str, Any]) -> list[str]:
    """A row as the texts of the table."""
    unit, theirs = row["unit"], row["peer_best"] or row["peer"]
    return [
        row["what"],
        measured(row["ours"], unit),
        at_best(row["ours_best"], unit),
        row["peer_name"] or "-",
        measured(row["peer"], unit),
        at_best(row["peer_best"], unit),
        ", ".join(filter(None, (spread(row["ours"]), spread(theirs)))) or "-",
        times(row["ratio"]),
        aim(row),
        {True: "yes", False: "no", None: "-"}[row["met"]],
        row["note"],
    ]


def measured(timing: dict[str, Any], unit: str) -> str:
    """The median; or the least and the most, if they lie further apart than that."""
    if timing["median"] is not None and timing["high"] - timing["low"] > timing["median"]:
        return f"{figure(timing['low'], unit)} to {figure(timing['high'], unit)}"
    return figure(timing["median"], unit)


def at_best(timing: dict[str, Any] | None, unit: str) -> str:
    """The quickest configuration; empty if that is the default."""
    return f"{figure(timing['median'], unit)}: {timing['how']}" if timing else ""


HEADINGS = ("what", "Relance", "at best", "peer", "peer takes", "peer at best", "spread", "ratio", "aim", "met", "note")
RATIO, MET = HEADINGS.index("ratio"), HEADINGS.index("met")
NUMBERS = ("Relance", "peer takes", "ratio", "aim")
ON_PAGE = [i for i, heading in enumerate(HEADINGS) if heading not in ("aim", "met")]
"""The columns of the file beside the page, which is for readers; whether our aims are met is in the terminal and in the file of results."""


def spread(timing: dict[str, Any] | None) -> str:
    """How far the repeats lie apart, from the least to the most, as a share of the median: 12%. Empty if there is one or none."""
    if not timing or not timing["median"] or timing["runs"] < 2:
        return ""
    return f"{(timing['high'] - timing['low']) / timing['median']:.0%}"


def together(results: dict[str, Any], *more: dict[str, Any]) -> dict[str, Any]:
    """Results in which the benchmarks of later ones replace those of the same name; "others" has their names and heads."""
    out = {**results, "others": []}
    for later in more:
        names = list(dict.fromkeys(row["bench"] for row in later["rows"]))
        rows = [row for row in out["rows"] if row["bench"] not in names]
        others = [*out["others"], (names, head(later, missing=False))]
        out |= {"rows": [*rows, *later["rows"]], "series": {**out["series"], **later["series"]}, "others": others}
    return out


def head(results: dict[str, Any], missing: bool = True) -> str:
    """Date, machine, its load and versions in a line, with or without what is not installed."""
    machine, versions = results["machine"], results["versions"]
    listed = ", ".join(f"{name} {version}" for name, version in versions.items() if missing or version[0].isdigit())
    quick = "QUICK RUN: the sizes are not those aimed at. " if results["quick"] else ""
    before, after = (f"{load:.1f}" for load in results["load"])
    return (
        f"{quick}{results['date']}; {machine['cpu']}, {machine['cores']} cores, load {before} before and {after} after "
        f"{counted(round(results['minutes']), 'minute')} of benchmarks; {machine['system']}; {listed}"
    )


def show(console: Any, results: dict[str, Any]) -> None:
    """Print the table."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in HEADINGS:
        number = heading in NUMBERS
        table.add_column(heading, justify="right" if number else "left", overflow="fold", no_wrap=number)
    for row in results["rows"]:
        texts = [escape(text) for text in cells(row)]
        color = {True: "green", False: "red", None: "dim"}[row["met"]]
        for column in (RATIO, MET):
            texts[column] = f"[{color}]{texts[column]}[/]"
        table.add_row(*texts)
    console.print(table)
    console.print(escape(head(results)), style="dim")


def front_rows(results: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of the first picture that have a ratio, best first."""
    return sorted((row for row in results["rows"] if row["front"] and row["ratio"]), key=lambda row: -row["ratio"])


def front(row: dict[str, Any]) -> list[str]:
    """A row of the first picture as the texts of the first table."""
    unit, theirs = row["unit"], row["peer_best"] or row["peer"]
    return [
        row["front"],
        figure(row["ours"]["median"], unit),
        row["peer_name"],
        figure(theirs["median"], unit),
        times(row["ratio"]),
    ]


def first_table(rows: Iterable[Sequence[str]]) -> list[str]:
    """The rows that most readers want, as lines of Markdown."""
    head = ["| what | Relance | peer | peer takes | ratio |", "|---|---:|---|---:|---:|"]
    return [*head, *("| " + " | ".join(texts) + " |" for texts in rows)]


LEAD = (
    "This page tells how long Relance takes by default, and how long other projects, the peers, take with their fastest settings. "
    "The ratio is the peer's time divided by Relance's; below 1x the peer is faster."
)


def page(results: dict[str, Any]) -> str:
    """The results as a page of Markdown: a picture and a table of the first rows, and how to read them. All rows are in `table`."""
    lines = ["# Benchmarks", "", LEAD, ""]
    if rows := front_rows(results):
        lines += [
            f"![How much longer the peers take than Relance]({FRONT})",
            "",
            *first_table(map(front, rows)),
            "",
        ]
    lines += [
        f"Each figure is the median of at least {LEAST} repeats. Relance and the peer take turns, and every tool may use all cores. Ratios "
        "are similar on other processors, but times are not: times in ns have differed by a factor of 3 between two machines. "
        "`relance bench --json results.json` and `python -m benchmarks.report results.json docs/results/benchmarks_*.json` make this page.",
        "",
        f"The rows{' of all benchmarks but those named below' * bool(results.get('others'))} have this date, machine and software: "
        f"{head(results)}.",
    ]
    for names, text in results.get("others", []):
        lines += [
            "",
            f"The rows of {', '.join(f'`{name}`' for name in names)} have this date, machine and software: {text}.",
        ]
    if results["series"]:
        lines += ["", f"![One iteration of CFR+: cost against the number of hands]({PICTURE})"]
    lines += [
        "",
        "## All rows",
        "",
        f"[All {len(results['rows'])} rows]({ALL}) are kept, whoever is faster. Each tool has a time with its default settings, and one "
        "*at best*, with faster settings. The ratio divides the peer's time at best by Relance's default time. The spread is the slowest "
        "repeat minus the fastest, as a share of the median: first Relance's, then the peer's. A row with a spread above 100% has no "
        "ratio.",
    ]
    return "\n".join(lines) + "\n"


def table(results: dict[str, Any]) -> str:
    """All rows as a table of comma-separated values, which the site shows below the page."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADINGS[i] for i in ON_PAGE)
    writer.writerows([cells(row)[i] for i in ON_PAGE] for row in results["rows"])
    return out.getvalue()


def front_picture(results: dict[str, Any], path: Path) -> None:
    """Draw how many times as long as Relance its peers take, a bar for each row with a name for the front, on a log scale."""
    style = module("relance.pages.plots.style")
    rows = front_rows(results)[::-1]
    drawing, ((axes,),) = style.figure(1, 1, 7.8, 0.42 * len(rows) + 0.9)
    won, lost = style.PLAYER_COLOURS
    axes.barh(
        range(len(rows)),
        [row["ratio"] - 1 for row in rows],
        0.62,
        1,
        color=[won if row["ratio"] >= 1 else lost for row in rows],
    )
    axes.axvline(1, color=style.INK, linewidth=0.8)
    for height, row in enumerate(rows):
        theirs = row["peer_best"] or row["peer"]
        figures = f"{times(row['ratio'])}: {figure(row['ours']['median'], row['unit'])}, {figure(theirs['median'], row['unit'])}"
        axes.annotate(
            figures, (max(row["ratio"], 1), height), xytext=(5, 0), textcoords="offset points", va="center", fontsize=8
        )
    axes.set_yticks(range(len(rows)), [f"{row['front']}\n{row['peer_name']}" for row in rows], fontsize=8)
    axes.set_xscale("log")
    axes.set_xlim(right=300 * max(row["ratio"] for row in rows))
    axes.set_xlabel("times as long as Relance takes by default")
    axes.grid(axis="y", visible=False)
    style.add_title(drawing, "How much longer the peers take, at their best", "ratio: Relance's figure, the peer's")
    style.save(drawing, path)


def picture(results: dict[str, Any], path: Path) -> None:
    """Draw the cost of a CFR+ iteration against the number of hands, log-log, one line per tool."""
    style = module("relance.pages.plots.style")
    names = sorted(results["series"], key=lambda name: not name.startswith("Relance"))
    drawing, ((axes,),) = style.figure(1, 1, 7.2, 4.6)
    labels: list[tuple[float, float]] = []
    for name, look in style.line_styles(names).items():
        points = sorted(results["series"][name])
        width = {"linewidth": 2.4, "zorder": 3} if name.startswith("Relance") else {"linewidth": 1.4}
        axes.loglog(*zip(*points, strict=True), markersize=4, **look, **width)
        (x, y), rise = points[-1], 0
        while any(abs(math.log(x / u)) < 1 and abs(math.log(y / v) + rise / 12) < 0.9 for u, v in labels):
            rise -= 12
        labels.append((x, y * math.exp(rise / 12)))
        axes.annotate(name, (x, y), xytext=(7, rise), textcoords="offset points", va="center", fontsize=9)
    axes.set_xlabel("hands of each player")
    axes.set_ylabel("seconds for one iteration of CFR+")
    axes.margins(x=0.25)
    style.add_title(drawing, "von Neumann's game, bet 2", "cost of an iteration of CFR+ against the number of hands")
    style.save(drawing, path)


def write(results: dict[str, Any], folder: Path) -> list[Path]:
    """Write the page, the file of all rows and the pictures there is something for; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    out = [folder / PAGE, folder / ALL]
    out[0].write_text(page(results), encoding="utf-8")
    out[1].write_text(table(results), encoding="utf-8")
    for drawn, draw, file in ((front_rows(results), front_picture, FRONT), (results["series"], picture, PICTURE)):
        if drawn:
            with module("relance.pages.plots.style").house_style():
                draw(results, folder / file)
            out.append(folder / file)
    return out


def main() -> None:
    """Read results and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.report",
        description="Write docs/benchmarks.md, the rows beside it, and its pictures.",
    )
    parser.add_argument(
        "results",
        type=Path,
        nargs="+",
        help="what `python -m benchmarks --json FILE` wrote; the benchmarks of later files replace those of the same name",
    )
    default = Path(__file__).resolve().parent.parent / "docs"
    parser.add_argument("--output", type=Path, default=default, help="the folder; docs of the project by default")
    arguments = parser.parse_args()
    results = []
    for path in arguments.results:
        try:
            results.append(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            parser.error(f"{path} holds no results: {error}")
    for path in write(together(*results), arguments.output):
        print(path)


if __name__ == "__main__":
    main()
