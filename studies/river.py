"""What card removal costs the endgame's theorem: `python -m studies.river` writes the table of docs/river.md, within seconds."""

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

PAGE = Path(__file__).parents[1] / "docs" / "river.md"


def theorem(game: Game) -> tuple[Number, Profile]:
    """The chance of a winner before cards are seen, and the theorem's strategies for it."""
    deal = game.finite_deal()
    assert isinstance(deal, HoleDeal)
    chance = sum((p * win for p, win in zip(deal.prior(0), wins(deal), strict=True)), Fraction(0))
    ante = game.parameters["pot"] / 2
    sizes = tuple(bet * game.parameters["pot"] for bet in game.parameters["bets"])
    found = {"p": chance, "ante": ante, "sizes": sizes}
    numbers: dict[str, Number] = {"P": chance, "a": ante}
    for symbol, text in (sized_numbers if sized_active(found) is None else sized_saddle)(found).items():
        numbers[symbol] = formula(text, numbers) if isinstance(text, str) else text
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


HEAD = "| board and ranges | cards | chance of a winner | player 1 gains | theorem's value | value |"


def page() -> str:
    """The page with its table made again."""
    before, _, after = PAGE.read_text(encoding="utf-8").partition(HEAD)
    rows = "\n".join("| " + " | ".join(row(*fields)) + " |" for fields in ROWS)
    return f"{before}{HEAD}\n|---|---|---:|---:|---:|---:|\n{rows}\n\n" + after.partition("\n\n")[2]


def main(folder: Path = PAGE.parent) -> None:
    """Write river.md into `folder`."""
    (folder / "river.md").write_text(page(), encoding="utf-8")
    Console().print(f"wrote river.md into {folder}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
