"""A table as pixels: of one size, and with the hands that may be seen."""

import numpy as np
import pytest

import relance
from relance.play.frame import HEIGHT, WIDTH, frame
from relance.play.rules import rules
from relance.play.table import Table

pytest.importorskip("PIL", reason="needs the extra plot")


def ended(table):
    while table.player >= 0:
        table.act(table.rules.legal[table.node][0])
    return table


@pytest.mark.parametrize(
    ("text", "hands"), [("one_card_poker(raises=0)", [(0, 1), (0, 2)]), ("von_neumann", [(0.3, 0.4), (0.3, 0.9)])]
)
def test_the_other_hand_is_seen_by_who_may_see_it_and_at_the_end(text, hands):
    tables = [Table(rules(relance.make(text))) for _ in hands]
    with pytest.raises(RuntimeError):
        frame(tables[0], (0,))
    for table, given in zip(tables, hands, strict=True):
        table.give(given)
    mine, both = ([frame(table, seats) for table in tables] for seats in ((0,), (0, 1)))
    assert mine[0].shape == (HEIGHT, WIDTH, 3)
    assert np.array_equal(*mine)
    assert not np.array_equal(*both)
    assert not np.array_equal(*(frame(ended(table), (0,)) for table in tables))


@pytest.mark.parametrize("text", ["five_card", "river", "leduc", "endgame"])
def test_every_kind_of_hand_is_drawn(text):
    table = Table(rules(relance.make(text)))
    table.deal(np.random.default_rng(4))
    assert not np.array_equal(frame(table, (0,)), frame(ended(table), (0,)))
