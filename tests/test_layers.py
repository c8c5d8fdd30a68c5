"""The house: imports point one way, and the facade is what it says."""

import ast
import importlib.util
from pathlib import Path

import relance

ROOT = Path(relance.__file__).parent
LAYERS = {"model": 0, "envs": 1, "solve": 2, "claims": 3, "plots": 3, "baselines": 4, "registration": 4}
FRAMEWORKS = {"pyspiel", "open_spiel", "gymnasium", "pettingzoo"}


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_imports_point_one_way():
    for folder, level in LAYERS.items():
        for path in (ROOT / folder).glob("*.py"):
            for name in imports(path):
                if name.startswith("relance."):
                    other = name.split(".")[1]
                    assert LAYERS.get(other, 9) <= level, f"{path.name} imports {name}"


def test_model_and_solvers_know_no_framework():
    for folder in ("model", "envs", "solve"):
        for path in (ROOT / folder).glob("*.py"):
            assert not {name.split(".")[0] for name in imports(path)} & FRAMEWORKS, path


def test_the_facade():
    assert all(hasattr(relance, name) for name in relance.__all__)
    assert sorted(relance.__all__) == relance.__all__
    assert (ROOT / "py.typed").exists()
    from importlib.metadata import version

    assert version("relance") == relance.__version__


def test_importing_needs_no_extra(tmp_path):
    """Neither the prover nor torch, matplotlib or pandas is loaded by `import relance`."""
    import subprocess
    import sys

    extras = ["z3", "flint", "torch", "matplotlib", "pandas", "typer", "scipy.optimize"]
    code = f"import sys, relance; print([m for m in {extras} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert out.stdout.strip() == "[]"


def test_no_file_is_longer_than_a_reader_can_hold():
    long = {str(p.relative_to(ROOT)): n for p in ROOT.rglob("*.py") if (n := len(p.read_text().splitlines())) > 320}
    assert not long, long


def test_examples_exist_for_the_three_interfaces():
    examples = ROOT.parent / "examples"
    names = {path.stem for path in examples.glob("*.py")}
    assert {"openspiel_cfr", "pettingzoo_play", "gymnasium_seat"} <= names
    assert importlib.util.find_spec("relance") is not None
