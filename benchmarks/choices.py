"""What `relance.solve` chooses by default, beside the quickest of its methods, in a fresh process and in one that has run all."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from benchmarks.child import in_child
from benchmarks.harness import Bench, Missing, Row, Settings, Timing, problem

GAMES = (
    "one_card_poker(cards=3,raises=0)",
    "one_card_poker(cards=13,raises=1)",
    "one_card_poker(cards=100,raises=2)",
    "one_card_poker(cards=300,raises=4)",
    "one_card_poker(cards=10000,raises=1)",
    "pot_limit(raises=3,hands=1000)",
    "von_neumann(bet=2,hands=1000000)",
    "five_card(raises=1,removal=false)",
)

WAYS = {"default": "", "lp": ', method="lp"'} | {
    f"{method}, {backend}": f', method="{method}", backend="{backend}"'
    for method, backend in (("dcfr+", "numpy"), ("dcfr+", "numba"), ("cfr+", "numba"), ("pcfr+", "numba"))
}

LIMIT = """
import resource
resource.setrlimit(resource.RLIMIT_CPU, ({limit}, {limit}))
"""

COLD = """
import relance
from relance.envs import make
game = make("{game}")
profile = relance.solve(game, tolerance={tolerance}{options})
result.update(seconds=time.process_time(), how=profile.solved_by)
"""
"""Processor time from the start of the process, since wall time depends on what else the machine does."""

WARM = """
import statistics
import relance
from relance.envs import make
small, game = make("one_card_poker"), make("{game}")
relance.solve(small, "lp", tolerance=1e-3)
try:
    relance.solve(small, "dcfr+", tolerance=1e-1, backend="numba")
except ImportError:
    pass
times = []
for _ in range({repeats}):
    start = time.process_time()
    profile = relance.solve(game, tolerance={tolerance}{options})
    times.append(time.process_time() - start)
    if sum(times) > 2:
        break
result.update(seconds=statistics.median(times), how=profile.solved_by)
"""


def choices(settings: Settings) -> Iterator[Row]:
    """The default against the quickest way; a way stops after 2 s more than three times the default."""
    for game in settings.pick(GAMES, GAMES[:2]):
        for tolerance in settings.pick((1e-3, 1e-6, 1e-9), (1e-3,)):
            for state, code in (("fresh process", COLD), ("all imported", WARM)):
                timings: dict[str, Timing] = {}
                chosen, limit = "", 100
                for way, options in WAYS.items():
                    try:
                        text = (LIMIT + code).format(
                            game=game, tolerance=tolerance, options=options, repeats=3, limit=limit
                        )
                        result = in_child(text, 200)
                    except Missing as error:
                        timings[way] = Timing(problem=problem(error))
                        continue
                    timings[way] = Timing.of([result["seconds"]])
                    if way == "default":
                        chosen, limit = result["how"], 2 + ceil(3 * result["seconds"])
                default = timings.pop("default")
                found = {way: t.median for way, t in timings.items() if t.median is not None}
                quickest = min(found, key=found.__getitem__, default="no way")
                yield Row(
                    "choices",
                    f"{game} to {tolerance:g}, {state}: {chosen}",
                    default,
                    peer_name=f"the quickest way: {quickest}",
                    peer=timings.get(quickest, Timing(problem="none ended in time")),
                    target=1 / 1.3,
                )


BENCHES: dict[str, Bench] = {"choices": choices}
