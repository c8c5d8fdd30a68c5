"""Games on large trees: the same play as on small ones, which the limits taken down make large."""

from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest
from conftest import SAMPLES, finite, parametrised
from random_games import random_game

import relance
from relance.model import tree_table
from relance.model.game import as_game
from relance.model.limits import memory
from relance.model.strategy import Rows
from relance.model.tree import CHANCE
from relance.play.agents import strategy
from relance.play.batch import Batch
from relance.play.board import compile_sight, see
from relance.play.policies import Sampler, choose, policy_of, tabulate
from relance.play.rewards import Rewards
from relance.play.rules import Rules
from relance.play.table import Table
from relance.registration.gymnasium import SeatEnv
from relance.registration.vector import VectorSeatEnv
from relance.solvers.sequence_form import normalised

DICE, POKER = "liars_dice(dice=2,sides=5)", "limit_poker(ranks=3,suits=4,bets=2;2;4;4,raises=2,merge_suits=false)"
rule_file = import_module("relance.play.rules")  # `relance.play.rules` is the function
NUMBA = pytest.param(True, marks=pytest.mark.skipif(find_spec("numba") is None, reason="needs the extra `fast`"))
FINITE = [finite(game) for game in SAMPLES]


def played(tables, steps):
    """All that is seen, allowed and paid in some steps of random play."""
    out = []
    for _ in range(steps):
        out += [
            tables.node.copy(),
            tables.observe(),
            tables.observe(0),
            tables.observe(1),
            tables.mask(),
            tables.to_move,
        ]
        tables.step(tables.random_actions())
        out += [tables.chips.copy(), tables.done.copy(), tables.rewards]
    return out


