"""`relance plot`, as a user meets it."""

import re
import subprocess
import sys
from typing import Annotated

import pytest
from conftest import called

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.pages.commands.main import command_line


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["relance", *map(str, arguments)])
    try:
        command_line()
    except SystemExit as ended:
        return ended.code or 0
    return 0


@pytest.mark.parametrize(
    ("arguments", "suffix"),
    [
        (["tree", "one_card_poker(raises=2)"], "pdf"),
        (["strategy", "von_neumann(hands=9)", "--solved"], "png"),
        (["strategy", "one_card_poker(cards=4)", "--solved"], "svg"),
        (["strategy", "von_neumann(deal=normal:-1/2:6)", "--solved"], "svg"),
        (["chips", "one_card_poker(raises=0)", "--family", "alpha=1/3"], "svg"),
        (["strategy", "one_card_poker", "--set", "alpha=1/3"], "svg"),
        (["value", "von_neumann", "--to", "10"], "svg"),
        (["value", "one_card_poker"], "svg"),
        # As the README's and that of the three regions.
        pytest.param(["square", "ponssard"], "svg", marks=pytest.mark.slow),
        (["square", "von_neumann"], "svg"),
        (["convergence", "von_neumann(hands=9)", "--iterations", "20", "--method", "cfr+"], "svg"),
        (["optimal_set", "endgame"], "svg"),
        (["grids", "la_relance(deal=power:2:1)"], "svg"),
        (["operators", "one_card_poker", "--family", "alpha=1/3"], "svg"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else value,
)
def test_every_kind_writes_its_file(arguments, suffix, tmp_path, monkeypatch, capsys):
    target = tmp_path / f"picture.{suffix}"
    assert run(monkeypatch, "plot", *arguments, "-o", target) == 0
    assert target.stat().st_size > 1000
    assert capsys.readouterr().out.strip() == str(target)


def test_two_strategies_beside_each_other_with_what_each_loses(tmp_path, monkeypatch):
    file, target = tmp_path / "mine.json", tmp_path / "picture.svg"
    assert run(monkeypatch, "solve", "kuhn", "-o", file) == 0
    assert run(monkeypatch, "plot", "strategy", "kuhn", file, "uniform", "-o", target) == 0
    text = target.read_text()
    assert text.index(">mine.json, NashConv 0</text>") < text.index(">uniform, NashConv 11/12</text>")
    assert ">published</text>" not in text


def test_a_saved_strategy_in_a_square_of_groups(tmp_path, monkeypatch):
    file, target = tmp_path / "river.json", tmp_path / "range.svg"
    assert run(monkeypatch, "solve", "river", "--tolerance", "0.01", "-o", file) == 0
    assert run(monkeypatch, "plot", "range", "river", file, "-o", target) == 0
    assert target.stat().st_size > 1000


def test_a_learned_strategy_beneath_the_published_one(tmp_path, monkeypatch):
    rows, target = tmp_path / "run.json", tmp_path / "picture.svg"
    assert run(monkeypatch, "train", "cfr+", "von_neumann(hands=18)", "--samples", "20000", "-o", rows) == 0
    assert run(monkeypatch, "plot", "strategy", "von_neumann", "--learned", rows, "-o", target) == 0
    text = target.read_text()
    assert text.index(">published</text>") < text.index(">cfr+</text>")
    with pytest.MonkeyPatch.context() as patch:
        assert run(patch, "plot", "strategy", "la_relance", "--learned", rows, "-o", tmp_path / "x.svg") == 2
    assert not (tmp_path / "x.svg").exists()


def test_standard_output(monkeypatch, capfdbinary):
    assert run(monkeypatch, "plot", "tree", "endgame", "-o", "-") == 0
    out = capfdbinary.readouterr().out
    assert out.startswith(b"<?xml")
    assert out.endswith(b"</svg>\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tree", "von_neumann", "-o", "x.jpg"], "x.jpg must end in .svg, .pdf or .png"),
        (["tree", "von_neumann", "-o", "/nowhere/x.svg"], "no folder /nowhere"),
        (["tree", "von_neuman", "-o", "x.svg"], "did you mean 'von_neumann'"),
        (["strategy", "one_card_poker(cards=5)", "-o", "x.svg"], "no strategy is published"),
        (["chips", "von_neumann", "--solved", "-o", "x.svg"], "infinitely many hands"),
        (["square", "force_in", "-o", "x.svg"], "does not have 2 numeric parameters for axes"),
        (
            ["square", "ponssard", "--along", "p", "-o", "x.svg"],
            "the picture needs two different parameters, one for each axis, not p",
        ),
        (["value", "ponssard", "--along", "p", "--along", "q", "-o", "x.svg"], "takes one parameter, not p, q"),
        (["optimal_set", "von_neumann", "-o", "x.svg"], "infinitely many hands"),
        (["convergence", "endgame", "--iterations", "0", "-o", "x.svg"], "iterations=0 must be at least 10"),
        (["strategy", "von_neumann", "--learned", "none.json", "-o", "x.svg"], "there is no file of results none.json"),
        (["chips", "one_card_poker", "--family", "alpha", "-o", "x.svg"], "must be name=value"),
        (["chips", "one_card_poker", "--family", "beta=1", "-o", "x.svg"], "have no parameter 'beta'"),
        (["convergence", "endgame", "--method", "cfx", "-o", "x.svg"], "method='cfx' must be one of"),
    ],
)
def test_mistakes_are_one_line_and_status_2(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, "plot", *arguments) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert len(told.err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["strateg", "von_neumann"], r"No such command 'strateg'\. Did you mean 'strategy'\?"),
        (["tree", "von_neumann", "--solved"], "No such option.*--solved"),
        (["tree", "endgame", "--iterations", "7"], "No such option.*--iterations"),
        (["square", "ponssard", "--from", "1"], "No such option.*--from"),
    ],
)
def test_a_picture_has_its_own_options_and_no_other(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, "plot", *arguments, "-o", "x.svg") == 2
    assert re.search(message, " ".join(capsys.readouterr().err.split()))  # versions of click quote differently
    assert not list(tmp_path.iterdir())


