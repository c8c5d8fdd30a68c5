"""A betting tree as each player sees it: slots, sequences, and terminal nodes."""

import numpy as np
import pytest

from relance.model.sequences import WrittenTerminals, add_rows, sequence_after, sides, starts_if_repeated


def test_every_action_has_a_slot_and_every_node_the_sequence_before_it(game):
    for player, side in enumerate(sides(game.tree)):
        places = np.zeros(side.size, int)
        for name, slots in side.slots.items():
            places[slots] += 1
            assert slots.stop - slots.start == len(game.tree.decisions[name].actions)
        assert (places == 1).all()
        assert side.slots.keys() == set(game.tree.of(player))
        done = {0}
        for group in side.groups:  # parents first
            before = np.arange(side.size + 1)[group.before]
            assert set(before.tolist()) <= done
            done |= set(range(group.slots.start + 1, group.slots.stop + 1))
    for name in game.tree.decisions:
        for player, side in enumerate(sides(game.tree)):
            choice = game.tree.last_choice(name, player)
            sequence = sequence_after(side.slots, choice)
            assert sequence == (0 if choice is None else 1 + side.slots[choice[0]].start + choice[1])


def test_terminals_are_the_leaves_with_chips(game):
    for side in sides(game.tree):
        paid = sum(len(e.chips) for of in side.terminals for e in of.paid)
        fought = sum(len(e.chips) for of in side.terminals for e in of.fought)
        leaves = [leaf.in_floats for leaf in game.tree.leaves.values()]
        assert (paid, fought) == (sum(a != 0 for a, _ in leaves), sum(b != 0 for _, b in leaves))


@pytest.mark.parametrize("dtype", [float, object])
def test_rows_that_repeat_are_added_up(dtype):
    rows = np.array([0, 0, 2, 3, 3, 3])
    values, added = np.zeros((4, 2), dtype), np.arange(12).reshape(6, 2).astype(dtype)
    add_rows(values, rows, starts_if_repeated(rows), added)
    assert values.tolist() == [[2, 4], [0, 0], [4, 5], [24, 27]]
    assert starts_if_repeated(np.array([1, 2, 5])) is None


def test_written_terminals_pay_by_everybody_elses_reach():
    chips = np.array([[[1.0]], [[2.0]], [[4.0]]])
    terminals = WrittenTerminals.of(np.array([2, 1, 2]), [np.array([0, 1, 1]), np.array([0, 0, 1])], chips)
    values = np.zeros((3, 1))
    terminals.pay([np.array([[1.0], [0.5]]), np.array([[1.0], [0.25]])], values)
    assert values.tolist() == [[0], [2 * 0.5], [1 + 4 * 0.5 * 0.25]]
