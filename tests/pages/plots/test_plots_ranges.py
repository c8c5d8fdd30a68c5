"""The square of hold'em hands, read back from the figure."""

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make
from relance.model.playing_cards.ranges import StartingHand, group_of
from relance.pages.plots.ranges import MOST, draw_ranges, range_squares, shares
from relance.pages.plots.style import action_colours, render, tint

GAME = make("river")


def filled(ax, colour):
    """The area in this colour, in cells."""
    rgb = tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return sum(p.get_width() * p.get_height() for p in ax.patches if np.allclose(p.get_facecolor()[:3], rgb))


def test_every_group_has_its_cell():
    ax = range_squares(GAME, GAME.published(), [""]).axes[0]
    names = {text.get_text(): text.get_position() for text in ax.texts}
    assert len(names) == 169
    assert names["AA"] == (0.5, 0.52)
    assert names["AKs"] == (1.5, 0.52)
    assert names["AKo"] == (0.5, 1.52)
    assert names["22"] == (12.5, 12.52)


def test_areas_are_the_shares_of_hands():
    """Of 99, QJs and 65s, which fill a cell each, a loser bets with 3/16; TT is half in the range, and calls half the time."""
    colours = {action: tint(colour) for action, colour in action_colours(GAME.actions).items()}
    root, called = range_squares(GAME, GAME.published(), ["", "bet 1"]).axes[:2]
    assert filled(root, colours["bet 1"]) == pytest.approx(1 + 2 * 3 / 16)
    assert filled(root, colours["check"]) == pytest.approx(2 * 13 / 16)
    assert filled(called, colours["call"]) == pytest.approx(filled(called, colours["fold"])) == pytest.approx(0.75)


def test_only_hands_off_the_table_count():
    found = shares(GAME.deal, GAME, GAME.uniform(), "")
    assert {group.name for group in found} == {"99", "QJs", "65s"}
    assert all(
        part.sum() == pytest.approx(1) for part in found.values()
    )  # three of the six 99 are left by the 9 on the table
    assert [group_of(hand).name for hand in GAME.deal.hands[0]] == ["65s"] * 4 + ["QJs"] * 4 + ["99"] * 3


def test_what_is_drawn_by_default_and_by_name():
    drawing = draw_ranges(GAME)
    assert len(drawing.axes) == min(MOST, len(GAME.tree.decisions))
    titles = [ax.get_title(loc="left") for ax in drawing.axes]
    assert "player 1, after check-bet 1-raise 1; no hand comes here" in titles
    assert render(drawing).endswith(b"</svg>\n")
    solved = draw_ranges(make("river", ranges="AA:1/3;KQs;J8s vs KTs;T9s:1/2;88"), nodes=["check"], solved=True)
    assert solved.axes[0].get_title(loc="left") == "player 1, after check"


def test_what_has_no_square_is_named():
    with pytest.raises(ValueError, match="has no hold'em hands to draw in a square; 'river' has"):
        draw_ranges(make("one_card_poker"))
    with pytest.raises(ValueError, match="there is no decision 'bet' in river; did you mean 'bet 1'"):
        draw_ranges(GAME, nodes=["bet"])


def test_after_a_card_no_group_has_the_hands_that_hold_it():
    """Of the six pairs of aces two are held; after Ac, of the three that are left, AhAs alone, and it checked half of the time."""
    game = make("turn", ranges="AcAd;AhAs;Qs8s vs KcJc;TsTd")
    profile = game.uniform()
    before, after = (shares(game.deal, game, profile, node) for node in ("", "check-check-Ac"))
    aces = StartingHand(12, 12, "")
    assert sum(before[aces]) == pytest.approx(2 / 6)
    assert sum(after[aces]) == pytest.approx(1 / 2 / 3)
