"""OpenSpiel: its own conformance tests on every registered game, and whole-tree walks."""

import copy
import multiprocessing
import pickle
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from conftest import FINITE, SAMPLES, marked, repeats, walkable
from open_spiel.python.observation import make_observation

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.play.rules import rules
from relance.registration.openspiel import PREFIX, chip_scale, usual_hands

NOTHING, OWN = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
PLAYTHROUGHS = Path(__file__).parent.parent / "playthroughs"


@pytest.fixture(params=marked(FINITE, repeats), ids=str)
def loaded(request):
    return relance.openspiel.load(request.param)


def states(game):
    """Every state of the game with its history, chance nodes and terminal nodes too."""

    def visit(state):
        yield state
        if not state.is_terminal():
            actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            for action in actions:
                yield from visit(state.child(action))

    return visit(game.new_initial_state())


def test_every_game_is_registered_by_its_name():
    names = set(pyspiel.registered_names())
    assert {PREFIX + name for name in BLUEPRINTS} <= names
    for name, spec in BLUEPRINTS.items():
        game = pyspiel.load_game(PREFIX + name)
        assert set(spec.parameters) | {"players"} <= set(game.get_parameters())


def test_parameters_survive_every_way_of_copying(loaded):
    text = str(loaded)
    for twin in (pyspiel.load_game(text), pickle.loads(pickle.dumps(loaded)), copy.deepcopy(loaded)):
        assert str(twin) == text
        assert relance.openspiel.relance_game(twin) == relance.openspiel.relance_game(loaded)
    state = loaded.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.chance_outcomes()[0][0] if state.is_chance_node() else state.legal_actions()[-1])
        again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(loaded, state))[1]
        for twin in (again, state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert str(twin) == str(state)
            assert twin.history() == state.history()
            assert twin.is_terminal() or twin.is_chance_node() or twin.legal_actions() == state.legal_actions()


def test_states_stay_small(loaded):
    state = loaded.new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])
    assert len(state.serialize()) < 2000


def test_random_simulation(loaded):
    pyspiel.random_sim_test(loaded, num_sims=5, serialize=True, verbose=False)


def test_whole_tree(loaded):
    """Zero sum at every terminal node, chance sums to 1, perfect recall, information sets of the seats disjoint."""
    seen = {}
    info = loaded.get_type()
    assert info.utility == pyspiel.GameType.Utility.ZERO_SUM
    longest = most = 0
    for state in states(loaded):
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert abs(sum(p for _, p in outcomes) - 1) < 1e-12
            assert max(a for a, _ in outcomes) < loaded.max_chance_outcomes()
            continue
        longest = max(longest, len(list(_moves(state))))
        if state.is_terminal():
            a, b = state.returns()
            assert a + b == 0
            assert loaded.min_utility() <= min(a, b) <= max(a, b) <= loaded.max_utility()
            most = max(most, a, b)
            assert state.legal_actions() == []
            continue
        player = state.current_player()
        key, tensor = state.information_state_string(), tuple(state.information_state_tensor())
        own = [action for mover, action in _moves(state) if mover == player]
        hand = state.history()[player]
        known = seen.setdefault(key, (player, hand, tuple(own), tensor, tuple(state.legal_actions())))
        assert known == (player, hand, tuple(own), tensor, tuple(state.legal_actions()))
        assert state.legal_actions(1 - player) == []
        assert state.observation_tensor() == state.information_state_tensor()
        assert tensor == tuple(
            float(x)
            for x in rules(relance.openspiel.relance_game(loaded)).observe(
                player, state.table.hands[player], state.table.node
            )
        )
    tensors = [entry[3] for entry in seen.values()]
    assert len(set(tensors)) == len(tensors)
    assert longest == loaded.max_game_length()
    assert most == loaded.max_utility()
    game = relance.openspiel.relance_game(loaded)
    assert len(seen) == sum(int(possible(game, name).sum()) for name in game.tree.decisions)


def possible(game, name):
    """(hands,) True for each hand of the player to move that the events so far allow."""
    joint = game.deal.floats.in_case(game.tree.cases[name]).joint()
    return (joint > 0).any(axis=1 - game.tree.decisions[name].player)


