"""Quasi-perfect equilibria: found by one program, decided by another, and confirmed by the definition, with mistakes."""

from fractions import Fraction as F
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from optimal_sets import plan

import relance
from relance.equilibria import perfection
from relance.equilibria.perfection import quasi_perfect, refinement
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode
from relance.solvers.exact_lp import NotCertifiedError
from relance.solvers.tree_values import as_tree_profile, evaluate

RIVER = "river(board=Ks9d7h4c2s,ranges=99;QJs;65s vs KTs;TT:1/2,pot=100,stack=500,bets=1/2;1;all-in)"
GAMES = ["kuhn_poker", "one_card_poker", "one_card_poker(cards=4)", "endgame", "ponssard", "von_neumann(hands=9)"]
GAMES += ["one_card_poker(cards=6,raises=3)", "leduc", RIVER]


def best_everywhere(tree, player, profile, theirs):
    """By definition: whether no other action is better at any information set of the player against these weights of the opponent."""
    chips = [F(0)] * tree.num_sequences[player]
    for key, pays in tree.terminals.items():
        chips[key[player]] += theirs[key[1 - player]] * pays[player]
    for s in reversed([*tree.infosets_of(player)]):
        here = [chips[j] for j in s.after]
        mean = sum(p * c for p, c in zip(profile[s.name].values(), here, strict=True))
        if mean < max(here):
            return False
        chips[s.before] += mean
    return True


@pytest.mark.parametrize("name", GAMES)
def test_what_is_found_is_best_against_mistakes_too(name):
    """By definition: the witness plays everything, as near the profile at every set as one likes, and the strategy is best at every set."""
    tree = relance.game_tree(name)
    profile = quasi_perfect(tree)
    assert evaluate(tree, profile).nash_conv == 0
    decided = refinement(tree, profile)
    assert decided.quasi_perfect
    for player in (0, 1):
        for eps in (F(1, 10**6), F(1, 10**12)):
            mistaken = [
                sum(w * eps**n for n, w in enumerate(series)) for series in zip(*decided.witnesses[player], strict=True)
            ]
            assert min(mistaken) > 0
            assert best_everywhere(tree, player, profile, mistaken)
            for s in tree.infosets_of(1 - player):
                for action, j in zip(s.actions, s.after, strict=True):
                    assert abs(mistaken[j] / mistaken[s.before] - profile[s.name][action]) < 1000 * eps


def test_folding_an_ace_to_a_raise_is_found():
    """An equilibrium may fold the best card where it never comes: no opponent makes that best. To raise is then best, with any card."""
    tree = relance.game_tree("one_card_poker")
    checks = as_tree_profile(tree, relance.make("one_card_poker").published(alpha=1))
    solved = {**checks, "A bet-raise": {"fold": 1}, "A bet": {"call": 1}}
    found = refinement(tree, solved)
    assert relance.nash_conv(tree, solved) == 0
    assert {(fault.player, fault.information_set) for fault in found.faults} >= {(0, "A bet-raise"), (1, "A bet")}
    assert "not quasi-perfect" in str(found)
    repaired = {**solved, "A bet-raise": {"call": 1}}
    assert [fault.player for fault in refinement(tree, repaired).faults] == [1]


@pytest.mark.parametrize(
    "name", ["one_card_poker", "one_card_poker(raises=0)", "endgame", "endgame_hidden", "ponssard"]
)
def test_what_papers_print_is_quasi_perfect(name):
    assert refinement(name, "published").quasi_perfect


def test_folding_the_king_in_leduc_is_found():
    """The opponent's bet is a mistake, but what they do before it is not: to call is better against all who are near."""
    tree = relance.game_tree(relance.make("leduc", ranks=2, suits=2, raises=1))
    refined = quasi_perfect(tree)
    foolish = {**refined, "K check-bet": {"fold": 1}}
    assert relance.nash_conv(tree, foolish) == 0
    assert refinement(tree, refined).quasi_perfect
    assert (0, "K check-bet") in {fault[:2] for fault in refinement(tree, foolish).faults}


PAYOFFS = st.lists(st.integers(-99, 99), min_size=8, max_size=8, unique=True)


@given(PAYOFFS, st.lists(st.sampled_from((0, 1)), min_size=7, max_size=7))
@settings(max_examples=15)
def test_with_perfect_information_it_is_subgame_perfection(payoffs, players):
    """With all payoffs different, working backwards leaves one profile; of all pure equilibria only that one is accepted."""
    ends, movers = iter(payoffs), iter(players)

    def tree_of(history):
        if len(history) == 4:
            return TerminalNode(next(ends))
        return DecisionNode(next(movers), history, {a: tree_of(history + a) for a in "ab"})

    def backwards(node, distributions):
        if isinstance(node, TerminalNode):
            return node.payoffs()[0]
        worth = {action: backwards(child, distributions) for action, child in node.actions.items()}
        best = (max, min)[node.player](worth, key=worth.get)
        distributions[node.information_set] = {action: int(action == best) for action in worth}
        return worth[best]

    tree, only = GameTree(tree_of("x")), {}
    backwards(tree.root, only)
    for choice in product("ab", repeat=len(tree.infosets)):
        table = {
            s.name: {a: int(a == taken) for a in s.actions} for s, taken in zip(tree.infosets, choice, strict=True)
        }
        if evaluate(tree, table).nash_conv == 0:
            assert refinement(tree, table).quasi_perfect == (table == only)


