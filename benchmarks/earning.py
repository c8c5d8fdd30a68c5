"""Best responses learned by MaskablePPO against published and weak opponents: what they earn, and the most that can be earned.

    python -m benchmarks.earning [GAME ...]

Three seeds each; a run is deterministic. Seconds are processor time. Lines already in the results, with the same seeds and
settings, are not learned again.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import Progress

import relance
from benchmarks.harness import about, module
from relance.model.game import Game
from relance.pages.board_notes import short_name

PICTURE = "best_responses.svg"

SEEDS = (200, 201, 202)
"""Seeds reserved for this page; settings are tuned on others."""

SHORT, LONG = 400_000, 2_400_000
"""Decisions of the learner in each run: the first number, and the second if the first misses the aim."""

WEAK = ("uniform", "aggressive", "passive", "caller", "perturbed(0.1)")
SHARE, GAP = 0.98, 0.01
"""The aims: the share of the best against a weak opponent, and the gap to the value, in antes, against a published one."""


class Line(NamedTuple):
    """The result in one seat against one opponent; figures over `seeds` are (median, least, most)."""

    game: str
    opponent: str
    seat: int
    samples: int
    best: float
    earned: tuple[float, float, float]
    gap: tuple[float, float, float]
    seconds: float
    seeds: list[int]
    settings: dict[str, float]

    @property
    def met(self) -> bool:
        """Whether the median reaches its aim. Where nothing can be earned, the gap decides."""
        if self.opponent == "published" or self.best <= 0:
            return self.gap[0] <= GAP
        return self.earned[0] >= SHARE * self.best


def pairs(names: list[str]) -> Iterator[tuple[Game, str, int]]:
    """Every published opponent; weak ones where both seats have choices to make, and Cutler's in Cutler's own game."""
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
    train: Any = _learner().train
    runs, seconds = [], []
    for seed in SEEDS:
        start = time.process_time()
        runs.append(train(game, opponent, seat, samples=samples, seed=seed))
        seconds.append(time.process_time() - start)
    earned, gap = _spread([run.value for run in runs]), _spread([run.gap for run in runs])
    spent = statistics.median(seconds)
    return Line(str(game), opponent, seat, samples, runs[0].best, earned, gap, spent, list(SEEDS), _settings())


def _learner() -> Any:
    return module("relance.baselines.train_best_response")


def _settings() -> dict[str, float]:
    return asdict(_learner().Settings())


def _spread(values: list[float]) -> tuple[float, float, float]:
    middle, least, most = (round(pick(values), 4) + 0.0 for pick in (statistics.median, min, max))  # + 0.0: no -0.0
    return middle, least, most


def page(lines: list[Line], origin: dict[str, Any]) -> str:
    """The results as a page of Markdown; `origin` is the date, machine and versions from `about`."""
    versions = origin["versions"]
    met = sum(line.met for line in lines)
    most = max(line.seconds for line in lines)
    longer = sum(line.samples > SHORT for line in lines)
    over = max((abs(min(line.gap[1], 0.0)) for line in lines if line.opponent == "published"), default=0.0)
    worst = []
    for published in (True, False):
        line = max((one for one in lines if (one.opponent == "published") == published), key=lambda one: one.gap[0])
        gap = f"{line.gap[0]:.4f} ({line.gap[1]:.4f} to {line.gap[2]:.4f})"
        worst.append(f"{gap} against `{line.opponent}` in {short_name(relance.make(line.game))}, seat {line.seat}")
    games = len({line.game for line in lines})
    return f"""# Learned best responses

This page tells how near sb3-contrib's MaskablePPO, trained in one seat against a fixed opponent, comes to a [best
response](glossary.md). The opponents are the published strategies of {games} games and weak players. The *gap* is how much less the learner
earns than a best response.

Against a published strategy, the aim is a gap of at most {GAP} antes. Against a weak opponent, the aim is {SHARE:.0%} of the best
response's chips (or the same gap, if a best response earns nothing). A case is a game, a seat and an opponent. The learner
reaches the aim in {met} of {len(lines)} cases. A run makes {SHORT:,} decisions, or {LONG:,} if {SHORT:,} were not enough
({longer} of {len(lines)} cases), and takes at most {most:.0f} processor seconds.

The largest gap against a published opponent and the largest against a weak one, in antes, are these medians of three seeds (in
brackets, the smallest and the largest):

