"""The default method of `relance.solve` beside its fastest one, in a fresh process and in one that has run all methods.

A miss is a default that takes more than twice as long as the fastest method, and 50 ms longer. Programs are left out where the rule
never tries them: on deals with a full matrix and many hands they do not end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.child import in_child
from benchmarks.drawn_games import drawn
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

AUDITED = (
    ("pot_limit(raises=3,hands=250)", 1e-9),
    ("pot_limit(raises=3,hands=333)", 1e-9),
    ("pot_limit(raises=2,hands=333)", 1e-9),
    ("la_relance(hands=300000)", 1e-9),
    ("la_relance(hands=30000)", 1e-9),
    ("la_relance(hands=777)", 1e-6),
    ("force_in(hands=777)", 1e-6),
    ("river(ranges=99;QJs vs KTs;TT,pot=10,stack=30,bets=1/2;1;all-in,raises=1)", 1e-3),
    ("river(ranges=99;QJs;65s vs KTs;TT,pot=10,stack=30,bets=1/2;1;all-in,raises=1)", 1e-3),
    (
        "river(board=Ah8h3d3c2s,ranges=99+;AJs+ vs TT-77;AQo,pot=10,stack=30,bets=1/2;1;all-in,raises=2)",
        1e-3,
    ),
)
"""Games on which an earlier rule missed, with the tolerance."""

NEAR = (
    60061, 60073, 60099, 60146, 60156, 60203, 60298, 60395, 60489, 60653,
    60724, 60752, 60766, 61015, 61093, 61164, 61296, 61371, 61385, 61430,
)  # fmt: skip
"""The first games from 60,000 on with 1,000 to 4,000 hands by rank, at least 11 actions, and a tolerance between 1e-6 and 3e-5 of
the most chips: there a program and CFR are about as quick, and an earlier rule missed."""

KNOWN, HELD_BACK = (*range(40), *range(7000, 7040), *range(8000, 8040), *NEAR, *range(9000, 9040)), range(9100, 9140)
"""Games drawn at random: those on which the rule was chosen or mended, and others that were only looked at once it stood."""

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
from relance.envs.catalogue import make
from relance.solvers.method_choice import attempts, max_chips
game, times, how = make("{game}"), {{}}, {{}}

def solve(way, options, limit):
    def tick(step, left):
        if time.process_time() - start > limit:
            raise TimeoutError
    if way == "lp" and "lp" not in [attempt.method for attempt in attempts(game, {tolerance})]:
        return None
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
for way, options in {ways}.items():
    try:
        relance.solve(small if way == "lp" else game, tolerance=max_chips(game), **options)
    except ImportError:
        pass
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
        try:
            result = in_child(
                code + COLD.format(options=WAYS[way], limit=limit), 200 if way == "default" else 2 * limit + 30
            )
        except Missing:  # a program on all hands looks at the limit only now and then
            if way == "default":
                raise
            continue
        if result["how"] is not None:
            timings[way] = Timing.of([result["seconds"]])
        if way == "default":
            chosen, limit = result["how"], 0.2 + result["seconds"]
    return timings, chosen


def imported(code: str) -> tuple[dict[str, Timing], str]:
    """All ways in one process, which has run each of them coarsely: programs on another game, CFR on this one."""
    result: dict[str, Any] = in_child(code + WARM.format(ways=WAYS), 200)
    return {way: Timing.of(times) for way, times in result["times"].items()}, result["how"]


def choices(settings: Settings) -> Iterator[Row]:
    """The default against the fastest method; a method is stopped once it takes longer than the default."""
    named = {game: game for game in GAMES} | RIVERS
    cases = [(name, game, tolerance) for name, game in named.items() for tolerance in (1e-3, 1e-6, 1e-9)]
    cases += [(game, game, tolerance) for game, tolerance in [*AUDITED, *map(drawn, KNOWN)]]
    cases += [(f"held back: {game}", game, tolerance) for game, tolerance in map(drawn, HELD_BACK)]
    for name, game, tolerance in settings.pick(cases, cases[:4:3]):
        code = TIMED.format(game=game, tolerance=tolerance)
        for state, measure in (("fresh process", fresh), ("all imported", imported)):
            what = f"{name} to {tolerance:g}, {state}"
            try:
                timings, chosen = measure(code)
            except Missing as error:
                yield Row("choices", what, Timing(problem=str(error)))
                continue
            default = timings.pop("default")
            fastest = min(timings, key=lambda way: timings[way].median or 0.0, default="no way")
            yield Row(
                "choices",
                f"{what}: {chosen}",
                default,
                peer_name=f"the fastest method: {fastest}",
                peer=timings.get(fastest, Timing(problem="none ended in time")),
                target=1 / 2,
            )


BENCHES: dict[str, Bench] = {"choices": choices}
