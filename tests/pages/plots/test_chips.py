"""What actions are worth, read back from the figure."""

from functools import partial

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make
from relance.pages.plots.chips import action_chips


def texts(drawing):
    drawing.draw_without_rendering()
    return [text.get_text() for ax in drawing.axes for text in ax.texts]


def test_actions_are_worth_the_same_at_the_thresholds():
    """Each threshold of von Neumann's player 0 is a crossing; between a and b player 1 is indifferent."""
    game = make("von_neumann", bet=2)
    first, second = action_chips(game, game.published()).axes
    thin = [line for line in first.lines if line.get_linewidth() == 1.0]
    check, bet = (partial(np.interp, xp=line.get_xdata(), fp=line.get_ydata()) for line in thin[:2])
    assert [text.get_text() for text in first.texts] == ["check", "bet", "bet"]
    for x in (1 / 9, 7 / 9):
        assert check(x) == pytest.approx(bet(x), abs=1e-5)
    assert check(0.05) < bet(0.05)
    assert check(0.5) == pytest.approx(0, abs=1e-12)  # 2x - 1
    assert check(0.5) > bet(0.5)
    assert check(0.9) < bet(0.9)
    assert not first.patches
    (shade,) = second.patches
    assert [shade.get_x(), shade.get_x() + shade.get_width()] == pytest.approx([1 / 9, 7 / 9])


def test_chips_are_given_the_hand_and_the_node():
    """Kuhn's ace after check-bet wins 2 by a call, whatever the probability of getting there."""
    game = make("one_card_poker", raises=0)
    drawing = action_chips(game, game.published())
    ax = drawing.axes[list(game.tree.decisions).index("check-bet")]
    ends = {round(float(line.get_ydata()[-1]), 9) for line in ax.lines if line.get_linewidth() == 1.0}
    assert ends == {-1.0, 2.0}


def test_a_node_that_is_never_reached_says_so():
    game = make("sized_endgame")
    drawing = action_chips(game, game.published())
    assert texts(drawing).count("the opponent never leads here") == 1


def test_chips_refuse_half_a_profile():
    with pytest.raises(ValueError, match="not of 'la_relance'"):
        action_chips(make("la_relance"), make("von_neumann").published())
