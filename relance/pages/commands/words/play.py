"""Play in the terminal: `relance play`."""

from __future__ import annotations

import secrets
import sys
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.progress import Progress

from relance.model.arguments import Count, NaturalNumber
from relance.model.game import Game
from relance.pages.commands.agents import PLAYER, algorithm_words, player
from relance.pages.commands.generator import command
from relance.pages.commands.shared import console_of, progress_bar
from relance.pages.commands.typed import Kind
from relance.pages.commands.words import table
from relance.play.rules import MOST_NODES, check_per_node
from relance.words.prompts import tell_rules
from relance.words.session import Session, action_named


def _later(text: str) -> str:
    return text  # it is read when a bar tells that this may take a while


_later.__doc__ = player.__doc__


@command(Session, without=["reference_opponent"])
def play(
    game: Game,
    opponent: Annotated[str | None, replace(PLAYER, read=_later)] = None,
    trained: Annotated[str | None, Kind(words=algorithm_words)] = None,
    seconds: float = 10.0,
    seat: Literal[0, 1, "random"] = "random",
    rounds: Count | None = None,
    coach: bool = False,
    seed: NaturalNumber | None = None,
) -> None:
    """Play a game in the terminal. The coach shows what each action is worth against the published opponent, in exact expected chips.

    Actions are read from standard input, one per line, by name or key, so a session can be scripted. Ctrl-C exits with status 130.

    Args:
        opponent: by default the published equilibrium, or a solved one.
        trained: train this algorithm of `relance train --list` first, and play against it.
        seconds: training time of --trained in seconds.
        rounds: how many hands to play; by default, until q.
        coach: after each decision, show what each action was worth; type ? to see it before.
        seed: seed of the hands and the opponent; by default a new one for each session.

    Examples:
        relance play one_card_poker --coach
        relance play von_neumann --opponent 'perturbed(0.1)' --seat 0
        printf 'bet\\ncall\\n' | relance play one_card_poker --seat 0 --seed 1
    """
    if opponent is not None and trained is not None:
        raise ValueError(f"--opponent {opponent} and --trained {trained} are two opponents; choose one")
    chosen_seed = secrets.randbelow(10**6) if seed is None else seed
    reference_opponent, console, status = "published" if game.is_published else "solved", console_of(), 0
    named, scored = reference_opponent if opponent is None else opponent, game.tree.kinds.size[0] <= MOST_NODES
    if coach:
        check_per_node(game, "coaches")
    name = named if trained is None else f"{trained}, trained"
    with progress_bar("no hand was dealt") as progress:
        progress.add_task("getting ready", total=None)
        known = {"game": game}
        against = _trained(game, trained, seconds, chosen_seed, progress) if trained else player(name, known)
        reference_opponent = reference_opponent if scored else ""
        session = Session(
            game, against, seat, chosen_seed, player(reference_opponent, known) if reference_opponent else None
        )
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # input that is not text is not an action
    try:
        console.print(f"{game}, against {name}, seed {chosen_seed}", markup=False)
        _play(console, session, reference_opponent, rounds, coach)
    except EOFError:
        console.print()
    except KeyboardInterrupt:
        console.print("\nstopped")
        status = 130
    table.show_summary(console, session, reference_opponent)
    raise typer.Exit(status)


def _trained(game: Game, algorithm: str, seconds: float, seed: int, progress: Progress) -> Any:
    from relance.baselines import runs

    task = progress.add_task(f"training {algorithm}", total=seconds)
    run = runs.train(
        algorithm, game, seconds, seed=seed, watch=lambda spent, used: progress.update(task, completed=spent)
    )
    progress.console.print(f"trained: NashConv {run.points[-1].nash_conv:.3g} chips", highlight=False)
    return run.agent


def _play(console: Console, session: Session, reference_opponent: str, rounds: int | None, always: bool) -> None:
    plain = console.options.ascii_only or console.is_dumb_terminal
    while rounds is None or session.ended < rounds:
        session.deal()
        console.print(f"[bold]hand {session.number}[/], you are player {session.player}")
        console.print(table.hand_drawing(session, plain))
        shown = 0
        while True:
            for seat, action in session.moves[shown:]:
                if seat != session.player:
                    console.print(f"  opponent: [bold]{action}[/]")
            if session.over:
                break
            shown = len(session.moves) + 1
            choice = session.act(_ask(console, session, reference_opponent))
            if always:
                console.print(table.worth_table(choice.actions, choice.chips, reference_opponent, choice.action))
                console.print(table.cost_line(choice, session.lost))
        table.show_end(console, session)


def _ask(console: Console, session: Session, reference_opponent: str) -> str:
    """Ask the player for an action; q, or the end of the input, raises EOFError."""
    console.print(table.legal_choices(session))
    while True:
        said = _line(console).strip()
        if said in ("q", "quit"):
            raise EOFError
        if said == "rules":
            console.print(tell_rules(session.game), markup=False)
            continue
        if said == "?":
            console.print(table.worth_table(session.actions, session.worth, reference_opponent))
            continue
        action = action_named(said, session.actions)
        if action:
            return action
        wrong = f"{said!r} is not one of {', '.join(session.actions)}, ? or q" if said else "type an action, ? or q"
        console.print(wrong, markup=False)


def _line(console: Console) -> str:
    """A line of standard input. From a pipe it is echoed, so that the transcript is readable."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 - gives `input` line editing where available

        return input("> ")
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    console.print(f"> {line.strip()}", markup=False)
    return line
