"""The house: imports point one way, and the facade is what it says."""

import ast
import importlib
import importlib.util
import inspect
import io
import json
import pickle
import re
import subprocess
import sys
import tokenize
from collections import defaultdict
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import relance
from relance.model.arguments import checked
from relance.pages.commands.main import Imported
from relance.play.batch import Batch
from relance.registration.on_import import ADAPTERS
from tools.quick import named_test

ROOT = Path(relance.__file__).parent
CORE = ("model", "solvers", "envs", "play", "registration")
"""The rooms of the core, each of which may import those before it."""
LIBRARY = "equilibria"
"""On the core; the slices may import it."""
SLICES = ("claims", "baselines", "words")
"""On the core. None imports another, and the core imports none."""
TOP = "pages"
"""On top, with what people see. The facade may import all."""
BARS = {
    "model": 9582,
    "solvers": 5715,
    "envs": 3106,
    "play": 4459,
    "registration": 3108,
    "equilibria": 2075,
    "claims": 12231,
    "baselines": 5592,
    "words": 5450,
    "pages": 7474,
    "facade": 100,
}
"""The most lines of each room. They are those of today, and come down with what goes; a commit that raises one says which capability
needs it. The aim of the design is 18,000 for the core (model to registration) and 48,000 for all."""
FRAMEWORKS = {"pyspiel", "open_spiel", "gymnasium", "pettingzoo"}
FREE_OF_FRAMEWORKS = ("model", "solvers", "envs", "play", "claims")


def files():
    return sorted(ROOT.rglob("*.py"))


def module_of(path):
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")


def beside():
    """The files of the folders that stand beside the package and may import it."""
    return [path for name in ("studies", "benchmarks") for path in sorted((ROOT.parent / name).rglob("*.py"))]


@cache
def parsed(path):
    """Read once for all tests."""
    return ast.parse(path.read_text())


@cache
def names_imported(path):
    """Every module that a file imports, anywhere in it, as far as its own text names it."""
    names = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written whole"
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


def imports(paths):
    """For each of these modules those of them that it imports, without the packages that hold it."""
    known = {module_of(path): path for path in paths}
    return {
        name: {other for other in names_imported(path) if other in known and not f"{name}.".startswith(f"{other}.")}
        for name, path in known.items()
    }


def folder(module):
    room = [*module.split("."), ""][1]
    return room if room in (*CORE, LIBRARY, *SLICES, TOP) else "facade"


def floor(room):
    """The height of a folder: the core's in their order, the slices side by side, and what stands on top."""
    order = [*([room] for room in (*CORE, LIBRARY)), list(SLICES), [TOP], ["facade"]]
    return next(height for height, rooms in enumerate(order) if room in rooms)


def test_every_folder_is_in_the_order():
    found = {path.relative_to(ROOT).parts[0] for path in files() if path.parent != ROOT}
    assert found == {*CORE, LIBRARY, *SLICES, TOP}
    assert {path.name for path in ROOT.glob("*.py")} == {
        "__init__.py",
        "__main__.py",
        "openspiel.py",
    }


def size(paths):
    """How large these files are: (lines, lines of code without blanks, comments and docstrings, tokens of that code)."""
    lines = code = tokens = 0
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for path in paths:
        text = path.read_text()
        said = {
            number
            for node in ast.walk(parsed(path))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            for number in range(node.lineno, node.end_lineno + 1)
        }
        found = [
            item
            for item in tokenize.generate_tokens(io.StringIO(text).readline)
            if item.type not in skipped and item.start[0] not in said
        ]
        lines += len(text.splitlines())
        code += len({number for item in found for number in range(item.start[0], item.end[0] + 1)})
        tokens += len(found)
    return lines, code, tokens


def rooms():
    """The files of each room."""
    found = {room: [] for room in BARS}
    for path in files():
        found[folder(module_of(path))].append(path)
    return found


@pytest.mark.parametrize("room", BARS)
def test_each_room_stays_below_its_bar(room):
    lines = size(rooms()[room])[0]
    assert lines <= BARS[room], f"{room} has {lines} lines, {lines - BARS[room]} more than its bar"
    assert lines > 0.8 * BARS[room], f"{room} has {lines} lines; its bar of {BARS[room]} can come down"


