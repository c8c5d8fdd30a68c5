"""The cases for scores in JAX run in processes of their own, as in `test_jax.py`: in float32, and in float64."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest


@pytest.mark.skipif(not find_spec("jax"), reason="needs the extra jax")
@pytest.mark.parametrize("double", ["0", "1"])
def test_in_a_process_of_its_own(double):
    command = [sys.executable, "-m", "pytest", "-q", str(Path(__file__).with_name("jax_score_cases.py"))]
    run = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"JAX_ENABLE_X64": double})
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
