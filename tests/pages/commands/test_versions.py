"""`relance --version`: what a report of a bug needs."""

import platform
import re
from importlib.metadata import requires, version

from test_help import run

import relance


def test_the_versions_that_a_report_of_a_bug_needs():
    out = run("--version")
    ours, python, needed, extras = out.stdout.splitlines()
    assert (out.returncode, ours) == (0, f"relance {relance.__version__}")
    assert python == f"Python {platform.python_version()}, {platform.platform()}"
    names = [re.match(r"[\w-]+", line)[0] for line in requires("relance") if "extra ==" not in line]
    assert needed.split(", ") == [f"{name} {version(name)}" for name in names]
    assert f"numba {version('numba')}" in extras.removeprefix("of extras: ").split(", ")
    assert "relance" not in extras
