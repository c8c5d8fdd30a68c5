"""Scores of profiles of game trees through the facade."""

from fractions import Fraction

import pytest

import relance


def test_a_score_lists_the_worst_mistakes_which_add_up():
    tree = relance.game_tree("kuhn_poker")
    score = relance.score(tree, "uniform")
    assert (score.values, score.nash_conv) == ((Fraction(1, 8), Fraction(-1, 8)), Fraction(11, 12))
    for player in (0, 1):
        assert sum(m.loss for m in score.mistakes if m.player == player) == score.gains[player]
    lines = str(score).splitlines()
    assert lines[0] == "kuhn_poker(): NashConv 0.916667 (11/12)"
    assert lines[3] == "  player 1 gives up 0.25 (1/4) at '2b': best is Bet"
    assert lines[-1] == f"  and less at {len(score.mistakes) - 5} more information sets"
    for options in ({"hands": 3}, {"mode": "argmax"}, {"illegal": "renormalise"}, {"budget": 10}):
        with pytest.raises(ValueError, match="options for games of Relance"):
            relance.score(tree, "uniform", **options)
