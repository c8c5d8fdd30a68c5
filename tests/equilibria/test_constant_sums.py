"""Chips that a player gets at every terminal node change values by as much, and nothing else, in all that takes a constant sum."""

import json
from fractions import Fraction as F

import pytest

import relance
from relance.equilibria import (
    frontier,
    maximum_entropy,
    price_of_abstraction,
    quasi_perfect,
    refinement,
    restricted_nash_response,
    tree_certificate,
)
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode
from relance.solvers import Solver, gains, optimal_set
from tools.check_game_trees import check, check_frontier

EXTRA = F(3, 4), F(2)


def richer(tree):
    """The game in which each player also gets `EXTRA` at each terminal node."""

    def visit(node):
        if isinstance(node, TerminalNode):
            return TerminalNode(tuple(chips + more for chips, more in zip(node.payoffs(), EXTRA, strict=True)))
        if isinstance(node, DecisionNode):
            return DecisionNode(
                node.player, node.information_set, {a: visit(child) for a, child in node.actions.items()}
            )
        return ChanceNode({name: (p, visit(child)) for name, (p, child) in node.outcomes.items()})

    return GameTree(visit(tree.root))


@pytest.fixture(scope="module")
def games():
    tree = relance.game_tree("kuhn_poker")
    return tree, richer(tree), {s.name: {"Pass": F(1, 3), "Bet": F(2, 3)} for s in tree.infosets}


def test_profiles_and_solutions(games):
    tree, rich, profile = games
    for player in (0, 1):
        assert (
            relance.best_response(rich, profile, player).value
            == relance.best_response(tree, profile, player).value + EXTRA[player]
        )
    assert relance.value(rich, profile) == relance.value(tree, profile) + EXTRA[0]
    assert gains(rich, profile) == gains(tree, profile)
    assert relance.nash_conv(rich, relance.solve(rich)) == 0
    assert relance.value(rich, relance.solve(rich)) == F(-1, 18) + EXTRA[0]
    ran = [Solver(game) for game in (tree, rich)]
    for one in ran:
        one.run(20)
    assert ran[1].nash_conv() == pytest.approx(ran[0].nash_conv(), abs=1e-12)


@pytest.mark.parametrize("player", [0, 1])
def test_optimal_strategies(games, player):
    tree, rich, profile = games
    plain, found = optimal_set(tree, player), optimal_set(rich, player)
    assert found.value == plain.value + EXTRA[player]
    assert found.shortfall(profile) == plain.shortfall(profile) > 0
    assert found.nearest(profile).squared_distance == plain.nearest(profile).squared_distance
    assert maximum_entropy(rich, player).at == maximum_entropy(tree, player).at


@pytest.mark.parametrize("player", [0, 1])
def test_the_price_of_exploiting(games, player):
    tree, rich, profile = games
    plain, found = frontier(tree, player, profile), frontier(rich, player, profile)
    assert found.value == plain.value + EXTRA[player]
    assert [(p.risk, p.earned) for p in found.points] == [(p.risk, p.earned + EXTRA[player]) for p in plain.points]
    assert [(p.p, p.at_most) for p in found.pieces] == [(p.p, p.at_most + EXTRA[player]) for p in plain.pieces]
    assert [found.most(F(k, 50)) for k in range(10)] == [plain.most(F(k, 50)) + EXTRA[player] for k in range(10)]
    check_frontier(json.loads(json.dumps(found.certificate())))
    played = restricted_nash_response(rich, player, profile, 1)
    best = relance.best_response(rich, profile, player).value
    assert relance.value(rich, {**profile, **{s.name: played[s.name] for s in rich.infosets_of(player)}}) == (
        best if player == 0 else sum(EXTRA) - best
    )


def test_the_price_of_abstraction(games):
    """By the definition: the value less what is guaranteed, which is what the opponent's best response leaves."""
    tree, rich, profile = games
    plain, found = price_of_abstraction(tree, tree, profile=profile), price_of_abstraction(rich, rich, profile=profile)
    assert found.prices == plain.prices
    assert found.total == plain.total == relance.nash_conv(rich, profile)
    assert found.value == plain.value + EXTRA[0]
    assert found.guaranteed == tuple(held + more for held, more in zip(plain.guaranteed, EXTRA, strict=True))


def test_refinements(games):
    _, rich, profile = games
    refined = quasi_perfect(rich)
    assert relance.nash_conv(rich, refined) == 0
    assert refinement(rich, refined).quasi_perfect
    assert not refinement(rich, profile).quasi_perfect


def test_certificates(games):
    _, rich, _ = games
    assert check(tree_certificate(rich, relance.solve(rich))) == 0
