"""Real five-card hands: the joint distribution, an iteration of CFR on all classes, and dealing many hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.child import child
from benchmarks.harness import Bench, Call, Row, Settings, Work, compare, module, side_by_side

DISTRIBUTION = """
from relance.model.playing_cards.classes import deck
from relance.model.playing_cards.shared_cards import SharedCards
deck().classes
start = time.perf_counter()
SharedCards(deck())
result["seconds"] = time.perf_counter() - start
"""


def distribution(settings: Settings) -> Iterator[Row]:
    """Time and memory to list the cards that hands of each two classes may share."""
    what = "joint distribution of 7,462 classes"
    timings = side_by_side({"seconds": child(DISTRIBUTION, 100), "peak": child(DISTRIBUTION, 100, "peak")})
    yield Row("cards-distribution", what, timings["seconds"], limit=300, note=timings["seconds"].problem)
    yield Row("cards-distribution", what + ", peak memory", timings["peak"], unit="B", limit=4 * 2**30)


def products(settings: Settings) -> Iterator[Row]:
    """Both operators on the weights of one player's update, by sums over shared cards and by a matrix of all pairs."""
    import relance
    from relance.model.playing_cards.card_deal import CardDeal
    from relance.solvers.cfr_solver import Solver

    game: Any = relance.make("five_card", ranks=settings.pick(13, 8))
    deal = game.deal.floats
    assert isinstance(deal, CardDeal)
    size, width = len(deal.deck.classes), 8
    rng = np.random.default_rng(0)
    weights, pairs = rng.random((width, size)), rng.random((size, size))
    solver = Solver(game, "cfr+")
    timings = side_by_side(
        {
            "shared": Work(lambda: lambda: (deal.mass(0, weights), deal.edge(0, weights))),
            "matrix": Work(lambda: lambda: (weights @ pairs, weights @ pairs.T)),
            "iteration": Work(lambda: lambda: solver.run(1)),
        }
    )
    what = f"mass and edge of {width} weights, {size:,} classes"
    yield compare(
        "cards-products", what, timings["shared"], "two products with a matrix of that size", timings["matrix"], None
    )
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


BENCHES: dict[str, Bench] = {"cards-distribution": distribution, "cards-products": products, "cards-dealing": dealing}
