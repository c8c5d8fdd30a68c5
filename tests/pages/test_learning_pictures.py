"""Pictures of learning, read back from the figures."""

from xml.etree import ElementTree

import pytest
from board_rows import row, written

from relance.baselines import rows
from relance.envs.catalogue import make
from relance.pages.leaderboard import (
    curves_of,
    distance_curves_of,
    leaderboard_page,
    write_leaderboard,
)


def test_distances_from_the_point_of_a_theorem_are_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    told, silent = row(algorithm="mmd", distance=[0.5, 0.25, 0.0]), row(algorithm="ppo", distance=[None] * 3)
    curves = distance_curves_of({"mmd": [told], "ppo": [silent], "old": [row(algorithm="old")]})
    assert curves["samples"] == {"mmd": [[(10_000, 0.5), (100_000, 0.25), (1_000_000, 1e-9)]]}
    results = written(tmp_path / "r.jsonl", told, silent)
    paths = {path.name: path for path in write_leaderboard([results], tmp_path / "board.md")}
    (drawn,) = [path for name, path in paths.items() if name.endswith("-distance.svg")]
    assert "![Distance from the point that the method's theorem names, " in paths["board.md"].read_text()
    words = [element.text for element in ElementTree.fromstring(drawn.read_text()).iter()]
    assert {"mmd", "largest difference of a probability"} <= {*words}
    assert "ppo" not in words
    notes = [leaderboard_page([one], {}).partition("## How to read it")[2] for one in (told, silent)]
    assert ["A picture of distances" in text for text in notes] == [True, False]


def test_curves_have_a_line_per_name_with_the_median_and_the_range():
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from relance.pages.learning_pictures import learning_curves
    from relance.pages.plots.style import line_styles

    board = {"x": [row(seed=s, last=last) for s, last in enumerate((0.3, 0.1, 0.2))], "y": [row(last=0.05)]}
    drawing = learning_curves("a game", curves_of(board), {"apart": ["z"], "all": ["w", "x", "y"]})
    assert len(drawing.axes) == 2
    for axes in drawing.axes:
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
        lines = {line.get_label(): line for line in axes.get_lines()}
        assert list(lines) == ["x", "y"]
        assert [lines[name].get_ydata()[-1] for name in "xy"] == pytest.approx([0.2, 0.05])
        assert lines["x"].get_color() == line_styles(["w", "x"])["x"]["color"]
        low, high = axes.collections[0].get_paths()[0].get_extents().get_points()
        assert (low[1], high[1]) == pytest.approx((0.1, 1.0))
        assert [(text.get_text(), text.get_color()) for text in axes.texts] == [
            (name, lines[name].get_color()) for name in "yx"
        ]
    assert len({tuple(map(str, style.values())) for style in line_styles([str(i) for i in range(21)]).values()}) == 21


def test_learned_strategies_are_drawn_over_the_published_thresholds():
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from relance.pages.learning_pictures import learned_strategies

    game = make("von_neumann")
    published = game.published()
    policy = rows.compact(game, published)
    assert {len(line) for lines in policy.values() for line in lines} == {rows.HANDS}
    assert policy["bet"][1][0] == 0
    assert policy["bet"][1][-1] == 1
    drawing = learned_strategies(game, {"perfect": [policy], "again": [policy, policy]}, published)
    assert len(drawing.axes) == 4
    dotted = [{round(line.get_xdata()[0], 6) for line in axes.get_lines()} for axes in drawing.axes]
    assert dotted == [{round(1 / 9, 6), round(7 / 9, 6)}, {round(5 / 9, 6)}] * 2


def test_many_nodes_go_down_the_page_and_have_no_table_of_thresholds():
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from relance.pages.learning_pictures import learned_strategies

    game = make("pot_limit", raises=1, check_raise=True)
    policy = rows.compact(game, game.published())
    drawing = learned_strategies(game, {"one": [policy], "two": [policy]}, game.published())
    grid = drawing.axes[0].get_gridspec()
    assert (grid.nrows, grid.ncols) == (len(game.tree.decisions), 2)
    assert [axes.get_title() for axes in drawing.axes[:2]] == ["one", "two"]
    assert drawing.get_figwidth() < 10
    assert "bet first" not in leaderboard_page([row(str(game), policy=policy)], {})
