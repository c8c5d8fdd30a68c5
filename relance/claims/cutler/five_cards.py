"""Checks of Cutler's tables for five-card hands, Section 6."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from relance.cards.classes import KINDS, deck
from relance.cards.joint import pair_counts
from relance.claims.checks import equal
from relance.claims.finding import Finding
from relance.claims.ledger import Numbers
from relance.envs.cutler_cards import TABLES, thresholds
from relance.model.numbers import Number, formula
from relance.model.quadratic import square_root


def hands_below() -> dict[str, Number]:
    """For each row of the tables, the number of hands below its threshold in the continuous solution, in Q(sqrt 7)."""
    letters = {"s": square_root(7), **Numbers(thresholds()).at(s=square_root(7))}
    rows = (row for table in TABLES for row in table if row.threshold != "0")
    return {row.name: formula(row.threshold, letters) * deck().hands for row in rows}


def table_rows(n: Numbers) -> Finding:
    """Each row starts at a border of the class that contains the threshold, or in its middle if both rows name the class."""
    cards, borders = deck(), hands_below()
    split = {row.name for table in TABLES for row in table if row.split}
    off = []
    for name, threshold in borders.items():
        index = int(np.searchsorted(cards.below, float(threshold), side="right")) - 1
        low, high = int(cards.below[index]), int(cards.below[index + 1])
        if not low <= threshold <= high:
            raise ArithmeticError(f"{float(threshold)} was rounded across the border of a class")
        allowed = [Fraction(low + high, 2)] if name in split else [Fraction(low), Fraction(high)]
        if n[name] not in allowed:
            away = float(n[name] - threshold)
            off.append(f"{name} starts above {n[name]} hands, {away:+.0f} from the threshold in {cards.names[index]}")
    return Finding(not off, "; ".join(off) or f"{len(borders)} rows start at the class of their threshold")


def parnes(n: Numbers) -> Finding:
    """The expected edge of a showdown against a random hand, at each change from one kind of hand to the next."""
    cards = deck()
    kinds = [item.kind for item in cards.classes]
    falls = []
    for first in map(kinds.index, range(1, len(KINDS))):
        fall = _edge(first - 1) - _edge(first)
        if fall > 0:
            falls.append(f"{cards.names[first - 1]} to {cards.names[first]} by {float(fall):.2g}")
    same = equal({"falls": Fraction(len(falls))}, n)
    return same.only_if(True, f"{len(falls)} of {len(KINDS) - 1} changes: {'; '.join(falls)}")


def _edge(index: int) -> Fraction:
    """The probability that a class wins minus the probability that it loses, against the other player's possible hands."""
    cards = deck()
    row = pair_counts(cards, slice(index, index + 1))[0]
    return Fraction(int(row[:index].sum() - row[index + 1 :].sum()), int(cards.counts[index]) * comb(cards.size - 5, 5))
