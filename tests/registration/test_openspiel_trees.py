"""OpenSpiel's games as trees: floats are fractions, and policies are of one game."""

import subprocess
import sys
from fractions import Fraction

import pytest

from relance.model.numbers import fraction_meant, probabilities_meant
from relance.registration.efg_file import write_efg
from relance.registration.game_trees import game_tree
from relance.registration.openspiel_trees import policy_on_openspiel, profile_of_openspiel


def test_floats_are_read_as_the_fractions_meant():
    for p in (Fraction(1, 3), Fraction(2, 7), Fraction(1, 10), Fraction(999_999, 10**6), Fraction(-5, 2), Fraction(0)):
        assert fraction_meant(float(p)) == p
    assert fraction_meant(1 / 6 * (1 / 5)) == Fraction(1, 30)
    assert fraction_meant(2**-0.5) is None
    assert fraction_meant(float("inf")) is None
    for rest in (2 / 3, 1 - 1 / 3):  # which differ in the last digit; decimals of the second sum to 1 too
        assert probabilities_meant("s", {"a": 1 / 3, "b": rest}) == {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    assert probabilities_meant("s", {"a": 0.12345678, "b": 0.87654322})["a"] == Fraction(12345678, 10**8)
    distribution = probabilities_meant("s", {"a": 2**-0.5, "b": 1 - 2**-0.5})
    assert sum(distribution.values()) == 1
    assert float(distribution["a"]) == 2**-0.5
    for bad in ({"a": 0.5, "b": 0.4}, {"a": 1.5, "b": -0.5}, {"a": float("nan"), "b": 1.0}):
        with pytest.raises(
            ValueError,
            match="s: probabilities must be at least 0 and sum to 1|s: the probability of a=nan is not a finite number",
        ):
            probabilities_meant("s", bad)


def test_chance_that_is_no_fraction_is_refused():
    class Odd:
        """A state that tells a chance of 1/sqrt(2)."""

        def history(self):
            return [3]

        def get_game(self):
            return "odd"

    from relance.registration.openspiel_trees import _meant

    with pytest.raises(ValueError, match=r"odd, after the actions 3: the probability 0.7071.* is not near a fraction"):
        _meant(Odd(), 2**-0.5, "probability")


def test_policies_of_other_games_are_refused():
    kuhn, leduc = game_tree("kuhn_poker"), game_tree("leduc_poker")
    with pytest.raises(ValueError, match="the policy does not fit leduc_poker|must be at least 0 and sum to 1"):
        profile_of_openspiel(leduc, policy_on_openspiel(kuhn, kuhn.uniform()))
    with pytest.raises(ValueError, match="was not read from OpenSpiel"):
        policy_on_openspiel(game_tree(write_efg(kuhn)), kuhn.uniform())


def test_games_in_python_are_known_in_a_fresh_process():
    code = "import relance; print(relance.game_tree('openspiel:python_kuhn_poker').num_histories)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "58\n"
