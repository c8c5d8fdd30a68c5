"""Cutler's game with check-raises: the exact solution for 1 to 4 raises, and the same computed on a grid.

Prints the tables of docs/check_raise.md, within minutes:

    python -m studies.check_raise --hands 2000
    python -m studies.check_raise --hands 100000 --method dcfr --tolerance 1e-6 --most 3
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain

import numpy as np
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID

import relance
from relance.claims.cutler.check_raise import two_lines
from relance.envs.cutler import after_a_bet
from relance.model.game import Game
from relance.model.numbers import show

RAISES = range(1, 5)


def games(raises: int) -> tuple[Game, Game]:
    """The game without check-raises and with them."""
    without, allowed = (relance.make("pot_limit", raises=raises, check_raise=flag) for flag in (False, True))
    return without, allowed


def exact() -> Iterator[str]:
    """Values with and without check-raises."""
    yield "| raises | value without check-raises | value with check-raises | A's loss falls by |"
    yield "|---:|---:|---:|---:|"
    for raises in RAISES:
        without, allowed = games(raises)
        profile = allowed.published()
        assert relance.nash_conv(allowed, profile) == 0
        low, high = relance.value(without, without.published()), relance.value(allowed, profile)
        share = float((high - low) / -low)
        yield f"| {raises} | {low} = {float(low):.5f} | {high} = {float(high):.5f} | {share:.2%} |"


def unprepared() -> Iterator[str]:
    """What A can win if B plays as if check-raises were forbidden, and answers them as in force-in."""
    yield "\n| raises | A wins at most | A check-raises with hands above |\n|---:|---:|---:|"
    for raises in RAISES:
        without, allowed = games(raises)
        (_, line), profile = without.printed_numbers(), without.published()
        facing = allowed.tree.decisions["check-bet"]
        answer = after_a_bet(facing, "check-bet", {**line, "a": line["c"], "d": line["b"]})
        plan = {**profile.plan(), **answer}
        best = relance.best_response(allowed, allowed.profile(plan), 0)
        assert not best.strategy.at[""][1].integral()  # A always checks
        start = best.strategy.at["check-bet"][facing.index("raise")].cuts[1]
        yield f"| {raises} | {best.value} = {float(best.value):.5f} | {start} = {float(start):.4f} |"


def the_hand(x: str) -> Iterator[str]:
    """The two lines that the paper compares with this hand, the check-raise for each of B's answers."""
    yield f"\n| B answers the check-raise | A wins with {x} |\n|---|---:|"
    for answer in ("", "fold", "call", "raise"):
        check, bet = two_lines(Fraction(x), 4, answer)
        yield f"| {answer or 'as in force-in'} | {show(check)} = {float(check):.4f} |"
    yield f"| (A bets, and calls a raise) | {show(bet)} = {float(bet):.4f} |"


def by_grid(hands: int, method: str, tolerance: float, most: int) -> Iterator[str]:
    """The same without using the solution: from the amounts of hands that bet and raise on a grid of equal cells."""
    yield (
        f"\n| raises, {hands} hands, {method} | exploitability | value | exact - value | a | alpha | q | q after a check |"
    )
    yield "|---:|---:|---:|---:|---:|---:|---:|---:|"
    for raises in range(1, most + 1):
        whole = relance.make("pot_limit", raises=raises, check_raise=True)
        game = whole.grid(hands)
        with Progress(
            SpinnerColumn(), *Progress.get_default_columns()[:1], console=Console(stderr=True), transient=True
        ) as progress:
            task = progress.add_task(f"{game}", total=None)

            def tick(iteration: int, left: float, progress: Progress = progress, task: TaskID = task) -> None:
                progress.update(task, description=f"iteration {iteration}, exploitability {left:.1e}")

            profile = relance.solve(game, method, tolerance, tick=tick)
        row = {
            (name, action): np.asarray(profile[name][i], float)
            for name, node in game.tree.decisions.items()
            for i, action in enumerate(node.actions)
        }
        bets, answers = row["", "bet"].mean(), row["check", "bet"].mean()  # each 3/2 of its good hands
        raised = row["bet", "raise"].mean() / answers
        reach = row["", "check"] * row["check-bet", "raise"]
        value, left = relance.value(game, profile), relance.exploitability(game, profile)
        error = float(relance.value(whole, whole.published())) - float(value)
        yield (
            f"| {raises} | {float(left):.1e} | {float(value):.7f} | {error:.1e} | {1 - answers / 1.5:.4f} | {raised:.4f} | "
            f"{bets / answers:.4f} | {1 - reach.mean() / (raised * answers):.4f} |"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=int, default=300)
    parser.add_argument("--method", default="lp")
    parser.add_argument("--tolerance", type=float, default=1e-9)
    parser.add_argument("--most", type=int, default=4, help="raises on the grid")
    arguments = parser.parse_args()
    grid = by_grid(arguments.hands, arguments.method, arguments.tolerance, arguments.most)
    for line in chain(exact(), the_hand("0.98"), unprepared(), grid):
        print(line, flush=True)
