"""Many games at once: against the single environments, and itself in parts and compiled."""

import importlib.util
import pickle

import numpy as np
import pytest
from conftest import DEFAULTS, FINITE, SAMPLES, give_as_dealt, whole_games

import relance
from relance.model import numba_start
from relance.play import numpy_loops
from relance.play.batch import Batch
from relance.play.loops import streams
from relance.registration.pettingzoo import AECEnv

NUMBA = importlib.util.find_spec("numba") is not None

PATHS = [False, pytest.param(True, marks=pytest.mark.skipif(not NUMBA, reason="needs the extra `fast`"))]

NORMAL = relance.make("la_relance", deal="normal:-3/5:300")  # many pairs, dealt from one table

DISTRIBUTIONS = list({repr(vars(game.deal)): game for game in SAMPLES if game not in FINITE}.values())

KINDS = [
    *DEFAULTS,
    *DISTRIBUTIONS,
    NORMAL,
    relance.make("von_neumann", hands=300),
    relance.make("one_card_poker", cards=300),
]


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
    for _ in range(2):
        out += [whole_games(tables, "uniform", "uniform"), tables.chips.copy()]
    tables.reset()
    return [*out, tables.hands.copy(), tables.draw(np.arange(tables.n))]


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


@pytest.mark.parametrize("game", ILLEGAL, ids=str)
def test_an_illegal_action_forfeits_as_at_a_single_table(game, compiled):
    tables, legal = Batch(game, 6, seed=0, compiled=compiled), game.tree.table.legal_ids[0]
    wrong = int(np.flatnonzero(~game.tree.table.legal[0])[0])
    actions, mover = np.array([wrong, -1, 99, *legal[:1] * 3]), int(game.tree.table.player[0])
    tables.move(np.arange(6), actions, "forfeit")
    one = AECEnv(game)
    one.reset()
    one.table.act(wrong, "forfeit")
    assert one.table.offender == mover
    assert (tables.chips[:3] == one.table.chips).all()
    assert tables.done[:3].all()
    assert (tables.node[:3] == tables.board.nodes).all()
    assert (tables.to_move[:3] < 0).all()
    assert not tables.mask()[:3].any()
    assert (tables.node[3:] < tables.board.nodes).all()
    with pytest.raises(ValueError, match="table 0: the game is over by a forfeit"):
        tables.move(np.arange(1), np.array(legal[:1]), "forfeit")


def test_hands_that_are_given_are_played_with_fresh_streams(default_game):
    dealt, tables = (Batch(default_game, 4, seed=3, first=first, compiled=False) for first in (9, 0))
    drawn = Batch(default_game, 4, seed=3, compiled=False)
    tables.step(tables.random_actions())
    tables.give(dealt.running.hands, dealt.running.edge)
    assert (tables.hands == dealt.hands).all()
    assert not tables.node.any()
    assert not tables.done.any()
    assert [tables.hands_of(seat, np.array([2])).item() for seat in (0, 1)] == tables.hands[2].tolist()
    assert (tables.hands_of(np.array([0, 1, 0, 1])) == tables.hands[np.arange(4), [0, 1, 0, 1]]).all()
    drawn.running.state[:] = streams(3, np.arange(4))
    assert (tables.draw(np.arange(4)) == drawn.draw(np.arange(4))).all()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0,), {}, "n=0 must be a whole number from 1"),
        ((-3,), {}, "n=-3"),
        ((2.0,), {}, "n=2.0"),
        ((True,), {}, "n=True"),
        ((3, -1), {}, "seed=-1 must be a whole number of at least 0"),
        ((3, 10**5000), {}, "seed=.* must be a whole number of at least 0"),
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
    with pytest.raises(ValueError, match=r"must be 0 or 1, or an array of 0s and 1s of shape \(3,\)"):
        tables.observe(player)
    assert (tables.observe(np.array([0, 1, 1]))[1:] == tables.observe(1)[1:]).all()


def test_other_bad_input(monkeypatch):
    with pytest.raises(TypeError, match="game=None must be a game"):
        Batch(None, 3)
    tables = Batch(DEFAULTS[0], 3, seed=0)
    with pytest.raises(ValueError, match="steps=1.5"):
        tables.play_random(1.5)
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
