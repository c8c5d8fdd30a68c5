"""The pictures that the site draws, by as many processes as there are processors; each tells how far it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from relance.baselines.boards import gathered, parted
from relance.envs import BLUEPRINTS
from relance.pages.leaderboard import leaderboard_pictures
from relance.pages.plots.picture import game_figures
from relance.pages.plots.style import Figure, narrow, render
from tools.pictures import drawn, notebook, plan

ROOT = Path(__file__).parent.parent

RUNS = [ROOT / "docs" / "results" / "board.jsonl"]
"""The runs of the leaderboard, whose tables and pictures the site alone has."""

Drawings = dict[str, tuple[bytes, ...]]
"""Pictures as SVG by their place: for desks and, most of them, for phones."""


def both(figure: Figure) -> tuple[bytes, bytes]:
    """A figure as SVG, for desks and for phones."""
    return render(figure), render(narrow(figure))


def of_game(name: str) -> Drawings:
    """The pictures of a game's page."""
    return {f"games/{name}-{kind}.svg": both(figure) for kind, figure in game_figures(BLUEPRINTS[name]).items()}


def of_plan(name: str, command: str) -> Drawings:
    """A picture of docs/pictures.toml."""
    return {f"pictures/{name}.svg": both(drawn(command))}


def of_notebook(name: str) -> Drawings:
    """The picture of a notebook at every stop of its slider."""
    of = notebook(name)
    return {f"pictures/notebook-{name}-{i}.svg": both(of.draw(stop)) for i, stop in enumerate(of.STOPS)}


def of_boards() -> Drawings:
    """The pictures of the leaderboard, too wide for phones; they are drawn from the rows that are kept."""
    boards = leaderboard_pictures(parted(gathered(RUNS))[0], "board")
    return {f"leaderboard/{name}": (render(figure),) for _, pictures in boards for name, _, figure in pictures}


def jobs() -> Iterator[Callable[[], Drawings]]:
    """All of it, what takes longest first."""
    yield of_boards
    yield from (partial(of_notebook, path.stem) for path in sorted((ROOT / "notebooks").glob("*.py")))
    yield from (partial(of_game, name) for name in BLUEPRINTS)
    yield from (partial(of_plan, name, command) for name, command in plan().items())


def all_drawn() -> Drawings:
    """All pictures."""
    found: Drawings = {}
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("fork")) as pool:
        asked = [pool.submit(job) for job in jobs()]
        for done, job in enumerate(as_completed(asked), 1):
            found |= job.result()
            tell("drawing pictures", done, len(asked))
    return found


def tell(what: str, done: int, most: int) -> None:
    """Say on standard error how far something is: at each tenth."""
    if done * 10 // most > (done - 1) * 10 // most:
        print(f"{what}: {done} of {most}", file=sys.stderr, flush=True)
