"""Help, version and completion, as the shell and a reader get them."""

import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, get_type_hints

import pytest
import typer

import relance
from relance.baselines.algorithms import algorithms
from relance.claims.ledger import papers
from relance.pages.commands.main import app
from relance.pages.commands.typed import KINDS, Kind, bare
from relance.pages.plots.picture import pictures
from relance.play.opponents import OPPONENTS

RELANCE = [sys.executable, "-m", "relance.pages.commands.main"]

GROUP = typer.main.get_command(app)

COMMANDS = {}
"""The commands by name; those of `relance plot` as "plot tree" and so on."""

for _name, _command in GROUP.commands.items():
    COMMANDS[_name] = _command
    COMMANDS |= {f"{_name} {part}": inner for part, inner in getattr(_command, "commands", {}).items()}

ROOT = Path(relance.__file__).parent.parent


def run(*arguments, **environment):
    return subprocess.run([*RELANCE, *arguments], capture_output=True, text=True, env={**os.environ, **environment})


def all_help(columns):
    """The help of `relance` and of every command in so many columns, from one process."""
    code = (
        "import json; from typer.testing import CliRunner; from relance.pages.commands.main import app; run = CliRunner().invoke\n"
        f"print(json.dumps({{name: run(app, [*name.split(), '--help']).output for name in {['', *COMMANDS]}}}))"
    )
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "dumb"}
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    return json.loads(out.stdout)


@pytest.mark.parametrize("columns", [40, 60, 80, 140])
def test_help_is_whole_at_any_width(columns):
    shown = all_help(columns)
    for name in COMMANDS:
        text = shown[name]
        assert max(map(len, text.splitlines())) <= columns, name
        for option in [item for item in COMMANDS[name].params if not getattr(item, "hidden", False)]:
            for word in option.opts:
                assert not word.startswith("-") or re.search(rf"{word}(?![\w-])", text), (name, word)
        words = " ".join(text.replace("│", " ").split())
        assert "Example" in words, name
        assert f"relance {name}" in words, name
    assert all(f" {name} " in shown[""] for name in GROUP.commands)


def said(function):
    """What a docstring says, in one line of small symbols."""
    return " ".join((inspect.getdoc(function) or "").split()).lower()


def strange_help(command):
    """What the help of a command says that neither docstrings of its functions say, nor those of the types of their arguments."""
    functions = getattr(command.callback, "sources", ())
    readers = [kind.read for kind in (*KINDS.values(), *marks_of(functions)) if inspect.isfunction(kind.read)]
    known = " ".join(map(said, (*functions, *readers)))
    texts = [command.help or "", *(item.help or "" for item in command.params if item.name != "help")]
    sentences = [part for text in texts for part in re.split(r"(?<=\.)\s+", text.strip()) if part != "May be repeated."]
    known = re.sub(r"[;,] see `relance\.[\w.]+`", "", known)
    out = [one for one in sentences if " ".join(one.split()).lower().removesuffix(".") not in known]
    names = {name for one in functions for name in inspect.signature(one).parameters}
    return out + [item.name for item in command.params if item.name not in {*names, "help"}]


def marks_of(functions):
    hints = [
        get_type_hints(getattr(one, "__init__", one) if isinstance(one, type) else one, include_extras=True)
        for one in functions
    ]
    return [mark for each in hints for hint in each.values() for mark in bare(hint)[1] if isinstance(mark, Kind)]


@pytest.mark.parametrize("name", sorted({*COMMANDS} - {"plot"}))
def test_a_command_takes_its_help_from_its_signature_and_docstring(name):
    assert strange_help(COMMANDS[name]) == []
    assert COMMANDS[name].callback.sources
    assert COMMANDS[name].help


def test_help_from_elsewhere_is_noticed():
    found = typer.Typer(add_completion=False)

    @found.command()
    def show(game: Annotated[str, typer.Argument(help="A game, told here.")]):
        """Show a game."""

    command = typer.main.get_command(found)
    command.callback.sources = (show,)
    assert strange_help(command) == ["A game, told here."]


