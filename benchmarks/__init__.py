"""Relance compared with its peers: medians of both from the same run, and how many times as long the peer takes.

    relance bench [NAME ...] [--quick] [--json FILE]
    python -m benchmarks.report FILE [MORE ...]

A NAME is a group or a benchmark of `python -m benchmarks --list`. The table marks peers that are not installed:
`pip install --editable . --group bench` brings them all.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks import (
    cards,
    choices,
    fresh,
    graphics,
    growth,
    in_jax,
    large,
    learning,
    leduc,
    limits,
    nodes,
    play,
    river,
    scoring,
    solving,
    trees,
    turn,
    vectors,
    words,
)
from benchmarks.harness import Bench, Row, Settings, about, problem
from relance.model.provenance import about_run

GROUPS: dict[str, dict[str, Bench]] = {
    "scoring": scoring.BENCHES,
    "solving": solving.BENCHES | large.BENCHES,
    "trees": trees.BENCHES,
    "play": play.BENCHES | vectors.BENCHES,
    "fresh": fresh.BENCHES,
    "learning": learning.BENCHES,
    "graphics": graphics.BENCHES,
    "jax": in_jax.BENCHES,
    "nodes": nodes.BENCHES,
    "cards": cards.BENCHES,
    "river": river.BENCHES | turn.BENCHES,
    "leduc": leduc.BENCHES,
    "choices": choices.BENCHES,
    "words": words.BENCHES,
    "limits": limits.BENCHES,
    "growth": growth.BENCHES,
}

__all__ = ["GROUPS", "collect", "main", "selected"]


def selected(names: Iterable[str] = ()) -> dict[str, Bench]:
    """The benchmarks of these groups or names; without any, all.

    Raises:
        ValueError: a name is unknown.
    """
    every = {name: bench for group in GROUPS.values() for name, bench in group.items()}
    out: dict[str, Bench] = {}
    for name in names:
        if name not in GROUPS and name not in every:
            raise ValueError(f"no benchmark {name!r}; groups: {', '.join(GROUPS)}; benchmarks: {', '.join(every)}")
        out |= GROUPS.get(name) or {name: every[name]}
    return out or every


def collect(
    names: Iterable[str] = (), quick: bool = False, tell: Callable[[str], None] = lambda text: None
) -> dict[str, Any]:
    """Run benchmarks and return what `--json` writes, with the machine's load. A benchmark that fails becomes a row with the reason.

    A quick run uses smaller sizes, so no aim counts as met or missed.
    """
    settings = Settings(quick)
    rows: list[Row] = []
    start, before = time.monotonic(), os.getloadavg()[0]
    for name, bench in selected(names).items():
        begun = time.monotonic()
        try:
            rows += bench(settings)
        except Exception as error:
            rows.append(Row(name, name, note=problem(error)))
        tell(f"{name}: {time.monotonic() - begun:.0f} s")
    spent = {"load": (before, os.getloadavg()[0]), "minutes": (time.monotonic() - start) / 60}
    listed = [row.facts() | ({"met": None} if quick else {}) for row in rows]
    return {**about(), **spent, "quick": quick, "rows": listed, "series": settings.series}


def main(names: Iterable[str] = (), quick: bool = False, json_file: str | Path | None = None) -> dict[str, Any]:
    """Run benchmarks, print their table and write the results; progress goes to standard error."""
    from rich.console import Console

    from benchmarks.report import show

    progress, names = Console(stderr=True), list(names)
    results = collect(names, quick, lambda text: progress.print(text, style="dim"))
    show(Console(width=None if sys.stdout.isatty() else 170), results)
    if json_file is not None:
        command = shlex.join(["relance", "bench", *names, *["--quick"] * quick])
        told = {"about": about_run(command, game=None, seed=None, options={"names": names, "quick": quick}), **results}
        Path(json_file).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return results