def test_imports_point_one_way():
    pairs = [(a, b) for a, others in imports(files()).items() for b in others]
    assert not [(a, b) for a, b in pairs if floor(folder(b)) > floor(folder(a))]


def test_no_slice_imports_another():
    pairs = [(a, b) for a, others in imports(files()).items() for b in others]
    assert not [(a, b) for a, b in pairs if folder(a) != folder(b) and {folder(a), folder(b)} <= set(SLICES)]


def test_no_circle_of_files():
    graph = imports([*files(), *beside()])
    done: set[str] = set()

    def visit(name, way):
        assert name not in way, " -> ".join((*way[way.index(name) :], name))
        if name not in done:
            for other in sorted(graph[name]):
                visit(other, (*way, name))
            done.add(name)

    for name in graph:
        visit(name, ())


COMMANDS = {name.replace("-", "_") for name in Imported().known}
TWINS = {ROOT / "play" / f"{name}.py" for name in ("loops", "numpy_loops", "numba_loops")}
"""The same functions, written for a compiler, in numpy, and compiled: one definition each."""


def in_a_slice(path, name):
    """Whether a slice's stub brings this name of the file, so that it is known as `relance.words.score`."""
    stubs = [(ROOT / room, ROOT / room / "__init__.pyi") for room in SLICES]
    return any(
        home / f"{node.module}.py" == path and name in {alias.name for alias in node.names}
        for home, stub in stubs
        if stub.exists()
        for node in parsed(stub).body
        if isinstance(node, ast.ImportFrom) and node.module
    )


def may_repeat(path, name):
    """Whether a name is what its file must call it: its role is known by the file, and others have the same."""
    return (
        (name == "Settings" and path.parent == ROOT / "baselines")  # of a learner
        or (name == "register" and module_of(path) in ADAPTERS.values())  # called when the framework is imported
        or ("commands" in path.parts and name in {path.stem, *COMMANDS})  # a command, or a reader that commands find
        or in_a_slice(path, name)
    )


