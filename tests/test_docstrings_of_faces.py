"""Public functions say what they return and what they raise: ruff's rules on docstrings, on the public names of all rooms."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest
from test_layers import PUBLIC, named

import relance

ROOT = Path(relance.__file__).parent
LEFT = {
    "relance.train": "rows of the board have a hash of its file",
    "relance.baselines.": "the same",
    "relance.words.hand_environment": "`act`, inside it, is described to models, word by word",
}
"""What lacks a section, by the beginning of its name, with the reason."""


def functions():
    """The public functions, and the methods of the public classes, by name."""
    for room in (relance, relance.openspiel, *PUBLIC):
        for name in room.__all__:
            item = named(room, name)
            if inspect.isfunction(item):
                yield f"{room.__name__}.{name}", item
            elif inspect.isclass(item) and item.__module__.startswith("relance."):
                for method, kept in vars(item).items():
                    kept = getattr(kept, "__func__", kept)
                    if method[0] != "_" and inspect.isfunction(kept):
                        yield f"{room.__name__}.{name}.{method}", kept


def spans():
    """The file, and the first and last line, of each public function."""
    for name, item in functions():
        plain = inspect.unwrap(item)
        lines, first = inspect.getsourcelines(plain)
        yield name, Path(inspect.getsourcefile(plain)), range(first, first + len(lines))


def told(*paths, rules="DOC201,DOC402,DOC501"):
    """What ruff says of these files: returns, yields and raised errors that a docstring of several lines leaves out."""
    options = ["--isolated", "--preview", "--select", rules, "--output-format", "json", "--no-cache"]
    options += [
        "--config",
        "lint.pydocstyle.convention='google'",
        "--config",
        "lint.pydoclint.ignore-one-line-docstrings=true",
    ]
    run = subprocess.run([sys.executable, "-m", "ruff", "check", *options, *paths], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    return [(Path(one["filename"]), one["location"]["row"], one["message"]) for one in json.loads(run.stdout)]


def test_public_functions_say_what_they_return_and_raise():
    found = told(ROOT)
    assert found
    missing = {
        f"{name}: {message}"
        for name, path, lines in spans()
        for file, row, message in found
        if file == path and row in lines and not name.startswith(tuple(LEFT))
    }
    assert missing == set()


@pytest.mark.parametrize(("body", "count"), [("return a", 1), ("raise ValueError", 1), ("pass", 0)])
def test_the_linter_finds_what_it_looks_for(tmp_path, body, count):
    file = tmp_path / "one.py"
    file.write_text(
        f'def f(a):\n    """Do this.\n\n    Args:\n        a: that.\n    """\n    {body}\n', encoding="utf-8"
    )
    assert len(told(file)) == count