def _moves(state):
    replay = state.get_game().new_initial_state()
    for action in state.history():
        if not replay.is_chance_node():
            yield replay.current_player(), action
        replay.apply_action(action)


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_conformance_classes_of_the_wheel(name):
    import unittest

    from open_spiel.integration_tests import api_test
    from open_spiel.python.tests import games_sim_test

    short = PREFIX + name
    game = relance.openspiel.load(walkable(name))
    all_states = list(states(game))
    counts = tuple(
        sum(bool(test(s)) for s in all_states)
        for test in (
            lambda s: s.is_chance_node(),
            lambda s: not s.is_chance_node() and not s.is_terminal(),
            lambda s: s.is_terminal(),
        )
    )
    information = {s.information_state_string() for s in all_states if not s.is_chance_node() and not s.is_terminal()}
    api_test.TOTAL_NUM_STATES[short] = counts
    api_test.PERFECT_RECALL_NUM_STATES[short] = len(information)
    suite = unittest.TestSuite()
    for base in (api_test.EnforceAPIOnFullTreeBase, api_test.EnforceAPIOnPartialTreeBase):
        case = type(f"{base.__name__}_{name}", (base,), {"game": game, "game_name": short})
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun >= 10
    assert not result.failures + result.errors, result.failures + result.errors
    games_sim_test.GamesSimTest("test_pig").sim_game(
        game, check_pyspiel_serialization=True, check_pickle_serialization=True
    )


# --- golden playthroughs ---


def playthrough_flags():
    from absl import flags

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["tests"])


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_golden_playthrough(name):
    """A registered game without a golden file fails here; `make playthroughs` writes the missing ones."""
    from open_spiel.python.algorithms import generate_playthrough

    playthrough_flags()
    expected, actual = generate_playthrough.replay(str(PLAYTHROUGHS / f"{PREFIX}{name}.txt"))
    assert actual == expected


def test_the_rules_of_many_games_are_not_all_kept():
    kept = rules.__wrapped__.cache_info().maxsize
    for bet in range(1, kept + 2):
        relance.openspiel.load(relance.make("von_neumann", bet=bet, hands=2))
    assert rules.__wrapped__.cache_info().currsize == kept


@pytest.mark.parametrize("game", [game for game in SAMPLES if not game.deal.is_finite], ids=str)
def test_the_grid_that_nobody_chose_is_the_coarsest_exact_one(game):
    used = usual_hands(game)
    exact = game.is_published and game.aligned().hands
    assert used == (exact or 36)
    if exact:
        published = game.published()
        assert relance.nash_conv(game.grid(used), game.grid(used).published()) == relance.nash_conv(game, published)
        inside = [all((cut * n).denominator == 1 for cut in published.cuts()) for n in range(2, used)]
        assert not any(inside)


def test_a_game_on_an_interval_is_loaded_without_a_number_of_hands():
    assert str(pyspiel.load_game("relance_von_neumann").rules.game) == str(relance.make("von_neumann", hands=9))
    assert pyspiel.load_game("relance_von_neumann(bet=3)").rules.game.hands == 28
    assert pyspiel.load_game("relance_von_neumann(deal=power:2:1)").rules.game.hands == 36


# --- bad input ---


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("relance_von_neumann(bet=0)", "bet=0 must be above 0"),
        ("relance_von_neumann(bet=-2)", "bet=-2"),
        ("relance_von_neumann(hands=1)", "hands=1 must be at least 2"),
        ("relance_von_neumann(players=3)", "players=3"),
        ("relance_one_card_poker(cards=1)", "cards=1 must be a whole number from 2"),
        ("relance_one_card_poker(jokers=1)", "jokers"),
    ],
)
def test_bad_parameters(text, message):
    with pytest.raises(pyspiel.SpielError, match=message):
        pyspiel.load_game(text)


def test_bad_actions_change_nothing(loaded):
    state = loaded.new_initial_state()
    with pytest.raises(pyspiel.SpielError, match="cannot be dealt"):
        state.apply_action(10_000)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[-1][0])
    before = str(state)
    for action in (99, *(set(range(loaded.num_distinct_actions())) - set(state.legal_actions()))):
        with pytest.raises(pyspiel.SpielError, match=rf"action {action}.*is illegal"):
            state.apply_action(action)
        assert str(state) == before
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(pyspiel.SpielError, match="the game is over"):
        state.apply_action(0)


