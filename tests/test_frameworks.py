"""The examples of frameworks and pitfalls run as a user would run them, shorter, where what they need is installed.

Each file says in its first lines what it needs (`# extra: NAME` or `# group: NAME`) and the arguments of its short form (`# quick: 0 9`).
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from studies import frameworks

ROOT = Path(__file__).parent.parent
NEEDS = {
    "none": [],
    "torch": ["torch"],
    "sb3": ["sb3_contrib"],
    "torchrl": ["torchrl"],
    "tianshou": ["tianshou"],
    "rllib": ["ray.rllib", "torch"],
    "trl": ["trl", "torch"],
    "jax": ["jax", "optax"],
    "shimmy": ["shimmy"],
    "pgx": ["pgx", "jax"],
}
"""Modules of each extra and group, so that a file is skipped only where they are missing."""

LEARNED = {"jax_descent": 0.05, "cleanrl_make_vec": 0.3, "sb3_maskable_ppo": 0.3, "torchrl_ppo": 0.3, "jax_ppo": 0.3}
"""The NashConv below which the short form ends, where it is long enough to learn; uniform play has 0.917."""

FILES = [
    path for folder in ("frameworks", "pitfalls") for path in sorted((ROOT / "examples" / folder).glob("[!_]*.py"))
]


def header(path):
    """What the first lines say: the name of the extra or group, and the arguments of the short form."""
    needs, quick = path.read_text().splitlines()[:2]
    return re.fullmatch("# (?:extra|group): (.*)", needs)[1], re.fullmatch("# quick: (.*)", quick)[1].split()


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
    assert int(quick[-1]) > 0


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
        [sys.executable, str(path), *quick],
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
    if path.stem in LEARNED:
        last, average = frameworks.reached(out.stdout).values()
        assert (last if average is None else average) < LEARNED[path.stem]


def test_the_page_names_every_script():
    page = (ROOT / "docs" / "pitfalls.md").read_text()
    for path in (ROOT / "examples" / "pitfalls").glob("[!_]*.py"):
        assert path.name in page, path.name


def test_the_table_has_every_script_with_every_seed_below_a_tenth():
    rows = frameworks.kept()
    scripts = {path.name for path in frameworks.SCRIPTS.glob("[!_]*.py")} - {*frameworks.APART}
    assert {(row["script"], row["seed"]) for row in rows} == {
        (name, seed) for name in scripts for seed in frameworks.SEEDS
    }
    best = {(row["script"], row["seed"]): row["last"] if row["average"] is None else row["average"] for row in rows}
    assert max(best.values()) <= 0.1
    page = (ROOT / "docs" / "howto" / "train_against_relance.md").read_text()
    explained = [name for name in scripts if f"<!-- {name.removesuffix('.py')} -->" in page]
    assert len(explained) == 4
    assert max(best[name, seed] for name in explained for seed in frameworks.SEEDS) < 0.05


def test_a_script_that_does_not_say_what_it_reached_is_refused():
    assert frameworks.reached("9 steps: NashConv 0.2 of the last policy, 0.1 of the average") == {
        "last": 0.2,
        "average": 0.1,
    }
    with pytest.raises(ValueError, match="does not say"):
        frameworks.reached("NashConv 0.2")
