"""Names at the ends of lines."""

from itertools import pairwise

import pytest

from relance.pages.plots.line_labels import spaced


def test_names_stay_where_there_is_room():
    assert spaced([0.1, 0.5, 0.9], 0.2) == [0.1, 0.5, 0.9]


@pytest.mark.parametrize("wanted", [[0.5] * 4, [0.0, 0.1, 0.12, 0.13, 0.9], [0.3, 0.31, 0.49]])
def test_names_that_are_too_close_move_apart_and_no_further(wanted):
    placed = spaced(wanted, 0.1)
    gaps = [right - left for left, right in pairwise(placed)]
    assert min(gaps) == pytest.approx(0.1)
    assert sum(placed) == pytest.approx(sum(wanted))
