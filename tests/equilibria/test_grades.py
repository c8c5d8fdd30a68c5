"""The grader: equal games are right whatever their names, and each planted fault is named with its place."""

import re
from fractions import Fraction as F

import pyspiel
import pytest
from kuhn_tree import equilibrium, kuhn

import relance
from relance.equilibria.grades import grade_game, grade_solution
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode


def changed(node, change, history=()):
    """The tree with each node replaced by `change(history, node)`, from the terminal nodes up."""
    match node:
        case ChanceNode():
            below = {n: (p, changed(c, change, (*history, n))) for n, (p, c) in node.outcomes.items()}
            return change(history, ChanceNode(below))
        case DecisionNode():
            below = {n: changed(c, change, (*history, n)) for n, c in node.actions.items()}
            return change(history, DecisionNode(node.player, node.information_set, below))
    return change(history, node)


def against(change):
    return grade_game(GameTree(changed(kuhn(), change)), GameTree(kuhn()))


def test_equal_games_are_right():
    """OpenSpiel deals card by card and has its own names; Relance's Kuhn poker deals both at once; the order is the same."""
    reference = GameTree(kuhn(), "mine")
    assert str(grade_game(GameTree(kuhn(), "theirs"), reference)) == "theirs against mine: right"
    spiel = relance.game_tree("kuhn_poker")
    assert grade_game(spiel, reference).right
    assert grade_game(reference, spiel).right
    assert grade_game(relance.game_tree(pyspiel.load_game("python_kuhn_poker")), spiel).right


def inverted(history, node):
    return TerminalNode(-node.pays) if isinstance(node, TerminalNode) else node


def one_payoff(history, node):
    return TerminalNode(3) if history == ("(0, 2)", "p", "b", "b") else node


def one_chance(history, node):
    if history:
        return node
    p = dict(zip(node.outcomes, [F(1, 6) + F(1, 100), F(1, 6) - F(1, 100)] + [F(1, 6)] * 4, strict=True))
    return ChanceNode({n: (p[n], child) for n, (_, child) in node.outcomes.items()})


def one_deal_less(history, node):
    if history:
        return node
    left = [*node.outcomes.items()][:5]
    return ChanceNode({n: (F(1, 5), child) for n, (_, child) in left})


def wrong_player(history, node):
    return DecisionNode(0, f"again {history}", node.actions) if history[1:] == ("b",) else node


def sees_the_card(history, node):
    """Player 1 sees player 0's card after a bet."""
    if history[1:] == ("b",):
        return DecisionNode(1, f"{node.information_set} {history[0]}", node.actions)
    return node


def sees_nothing(history, node):
    """Player 1 does not look at their own card after a bet."""
    return DecisionNode(1, "b", node.actions) if history[1:] == ("b",) else node


def one_action_less(history, node):
    return DecisionNode(1, node.information_set, {"p": node.actions["p"]}) if history[1:] == ("b",) else node


def no_reply(history, node):
    return TerminalNode(1) if history[1:] == ("p", "b") else node


FAULTS = {
    inverted: "payoff: after (0, 1), p, p: 1, -1, not -1, 1; all payoffs are the reference's times -1",
    one_payoff: "payoff: after (0, 2), p, b, b: 3, -3, not -2, 2",
    one_chance: "chance: at the start: (0, 1) has probability 53/300, not 1/6",
    one_deal_less: "chance: at the start: 5 outcomes of chance, not 6",
    wrong_player: "player: after (0, 1), b: player 0 acts, not player 1",
    sees_the_card: "information set: after (1, 2), b: player 1 can tell this from after (0, 2), b, and should not",
    sees_nothing: "information set: after (0, 2), b: player 1 cannot tell this from after (0, 1), b, and should: 'b'",
    one_action_less: "actions: after (0, 1), b: p, not p, b",
    no_reply: "node: after (0, 1), p, b: a terminal node that pays 1, -1, not a decision of player 0 (p, b)",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_planted_faults_of_a_game_are_named(fault):
    found = against(fault)
    assert not found.right
    first = str(found.differences[0])
    assert FAULTS[fault] in first


def test_each_payoff_matters():
    terminals = []
    changed(kuhn(), lambda history, node: (isinstance(node, TerminalNode) and terminals.append(history)) or node)
    assert len(terminals) == 30
    for terminal in terminals:
        found = against(
            lambda history, node, e=terminal: TerminalNode(node.pays + F(1, 10**9)) if history == e else node
        )
        assert [d.kind for d in found.differences] == ["payoff"]
        assert f"after {', '.join(terminal)}:" in found.differences[0].text


@pytest.mark.parametrize("name", ["one_card_poker", "river", "leduc"])
def test_a_game_and_its_tree_are_scored_alike(name):
    game, tree = relance.make(name), relance.game_tree(name)
    solved = relance.solve(tree)
    for told in (solved, "uniform"):
        assert grade_solution(game, told).evaluation == grade_solution(tree, told).evaluation
    floats = {s: {a: float(p) for a, p in distribution.items()} for s, distribution in solved.items()}
    for told in (floats, relance.solve(game, tolerance=0.05, method="cfr+")):
        found, exact = (grade_solution(one, told).evaluation for one in (game, tree))
        assert [*map(float, found.values)] == pytest.approx([*map(float, exact.values)], abs=1e-9)
        assert [*map(float, found.best)] == pytest.approx([*map(float, exact.best)], abs=1e-9)
    assert 0 < found.nash_conv <= 0.1


def test_hands_on_the_interval_are_scored_exactly():
    found = grade_solution(relance.make("von_neumann"), "published", 0)
    assert found.right
    assert found.evaluation.nash_conv == 0
    assert not grade_solution(relance.make("von_neumann"), "uniform").right


def test_solutions():
    tree = GameTree(kuhn(), "kuhn")
    good = {
        "profile": equilibrium(),
        "value": "-1/18",
        "values": ["-1/18", "1/18"],
        "nash_conv": 0,
        "exploitability": 0,
    }
    assert grade_solution(tree, good).right
    assert grade_solution(tree, good["profile"]).right
    floats = {name: {a: float(p) for a, p in distribution.items()} for name, distribution in equilibrium().items()}
    assert grade_solution(tree, {"profile": floats, "value": -0.0555556}).right
    found = grade_solution(tree, {"profile": tree.uniform(), "exploitability": 0.0, "value": 0.125})
    assert [d.kind for d in found.differences] == ["profile", "exploitability"]
    assert str(found.differences[1]) == "exploitability: it claims 0; it is 11/24"
    assert "no equilibrium: NashConv is 11/12, more than 1e-06; player 0 can gain 3/8; player 1 can gain 13/24" in str(
        found
    )
    for name, wrong in (("value", "1/18"), ("values", ["1/18", "-1/18"]), ("nash_conv", 1), ("values", [0])):
        assert [d.kind for d in grade_solution(tree, {**good, name: wrong}).differences] == [name]
    assert grade_solution(tree, {**good, "value": "-1/17"}, F(1, 100)).right
    with pytest.raises(ValueError, match=re.escape("value='high' is not a number")):
        grade_solution(tree, {**good, "value": "high"})
