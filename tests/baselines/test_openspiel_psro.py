"""PSRO: equilibria of matrices, and mixtures that are played as they are drawn."""

import numpy as np
import pytest
from test_openspiel_torch import KUHN

from relance.baselines import openspiel_psro
from relance.baselines.openspiel_games import states

pytest.importorskip("tree", reason="needs the extra torch")


def test_an_equilibrium_of_a_matrix():
    """Rock, paper, scissors with a paper that wins twice; and a row that no column makes worse than another."""
    rows, columns = openspiel_psro.matrix_equilibrium(np.array([[0.0, -2, 1], [2, 0, -1], [-1, 1, 0]]))
    assert rows == pytest.approx([0.25, 0.25, 0.5])
    assert columns == pytest.approx([0.25, 0.25, 0.5])
    rows, columns = openspiel_psro.matrix_equilibrium(np.array([[1.0, 2, 3], [0, 1, 2]]))
    assert rows == pytest.approx([1, 0])
    assert columns == pytest.approx([1, 0, 0])


def test_a_mixture_is_played_as_its_members_are_drawn():
    """Half of the time always bet, else check and call: whoever has checked is surely the second."""
    mine = [state for state in states(KUHN) if state.current_player() == 0]

    def table(first, second):
        """The table of a player who takes their action number `first` at the root, and number `second` after that."""
        chosen = ((state, second if openspiel_psro.before(state) else first) for state in mine)
        return {
            s.information_state_string(): {a: float(a == s.legal_actions()[i]) for a in s.legal_actions()}
            for s, i in chosen
        }

    timid, bold = table(0, 1), table(1, 0)
    played = openspiel_psro.mixed_behaviour([bold, timid], np.array([0.5, 0.5]), mine)
    for state in mine:
        key = state.information_state_string()
        expected = timid[key] if openspiel_psro.before(state) else dict.fromkeys(state.legal_actions(), 0.5)
        assert played[key] == pytest.approx(expected)
