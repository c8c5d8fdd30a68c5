"""Results of training runs: a JSON-lines file to which a row is appended for each run that ended, with the key of the run."""

from __future__ import annotations

import math
import re
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypedDict, cast

import numpy as np

from relance.baselines.algorithms import Scored, algorithm, code_of
from relance.baselines.openspiel_games import AnyGame, OpenSpielGame, any_game
from relance.baselines.runs import Ended, Keyed, Run, key_of
from relance.baselines.settings import Chance, Count, NotNegative
from relance.model.arguments import OneOf, check, described
from relance.model.arrays import Floats
from relance.model.cells import block_average
from relance.model.files import Line, LineFile, json_line, read_lines
from relance.model.provenance import About, about, commit
from relance.play.exact_score import score
from relance.solvers.abstraction import block_sizes


class _Even(OneOf):
    """Lists of one length, which is not 0."""

    def __contains__(self, lists: Any) -> bool:
        return bool(lists and lists[0]) and len(set(map(len, lists))) == 1


class _Some(OneOf):
    """A list with at least one entry."""

    def __contains__(self, entries: Any) -> bool:
        return bool(entries)


Policy: TypeAlias = dict[str, Annotated[list[list[Chance]], _Even()]]
"""For each node, a list of probabilities for each action."""


class Origin(TypedDict, total=False):
    """The entries of a row that say what the learner is; rows from before 24 November 2026 lack them."""

    sees: Annotated[
        Literal["", "samples", "tree", "tables"], '"samples", "tree", "tables" or "": what the learner sees'
    ]
    code: Annotated[str, "the hash of the learner's code, see `code_of`"]
    scored: Annotated[Scored, '"last" or "average": the policy whose NashConv is in `points`']
    other: Annotated[
        list[NotNegative | None],
        "a list: for each of `points` the NashConv of the last policy if `scored` is the average, else of the average; null if unknown",
    ]
    distance: Annotated[
        list[NotNegative | None],
        "a list: for each of `points` the distance from the equilibrium to which the learner converges by a theorem; null if unknown",
    ]
    parameters: Annotated[Count | None, "how many numbers the policy consists of, or null"]
    commit: Annotated[str, "the commit of Relance in a checkout, ending in -dirty if files differ from it; else empty"]


UNSAID = {
    "code": "the learner's code",
    "sees": "what the learner sees",
    "scored": "which policy is scored",
}
"""What a row must say of its origin, besides the commit, in words."""


def unsaid(row: Mapping[str, Any]) -> list[str]:
    """Return, in words, what a row lacks that others need to repeat its run; a row is ranked only if it lacks nothing."""
    left = [words for name, words in UNSAID.items() if not row.get(name)]
    commit, version = row.get("commit"), row["versions"].get("relance", "")
    if commit is None or commit.endswith("-dirty") or not (commit or re.fullmatch(r"[\d.]+", version)):
        left.append("a commit without changes, or a released version")
    return left


class Row(Keyed, About, Origin):
    """The results of a run: a line of a results file. Error messages quote the text in an `Annotated` type, which says what is allowed.

    Attributes:
        key: see `key_of`.
        points: training seconds, samples and NashConv in chips, at each score.
        ended: as in `relance.baselines.runs.Run`.
        policy: the policy at the end of the run, or when it was interrupted, see `compact`; null for games of OpenSpiel.
        jobs: how many runs shared the machine at a time.
        sees, code, scored: what the learner may see of a game, the hash of the learner's code, and which policy
            `points` are of; see `relance.baselines.algorithms`.
        other, distance, parameters: as in `relance.baselines.runs`.
    """

    key: str
    points: Annotated[
        list[tuple[NotNegative, NotNegative, NotNegative]],
        _Some(),
        "a list with at least one [seconds, samples, NashConv], all of them finite numbers and at least 0",
    ]
    ended: Ended
    policy: Annotated[Policy | None, "null, or an object of lists of probabilities, one list for each action of a node"]
    jobs: Annotated[Count, "a whole number of at least 1"]


ROUNDING = 1e-9
"""The chips by which rounding may take a NashConv in floats below 0."""

