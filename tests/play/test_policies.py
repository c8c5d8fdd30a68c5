"""Players at tables: actions drawn from a strategy, one and many; what a function answers; and the other seat at one table."""

import numpy as np
import pytest

import relance
from relance.play.batch import Batch
from relance.play.loops import streams
from relance.play.numpy_loops import deal_hands
from relance.play.policies import Sampler, choose, ids_at, ids_of, play_on, policy_of
from relance.play.rules import rules
from relance.play.runouts import distribution_of
from relance.play.table import Table

KUHN = relance.make("one_card_poker(raises=0)")


def test_probabilities_are_drawn_and_ids_are_taken():
    masks, numbers = np.ones((4, 4), bool), np.array([0.0, 0.24, 0.25, 0.99])
    chances = np.tile([0.25, 0.75, 0, 0], (4, 1))
    assert ids_of(KUHN, chances, masks, str, lambda: numbers).tolist() == [0, 0, 1, 1]
    ids = np.array([1, 0, 1, 1])
    assert ids_of(KUHN, ids, masks, str, lambda: pytest.fail("nothing is drawn")) is ids


def test_a_strategy_and_the_function_of_its_probabilities_take_the_same_actions():
    table = policy_of(KUHN, "published", 0)
    batch = Batch(KUHN, 500, seed=1)
    every, numbers = np.arange(500), np.random.default_rng(0).random(500)
    rows = np.zeros((3, 4))
    rows[:, :2] = np.array([KUHN.published()[""][action] for action in (0, 1)], float).T

    def plays(seen, masks):
        return rows[seen[:, 2:5].argmax(axis=1)]

    by_table, asked = (ids_at(batch, one, 0, every, lambda: numbers) for one in (table, plays))
    assert by_table.tolist() == asked.tolist()
    with pytest.raises(ValueError, match="the game of 7"):
        ids_at(batch, lambda seen, masks: masks * 2.0, 0, np.array([7]), lambda: numbers[:1], "the game of {}".format)


def test_the_other_seat_acts_while_it_is_to_move():
    table, rng = Table(rules(KUHN)), np.random.default_rng(0)
    table.give((0, 2))
    play_on(table, 1, lambda seen, masks: pytest.fail("it is not their turn"), rng)
    play_on(table, 0, Sampler(policy_of(KUHN, "passive", 0)), rng)
    assert (table.player, KUHN.tree.table.names[table.node]) == (1, "check")
    with pytest.raises(ValueError, match="the opponent's action 2.*is illegal"):
        play_on(table, 1, lambda seen, masks: np.array([2]), rng)
    play_on(table, 1, lambda seen, masks: masks[:, ::-1].argmax(axis=1) * 0 + 1, rng)
    assert (table.player, KUHN.tree.table.names[table.node]) == (0, "check-bet")


def test_one_draw_and_many_take_what_the_strategy_says(published_game):
    rng = np.random.default_rng(0)
    for seat in (0, 1):
        table, profile = policy_of(published_game, "published", seat), published_game.published()
        nodes = np.flatnonzero(published_game.tree.table.player == seat)
        if not len(nodes):  # a player who never acts
            continue
        node, uniform = rng.choice(nodes, 50), rng.random(50)
        hand = deal_hands(distribution_of(published_game), streams(0, np.arange(50)))[0][seat]
        expected = []
        for n, h, u in zip(node.tolist(), hand.tolist(), uniform.tolist(), strict=True):
            rows = profile[published_game.tree.table.names[n]]
            chances = [float(row(h) if callable(row) else row[h]) for row in rows]
            expected.append(published_game.tree.table.legal_ids[n][int((u >= np.cumsum(chances)[:-1]).sum())])
        sampler, draws = Sampler(table), zip(node.tolist(), hand.tolist(), uniform.tolist(), strict=True)
        assert [sampler.draw(*draw) for draw in draws] == expected
        assert choose(table, node, hand, uniform).tolist() == expected
