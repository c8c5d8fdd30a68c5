"""Linear programs over free hands: they agree with the whole, and stay small."""

import numpy as np
import pytest

import relance
from relance.model.sequences import sides
from relance.solvers import active_set
from relance.solvers.active_set import improve, levels_of, solve_in_floats

MANY = {
    "cards": relance.make("one_card_poker", cards=250, raises=2),
    "cells": relance.make("pot_limit", raises=2, hands=300),
    "distributions that differ": relance.make("von_neumann", deal="power:2:1", hands=500),
    "a sum of products": relance.make("von_neumann", deal="fgm:-1/2", hands=500),
    "two decks": relance.make("five_card", raises=1, removal=False),
}


def test_small_games_are_one_program(finite_game):
    profile = relance.solve(finite_game, method="lp", tolerance=1e-7)
    assert relance.exploitability(finite_game, profile) <= 1e-7
    assert profile.solved_by == "a linear program in floats"


@pytest.mark.parametrize("name", MANY)
def test_many_hands_are_solved_by_programs_over_few(name, monkeypatch):
    game, held, seen = MANY[name], [], []

    def recorded(tree, deal, play, free, pivots, basis):
        held.append(max(map(len, free)))
        return improve(tree, deal, play, free, pivots, basis)

    monkeypatch.setattr(active_set, "improve", recorded)
    profile, left = solve_in_floats(game, 1e-11, lambda done, left: seen.append((done, left)))
    assert relance.exploitability(game, profile) == pytest.approx(left, abs=1e-13)
    assert left <= 1e-11
    assert max(held) < 0.7 * game.deal.size(0)
    assert seen[-1][0] == len(held)
    assert seen[-1][1] == pytest.approx(relance.exploitability(game, profile), abs=1e-13)


def test_each_level_is_a_little_finer():
    assert levels_of(relance.make("one_card_poker", cards=20).deal) == [20]
    assert levels_of(relance.make("one_card_poker", cards=21).deal) == [6, 21]
    assert levels_of(relance.make("von_neumann", hands=10_000).deal) == [10, 40, 157, 625, 2500, 10_000]
    assert levels_of(relance.make("five_card").deal) == [7462]


@pytest.mark.parametrize("name", ["cards", "cells", "two decks"])
def test_programs_start_from_the_basis_of_the_one_before(name, monkeypatch):
    """So that all together need less than half of the pivots."""
    from_nothing, from_the_last = [], []

    def both_ways(tree, deal, play, free, pivots, basis):
        from_nothing.append(improve(tree, deal, tuple(share.copy() for share in play), free))
        from_the_last.append(improve(tree, deal, play, free, pivots, basis))
        return from_the_last[-1]

    monkeypatch.setattr(active_set, "improve", both_ways)
    solve_in_floats(MANY[name], 1e-9)
    assert sum(from_the_last) < sum(from_nothing) / 2


@pytest.mark.parametrize("name", ["cards", "a sum of products"])
def test_only_the_free_hands_change(name):
    """And they do so to an equilibrium of the game in which the others are held: no free hand gains."""
    game = MANY[name]
    tree, deal = game.tree, game.deal.floats
    rng = np.random.default_rng(1)
    play = tuple(np.zeros((side.size, deal.size(player))) for player, side in enumerate(sides(tree)))
    for share, side in zip(play, sides(tree), strict=True):
        for at in side.slots.values():
            share[at] = rng.dirichlet(np.ones(at.stop - at.start), share.shape[1]).T
    free = (np.array([3, 17, 60, 150, 199]), np.array([0, 17, 59, 151]))
    before = [share.copy() for share in play]
    improve(tree, deal, play, free)
    for player in (0, 1):
        gains = active_set._gains(sides(tree), deal, play, player)
        assert abs(gains[free[player]]).max() < 1e-14
        assert gains.max() > 1e-4
        held = np.delete(np.arange(deal.size(player)), free[player])
        assert np.array_equal(play[player][:, held], before[player][:, held])
        for at in sides(tree)[player].slots.values():
            assert not np.array_equal(play[player][at], before[player][at])


def test_a_program_that_fails_is_an_error():
    game = relance.make("one_card_poker", cards=13)
    with pytest.raises(ArithmeticError, match="a linear program in floats failed: .*[Ii]teration limit"):
        solve_in_floats(game, 1e-9, pivots=1)
