"""The examples of frameworks and pitfalls run as a user would run them, shorter, where what they need is installed.

Each file says in its first lines what it needs (`# extra: NAME` or `# group: NAME`) and the argument of its short form (`# quick: NUMBER`).
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NEEDS = {
    "none": [],
    "torch": ["torch"],
    "sb3": ["sb3_contrib"],
    "torchrl": ["torchrl"],
    "rlcard": ["rlcard", "torch", "pygame"],
    "tianshou": ["tianshou"],
    "rllib": ["ray.rllib", "torch"],
    "trl": ["trl", "torch"],
    "jax": ["jax", "optax"],
    "shimmy": ["shimmy"],
    "pgx": ["pgx", "jax"],
}
"""Modules of each extra and group, so that a file is skipped only where they are missing."""

FILES = [
    path for folder in ("frameworks", "pitfalls") for path in sorted((ROOT / "examples" / folder).glob("[!_]*.py"))
]


def header(path):
    """What the first lines say: the name of the extra or group, and the argument of the short form."""
    needs, quick = path.read_text().splitlines()[:2]
    return re.fullmatch("# (?:extra|group): (.*)", needs)[1], re.fullmatch("# quick: (.*)", quick)[1]


def missing(modules):
    def there(name):
        try:
            return find_spec(name) is not None
        except ImportError:
            return False

    return [name for name in modules if not there(name)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_says_what_it_needs(path):
    name, quick = header(path)
    assert name in NEEDS
    assert int(quick) > 0


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_runs(path, tmp_path):
    name, quick = header(path)
    lacking = missing(NEEDS[name])
    if lacking:
        pytest.skip(f"needs {name}: no {', '.join(lacking)}")
    if name == "rllib":  # Ray alone is not enough
        pytest.importorskip("ray.rllib", reason="RLlib needs an environment of its own", exc_type=ImportError)
    one = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # small networks, and tests that run side by side
    out = subprocess.run(
        [sys.executable, str(path), quick],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=600,
        env=os.environ | one,
    )
    assert out.returncode == 0, out.stderr[-2000:]
    assert any(
        word in out.stdout for word in ("NashConv", "earns", "returns wrong", "actions a game", "observations")
    ), out.stdout
    reached = re.search(r"NashConv (\S+) at most", out.stdout)
    assert reached is None or float(reached[1]) < 0.05


def test_the_page_names_every_script():
    page = (ROOT / "docs" / "pitfalls.md").read_text()
    for path in (ROOT / "examples" / "pitfalls").glob("[!_]*.py"):
        assert path.name in page, path.name
