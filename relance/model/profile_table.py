"""A profile as a short table for reading: the probability of each action, by hand or by interval of hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np

from relance.model.numbers import Number, show
from relance.model.piecewise import Piecewise

MOST_ROWS = 40
"""The most rows shown; the rest are only counted."""

MOST_PARTS = 7
"""The most numbers or intervals shown in a row; if there are more, only the first and the last ones are shown."""

LONGEST = 12
"""An exact number with more characters than this is shown as a decimal."""


def profile_table(title: str, plan: Mapping[str, Mapping[str, Any]], players: Mapping[str, int]) -> str:
    """Show `plan`, {node: {action: probabilities}}, with one action per line under `title`; `players` says who acts at each node."""
    lines = [
        (f"player {players[node]} {'after ' + node if node else 'to open'}" if i == 0 else "", action, _row(row))
        for node, rows in plan.items()
        for i, (action, row) in enumerate(rows.items())
    ]
    widths = [max((len(line[column]) for line in lines), default=0) for column in (0, 1)]
    shown = [f"{who:{widths[0]}}  {action:{widths[1]}}  {row}".rstrip() for who, action, row in lines[:MOST_ROWS]]
    more = [f"... and {len(lines) - MOST_ROWS} more actions"] if len(lines) > MOST_ROWS else []
    return "\n".join([title, *shown, *more])


def _row(row: Any) -> str:
    if isinstance(row, Piecewise):
        spans = zip(pairwise(row.cuts), row.values(), strict=True)
        parts = [f"{_short(p)} on [{_short(a)}, {_short(b)}]" for (a, b), p in spans if p != 0]
        return _few(parts) or "0"
    if len(row) <= MOST_PARTS:
        return ", ".join(map(_short, row))
    changes = np.flatnonzero(np.asarray(row[1:] != row[:-1], bool)) + 1
    runs = pairwise([0, *changes.tolist(), len(row)])
    return _few([_short(row[a]) + (f" x{b - a}" if b - a > 1 else "") for a, b in runs])


def _few(parts: Sequence[str]) -> str:
    half = MOST_PARTS // 2
    return ", ".join(parts if len(parts) <= MOST_PARTS else [*parts[:half], "...", *parts[-half:]])


def _short(number: Number) -> str:
    text = show(number)
    with suppress(TypeError):  # symbols have no value
        return text if len(text) <= LONGEST else f"{float(number):.6g}"
    return text