def same(first, second):
    return len(first) == len(second) and all((a == b).all() for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("compiled", [False, NUMBA])
@pytest.mark.parametrize("game", parametrised([*FINITE, *(random_game(seed).game for seed in range(6))]))
def test_many_tables_play_alike(game, compiled, large):
    expected = played(Batch(game, 200, seed=3, compiled=compiled), 12)
    total = Batch(game, 200, seed=3, compiled=compiled).play_random(40)
    game = large(game)
    tables = Batch(game, 200, seed=3, compiled=compiled)
    assert tables.board.position is not None
    assert same(played(tables, 12), expected)
    assert same(Batch(game, 200, seed=3, compiled=compiled).play_random(40), total)


@pytest.mark.parametrize("game", parametrised(FINITE))
def test_a_table_shows_and_pays_alike(game, large):
    def walks():
        rulebook, rng, out = Rules(game), np.random.default_rng(5), []
        table = Table(rulebook, wait=True)
        for _ in range(6):
            table.deal(rng)
            while not table.over:
                facts = [table.facts(player) for player in (0, 1)]
                seen = [part.tolist() for player in (0, 1) for part in (table.observe(player), table.mask(player))]
                out.append((table.node, facts, seen, table.text(0)))
                table.act(int(rng.choice(rulebook.legal[table.node])))
            out.append((table.chips, table.text(1)))
        turns = [rulebook.turns(player, in_a_row) for player in (0, 1) for in_a_row in (False, True)]
        return out, turns, rulebook.worst, rulebook.pieces

    expected = walks()
    game = large(game)
    assert walks() == expected


@pytest.mark.parametrize("game", parametrised(FINITE))
def test_a_strategy_is_played_and_read_alike(game, large):
    rng = np.random.default_rng(1)
    shares = [normalised(f, rng.random((f.size, game.deal.size(p))).round(1) + 1e-9) for p, f in enumerate(game.forms)]
    node = np.flatnonzero(game.tree.table.player == 0)
    hand, uniform = rng.integers(game.deal.size(0), size=len(node)), rng.random(len(node))
    plain = tabulate(game, game.profile_from_arrays(shares).strategies[0])
    expected = choose(plain, node, hand, uniform)
    net = rng.normal(size=(Rules(game).size, len(game.actions)))

    def answers(seen, masks):
        chance = masks * np.exp(seen @ net)
        return chance / chance.sum(axis=1, keepdims=True)

    asked = [strategy(game, answers, seat).at for seat in (0, 1)]
    score = relance.nash_conv(game, answers)
    game = large(game)
    table = tabulate(game, game.profile_from_arrays(shares).strategies[0])
    assert table.slots is not None
    assert (choose(table, node, hand, uniform) == expected).all()
    drawn = [Sampler(table).draw(*at) for at in zip(node.tolist(), hand.tolist(), uniform.tolist(), strict=True)]
    assert drawn == expected.tolist()
    for seat in (0, 1):
        found = strategy(game, answers, seat)
        assert isinstance(found.at, Rows)
        for name, rows in asked[seat].items():
            dealt = np.array(game.deal.in_case(game.tree.cases[name]).prior(seat), float) > 0
            played, expected = np.array(found.at[name], float), np.array(rows, float)
            assert np.allclose(played[:, dealt], expected[:, dealt], rtol=0, atol=1e-12)
            assert np.allclose(played[:, ~dealt], 1 / len(rows), rtol=0, atol=1e-12)
    assert relance.nash_conv(game, answers) == pytest.approx(score, abs=1e-12)


def test_hands_that_cannot_be_dealt_are_not_asked(large):
    """A card on the board is in nobody's hand."""
    game = large(relance.make("leduc", merge_suits=False))
    rulebook, seen_before = Rules(game), []

    def answers(seen, masks):
        seen_before.append(seen)
        return masks / masks.sum(axis=1, keepdims=True)

    uniform = strategy(game, answers, 0)
    assert relance.nash_conv(game, (uniform, "uniform")) == pytest.approx(
        float(relance.score(game, "uniform").nash_conv), abs=1e-12
    )
    asked = {row.tobytes() for row in np.concatenate(seen_before)}
    for node in np.flatnonzero(game.tree.table.player == 0):
        prior = np.array(game.deal.in_case(game.tree.table.cases[node]).prior(0), float)
        for hand, chance in enumerate(prior):
            assert (rulebook.observe(0, hand, node).tobytes() in asked) == (chance > 0)
    assert any((np.array(game.deal.in_case(case).prior(0), float) == 0).any() for case in game.tree.table.every_case)


@pytest.mark.parametrize("opponent", ["uniform", "perturbed(1/4, uniform)"])
@pytest.mark.parametrize("text", ["leduc", "liars_dice"])
def test_opponents_play_alike(text, opponent, large):
    def seats(game):
        env = VectorSeatEnv(game, 64, opponent=opponent, seat="random", extra_info=True, compiled=False)
        (seen, infos), out, rng = env.reset(seed=2), [], np.random.default_rng(4)
        for _ in range(10):
            legal, illegal = np.argmax(infos["action_mask"], axis=1), np.argmin(infos["action_mask"], axis=1)
            actions = np.where(rng.random(64) < 0.2, illegal, legal)  # some forfeit
            seen, paid, done, _, infos = env.step(actions)
            out += [seen, paid, done, *(infos[key] for key in ("node", "action_mask", "forfeit"))]
        return out

    game = relance.make(text)
    expected = seats(game)
    assert same(seats(large(game)), expected)


def test_what_keeps_each_node_by_name_refuses_with_an_estimate(monkeypatch):
    monkeypatch.setattr(rule_file, "MOST_NODES", 20)
    game = relance.make("leduc")
    refused = [
        ("teaching and rewards for each decision", lambda: Rewards(game, "loss")),
        ("teaching and rewards for each decision", lambda: SeatEnv(game, opponent="uniform", teach="uniform")),
        ("mixtures of players", lambda: policy_of(game, ["uniform", "uniform"], 0)),
        ("opponents with rules of thumb", lambda: policy_of(game, "passive", 0)),
        ("agents who take their most probable action", lambda: strategy(game, "uniform", 0, mode="argmax")),
        ("language models", lambda: relance.words.SpokenGame(game)),
    ]
    for what, ask in refused:
        with pytest.raises(
            ValueError, match=rf"^{what} take games of at most 20 nodes; leduc.* has .*, which would need about .* GiB"
        ):
            ask()


@pytest.mark.slow  # seconds each
@pytest.mark.parametrize("text", [DICE, POKER])
def test_the_large_games_themselves(text):
    if memory() < 4 * 2**30:
        pytest.skip("needs 4 GiB of memory")
    game = as_game(text)
    tables, table, rng = Batch(game, 300, seed=0), game.tree.table, np.random.default_rng(0)
    rulebook, sight = Rules(game), compile_sight(Rules(game))
    assert all(
        isinstance(getattr(rulebook, name), tree_table.OfNodes) for name in ("names", "player", "child", "legal")
    )
    for _ in range(8):
        players, nodes = np.maximum(tables.to_move, 0), tables.node.copy()
        seen, mask = tables.observe(), tables.mask()
        assert (table.player[nodes] != CHANCE).all()
        assert (see(sight, players, nodes, tables.hands_of(players)) == seen).all()
        for i in rng.integers(300, size=5):
            name = table.names[nodes[i]]
            assert table.find(name) == nodes[i]
            assert [game.actions[a] for a in np.flatnonzero(mask[i])] == [*game.tree.decisions[name].actions]
            assert (rulebook.observe(int(players[i]), int(tables.hands[i, players[i]]), int(nodes[i])) == seen[i]).all()
        tables.step(tables.random_actions())
    opponent = game.uniform()
    env = SeatEnv(game, opponent=opponent)
    env.reset(seed=0)
    for _ in range(20):
        _, _, over, _, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        if over:
            env.reset()