- {worst[0]};
- {worst[1]}.

No setting was tuned on these seeds, {", ".join(map(str, SEEDS))}.

![The gap to the best against each opponent]({PICTURE})

Against an equilibrium strategy nobody can earn more than the value of the game.
The most that a run earned above it is {over:.4f} antes, rounded.

`docs/results/best_responses.jsonl` has every case. `python -m benchmarks.earning` made this page on {origin["date"]}, on
{origin["machine"]["cpu"]} with python {versions["python"]}, torch {versions["torch"]} and sb3-contrib {versions["sb3-contrib"]}.
"""


LEAST = 1e-5
"""Gaps below this, in antes, are drawn at it."""


def picture(lines: list[Line], path: Path) -> None:
    """Draw the gap to the best for each game and seat, a row for each opponent, with its range."""
    style = module("relance.pages.plots.style")
    opponents = list(dict.fromkeys(line.opponent for line in lines))[::-1]
    with style.house_style():
        drawing, ((axes,),) = style.figure(1, 1, 6.4, 0.9 + 0.42 * len(opponents))
        for line in lines:
            mine = [other for other in lines if other.opponent == line.opponent]
            level = opponents.index(line.opponent) + 0.6 * (mine.index(line) + 0.5) / len(mine) - 0.3
            middle, low, high = (max(gap, LEAST) for gap in line.gap)
            look = {"color": style.PLAYER_COLOURS[line.seat]}
            axes.plot([low, high], [level, level], linewidth=0.8, alpha=0.6, **look)
            axes.plot(middle, level, marker=style.MARKS[line.seat], markersize=3.5, **look)
        axes.axvline(GAP, color="#777777", linestyle=":", linewidth=1)
        axes.set(xscale="log", xlabel=f"gap to the best, in antes; dotted: {GAP}, the aim against published strategies")
        axes.set_yticks(range(len(opponents)), opponents)
        keys = [
            style.line_key(f"seat {seat}", color=style.PLAYER_COLOURS[seat], marker=style.MARKS[seat], linestyle="none")
            for seat in (0, 1)
        ]
        axes.legend(handles=keys, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
        style.add_title(
            drawing, "MaskablePPO in one seat", f"each mark is a game; at {LEAST:g} or less at the left end"
        )
        style.save(drawing, path)


def learned(path: Path) -> dict[tuple[str, str, int], Line]:
    """The lines of a results file with the current seeds and settings, by game, opponent and seat; the last if there are several."""
    texts = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    lines = [Line(**json.loads(text)) for text in texts]
    now = [line for line in lines if (line.seeds, line.settings) == (list(SEEDS), _settings())]
    return {(line.game, line.opponent, line.seat): line for line in now}


def main() -> None:
    """Learn what is missing from the results, and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.earning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    known = list(relance.games())
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"all by default; {', '.join(known)}")
    docs = Path(__file__).resolve().parent.parent / "docs"
    parser.add_argument(
        "--results", type=Path, default=docs / "results" / "best_responses.jsonl", help="where a line is added for each"
    )
    parser.add_argument("--output", type=Path, default=docs / "best_responses.md", help="the page to write")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.games if name not in known]:
        parser.error(f"no game {unknown[0]!r}; there are {', '.join(known)}")
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    try:
        _learn_missing(arguments.games, arguments.results)
    except KeyboardInterrupt:
        parser.exit(130, f"stopped; what was learned is in {arguments.results}, and the same command resumes\n")
    lines = learned(arguments.results)
    keys = [(str(game), opponent, seat) for game, opponent, seat in pairs([])]
    shown = [lines[key] for key in keys if key in lines]
    arguments.output.write_text(page(shown, about()), encoding="utf-8")
    picture(shown, arguments.output.parent / PICTURE)
    print(arguments.output)


def _learn_missing(games: list[str], results: Path) -> None:
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for game, opponent, seat in progress.track(list(pairs(games)), description="best responses"):
            for samples in (SHORT, LONG):
                line = learned(results).get((str(game), opponent, seat))
                if line is None or (not line.met and line.samples < samples):
                    line = learn(game, opponent, seat, samples)
                    with results.open("a", encoding="utf-8") as file:  # written at once, in case of an interruption
                        file.write(json.dumps(line._asdict()) + "\n")


if __name__ == "__main__":
    main()
