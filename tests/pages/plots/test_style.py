"""Saving, and the style."""

from itertools import pairwise

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make
from relance.pages.plots.style import (
    ACTIONS,
    COLOURS,
    FORMATS,
    action_colours,
    add_title,
    figure,
    file_format,
    narrow,
    render,
    save,
    spaced,
    tint,
)
from relance.pages.plots.trees import betting_tree

STARTS = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_written_and_the_same_each_time(kind, tmp_path):
    paths = [tmp_path / f"{i}.{kind}" for i in (0, 1)]
    for path in paths:
        save(betting_tree(make("von_neumann")), path)
    assert paths[0].read_bytes().startswith(STARTS[kind])
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("name", ["x.jpg", "x", "svg"])
def test_other_formats_are_refused(name, tmp_path):
    with pytest.raises(ValueError, match=r"must end in \.svg, \.pdf or \.png"):
        file_format(tmp_path / name)


def test_a_file_that_cannot_be_written(tmp_path):
    with pytest.raises(ValueError, match="cannot be written"):
        save(betting_tree(make("von_neumann")), tmp_path / "nowhere" / "x.svg")


def test_dark_text_on_every_ground_of_an_action_is_readable():
    """Contrast of black on the tints, at least 4.5 to 1."""
    for colour in {*ACTIONS.values(), *COLOURS}:
        assert (luminance(tint(colour)) + 0.05) / 0.05 >= 4.5


def test_no_two_actions_of_a_game_look_alike(default_game):
    colours = action_colours(default_game.actions)
    assert len({colours[action] for action in default_game.actions}) == len(default_game.actions)


def test_svg_keeps_text_as_text():
    assert b">check</text>" in render(betting_tree(make("von_neumann")))


def test_on_phones_titles_are_filled_anew_panels_stacked_and_names_staggered():
    drawing, ((left, right),) = figure(1, 2, 8, 3)
    for ax in (left, right):
        ax.set_xticks([0.4, 0.5], ["a long name"] * 2)
        ax.set_title("a title that is about as long as two phones are wide, if not longer than that")
    narrow(add_title(drawing, "game", "word " * 40))
    drawing.draw_without_rendering()
    assert left.get_position().y0 > right.get_position().y1
    assert all(len(line) > 30 for line in drawing.get_suptitle().split("\n")[1:-1])
    for ax in (left, right):
        assert [label.get_text() for label in ax.get_xticklabels()] == ["a long name", "\na long name"]
        assert "\n" in ax.get_title()


def test_names_stay_where_there_is_room():
    assert spaced([0.1, 0.5, 0.9], 0.2) == [0.1, 0.5, 0.9]


@pytest.mark.parametrize("wanted", [[0.5] * 4, [0.0, 0.1, 0.12, 0.13, 0.9], [0.3, 0.31, 0.49]])
def test_names_that_are_too_close_move_apart_and_no_further(wanted):
    placed = spaced(wanted, 0.1)
    gaps = [right - left for left, right in pairwise(placed)]
    assert min(gaps) == pytest.approx(0.1)
    assert sum(placed) == pytest.approx(sum(wanted))
