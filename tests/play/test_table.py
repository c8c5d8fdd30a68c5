"""One table by itself; that the environments around it play the game is tested with each of them."""

import copy
import pickle

import numpy as np
import pytest
from conftest import DEFAULTS

from relance.play.rules import rules
from relance.play.table import Table


@pytest.fixture(params=DEFAULTS, ids=str)
def table(request):
    return Table(rules(request.param))


def test_nobody_is_to_move_before_both_hands_are_dealt(table):
    assert (table.player, table.over) == (-1, False)
    assert table.mask(0).all()
    for look in (lambda: table.observe(0), lambda: table.text(0)):
        with pytest.raises(RuntimeError, match="reset"):
            look()
    table.give((0,))
    assert (table.player, table.over) == (-1, False)


def test_every_end_pays_what_the_tree_says(table):
    rng, game = np.random.default_rng(0), table.rules.game
    for _ in range(30):
        table.deal(rng)
        while not table.over:
            assert table.chips == 0
            mover = table.player
            assert np.flatnonzero(table.mask(mover)).tolist() == table.rules.legal[table.node]
            assert not table.mask(1 - mover).any()
            table.act(int(rng.choice(table.rules.legal[table.node])))
        name = table.rules.names[table.node]
        leaf, distribution = game.tree.leaves[name], game.deal.in_case(game.tree.cases[name])
        assert table.chips == pytest.approx(float(leaf.constant + leaf.stake * distribution.compare(*table.hands)))
        with pytest.raises(ValueError, match="the game is over"):
            table.act(0)


@pytest.mark.parametrize("action", [-1, 99])
def test_an_illegal_action_forfeits_or_changes_nothing(table, action):
    table.deal(np.random.default_rng(1))
    mover = table.player
    with pytest.raises(ValueError, match=f"action {action} is illegal"):
        table.act(action)
    assert (table.player, table.node, table.over) == (mover, 0, False)
    table.act(action, "forfeit")
    assert (table.offender, table.player, table.over) == (mover, -1, True)
    assert table.chips == (-1) ** (1 - mover) * table.rules.worst[mover]


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_a_copy_plays_on_by_itself(table, clone):
    table.deal(np.random.default_rng(2))
    twin = clone(table)
    assert twin.rules is table.rules
    twin.act(twin.rules.legal[0][0])
    assert (table.node, table.hands) == (0, twin.hands)
    assert twin.node != 0


def test_who_waits_has_an_action_of_his_own(table):
    waiting = Table(table.rules, wait=True)
    waiting.deal(np.random.default_rng(3))
    mask = waiting.mask(1 - waiting.player)
    assert mask.tolist() == [0] * (len(mask) - 1) + [1]
    assert waiting.mask(waiting.player)[-1] == 0
