"""How many pairs of hands without a common card two classes have: the joint law of both players' five-card hands.

Let P(a, b) be the number of hands with ranks b that avoid one given hand with ranks a: for each rank, the suits left over,
choose as many as b has. It does not depend on the suits of the given hand, so that all hands of ranks a and b, flushes
included, make size(a) P(a, b) pairs, and the flushes of ranks a a fraction suits / size(a) of them. Two flushes meet in
different suits, or in one suit with no common rank. The rest is subtraction, in whole numbers.

The matrix of the full deck is kept in the user's cache folder with a checksum; what is not whole is made anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt

from relance.cards.classes import Deck, Ints
from relance.model.arrays import check_memory

VERSION = 1
"""Of the file's form and contents; files of another version are made anew."""

CACHED_FROM = 1000
"""Classes from which the matrix is kept on disk; smaller ones are made in less time than it takes to read them."""

Counts = npt.NDArray[np.int32]


def pair_counts(deck: Deck, rows: slice = slice(None)) -> Ints:
    """(rows, classes) how many pairs of disjoint hands the classes in `rows` have with each class of the deck."""
    suits, times = deck.suits, deck.multiplicities.astype(np.intp)
    mine, theirs = times[rows], times
    ways = np.array([[comb(suits - a, b) for b in range(suits + 1)] for a in range(suits + 1)], np.int64)
    avoiding = np.ones((len(mine), len(theirs)), np.int64)
    for a, b in zip(mine.T, theirs.T, strict=True):
        held, held_at = np.unique(a, return_inverse=True)
        avoiding *= ways[held][:, b][held_at]
    sizes = ways[0].take(times).prod(axis=1)
    pairs = sizes[rows, None] * avoiding

    flush = np.array([item.flush for item in deck.classes])
    distinct = times.max(axis=1) == 1
    apart = (mine @ theirs.T) == 0
    flushes = np.where(distinct[rows, None] & distinct[None], suits * (suits - 1) + suits * apart, 0)
    to_flush = pairs // suits**4  # one side a flush of its ranks, the other anything of its own
    mixed = np.where(flush[rows, None] ^ flush[None], to_flush - flushes, flushes)
    plain = pairs - to_flush * distinct[rows, None] - to_flush * distinct[None] + flushes
    return np.where(flush[rows, None] | flush[None], mixed, plain)


def joint_counts(deck: Deck) -> Counts:
    """(classes, classes) how many ordered pairs of disjoint hands each two classes have; symmetric, in all `deck.pairs`.

    Read from the cache where it is there and whole. Raises ValueError if the machine has not the memory for it.
    """
    size = len(deck.classes)
    check_memory(4 * size * size + 200 * size * BLOCK, f"the law of {size} classes of hands")
    if size < CACHED_FROM:
        return pair_counts(deck).astype(np.int32)
    path = cache_file(deck)
    found = _read(path, deck)
    if found is None:
        found = np.empty((size, size), np.int32)
        for start in range(0, size, BLOCK):
            rows = slice(start, start + BLOCK)
            found[rows] = pair_counts(deck, rows)
        check_law(deck, found)
        _write(path, deck, found)
    return found


BLOCK = 256
"""Rows that are computed together."""


def check_law(deck: Deck, counts: Counts) -> None:
    """Raise RuntimeError unless the rows of the matrix sum to what they must: each hand meets C(cards - 5, 5) others."""
    sums = counts.sum(axis=1, dtype=np.int64)
    if not (sums == deck.counts * comb(deck.size - 5, 5)).all():
        raise RuntimeError(f"the joint law of {deck} does not add up")


def cache_folder() -> Path:
    """Where this user's programs keep what can be made anew: RELANCE_CACHE, else the system's folder for that."""
    given = os.environ.get("RELANCE_CACHE")
    if given:
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "relance" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "relance"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "relance"


def cache_file(deck: Deck) -> Path:
    """The file with the joint law of a deck."""
    return cache_folder() / f"five-card-{deck.ranks}x{deck.suits}.law"


def _head(deck: Deck, digest: str) -> bytes:
    order = hashlib.sha256("\n".join(deck.names).encode()).hexdigest()
    head = {
        "version": VERSION,
        "classes": len(deck.classes),
        "order": order,
        "sha256": digest,
        "byteorder": sys.byteorder,
    }
    return json.dumps(head).encode() + b"\n"


def _read(path: Path, deck: Deck) -> Counts | None:
    """The matrix in a file, or None unless it is of this version and deck, whole, and has its checksum."""
    size = len(deck.classes)
    try:
        with path.open("rb") as file:
            head = file.readline(4096)
            found = np.empty((size, size), np.int32)
            whole = file.readinto(found.data.cast("B")) == found.nbytes and not file.read(1)
    except OSError:
        return None
    return found if whole and head == _head(deck, hashlib.sha256(found.data).hexdigest()) else None


def _write(path: Path, deck: Deck, counts: Counts) -> None:
    """Keep the matrix; the file appears only once it is whole. A folder that cannot be written to is no error."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
            part = Path(file.name)
            try:
                file.write(_head(deck, hashlib.sha256(counts.data).hexdigest()))
                file.write(counts.data.cast("B"))
                file.close()
                part.replace(path)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
    except OSError:
        return
