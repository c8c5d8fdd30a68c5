"""Equilibria: `relance solve`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from relance.equilibria.perfection import quasi_perfect, time_needed
from relance.equilibria.tree_certificates import tree_certificate
from relance.model.arguments import check_unused
from relance.model.game import Game, as_profile
from relance.model.game_tree import GameTree, TreeProfile
from relance.model.numbers import Number, show
from relance.model.profile_file import check_text, profile_text, save_profile
from relance.model.strategy import Profile
from relance.pages.commands import terminal as report
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.shared import about_this_run, beside, console_of, write_json
from relance.pages.commands.typed import JSON, OUTPUT
from relance.solvers.exact import exploitability, value
from relance.solvers.method_choice import is_small
from relance.solvers.optimal_set import optimal_set
from relance.solvers.solve import solve as solve_game

LONG = 10
"""If finding a quasi-perfect equilibrium may take more than this many seconds, a line says so before."""


@command(solve_game, without=["warm_start"])
def solve(
    game: Game | GameTree,
    output: OUTPUT = None,
    optimal_set: bool = False,
    refined: bool = False,
    json_file: JSON = None,
    **options: Any,
) -> None:
    """Solve a game, exactly or to a tolerance, and show the value and a strategy of each player.

    Hands on [0, 1] are cut at the published thresholds, unless the game says into how many cells, as in 'von_neumann(hands=90)'.

    Args:
        output: save the strategies to this file, for `relance score` to read; for a game of Relance, `relance play` reads it too.
        json_file: the file has the strategies, what they earn and how exploitable they are. A game of Relance may have at most a million
            information sets.
        optimal_set: show all optimal strategies: the range of each realization weight, which is the product of the player's own
            probabilities up to an action, and whether it is unique.
        refined: find an exact quasi-perfect equilibrium, which also plays best at information sets that only an opponent's mistake reaches.

    Examples:
        relance solve 'one_card_poker(raises=2)'
        relance solve --optimal-set one_card_poker
        relance solve --refined one_card_poker
        relance solve 'von_neumann(hands=1000000)' --tolerance 1e-6
        relance solve 'von_neumann(hands=90)' -o profile.json
        relance solve openspiel:leduc_poker
    """
    if refined:
        check_unused(
            "--refined, which is exact",
            {f"--{name}": at for name, at in {**options, "optimal-set": optimal_set}.items()},
        )
    if optimal_set:
        given = {**options, "output": output, "json": json_file}
        check_unused(
            "--optimal-set, which solves linear programs exactly", {f"--{name}": at for name, at in given.items()}
        )
        return _show_optimal_sets(game)
    if isinstance(game, GameTree) and output is not None and output.suffix == ".npz":
        raise ValueError(f"--output {output} must end in .json for a game tree")
    checkpoint = options.get("checkpoint")
    kept = f"the progress is in {checkpoint}" if checkpoint else "nothing is saved without --checkpoint FILE"
    made: Any = game.aligned() if isinstance(game, Game) and game.is_published else game
    paths = list(filter(None, (json_file, output)))
    for path in paths if isinstance(made, Game) else ():
        check_text(made, path)  # before minutes of work
    profile: Any = _refined(made) if refined else called(solve_game, made, kept=kept, **options)
    is_shown, notes = str(json_file) != "-", [f"solved by {profile.solved_by}"]
    facts = dict[str, Any]()
    if isinstance(game, GameTree):
        if is_shown:
            report.show_tree_solution(game, profile)
    else:
        worth, left = value(made, profile), exploitability(made, profile)
        facts = {"value": worth, "pot_share": made.pot_share(worth), "exploitability": left}
        facts = {name: _written(number) for name, number in facts.items()} | {"solved_by": profile.solved_by}
        if is_shown:
            report.show_solution(console_of(), made, profile, worth, left, everywhere=refined)
        notes += _notes(game, made, profile, left)
    print(*notes, sep="\n", file=sys.stderr)
    for path in paths:
        about = {"about": about_this_run()} if path is json_file else {}
        if isinstance(made, GameTree):
            write_json(path, about | tree_certificate(made, profile))
        elif str(path) == "-":
            print(profile_text(made, profile, **about, **facts), end="")
        else:
            save_profile(made, profile, path, **about, **facts)
    if output is not None:
        print(f"the strategies are in {output}", file=beside(json_file))


def _refined(game: Game | GameTree) -> Profile | TreeProfile:
    """A quasi-perfect equilibrium, after a line on what it costs if that is much."""
    from relance.registration.game_trees import game_tree  # it imports OpenSpiel

    tree = called(game_tree, game, kept="nothing was read")
    if (seconds := time_needed(tree)) > LONG:
        print(f"{sum(tree.num_sequences):,} sequences of actions are refined in about {seconds:.0f} s", file=sys.stderr)
    found = called(quasi_perfect, tree)
    return found if isinstance(game, GameTree) else replace(as_profile(game, found), solved_by=found.solved_by)


def _notes(asked: Game, made: Game, profile: Profile, left: Number) -> Iterator[str]:
    """What is said of a solution beside it."""
    if made is not asked and asked.deal.is_exact:
        open_to = show(exploitability(asked, made.on_interval(profile)))
        yield f"hands on [0, 1] were cut at the published thresholds; on all of [0, 1] the exploitability is {open_to}"
    is_evaluated = left == 0 and is_small(made)
    if several := [f"player {player}" for player in (0, 1) if is_evaluated and not optimal_set(made, player).unique]:
        yield f"{' and '.join(several)}: one of many optimal strategies; --optimal-set shows them all"


def _written(number: Number) -> float | str:
    """A number in JSON: exact ones are text."""
    return number if isinstance(number, float) else show(number)


def _show_optimal_sets(game: Game | GameTree) -> None:
    made, console = game.aligned() if isinstance(game, Game) and game.is_published else game, console_of()
    for player in (0, 1):
        found = called(optimal_set, made, player)
        if player == 0:
            console.print(f"{made}: value {found.value} chips to player 0")
        report.show_optimal_set(console, found)
