"""Equilibria: `relance solve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from relance.pages.commands.shared import (
    ANY_GAME,
    check_file,
    command,
    console_of,
    progress_bar,
    solving,
    typed_game,
    write,
)

if TYPE_CHECKING:
    from rich.console import Console

    from relance.model.game import Game
    from relance.model.numbers import Number


@command(
    "relance solve 'one_card_poker(raises=2)'",
    "relance solve --face one_card_poker",
    "relance solve 'von_neumann(hands=1000000)' --tolerance 1e-6",
    "relance solve 'von_neumann(hands=90)' -o profile.json",
    "relance solve openspiel:leduc_poker",
)
def solve(
    game: ANY_GAME,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Save the exact strategies to this file, for `relance score` and `play`."),
    ] = None,
    face: Annotated[
        bool,
        typer.Option("--face", help="Show all optimal strategies: the range of each weight, and whether it is unique."),
    ] = False,
    tolerance: Annotated[
        float | None,
        typer.Option(help="Solve to this exploitability in chips, in the quickest way, instead of exactly."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(help="How to solve: lp, dcfr+, pdcfr+, cfr+, pcfr+, dcfr or cfr; by default the quickest."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            help="The file in which CFR saves its progress, each minute and at Ctrl-C; if it exists, solving resumes from it."
        ),
    ] = None,
    backend: Annotated[
        str | None, typer.Option(help="For CFR: numpy, numba or torch; by default one of the first two, by sizes.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="The device for torch, such as cuda.")] = None,
    json_file: Annotated[
        Path | None,
        typer.Option(
            "--json",
            help="Write value, exploitability and strategies to this file, which can be read as a profile too; - for standard output.",
        ),
    ] = None,
) -> None:
    """Solve a game, exactly or to a tolerance, and show the value and a strategy of each player.

    Hands on [0, 1] are cut at the published thresholds, unless the game says how, as in 'von_neumann(hands=90)'.

    A weight is the product of a player's own probabilities up to an action.
    """
    from relance.model.numbers import show
    from relance.model.profile_file import profile_text, write_profile
    from relance.pages.commands import terminal as report
    from relance.pages.commands.game_trees import solve_tree_command, typed_tree
    from relance.solvers.exact import exploitability, value
    from relance.solvers.lp import has_others
    from relance.solvers.method_choice import is_small
    from relance.solvers.solve import solve as solve_game

    if (tree := typed_tree(game)) is not None:
        for name, given in (
            ("--face", face),
            ("--checkpoint", checkpoint),
            ("--backend", backend),
            ("--device", device),
        ):
            if given:
                raise ValueError(f"{name} is an option for games of Relance, not for game trees")
        solve_tree_command(tree, output, json_file, method, tolerance)
        return
    asked, console = typed_game(game), console_of()
    made = asked.aligned() if asked.is_published else asked
    if face:
        names = ("output", "tolerance", "method", "checkpoint", "backend", "device", "json")
        others = (output, tolerance, method, checkpoint, backend, device, json_file)
        for name, setting in zip(names, others, strict=True):
            if setting is not None:
                raise ValueError(f"--{name} {setting} does not go with --face, which solves linear programs exactly")
        _faces(made, console)
        return
    check_file(output)
    check_file(json_file, "--json", or_stdout=True)
    kept = f"the progress is in {checkpoint}" if checkpoint else "nothing is saved without --checkpoint FILE"
    with progress_bar(kept) as progress:
        tick = solving(progress, "solving")
        profile = solve_game(made, method, tolerance, tick=tick, checkpoint=checkpoint, backend=backend, device=device)
    worth, left = value(made, profile), exploitability(made, profile)
    notes = [f"solved by {profile.solved_by}"]
    if made is not asked:
        open_to = show(exploitability(asked, made.on_interval(profile)))
        notes += [
            f"hands on [0, 1] were cut at the published thresholds; on all of [0, 1] the exploitability is {open_to}"
        ]
    if made.deal.is_exact and is_small(made) and left == 0:
        several = [player for player in (0, 1) if has_others(made, player, profile)]
        who = " and ".join(f"player {player}" for player in several)
        notes += [f"{who}: one of many optimal strategies; --face shows them all"] if several else []
    if json_file is not None:
        facts = {"value": _written(worth), "exploitability": _written(left), "solved_by": profile.solved_by}
        write(json_file, profile_text(made, profile, **facts))
    if str(json_file) != "-":
        report.show_solution(console, made, profile, worth, left)
    for note in notes:
        console_of(stderr=True).print(note, markup=False, highlight=False, soft_wrap=True)
    if output is not None:
        write_profile(made, profile, output)
        console.print(f"the strategies are in {output}", markup=False, highlight=False, soft_wrap=True)


def _written(number: Number) -> float | str:
    """A number in JSON: exact ones are text."""
    from relance.model.numbers import show

    return number if isinstance(number, float) else show(number)


def _faces(game: Game, console: Console) -> None:
    from relance.pages.commands import terminal as report
    from relance.solvers.lp import optimal_faces

    with progress_bar() as progress:
        task = progress.add_task("linear programs", total=None)
        faces = optimal_faces(game, lambda advance, total: progress.update(task, advance=advance, total=total))
    console.print(f"{game}: value {faces[0].value} chips to player 0")
    for item in faces:
        report.show_face(console, game, item)
