"""Game trees on the command line: openspiel:NAME for a game of OpenSpiel, and Gambit files."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relance.pages.commands.shared import (
    add_here,
    check_file,
    console_of,
    progress_bar,
    solving,
    write,
)

if TYPE_CHECKING:
    from relance.model.game_tree import GameTree, TreeProfile

OPENSPIEL = "openspiel:"
"""What a game of OpenSpiel begins with; a bare name is a game of Relance."""

MOST_SHOWN = 40
"""The most information sets whose probabilities are shown."""


def typed_tree(text: str) -> GameTree | None:
    """The game tree that a user typed, openspiel:NAME or a file that ends with .efg; None for a game of Relance."""
    if not text.startswith(OPENSPIEL) and not text.endswith(".efg"):
        return None
    from relance.registration.game_trees import game_tree  # it imports OpenSpiel
    from relance.registration.openspiel_trees import load_openspiel

    return game_tree(load_openspiel(text.removeprefix(OPENSPIEL)) if text.startswith(OPENSPIEL) else Path(text))


def any_tree(text: str) -> GameTree:
    """The game that a user typed, as a game tree; module:NAME is what `relance.game_tree` takes, or makes that.

    Raises:
        ValueError: there is no such game, or the module fails.
    """
    from relance.model.blueprint import Blueprint
    from relance.pages.commands.shared import typed_game
    from relance.registration.game_trees import game_tree

    if (tree := typed_tree(text)) is not None:
        return tree
    module, colon, name = text.partition(":")
    if not colon:
        return game_tree(typed_game(text))
    add_here()
    try:
        found = getattr(import_module(module), name.partition("(")[0])
        if isinstance(found, Blueprint):
            return game_tree(typed_game(text))
        return game_tree(found() if callable(found) else found)
    except (ModuleNotFoundError, AttributeError) as error:
        raise ValueError(f"there is no game {text!r}: {error}") from None


def solve_tree_command(
    tree: GameTree, output: Path | None, json_file: Path | None, method: str | None, tolerance: float | None
) -> None:
    """`relance solve` for a game tree; a file holds the strategies as a certificate, see `relance.equilibria.tree_certificate`."""
    from relance.equilibria.grades import in_short
    from relance.equilibria.tree_certificates import tree_certificate
    from relance.solvers.solve import solve
    from relance.solvers.tree_values import judge

    check_file(output)
    check_file(json_file, "--json", or_stdout=True)
    with progress_bar() as progress:
        profile = solve(tree, method, tolerance, tick=solving(progress, "solving"))
    console, found = console_of(), judge(tree, profile)
    if str(json_file) != "-":
        text = f"{tree}: value {in_short(found.values[0])} to player 0, NashConv {in_short(found.nash_conv)}"
        console.print(text, markup=False, highlight=False, soft_wrap=True)
        _show(profile)
    console_of(stderr=True).print(f"solved by {profile.solved_by}", highlight=False)
    for path in (json_file, output):
        if path is not None:
            write(path, json.dumps(tree_certificate(tree, profile), indent=1) + "\n")
    if output is not None and str(json_file) != "-":
        console.print(f"the strategies are in {output}", markup=False, highlight=False, soft_wrap=True)


def _show(profile: TreeProfile) -> None:
    """The probabilities of a profile, a line for each information set."""
    console = console_of()
    for player in range(profile.tree.players):
        sets = [*profile.tree.sets_of(player)]
        more = "" if len(sets) <= MOST_SHOWN else f": {len(sets):,} information sets; -o FILE saves their probabilities"
        console.print(f"player {player}{more}", markup=False)
        for s in sets if not more else ():
            law = ", ".join(f"{action} {p}" for action, p in profile[s.name].items())
            console.print(f"  {' '.join(s.name.split())}: {law}", markup=False, soft_wrap=True)


def tree_player(tree: GameTree, text: str) -> Any:
    """A profile of a game tree that a user named: uniform; solved; a file of `relance solve -o` or {information set: {action: probability}}
    in JSON; or module:name, a table or a policy of OpenSpiel.

    Raises:
        ValueError: there is no such profile.
    """
    from relance.model.files import read_text
    from relance.solvers.solve import solve

    if text == "solved":
        return solve(tree)
    if text.endswith(".json"):
        try:
            told = json.loads(read_text(Path(text)))
        except ValueError as error:
            raise ValueError(f"{text} is no profile in JSON: {error}") from None
        return told.get("profile", told) if isinstance(told, dict) else told
    module, colon, name = text.partition(":")
    if colon:
        add_here()
        try:
            return getattr(import_module(module), name)
        except (ModuleNotFoundError, AttributeError) as error:
            raise ValueError(f"there is no profile {text!r}: {error}") from None
    if text != "uniform":
        raise ValueError(
            f"{text!r} is no profile of {tree}; take uniform, solved, a .json file of `relance solve -o`, or module:name"
        )
    return text
