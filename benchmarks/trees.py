"""Game trees of OpenSpiel and of Gambit's catalogue, solved exactly, beside pygambit's exact solver and OpenSpiel's linear program.

All three are given the game in memory; reading it is not timed. Each exact solution is decided once more by `tools/check_game_trees.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from benchmarks import peers
from benchmarks.child import child
from benchmarks.harness import Bench, Call, Row, Settings, Timing, Work, compare, module, side_by_side
from relance.registration.game_trees import game_tree
from relance.solvers.cfr_solver import Solver

TURNS = "turn_based_simultaneous_game(game={})"

OPENSPIEL = {
    "kuhn_poker": "",
    "dark_hex(board_size=2)": "",
    "dark_hex(board_size=2,gameversion=adh)": "",
    "hex(board_size=2)": "",
    "y(board_size=2)": "",
    "nim(pile_sizes=2;2)": "",
    "matrix_rps()": TURNS,
    "matrix_rpsw()": TURNS,
    "blotto(coins=5,fields=3,players=2)": TURNS,
    "goofspiel(imp_info=True,num_cards=3,points_order=descending)": TURNS,
    "goofspiel(imp_info=True,num_cards=4,points_order=descending)": TURNS,
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2,allow_repeated_shots=False)": "",
    "liars_dice(numdice=1,dice_sides=3)": "",
    "liars_dice(numdice=1,dice_sides=4)": "",
    "leduc_poker": "",
}
"""Games of OpenSpiel, and how those with simultaneous moves are played in turn."""

GAMBIT: tuple[str, ...] = ("books/myerson1991/fig2_1", "books/vonstengel2022/fig10.1", "books/vonstengel2022/fig10.12")
GAMBIT += ("journals/mor/vonstengelforges2008/fig6", "journals/other/reiley2008/fig1")
"""The two-player games of constant sum with perfect recall in Gambit's catalogue."""

AIMED, TIMES = 100, 100
"""With about this many information sets of a player, pygambit should take this many times as long."""

LIMIT = 60
"""Seconds of the processor after which a solver is stopped, so that a busy machine stops none early."""

BUSY = 20
"""How many times as long it may take by the clock."""

GET = """
import io, json, warnings
warnings.simplefilter("ignore")
name, source = {name!r}, {source!r}
if source == "Gambit":
    import pygambit
    text = pygambit.catalog.load(name).to_efg()
else:
    import pyspiel
    spiel = pyspiel.load_game(name)
"""

# Seconds are of the thread: under a limit of processor time, the clock of the process ticks every 4 ms.
OURS = """
import relance
from relance.registration.efg_file import write_efg
from relance.equilibria.tree_certificates import tree_certificate
tree = relance.game_tree(text if source == "Gambit" else spiel)
relance.solve(tree)
runs = []
for _ in range(3):
    start = time.thread_time()
    profile = relance.solve(tree)
    runs.append(time.thread_time() - start)
result["seconds"] = sorted(runs)[1]
result["sets"] = [sum(1 for _ in tree.infosets_of(player)) for player in (0, 1)]
result["histories"], result["value"] = tree.num_histories, str(relance.value(tree, profile))
from tools.check_game_trees import check
result["second"] = str(check(json.loads(json.dumps(tree_certificate(tree, profile)))))
"""

PYGAMBIT = """
import pygambit
if source != "Gambit":
    import relance
    from relance.registration.efg_file import write_efg
    text = write_efg(relance.game_tree(spiel))
import re  # pygambit refuses some labels
text = re.sub(r'"([^"]*)"', lambda m: '"' + re.sub("[^!-~]+", "_", m[1]) + '"', text)
game = pygambit.read_efg(io.StringIO(text))
start = time.thread_time()
found = pygambit.nash.lp_solve(game, rational=True).equilibria[0]
result["seconds"] = time.thread_time() - start
result["value"] = str(found.payoff(next(iter(game.players))))
"""

OPENSPIEL_LP = """
from open_spiel.python.algorithms.sequence_form_lp import solve_zero_sum_game
if source == "Gambit":
    import pyspiel
    spiel = pyspiel.load_efg_game(text)
start = time.thread_time()
result["value"] = solve_zero_sum_game(spiel)[0]
result["seconds"] = time.thread_time() - start
"""


def solvers(name: str, source: str) -> dict[str, Timing]:
    """What each solver takes for a game, in seconds of the processor, and its value."""
    head = GET.format(name=name, source=source)
    codes = {"ours": OURS, "pygambit": PYGAMBIT, "sequence_form_lp": OPENSPIEL_LP}
    return side_by_side({who: _once(head + code) for who, code in codes.items()})


def _once(code: str, limit: int = LIMIT) -> Work:
    """One fresh process for a solver; what it found is kept for the later turns, since some take minutes."""
    kept: list[Any] = []
    work = child(f"import resource\nresource.setrlimit(resource.RLIMIT_CPU, ({limit}, {limit}))\n{code}", BUSY * limit)

    def run(call: Any) -> Any:
        if not kept:
            kept.append(call())
        return kept[0]

    return replace(work, prepare=lambda: partial(run, work.prepare()))


