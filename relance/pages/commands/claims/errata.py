"""Statements that are false as printed: `relance errata`."""

from __future__ import annotations

import typer

from relance.pages.commands.claims.options import JOBS, JSON, PAPERS, ListsPapers, write_json
from relance.pages.commands.shared import check_file, command, console_of, progress_bar


@command("relance errata --paper cutler-1975", cls=ListsPapers)
def errata(
    paper: PAPERS = None,
    json_file: JSON = None,
    jobs: JOBS = None,
) -> None:
    """List the statements that are false as printed, each with a counterexample and the right statement.

    Passages that are garbled in our copies follow, as restored. Every verdict is recomputed.
    """
    from relance.claims import verify as job
    from relance.pages.commands.claims import terminal as report

    check_file(json_file, "--json", or_stdout=True)
    claims = job.misprinted(paper or ())
    with progress_bar() as progress:
        task = progress.add_task("errata", total=len(claims))
        results = job.errata(paper or (), tick=lambda result: progress.advance(task), jobs=jobs or job.processors())
    if json_file is None:
        report.show_errata(console_of(), results, {p.key: p.citation for p, _ in claims})
    else:
        write_json(json_file, results)
    raise typer.Exit(0 if all(result.as_recorded for result in results) else 1)