START = b'{"key":"'
"""The beginning of every row; a file whose cut last line begins otherwise is left unchanged."""

HANDS = 200
"""The most hands for which a row stores the policy hand by hand; larger games are averaged over this many equal parts."""


def as_row(run: Run, jobs: int = 1) -> Row:
    """Return the row of a run. Call this on the machine that carried out the run, because the row describes the present machine.

    Raises:
        ValueError: a NashConv is not finite.
    """
    if not all(math.isfinite(point.nash_conv) for point in run.points):
        raise ValueError(f"{run}: NashConv is not finite")
    chosen = algorithm(run.algorithm)
    other = [None if p.other is None else _short_score(p.other) for p in run.points]
    return {
        "key": run.key,
        **run.keyed,
        "points": [(round(p.seconds, 4), p.samples, _short_score(p.nash_conv)) for p in run.points],
        "ended": run.ended,
        "policy": None if run.agent is None else compact(run.game, run.agent),
        **about(),
        "jobs": jobs,
        "sees": chosen.sees or "",
        "code": code_of(run.algorithm),
        "scored": chosen.scored,
        "other": other,
        "distance": [None if p.distance is None else float(f"{p.distance:.6g}") for p in run.points],
        "parameters": run.parameters,
        "commit": commit(),
    }


def _short_score(nash_conv: float) -> float:
    """A NashConv to six digits. It is never below 0, but the sum of floats may be, by rounding."""
    return float(f"{0.0 if -ROUNDING <= nash_conv <= 0 else nash_conv:.6g}")


def compact(game: AnyGame, agent: Any) -> Policy | None:
    """Return the policy by decision node: for each action a list of probabilities to 3 digits, one for each hand.

    If there are more than `HANDS` hands, these are means over `HANDS` blocks of hands. The result is None for games of OpenSpiel.
    """
    if isinstance(game, OpenSpielGame):
        return None
    scored = score(game, agent, hands=None if game.deal.is_finite else HANDS)
    at: dict[str, tuple[Floats, ...]] = {}
    for strategy in scored.profile.as_float().strategies:
        prior = scored.game.finite_deal().floats.prior(strategy.player)
        if len(prior) > HANDS:
            starts = np.cumsum(block_sizes(len(prior), HANDS)) - block_sizes(len(prior), HANDS)
            strategy = block_average(game.tree, strategy, prior, starts)
        at |= strategy.at
    return {name: [list(map(_short, row)) for row in at[name]] for name in game.tree.decisions}


def _short(probability: float) -> float:
    """Round to three digits, with zeros and ones, which are frequent, as one-character integers."""
    digits = round(float(probability), 3)
    return int(digits) if digits in (0.0, 1.0) else digits


def read_results(path: Path) -> tuple[list[Row], bool]:
    """Return the rows of a results file, and whether its last line is cut short; there are no rows if there is no file.

    Raises:
        ValueError: the file cannot be read, or a line other than a last one that was cut short is not a row.
    """
    rows, _, is_cut = _rows(read_lines(path), path) if path.exists() else ([], 0, False)
    return rows, is_cut


def _rows(lines: Iterable[Line], path: Path) -> tuple[list[Row], int, bool]:
    """The rows, where the last of them ends, and whether the last line is cut short."""
    rows, end = list[Row](), 0
    for line in lines:
        try:
            rows.append(_row(line))
        except ValueError as error:
            if line.is_cut and line.data[: len(START)] == START[: len(line.data)]:
                return rows, end, True
            raise ValueError(
                f"{path}, line {line.number} is not the row of a run: {error}; correct it or name another file"
            ) from None
        end = line.end
    return rows, end, False


def finished(path: Path) -> set[str]:
    """Return the keys of the runs in a results file that ended, and whose learner has the same code today."""
    return _finished(read_results(path)[0])


def _finished(rows: Sequence[Row]) -> set[str]:
    return {row["key"] for row in rows if is_done(row)}


def is_done(row: Row) -> bool:
    """Return True if a run need not be repeated: it was not interrupted, and its learner has not changed since."""
    return row["ended"] != "interrupted" and not _has_changed(row)


