"""A fresh process from start to exit: the cost of a first call with all imports."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import relance
from benchmarks.harness import ROOT, Bench, Call, Missing, Row, Settings, Work, compare, module, side_by_side

OURS = """
import relance
game = relance.make("one_card_poker", cards={cards}, raises=1)
relance.solve(game, tolerance={tolerance}, method="dcfr")
"""

SPIEL = """
import sys
import pyspiel
game = pyspiel.load_efg_game(open(sys.argv[1]).read())
solver = pyspiel.CFRPlusSolver(game)
done, check = 0, 64
while True:
    while done < check:
        solver.evaluate_and_update_policy()
        done += 1
    if pyspiel.nash_conv(game, solver.tabular_average_policy()) / 2 <= {tolerance}:
        break
    check = check * 5 // 4
"""


def process(code: str, *arguments: str, timeout: float = 300, slow: bool = False) -> Work:
    """A Python process that runs `code`, timed from start to end."""

    def run() -> None:
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            timeout=timeout,
            cwd=ROOT,
            check=False,
        )
        if done.returncode:
            raise Missing("not available: " + (done.stderr.strip().splitlines() or ["no message"])[-1])

    def prepare() -> Call:
        return run

    return Work(prepare, slow=slow)


def first_answer(settings: Settings) -> Iterator[Row]:
    """One raise, 100 hands, to an exploitability of 1e-4 of the ante."""
    module("pyspiel")
    cards, tolerance = settings.pick(100, 12), settings.pick(1e-4, 1e-3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        path.write_text(relance.to_efg(relance.make("one_card_poker", cards=cards, raises=1)), encoding="utf-8")
        spiel = partial(process, SPIEL.format(tolerance=tolerance), str(path), slow=True)
        works = {
            "ours": process(OURS.format(cards=cards, tolerance=tolerance)),
            "import": process("import relance"),
            "numpy": process("import numpy"),
            "spiel": spiel(),
        }
        timings = side_by_side(works, settings.pick(7, 3), 8)
    what = f"fresh process, one raise, {cards} cards, exploitability {tolerance:g}"
    yield compare("fresh", what, timings["ours"], "fresh import numpy", timings["numpy"], 0.5, "aim: under twice")
    yield compare(
        "fresh", what, timings["ours"], "OpenSpiel, CFR+ on .efg, checked at growing steps", timings["spiel"], 8
    )
    yield compare(
        "fresh", "fresh import relance", timings["import"], "fresh import numpy", timings["numpy"], 0.5, "beside it"
    )


BENCHES: dict[str, Bench] = {"fresh": first_answer}
