"""Many games at once: against the single environments, and itself in parts and compiled."""

import importlib.util
import pickle

import numpy as np
import pytest
from conftest import DEFAULTS, FINITE, PUBLISHED, SAMPLES, give_as_dealt, parametrised

import relance
from relance.model import numba_start
from relance.model.arrays import in_shares
from relance.model.tree import OVER
from relance.play import numpy_loops
from relance.play.batch import Batch
from relance.play.numpy_loops import choose, deal_hands
from relance.play.policies import play_games, policy_of
from relance.play.runouts import law_of
from relance.play.strategy_table import Sampler
from relance.play.streams import streams
from relance.registration.pettingzoo import AECEnv

NUMBA = importlib.util.find_spec("numba") is not None
PATHS = [False, pytest.param(True, marks=pytest.mark.skipif(not NUMBA, reason="needs the extra `fast`"))]
NORMAL = relance.make("la_relance", deal="normal:-3/5:300")  # many pairs, dealt from one table
LAWS = list({repr(vars(game.deal)): game for game in SAMPLES if game not in FINITE}.values())
KINDS = [*DEFAULTS, *LAWS, NORMAL, relance.make("von_neumann", hands=300), relance.make("one_card_poker", cards=300)]


@pytest.fixture(params=PATHS, ids=["numpy", "numba"])
def compiled(request):
    return request.param


def test_every_table_plays_as_the_single_environment(game):
    tables = Batch(game, 12, seed=5, autoreset="next_step", compiled=False)
    envs = []
    for i in range(12):
        env = AECEnv(game)
        env.reset(seed=0)
        give_as_dealt(env.table, tables.running, i)
        envs.append(env)
    playing = np.ones(12, bool)
    for _ in range(game.tree.depth):
        seen, mask, waiting = tables.observe(), tables.mask(), tables.done.copy()
        both = [tables.observe(player) for player in (0, 1)]
        actions = tables.random_actions()
        for i in np.flatnonzero(playing):
            agent = f"player_{tables.to_move[i]}"
            one = envs[i].observe(agent)
            assert envs[i].agent_selection == agent
            assert (seen[i] == one["observation"]).all()
            assert (mask[i] == one["action_mask"]).all()
            assert all(
                (both[player][i] == envs[i].observe(f"player_{player}")["observation"]).all() for player in (0, 1)
            )
            envs[i].step(int(actions[i]))
        tables.step(actions)
        for i in np.flatnonzero(playing):
            rewards = [envs[i].rewards[f"player_{player}"] for player in (0, 1)]
            assert tables.done[i] == envs[i].terminations["player_0"]
            assert tables.rewards[i] == pytest.approx(rewards, abs=1e-12)
            assert tables.done[i] or tables.node[i] == envs[i].table.node
        assert (tables.node[waiting] == 0).all()
        assert not tables.done[waiting].any()
        assert not tables.rewards[~tables.done].any()
        playing &= ~tables.done
    assert seen.dtype == np.float32
    assert seen.flags.owndata


def everything(tables):
    """Play in every way there is, and give all that came of it."""
    out = []
    for _ in range(5):
        drawn = tables.random_actions()
        tables.step(drawn)
        out += [drawn, tables.node.copy(), tables.hands.copy(), tables.rewards, tables.done.copy(), tables.observe()]
    out += [*tables.play_random(9), tables.node.copy(), tables.hands.copy()]
    played = play_games(tables, "uniform", "uniform", rounds=2)
    tables.reset()
    return [*out, *(part.T for part in played), tables.hands.copy(), tables.draw(np.arange(tables.n))]


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
@pytest.mark.parametrize("game", KINDS, ids=str)
def test_the_same_seed_plays_the_same_games_in_parts_and_compiled(game, autoreset, compiled):
    whole = everything(Batch(game, 40, seed=7, autoreset=autoreset, compiled=False))
    parts = [
        everything(Batch(game, n, seed=7, first=first, autoreset=autoreset, compiled=compiled))
        for n, first in ((1, 0), (25, 1), (14, 26))
    ]
    for k, expected in enumerate(whole):
        assert np.array_equal(np.concatenate([part[k] for part in parts]), expected)


