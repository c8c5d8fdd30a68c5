"""How far published strategies are from equilibrium on grids: `python -m studies.grids` writes docs/grids.csv, and a part of it into
docs/explanation/discretisation.md, within minutes.

On each grid the published strategy is averaged by plans (`relance.model.cells`), once more by another route, and node by node, which
is what an average must not be.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from relance.envs.catalogue import make
from relance.equilibria.abstraction_price import price_of_abstraction
from relance.model.arrays import Floats
from relance.model.cells import Curves
from relance.model.game import Game
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile, Strategy
from relance.model.tree import Choice
from relance.pages.board_notes import short_name
from relance.solvers.exact import nash_conv

SPECS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("la_relance", {}),
    ("la_relance", {"deal": "power:2:1"}),
    ("von_neumann", {}),
    ("bellman_blackwell", {}),
    *(("force_in", {"raises": raises}) for raises in (1, 2, 3, 5)),
    *(("pot_limit", {"raises": raises}) for raises in (0, 1, 2, 3, 4, 5, 6, 8)),
    *(("pot_limit", {"raises": raises, "check_raise": True}) for raises in (1, 2, 3, 4)),
)

SHOWN = (10, 20, 50, 100, 200, 500, 1000)

FULL = (10, 20, 50, 100)
"""The grids whose strategies are played on [0, 1] too, in fractions."""

APART = "most of n² times", "at that n", "node by node, most"
HEAD = ["game", *map(str, SHOWN), *APART, *(f"on [0, 1], {hands}" for hands in FULL), f"player 1 on [0, 1], {FULL[0]}"]
"""The columns of the table: NashConv on grids, and what the same strategies lose on [0, 1], both players together and player 1."""

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "discretisation.md"
GAMES_ON_PAGE = (2, 7, 10, 13)
"""The games on the page, by their places in `SPECS`."""

ON_PAGE = {"game": 0, "n = 10": 1, "100": 4, "1,000": 7, "on [0, 1], 10": 11, "node by node, most": 10}
"""The columns on the page, by their places in `HEAD`."""


def by_sequences(grid: Game, profile: Profile, weighted: bool = True) -> Profile:
    """The profile on [0, 1] averaged over the cells of a uniform `grid` by running integrals: how often a hand of a cell plays each
    sequence of its own actions. If not `weighted`, node by node: as if every hand came to every node."""
    first, second = (_by_sequences(grid, strategy, weighted) for strategy in profile.strategies)
    return grid.together(first, second)


def _by_sequences(grid: Game, strategy: Strategy, weighted: bool) -> Strategy:
    density, at = grid.whole.deal.prior(strategy.player), {}
    led: dict[Choice | None, Piecewise] = {None: density}
    borders = np.linspace(0, 1, (grid.hands or 0) + 1)

    def masses(functions: Iterable[Piecewise]) -> Floats:
        running = Curves([f.cumulative() for f in functions])(borders)
        return np.asarray(np.clip(np.diff(running, axis=0), 0, None))

    for name in grid.tree.of(strategy.player):
        before, rows = led[grid.tree.last_choice(name, strategy.player)], strategy.at[name]
        led |= {(name, i): (before * row).simplified() for i, row in enumerate(rows)}
        plain, come = (masses(f * row for row in rows) for f in (density, before))
        led_here = come.sum(axis=1, keepdims=True)
        chosen = np.where(led_here > 1e-12, come, plain) if weighted else plain
        at[name] = tuple((chosen / chosen.sum(axis=1, keepdims=True)).T)
    return Strategy(strategy.player, at)


def row(game: Game, sizes: Iterable[int]) -> tuple[list[str], float]:
    """The line of a game, and the most that the two routes differ in NashConv."""
    whole = game.published()
    ours: dict[int, float] = {}
    apart = nodes = 0.0
    for hands in sizes:
        grid = game.grid(hands)
        other, unweighted = (by_sequences(grid, whole, weighted) for weighted in (True, False))
        ours[hands] = float(nash_conv(grid, grid.fit(whole, floats=True)))
        apart = max(apart, abs(ours[hands] - float(nash_conv(grid, other))))
        nodes = max(nodes, float(nash_conv(grid, unweighted)))
    scaled = max(ours, key=lambda hands: ours[hands] * hands**2)
    texts = ["0" if found < 1e-12 else f"{found:.1e}" for found in [*(ours[hands] for hands in SHOWN), nodes]]
    most = [f"{ours[scaled] * scaled**2:.2g}", str(scaled)] if max(ours.values()) >= 1e-12 else ["0", ""]
    return [short_name(game), *texts[:-1], *most, texts[-1]], apart


def full_row(game: Game, sizes: Iterable[int] = FULL) -> list[str]:
    """What the grids' strategies lose on [0, 1], both players together, and player 1's share with the first, "" if the value is unknown."""
    prices = []
    for hands in sizes:
        grid = game.grid(hands)
        prices.append(price_of_abstraction(game, grid, profile=grid.published()))
    texts = [f"{float(price.total):.1e}" if price.total else "0" for price in prices]
    shown = "" if prices[0].value is None else f"{float(prices[0].prices[1]):.1e}" if prices[0].prices[1] else "0"
    return [*texts, shown]


def table(rows: Sequence[Sequence[str]]) -> str:
    """The table of the page, from the rows of docs/grids.csv without its head."""
    lines = [[rows[game][column] for column in ON_PAGE.values()] for game in GAMES_ON_PAGE]
    head = "| " + " | ".join(ON_PAGE) + " |\n|---" + "|---:" * (len(ON_PAGE) - 1) + "|\n"
    return head + "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main(least: str = "10", most: str = "1000") -> None:
    """Write the tables, from `least` to `most` cells."""
    console, sizes, rows, apart = Console(stderr=True), range(int(least), int(most) + 1), [], 0.0
    with console.status("grids") as status:
        for name, parameters in SPECS:
            game = make(name, **parameters)
            status.update(str(game))
            cells, differs = row(game, sizes)
            rows.append([*cells, *full_row(game)])
            apart = max(apart, differs)
    with (PAGE.parents[1] / "grids.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEAD, *rows])
    before, _, rest = PAGE.read_text(encoding="utf-8").partition("| game |")
    after = rest.partition("\n\n")[2]
    PAGE.write_text(f"{before}{table(rows)}\n\n{after}", encoding="utf-8")
    console.print(f"wrote docs/grids.csv and its part of {PAGE.name}; both routes agree within {apart:.0e}")


if __name__ == "__main__":
    main(*sys.argv[1:])
