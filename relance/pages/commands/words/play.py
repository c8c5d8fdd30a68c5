"""Play in the terminal: `relance play`."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console
from rich.progress import Progress

from relance.model.game import Game
from relance.pages.commands.agents import STRATEGIES, ListsOpponents, errors_of, player
from relance.pages.commands.shared import (
    GAME,
    add_here,
    command,
    complete_opponents,
    console_of,
    progress_bar,
    solving,
    typed_game,
)

if TYPE_CHECKING:
    from relance.words.session import Session


@command(
    "relance play one_card_poker --coach",
    "relance play von_neumann --opponent 'perturbed(0.1)' --seat 0",
    "printf 'bet\\ncall\\n' | relance play one_card_poker --seat 0 --seed 1",
    cls=ListsOpponents,
)
def play(
    game: GAME,
    opponent: Annotated[
        str | None, typer.Option(help=f"{STRATEGIES} By default equilibrium.", autocompletion=complete_opponents)
    ] = None,
    trained: Annotated[
        str | None,
        typer.Option(
            help="Train this algorithm of `relance train --list` first, and play against it.",
            autocompletion=lambda: _algorithms(),
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(help="Training time of --trained in seconds.")] = 10.0,
    seat: Annotated[str, typer.Option(help="0, 1 or random.", autocompletion=lambda: ["0", "1", "random"])] = "random",
    rounds: Annotated[int | None, typer.Option(help="How many hands to play; by default, until q.", min=1)] = None,
    coach: Annotated[
        bool,
        typer.Option("--coach", help="After each decision, show what each action was worth; type ? to see it before."),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(help="Seed of the hands and the opponent; by default a new one for each session.", min=0),
    ] = None,
) -> None:
    """Play a game in the terminal. The coach shows what each action is worth against the published opponent, in exact expected chips.

    Actions are read from standard input, one per line, by name or key, so a session can be scripted. Ctrl-C exits with status 130.
    """
    import secrets

    from relance.pages.commands.words.table import show_summary
    from relance.words.session import Session

    made = typed_game(game)
    if opponent is not None and trained is not None:
        raise ValueError(f"--opponent {opponent} and --trained {trained} are two opponents; choose one")
    if seat not in ("0", "1", "random"):
        raise ValueError(f"--seat {seat} must be 0, 1 or random")
    chosen_seed = secrets.randbelow(10**6) if seed is None else seed
    judge = "published" if made.is_published else "solved"
    console, named = console_of(), judge if opponent is None else opponent
    if trained is not None:
        named = f"{trained}, trained"
    with errors_of(named), progress_bar("no hand was dealt") as progress:
        tick = solving(progress, "getting ready")
        against = (
            _trained(made, trained, seconds, chosen_seed, progress)
            if trained is not None
            else player(made, named, tick)
        )
        where: Literal[0, 1, "random"] = "random" if seat == "random" else 1 if seat == "1" else 0
        session = Session(made, against, where, chosen_seed, player(made, judge, tick))
    status = 0
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # input that is not text is not an action
    try:
        console.print(f"{made}, against {named}, seed {chosen_seed}", markup=False, highlight=False)
        with errors_of(named):
            _play(console, session, judge, rounds, coach)
    except EOFError:
        console.print()
    except KeyboardInterrupt:
        console.print("\nstopped")
        status = 130
    show_summary(console, session, judge)
    raise typer.Exit(status)


def _algorithms() -> list[str]:
    """The algorithms, for shell completion."""
    from relance.baselines.algorithms import algorithms

    return list(algorithms())


def _trained(game: Game, algorithm: str, seconds: float, seed: int, progress: Progress) -> Any:
    from relance.baselines import runs

    add_here()
    runs.on_one_thread(algorithm)
    task = progress.add_task(f"training {algorithm}", total=seconds)
    run = runs.train(
        algorithm, game, seconds, seed=seed, watch=lambda spent, used: progress.update(task, completed=spent)
    )
    progress.console.print(f"trained: NashConv {run.points[-1].nash_conv:.3g} chips", highlight=False)
    return run.agent


def _play(console: Console, session: Session, judge: str, rounds: int | None, always: bool) -> None:
    from relance.pages.commands.words import table

    plain = console.options.ascii_only or console.is_dumb_terminal
    while rounds is None or session.ended < rounds:
        session.deal()
        console.print(f"[bold]hand {session.number}[/], you are player {session.player}", highlight=False)
        console.print(table.hand_drawing(session, plain))
        shown = 0
        while True:
            for seat, action in session.moves[shown:]:
                if seat != session.player:
                    console.print(f"  opponent: [bold]{action}[/]", highlight=False)
            if session.over:
                break
            shown = len(session.moves) + 1
            choice = session.act(_ask(console, session, judge))
            if always:
                console.print(table.worth_table(choice.actions, choice.chips, judge, choice.action))
                console.print(table.cost_line(choice, session.lost))
        table.show_end(console, session)


def _ask(console: Console, session: Session, judge: str) -> str:
    """Ask the player for an action; q, or the end of the input, raises EOFError."""
    from relance.pages.commands.words import table
    from relance.words.prompts import tell_rules
    from relance.words.session import action_named

    console.print(table.menu(session))
    while True:
        said = _line(console).strip()
        if said in ("q", "quit"):
            raise EOFError
        if said == "rules":
            console.print(tell_rules(session.game), markup=False, highlight=False)
            continue
        if said == "?":
            console.print(table.worth_table(session.actions, session.worth, judge))
            continue
        action = action_named(said, session.actions)
        if action:
            return action
        wrong = f"{said!r} is not one of {', '.join(session.actions)}, ? or q" if said else "type an action, ? or q"
        console.print(wrong, markup=False, highlight=False)


def _line(console: Console) -> str:
    """A line of standard input. From a pipe it is echoed, so that the transcript is readable."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 - gives `input` line editing where available

        return input("> ")
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    console.print(f"> {line.strip()}", markup=False, highlight=False)
    return line
