from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

import relance
from relance.claims.dominance import (
    DominatedAction,
    _chips,
    _distributions,
    dominated_by,
    is_dominated,
    plan_name,
    plans,
    remaining,
)
from relance.model.matrix_deal import MatrixDeal

KUHN, MIAO = relance.make("one_card_poker", raises=0), relance.make("one_card_poker", raises=1)


def test_plans_are_named_as_players_say_them():
    names = [plan_name(plan) for plan in plans(MIAO, 0)]
    assert names == ["checkfold", "checkcall", "checkraise", "betfold", "betcall"]
    assert len(plans(MIAO, 1)) == 9


@pytest.mark.parametrize("game", [KUHN, MIAO], ids=str)
def test_calling_with_the_worst_card_is_dominated_and_calling_with_the_best_is_not(game):
    nodes = tuple(name for name, node in game.tree.of(1).items() if "call" in node.actions)
    assert is_dominated(game, DominatedAction(1, "Q", nodes, "call"))
    assert not is_dominated(game, DominatedAction(1, "K", ("bet",), "call"))
    assert is_dominated(game, DominatedAction(1, "A", nodes, "fold"))


def test_a_dominating_mixture_is_given():
    mixture = dominated_by(KUHN, 0, 0, {"": "check", "check-bet": "call"})
    assert sum(mixture.values()) == 1
    assert "checkcall" not in mixture
    assert dominated_by(KUHN, 0, 0, {"": "check", "check-bet": "fold"}) is None


def test_removal_matters():
    bet = DominatedAction(0, "K", ("",), "bet")
    basic = [DominatedAction(1, "Q", ("bet",), "call"), DominatedAction(1, "A", ("bet",), "fold")]
    assert not is_dominated(KUHN, bet)
    assert is_dominated(KUHN, bet, basic)
    assert [plan_name(plan) for plan in remaining(KUHN, 1, "A", basic)] == ["checkcall", "betcall"]


def joint_deal(seed):
    """An unequal distribution and edges between -1 and 1, for three hands of each player."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 9, (3, 3)) ** 2
    edges = rng.integers(-4, 5, (3, 3))
    return MatrixDeal(
        (list("abc"), list("def")),
        np.array([[Fraction(int(w), int(weights.sum())) for w in row] for row in weights], object),
        np.array([[Fraction(int(e), 4) for e in row] for row in edges], object),
    )


def gains(game, player, hand, plan):
    """(strategies of the opponent, own plans): what each plan gains over `plan` with the hand, times the probability of the hand."""
    deal, leaves = game.finite_deal(), game.tree.leaves
    joint, edges = (matrix if player == 0 else matrix.T for matrix in (deal.joint(), deal.joint_edge()))
    own, names = plans(game, player), plans(game, 1 - player)

    def chips(mine, theirs, other):
        name, node = "", game.tree.root
        while name not in leaves:
            action = (mine if node.player == player else theirs)[name]
            name, node = f"{name}-{action}" if name else action, node.child(action)
        return (1 - 2 * player) * (node.constant * joint[hand, other] + node.stake * edges[hand, other])

    each = [[[chips(one, theirs, k) - chips(plan, theirs, k) for one in own] for theirs in names] for k in range(3)]
    return np.array([[sum(parts) for parts in zip(*rows, strict=True)] for rows in product(*each)], float)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("player", [0, 1])
def test_dominance_is_that_over_all_strategies_of_the_opponent(seed, player):
    """The opponent may act differently with each hand, and hands count by their probability: a program over all 27 or 64 of them."""
    game = replace(KUHN, deal=joint_deal(seed))
    for hand in range(3):
        for plan in plans(game, player):
            rows = gains(game, player, hand, plan)
            found = linprog(-rows.sum(axis=0), -rows, np.zeros(len(rows)), np.ones((1, rows.shape[1])), [1])
            mixture = dominated_by(game, player, hand, plan)
            assert (mixture is not None) == (-found.fun > 1e-9)
            if mixture is not None:
                weights = np.array([float(mixture.get(plan_name(one), 0)) for one in plans(game, player)])
                assert (rows @ weights > -1e-12).all()
                assert (rows @ weights).max() > 1e-9


EVENTS = {
    "endgame_cards": {},  # a card turns up between the rounds
    "liars_dice": {"sides": 2},  # and several contests
    "leduc": {"ranks": 2, "raises": 1},
}


@pytest.mark.parametrize(("name", "parameters"), EVENTS.items(), ids=EVENTS)
def test_plans_with_events_and_contests_earn_what_the_profile_earns(name, parameters):
    """The chips of two plans, over all pairs of hands, are the value of the profile in which everybody plays these."""
    game = relance.make(name, **parameters)
    for i in (0, -1):
        chosen = [plans(game, player)[i] for player in (0, 1)]
        plan = {
            node: {action: int(chosen[of.player].get(node, of.actions[0]) == action) for action in of.actions}
            for node, of in game.tree.decisions.items()
        }
        worth = relance.value(game, game.profile(plan))
        for player in (0, 1):
            own, theirs = chosen[player], chosen[1 - player]
            pairs = product(range(game.deal.size(0)), range(game.deal.size(1)))
            chips = sum(_chips(game, _distributions(game), player, pair, own, theirs) for pair in pairs)
            assert chips == (1 - 2 * player) * worth


@pytest.mark.parametrize("player", [0, 1])
def test_dominance_with_events_is_that_over_all_strategies_of_the_opponent(player):
    game = relance.make("endgame_cards")
    distributions, other = _distributions(game), 1 - player
    own, theirs = plans(game, player), plans(game, other)
    found = set()
    for hand in range(game.deal.size(player)):
        pairs = [(hand, k) if player == 0 else (k, hand) for k in range(game.deal.size(other))]
        chips = [[[_chips(game, distributions, player, pair, p, q) for p in own] for q in theirs] for pair in pairs]
        whole = np.array([[sum(parts) for parts in zip(*rows, strict=True)] for rows in product(*chips)], float)
        for i, plan in enumerate(own):
            rows = whole - whole[:, i : i + 1]
            best = -linprog(-rows.sum(axis=0), -rows, np.zeros(len(rows)), np.ones((1, len(own))), [1]).fun
            found.add(best > 1e-9)
            assert (dominated_by(game, player, hand, plan) is not None) == (best > 1e-9)
    assert found == ({True, False} if player == 0 else {False})  # player 1 has one hand


def test_too_many_plans_are_refused():
    with pytest.raises(ValueError, match="has 777[0-9]* pure strategies of player 1; .* at most 10,000: take a"):
        plans(relance.make("leduc"), 1)