def test_no_command_makes_options_by_hand():
    for path in (ROOT / "relance" / "pages" / "commands").rglob("*.py"):
        if path.name not in ("typed.py", "main.py"):  # the maker, and --version
            assert not re.search(r"typer\.(Option|Argument)", path.read_text()), path


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_can_be_given_as_they_stand(name):
    lines = [line for line in (COMMANDS[name].epilog or "").split("\n\n") if "relance " in line]
    for line in lines:
        _, *words = shlex.split(line.rpartition("| ")[2])
        deepest = max((key for key in COMMANDS if words[: len(key.split())] == key.split()), key=len)
        assert deepest.startswith(name)
        with suppress(typer.Exit):  # --help
            COMMANDS[deepest].make_context(deepest, words[len(deepest.split()) :])


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("relance play ", set(relance.games())),
        ("relance plot ", set(pictures())),
        ("relance plot tree von", {"von_neumann"}),
        ("relance solve von", {"von_neumann"}),
        ("relance train ", set(algorithms())),
        ("relance train cfr+ one", {"one_card_poker"}),
        ("relance verify --paper ", set(papers())),
        ("relance errata --paper m", {"miao-2014"}),
        ("relance play endgame --opponent ", {*OPPONENTS, "solved"}),
        ("relance play endgame --trained cfr", {"cfr+"}),
        ("relance score endgame superc", {"superconservative"}),
        ("relance play endgame --seat ", {"0", "1", "random"}),
    ],
)
def test_the_shell_completes(typed, offered, monkeypatch, capsys):
    place = str(len(typed.split(" ")) - 1)
    for name, text in {"WORDS": typed, "CWORD": place}.items():
        monkeypatch.setenv(f"COMP_{name}", text)
    monkeypatch.setenv("_RELANCE_COMPLETE", "complete_bash")
    with pytest.raises(SystemExit):
        app(prog_name="relance")
    told = capsys.readouterr()
    assert set(told.out.split()) == offered, told.err


def test_the_help_lists_every_command_under_its_folder_and_imports_none():
    code = (
        "import sys; sys.argv = ['relance', '--help']\nfrom relance.pages.commands.main import command_line\n"
        "try: command_line()\nexcept SystemExit: pass\n"
        "print(sorted(m for m in sys.modules if '.commands.' in m or m in ('numpy', 'rich', 'pydantic')), file=sys.stderr)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert out.stderr.strip() == "['relance.pages.commands.main', 'relance.pages.commands.shared']"
    _, *parts = re.split(r"^(Games|Claims of the papers|Learning|Words):$", out.stdout, flags=re.MULTILINE)
    listed = {
        title: re.findall(r"^  ([a-z-]+)  ", text, re.MULTILINE) for title, text in zip(*[iter(parts)] * 2, strict=True)
    }
    assert [name for names in listed.values() for name in names] == list(GROUP.commands)
    assert listed["Claims of the papers"] == ["errata", "verify"]
    assert {"solve", "games"} <= {*listed["Games"]}


def test_a_helper_beside_the_commands_is_no_command():
    out = run("shared")
    assert out.returncode == 2
    assert "No such command 'shared'" in out.stderr
    assert "Did you mean 'solve'" in run("slove").stderr


def test_light_commands_load_nothing_heavy():
    heavy = ["torch", "matplotlib", "pyspiel", "gymnasium", "pettingzoo", "scipy", "numba", "z3", "pandas"]
    plain = ["rich", "pydantic"]
    one = ["highspy", "pydantic", "relance.envs.river", "relance.model.playing_cards"]
    for environment, arguments, *more in [
        ({}, ["--help"], "numpy", *plain),
        ({}, ["games"], "numpy", *plain),
        ({}, ["solve", "one_card_poker(raises=0)"], *one),
        ({}, ["solve", "one_card_poker(raises=0)", "--tolerance", "1e-4"], *one),
        (
            {"COMP_WORDS": "relance play endgame --opponent ", "COMP_CWORD": "4", "_RELANCE_COMPLETE": "complete_bash"},
            [],
        ),
        ({"COMP_WORDS": "relance verify --paper ", "COMP_CWORD": "3", "_RELANCE_COMPLETE": "complete_bash"}, []),
    ]:
        code = (
            f"import sys; sys.argv = ['relance', *{arguments}]\nfrom relance.pages.commands.main import app\n"
            "try: app(prog_name='relance')\nexcept SystemExit: pass\n"
            f"print('loaded', [m for m in {[*heavy, *more]} if m in sys.modules])"
        )
        out = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment}
        )
        assert out.stdout.splitlines()[-1] == "loaded []", out.stderr


def test_the_citation_is_of_this_version():
    yaml = pytest.importorskip("yaml", reason="needs the extra sweep")
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert cited["version"] == relance.__version__
    assert {"message", "title", "authors"} <= set(cited)
    references = cited["references"]
    assert len({reference["title"] for reference in references}) == len(references) >= len(papers())
    for reference in references:
        assert {"type", "title", "authors", "year"} <= set(reference)
        assert all(isinstance(reference.get(key, 0), int) for key in ("year", "volume", "start", "end"))


@pytest.mark.parametrize("name", ["score", "play"])
def test_help_lists_every_opponent_with_what_it_does(name):
    shown = " ".join(run(name, "--help", COLUMNS="200").stdout.split())
    assert all(f"{entry.usage}: {entry.doc}" in shown for entry in OPPONENTS.values())


@pytest.mark.parametrize("name", ["verify", "errata"])
def test_help_lists_the_papers(name):
    shown = run(name, "--help").stdout
    assert all(f"{key}: " in shown for key in papers())