def test_an_opponent_far_from_the_profile_proves_nothing():
    """At "I" player 0 gets 1 by u, as player 1 plays a then, and 3 by d; u is best only against b, which is far from a."""
    deep = DecisionNode(1, "h", {"a": TerminalNode(1), "b": TerminalNode(5)})
    after = DecisionNode(0, "I", {"d": TerminalNode(3), "u": deep})
    root = DecisionNode(1, "root", {"L": TerminalNode(0), "R": after})
    found = refinement(GameTree(root), {"root": {"L": 1}, "I": {"u": 1}, "h": {"a": 1}})
    assert [fault[:2] for fault in found.faults] == [(0, "I")]
    assert refinement(GameTree(root), {"root": {"L": 1}, "I": {"d": 1}, "h": {"a": 1}}).quasi_perfect


def test_uniform_play_has_faults():
    assert "is better against the profile" in str(refinement("one_card_poker", "uniform"))


@given(st.data())
@settings(max_examples=25)
def test_random_games(data):
    """Both choose, player 0 then acts again; each program's answer passes the other one."""
    number = st.integers(-3, 3)

    def last(a, b):
        return DecisionNode(0, f"again {a}", {c: TerminalNode(data.draw(number)) for c in "xyz"})

    root = DecisionNode(
        0, "first", {a: DecisionNode(1, "second", {b: last(a, b) for b in "lr"}) for a in ("up", "down", "out")}
    )
    tree = GameTree(root)
    profile = quasi_perfect(tree)
    assert evaluate(tree, profile).nash_conv == 0
    assert best_everywhere(tree, 0, profile, plan(tree, 1, profile))


def test_two_conditions_that_do_not_go_together():
    """Each of two idle choices is best against some opponent who plays everything, and both are against none."""

    def guess(name, wins):
        return DecisionNode(0, name, {g: TerminalNode(F(1) if g == wins else F(0)) for g in "lr"})

    root = ChanceNode(
        {
            "one": (
                F(1, 2),
                DecisionNode(1, "m", {"out": TerminalNode(-1), "l": guess("a", "l"), "r": guess("a", "r")}),
            ),
            "two": (
                F(1, 2),
                DecisionNode(1, "m", {"out": TerminalNode(-1), "l": guess("b", "l"), "r": guess("b", "r")}),
            ),
        }
    )
    tree = GameTree(root)
    table = {"m": {"out": 1}, "a": {"l": 1}, "b": {"r": 1}}
    assert relance.nash_conv(tree, table) == 0
    assert refinement(tree, table).quasi_perfect  # an opponent who errs to l and r equally often
    table = {"m": {"out": 1}, "a": {"l": 1}, "b": {"l": F(1, 3), "r": F(2, 3)}}
    assert refinement(tree, table).quasi_perfect
    three = {"one": ("l", 2), "two": ("r", 2)}
    root = ChanceNode(
        {
            name: (
                F(1, 2),
                DecisionNode(
                    1,
                    "m",
                    {
                        "out": TerminalNode(-1),
                        "l": DecisionNode(0, name, {"l": TerminalNode(3 if wins == "l" else 1), "r": TerminalNode(0)}),
                        "r": DecisionNode(0, name, {"l": TerminalNode(0), "r": TerminalNode(3 if wins == "r" else 1)}),
                    },
                ),
            )
            for name, (wins, _) in three.items()
        }
    )
    tree = GameTree(root)
    assert refinement(tree, {"m": {"out": 1}, "one": {"l": 1}, "two": {"r": 1}}).quasi_perfect
    found = refinement(
        tree, {"m": {"out": 1}, "one": {"r": 1}, "two": {"l": 1}}
    )  # one wants 3l <= r, two wants l >= 3r
    assert [fault.information_set for fault in found.faults] == ["one", "two"]
    assert "at all of these together" in found.faults[0].text


def test_a_basis_that_is_optimal_for_an_eps_alone_is_mended_and_not_returned(monkeypatch):
    """In Leduc poker the first program's basis is wrong for smaller eps."""
    tree = relance.game_tree("leduc")
    assert refinement(tree, quasi_perfect(tree)).quasi_perfect
    monkeypatch.setattr(perfection, "STARTS", perfection.STARTS[:1])
    monkeypatch.setattr(perfection, "ROUNDS", 1)
    with pytest.raises(NotCertifiedError, match="no quasi-perfect equilibrium of leduc"):
        quasi_perfect(tree)


def test_what_is_found_is_proved_again(monkeypatch):
    """Series with their actions exchanged are no equilibrium, and the proof refuses them."""
    tree, mistaken = relance.game_tree("one_card_poker"), perfection._mistaken
    monkeypatch.setattr(perfection, "_mistaken", lambda tree: [of._replace(at=1 + 0 * of.at) for of in mistaken(tree)])
    with pytest.raises(NotCertifiedError, match="is not quasi-perfect, which is a fault of Relance"):
        quasi_perfect(tree)


def test_what_would_take_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(perfection, "CUBED", 1.0)
    with pytest.raises(ValueError, match=r"a quasi-perfect equilibrium of kuhn_poker\(\) would take about 5 hours"):
        quasi_perfect("kuhn_poker")


def test_arguments():
    with pytest.raises(ValueError, match="has 3 players; refinements are decided only for two"):
        refinement("kuhn_poker(players=3)", "uniform")
    with pytest.raises(ValueError, match="is not a game of zero sum"):
        quasi_perfect("tiny_hanabi")
    assert not refinement("tiny_hanabi", "uniform").quasi_perfect
