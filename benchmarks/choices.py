"""The default method of `relance.solve` beside its fastest one, in a fresh process and in one that has run all methods.

A miss is a default that takes more than twice as long as the fastest method, and 50 ms longer. Programs are left out where the rule
never tries them: on deals with a full matrix and many hands they do not end.
"""

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
    ("one_card_poker(cards=777,raises=3)", 1e-6),
    ("one_card_poker(cards=250,raises=5)", 1e-3),
    ("one_card_poker(cards=12345,raises=1)", 1e-4),
    ("pot_limit(raises=2,check_raise=true,hands=333)", 1e-6),
    ("flipped_von_neumann(hands=777)", 1e-6),
    ("sized_von_neumann(hands=333)", 1e-5),
    ("sized_la_relance(hands=250)", 1e-7),
    ("bellman_blackwell(hands=12345)", 1e-9),
    (
        "river(board=AsTs6h6d3c,ranges=22+;A2s+;KTs+;AJo+ vs 22+;A8s+;ATo+;KQo,pot=10,stack=45,bets=3/4,raises=1)",
        1e-3,
    ),
    ("five_card(raises=2,removal=false)", 1e-4),
    ("one_card_poker(cards=444,raises=2)", 1e-6),
    ("one_card_poker(cards=57,raises=5)", 1e-5),
    ("one_card_poker(cards=1777,raises=1)", 1e-6),
    ("one_card_poker(cards=3000,raises=1)", 1e-6),
    ("pot_limit(raises=1,hands=2999)", 1e-6),
    ("sized_von_neumann(sizes=1;2;4,hands=1444)", 1e-6),
    ("one_card_poker(cards=333,raises=4)", 1e-6),
    ("pot_limit(raises=4,hands=181)", 1e-7),
    ("bellman_blackwell(low=2,high=5,hands=4321)", 1e-6),
    ("von_neumann(deal=fgm:-1/2,hands=613)", 1e-7),
    ("la_relance(ante=2,bet=3,hands=54321)", 1e-8),
    ("sized_von_neumann(sizes=1/2;3,hands=1500)", 1e-6),
    ("five_card(ranks=7,raises=1)", 1e-4),
    (
        "river(board=AhKdQc8s3d,ranges=AA-JJ;AKs;KQs vs QQ-88;ATs+,pot=6,stack=18,bets=1/2;1,raises=2)",
        1e-4,
    ),
    ("one_card_poker(cards=150,raises=3)", 1e-4),
    ("pot_limit(raises=2,check_raise=true,hands=250)", 1e-8),
    ("flipped_von_neumann(flip=1/8,hands=12345)", 1e-6),
    ("sized_von_neumann(sizes=1;2;4,hands=444)", 1e-6),
    ("sized_la_relance(sizes=1;3,hands=777)", 1e-5),
    ("von_neumann(deal=power:2:1,hands=999)", 1e-6),
    (
        "river(board=AdKh8c8s2d,ranges=AA-77;AQs+;KQs vs KK-66;AJs+;KJs+,pot=20,stack=60,bets=1/3;2/3;1,raises=0)",
        2e-3,
    ),
    ("one_card_poker(cards=87,raises=2)", 1e-7),
    ("one_card_poker(cards=613,raises=2)", 1e-4),
    ("one_card_poker(cards=6,raises=5)", 1e-4),
    ("flipped_von_neumann(flip=2/7,hands=155)", 1e-7),
    ("sized_von_neumann(sizes=1/3;1;2;5,hands=211)", 1e-6),
    ("von_neumann(deal=normal:1/3,hands=300)", 1e-5),
    ("leduc", 1e-3),
    ("five_card(ranks=6,raises=2)", 1e-5),
    ("river(board=7s7h7d2c3c,ranges=22+;AKo vs QQ+;A2s+,pot=4,stack=9,bets=1,raises=2)", 4e-5),
    ("one_card_poker(cards=519,raises=1)", 1e-7),
    ("flipped_von_neumann(flip=1/5,hands=2222)", 1e-8),
    (
        "river(board=6h6d5c4s2h,ranges=random vs TT+;AKs;65s;54s,pot=10,stack=60,bets=1/2;1;3/2,raises=1)",
        5e-3,
    ),
    ("one_card_poker(cards=23456,raises=2)", 1e-3),
    ("bellman_blackwell(low=1,high=3,hands=555)", 1e-7),
    ("force_in(raises=3,hands=222)", 1e-6),
    ("five_card(raises=1,check_raise=true,removal=false)", 1e-3),
    (
        "river(board=Th9h8s3c3d,ranges=22+;A9s+;KJs+;QTs+;J9s vs 22+;A2s+;T8s+;98s,pot=8,stack=24,bets=1/2;1,raises=1)",
        8e-4,
    ),
    (
        "river(board=Js7c6c4h2s,ranges=random vs 22+;A2s+;K2s+;Q8s+;J8s+;T8s+,pot=10,stack=100,bets=1;all-in,raises=2)",
        5e-3,
    ),
    ("one_card_poker(cards=41,raises=3)", 1e-5),
    ("von_neumann(bet=7/3,hands=4567)", 1e-7),
    ("la_relance(bet=5,hands=1313)", 1e-8),
    ("bellman_blackwell(low=1/2,high=5/2,hands=77)", 1e-6),
    ("force_in(raises=4,hands=431)", 1e-5),
    ("liars_dice", 1e-3),
    ("river(board=AcQc9d5d3h,ranges=KK-99;AKs;KJs vs random,pot=9,stack=27,bets=1/2;1,raises=0)", 5e-3),
    ("river(board=KhQhJh4d4s,ranges=random vs random,pot=7,stack=50,bets=1/3;1;all-in,raises=0)", 7e-3),
    ("one_card_poker(cards=271,raises=3)", 1e-6),
    ("one_card_poker(cards=1913,raises=4)", 1e-5),
    ("one_card_poker(cards=64321,raises=1)", 1e-6),
    ("one_card_poker(cards=37,raises=6)", 1e-6),
    ("von_neumann(bet=3/7,hands=700000)", 1e-7),
    ("von_neumann(deal=fgm:1/4,hands=1111)", 1e-6),
    ("flipped_von_neumann(flip=3/11,hands=250000)", 1e-7),
    ("la_relance(bet=7,hands=41000)", 1e-6),
    ("sized_von_neumann(sizes=1/4;3/4;3/2;6,hands=887)", 1e-6),
    ("sized_la_relance(sizes=2;5,hands=3456)", 1e-6),
    ("bellman_blackwell(low=3,high=8,hands=678)", 2e-5),
    ("pot_limit(raises=3,check_raise=true,hands=521)", 1e-5),
    ("force_in(raises=5,hands=1499)", 1e-4),
    ("five_card(raises=2,check_raise=true,removal=false)", 1e-6),
    ("five_card(ranks=5,raises=3)", 1e-4),
    ("river(board=QsJd7h5c2s,ranges=QQ+;KQs;T9s vs JJ-66;AQs;KJs,pot=8,stack=40,bets=1/3;1;2,raises=2)", 1e-3),
    (
        "river(board=9c9h6s4d2h,ranges=22+;ATs+;98s vs 33+;A2s+;KTs+,pot=12,stack=30,bets=2/3,raises=2)",
        3e-4,
    ),
    ("river(board=KdTd5s4c3c,ranges=22+;A2s+;K9s+ vs 22+;A5s+;KJo+,pot=5,stack=25,bets=1/2;all-in,raises=1)", 5e-4),
    ("one_card_poker(cards=31007,raises=3)", 1e-5),
    ("von_neumann(deal=power:1:3,hands=2345)", 1e-5),
    ("river(board=8c8d5h5s2h,ranges=TT+;AKs vs 99-66;AQs;AJs,pot=4,stack=24,bets=1/2;1;2,raises=1)", 5e-5),
)
"""Games on which the rule was chosen, with the tolerance."""

