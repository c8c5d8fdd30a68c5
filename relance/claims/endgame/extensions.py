"""Check of the claims on our two extensions of the endgame: a hidden card, and cards to come."""

from __future__ import annotations

from relance.claims.prelude import *


def extension(n: Numbers, game: str, conditions: Sequence[Sequence[str]], names: str, moved: str = "0") -> Finding:
    """Check that an extended endgame's published solution is an equilibrium, and at default parameters has the value of a linear program.

    `names` has the names of the parameters, such as "a, b". Each item of `conditions` is a list of conditions on the parameters. `moved` is
    added to the first published number, which is how often player I bluffs; a `moved` other than 0 makes the solution wrong on purpose.
    """
    parts = []
    for case in conditions:
        where = region(names, *case)
        made = make(game, **where)
        parts.append(nash(made, _published(made, moved), where).part())
    sample = make(game)
    worth = {"value by linear programming": solve_lp(sample)[0]}
    same = equal(worth, dict.fromkeys(worth, play_value(sample, sample.published())))
    found = together(parts)
    text = f"NashConv 0; at {sample} the {same.evidence}"
    return replace(found, evidence=text) if found.holds and same.holds else together([found, same])


def _published(game: Game, moved: str) -> Plan:
    printed, numbers = game.printed_numbers()
    first = next(iter(printed.formulas(game.parameters)))
    return printed.plan({**numbers, first: numbers[first] + Fraction(moved)}, game.tree)