def _has_changed(row: Row) -> bool:
    """Whether the learner's code is another now than when it was run, as far as both are known."""
    try:
        return row.get("code", "") not in ("", code_of(row["algorithm"]))
    except (ValueError, ImportError):  # not installed here
        return False


def _row(line: Line) -> Row:
    row = line.item
    if line.problem:
        raise ValueError("the line is not JSON")
    if not isinstance(row, dict):
        raise ValueError("the line is not a JSON object")
    parts = typing.get_type_hints(Row, include_extras=True)
    if missing := [repr(name) for name in parts if name not in row and name in Row.__required_keys__]:
        raise ValueError(f"the line has no {', '.join(missing)}")
    wrong = [
        f"{name!r} must be {_meaning(kind)}"
        for name, kind in parts.items()
        if name in row and not _fits(kind, row[name])
    ]
    if not wrong:
        wrong = _unlike(row["game"], row["policy"] or {})
    if not wrong and key_of(row) != row["key"]:
        wrong = [f"the row's key {row['key']!r} is not that of its run, {key_of(row)!r}"]
    if wrong:
        raise ValueError("; ".join(wrong))
    return cast(Row, row)


@lru_cache(maxsize=64)
def _choices(game: str) -> dict[str, int]:
    """How many actions each decision node of a game has; empty for games of OpenSpiel, whose policies are not stored."""
    played = any_game(game)
    return {} if isinstance(played, OpenSpielGame) else {n: len(at.actions) for n, at in played.tree.decisions.items()}


def _unlike(game: str, policy: Policy) -> list[str]:
    """Why a row's policy does not fit its game."""
    try:
        nodes = _choices(game)
    except (ValueError, TypeError) as error:
        return [f"the row's game cannot be made: {error}"]
    if not policy:
        return []
    unknown = [f"the row's game has no node {name!r}" for name in policy if name not in nodes]
    missing = [f"the row's policy lacks the node {name!r}" for name in nodes if name not in policy]
    return [
        *unknown,
        *missing,
        *(
            f"the row's policy has {len(policy[name])} lists at {name!r}, which has {count} actions"
            for name, count in nodes.items()
            if name in policy and len(policy[name]) != count
        ),
    ]


def _meaning(kind: Any) -> str:
    """The allowed values of a part of a row, for messages."""
    texts = (text for text in getattr(kind, "__metadata__", ()) if isinstance(text, str))
    return next(texts, None) or described(kind)


def _fits(kind: Any, value: Any) -> bool:
    """Whether a value read from JSON is of a type; numbers must be finite."""
    plain = typing.get_args(kind)[0] if typing.get_origin(kind) is Annotated else kind
    if typing.is_typeddict(plain):
        hints = typing.get_type_hints(plain, include_extras=True)
        return isinstance(value, dict) and all(name in value and _fits(hints[name], value[name]) for name in hints)
    with suppress(TypeError, ValueError):
        check("", value, kind)
        return True
    return False


def as_text(row: Row) -> str:
    """Return a row as one line of JSON text."""
    return json_line(row)


class Results:
    """A results file to which rows are appended, by one writer at a time; a context manager.

    Args:
        path: the file; it is made if there is none. A last line that was cut short is dropped.
        note: called with a sentence if such a line is dropped.

    Attributes:
        finished: the keys of the runs in the file that need not be repeated, see `is_done`.

    Raises:
        ValueError: the file is damaged, as in `read_results`, cannot be written, or is being written to.
    """

    def __init__(self, path: Path, note: Callable[[str], None]) -> None:
        self._file = LineFile(path)
        try:
            rows, end, is_cut = _rows(self._file.lines(), path)
            if is_cut:
                note(f"the last line of {path} was cut short and is dropped; its run will be repeated")
            self._file.end_at(end)
        except BaseException:
            self._file.close()
            raise
        self.finished = _finished(rows)

    def append(self, row: Row) -> None:
        """Append a row to the file; if the disk is full or fails, the row is kept and written later."""
        self._file.add(row)

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
