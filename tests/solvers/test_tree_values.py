"""Values and best responses on game trees: by hand, and against walks over all histories and all plans."""

import random
from fractions import Fraction as F
from math import prod

import pytest
from kuhn_tree import kuhn
from tree_walks import best_of_all_plans, earned, together

import relance
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode
from relance.solvers.tree_values import evaluate, tree_mistakes

CHANCES = F(1, 2), F(2, 3), F(3, 5), F(5, 7)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_others_count(players):
    """Each earns the product of all chances, and by a best response that of the others'; together they do not have one sum."""
    chances = CHANCES[:players]
    found = evaluate(
        GameTree(together(players)), {f"player {q}": {"no": 1 - p, "yes": p} for q, p in enumerate(chances)}
    )
    assert found.values == (prod(chances),) * players
    assert found.best == tuple(prod(chances) / p for p in chances)
    assert found.nash_conv == sum(found.best) - players * prod(chances)
    tree = GameTree(together(players))
    assert relance.nash_conv(tree, {f"player {q}": [1 - p, p] for q, p in enumerate(chances)}) == found.nash_conv


def test_a_gain_of_the_last_player_counts():
    tree = GameTree(DecisionNode(2, "s", {"less": TerminalNode((1, 1, 0)), "more": TerminalNode((0, 0, 2))}))
    assert (tree.num_players, evaluate(tree, {"s": {"less": 1}}).nash_conv) == (3, 2)


def long_distribution(draw):
    """Two probabilities whose denominator has 1,500 bits."""
    below = draw.getrandbits(1500) | (1 << 1499) | 1
    above = draw.randrange(1, below)
    return {"p": F(above, below), "b": 1 - F(above, below)}


def test_fractions_of_1500_bits():
    tree, draw = GameTree(kuhn()), random.Random(0)
    profile = {s.name: long_distribution(draw) for s in tree.infosets}
    found = evaluate(tree, profile)
    assert found.values == earned(tree, profile)
    assert found.best == tuple(best_of_all_plans(tree, profile, player) for player in (0, 1))


@pytest.mark.parametrize("total", [0, 10, F(-1, 3)])
def test_payoffs_with_another_sum_are_as_much_worth_in_an_equilibrium(total):
    """Matching pennies in which player 1 gets what is left of a sum: at equal chances nobody gains."""
    rows = [[(1, total - 1), (-1, total + 1)], [(-1, total + 1), (1, total - 1)]]
    tree = relance.game_tree(rows)
    assert tree.utility_sum == total
    assert evaluate(tree, "uniform").values == (0, total)
    assert relance.nash_conv(tree, "uniform") == 0
    s, t = (s.name for s in tree.infosets)
    assert relance.nash_conv(tree, {s: [1, 0], t: [1, 0]}) == 2  # player 1 would rather mismatch


def choice(player, name, **pays):
    """A decision whose actions pay player 0 this much of player 1's."""
    return DecisionNode(player, name, {a: TerminalNode(x) if isinstance(x, int) else x for a, x in pays.items()})


def test_mistakes_by_hand():
    """What is given up at once counts best play later; where the own play never leads nothing is given up; the worst stands first."""
    deep = choice(0, "first", stay=0, enter=choice(0, "later", lose=-1, win=5))
    shallow = choice(0, "other", low=0, high=2)
    tree = GameTree(ChanceNode({"x": ("1/2", shallow), "y": ("1/2", deep)}))
    played = {"first": {"stay": 1}, "later": {"lose": 1}, "other": {"low": 1}}
    found = tree_mistakes(tree, played)
    assert [(m.player, m.information_set, m.best, m.loss) for m in found] == [
        (0, "first", "enter", F(5, 2)),
        (0, "other", "high", 1),
    ]
    assert sum(m.loss for m in found) == evaluate(tree, played).gains[0]
    half = {**played, "first": {"stay": F(1, 2), "enter": F(1, 2)}}
    assert {m.information_set: m.loss for m in tree_mistakes(tree, half)} == {
        "first": F(5, 4),
        "later": F(3, 2),
        "other": 1,
    }


def test_an_equilibrium_has_no_mistakes_and_uniform_play_has_some():
    tree = relance.game_tree("kuhn_poker")
    assert tree_mistakes(tree, relance.solve(tree)) == []
    assert tree_mistakes(tree, "uniform")
