"""Delete one slice at a time in a copy of the checkout, and check that nothing else breaks: imports, help, and the other tests.

python -m tools.slices                  # or `make slices`; ARGS="words" for one slice, "--collect" to import the tests only
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SLICES = ("claims", "baselines", "words")
CORE = ("model", "solvers", "envs", "play", "registration", "equilibria")
"""The folders of tests/ that need no slice; tests/pages and the files in tests/ itself are of the whole."""

APART = ("tests/solvers/test_exact_simplex.py",)
"""Left out: it draws its programs by benchmarks/, which stands beside the package and uses every slice."""

IMPORTS = """
import importlib, pkgutil, sys, relance
for item in pkgutil.walk_packages(relance.__path__, "relance."):
    try:
        importlib.import_module(item.name)
    except ImportError as error:
        if "relance" in (error.name or "") or "relance." in str(error).partition("pip install")[0]:
            sys.exit(f"{item.name}: {error}")
"""
"""Imports all that is left. An extra that is not installed is no fault."""


def main(arguments: list[str]) -> int:
    """Try each slice, or those that are named. The status is the number of steps that failed."""
    failed = 0
    for slice_ in [name for name in SLICES if name in arguments] or SLICES:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            for part in ("relance", "tests", "docs", "examples", "benchmarks", "studies", "tools"):
                shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copy(ROOT / "pyproject.toml", copy)
            shutil.rmtree(copy / "relance" / slice_)
            for page in (copy / "relance" / "pages").rglob("*.py"):  # pages stand on top of the slices
                if re.search(rf"^(from|import) relance\.{slice_}\b", page.read_text(encoding="utf-8"), re.MULTILINE):
                    page.unlink()
            shutil.rmtree(copy / "tests" / slice_)
            tests = [f"tests/{name}" for name in (*CORE, *SLICES) if name != slice_]
            collect = ["--collect-only"] if "--collect" in arguments else []
            steps = {
                "imports": ["-c", IMPORTS],
                "help": ["-m", "relance", "--help"],
                "tests": [
                    "-m",
                    "pytest",
                    "-q",
                    "-n",
                    "auto",
                    "-m",
                    "not slow and not long",
                    "--games",
                    "8",
                    *collect,
                    *(f"--ignore={name}" for name in APART),
                    *tests,
                ],
            }
            for step, words in steps.items():
                done = subprocess.run(
                    [sys.executable, *words],
                    cwd=copy,
                    env={**os.environ, "PYTHONPATH": folder},
                    capture_output=True,
                    text=True,
                    check=False,
                )
                failed += bool(done.returncode)
                lines = (done.stdout + done.stderr).strip().splitlines() or [""]
                told = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
                shown = lines[-1:] if done.returncode == 0 else told or lines[-20:]
                print(
                    f"without {slice_}, {step}: {'fails' if done.returncode else 'good'}",
                    *shown,
                    sep="\n    ",
                    flush=True,
                )
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
