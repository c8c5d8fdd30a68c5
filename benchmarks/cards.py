"""Real five-card hands: the joint law, an iteration of CFR on all classes, and dealing many hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.child import child
from benchmarks.harness import Bench, Call, Row, Settings, Work, compare, module, side_by_side

LAW = """
from relance.model.playing_cards.classes import deck
from relance.model.playing_cards.pair_counts import Triangle
deck().classes
start = time.perf_counter()
Triangle(deck())
result["seconds"] = time.perf_counter() - start
"""


def law(settings: Settings) -> Iterator[Row]:
    """Time and memory to make the matrix of all pairs of classes."""
    what = "joint law of 7,462 classes"
    timings = side_by_side({"seconds": child(LAW, 100), "peak": child(LAW, 100, "peak")})
    yield Row("cards-law", what, timings["seconds"], limit=300, note=timings["seconds"].problem)
    yield Row("cards-law", what + ", peak memory", timings["peak"], unit="B", limit=4 * 2**30)


def products(settings: Settings) -> Iterator[Row]:
    """Both operators on the weights of one player's update, by sums over shared cards and by the matrix, with the share of peak."""
    import relance
    from relance.model.playing_cards.card_deal import CardDeal
    from relance.model.playing_cards.pair_counts import Triangle
    from relance.model.playing_cards.shared_cards import SharedCards
    from relance.solvers.cfr_solver import Solver

    game: Any = relance.make("five_card", ranks=settings.pick(13, 8))
    deal = game.deal
    assert isinstance(deal, CardDeal)
    triangle, shared = Triangle(deal.deck), SharedCards(deal.deck)
    rng = np.random.default_rng(0)
    size, width = len(deal.deck.classes), 8
    weights, square = rng.random((width, size)), rng.random((1500, 1500))
    solver = Solver(game, "cfr+")
    timings = side_by_side(
        {
            "shared": Work(lambda: lambda: shared.products(weights)),
            "matrix": Work(lambda: lambda: triangle.products(weights)),
            "gemm": Work(lambda: lambda: square @ square),
            "read": Work(lambda: lambda: [block.sum() for row in triangle.blocks for block in row]),
            "iteration": Work(lambda: lambda: solver.run(1)),
        }
    )
    seconds = {name: timing.median or float("nan") for name, timing in timings.items()}
    peak, reached = 2 * 1500**3 / seconds["gemm"], 2 * size**2 * width / seconds["matrix"]
    note = (
        f"the matrix reaches {reached / 1e9:.3g} of {peak / 1e9:.3g} GFlop/s, {reached / peak:.0%}; "
        f"one pass that only reads it takes {seconds['read'] / seconds['matrix']:.0%} of that time"
    )
    what = f"mass and edge of {width} weights, {size:,} classes"
    yield compare("cards-products", what, timings["shared"], "the matrix in blocks", timings["matrix"], None, note)
    yield Row("cards-products", f"CFR+ iteration, 2 raises, {size:,} classes", timings["iteration"])


def dealing(settings: Settings) -> Iterator[Row]:
    """Two hands dealt and ranked, per deal: the vector environment's tables, and a loop with the evaluator."""
    import relance
    from relance.play.batch import Batch

    tables = settings.pick(100_000, 1_000)

    def ours(compiled: bool) -> Work:
        def prepare() -> Call:
            batch = Batch(relance.make("five_card"), tables, seed=0, compiled=compiled)
            return lambda: batch.deal(np.arange(tables))

        return Work(prepare, tables)

    def loop() -> Call:
        rank, rng = module("phevaluator").evaluate_cards, np.random.default_rng(0)

        def deals() -> None:
            for _ in range(1000):
                cards = rng.permutation(52)[:10].tolist()
                rank(*cards[:5]), rank(*cards[5:])

        return deals

    timings = side_by_side({"compiled": ours(True), "numpy": ours(False), "loop": Work(loop, 1000)})
    for name, words in (("compiled", "compiled"), ("numpy", "numpy")):
        seconds = timings[name].median
        speed = f"{2 / seconds:.3g} hands a second" if seconds else ""
        what = f"two hands dealt and ranked, {tables:,} tables, {words}"
        yield compare("cards-dealing", what, timings[name], "loop with phevaluator", timings["loop"], None, speed)


BENCHES: dict[str, Bench] = {"cards-law": law, "cards-products": products, "cards-dealing": dealing}
