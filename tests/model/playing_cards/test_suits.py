"""Suits that nothing tells apart: which cards are merged, and that merging changes neither a value nor an iteration."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from conftest import random_profile

import relance
from relance.model.playing_cards.hole_deal import HoleDeal
from relance.model.strategy import Strategy
from relance.model.tree import BettingTree, Decision, Reveal
from relance.solvers.cfr_solver import Solver

BOARDS = [
    ("8h7h6c2c", "AhKh;QsJs;QdJd:1/2;QcJc vs KK;AhQh", 48),  # only one of the two hands has half of the weight
    ("8h7h6c2c", "AhKh;QsJs;QdJd;QcJc vs KK;AhQh", 35),  # spades and diamonds
    ("KsKd7h4h", "QJs;AsQs:1/2;AdQd:1/2 vs 99;KTs", 36),  # spades and diamonds
    ("KsKd7h7c", "QJ vs 99;KT:1/3", 24),  # and hearts and clubs
    ("9s8s5s2s", "QJs;A9s:1/2 vs 99;JTs", 22),  # all but spades
    ("9s9h9d9c", "QJs vs AK", 12),  # all four
    ("Ks9d7h4c", "QJ vs KT", 48),
]


def game_of(board, ranges):
    return relance.make("turn", board=board, ranges=ranges, pot=2, stack=7, bets=1, river_bets="1/2;1", raises=0)


@pytest.mark.parametrize(("board", "ranges", "cards"), BOARDS)
def test_so_many_cards_are_left(board, ranges, cards):
    deal = game_of(board, ranges).deal
    found = deal.merge_events()
    if found is None:
        assert len(deal.events) == cards
        return
    merged, how = found
    assert len(merged.events) == cards < sum(how.shares.values()) == len(deal.events)
    for player in (0, 1):
        sums = [
            sum(of.mass(player, of.constant(1 - player, 1)).sum() for of in events.values())
            for events in (deal.events, merged.events)
        ]
        assert sums == [1, 1]


@pytest.mark.parametrize(("board", "ranges", "cards"), [row for row in BOARDS if row[2] < 48])
def test_an_average_over_alike_hands_is_exact(board, ranges, cards):
    """A random profile that plays alike after alike cards is worth the same in both games, in fractions."""
    game = game_of(board, ranges)
    deal, how = game.deal.merge_events()
    small = replace(game, tree=how.tree(game.tree), deal=deal)
    numbers = Random(1)
    played = random_profile(small, lambda: numbers.randint(1, 9))
    strategies = []
    for player, strategy in enumerate(played.strategies):
        rows = {name: np.array(list(of), object) for name, of in strategy.at.items()}
        for name in rows:
            if not small.tree.cases[name].events:
                rows[name] = how.alike[player].average(rows[name])
        strategies.append(rows)
    spread = [how.spread(game.tree, p, rows) for p, rows in enumerate(strategies)]

    def profile(game, of):
        return replace(
            game.uniform(),
            strategies=tuple(
                Strategy(p, {name: tuple(rows) for name, rows in side.items()}) for p, side in enumerate(of)
            ),
        )

    worth = relance.value(game, profile(game, spread))
    assert isinstance(worth, Fraction)
    assert worth == relance.value(small, profile(small, strategies))


def started(game, method, monkeypatch):
    """A solver with merged cards and one with all, from the same regrets; where actions tie exactly, rounding would part them."""
    merged = Solver(game, method, "numpy")
    with monkeypatch.context() as patched:
        patched.setattr(HoleDeal, "merge_events", lambda deal: None)
        every = Solver(game, method, "numpy")
    how, rng = game.deal.merge_events()[1], np.random.default_rng(1)
    for player, (few, many) in enumerate(zip(merged.regrets, every.regrets, strict=True)):
        for name, at in merged._sides[player].slots.items():
            few[at] = rng.random(few[at].shape)
            for event in game.tree.cases[name].events:  # hands of one strength start alike, so that no suit stands out
                kinds = np.unique(game.deal.after(event).classes[player], return_inverse=True)[1]
                few[at] = few[at][:, kinds]
            if not game.tree.cases[name].events:
                few[at] = how.alike[player].average(few[at])
        rows = {name: few[at] for name, at in merged._sides[player].slots.items()}
        for name, row in how.spread(game.tree, player, rows).items():
            shares = [how.shares[how.stands_in[event].event] for event in game.tree.cases[name].events]
            many[every.slots[name]] = row / (shares or [1])[0]
    return merged, every


@pytest.mark.parametrize("method", ["cfr", "cfr+", "dcfr"])
@pytest.mark.parametrize(("board", "ranges", "cards"), BOARDS[1:5])
def test_iterations_are_those_of_all_cards(board, ranges, cards, method, monkeypatch):
    game = game_of(board, ranges)
    merged, every = started(game, method, monkeypatch)
    assert len(every.slots) == len(game.tree.decisions) > len(merged.slots)
    merged.run(6)
    every.run(6)
    for player in (0, 1):
        for rows in (lambda solver, p: solver.average().strategies[p].at, Solver.current):
            here, there = rows(merged, player), rows(every, player)
            assert here.keys() == there.keys()
            assert max(np.abs(np.array(here[name]) - there[name]).max() for name in here) < 1e-9
    assert merged.nash_conv() == pytest.approx(every.nash_conv(), abs=1e-9) == merged.nash_conv(above=0)
    assert merged.nash_conv() == pytest.approx(float(relance.nash_conv(game, merged.average())), abs=1e-12)


def test_what_is_solved_is_an_equilibrium_of_the_whole_game(tmp_path):
    game, path = game_of(*BOARDS[2][:2]), tmp_path / "work.npz"
    profile = relance.solve(game, "dcfr+", tolerance=0.02, checkpoint=path)
    assert relance.exploitability(game, profile) <= 0.02
    solver = Solver(game, "dcfr+")
    solver.run(3)
    solver.save(path)
    again = Solver(game, "dcfr+")
    again.load(path)
    assert again.nash_conv() == solver.nash_conv()


def test_what_is_not_alike_is_not_merged():
    """A card taken out of the deck, or other betting after one of two cards that are alike."""
    game = game_of(*BOARDS[1][:2])
    some = {card: after for card, after in game.deal.events.items() if card != "3s"}
    assert game.deal.with_events(some).merge_events() is None
    other = {card: game.deal.events["3c"] if card == "3s" else after for card, after in game.deal.events.items()}
    assert game.deal.with_events(other).merge_events() is None
    how = game.deal.merge_events()[1]

    def changed(node):
        if isinstance(node, Reveal):
            children = [
                node.children[0].children[0] if e == "3s" else c
                for e, c in zip(node.events, node.children, strict=True)
            ]
            return Reveal(node.events, tuple(children))
        return Decision(node.player, node.actions, tuple(map(changed, node.children))) if is_decision(node) else node

    def is_decision(node):
        return isinstance(node, Decision)

    root = game.tree.root
    check = changed(root.children[0])
    assert how.tree(BettingTree(root)) is not None
    assert how.tree(BettingTree(Decision(0, root.actions, (check, *root.children[1:])))) is None
