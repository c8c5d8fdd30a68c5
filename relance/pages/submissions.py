"""Rows that others send: whether they can be made again, on any processor."""

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
"""How far, as a share, a first score that is made again may be off."""

FIRST = 1_050
"""The samples up to which a score is a first one. Other processors round differently: in 14 learners with the settings of docs/results
that changed NashConv by at most 2e-7 of it after 1,024 samples, 3e-3 after 3,072 and 0.8 after 10,240."""

SEEDS = 10
"""Over so many seeds a later score is scored, if it is not the same."""

BothScores = dict[int, tuple[float, float | None]]
"""NashConv in chips of both policies, as in a row, by samples."""


class RowCheck:
    """Makes the scores of rows again, and says what is wrong with a row.

    Args:
        most: the samples up to which scores are made again.
        tick: called with the share that is done of what is being run, and with what that is, in words.
    """

    def __init__(self, most: int, tick: Callable[[float, str], None] = lambda share, what: None) -> None:
        self.most, self.tick = most, tick
        self._made: dict[object, BothScores] = {}

    def faults(self, row: Row) -> list[str]:
        """What is wrong with a row, in sentences; none if all is right.

        The first scores must be the same, as must all of a learner in which nothing is random. A later one that is not the same may lie
        as far outside those that are made with `SEEDS` seeds as these lie apart, by factors.

        Raises:
            ValueError, ImportError: the learner or its game is not at hand.
        """
        if missing := unsaid(row):
            return [f"it does not say {', '.join(missing)}"]
        others = row.get("other") or [None] * len(row["points"])
        told: BothScores = {int(n): (score, other) for (_, n, score), other in zip(row["points"], others, strict=False)}
        due = {samples: scores for samples, scores in told.items() if samples <= self.most}
        if not due:
            return [f"it has no score at {self.most:,} samples or less"]
        name = row["algorithm"]
        chosen, faults = algorithm(name), list[str]()
        if row["code"] != code_of(name):
            faults.append(f"it was made by other code, {row['code']}; this is {code_of(name)}")
        for key, right in {"sees": chosen.sees or "", "scored": chosen.scored}.items():
            if row.get(key) != right:
                faults.append(f"{key} is {right!r}, not {row.get(key)!r}")
        if chosen.sees == "samples":
            looks = looks_at(row, min(self.most, FIRST))
            faults += [f"it learns from more than it sees: it calls {what}" for what in looks]
        return faults + self._off(row, due, chosen.deterministic)

    def _off(self, row: Row, due: BothScores, is_fixed: bool) -> list[str]:
        """A sentence for each score that is wrong."""
        made, faults = self._again(row, row["seed"], tuple(sorted(due))), list[str]()
        first = {min(due), *(samples for samples in due if is_fixed or samples <= FIRST)}
        for samples, scores in sorted(due.items()):
            if faults and samples not in first:
                break
            for which, what in enumerate(("NashConv", "that of its other policy")):
                score, found = scores[which], made.get(samples, (None, None))[which]
                if score is None or (found is not None and abs(score - found) <= SAME * max(score, found)):
                    continue
                if found is None:
                    faults.append(f"at {samples:,} samples {what} is not known, not {score:.6g}")
                elif samples in first:
                    faults.append(f"at {samples:,} samples {what} is {found:.6g}, not {score:.6g}")
                else:
                    seeds = [seed for seed in range(SEEDS + 1) if seed != row["seed"]][: SEEDS - 1]
                    runs = [made, *(self._again(row, seed, tuple(sorted(due))) for seed in seeds)]
                    spread = [max(FLOOR, float(run[samples][which] or 0)) for run in runs if samples in run]
                    low, high = min(spread), max(spread)
                    if not low * low / high * (1 - SAME) <= max(FLOOR, score) <= high * high / low * (1 + SAME):
                        faults.append(
                            f"at {samples:,} samples {what} is {found:.6g}, and {low:.3g} to {high:.3g} over {len(spread)} seeds; "
                            f"{score:.6g} is further off than these are apart"
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
"""What a learner that sees samples does not ask for, by the name of the function."""

ROOT = str(Path(relance.__file__).parent)
SOLVERS = tuple(f"{ROOT}{os.sep}{name}" for name in ("solvers", "equilibria", f"play{os.sep}exact_score"))
"""Code that such a learner does not give its game to. Others it may solve, as PSRO does."""


def looks_at(row: Row, samples: int) -> list[str]:
    """What a learner calls in so many samples that shows it more of its game than games played to the end do; a trap, not a proof.

    These are the hands of both players, published strategies, what solves or scores the game, and copies of tables.
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
    """Where a row was made with other versions or on another processor than are here, in words; empty if with the same."""
    here = about()
    pairs = {"processor": (row["machine"]["cpu"], here["machine"]["cpu"])}
    pairs |= {
        name: (row["versions"].get(name, "none"), here["versions"].get(name, "none"))
        for name in here["versions"].keys() | row["versions"].keys()
    }
    return ", ".join(
        f"{name} {theirs}, here {ours}" for name, (theirs, ours) in sorted(pairs.items()) if theirs != ours
    )