def test_only_what_openspiel_can_hold():
    game = relance.make("von_neumann")
    for use in (relance.openspiel.load, lambda g: relance.openspiel.policy(g, g.published())):
        with pytest.raises(ValueError, match=r"game\.grid\(n\)|hands"):
            use(game)
    with pytest.raises(ValueError, match="unequal width"):
        relance.openspiel.load(game.cells(game.published()))
    with pytest.raises(ValueError, match="not a game of Relance"):
        relance.openspiel.relance_game(pyspiel.load_game("kuhn_poker"))


def test_a_second_registration_changes_nothing():
    from relance.registration import openspiel

    before = sorted(pyspiel.registered_names())
    openspiel.register_games()
    assert sorted(pyspiel.registered_names()) == before


def test_chips_are_scaled_to_whole_numbers():
    game = relance.make("von_neumann", ante="1/2", bet="3/4", hands=4)
    assert chip_scale(game) == 4
    assert relance.openspiel.load(game).get_parameters()["bet"] == 3
    assert relance.openspiel.load(game).get_parameters()["ante"] == 2


def _describe(pair):
    game, state = pair
    return str(game), str(state), state.information_state_string()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pickles_work_in_other_processes(method):
    loaded = relance.openspiel.load(FINITE[0])
    state = loaded.new_initial_state()
    for _ in range(2):
        state.apply_action(state.chance_outcomes()[0][0])
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.map(_describe, [(loaded, state)]) == [_describe((loaded, state))]


def test_kuhn_is_openspiels_kuhn():
    """Card by card and play by play the same payoffs as the C++ game, with its two actions named by ours."""
    ours, theirs = pyspiel.load_game("relance_one_card_poker(raises=0)"), pyspiel.load_game("kuhn_poker")

    def pair(mine, other):
        if mine.is_terminal() or other.is_terminal():
            assert mine.is_terminal() == other.is_terminal()
            assert mine.returns() == other.returns()
            return
        assert mine.is_chance_node() == other.is_chance_node()
        if mine.is_chance_node():
            assert np.allclose(mine.chance_outcomes(), other.chance_outcomes())
            steps = [(a, a) for a, _ in mine.chance_outcomes()]
        else:
            assert mine.current_player() == other.current_player()
            steps = list(
                zip(
                    sorted(mine.legal_actions(), key=lambda a: mine.action_to_string(a) in ("bet", "call")),
                    other.legal_actions(),
                    strict=True,
                )
            )
        for a, b in steps:
            pair(mine.child(a), other.child(b))

    pair(ours.new_initial_state(), theirs.new_initial_state())


def test_every_sample_can_be_loaded():
    for game in SAMPLES:
        finite = game if game.deal.is_finite else game.grid(3)
        assert relance.openspiel.load(finite).num_players() == 2


def test_a_message_names_the_kinds_of_agents_that_are_read():
    with pytest.raises(TypeError, match="an agent is a torch module, .*an OpenSpiel policy"):
        relance.score(relance.make("endgame"), object())


# --- structs ---


def test_structs_hold_the_whole_state_and_observations_hide_the_other_hand(loaded):
    """At every state: JSON there and back, and two states that differ in the other's hand alone look the same."""
    import json

    seen, names = {}, relance.openspiel.relance_game(loaded).actions
    for state in states(loaded):
        table, whole = state.table, json.loads(state.to_json())
        assert whole["hands"] == [table.label(p) if p < len(table.hands) else None for p in (0, 1)]
        assert whole["returns"] == state.returns()
        assert whole["current_player"] == state.current_player()
        assert whole["betting"] == [names[action] for _, action in _moves(state)]
        for player in (0, 1):
            view = json.loads(state.to_observation_struct(player).to_json())
            assert (view["player"], view["hand"]) == (player, whole["hands"][player])
            if len(table.hands) == 2 and not state.is_terminal():
                key = (player, table.hands[player], table.node)
                assert seen.setdefault(key, view) == view
            assert "hands" not in view
        assert state.hides_state_from_agents()