HELD_BACK = (
    ("one_card_poker(cards=29,raises=5)", 1e-3),
    ("one_card_poker(cards=1501,raises=3)", 2e-6),
    ("one_card_poker(cards=2750,raises=5)", 1e-4),
    ("one_card_poker(cards=173,raises=2)", 1e-8),
    ("von_neumann(bet=4,hands=26500)", 1e-6),
    ("von_neumann(bet=1/2,hands=480000)", 1e-8),
    ("von_neumann(deal=fgm:2/5,hands=370)", 1e-8),
    ("flipped_von_neumann(flip=3/7,hands=91000)", 1e-6),
    ("la_relance(bet=2/3,hands=155000)", 1e-7),
    ("la_relance(ante=3,bet=4,hands=8191)", 1e-9),
    ("sized_von_neumann(sizes=1/2;5,hands=6100)", 1e-5),
    ("sized_la_relance(sizes=1;3/2;4,hands=911)", 1e-6),
    ("bellman_blackwell(low=1,high=9,hands=23000)", 1e-6),
    ("pot_limit(raises=1,hands=717)", 1e-4),
    ("pot_limit(raises=4,hands=1201)", 1e-6),
    ("force_in(raises=2,hands=3333)", 1e-7),
    ("five_card(ranks=6,raises=1)", 1e-3),
    ("five_card(ranks=5,raises=2,check_raise=true)", 1e-5),
    ("river(board=Ac7d6s3h3c,ranges=88+;A5s+;KQs vs 55+;ATs+,pot=15,stack=35,bets=1/2,raises=1)", 2e-4),
    ("river(board=QhJh9h4s2c,ranges=22+;A2s+;K9s+;Q9s+ vs random,pot=11,stack=44,bets=2/3;all-in,raises=1)", 3e-3),
    ("river(board=KsTh7c4d2s,ranges=random vs random,pot=14,stack=28,bets=1,raises=1)", 1e-2),
    ("one_card_poker(cards=1217,raises=5)", 2e-5),
    ("one_card_poker(cards=5800,raises=2)", 4e-5),
    ("von_neumann(deal=power:2:5,hands=9100)", 3e-5),
    ("sized_von_neumann(sizes=1/3;2/3;4/3;4,hands=3600)", 1e-4),
    ("pot_limit(raises=2,hands=1999)", 2e-4),
    ("five_card(ranks=6,raises=2,check_raise=true)", 1e-4),
    ("river(board=Jd9s6c6h2d,ranges=22+;A8s+;KTs+ vs 44+;A2s+;QTs+,pot=8,stack=32,bets=3/4;all-in,raises=1)", 1e-4),
    ("river(board=Ts5s4h3d2c,ranges=77+;AQs+ vs 22-66;AJs;KQs,pot=6,stack=30,bets=1/3;1,raises=2)", 2e-4),
)
"""Games that were only looked at once the rule stood: odd sizes, menus, flips, check-raises, other tables."""

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
from relance.solvers.method_choice import attempts, most_chips
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
        relance.solve(small if way == "lp" else game, tolerance=most_chips(game), **options)
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
    cases += [(game, game, tolerance) for game, tolerance in AUDITED]
    cases += [(f"held back: {game}", game, tolerance) for game, tolerance in HELD_BACK]
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
