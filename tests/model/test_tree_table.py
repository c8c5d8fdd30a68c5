"""Large trees, of which nothing is kept for each node but arrays: the same answers as from lists."""

import pickle
from itertools import islice

import numpy as np
import pytest

import relance
from relance.model.strategy import Rows
from relance.model.tree import BettingTree, Leaf, decision
from relance.solvers.sequence_form import normalised


def test_a_large_tree_answers_as_lists_do(finite_game, large):
    listed = finite_game.tree
    expected = {
        name: dict(getattr(listed, name)) for name in ("decisions", "turns", "leaves", "reveals", "histories", "cases")
    }
    lasts = {name: [listed.last_choice(name, player) for player in (0, 1)] for name in listed.turns}
    lists = {name: getattr(listed.table, name) for name in ("names", "legal_ids", "after", "past", "path", "cases")}
    tree = large(finite_game).tree
    for name, found in expected.items():
        lazy = getattr(tree, name)
        assert not isinstance(lazy, dict)
        assert dict(lazy) == found
        assert len(lazy) == len(found)
        assert "no such node" not in lazy
        with pytest.raises(KeyError):
            lazy["no such node"]
    assert {name: [tree.last_choice(name, player) for player in (0, 1)] for name in tree.turns} == lasts
    for name, found in lists.items():
        assert isinstance(found, list)
        assert not isinstance(getattr(tree.table, name), list)
        assert [*getattr(tree.table, name)] == found


def test_a_profile_of_a_large_tree_is_scored_as_another(finite_game, large):
    rng, deal = np.random.default_rng(0), finite_game.finite_deal()
    shares = [normalised(f, rng.random((f.size, deal.size(p)))) for p, f in enumerate(finite_game.forms)]
    plain = finite_game.profile_from_arrays(shares)
    expected = relance.nash_conv(finite_game, plain)
    game = large(finite_game)
    profile = game.profile_from_arrays(shares)
    assert all(isinstance(strategy.at, Rows) for strategy in profile.strategies)
    assert relance.nash_conv(game, profile) == pytest.approx(expected, abs=1e-12)
    for name in plain.nodes():
        assert all((mine == theirs).all() for mine, theirs in zip(profile[name], plain[name], strict=True))
    again = pickle.loads(pickle.dumps(profile))
    assert relance.nash_conv(game, again) == pytest.approx(expected, abs=1e-12)


def test_a_best_response_in_a_large_tree_is_that_in_lists(finite_game, large):
    rng, deal = np.random.default_rng(1), finite_game.finite_deal()
    shares = [normalised(f, rng.random((f.size, deal.size(p)))) for p, f in enumerate(finite_game.forms)]
    expected = [
        relance.best_response(finite_game, finite_game.profile_from_arrays(shares), player) for player in (0, 1)
    ]
    game = large(finite_game)
    for player, plain in enumerate(expected):
        found = relance.best_response(game, game.profile_from_arrays(shares), player)
        assert found.value == pytest.approx(plain.value, abs=1e-12)
        for name, rows in plain.strategy.at.items():
            assert all((mine == theirs).all() for mine, theirs in zip(found.strategy.at[name], rows, strict=True))


def test_uniform_play_of_a_large_tree_is_in_floats(large):
    game = large(relance.make("leduc"))
    uniform = game.uniform()
    assert uniform.in_floats
    assert {
        len(rows): {float(p) for row in rows for p in row} for rows in map(uniform.__getitem__, game.tree.decisions)
    } == {
        2: {1 / 2},
        3: {1 / 3},
    }


def test_a_profile_of_another_large_tree_is_refused(large):
    game = large(relance.make("liars_dice"))
    other = relance.make("liars_dice", sides=2).uniform()
    with pytest.raises(ValueError, match="the strategy of player 0 does not fit .*liars_dice"):
        relance.nash_conv(game, other)


def test_shared_nodes_are_counted_once_and_unfolded():
    """Three coins, of which each side leads on to the same node: 1 + 2 + 4 + 8 nodes of 4 kinds."""
    node = Leaf(1)
    for player in (0, 1, 0):
        node = decision(player, heads=node, tails=node)
    tree = BettingTree(node)
    assert len(tree.kinds.nodes) == 4
    assert (tree.kinds.size[0], tree.kinds.decisions[0], tree.depth) == (15, 7, 3)
    assert [len(level) for level in tree.table.levels] == [1, 2, 4, 8]
    assert [*islice(tree.decisions, 3)] == ["", "heads", "heads-heads"]


def test_a_tree_that_does_not_fit_is_refused():
    node = Leaf(1)
    for _ in range(60):
        node = decision(0, heads=node, tails=node)
    with pytest.raises(ValueError, match="a betting tree of 2,305,843,009,213,693,951 nodes needs .* GiB of memory"):
        BettingTree(node).table  # noqa: B018


def test_a_strategy_of_a_large_tree_is_written_and_read_back(tmp_path, large):
    game = large(relance.make("leduc"))
    rng = np.random.default_rng(0)
    profile = game.profile_from_arrays([normalised(f, rng.random((f.size, 3))) for f in game.forms])
    relance.envs.write_profile(game, profile, tmp_path / "leduc.npz")
    made, again = relance.envs.read_profile(tmp_path / "leduc.npz")
    assert made == game
    for mine, theirs in zip(profile.strategies, again.strategies, strict=True):
        assert (mine.at.array == theirs.at.array).all()
    wrong = [rows.at.array * 1.01 for rows in profile.strategies]
    with pytest.raises(ValueError, match="leduc, node '': the probabilities with hand J sum to 1.01"):
        game.check(game.profile_from_arrays(wrong))
