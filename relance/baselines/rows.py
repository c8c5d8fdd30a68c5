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
    what = {
        "game": str(run.game),
        "algorithm": run.algorithm,
        "settings": plain(run.settings),
        "seed": run.seed,
        "seconds": None if run.seconds is None else float(run.seconds),
        "samples": run.samples,
    }
    return {
        "key": key_of(what),
        **what,
        "points": [[round(p.seconds, 4), p.samples, float(f"{p.nash_conv:.6g}")] for p in run.points],
        "ended": run.ended,
        "policy": None if run.ended == "interrupted" else compact(run.game, run.agent),
        **about(),
        "jobs": jobs,
    }


def plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as JSON gives them back."""
    read: dict[str, Any] = json.loads(json.dumps(dict(settings)))
    return read


def compact(game: Game, agent: Any) -> dict[str, list[list[float]]]:
    """The policy as {node: rows of probabilities, one per action}, on `HANDS` hands at most, to 3 digits."""
    from relance.baselines.score import score

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
    for name in _PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[name] = importlib.metadata.version(name)
    from relance import __version__

    versions["relance"] = __version__
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

    Raises ValueError for a file that cannot be read, or a line before the last that is not a row.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    rows, whole = [], 0
    lines = data.splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        row = _row(line)
        if row is None and number == len(lines) and _cut(line):
            break
        if row is None:
            raise ValueError(f"{path}, line {number} is not the row of a run; mend the file or give another")
        rows.append(row)
        whole += len(line)
    return rows, whole


def _cut(line: bytes) -> bool:
    """Whether this is the beginning of a row, and not a line of another file, which is left alone."""
    start = b'{"key":"'
    return not line.endswith(b"\n") and line[: len(start)] == start[: len(line)]


def _row(line: bytes) -> Row | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    whole = isinstance(row, dict) and all(name in row for name in ("key", *KEYED, "points", "ended"))
    return row if whole and key_of(row) == row["key"] else None


@contextlib.contextmanager
def appending(path: Path, note: Callable[[str], None]) -> Iterator[IO[bytes]]:
    """Open a results file for whole rows; no other sweep may write to it meanwhile.

    A last line that was cut short is dropped, and `note` called with a sentence about it. Raises ValueError as `read_rows`, or
    if the file cannot be written.
    """
    try:
        file = path.open("ab")
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None
    with file:
        _lock(file, path)
        _, whole = read_rows(path)
        if file.tell() > whole:
            note(f"the last line of {path} was cut short and is dropped; its run is made again")
            file.truncate(whole)
        if whole and path.read_bytes()[-1:] != b"\n":
            file.write(b"\n")
            file.flush()
        yield file


def as_text(row: Row) -> str:
    """A row as its line."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def append(file: IO[bytes], row: Row) -> None:
    """Write a row; when this returns, it is on the disk."""
    file.write(as_text(row).encode())
    file.flush()
    os.fsync(file.fileno())


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ValueError(f"{path} is being written to by another sweep") from None
