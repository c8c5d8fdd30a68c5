"""The papers' claims: `relance verify`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from relance.model.files import check_folder
from relance.pages.commands.claims.options import JOBS, JSON, PAPERS, ListsPapers, write_json
from relance.pages.commands.shared import check_file, command, console_of, progress_bar, write

if TYPE_CHECKING:
    from rich.console import Console

    from relance.claims.ledger import Result


@command("relance verify --paper miao-2014 --details", "relance verify --json claims.json", cls=ListsPapers)
def verify(
    paper: PAPERS = None,
    json_file: JSON = None,
    html_file: Annotated[
        Path | None,
        typer.Option("--html", help="Write a report as one page that needs no network; pictures need the extra plot."),
    ] = None,
    claims: Annotated[bool, typer.Option("--claims", help="Show every claim with its verdict.")] = False,
    details: Annotated[
        bool,
        typer.Option("--details", help="Show every claim, with its places, evidence, domain and argument."),
    ] = False,
    planted: Annotated[
        bool,
        typer.Option(
            "--planted", help="Make each claim false, by moving its numbers or otherwise, and check that it then fails."
        ),
    ] = False,
    smtlib: Annotated[
        Path | None,
        typer.Option("--smtlib", help="Write the facts that the proofs rest on into this folder, as SMT-LIB files."),
    ] = None,
    certificates: Annotated[
        Path | None,
        typer.Option(
            "--certificates", help="Write what each claim rests on into this folder, to check without Relance."
        ),
    ] = None,
    coq: Annotated[
        Path | None,
        typer.Option("--coq", help="Write the equilibria that claims rest on into this folder, for Coq to check."),
    ] = None,
    confirm_with: Annotated[
        str | None,
        typer.Option("--with", help="Check every published profile with another program as well: openspiel."),
    ] = None,
    jobs: JOBS = None,
) -> None:
    """Decide every recorded claim of the papers: proved, exact, or refuted with a counterexample.

    A claim is "proved, given the argument" if a person argued a step of it; --details prints that argument.

    The exit status is 1 if a verdict differs from the recorded one.
    """
    from relance.claims import verify as job
    from relance.pages.commands.claims import terminal as report

    if confirm_with not in (None, "openspiel"):
        raise ValueError(f"--with {confirm_with} must be 'openspiel'")
    check_file(html_file, "--html")
    check_file(json_file, "--json", or_stdout=True)
    for folder in (smtlib, certificates, coq):
        if folder is not None:
            check_folder(folder)
    to_stdout = str(json_file) == "-"
    console, start, jobs = console_of(stderr=to_stdout), time.perf_counter(), jobs or job.processors()
    chosen = job.selected(paper or ())
    console.print(report.announcement(len(chosen), job.expected_seconds(paper or (), jobs), jobs))
    with progress_bar() as progress:
        task = progress.add_task("claims", total=len(chosen))
        results = job.verify(
            paper or (),
            tick=lambda result: progress.advance(task),
            smtlib=smtlib,
            certificates=certificates,
            coq=coq,
            jobs=jobs,
        )
    if coq is not None:
        from relance.claims.coq.folder import write_common

        report.show_coq(console, write_common(coq), coq)
    citations = {p.key: p.citation for p, _ in chosen}
    if claims or details:
        report.show_claims(console, results, citations, details)
    else:
        report.show_papers(console, results, citations)
    report.show_surprises(console, results)
    good = all(result.as_recorded for result in results)
    if planted:
        with progress_bar() as progress:
            moves = list(progress.track(job.planted(paper or ()), total=len(chosen), description="planted errors"))
        report.show_planted(console, moves)
        good = good and all(item.caught for _, items in moves for item in items)
    if confirm_with:
        from relance.registration.confirmation import confirm, samples

        with progress_bar() as progress:
            confirmations = [confirm(game) for game in progress.track(samples(), description="OpenSpiel")]
        report.show_confirmations(console, confirmations)
        good = good and all(item.agrees for item in confirmations)
    if json_file is not None:
        write_json(json_file, results)
    if html_file is not None:
        _write_page(html_file, results, start, console)
    console.print(report.verdict_counts(results, time.perf_counter() - start))
    console.print(
        "[dim]--claims shows every claim, --details the evidence; `relance errata` says more of what is false.[/]"
    )
    raise typer.Exit(0 if good else 1)


def _write_page(path: Path, results: Sequence[Result], start: float, console: Console) -> None:
    """Write the report, without pictures if matplotlib is not installed."""
    from relance.pages.report import report_page, report_pictures

    note = ""
    with progress_bar(f"{path} was not written") as progress:
        task = progress.add_task("pictures", total=None)
        keys = list(dict.fromkeys(result.paper for result in results))
        try:
            drawn = report_pictures(keys, lambda total: progress.update(task, total=total, advance=1))
        except ImportError as error:
            drawn, note = [], f"This report has no pictures: {error}"
    write(path, report_page(results, drawn, time.perf_counter() - start, note))
    if note:
        console.print(note, markup=False, soft_wrap=True)
    console.print(f"the report is in {path}", markup=False, highlight=False, soft_wrap=True)
