"""A game as text, for people and for other programs: `relance show` and `relance export`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from relance.equilibria.grades import in_short
from relance.model.arguments import check_unused
from relance.model.game import Game, as_profile
from relance.model.game_tree import GameTree
from relance.model.profile_file import profile_text, save_profile
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.shared import console_of, write, write_json, write_result
from relance.pages.commands.terminal import about_game, plain_table
from relance.pages.commands.typed import JSON, WrittenPath
from relance.play.opponents import Player
from relance.registration.efg import to_efg
from relance.solvers.tree_values import as_tree_profile

if TYPE_CHECKING:
    from relance.solvers.information_sets import InformationSetValues


@command()
def show(
    game: Game | GameTree,
    as_printed: bool = False,
    family: Mapping[str, str] | None = None,
    of: Annotated[Player | None, "--of"] = None,
    json_file: JSON = None,
) -> None:
    """Show a game: its rules, the published strategies (--family picks one of a family), their value and NashConv, and the source.

    Args:
        as_printed: where the paper has a misprint, show the strategies uncorrected.
        of: show only this strategy: each information set's reach probability, the player's belief there, and the chips of each action.
        json_file: the file has what --of shows, for every information set; without --of this is an error.

    Examples:
        relance show one_card_poker
        relance show one_card_poker --family alpha=1/4
        relance show bellman_blackwell --as-printed
        relance show kuhn --of published
    """
    if of is not None:
        check_unused("--of, which shows one strategy", {"--as-printed": as_printed, "--family": family})
        from relance.solvers.information_sets import information_sets

        found = called(information_sets, game, of, kept="nothing is shown")
        if json_file is not None:
            write_result(json_file, {"information_sets": {name: at.as_dict() for name, at in found.items()}})
        if str(json_file) != "-":
            _show_sets(found)
        return
    if json_file is not None or isinstance(game, GameTree):
        what = f"--json {json_file}" if json_file else f"{game}, a game tree,"
        raise ValueError(f"{what} needs a strategy: --of STRATEGY")
    print(*called(about_game, game, as_printed, family or {}, kept="nothing is shown"), sep="\n")


MOST_SETS, MOST_BELIEVED = 60, 6
"""The most information sets, and the most entries of a belief, that are shown in the terminal; --json writes all."""


def _show_sets(found: Mapping[str, InformationSetValues]) -> None:
    """A row for each information set: how often play comes there, what the player believes, and each action with its chips."""
    table = plain_table(
        "information set", "player", "own reach", "others' reach", "value", "action: probability, chips", "belief"
    )
    for name, at in list(found.items())[:MOST_SETS]:
        chips = at.action_values or {}
        acts = "; ".join(
            f"{a}: {in_short(p)}, {in_short(chips[a]) if chips else 'none'}" for a, p in at.action_probs.items()
        )
        believed = "; ".join(f"{what} {in_short(p)}" for what, p in list(at.belief.items())[:MOST_BELIEVED])
        more = f"; and {len(at.belief) - MOST_BELIEVED} more" if len(at.belief) > MOST_BELIEVED else ""
        value = "never reached" if at.value is None else in_short(at.value)
        led = in_short(at.reach_prob), in_short(at.counterfactual_reach_prob)
        row = [" ".join(name.split()), str(at.player), *led, value]
        table.add_row(*row, acts, believed + more)
    console = console_of()
    console.print(table)
    if len(found) > MOST_SETS:
        console.print(f"and {len(found) - MOST_SETS:,} more; --json FILE writes all")


@command(to_efg)
def export(
    game: Game | GameTree,
    output: Annotated[Path, "--output", "-o", WrittenPath(or_stdout=True)] = Path("-"),
    of: Annotated[Player | None, "--of"] = None,
    **options: Any,
) -> None:
    """Write a finite game as a Gambit .efg file, for pygambit and OpenSpiel's load_efg_game. Or, with --of, a strategy of it as JSON.

    Args:
        output: the file to write; standard output by default.
        of: write this strategy, by information set, for `score`, `grade`, `match` and `plot` to read; as arrays if the file ends in .npz.

    Examples:
        relance export 'von_neumann(bet=2,hands=9)' -o von_neumann.efg
        relance export kuhn --of published -o kuhn.json
    """
    if of is not None:
        check_unused("--of, which writes a strategy", {f"--{name}": setting for name, setting in options.items()})
        if isinstance(game, GameTree):
            return write_json(output, {"profile": as_tree_profile(game, of).texts()})
        profile = as_profile(game, of)
        return write(output, profile_text(game, profile)) if str(output) == "-" else save_profile(game, profile, output)
    write(output, called(to_efg, game, kept=f"{output} is as it was", **options))
