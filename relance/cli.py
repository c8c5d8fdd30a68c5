"""The command line: `relance --help`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

app = typer.Typer(
    help="Solved poker models: their published equilibria verified exactly, and played in OpenSpiel, PettingZoo and Gymnasium.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _console(stderr: bool = False) -> Console:
    """As wide as the terminal; in a pipe wide enough for a table."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else 140)


@contextmanager
def _progress(console: Console, kept: str = "no results were written") -> Iterator[Progress]:
    """A bar on the terminal, nothing in a pipe; Ctrl-C ends it with a line that says what is kept."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
            yield progress
    except KeyboardInterrupt:
        console.print(f"stopped; {kept}", soft_wrap=True)
        raise


def _write(path: Path, text: str) -> None:
    """Write a file; - is standard output."""
    if str(path) == "-":
        sys.stdout.write(text)
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None


@app.command()
def verify(
    paper: Annotated[
        list[str] | None, typer.Option(help="Only the claims of this paper, such as miao-2014; may be repeated.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the results to this file; - for standard output.")
    ] = None,
    details: Annotated[bool, typer.Option("--details", help="Show the evidence and the domain of each claim.")] = False,
    planted: Annotated[
        bool, typer.Option("--planted", help="Move each printed number by 1/1000 and see that its claim then fails.")
    ] = False,
    smtlib: Annotated[
        Path | None,
        typer.Option("--smtlib", help="Write the facts that the proofs rest on into this folder, as SMT-LIB files."),
    ] = None,
    confirm_with: Annotated[
        str | None, typer.Option("--with", help="Also ask 'openspiel' about every published profile.")
    ] = None,
) -> None:
    """Decide every recorded claim of the papers: proved, exact, or refuted with a counterexample.

    The exit status is 0 unless a claim ends otherwise than recorded. Example: relance verify --paper miao-2014 --details
    """
    from relance import report
    from relance.baselines import verify as job

    if confirm_with not in (None, "openspiel"):
        raise ValueError(f"--with {confirm_with} must be 'openspiel'")
    to_stdout = json_file is not None and str(json_file) == "-"
    console, bar_console = _console(stderr=to_stdout), Console(stderr=True)
    claims = job.selected(paper or ())
    start = time.perf_counter()
    with _progress(bar_console) as progress:
        task = progress.add_task("claims", total=len(claims))
        results = job.verify(paper or (), lambda result: progress.advance(task), smtlib)
    seconds = time.perf_counter() - start
    report.show_claims(console, results, {p.key: p.citation for p, _ in claims}, details)
    good = all(result.as_recorded for result in results)
    if planted:
        with _progress(bar_console) as progress:
            moves = list(progress.track(job.planted(paper or ()), total=len(claims), description="planted errors"))
        report.show_planted(console, moves)
        good = good and all(item.caught for _, items in moves for item in items)
    if confirm_with:
        with _progress(bar_console) as progress:
            found = [job.confirm(game) for game in progress.track(job.samples(), description="OpenSpiel")]
        report.show_confirmations(console, found)
        good = good and all(item.agrees for item in found)
    if json_file is not None:
        text = json.dumps(job.as_json(results), indent=1, ensure_ascii=False) + "\n"
        _write(json_file, text)
    console.print(report.summary(results, seconds))
    if any(result.correction for result in results):
        console.print(
            "[dim]`relance errata` lists what is false in print; `--details` shows the evidence for everything.[/]"
        )
    raise typer.Exit(0 if good else 1)


@app.command()
def errata(
    paper: Annotated[
        list[str] | None, typer.Option(help="Only this paper, such as cutler-1975; may be repeated.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the list to this file; - for standard output.")
    ] = None,
) -> None:
    """List what the papers have wrong: statements that are false as printed, with a counterexample and the right statement.

    Then the statements that the texts at hand garble, as restored. All are decided anew. Example: relance errata --paper cutler-1975
    """
    from relance import report
    from relance.baselines import verify as job

    claims = job.listed(paper or ())
    with _progress(Console(stderr=True)) as progress:
        task = progress.add_task("errata", total=len(claims))
        results = job.errata(paper or (), lambda result: progress.advance(task))
    if json_file is None:
        report.show_errata(_console(), results, {p.key: p.citation for p, _ in claims})
    else:
        text = json.dumps(job.as_json(results), indent=1, ensure_ascii=False) + "\n"
        _write(json_file, text)
    raise typer.Exit(0 if all(result.as_recorded for result in results) else 1)


@app.command()
def games() -> None:
    """List the games with their parameters and sources. Example: relance games"""
    from rich.table import Table

    from relance.envs import BLUEPRINTS

    table = Table(box=None, pad_edge=False)
    for heading in ("game", "parameters", "source"):
        table.add_column(heading, overflow="fold")
    for spec in BLUEPRINTS.values():
        parameters = ", ".join(f"{name}={p.text(p.default)}" for name, p in spec.parameters.items())
        table.add_row(spec.name, parameters, f"{spec.source.key}, {spec.source.where}")
    _console().print(table)


GAME = Annotated[str, typer.Argument(help="A game with parameters, such as 'von_neumann(bet=2,hands=9)'.")]


def _game(text: str) -> Any:
    """Read a game such as "von_neumann(bet=2,hands=9)"."""
    from relance.envs import make

    name, bracket, rest = text.partition("(")
    if bracket and not rest.endswith(")"):
        raise ValueError(f"game {text!r} lacks its closing bracket; write 'von_neumann(bet=2)'")
    pairs = [pair.partition("=") for pair in rest[:-1].split(",")] if rest[:-1].strip() else []
    return make(name.strip(), **{key.strip(): value.strip() for key, _, value in pairs})


@app.command()
def solve(
    game: GAME,
    face: Annotated[
        bool,
        typer.Option("--face", help="Show all optimal strategies: the range of each weight, and whether it is unique."),
    ] = False,
    tolerance: Annotated[
        float | None, typer.Option(help="Solve by CFR+ to this exploitability in chips, instead of exactly.")
    ] = None,
    method: Annotated[str | None, typer.Option(help="lp, cfr+, pcfr+, dcfr or cfr.")] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Where Ctrl-C leaves what CFR has solved; if the file is there, it goes on from it."),
    ] = None,
) -> None:
    """Solve a finite game, exactly by linear programming or by CFR, and show the value and a strategy of each player.

    A weight is the product of a player's own probabilities up to an action. Examples: relance solve "one_card_poker(raises=2)";
    relance solve "von_neumann(hands=1000000)" --tolerance 1e-6
    """
    from relance import report
    from relance.solve.exact import exploitability, value
    from relance.solve.solve import solve as solve_game

    made = _game(game)
    console = _console()
    if face:
        _faces(made, console)
        return
    kept = f"{checkpoint} holds what is solved" if checkpoint else "nothing is kept without --checkpoint FILE"
    with _progress(Console(stderr=True), kept) as progress:
        task = progress.add_task("solving", total=None)

        def tick(iteration: int, left: float) -> None:
            progress.update(task, description=f"iteration {iteration}, exploitability {left:.1e}")

        profile = solve_game(made, method, tolerance, tick=tick, checkpoint=checkpoint)
    report.show_solution(console, made, profile, value(made, profile), exploitability(made, profile))


def _faces(game: Any, console: Console) -> None:
    from relance import report
    from relance.solve.lp import finite_hands, optimal_face

    hands = finite_hands(game).hands
    programs = sum(len(node.actions) * hands(node.player) for node in game.tree.decisions.values())
    with _progress(Console(stderr=True)) as progress:
        task = progress.add_task("linear programs", total=programs)
        faces = [optimal_face(game, player, lambda: progress.advance(task)) for player in (0, 1)]
    console.print(f"{game}: value {faces[0].value} chips to player 0")
    for item in faces:
        report.show_face(console, game, item)


@app.command()
def export(
    game: GAME,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write; standard output by default.")
    ] = Path("-"),
) -> None:
    """Write a finite game as a Gambit .efg file, for pygambit and OpenSpiel's load_efg_game.

    Example: relance export "von_neumann(bet=2,hands=9)" -o von_neumann.efg
    """
    from relance.registration.efg import to_efg

    text = to_efg(_game(game))
    _write(output, text)


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="Groups or benchmarks, such as scoring or lp; all by default.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Small sizes: shows that all runs, not how fast.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the results to this file.")] = None,
) -> None:
    """Measure Relance beside whatever peers are installed, and print the ratios. In a checkout only: it runs benchmarks/.

    Example: relance bench scoring --quick
    """
    if not (Path.cwd() / "benchmarks" / "__init__.py").is_file():
        raise ValueError("relance bench runs the folder benchmarks/ of a checkout: go to the checkout's root first")
    sys.path.insert(0, str(Path.cwd()))
    from importlib import import_module

    import_module("benchmarks").main(names or [], quick, None if json_file is None else str(json_file))


def main() -> None:
    """Run the command line; what goes wrong is one line on standard error and status 2; Ctrl-C is status 130."""
    try:
        app()
    except (ValueError, TypeError, ImportError, ArithmeticError) as error:
        Console(stderr=True, highlight=False).print(f"relance: {error}", markup=False, soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
