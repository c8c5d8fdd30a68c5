"""What every game and every distribution of hands costs as the hands grow: making it, its published strategies, an answer, scores, a
picture.

And what large public trees cost as nodes and hands grow: making them, and scoring a profile.
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


TREES = {
    "liar's dice, one die of 6 to 10 sides": [f"liars_dice(sides={n})" for n in range(6, 11)],
    "liar's dice, two dice of 3 to 5 sides": [f"liars_dice(dice=2,sides={n})" for n in range(3, 6)],
    "limit poker, three ranks, four rounds of 1 to 4 bets, then five of 3": [
        *(f"limit_poker(ranks=3,suits=4,bets=2;2;4;4,raises={n})" for n in range(1, 5)),
        "limit_poker(ranks=3,suits=4,bets=2;2;4;4;4,raises=3)",
    ],
    "limit poker, three ranks of four suits told apart, three and four rounds": [
        f"limit_poker(ranks=3,suits=4,bets={bets},raises=2,merge_suits=false)" for bets in ("2;2", "2;2;4", "2;2;4;4")
    ],
}
"""Games of 2^12 to 2^22 public nodes."""

TREE_SLOPE = 1.1
"""Scoring a profile grows with this power of nodes times hands at most: in proportion."""

TREE = """
import numpy as np
import relance
from relance.solvers.sequence_form import normalised

start = time.process_time()
game = relance.make("{text}")
forms = game.forms
result["made"] = time.process_time() - start
size = result["size"] = game.tree.table.size
hands = result["hands"] = game.deal.size(0)
random = np.random.default_rng(0)
profile = game.profile_from_arrays([normalised(form, random.random((form.size, hands))) for form in forms])
relance.nash_conv(game, profile)
taken = []
for _ in range(max(3, min(200, 10**7 // (size * hands)))):
    start = time.process_time()
    relance.nash_conv(game, profile)
    taken.append(time.process_time() - start)
result["scored"] = float(np.median(taken))
"""


def trees(settings: Settings) -> Iterator[Row]:
    """For each family of large trees the power of nodes times hands with which the seconds of scoring a random profile grow."""
    for what, texts in TREES.items():
        found = [in_child(TREE.replace("{text}", text), 600) for text in settings.pick(texts, texts[:2])]
        pairs = [result["size"] * result["hands"] for result in found]
        per = [result["scored"] / pair for result, pair in zip(found, pairs, strict=True)]
        each = [
            f"{result['size']:,} x {result['hands']} made {figure(result['made'], 's')}, scored {figure(result['scored'], 's')}, "
            f"{figure(one, 's')} each"
            for result, one in zip(found, per, strict=True)
        ]
        power = slope([*zip(pairs, (result["scored"] for result in found), strict=True)])
        spread = f"processor seconds per node and hand lie {max(per) / min(per):.1f} times apart"
        name = f"the power of nodes x hands in scoring: {what}"
        yield Row("growth-trees", name, Timing.of([power]), unit="", limit=TREE_SLOPE, note="; ".join([spread, *each]))


BENCHES: dict[str, Bench] = {"growth": growth, "growth-trees": trees}