def exact(settings: Settings) -> Iterator[Row]:
    """Twenty games: value, information sets and seconds of each solver."""
    games = [(name, "Gambit") for name in GAMBIT]
    games += [(form.format(name) if form else name, "OpenSpiel") for name, form in OPENSPIEL.items()]
    for name, source in settings.pick(games, games[:2] + games[5:7]):
        timings = solvers(name, source)
        found = timings["ours"].result or {}
        sets = max(found.get("sets", [0]))
        value = found.get("value", "none")
        note = f"value {value if len(value) < 20 else value[:17] + '...'}, {found.get('histories')} histories"
        note += "; decided again by check_game_trees" * (found.get("second") == "0")
        for peer in ("pygambit", "sequence_form_lp"):
            theirs = timings[peer].result
            if theirs is not None:
                note += f"; {peer}: " + ("the same" if _same(value, theirs["value"]) else f"another: {theirs['value']}")
        short = name.removeprefix(TURNS.partition("{")[0])
        what = f"{source}, {short if len(short) < 50 else short[:47] + '...'}, {sets} information sets of a player"
        for peer in ("pygambit", "sequence_form_lp"):
            target = TIMES if peer == "pygambit" and sets >= 0.75 * AIMED else None
            yield compare(
                "trees-exact", what, timings["ours"], peer, timings[peer], target, note if peer == "pygambit" else ""
            )


def _same(ours: str, theirs: str | float) -> bool:
    """Whether two values agree: fractions exactly, floats to 1e-6."""
    if isinstance(theirs, str):
        return Fraction(ours) == Fraction(theirs)
    return abs(float(Fraction(ours)) - theirs) < 1e-6


LARGE = """
import relance, pyspiel
from relance.solvers.tree_values import score
start = time.thread_time()
tree = relance.game_tree(pyspiel.load_game({name!r}))
result["read"] = time.thread_time() - start
start = time.thread_time()
profile = relance.solve(tree, "pcfr+", tolerance={tolerance})
result["seconds"] = time.thread_time() - start
start = time.thread_time()
result["bound"] = float(score(tree, profile).nash_conv)
result["scoring"], result["sets"] = time.thread_time() - start, len(tree.infosets)
"""


def theorem(settings: Settings) -> Iterator[Row]:
    """A game with 10^5 information sets by CFR: the profile is rounded to fractions, and its exact NashConv is the bound."""
    name = settings.pick("liars_dice(numdice=1,dice_sides=7)", "liars_dice(numdice=1,dice_sides=4)")
    timings = side_by_side({"ours": _once(LARGE.format(name=name, tolerance=settings.pick(1e-4, 1e-3)), 1500)})
    found = timings["ours"].result or {}
    note = "; ".join(f"{key} {found[key]:.3g}" for key in ("read", "evaluating", "bound") if key in found)
    what = f"{name}, {found.get('sets', 0):,} information sets, to a bound that is a theorem"
    yield Row("trees-theorem", what, timings["ours"], note=note or timings["ours"].problem)


JUDGE = """
import pyspiel, relance
game = pyspiel.load_game({name!r})
start = time.process_time()
{code}
result["seconds"] = time.process_time() - start
result["found"] = float(found)
"""

JUDGES = {
    "Relance": "found = relance.score(relance.game_tree(game), 'uniform').nash_conv",
    "OpenSpiel": "found = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))",
}


def evaluating(settings: Settings) -> Iterator[Row]:
    """A game of OpenSpiel, read and its uniform play scored in fractions, beside OpenSpiel's C++ NashConv in floats."""
    name = settings.pick("tic_tac_toe", "leduc_poker")
    timings = side_by_side({who: child(JUDGE.format(name=name, code=code), 600) for who, code in JUDGES.items()})
    found = "; ".join(f"{who}: {(timing.result or {}).get('found')}" for who, timing in timings.items())
    what = f"{name} of OpenSpiel read, and uniform play scored"
    yield compare("trees-score", what, timings["Relance"], "OpenSpiel", timings["OpenSpiel"], 1, f"NashConv {found}")


def _ours(name: str, backend: str, count: int) -> Call:
    return partial(Solver(game_tree(module("pyspiel").load_game(name)), "cfr+", backend).run, count)


def _theirs(solver: Callable[[Any], Call], name: str) -> Call:
    return solver(module("pyspiel").load_game(name))


def iteration(settings: Settings) -> Iterator[Row]:
    """An iteration of CFR+ on games of OpenSpiel as they are read, beside OpenSpiel's C++ and LiteEFG on the same games."""
    for name, count, aims in (("kuhn_poker", 5000, (5, 5)), ("leduc_poker", 500, (100, 10))):
        works = {
            "Relance": Work(partial(_ours, name, "numba", count), count),
            "numpy": Work(partial(_ours, name, "numpy", count), count),
            "OpenSpiel": Work(partial(_theirs, peers.spiel_cfr, name)),
            "LiteEFG": Work(partial(_theirs, peers.lite_cfr, name)),
        }
        timings = side_by_side(works)
        for peer, aim in zip(("OpenSpiel", "LiteEFG"), aims, strict=True):
            yield compare(
                "trees-cfr", f"CFR+ iteration, {name} of OpenSpiel", timings["Relance"], peer, timings[peer], aim
            )
        what = f"CFR+ iteration, {name} of OpenSpiel, without numba"
        yield compare("trees-cfr", what, timings["numpy"], "OpenSpiel", timings["OpenSpiel"])


BENCHES: dict[str, Bench] = {
    "trees-exact": exact,
    "trees-theorem": theorem,
    "trees-cfr": iteration,
    "trees-score": evaluating,
}
