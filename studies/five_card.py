"""Cutler's game with real cards: `python -m studies.five_card` writes docs/five_card.md and three tables.

It compares Cutler's tables with the continuous solution, finds what they lose with real cards, solves the game, and lists where a
better hand is worth less. It takes some minutes, and after an interruption resumes from checkpoints in the user's cache folder.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
from rich.console import Console

from relance.model.playing_cards.classes import deck
from studies.five_card_numbers import (
    NOTICED,
    Solved,
    as_csv,
    changes_of_kind,
    class_values,
    costs,
    falls,
    rows_against_thresholds,
    runs,
    showdown,
    solved,
)


def page(games: Sequence[Solved]) -> dict[str, str]:
    """The page and its tables, by file name."""
    default = games[0]
    worth, edge = class_values(default.game, default.profile), showdown()
    return {
        "five_card.md": "\n".join([*_tables(), *_costs(), *_solved(games), *_parnes(default, worth, edge)]) + "\n",
        "five_card_rows.csv": _rows_csv(),
        "five_card_ranges.csv": _ranges_csv(games),
        "five_card_falls.csv": _falls_csv(worth, edge),
    }


def _rows(head: str, rows: Sequence[Sequence[Any]]) -> list[str]:
    titles = head.split(" | ")
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    return ["", *lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows), ""]


def _tables() -> list[str]:
    rows = rows_against_thresholds()
    off = [row for row in rows if not row.agrees]
    return [
        "# Five-card hands: Cutler's Section 6",
        "",
        "This page tells what the tables of Cutler (1975) for five-card hands lose with real cards, solves the game with one deck, and",
        "shows where a better hand is worth less.",
        "",
        "`python -m studies.five_card` (extra `fast`) makes this page. Values are in chips to player 0; the ante is 1. As in the paper,",
        "players see only which of 7,462 classes their hand is in, that is its ranks, and whether it is a flush.",
        "",
        "![The published strategies: five_card](pictures/strategy-five_card.svg)",
        "",
        "## Cutler's tables against the continuous solution",
        "",
        "Cutler plays the nth worst hand like the number n/2,598,960 in the continuous game, whose hands lie in [0, 1].",
        "So each row of his tables should start with the class into which the row's threshold falls, or with the next one.",
        f"[{len(rows) - len(off)} of {len(rows)} rows](five_card_rows.csv) do. These do not:",
        *_rows(
            "row | starts at | hands below | threshold | class of the threshold",
            [(r.row, r.start, f"{r.below:,.0f}", f"{r.threshold:,.1f}", r.inside) for r in off],
        ),
        "`published(as_printed=True)` plays the tables as printed. `published()` corrects them: B9 starts at 555AA, B10 at JJJ1010, and",
        "B11 at JJJAA. We filled three gaps of the tables. If the game allows fewer than eight raises, a hand whose raise is no longer",
        "allowed calls instead, or folds if it is a bluff. With hands above 222AQ the second player bets after a check. The first class of",
        "row A2 is also the last of row A1, and that of A7 the last of A6; half of the hands of such a class are played each way.",
        "",
    ]


def _costs() -> list[str]:
    rows = costs()
    start, ties, removal = (item.exploitability for item in rows[:3])
    return [
        "## What Cutler's three objections cost",
        "",
        "Cutler names three objections to his solution: hands are not continuous, they can tie, and both come from one deck. The table",
        "shows half of NashConv, the [exploitability](glossary.md), in chips a hand, of five-card strategies with eight raises.",
        *_rows(
            "strategy | hands from | exploitability | value",
            [(c.strategy, c.game, f"{c.exploitability:.3g}", f"{c.value:.5f}") for c in rows],
        ),
        f"So the continuous solution loses {start:.1e} chips because hands are discrete and {ties - start:.1e} more because they tie. Both",
        f"losses are small, as Cutler says. But it loses {removal - ties:.4f} more because both hands come from one deck.",
        "",
    ]


def _solved(games: Sequence[Solved]) -> list[str]:
    return [
        "## The game solved",
        "",
        "Discounted CFR solves the game with one deck. [five_card_ranges.csv](five_card_ranges.csv) lists how each class is most often",
        'played, in the form of Cutler\'s tables, such as "bet, fold".',
        "",
    ]


def _parnes(solved: Solved, worth: Sequence[Any], edge: Any) -> list[str]:
    names, steps, changes = deck().names, len(edge) - 1, dict(changes_of_kind())
    drops, *played = [falls(edge), *(falls(w, NOTICED) for w in worth)]
    kept = [words for words, index in changes.items() if index not in drops]
    lost = [
        f"{words} ({' and '.join(f'{w[index] - w[index + 1]:.2g}' for w in worth)} chips)"
        for words, index in changes.items()
        if all(index in one for one in played)
    ]
    most = min(drops, key=lambda i: float(edge[i + 1] - edge[i]))
    raises = int(solved.game.parameters["raises"])
    said = (
        "In Cutler's paper Parnes conjectures that a better hand is worth less at each change from one kind of hand to the next. We first "
        "look at the edge of a hand in a showdown: the probability of winning minus that of losing, against the hands that are left in the "
        f"deck. The edge falls at {len(changes) - len(kept)} of the {len(changes)} changes of kind (not from {', nor from '.join(kept)}). "
        f"But it also falls at {len(drops) - len(changes) + len(kept):,} of the other {steps - len(changes):,} steps from a class to the "
        f"next, because a hand of high cards takes away good hands of the other player. It falls most from {names[most]} to "
        f"{names[most + 1]}: from {edge[most]:.4f} to {edge[most + 1]:.4f}. We then look at the chips that a class is worth in the solved "
        f"game with {raises} raises. They fall by more than {NOTICED:g} at {len(played[0]):,} steps for the first player and at "
        f"{len(played[1]):,} for the second. For both players the chips fall at {len(lost)} of the {len(changes)} changes of kind: "
        f"{', '.join(lost)}. "
        "[five_card_falls.csv](five_card_falls.csv) lists all falls."
    )
    return ["## Where a better hand is worth less", "", fill(said, 140)]


def _rows_csv() -> str:
    rows = [
        [r.row, r.start, f"{r.below:.0f}", f"{r.threshold:.1f}", r.inside, "yes" if r.agrees else "no"]
        for r in rows_against_thresholds()
    ]
    return as_csv(["row", "starts at", "hands below", "threshold", "threshold falls in", "agrees"], rows)


def _ranges_csv(games: Sequence[Solved]) -> str:
    rows = [
        [
            int(s.game.parameters["raises"]),
            player,
            run.first,
            run.last,
            run.procedure.replace(" — ", "; checked to: "),
            f"{run.share:.7f}",
        ]
        for s in games
        for player in (0, 1)
        for run in runs(s.game, s.profile, player)
    ]
    return as_csv(["raises", "player", "first class", "last class", "procedure", "share of hands"], rows)


def _falls_csv(worth: Sequence[Any], edge: Any) -> str:
    names, some = deck().names, sorted({*falls(edge), *falls(worth[0], NOTICED), *falls(worth[1], NOTICED)})
    rows = [[names[i], names[i + 1], *(f"{float(np.diff(x[i : i + 2])[0]):.6f}" for x in (edge, *worth))] for i in some]
    return as_csv(["class", "next class", "showdown edge", "chips of player 0", "chips of player 1"], rows)


def main(folder: str = "docs", tolerance: str = "9e-5", *raises: str) -> None:
    """Write five_card.md and its tables into `folder`; by default for 2, 4 and 8 raises."""
    console = Console(stderr=True)
    with console.status("Cutler's tables") as status:

        def tick(text: str) -> None:
            status.update(text)

        games = [solved(int(k), float(Fraction(tolerance)), tick) for k in raises or ("2", "4", "8")]
        status.update("the page")
        for name, text in page(games).items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
    console.print(f"wrote five_card.md and its tables into {folder}")


if __name__ == "__main__":
    main(*sys.argv[1:])
