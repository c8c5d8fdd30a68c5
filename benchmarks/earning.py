"""Best responses learned by MaskablePPO against published and weak opponents: what they earn of what can be earned, exactly.

    python -m benchmarks.earning [--samples N] [--output docs/best_responses.md] [GAME ...]

Three seeds each; a run is deterministic, whatever else the machine does. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import Progress

import relance
from benchmarks.harness import about, module
from relance.model.game import Game

SEEDS = (0, 1, 2)
WEAK = ("uniform", "aggressive", "passive", "caller", "perturbed(0.1)")
SHARE, GAP = 0.98, 0.01
"""The aims: of what can be earned against a weak opponent, and antes from the value against a published one."""


class Line(NamedTuple):
    """What was learned in one seat against one opponent: a list over seeds for each figure."""

    game: Game
    opponent: str
    seat: int
    best: float
    earned: list[float]
    gaps: list[float]
    seconds: list[float]

    @property
    def met(self) -> bool:
        """Whether the median reaches its aim; where little can be earned, the gap decides."""
        if self.opponent == "published" or self.best <= 0:
            return statistics.median(self.gaps) <= GAP
        return statistics.median(self.earned) >= SHARE * self.best


def pairs(names: list[str]) -> Iterator[tuple[Game, str, int]]:
    """Every published opponent; weak ones where both seats have choices to make, and Cutler's in his own game."""
    for name in names or relance.games():
        game = relance.make(name)
        if not game.is_published or name == "five_card":
            continue
        weak = WEAK if name in ("one_card_poker", "von_neumann", "pot_limit") else ()
        yield from ((game, opponent, seat) for opponent in ("published", *weak) for seat in (0, 1))
        if name == "pot_limit":
            yield from ((game, opponent, 0) for opponent in ("superconservative", "super_bluffer"))


def learn(game: Game, opponent: str, seat: int, samples: int) -> Line:
    """Train with every seed, on one thread."""
    module("torch").set_num_threads(1)
    train: Any = module("relance.baselines.train_best_response").train
    found, seconds = [], []
    for seed in SEEDS:
        start = time.process_time()
        found.append(train(game, opponent, seat, samples=samples, seed=seed))
        seconds.append(time.process_time() - start)
    return Line(game, opponent, seat, found[0].best, [f.value for f in found], [f.gap for f in found], seconds)


def page(lines: list[Line], samples: int) -> str:
    """The results as a page of Markdown."""
    there = about()
    out = [
        "# Learned best responses",
        "",
        f"sb3-contrib's MaskablePPO in one seat, {samples:,} decisions, against every published strategy and against weak opponents. "
        "Chips to the learner, computed exactly for the policy that it ends with; what can be earned at best is known exactly. "
        "Medians over three seeds, in brackets the least and the most; the gap is to the best, in antes. "
        f"Aims: a gap of at most {GAP} against a published strategy, {SHARE:.0%} of the best against a weak opponent. "
        "Against an equilibrium strategy the best is the value of the game, and nobody earns more.",
        "",
        f"Made by `python -m benchmarks.earning`. {there['date']}; {there['machine']['cpu']}; python {there['versions']['python']}, "
        f"torch {there['versions']['torch']}, sb3-contrib {there['versions']['sb3-contrib']}.",
        "",
        "| game | opponent | seat | best | earned | gap | processor seconds | met |",
        "|---|---|---:|---:|---:|---:|---:|---|",
    ]
    for line in lines:
        earned, gaps = (f"{statistics.median(x):.4f} ({min(x):.4f} to {max(x):.4f})" for x in (line.earned, line.gaps))
        seconds, met = f"{statistics.median(line.seconds):.0f}", "yes" if line.met else "no"
        cells = (str(line.game), line.opponent, str(line.seat), f"{line.best:.4f}", earned, gaps, seconds, met)
        out.append("| " + " | ".join(cells) + " |")
    over = max((max(line.earned) - line.best for line in lines if line.opponent == "published"), default=0.0)
    out += [
        "",
        f"The most that any run earned above the value against a published strategy: {max(over, 0.0):.1g} chips.",
    ]
    return "\n".join(out) + "\n"


def main() -> None:
    """Learn, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.earning", description=__doc__)
    parser.add_argument("games", nargs="*", help="games of `relance games`; all by default")
    parser.add_argument("--samples", type=int, default=200_000, help="decisions of the learner in each run")
    parser.add_argument("--output", type=Path, help="the page to write; standard output by default")
    given = parser.parse_args()
    work, lines = list(pairs(given.games)), []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for game, opponent, seat in progress.track(work, description="best responses"):
            lines.append(learn(game, opponent, seat, given.samples))
            if given.output:  # what is learned so far is there if it is stopped
                given.output.write_text(page(lines, given.samples), encoding="utf-8")
    if not given.output:
        print(page(lines, given.samples))


if __name__ == "__main__":
    main()
