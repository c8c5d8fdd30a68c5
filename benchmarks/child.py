"""Benchmarks in fresh processes, with their largest memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness import ROOT, Missing, Work


def child(code: str, timeout: float, figure: str = "seconds") -> Work:
    """Code that runs in a fresh process and puts this figure into `result`; "peak", its largest memory in bytes, is always there."""
    return Work(lambda: partial(in_child, code, timeout), slow=True, own_figure=figure)


def in_child(code: str, timeout: float) -> dict[str, Any]:
    """Run Python code in a fresh process; return what it puts into `result`, and `peak`, its largest memory in bytes.

    Raises:
        Missing: it fails, with the last line of its errors, or takes longer than `timeout` seconds.
    """
    tail = "\nfrom benchmarks.child import peak\nimport json\nprint(json.dumps({**result, 'peak': peak()}))\n"
    printed = run_python("import time\nresult = {}\n" + code + tail, timeout=timeout)
    result: dict[str, Any] = json.loads(printed.strip().splitlines()[-1])
    return result


def run_python(code: str, *arguments: str, timeout: float, python: str = sys.executable) -> str:
    """Run Python code in a fresh process of an interpreter and return what it prints; raises as `in_child` does."""
    try:
        done = subprocess.run(
            [python, "-c", code, *arguments],
            capture_output=True,
            text=True,
            timeout=timeout,
            cwd=ROOT,
            env=environment(),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"stopped after {timeout:g} s") from None
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise Missing("stopped at its limit of processor time or memory")
    if done.returncode:
        raise Missing("not available: " + (done.stderr.strip().splitlines() or ["no message"])[-1])
    return done.stdout


def environment() -> dict[str, str]:
    """The environment of fresh processes: like this one, and everyone may keep compiled bytecode."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def peak() -> float:
    """The largest memory of this process in bytes."""
    try:  # getrusage also counts the parent's memory at the time of the fork
        status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return 1024.0 * next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1.0 if sys.platform == "darwin" else 1024.0)