def test_a_new_picture_is_one_function(tmp_path, monkeypatch):
    from relance.model.game import Game
    from relance.pages.commands import plot as commands
    from relance.pages.plots.picture import PICTURES, picture
    from relance.pages.plots.trees import betting_tree

    sizes, target = [], tmp_path / "x.svg"
    try:

        @picture("dots")
        def dots(game: Game, size: Annotated[int, "--large"] = 3):
            """Draw dots.

            Args:
                size: how large.
            """
            sizes.append(size)
            return betting_tree(game)

        commands.add_picture("dots", PICTURES["dots"].draw)
        assert "How large." in called("plot", "dots", "--help").stdout
        assert run(monkeypatch, "plot", "dots", "endgame", "-o", target) == 0
        assert run(monkeypatch, "plot", "dots", "endgame", "--large", "5", "-o", target) == 0
    finally:
        PICTURES.pop("dots")
        commands.plot.registered_commands.pop()
    assert sizes == [3, 5]
    assert target.exists()


def test_without_matplotlib_it_says_what_is_missing(tmp_path):
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "sys.argv = ['relance', 'plot', 'tree', 'von_neumann', '-o', 'x.svg']\n"
        "import relance.pages.commands.main; relance.pages.commands.main.command_line()\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert out.returncode == 2
    assert out.stderr.strip() == "relance: figures need matplotlib: pip install 'relance[plot]'"


def test_no_display_is_needed(tmp_path):
    out = subprocess.run(
        [sys.executable, "-m", "relance.pages.commands.main", "plot", "tree", "von_neumann", "-o", "x.png"],
        capture_output=True, text=True, cwd=tmp_path, env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )  # fmt: skip
    assert out.returncode == 0, out.stderr
    assert (tmp_path / "x.png").exists()


def test_the_help_needs_no_matplotlib_and_has_an_example():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "sys.argv = ['relance', 'plot', '--help']\n"
        "import relance.pages.commands.main; relance.pages.commands.main.command_line()\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    assert "relance plot strategy" in " ".join(out.stdout.replace("│", " ").split())
