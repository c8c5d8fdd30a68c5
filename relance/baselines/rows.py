"""Results of training runs as rows of a JSON-lines file: whole rows, appended only, each keyed by what was run.

A row holds `key, game, algorithm, settings, seed, seconds, samples` (what was run; a budget may be null), `points` (lists of
training seconds, samples and NashConv in chips), `ended`, `policy` (see `compact`; null if interrupted), `date`, `machine`,
`versions` and `jobs`, how many runs shared the machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import math
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np

from relance.baselines.runs import Run
from relance.model.deal import FiniteDeal
from relance.model.game import Game

Row: TypeAlias = dict[str, Any]

KEYED = ("game", "algorithm", "settings", "seed", "seconds", "samples")
"""What makes a run the same run."""

HANDS = 200
"""The most hands for which a row keeps the policy; where a game has more, averages over as many equal cells."""

_PACKAGES = ("relance", "numpy", "torch", "open_spiel", "numba")


def key_of(what: Mapping[str, Any]) -> str:
    """The key of a run: 16 hexadecimal digits of the hash of its `KEYED` entries."""
    text = json.dumps({name: what[name] for name in KEYED}, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def as_row(run: Run, jobs: int = 1) -> Row:
    """The row of a run, made where it ran."""
    if not all(math.isfinite(point.nash_conv) for point in run.points):
        raise ValueError(f"{run.algorithm} on {run.game}: NashConv is not a number")
    what = keyed(run)
    return {
        "key": key_of(what),
        **what,
        "points": [[round(p.seconds, 4), p.samples, float(f"{p.nash_conv:.6g}")] for p in run.points],
        "ended": run.ended,
        "policy": None if run.ended == "interrupted" else compact(run.game, run.agent),
        **about(),
        "jobs": jobs,
    }


def keyed(run: Run) -> dict[str, Any]:
    """The `KEYED` entries of a run, which may not have been made yet."""
    return {
        "game": str(run.game),
        "algorithm": run.algorithm,
        "settings": plain(run.settings),
        "seed": run.seed,
        "seconds": None if run.seconds is None else float(run.seconds),
        "samples": None if run.samples is None else int(run.samples),
    }


def plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as JSON gives them back."""
    read: dict[str, Any] = json.loads(json.dumps(dict(settings)))
    return read


def compact(game: Game, agent: Any) -> dict[str, list[list[float]]]:
    """The policy as {node: rows of probabilities, one per action}, on `HANDS` hands at most, to 3 digits."""
    from relance.agents.score import score

    on_interval = not isinstance(game.deal, FiniteDeal)
    found = score(game, agent, hands=HANDS) if on_interval else score(game, agent)
    kept = {}
    for name in game.tree.decisions:
        rows = [np.asarray(row, float) for row in found.profile[name]]
        blocks = np.array_split(np.arange(len(rows[0])), min(len(rows[0]), HANDS))
        kept[name] = [[_short(row[block].mean()) for block in blocks] for row in rows]
    return kept


def _short(probability: Any) -> float:
    """To three digits, and the many zeros and ones in one character."""
    digits = round(float(probability), 3)
    return int(digits) if digits in (0.0, 1.0) else digits


