"""What a player sees of a state in OpenSpiel's observation API."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

import relance

NOTHING, OWN = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER


def seen(game, public, private):
    return make_observation(
        game, pyspiel.IIGObservationType(perfect_recall=True, public_info=public, private_info=private)
    )


@pytest.fixture
def state():
    game = relance.openspiel.load(relance.make("one_card_poker", raises=0))
    state = game.new_initial_state()
    for action in (0, 0):  # the lowest card, and the lowest of what is left
        state.apply_action(state.legal_actions()[action])
    state.apply_action(state.legal_actions()[1])
    return state


def test_pieces_are_views_of_the_tensor(state):
    observation = seen(state.get_game(), True, OWN)
    observation.set_from(state, 1)
    assert set(observation.dict) == {"player", "hand", "betting"}
    assert sum(piece.size for piece in observation.dict.values()) == observation.tensor.size
    assert (
        np.concatenate([piece.ravel() for piece in observation.dict.values()]).tolist() == observation.tensor.tolist()
    )
    assert all(np.shares_memory(piece, observation.tensor) for piece in observation.dict.values())
    assert observation.dict["hand"].sum() == 1


def test_only_what_is_asked_for_is_seen(state):
    game = state.get_game()
    public, private = seen(game, True, NOTHING), seen(game, False, OWN)
    assert "hand" not in public.dict
    assert "betting" not in private.dict
    assert public.string_from(state, 0) == "player 0, bet"
    assert private.string_from(state, 0).startswith("player 0, hand ")
    assert "bet" not in private.string_from(state, 0)


def test_parameters_are_refused(state):
    with pytest.raises(ValueError, match="observation parameters are not supported"):
        state.get_game().make_py_observer(None, {"x": 1})
