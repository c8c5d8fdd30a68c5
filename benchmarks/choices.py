"""What `relance.solve` chooses by default, beside the quickest of its methods, in a fresh process and in one that has run all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.child import in_child
from benchmarks.harness import Bench, Missing, Row, Settings, Timing
from benchmarks.river import HALF

GAMES = (
    *(
        f"one_card_poker(cards={cards},raises={raises})"
        for cards, raises in ((3, 0), (3, 2), (13, 1), (30, 4), (100, 2), (300, 1), (300, 4), (1000, 2))
    ),
    "one_card_poker(cards=10000,raises=1)",
    "one_card_poker(cards=10000,raises=2)",
    "von_neumann(bet=2,hands=100)",
    "von_neumann(bet=2,hands=10000)",
    "von_neumann(bet=2,hands=1000000)",
    "la_relance(hands=100000)",
    "bellman_blackwell(hands=1000)",
    "pot_limit(raises=3,hands=1000)",
    "five_card(raises=1,removal=false)",
)

RIVERS = {
    "river, 140 hands, two sizes and a raise": "river(ranges=22+;A2s+;K9o+ vs 22+;A2s+;K9o+,pot=10,stack=30,bets=1/2;1,raises=1)",
    "river, 434 hands, one size": f"river(ranges={HALF} vs {HALF},pot=10,stack=30,bets=1,raises=0)",
}

WAYS = {"default": {}, "lp": {"method": "lp"}} | {
    f"{method}, {backend}": {"method": method, "backend": backend}
    for method, backend in (
        ("dcfr+", "numpy"), ("dcfr+", "numba"), ("pdcfr+", "numpy"), ("pdcfr+", "numba"), ("cfr+", "numba"), ("pcfr+", "numba"),
    )
}  # fmt: skip

FIRST = ("default", "lp", "dcfr+, numpy", "dcfr+, numba", "pdcfr+, numpy")
"""The ways that are tried in fresh processes: the others start like one of these, and then take as long as where all is imported."""

TIMED = """
import relance
from relance.envs import make
game, times, how = make("{game}"), {{}}, {{}}

def solve(way, options, limit):
    def tick(step, left):
        if time.process_time() - start > limit:
            raise TimeoutError
    start = time.process_time()
    try:
        how[way] = relance.solve(game, tolerance={tolerance}, tick=tick, **options).solved_by
    except (TimeoutError, ArithmeticError, ValueError, ImportError):
        return None
    return time.process_time() - start
"""
"""Processor time, since wall time depends on what else the machine does; a way that takes too long is stopped."""

COLD = """
solve("way", {options}, {limit})
result.update(seconds=time.process_time(), how=how.get("way"))
"""

WARM = """
from statistics import median
small = make("one_card_poker")
for options in {ways}.values():
    try:
        relance.solve(small, tolerance=0.1, **options)
    except ImportError:
        pass
relance.solve(small, "lp", tolerance=0.1)
for way, options in {ways}.items():
    limit = 100 if way == "default" else 0.05 + median(times["default"])
    times[way] = [solve(way, options, limit)]
    while times[way][-1] is not None and sum(times[way]) < 0.1 and len(times[way]) < 15:
        times[way].append(solve(way, options, limit))
result.update(times={{way: t for way, t in times.items() if None not in t}}, how=how["default"])
"""


def fresh(code: str) -> tuple[dict[str, Timing], str]:
    """Each way in a fresh process of its own, with the time that Python and its imports take."""
    timings: dict[str, Timing] = {}
    chosen, limit = "", 100.0
    for way in FIRST:
        result = in_child(code + COLD.format(options=WAYS[way], limit=limit), 200)
        if result["how"] is not None:
            timings[way] = Timing.of([result["seconds"]])
        if way == "default":
            chosen, limit = result["how"], 0.2 + result["seconds"]
    return timings, chosen


def imported(code: str) -> tuple[dict[str, Timing], str]:
    """All ways in one process, which has run each of them on another game."""
    result: dict[str, Any] = in_child(code + WARM.format(ways=WAYS), 200)
    return {way: Timing.of(times) for way, times in result["times"].items()}, result["how"]


def choices(settings: Settings) -> Iterator[Row]:
    """The default against the quickest way; a way stops soon after it has taken longer than the default."""
    named = {game: game for game in GAMES} | RIVERS
    for name in settings.pick(list(named), GAMES[:2]):
        for tolerance in settings.pick((1e-3, 1e-6, 1e-9), (1e-3,)):
            code = TIMED.format(game=named[name], tolerance=tolerance)
            for state, measure in (("fresh process", fresh), ("all imported", imported)):
                what = f"{name} to {tolerance:g}, {state}"
                try:
                    timings, chosen = measure(code)
                except Missing as error:
                    yield Row("choices", what, Timing(problem=str(error)))
                    continue
                default = timings.pop("default")
                quickest = min(timings, key=lambda way: timings[way].median or 0.0, default="no way")
                yield Row(
                    "choices",
                    f"{what}: {chosen}",
                    default,
                    peer_name=f"the quickest way: {quickest}",
                    peer=timings.get(quickest, Timing(problem="none ended in time")),
                    target=1 / 1.3,
                )


BENCHES: dict[str, Bench] = {"choices": choices}