def public_name(node):
    """The name of a function, a class or a type that this statement defines for other files; "" if it defines none."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name if name[0] != "_" else ""
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name if name[0].isupper() and not name.isupper() else ""
    return ""


def test_a_search_for_a_public_name_finds_one_definition():
    homes = defaultdict(set)
    for path in files():
        for node in parsed(path).body:
            if (name := public_name(node)) and not may_repeat(path, name):
                homes[name].add("play loops" if path in TWINS else str(path.relative_to(ROOT)))
    assert {name: sorted(where) for name, where in homes.items() if len(where) > 1} == {}


def test_nothing_in_the_package_imports_what_stands_beside_it():
    for path in files():
        assert not {name.split(".")[0] for name in names_imported(path)} & {
            "studies",
            "benchmarks",
            "tools",
            "tests",
        }, path


def test_what_is_below_the_adapters_knows_no_framework():
    for path in files():
        if folder(module_of(path)) in FREE_OF_FRAMEWORKS:
            assert not {name.split(".")[0] for name in names_imported(path)} & FRAMEWORKS, path


def test_the_facade():
    assert all(hasattr(relance, name) for name in relance.__all__)
    assert set(relance.__all__) <= set(dir(relance))
    assert sorted(relance.__all__) == relance.__all__
    assert relance.openspiel.from_policy is relance.from_policy
    assert relance.openspiel.to_efg is relance.to_efg
    assert (ROOT / "py.typed").exists()
    from importlib.metadata import version

    assert version("relance") == relance.__version__


def takes_a_game(item):
    given = inspect.signature(item).parameters if inspect.isfunction(item) else {}
    return "game" in given and "Game" in str(given["game"].annotation).split(" | ")


GOOD = {
    "profile": "published",
    "plan": "published",
    "player": 0,
    "agent": "uniform",
    "agents": {},
    "a": "uniform",
    "b": "uniform",
    "seat": 0,
    "hand": 0,
    "node": "",
}
GOOD |= {
    "name": "cfr+",
    "path": "none.jsonl",
    "source": None,
    "counts": {},
    "log": (),
    "seed": 0,
    "answers": 1,
}
"""For each other argument that a function needs, a value that it takes."""


@pytest.mark.parametrize("home", [relance, relance.openspiel, relance.words], ids=lambda home: home.__name__)
def test_a_game_may_be_text(home):
    """Every function of the facade that takes a game takes its text, checks its arguments, and can be sent to other processes."""
    found = [item for name in home.__all__ if takes_a_game(item := named(home, name))]
    assert len(found) > 4
    for item in found:
        given = inspect.signature(item).parameters
        assert "str" in str(given["game"].annotation), item
        assert pickle.loads(pickle.dumps(item)) is item
        needed = [
            one.name for one in given.values() if one.default is one.empty and one.kind < 2 and one.name != "game"
        ]
        with pytest.raises(ValueError, match="there is no game 'von_neuman'; did you mean 'von_neumann'"):
            item(game="von_neuman", **{name: GOOD[name] for name in needed})
        if item not in (relance.env, relance.parallel_env):
            with pytest.raises(TypeError, match="has no argument 'nosuch'"):
                item(nosuch=1)


PUBLIC = [importlib.import_module(f"relance.{room}") for room in (*CORE, LIBRARY, *SLICES, TOP)]
"""What a user may import from, beside the front itself and `relance.openspiel`; all else in the rooms is private."""


def named(room, name):
    """What has this name in a room; None if it needs an extra that is not installed, and says so."""
    try:
        return getattr(room, name)
    except ImportError as error:
        if "pip install 'relance[" not in str(error):
            raise
        return None


@pytest.mark.parametrize("room", PUBLIC, ids=lambda room: room.__name__)
def test_a_face_has_few_names_and_each_is_said_once(room):
    """The stub file is what the loader reads; no name stands at the front and in a room too, and no imported file takes its place."""
    assert 0 < len(room.__all__) <= (40 if room is relance.model else 30)
    assert not set(room.__all__) & set(relance.__all__) - {"score"}
    for path in Path(room.__file__).parent.glob("*"):
        with suppress(ImportError):
            importlib.import_module(f"{room.__name__}.{path.stem}")
    assert [name for name in room.__all__ if inspect.ismodule(named(room, name))] == []


def nothing_to_check(item):
    """Whether a function takes what it is given: no argument, or any object."""
    return all(kind in (object, Any) for name, kind in get_type_hints(item).items() if name != "return")


def is_checked(item):
    """Whether `checked` wraps a function, outside a cache, whose errors name no argument."""
    cached = hasattr(item, "cache_info")
    here = getattr(item, "__code__", None) is checked(len).__code__
    return here or (not cached and hasattr(item, "__wrapped__") and is_checked(item.__wrapped__))


@pytest.mark.parametrize("room", [relance, relance.openspiel, *PUBLIC], ids=lambda room: room.__name__)
def test_every_public_function_checks_its_arguments(room):
    """By its annotations, so that a wrong argument is refused in a sentence. What has a signature and is no class is a function."""
    found = {name: named(room, name) for name in room.__all__}
    functions = {name: item for name, item in found.items() if inspect.isroutine(item)}
    assert [name for name, item in functions.items() if not (is_checked(item) or nothing_to_check(item))] == []


SHOWN = [ROOT.parent / "README.md", ROOT.parent / "CONTRIBUTING.md"]
SHOWN += [
    path
    for folder in ("docs", "examples", "integrations", "notebooks", "paper")
    for path in sorted((ROOT.parent / folder).rglob("*"))
    if path.suffix in {".md", ".py", ".ipynb"} and (folder, path.suffix) != ("docs", ".py")  # these build the site
]


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.relative_to(ROOT.parent).as_posix())
def test_what_users_read_and_copy_names_public_names_only(path):
    """Code and prose alike: `relance.room.name`, and `from relance.room import name`."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    assert re.findall(r"\b(?:from|import) relance\.\w+\.\w+", text) == []
    used = re.findall(r"\brelance\.(\w+)\.(\w+)", text)
    for room, names in re.findall(r"\bfrom relance\.(\w+) import (\([^)]*\)|.*)", text):
        used += [(room, name) for name in re.findall(r"\w+", re.sub(r"#.*| as \w+", "", names))]
    assert [f"relance.{room}.{name}" for room, name in used if name not in getattr(relance, room).__all__] == []


