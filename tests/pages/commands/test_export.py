"""`relance export`, as a user meets it."""

from fractions import Fraction

from conftest import called

import relance


def test_a_gambit_file_is_the_game_it_was_written_from(here):
    assert called("export", "openspiel:kuhn_poker", "-o", "kuhn.efg").returncode == 0
    assert "value -1/18 to player 0" in called("solve", "kuhn.efg").stdout
    uniform = relance.score(relance.game_tree(here / "kuhn.efg"), "uniform")
    assert uniform.nash_conv == Fraction(11, 12)
    assert called("score", "kuhn.efg", "uniform").stdout.strip() == str(uniform)
