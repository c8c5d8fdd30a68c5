"""Random numbers for many tables at once: a stream for each, and alias tables to draw an index of any law.

Every table has a stream of its own: SplitMix64 started at a place that depends on the seed and the table's number alone.
Table i may draw 2**32 numbers before it reaches those of table i + 1, so no two tables of a seed share a number, and what
a table draws depends neither on how many tables are played with it nor on how they are cut into batches.
`relance.tables.batch_compiled` does the same arithmetic, in the same order, one table at a time.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Words: TypeAlias = npt.NDArray[np.uint64]
Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_11, SHIFT_27, SHIFT_30, SHIFT_31, SHIFT_32 = (np.uint64(bits) for bits in (11, 27, 30, 31, 32))
UNIT = 2.0**-53


def check_whole(name: str, value: object, least: int, most: int | None = None) -> None:
    """Raise ValueError, naming the argument, unless `value` is an int from `least` to `most`."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):  # type: ignore[operator]  # whole: it compares
        upto = "" if most is None else f" to {most}"
        raise ValueError(f"{name}={value!r} must be a whole number from {least}{upto}")


def streams(seed: int, tables: npt.NDArray[np.integer[Any]]) -> Words:
    """The state in which the stream of each numbered table starts, shape of `tables`. Raises ValueError for a bad seed."""
    check_whole("seed", seed, 0)
    key = np.random.SeedSequence(int(seed)).generate_state(1, np.uint64)
    out: Words = key + (tables.astype(np.uint64) << SHIFT_32) * STEP
    return out


def draw(state: Words) -> Words:
    """The next 64 random bits of each stream; moves `state` on in place."""
    state += STEP
    out: Words = state >> SHIFT_30
    out ^= state
    out *= MIX_1
    out ^= out >> SHIFT_27
    out *= MIX_2
    out ^= out >> SHIFT_31
    return out


def unit(bits: Words) -> Floats:
    """Random bits as numbers in [0, 1), multiples of 2**-53."""
    return (bits >> SHIFT_11).astype(np.float64) * UNIT


class Alias(NamedTuple):
    """Walker's alias table of an index: the high bits pick a row, the low bits whether it or its alias is meant.

    `threshold` and `alias` have a power of two of rows; `shift` and `bits` cut 64 bits into row and rest.
    """

    threshold: Words
    alias: npt.NDArray[np.int64]
    shift: np.uint64
    bits: np.uint64


def alias_table(weights: Floats) -> Alias:
    """The alias table that gives index i with a probability in proportion to `weights[i]`."""
    bits = max((len(weights) - 1).bit_length(), 1)
    load = np.zeros(1 << bits)
    load[: len(weights)] = weights * (len(load) / weights.sum())
    alias = np.arange(len(load))
    small, large = np.flatnonzero(load < 1), np.flatnonzero(load >= 1)
    # Rows in need are filled in order from rows with too much, in order: running sums say who meets whom.
    need, surplus = np.cumsum(1 - load[small]), np.cumsum(load[large] - 1)
    giver = np.searchsorted(surplus, np.concatenate([[0.0], need])[:-1])
    alias[small] = large[np.minimum(giver, len(large) - 1)]
    # A row that gave too much by that keeps what is left, and is filled from the next.
    spent = np.searchsorted(need, surplus, side="right")
    over = np.flatnonzero((spent < len(small)) & (np.arange(len(large)) < len(large) - 1))
    load[large] = 1.0
    load[large[over]] = np.clip(1 + surplus[over] - need[spent[over]], 0, 1)
    alias[large[over]] = large[over + 1]
    threshold = np.minimum(load * 2.0**64, np.nextafter(2.0**64, 0)).astype(np.uint64)
    return Alias(threshold, alias, np.uint64(64 - bits), np.uint64(bits))


def pick(table: Alias, bits: Words) -> npt.NDArray[np.int64]:
    """The index that 64 random bits mean."""
    row = (bits >> table.shift).astype(np.int64)
    keep = (bits << table.bits) < table.threshold.take(row)
    return np.where(keep, row, table.alias.take(row))