def test_a_name_that_is_not_there_is_refused():
    with pytest.raises(AttributeError, match="nosuch"):
        getattr(relance, "nosuch")  # noqa: B009
    with pytest.raises(AttributeError, match="'nash_cov'; did you mean 'nash_conv'"):
        getattr(relance, "nash_cov")  # noqa: B009
    for name, home in (("TextAgent", "words"), ("gains", "solvers"), ("read_profile", "envs")):
        with pytest.raises(AttributeError, match=f"{name!r}; it is in relance.{home}$"):
            getattr(relance, name)
        assert hasattr(importlib.import_module(f"relance.{home}"), name)
    with pytest.raises(AttributeError, match="relance has no 'Path'; did you mean"):
        getattr(relance, "Path")  # noqa: B009 - a room imports it
    with pytest.raises(
        TypeError, match="score has no argument 'answers'; drawn answers are scored by relance.words.score"
    ):
        relance.score("one_card_poker", "uniform", answers=3)


def test_text_and_game_are_the_same_game():
    game, text = relance.make("one_card_poker", raises=0), "one_card_poker(raises=0)"
    profile = game.published()
    assert relance.value(text, profile) == relance.value(game, profile)
    assert relance.nash_conv(text, relance.solve(text)) == 0
    assert str(relance.score(text, "uniform")) == str(relance.score(game, "uniform"))
    assert Batch(text, 3).game == relance.openspiel.relance_game(relance.openspiel.load(text)) == game


def test_importing_needs_no_extra(tmp_path):
    """Neither the prover nor torch, matplotlib or pandas is loaded by `import relance`."""
    extras = ["z3", "flint", "torch", "matplotlib", "pandas", "typer", "scipy.optimize"]
    code = f"import sys, relance; print([m for m in {extras} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert out.stdout.strip() == "[]"


def test_without_the_prover_claims_are_imported_and_say_what_they_need(tmp_path):
    """Pages that import the claims are read where neither python-flint nor z3 is installed."""
    code = "import sys\nfor name in ('flint', 'z3'):\n    sys.modules[name] = None\nimport relance.claims.ledger\n"
    code += "try:\n    relance.claims.papers()\nexcept ImportError as error:\n    print(error)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert "pip install 'relance[proof]'" in out.stdout, out.stderr


UNTESTED = 47
"""So many modules have no test file of their name. The number may only fall."""


def test_a_module_has_a_test_file_of_its_name():
    left = [str(path.relative_to(ROOT)) for path in files() if path.stem[0] != "_" and named_test(path) is None]
    assert len(left) <= UNTESTED, left


def test_examples_exist_for_the_three_interfaces():
    examples = ROOT.parent / "examples"
    names = {path.stem for path in examples.glob("*.py")}
    assert {"openspiel_cfr", "pettingzoo_play", "gymnasium_seat"} <= names
    assert importlib.util.find_spec("relance") is not None


@pytest.mark.parametrize("name", ["published", "uniform"])
def test_names_of_profiles_and_texts_of_games_are_taken_by_trees_and_policies_too(name):
    from relance.equilibria import grade_game, grade_solution, lock_nodes

    text = "one_card_poker(raises=0)"
    game = relance.make(text)
    profile = game.published() if name == "published" else game.uniform()
    read = relance.from_policy(text, name)
    assert relance.nash_conv(game, read) == pytest.approx(float(relance.nash_conv(game, profile)), abs=1e-12)
    assert grade_solution(text, name).right == (name == "published")
    assert str(lock_nodes(text, name)) == str(lock_nodes(text, profile))
    assert grade_game(text, "kuhn_poker").right
    with pytest.raises(TypeError, match="relance_game: game='leduc' must be a Game"):
        relance.openspiel.relance_game("leduc")


if __name__ == "__main__":  # `python tests/test_layers.py` shows how large each room is
    print(f"{'room':14}{'lines':>8}{'bar':>8}{'code':>8}{'tokens':>9}")
    for _room, _paths in rooms().items():
        _lines, _code, _tokens = size(_paths)
        print(f"{_room:14}{_lines:8}{BARS[_room]:8}{_code:8}{_tokens:9}")
    print(f"{'all':14}{sum(size(paths)[0] for paths in rooms().values()):8}")
