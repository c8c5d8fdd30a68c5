"""Events at a table; and what cannot take events or contests yet refuses them, and never answers wrongly."""

import copy
from fractions import Fraction

import numpy as np
import pytest

import relance
from relance.model.tree import CHANCE
from relance.play.rules import rules
from relance.play.table import Table

LEDUC, DICE = relance.make("leduc"), relance.make("liars_dice")


def test_events_turn_up_as_often_as_the_distribution_says():
    table, rng, seen = Table(rules(LEDUC)), np.random.default_rng(0), {}
    for _ in range(4000):
        table.deal(rng)
        table.act(0)
        table.act(0)  # both check, and a card turns up at once
        assert table.player == 0
        (event,) = LEDUC.tree.cases[table.rules.names[table.node]].events
        count = seen.setdefault(table.hands, dict.fromkeys(LEDUC.tree.events, 0))
        count[event] += 1
    for hands, count in seen.items():
        chances = LEDUC.deal.event_chances(*hands, LEDUC.tree.events)
        assert sum(chances) == pytest.approx(1)
        for found, chance in zip(count.values(), chances, strict=True):
            total = sum(count.values())
            assert abs(found - total * chance) <= 5 * (total * chance * (1 - chance)) ** 0.5
            assert chance in (0, 0.25, 0.5)


def test_a_copy_of_a_table_sees_the_same_event():
    table = Table(rules(LEDUC))
    for seed in range(20):
        table.deal(np.random.default_rng(seed))
        twin = copy.deepcopy(table)
        for one in (table, twin):
            one.act(0)
            one.act(0)
        assert table.node == twin.node


def test_events_are_turned_up_by_hand_where_hands_are_given():
    table = Table(rules(relance.make("leduc", suits=1)))
    table.give((0, 2))
    table.act(0)
    table.act(0)
    assert (table.player, table.over) == (CHANCE, False)
    for event in (0, 2, 9):
        with pytest.raises(
            ValueError, match=rf"event {event} is impossible at 'check-check'; the possible events are \[1\]"
        ):
            table.turn_up(event)
    table.turn_up(1)
    assert table.rules.names[table.node] == "check-check-Q"
    assert "Q turns up" in table.text(0)


def test_probabilities_of_impossible_hands_do_not_matter():
    game = relance.make("leduc", suits=1)
    uniform = game.uniform()
    plan = {name: {a: list(row) for a, row in rows.items()} for name, rows in uniform.plan().items()}
    for name, node in game.tree.decisions.items():
        for event in game.tree.cases[name].events:
            hand = game.deal.labels[0].index(event)
            for k, action in enumerate(node.actions):
                plan[name][action][hand] = Fraction(int(k == 0))
    other = game.profile(plan)
    assert str(other.plan()) != str(uniform.plan())
    assert relance.value(game, other) == relance.value(game, uniform)
    assert relance.nash_conv(game, other) == relance.nash_conv(game, uniform)
