"""Checks of the leaderboard rows that others send: whether their scores can be reproduced, on any processor."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import relance
from relance.baselines.algorithms import algorithm, code_of, settings_of
from relance.baselines.openspiel_games import any_game
from relance.baselines.rows import Row, unsaid
from relance.baselines.runs import FLOOR, carried_out, planned
from relance.model.game import Game
from relance.model.provenance import about
from relance.play.batch import Batch

SAME = 1e-3
"""Two scores are the same if they differ by at most this share of the larger one."""

FIRST = 1_050
"""Scores up to this many samples must be the same again. Later ones may differ, since processors round differently: in 14 learners with
the settings of docs/results, that changed NashConv by at most 2e-7 of it after 1,024 samples, 3e-3 after 3,072 and 0.8 after 10,240."""

SEEDS = 10
"""A later score that is not the same again is compared with the scores of this many seeds."""

BothScores = dict[int, tuple[float, float | None]]
"""{samples: (NashConv in chips of the policy in `points`, and of the other policy or None)}, as a row has them."""


class RowCheck:
    """Reproduces the scores of leaderboard rows, and says what is wrong with a row.

    Args:
        most: scores up to this many samples are reproduced.
        tick: called with the share of the current run that is done, from 0 to 1, and with the name of that run.
    """

    def __init__(self, most: int, tick: Callable[[float, str], None] = lambda share, what: None) -> None:
        self.most, self.tick = most, tick
        self._made: dict[object, BothScores] = {}

    def faults(self, row: Row) -> list[str]:
        """Return the faults of a row, a sentence for each; the list is empty if the row is right.

        The first score, scores up to `FIRST` samples and, for a deterministic learner, all scores must be those of a new run. Other scores
        may lie between a * a / b and b * b / a, where a is the least and b the greatest score of `SEEDS` seeds at that number of samples.

        Raises:
            ValueError, ImportError: the learner or its game is unknown, or a package that it needs is missing.
        """
        if missing := unsaid(row):
            return [f"the row does not say {', '.join(missing)}"]
        others = row.get("other") or [None] * len(row["points"])
        told: BothScores = {int(n): (score, other) for (_, n, score), other in zip(row["points"], others, strict=False)}
        due = {samples: scores for samples, scores in told.items() if samples <= self.most}
        if not due:
            return [f"the row has no score at {self.most:,} samples or less"]
        name = row["algorithm"]
        chosen, faults = algorithm(name), list[str]()
        if row["code"] != code_of(name):
            faults.append(f"other code of {name} made the row, {row['code']}; the code here is {code_of(name)}")
        for key, right in {"sees": chosen.sees or "", "scored": chosen.scored}.items():
            if row.get(key) != right:
                faults.append(f"{key} must be {right!r} for {name}, not {row.get(key)!r}")
        if chosen.sees == "samples":
            looks = looks_at(row, min(self.most, FIRST))
            faults += [f"{name} may see only samples, but it calls {what}" for what in looks]
        return faults + self._off(row, due, chosen.deterministic)

    def _off(self, row: Row, due: BothScores, is_fixed: bool) -> list[str]:
        """A sentence for each score that is wrong."""
        made, faults = self._again(row, row["seed"], tuple(sorted(due))), list[str]()
        first = {min(due), *(samples for samples in due if is_fixed or samples <= FIRST)}
        for samples, scores in sorted(due.items()):
            if faults and samples not in first:
                break
            for which, what in enumerate(("NashConv", "NashConv of the other policy")):
                score, found = scores[which], made.get(samples, (None, None))[which]
                if score is None or (found is not None and abs(score - found) <= SAME * max(score, found)):
                    continue
                if found is None:
                    faults.append(f"at {samples:,} samples {what} does not exist; the row has {score:.6g}")
                elif samples in first:
                    faults.append(f"at {samples:,} samples {what} is {found:.6g} here, not {score:.6g}")
                else:
                    seeds = [seed for seed in range(SEEDS + 1) if seed != row["seed"]][: SEEDS - 1]
                    runs = [made, *(self._again(row, seed, tuple(sorted(due))) for seed in seeds)]
                    spread = [max(FLOOR, float(run[samples][which] or 0)) for run in runs if samples in run]
                    low, high = min(spread), max(spread)
                    if not low * low / high * (1 - SAME) <= max(FLOOR, score) <= high * high / low * (1 + SAME):
                        faults.append(
                            f"at {samples:,} samples {what} is {found:.6g} here, and {low:.3g} to {high:.3g} over {len(spread)} "
                            f"seeds; the row's {score:.6g} is too far outside this range"
                        )
        return faults

    def _again(self, row: Row, seed: int, due: tuple[int, ...]) -> BothScores:
        """The scores of a row's learner with a seed; each run is done once."""
        key = row["algorithm"], row["game"], json.dumps(row["settings"], sort_keys=True), seed, due
        if key not in self._made:
            run = planned(row["algorithm"], any_game(row["game"]), None, max(due), seed, row["settings"])
            done = carried_out(run, due, watch=lambda seconds, samples: self.tick(samples / max(due), str(run)))
            self._made[key] = {point.samples: (point.nash_conv, point.other) for point in done.points}
        return self._made[key]


PEEKS = {"Batch.hands": "the hands of both players", "Game.published": "the published strategies"}
"""Functions that a learner must not call if it sees only samples, each with what it would show."""

ROOT = str(Path(relance.__file__).parent)
SOLVERS = tuple(f"{ROOT}{os.sep}{name}" for name in ("solvers", "equilibria", f"play{os.sep}exact_score"))
"""Files that solve or score games. A learner that sees only samples must not give them its own game, only others."""


def looks_at(row: Row, samples: int) -> list[str]:
    """Run a row's learner for this many samples; return, as texts, its calls that tell more than the games played to the end do.

    These are calls that give the hands of both players or the published strategies, that solve or score the learner's game, or that copy a
    `Batch` of games in play. A learner may have other ways to learn more, which are not found.
    """
    game, found = any_game(row["game"]), dict[str, None]()

    def seen(frame: FrameType, event: str, argument: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code.co_filename.startswith(SOLVERS):
            given = (frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount])
            if any(isinstance(one, Game) and one == game for one in given):
                found[f"{code.co_qualname} on its game"] = None
        elif code.co_filename.startswith(ROOT) and code.co_qualname in PEEKS:
            found[f"{code.co_qualname}, {PEEKS[code.co_qualname]}"] = None
        elif code.co_name == "deepcopy" and isinstance(frame.f_locals.get("x"), Batch):
            found["deepcopy on a Batch, to go back to a state"] = None

    settings = settings_of(row["algorithm"], row["settings"])
    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        learner = algorithm(row["algorithm"]).start(game, settings, row["seed"])
        while samples > 0:
            samples -= learner.step()
        learner.agent()
    finally:
        sys.setprofile(before)
    return list(found)


def elsewhere(row: Row) -> str:
    """The processor and the package versions of a row that differ from those here, as text; empty if none does."""
    here = about()
    pairs = {"processor": (row["machine"]["cpu"], here["machine"]["cpu"])}
    pairs |= {
        name: (row["versions"].get(name, "none"), here["versions"].get(name, "none"))
        for name in here["versions"].keys() | row["versions"].keys()
    }
    return ", ".join(
        f"{name} {theirs}, here {ours}" for name, (theirs, ours) in sorted(pairs.items()) if theirs != ours
    )