@pytest.mark.parametrize("threads", [1, 3])
def test_large_batches_use_as_many_threads_as_they_may(threads, monkeypatch):
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    from relance.play import numba_loops

    monkeypatch.setenv("NUMBA_NUM_THREADS", str(threads))
    parts = []
    in_shares(lambda *part: parts.append(part), 10, numba_loops.threads(10, numba_loops.THREADED_FROM))
    assert sorted(parts) == [(10 * i // threads, 10 * (i + 1) // threads) for i in range(threads)]


def test_blocks_change_nothing(default_game, monkeypatch):
    whole = everything(Batch(default_game, 50, seed=1, compiled=False))
    monkeypatch.setattr(numpy_loops, "BLOCK", 8)
    for a, b in zip(whole, everything(Batch(default_game, 50, seed=1, compiled=False)), strict=True):
        assert np.array_equal(a, b)


def test_random_play_is_stepping(default_game, compiled):
    quick, slow = (Batch(default_game, 30, seed=4, compiled=compiled) for _ in range(2))
    totals, chips, games = quick.play_random(15), np.zeros(30), np.zeros(30, int)
    for _ in range(15):
        slow.step(slow.random_actions())
        chips += slow.chips
        games += slow.done
    assert np.array_equal(totals.chips, chips)
    assert np.array_equal(totals.games, games)
    assert np.array_equal(quick.node, slow.node)
    assert np.array_equal(quick.hands, slow.hands)
    assert np.array_equal(quick.draw(np.arange(30)), slow.draw(np.arange(30)))


def test_seeds():
    game = DEFAULTS[0]
    tables = Batch(game, 64, seed=1)
    first = tables.hands.copy()
    tables.reset()
    assert not np.array_equal(tables.hands, first)
    tables.reset(1)
    assert np.array_equal(tables.hands, first)
    assert not np.array_equal(Batch(game, 64, seed=2).hands, first)
    unseeded = Batch(game, 64)
    assert np.array_equal(Batch(game, 64, seed=unseeded.seed).hands, unseeded.hands)
    assert len(np.unique(streams(3, np.arange(1000)))) == 1000


@pytest.mark.parametrize("game", parametrised(PUBLISHED))
def test_published_play_earns_its_value(game, compiled):
    tables = Batch(game, 4000, seed=9, compiled=compiled)
    profile = game.published()
    chips, decisions = play_games(tables, profile, "published", rounds=2)
    worth = float(relance.value(game, profile))
    assert abs(chips.mean() - worth) < 5 * chips.std() / np.sqrt(chips.size) + 1e-12
    assert decisions.min() >= 1
    assert decisions.max() <= game.tree.depth
    assert not tables.rewards.sum(axis=1).any()
    tables.step(np.full(4000, -1))  # all games are over, so all tables are dealt anew, whatever the action
    assert (tables.node == 0).all()


def test_one_draw_and_many_take_what_the_strategy_says(published_game):
    rng = np.random.default_rng(0)
    for seat in (0, 1):
        table, profile = policy_of(published_game, "published", seat), published_game.published()
        nodes = np.flatnonzero(published_game.tree.table.player == seat)
        if not len(nodes):  # a player who never acts
            continue
        node, uniform = rng.choice(nodes, 50), rng.random(50)
        hand = deal_hands(law_of(published_game), streams(0, np.arange(50)))[0][seat]
        expected = []
        for n, h, u in zip(node.tolist(), hand.tolist(), uniform.tolist(), strict=True):
            rows = profile[published_game.tree.table.names[n]]
            chances = [float(row(h) if callable(row) else row[h]) for row in rows]
            expected.append(published_game.tree.table.legal_ids[n][int((u >= np.cumsum(chances)[:-1]).sum())])
        sampler, draws = Sampler(table), zip(node.tolist(), hand.tolist(), uniform.tolist(), strict=True)
        assert [sampler.draw(*draw) for draw in draws] == expected
        assert choose(table, node, hand, uniform).tolist() == expected


def test_callables_play(default_game, compiled):
    asked = []

    def last_legal(observations, masks):
        asked.append((observations, masks))
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    tables = Batch(default_game, 20, seed=2, compiled=compiled)
    table, node, taken = default_game.tree.table, 0, 0
    while table.player[node] != OVER:
        if table.after[node]:  # whichever event turns up, the same actions follow
            node = next(iter(table.after[node].values()))
        else:
            node, taken = table.child[node, table.legal_ids[node][-1]], taken + 1
    _, decisions = play_games(tables, last_legal, last_legal)
    assert all(table.past[at] == table.past[node] for at in tables.node)
    assert (decisions == taken).all()
    assert all(len(seen) == len(mask) == 20 and mask.any(axis=1).all() for seen, mask in asked)
    with pytest.raises(ValueError, match=r"actions must be whole numbers of shape \(\d+,\), not int64 of shape"):
        play_games(tables, lambda observations, masks: 0, "uniform")


ILLEGAL = [game for game in DEFAULTS if not game.tree.table.legal[0].all()]


@pytest.mark.parametrize("game", ILLEGAL, ids=str)
def test_bad_actions_raise_and_change_nothing(game, compiled):
    tables = Batch(game, 6, seed=0, compiled=compiled)
    before = [tables.node.copy(), tables.hands.copy(), tables._state.copy()]
    legal = game.tree.table.legal_ids[0]
    wrong = int(np.flatnonzero(~game.tree.table.legal[0])[0])
    for action, text in ((wrong, f"action {wrong} "), (-1, "action -1 "), (99, "action 99 ")):
        actions = np.full(6, legal[0])
        actions[4] = action
        for call in (lambda a=actions: tables.step(a), lambda a=actions: tables.move(np.arange(6), a)):
            with pytest.raises(ValueError, match=rf"table 4: {text}.*legal: {legal[0]} \("):
                call()
    for actions in (np.zeros(5, int), np.zeros(6), np.zeros((6, 1), int), 0, np.zeros(6, bool), ["call"] * 6):
        with pytest.raises(ValueError, match=r"actions must be whole numbers of shape \(6,\)"):
            tables.step(actions)
    for a, b in zip(before, [tables.node, tables.hands, tables._state], strict=True):
        assert np.array_equal(a, b)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0,), {}, "n=0 must be a whole number from 1"),
        ((-3,), {}, "n=-3"),
        ((2.0,), {}, "n=2.0"),
        ((True,), {}, "n=True"),
        ((3, -1), {}, "seed=-1 must be a whole number of at least 0"),
        ((3, 0.5), {}, "seed=0.5"),
        ((3,), {"first": -1}, "first=-1"),
        ((3,), {"autoreset": "off"}, "autoreset='off' must be 'same_step' or 'next_step'"),
    ],
)
def test_bad_arguments(arguments, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        Batch(DEFAULTS[0], *arguments, **options)


@pytest.mark.parametrize("player", [-1, 2, 1.0, "1", True, [0, 1, 2], [0, 1], [[0], [1], [0]]], ids=str)
def test_only_the_two_players_see_anything(player):
    tables = Batch(DEFAULTS[0], 3, seed=0)
    with pytest.raises(ValueError, match=r"must be 0 or 1, or an array of them of shape \(3,\)"):
        tables.observe(player)
    assert (tables.observe(np.array([0, 1, 1]))[1:] == tables.observe(1)[1:]).all()


def test_other_bad_input(monkeypatch):
    with pytest.raises(TypeError, match="game=None must be a game"):
        Batch(None, 3)
    tables = Batch(DEFAULTS[0], 3, seed=0)
    with pytest.raises(ValueError, match="rounds=0"):
        play_games(tables, "uniform", "uniform", rounds=0)
    with pytest.raises(ValueError, match="steps=1.5"):
        tables.play_random(1.5)
    with pytest.raises(ValueError, match="did you mean 'uniform'"):
        play_games(tables, "uniforn", "uniform")
    monkeypatch.setattr(numba_start, "find_spec", lambda name: None)
    assert not Batch(DEFAULTS[0], 5000).compiled
    with pytest.raises(ImportError, match=r"install relance\[fast\]"):
        Batch(DEFAULTS[0], 3, compiled=True)


def test_moves_at_some_tables_only(default_game, compiled):
    tables = Batch(default_game, 10, seed=3, compiled=compiled)
    some, actions, before = np.array([1, 4, 7]), tables.random_actions(), tables.node.copy()
    tables.move(some, actions[some])
    rest = np.delete(np.arange(10), some)
    assert (tables.node[rest] == before[rest]).all()
    assert (tables.node[some] == default_game.tree.table.child[0, actions[some]]).all()
    tables.deal(some)
    assert (tables.node == 0).all()
    assert not tables.chips.any()
    masked, twin = Batch(default_game, 10, seed=3), Batch(default_game, 10, seed=3, compiled=compiled)
    masked.deal(np.isin(np.arange(10), some))
    twin.deal(some)
    assert np.array_equal(masked.hands, twin.hands)
    with pytest.raises(IndexError):
        tables.deal(np.array([10]))


def test_pickles(compiled):
    tables = Batch(DEFAULTS[0], 10, seed=3, compiled=compiled)
    tables.step(tables.random_actions())
    twin = pickle.loads(pickle.dumps(tables))
    assert all(np.array_equal(a, b) for a, b in zip(everything(tables), everything(twin), strict=True))