def test_action_structs_are_played_and_others_refused(loaded):
    rng = np.random.default_rng(3)
    for _ in range(20):
        state, twin = loaded.new_initial_state(), loaded.new_initial_state()
        while not state.is_terminal():
            actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            action = int(rng.choice(actions))
            struct = state.action_to_struct(state.current_player(), action)
            assert state.struct_to_actions(struct) == [action]
            twin.apply_action_struct(struct)
            state.apply_action(action)
            assert str(state) == str(twin)
        with pytest.raises(pyspiel.SpielError, match="is not a legal action here"):
            state._struct_to_actions({"action": "nothing"})


def test_states_are_resampled_by_the_distribution_of_the_deal(loaded):
    """What the player sees stays, and the other's hand comes as often as it is dealt beside the player's own."""
    deal, rng = rules(relance.openspiel.relance_game(loaded)).deal, np.random.default_rng(1)
    state = loaded.new_initial_state()
    for _ in range(2):
        options = [action for action, _ in state.chance_outcomes()]
        state.apply_action(options[len(options) // 2])
    state.apply_action(state.legal_actions()[-1])
    for player in (0, 1):
        drawn = [state.resample_from_infostate(player, rng.random) for _ in range(300)]
        assert {other.information_state_string(player) for other in drawn} == {state.information_state_string(player)}
        assert all(other.history()[2:] == state.history()[2:] for other in drawn)
        distribution = deal.mass(1 - player, (np.arange(deal.size(player)) == state.table.hands[player]) * 1.0)
        distribution = distribution / distribution.sum()
        hands = np.bincount([other.table.hands[1 - player] for other in drawn], minlength=len(distribution))
        assert not hands[distribution < 1e-12].any()
        assert (
            abs(hands / 300 - distribution) <= 6 * np.sqrt(abs(distribution * (1 - distribution)) / 300) + 1 / 300
        ).all()


def test_ismcts_plays():
    """OpenSpiel's own search, in Python: with the best card it calls a bet."""
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game("relance_one_card_poker(raises=0)")
    search = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, np.random.RandomState(0)), 2.0, 300, random_state=np.random.RandomState(1)
    )
    state = game.new_initial_state()
    for action in (0, 2, 1):  # player 1 holds the best card, and player 0 bets
        state.apply_action(action)
    policy = {state.action_to_string(action): chance for action, chance in search.get_policy(state)}
    assert policy["call"] > 0.9
    assert state.action_to_string(search.step(state)) == "call"


def seen(game, public, private):
    return make_observation(
        game, pyspiel.IIGObservationType(perfect_recall=True, public_info=public, private_info=private)
    )


@pytest.fixture
def kuhn_state():
    game = relance.openspiel.load(relance.make("one_card_poker", raises=0))
    state = game.new_initial_state()
    for action in (0, 0):  # the lowest card, and the lowest of what is left
        state.apply_action(state.legal_actions()[action])
    state.apply_action(state.legal_actions()[1])
    return state


def test_pieces_are_views_of_the_tensor(kuhn_state):
    observation = seen(kuhn_state.get_game(), True, OWN)
    observation.set_from(kuhn_state, 1)
    assert set(observation.dict) == {"player", "hand", "betting"}
    assert sum(piece.size for piece in observation.dict.values()) == observation.tensor.size
    assert (
        np.concatenate([piece.ravel() for piece in observation.dict.values()]).tolist() == observation.tensor.tolist()
    )
    assert all(np.shares_memory(piece, observation.tensor) for piece in observation.dict.values())
    assert observation.dict["hand"].sum() == 1


def test_only_what_is_asked_for_is_seen(kuhn_state):
    game = kuhn_state.get_game()
    public, private = seen(game, True, NOTHING), seen(game, False, OWN)
    assert "hand" not in public.dict
    assert "betting" not in private.dict
    assert public.string_from(kuhn_state, 0) == "player 0, bet"
    assert private.string_from(kuhn_state, 0).startswith("player 0, hand ")
    assert "bet" not in private.string_from(kuhn_state, 0)


def test_parameters_are_refused(kuhn_state):
    with pytest.raises(ValueError, match="observation parameters are not supported"):
        kuhn_state.get_game().make_py_observer(None, {"x": 1})
