"""Types, style, and one case of each test that a change can touch: the inner loop, `make quick`.

A change is what differs from the last commit, or where nothing does, the last commit itself. Tests of the changed rooms and of all
rooms with a file that imports a changed one are run with one case each, changed files of tests with all cases. `make test` runs everything.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]


def changed() -> list[str]:
    """The files that differ from the last commit, or those of the last commit."""

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    now = [*git("diff", "--name-only", "HEAD"), *git("ls-files", "--others", "--exclude-standard")]
    return now or git("diff", "--name-only", "HEAD~1", "HEAD")


def modules() -> dict[str, Path]:
    """Every module of the package with its file."""
    paths = sorted((ROOT / "relance").rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def imported_by() -> dict[str, set[str]]:
    """For each module of the package, the modules that import it; a folder stands for all in it, as its names are loaded late."""
    known = modules()
    by: dict[str, set[str]] = {name: set() for name in known}
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            asked: list[str] = []
            if isinstance(node, ast.ImportFrom) and node.module:
                asked = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                asked = [alias.name for alias in node.names]
            for other in known.keys() & set(asked) - {name, "relance"}:
                by[other].add(name)
        folder = name.rpartition(".")[0]
        if folder in known and folder != "relance":
            by[name].add(folder)
    return by


def touched(files: Iterable[str], by: dict[str, set[str]]) -> set[str]:
    """The rooms of these files, and of all modules that import them, directly or not; the package's own file touches all."""
    parts = [Path(name).with_suffix("").parts for name in files if Path(name).parts[0] == "relance"]
    if ("relance", "__init__") in parts:
        return {name.split(".")[1] for name in by if "." in name}
    found = {".".join(one).removesuffix(".__init__") for one in parts}
    found |= {
        ".".join(one[:-1]) for one in parts if ".".join(one) not in by and len(one) > 2
    }  # data belong to their folder
    while new := {above for name in found for above in by.get(name, ())} - found:
        found |= new
    return {name.split(".")[1] for name in found if "." in name}


def main() -> int:
    """Run them. The status is 0 where all hold."""
    files = changed()
    rooms = [f"tests/{room}" for room in sorted(touched(files, imported_by())) if (ROOT / "tests" / room).is_dir()]
    tests = [
        name
        for name in files
        if Path(name).name.startswith("test_") and name.endswith(".py") and (ROOT / name).exists()
    ]
    print(
        f"{len(files)} changed files; one case of each test in {', '.join(rooms) or 'no folder'}; whole: {', '.join(tests) or 'none'}"
    )
    steps = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
    steps += [["pytest", "-n", "auto", "-m", "not slow", "--cases", "1", *rooms, "tests/test_layers.py"]]
    steps += [["pytest", "-n", "auto", *tests]] if tests else []
    return max(subprocess.run([sys.executable, "-m", *words], cwd=ROOT, check=False).returncode for words in steps)


if __name__ == "__main__":
    sys.exit(main())
