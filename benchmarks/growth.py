"""What every game and every distribution of hands costs as the hands grow: making it, its published strategies, an answer, scores, a
picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.child import in_child
from benchmarks.harness import Bench, Missing, Row, Settings, Timing, figure, slope
from relance.envs.catalogue import BLUEPRINTS, make

SIZES = (10, 100, 1000, 10_000)

DISTRIBUTIONS = ("power:2:1", "fgm:1/2", "atoms:1/3")
"""The distributions of hands on [0, 1] besides the uniform one, as the parameter `deal`."""

STEPS = ("make", "published", "solve", "nash_conv", "score", "plot")

LIMIT = 60
"""Seconds after which a size is given up, and with it all larger ones."""

SLOPE = 1.3
"""Seconds grow with this power of the hands at most."""

CODE = """
import sys
import relance
from relance.pages.plots.picture import pictures
draw = pictures()["strategy"].draw

def steps(text):
    game = relance.make(text)
    yield "make"
    if game.is_published:
        game.published()
    yield "published"
    solution = relance.solve(game, tolerance=1e-3)
    yield "solve"
    relance.nash_conv(game, solution)
    yield "nash_conv"
    relance.score(game, "uniform")
    yield "score"
    if game.is_published:
        draw(game)
        yield "plot"

for _ in steps("one_card_poker"):
    pass
start = time.process_time()
try:
    for step in steps("{text}"):
        result[step] = time.process_time() - start
        start = time.process_time()
except (ValueError, ArithmeticError, MemoryError) as error:
    result["refused"] = str(error)
"""


def texts() -> dict[str, str]:
    """Each game that can have any number of hands, and each distribution in one game, as text with {hands}."""
    out = {name: f"{name}(cards={{hands}})" for name, spec in BLUEPRINTS.items() if "cards" in spec.parameters}
    out |= {name: f"{name}(hands={{hands}})" for name in BLUEPRINTS if not make(name).deal.is_finite}
    distributions = {
        f"von_neumann, {distribution}": f"von_neumann(deal={distribution},hands={{hands}})"
        for distribution in DISTRIBUTIONS
    }
    sized = {"normal:1/2": "normal:1/2:{hands}", "cards": "cards:{hands}"}
    return (
        out
        | distributions
        | {f"von_neumann, {distribution}": f"von_neumann(deal={text})" for distribution, text in sized.items()}
    )


def growth(settings: Settings) -> Iterator[Row]:
    """For each game and distribution the seconds of each step at each size; the row's figure is the steepest slope above a hundredth of a
    second.
    """
    for what, text in texts().items():
        yield row(what, text, settings.pick(SIZES, SIZES[:2]))


def row(what: str, text: str, sizes: tuple[int, ...]) -> Row:
    """The row of one game."""
    found: dict[str, list[tuple[int, float]]] = {step: [] for step in STEPS}
    ends = ""
    for hands in sizes:
        try:
            result: dict[str, Any] = in_child(CODE.replace("{text}", text.format(hands=hands)), LIMIT)
        except Missing as error:
            ends = f"{hands:,} hands: {error}"
            break
        for step in STEPS:
            if step in result:
                found[step].append((hands, result[step]))
        if "refused" in result:
            ends = f"{hands:,} hands: {result['refused']}"
            break
    slopes = {step: slope(points[-2:]) for step, points in found.items() if len(points) > 1 and points[-1][1] > 0.01}
    seconds = [f"{step} {', '.join(figure(s, 's') for _, s in points)}" for step, points in found.items() if points]
    steepest = max(slopes, key=lambda step: slopes[step], default="")
    worst = Timing.of([slopes[steepest]]) if steepest else Timing()
    note = "; ".join(filter(None, [steepest and f"steepest: {steepest}", *seconds, ends]))
    return Row("growth", f"{what}, {' '.join(f'{n:,}' for n in sizes)} hands", worst, unit="", limit=SLOPE, note=note)


BENCHES: dict[str, Bench] = {"growth": growth}
