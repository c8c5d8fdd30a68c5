"""NashConv: Relance against OpenSpiel (python game and C++ .efg) and LiteEFG."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import relance
from benchmarks import peers
from benchmarks.harness import Bench, Call, Row, Settings, Timing, Work, compare, module, side_by_side
from relance.model.game import Game
from relance.model.strategy import Profile


def ours(game: Game, profile: Profile) -> Work:
    """Our NashConv of a profile in floats."""

    def prepare() -> Call:
        floats = profile.as_float()
        return lambda: float(relance.nash_conv(game, floats))

    return Work(prepare)


def spiel_python(game: Game, profile: Profile, name: str) -> Work:
    """OpenSpiel's C++ NashConv on our python game; one call."""

    def prepare() -> Call:
        pyspiel, table = module("pyspiel"), relance.openspiel.policy(game, profile).to_tabular()
        loaded = peers.spiel(name)
        return lambda: float(pyspiel.nash_conv(loaded, table))

    return Work(prepare, slow=True)


def spiel_efg(game: Game, profile: Profile) -> Work:
    """OpenSpiel's C++ NashConv on the same game read from .efg."""

    def prepare() -> Call:
        from relance.openspiel import efg_policy

        pyspiel, table, loaded = module("pyspiel"), efg_policy(game, profile), peers.efg(game)
        return lambda: float(pyspiel.nash_conv(loaded, table))

    return Work(prepare, slow=True)


def lite(game: Game) -> Work:
    """LiteEFG's exploitability of both players, of the uniform strategies."""
    return Work(lambda: peers.Lite(game).score)


def agreement(timings: dict[str, Timing]) -> str:
    """A note on whether all give the same NashConv."""
    scores = [float(t.result) for t in timings.values() if t.median is not None]
    gap = max(scores) - min(scores) if scores else 0.0
    return f"same NashConv to {max(gap, 1e-16):.0e}" if gap < 1e-6 else f"THE ANSWERS DIFFER by {gap:g}"


def python_game(settings: Settings) -> Iterator[Row]:
    """von Neumann's game, scored on the Python game that OpenSpiel's users would write."""
    hands = settings.pick(100, 20)
    game = relance.make("von_neumann", bet=2, hands=hands)
    profile = game.published()
    timings = side_by_side(
        {"ours": ours(game, profile), "peer": spiel_python(game, profile, f"von_neumann(bet=2,hands={hands})")}, 7
    )
    note = agreement(timings)
    yield compare(
        "nash-conv-python", f"NashConv, von Neumann, {hands} hands", timings["ours"], "OpenSpiel, python game",
        timings["peer"], 20_000, note,
    )  # fmt: skip


def efg_game(settings: Settings) -> Iterator[Row]:
    """Kuhn's game with many cards, scored on .efg by OpenSpiel and by LiteEFG, and by OpenSpiel on smaller python games."""
    cards = settings.pick(300, 60)
    game: Any = relance.make("one_card_poker", cards=cards, raises=0)
    uniform = game.uniform()
    works = {"ours": ours(game, uniform), "efg": spiel_efg(game, uniform), "lite": lite(game)}
    timings = side_by_side(works, settings.pick(7, 5))
    what, note = f"NashConv, Kuhn's game, {cards} cards", agreement(timings)
    yield compare("nash-conv-efg", what, timings["ours"], "OpenSpiel, .efg", timings["efg"], 1_000, note)
    yield compare("nash-conv-efg", what, timings["ours"], "LiteEFG", timings["lite"], 1_000)
    small = settings.pick(40, 20)
    little = relance.make("one_card_poker", cards=small, raises=0)
    python = side_by_side(
        {"python": spiel_python(little, little.uniform(), f"one_card_poker(cards={small},raises=0)")}
    )["python"]
    grown = Timing(
        python.median and python.median * cards * (cards - 1) / (small * (small - 1)), problem=python.problem
    )
    extrapolated = f"peer EXTRAPOLATED from {small} cards, as cards squared"
    yield compare("nash-conv-efg", what, timings["ours"], "OpenSpiel, python game", grown, 100_000, extrapolated)


BENCHES: dict[str, Bench] = {"nash-conv-python": python_game, "nash-conv-efg": efg_game}
