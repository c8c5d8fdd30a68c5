"""Events that are dealt ahead with the hands, against distributions of random games in plain tables; see `random_games`."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec

import numpy as np
import pytest
from conftest import whole_games
from random_games import random_game, signal
from scipy import stats

import relance
from relance.model import limits, tree_table
from relance.model.nodes import decision, reveal
from relance.model.tree import BettingTree, Leaf, Reveal, path_name, steps_from
from relance.play.batch import Batch
from relance.play.runouts import places, runouts, turns

TABLES = 20_000
NUMBA = pytest.param(True, marks=pytest.mark.skipif(find_spec("numba") is None, reason="needs the extra `fast`"))


def terminals(case):
    """{(terminal, hands): its probability when all actions are equally likely}, and what each pays player 0."""
    chance, chips = {}, {}

    def visit(node, history, events, pair, weight):
        if isinstance(node, Leaf):
            key = path_name(history), pair
            chance[key] = float(weight)
            chips[key] = float(node.constant + node.stake * case.edges[events, node.contest, pair])
        for step, child in steps_from(node):
            turned = isinstance(node, Reveal)
            share = case.chance[events, pair][step] if turned else 1 / len(node.actions)
            visit(child, (*history, step), (*events, step) if turned else events, pair, weight * share)

    for pair, weight in case.pairs.items():
        visit(case.game.tree.root, (), (), pair, weight)
    return chance, chips


@pytest.mark.parametrize("compiled", [False, NUMBA])
@pytest.mark.parametrize("seed", range(6))
def test_games_end_as_often_as_the_distribution_says_and_pay_what_it_says(seed, compiled):
    case = random_game(seed)
    chance, chips = terminals(case)
    tables = Batch(case.game, TABLES, seed=seed, compiled=compiled)
    whole_games(tables, "uniform", "uniform")
    names = tables.game.tree.table.names
    ends = [(names[node], tuple(pair)) for node, pair in zip(tables.node, tables.hands.tolist(), strict=True)]
    assert tables.chips == pytest.approx([chips[end] for end in ends], abs=1e-12)
    seen = Counter(ends)
    assert all(chance[end] > 0 for end in seen)
    expected = {end: p * TABLES for end, p in chance.items() if p > 0}
    rare = [end for end, count in expected.items() if count < 5]
    groups = [[end] for end in expected if end not in rare] + ([rare] if sum(expected[end] for end in rare) > 1 else [])
    found = np.array([sum(seen[end] for end in group) for group in groups])
    awaited = np.array([sum(expected[end] for end in group) for group in groups])
    assert stats.chisquare(found, awaited * found.sum() / awaited.sum()).pvalue > 1e-4


@pytest.mark.parametrize("seed", range(6))
def test_random_play_pays_the_same(seed):
    case = random_game(seed)
    chance, chips = terminals(case)
    tables = Batch(case.game, 4000, seed=seed)
    totals = tables.play_random(200)
    worth = sum(p * chips[end] for end, p in chance.items())
    spread = sum(p * chips[end] ** 2 for end, p in chance.items()) ** 0.5
    games = totals.games.sum()
    assert totals.chips.sum() / games == pytest.approx(worth, abs=6 * spread / games**0.5 + spread * 2 * 4000 / games)


def test_a_runout_says_what_turns_up_wherever_it_leads():
    tree = random_game(0).game.tree
    for runout in runouts(tree):
        for (before, events), event in runout.items():
            assert event in events
            assert all(any(at[0] == before[:k] and runout[at] == e for at in runout) for k, e in enumerate(before))
    assert len({tuple(runout.items()) for runout in runouts(tree)}) == len(runouts(tree))
    assert {place for runout in runouts(tree) for place in runout} == set(places(tree))
    assert len(runouts(relance.make("leduc").tree)) == 3
    assert runouts(relance.make("liars_dice").tree) == [{}]


def test_hands_on_the_interval_are_cut_first():
    game = signal()
    with pytest.raises(
        ValueError,
        match=r"can deal hands on \[0, 1\] only if the game has no chance nodes .* own.* is not such a game.*game.grid\(9\)",
    ):
        Batch(game, 3)
    tables = Batch(game.grid(4), 3000, seed=0)
    whole_games(tables, "uniform", "uniform")
    names = tables.game.tree.table.names
    good, bad = (np.array([event in names[node] for node in tables.node]) for event in ("good", "bad"))
    assert abs(good.mean() - 0.25) < 0.03
    assert tables.hands[good, 0].mean() > tables.hands[bad, 0].mean() + 0.7  # (0, ..., 3): 2.125 and .875


def test_too_many_pairs_are_refused_before_work_starts(monkeypatch):
    game = relance.make("leduc")
    monkeypatch.setattr(limits, "memory", lambda: 1000)
    with pytest.raises(
        ValueError, match="the distribution of 9 pairs of hands with 3 runouts and 3 cases of showdowns"
    ):
        Batch(game, 3)


@pytest.mark.parametrize("most", [tree_table.MOST_LISTED, 0])
def test_an_event_straight_after_an_event_leads_past_both(most, monkeypatch):
    monkeypatch.setattr(tree_table, "MOST_LISTED", most)
    after_low = reveal(clear=Leaf(1), cloudy=decision(1, on=Leaf(2), off=Leaf(3)))
    tree = BettingTree(decision(0, stay=Leaf(0), go=reveal(low=after_low, high=Leaf(4))))
    start, rows = turns(tree)
    position, every, table = tree.table.positions[0], runouts(tree), tree.table
    found = {}
    for name in ("go", "go-low"):
        node = table.find(name)
        first = start[position[node]]
        ends = rows[first : first + len(every)] + node * tree.is_large
        found[name] = {tuple(runout.values()): table.names[end] for runout, end in zip(every, ends, strict=True)}
    assert found["go"] == {("low", "clear"): "go-low-clear", ("low", "cloudy"): "go-low-cloudy", ("high",): "go-high"}
    assert found["go-low"]["low", "clear"] == "go-low-clear"
    assert found["go-low"]["low", "cloudy"] == "go-low-cloudy"
    assert (start >= 0).sum() == 2
