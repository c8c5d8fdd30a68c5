"""The cases for JAX run in a process of their own: its threads would make every later fork of this one unsafe."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest


@pytest.mark.skipif(not find_spec("jax"), reason="needs the extra jax")
def test_in_a_process_of_its_own():
    cases = Path(__file__).with_name("jax_cases.py")
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", str(cases)], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
