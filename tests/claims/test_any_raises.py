"""Pot limit with any number of raises and without end: the step and its arguments, compared with games that have few raises."""

import pytest

from relance.claims.verify import selected


@pytest.mark.parametrize(("claim", "raises"), [("lines", 1), ("cutoffs", 5), ("table-rows", 10), ("check-raise", 3)])
def test_what_is_read_off_a_game_that_is_cut_off_is_asked_of_two(claim, raises):
    """Its domain names both games, and says why the others are like them."""
    ((_, found),) = selected(f"cutler-1975/{claim}")
    verdict, finding = found.decide()
    assert verdict == found.recorded
    (cases,) = finding.where
    assert cases.closed
    assert len(cases.members) == 2
    assert raises <= min(cases.members)
