"""What card removal costs the endgame's theorem: `python -m studies.river` writes docs/river.md, within seconds."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from rich.console import Console

from relance.envs.catalogue import make
from relance.envs.ferguson_endgame import sized_active, sized_numbers, sized_saddle
from relance.envs.river import endgame_plan, wins
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.playing_cards.hole_deal import HoleDeal
from relance.model.strategy import Profile
from relance.solvers.exact import gains, value
from relance.solvers.lp import solve_lp

FLUSH = "Qh9h6h3c2d"
"""A table with three hearts."""

ROWS: tuple[tuple[str, str, str], ...] = (
    ("Ks9d7h4c2s", "99;QJs;65s vs KTs", "no card in common"),
    ("Ks9d7h4c2s", "99;QTs;65s vs KTs", "each KTs takes one QTs"),
    ("Ks9d7h4c2s", "99;T8s;65s vs KTs;T9s", "T9s takes winners and bluffs, KTs only bluffs"),
    (FLUSH, "8h7h;JhTh;AhJs;AhTs;JsTs;Jc8c vs AQo;KQo", "flushes, bluffs with and without the ace of hearts"),
    (FLUSH, "8h7h;JhTh;AhJs;AhTs vs AQo;KQo", "only bluffs with the ace of hearts"),
)
"""The cards on the table, both ranges, and what is special. The bet is the pot."""

INTRODUCTION = """\
# The river

Hold'em with five cards on the table and two in each hand, for any ranges: `relance.make("river", ...)`.

    import relance
    from relance.envs import river_spot

    game = relance.make("river", board="Ks9d7h4c2s", ranges="99;QJs;65s vs KTs;TT:1/2", pot=2, stack=10, bets="1/2;1;all-in", raises=1)
    relance.nash_conv(game, game.published())    # 0: the theorem, where no card matters
    relance.solve(river_spot("capped_deep").game)    # an exact equilibrium, in seconds
    relance.solve(river_spot("all_hands").game, tolerance=1e-3)  # with more than a hundred hands, to a tolerance

Ranges are written in the usual notation of solvers (`AA`, `KQs`, `KTs+`, `A5s-A2s`, `AhKd`, `random`), separated by commas, semicolons or
spaces; `KQs:1/2` has half of the weight. A range may also be a file: `ranges=[Path("first.txt"), "QQ"]`.

## What card removal costs the theorem

Ferguson and Ferguson's theorem of the endgame is exact if each hand of player 0 beats all of player 1's or loses to all, and the chance of
a winner is the same for each hand of player 1: `game.published()` checks both. Below, both players follow the theorem with the chance of a
winner before any cards are seen, also where it depends on player 1's hand. The bet is the pot; player 1's gain is in percent of it.

"""

CLOSING = """

Player 0 gains nothing. Player 1 gains where the chance differs, by a call with the hands that leave more bluffs. Where player 0 can bluff
with other hands, so that the odds are the same for all hands of player 1, the value is still the theorem's; otherwise it is lower. The
table is made by `python -m studies.river`.

## Named spots

`river_spot(name)` has the game, what it is about, and player 0's value in chips. [`river_spots.toml`](../relance/envs/river_spots.toml)
lists the spots, from `polar_small`, worth -10/11, to `all_hands`, 1,081 hands each, whose value alone is rounded.
"""


def theorem(game: Game) -> tuple[Number, Profile]:
    """The chance of a winner before cards are seen, and the theorem's strategies for it."""
    deal = game.finite_deal()
    assert isinstance(deal, HoleDeal)
    chance = sum((p * win for p, win in zip(deal.prior(0), wins(deal), strict=True)), Fraction(0))
    ante = game.parameters["pot"] / 2
    sizes = tuple(bet * game.parameters["pot"] for bet in game.parameters["bets"])
    found = {"p": chance, "ante": ante, "sizes": sizes}
    numbers: dict[str, Number] = {"P": chance, "a": ante}
    for letter, text in (sized_numbers if sized_active(found) is None else sized_saddle)(found).items():
        numbers[letter] = formula(text, numbers) if isinstance(text, str) else text
    return chance, game.profile(endgame_plan(numbers, game.tree))


def row(board: str, ranges: str, about: str) -> list[str]:
    """A line of the table of card removal."""
    game = make("river", board=board, ranges=ranges, raises=0)
    chance, profile = theorem(game)
    first, second = gains(game, profile)
    share = 100 / game.parameters["pot"]
    played, worth = value(game, profile), solve_lp(game)[0]
    assert first == 0
    return [f"`{board}` `{ranges}`", about, show(chance), f"{float(second * share):.3g}", show(played), show(worth)]


def page() -> str:
    """The page."""
    lines = [
        "| table and ranges | | chance of a winner | player 1 gains | theorem's value | value |",
        "|---|---|---:|---:|---:|---:|",
    ]
    lines += ["| " + " | ".join(row(*fields)) + " |" for fields in ROWS]
    return INTRODUCTION + "\n".join(lines) + CLOSING


def main(folder: Path = Path(__file__).parents[1] / "docs") -> None:
    """Write river.md into `folder`."""
    (folder / "river.md").write_text(page(), encoding="utf-8")
    Console().print(f"wrote river.md into {folder}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