def about() -> dict[str, Any]:
    """Date, machine and versions, of the process that asks."""
    versions = {"python": platform.python_version()}
    for name in (*_PACKAGES, "relance"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[name] = importlib.metadata.version(name)
    machine = {"cpu": _cpu(), "cores": os.cpu_count(), "system": platform.system(), "arch": platform.machine()}
    return {"date": datetime.now(UTC).date().isoformat(), "machine": machine, "versions": versions}


def _cpu() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def read_rows(path: Path) -> tuple[list[Row], int]:
    """Return the whole rows of a results file, and how many bytes they take: less than the file's if its last line is cut short.

    Blank lines are passed over. Raises ValueError for a file that cannot be read, or a line before the last that is not a row.
    """
    if path.exists() and not path.is_file():  # a device may have no end
        raise ValueError(f"{path} is a {'folder' if path.is_dir() else 'device'}, not a file of results")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    rows, whole = [], 0
    lines = data.splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        row, wrong = _row(line)
        if wrong and number == len(lines) and _cut(line):
            break
        if wrong:
            raise ValueError(f"{path}, line {number} is not the row of a run: {wrong}; mend the file or give another")
        if line.strip():
            rows.append(row)
        whole += len(line)
    return rows, whole


def unfinished(row: Row) -> bool:
    """Whether the run of a row was interrupted, so that it is to be made again."""
    return bool(row["ended"] == "interrupted")


def finished(path: Path) -> set[str]:
    """The keys of the runs whose rows a results file has; interrupted ones are not finished."""
    return {row["key"] for row in read_rows(path)[0] if not unfinished(row)}


def _cut(line: bytes) -> bool:
    """Whether this is the beginning of a row, and not a line of another file, which is left alone."""
    start = b'{"key":"'
    return not line.endswith(b"\n") and line[: len(start)] == start[: len(line)]


def _row(line: bytes) -> tuple[Row, str]:
    """The row of a line, and what is wrong with it or ""; a blank line is an empty row."""
    if not line.strip():
        return {}, ""
    try:
        row = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        return {}, str(error) if isinstance(error, _NaNError) else "it is not JSON"
    if not isinstance(row, dict):
        return {}, "it is not a JSON object"
    lacking = [name for name in ("key", *_PARTS) if name not in row]
    if lacking:
        return {}, f"it has no {', '.join(map(repr, lacking))}"
    wrong = [f"{name!r} must be {what}" for name, (right, what) in _PARTS.items() if not right(row[name])]
    if not wrong and key_of(row) != row["key"]:
        wrong = [f"its key {row['key']!r} is not that of what was run, {key_of(row)!r}"]
    return row, "; ".join(wrong)


class _NaNError(ValueError):
    """A number that JSON does not have."""


def _no_number(text: str) -> None:
    raise _NaNError(f"{text} is not a number")


def _number(given: Any, least: float = -math.inf) -> bool:
    return isinstance(given, (int, float)) and not isinstance(given, bool) and math.isfinite(given) and given >= least


def _whole(given: Any) -> bool:
    return _number(given) and given == int(given)


def _text(given: Any) -> bool:
    return isinstance(given, str)


def _points(given: Any) -> bool:
    return isinstance(given, list) and bool(given) and all(_point(point) for point in given)


def _point(given: Any) -> bool:
    if not isinstance(given, list) or len(given) != 3:
        return False
    return _number(given[0], 0) and _number(given[1], 0) and _number(given[2])


def _policy(given: Any) -> bool:
    return given is None or (isinstance(given, dict) and all(_node(rows) for rows in given.values()))


def _node(rows: Any) -> bool:
    lists = isinstance(rows, list) and bool(rows) and all(isinstance(row, list) and row for row in rows)
    same = lists and len({len(row) for row in rows}) == 1
    return same and all(_number(p, 0) and p <= 1 for row in rows for p in row)


def _machine(given: Any) -> bool:
    return isinstance(given, dict) and {"cpu", "cores", "system"} <= set(given)


_PARTS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "game": (_text, "text"),
    "algorithm": (_text, "text"),
    "settings": (lambda given: isinstance(given, dict), "an object"),
    "seed": (_whole, "a whole number"),
    "seconds": (lambda given: given is None or _number(given, 0), "a number or null"),
    "samples": (lambda given: given is None or _whole(given), "a whole number or null"),
    "points": (_points, "a list with at least one [seconds, samples, NashConv], all of them finite numbers"),
    "ended": (lambda given: given in ("budget", "converged", "interrupted"), "budget, converged or interrupted"),
    "policy": (_policy, "null, or an object of lists of probabilities, one list for each action of a node"),
    "date": (_text, "text"),
    "machine": (_machine, "an object with cpu, cores and system"),
    "versions": (lambda given: isinstance(given, dict), "an object"),
    "jobs": (_whole, "a whole number"),
}
"""What a row has beside its key, and how each part is told from what is not."""


@contextlib.contextmanager
def appending(path: Path, note: Callable[[str], None]) -> Iterator[IO[bytes]]:
    """Open a results file for whole rows; nobody else may write to it meanwhile. A new one goes again if it stays empty.

    A last line that was cut short is dropped, and `note` called with a sentence about it. Raises ValueError as `read_rows`, or
    if the file cannot be written.
    """
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} cannot be written: it is a {'folder' if path.is_dir() else 'device'}, not a file")
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written: there is no folder {path.parent}")
    new = not path.exists()
    try:
        file = path.open("ab")
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None
    with file:
        _lock(file, path)
        try:
            _, whole = read_rows(path)
            if file.tell() > whole:
                note(f"the last line of {path} was cut short and is dropped; its run is made again")
                file.truncate(whole)
            if whole and path.read_bytes()[-1:] != b"\n":
                file.write(b"\n")
                file.flush()
            yield file
        finally:
            if new and not file.tell():
                with contextlib.suppress(OSError):
                    path.unlink()


def as_text(row: Row) -> str:
    """A row as its line."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def append(file: IO[bytes], row: Row) -> None:
    """Write a row; when this returns, it is on the disk. Raises ValueError if it cannot be written."""
    try:
        file.write(as_text(row).encode())
        file.flush()
        os.fsync(file.fileno())
    except OSError as error:
        raise ValueError(f"{file.name} cannot be written: {error.strerror}") from None


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        same = os.path.samestat(os.fstat(file.fileno()), path.stat())  # or another took it away before it was locked
    except OSError:
        same = False
    if not same:
        raise ValueError(f"{path} is being written to by another sweep or training") from None
