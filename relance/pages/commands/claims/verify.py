"""The papers' claims: `relance verify`, and those that are false as printed: `relance errata`."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.markup import escape

from relance.claims import verify as job
from relance.claims.ledger import Result
from relance.model.arguments import Count
from relance.pages import report as pages
from relance.pages.commands.claims import terminal as report
from relance.pages.commands.generator import command
from relance.pages.commands.progress import BARS, called, some_more
from relance.pages.commands.shared import console_of, progress_bar, write, write_result
from relance.pages.commands.typed import FOLDER, JSON, Kind, WrittenPath

BARS[Callable[[Result], object]] = lambda result: some_more()


def _papers() -> list[tuple[str, str]]:
    """The papers by key; only the heads of their files are read."""
    files = sorted(Path(str(resources.files("relance.claims"))).glob("*/claims.toml"))
    heads = (tomllib.loads(file.read_text(encoding="utf-8").partition("[[")[0]) for file in files)
    return [(head["key"], "{key}: {citation}".format_map(head)) for head in heads]


PAPERS = Annotated[Sequence[str], Kind(words=_papers, title="Papers")]


@command(job.verify)
def verify(
    papers: PAPERS = (),
    json_file: JSON = None,
    html_file: Annotated[Path | None, "--html", WrittenPath()] = None,
    claims: bool = False,
    details: bool = False,
    planted: bool = False,
    smtlib: FOLDER = None,
    certificates: FOLDER = None,
    coq: FOLDER = None,
    confirm_with: Annotated[Literal["openspiel"] | None, "--with"] = None,
    jobs: Count | None = None,
) -> None:
    """Decide every recorded claim of the papers: proved, exact, or refuted with a counterexample.

    A claim is "proved, given the argument" if a person argued a step of it; --details prints that argument.

    The exit status is 1 if a verdict differs from the recorded one.

    Args:
        html_file: write a report as one page that needs no network; pictures need the extra plot.
        claims: show every claim with its verdict.
        details: show every claim, with its places in the paper, evidence, domain and argument.
        planted: make each claim false, by moving its numbers or otherwise, and check that it then fails.
        confirm_with: check every published profile with another program as well: openspiel.
        jobs: how many processes decide claims at the same time; by default one per processor.

    Examples:
        relance verify --paper miao-2014 --details
        relance verify --json claims.json
    """
    console, start, jobs = console_of(json_file), time.perf_counter(), jobs or job.processors()
    chosen = job.selected(papers)
    console.print(report.announcement(len(chosen), job.expected_seconds(papers, jobs), jobs))
    folders: dict[str, Any] = {"smtlib": smtlib, "certificates": certificates, "coq": coq}
    results = called(job.verify, papers, jobs=jobs, total=len(chosen), **folders)
    if coq is not None:
        from relance.claims.coq.folder import write_common

        written = write_common(coq)
        for text in written.left_out:
            console.print(f"[yellow]not for Coq[/] {escape(text)}", soft_wrap=True)
        told = f"{written.equilibria} equilibria in {written.files} Coq files; `make -C {escape(str(coq))}` has Coq check them."
        console.print(told, soft_wrap=True)
    citations = {paper.key: paper.citation for paper, _ in chosen}
    if claims or details:
        report.show_claims(console, results, citations, details)
    else:
        report.show_papers(console, results, citations)
    report.show_surprises(console, results)
    good = all(result.as_recorded for result in results)
    if planted:
        with progress_bar() as progress:
            moves = list(progress.track(job.planted_errors(papers), total=len(chosen), description="planted errors"))
        report.show_planted(console, moves)
        good = good and all(item.caught for _, items in moves for item in items)
    if confirm_with:
        from relance.registration.confirmation import confirm, samples

        with progress_bar() as progress:
            confirmations = [confirm(game) for game in progress.track(samples(), description="OpenSpiel")]
        report.show_confirmations(console, confirmations)
        good = good and all(item.agrees for item in confirmations)
    write_result(json_file, {"claims": list(map(asdict, results))})
    if html_file is not None:
        _write_page(html_file, results, start, console)
    console.print(report.verdict_counts(results, time.perf_counter() - start))
    console.print(
        "[dim]--claims shows every claim, --details the evidence; `relance errata` says more of what is false.[/]"
    )
    raise typer.Exit(0 if good else 1)


def _write_page(path: Path, results: Sequence[Result], start: float, console: Console) -> None:
    """Write the report, without pictures if matplotlib is not installed."""
    drawn, note = list[pages.ReportPicture](), ""
    try:
        drawn = called(pages.report_pictures, {result.paper for result in results}, kept=f"{path} was not written")
    except ImportError as error:
        note = f"This report has no pictures: {error}"
    write(path, pages.report_page(results, drawn, time.perf_counter() - start, note))
    for text in filter(None, (note, f"the report is in {path}")):
        console.print(text, markup=False, soft_wrap=True)


@command(job.errata)
def errata(papers: PAPERS = (), json_file: JSON = None, jobs: Count | None = None) -> None:
    """List the statements that are false as printed, each with a counterexample and the right statement.

    Passages that are garbled in our copies of the papers follow, as we restored them. Every verdict is recomputed.

    Args:
        jobs: how many processes decide claims at the same time; by default one per processor.

    Examples:
        relance errata --paper cutler-1975
    """
    claims = job.misprinted(papers)
    results = called(job.errata, papers, jobs=jobs or job.processors(), total=len(claims))
    if json_file is None:
        report.show_errata(console_of(), results, {paper.key: paper.citation for paper, _ in claims})
    write_result(json_file, {"claims": list(map(asdict, results))})
    raise typer.Exit(0 if all(result.as_recorded for result in results) else 1)
