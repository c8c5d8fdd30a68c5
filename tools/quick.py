"""Types, style, and one case of each test that is near a change: the inner loop, `make quick`.

A change is what differs from the last commit, or where nothing does, the last commit itself. One case each is run, but for long tests, of
the tests in the changed folders, of the test files of modules that import a changed file, and of the layers; changed files of tests are
run with all cases. What is further away is left to `make test`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def changed() -> list[str]:
    """The files that differ from the last commit, or those of the last commit, without those that are gone."""

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    now = [*git("diff", "--name-only", "HEAD"), *git("ls-files", "--others", "--exclude-standard")]
    return [name for name in now or git("diff", "--name-only", "HEAD~1", "HEAD") if (ROOT / name).exists()]


def module(path: Path) -> str:
    """The name by which a file of the package is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path) -> Iterator[str]:
    """Every name that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def named_test(path: Path) -> Path | None:
    """The test file of a file of the package: `test_NAME.py` in the same folder of `tests/`.

    No two test files have the same name, so where it is taken, or the folder is not there, it begins with the name of the folder.
    """
    folder, name = ROOT / "tests" / path.parent.relative_to(ROOT / "relance"), f"{path.parent.name}_{path.stem}"
    ways = (folder / f"test_{path.stem}.py", folder / f"test_{name}.py", folder.parent / f"test_{name}.py")
    return next((way for way in ways if way.exists()), None)


def nearest(path: Path) -> Path:
    """The folder of `tests/` for a file of the package: of the same name, or one above."""
    folder = ROOT / "tests" / path.parent.relative_to(ROOT / "relance")
    return next(one for one in (folder, *folder.parents) if one.is_dir())


def touched(files: Iterable[str]) -> set[str]:
    """What to run a case each of, after a change of these files: folders and files of `tests/`."""
    inside = [ROOT / name for name in files if name.startswith("relance/")]
    names = {module(path) for path in inside}
    above = [path for path in (ROOT / "relance").rglob("*.py") if not names.isdisjoint(imported(path))]
    rooms = {nearest(path) for path in inside if path.parent != ROOT / "relance"}
    found = {one for path in above if (one := named_test(path)) and rooms.isdisjoint(one.parents)}
    return {path.relative_to(ROOT).as_posix() for path in rooms | found}


def main() -> int:
    """Run them. The status is 0 where all hold."""
    files = changed()
    near = sorted({*touched(files), "tests/test_layers.py"})
    python = [name for name in files if name.endswith((".py", ".pyi"))]
    whole = [name for name in python if Path(name).name.startswith("test_")]
    print(
        f"{len(files)} changed files; one case of each test in {', '.join(near)}; whole: {', '.join(whole) or 'none'}"
    )
    steps = [["ruff", "check", *python], ["ruff", "format", "--check", *python]] if python else []
    few = ["pytest", "-n", "auto", "--maxprocesses", "4"]
    steps += [["mypy"], [*few, "-m", "not slow and not long", "--cases", "1", *near]]
    steps += [[*few, *whole]] if whole else []
    return max(subprocess.run([sys.executable, "-m", *words], cwd=ROOT, check=False).returncode for words in steps)


if __name__ == "__main__":
    sys.exit(main())
