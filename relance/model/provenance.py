"""Records when, where and with which versions something was computed."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypedDict

PACKAGES = ("relance", "numpy", "torch", "open_spiel", "numba")


class Machine(TypedDict):
    """A computer: its processor, number of cores, operating system and architecture."""

    cpu: str
    cores: int | None
    system: str
    arch: str


class About(TypedDict):
    """When, where and with which versions something was computed."""

    date: str
    machine: Annotated[Machine, "an object with cpu, cores, system and arch"]
    versions: Annotated[dict[str, str], "an object"]


def about(packages: Sequence[str] = PACKAGES) -> About:
    """The date, this machine, and the versions of Python and of those of `packages` that are installed."""
    versions = {"python": platform.python_version()}
    for name in packages:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[name] = importlib.metadata.version(name)
    machine: Machine = {"cpu": _cpu(), "cores": os.cpu_count(), "system": platform.system(), "arch": platform.machine()}
    return {"date": datetime.now(UTC).date().isoformat(), "machine": machine, "versions": versions}


def about_run(command: str, **told: object) -> dict[str, Any]:
    """The record of origin that a result must have to be published, as a dictionary.

    Its entries are version, commit (None where there is no checkout), date, machine, versions of packages, command, and all of `told`.
    """
    here = about()
    version = here["versions"].get("relance", "")
    return {"version": version, "commit": commit() or None, "date": here["date"], "command": command, **told} | {**here}


@cache
def commit() -> str:
    """The commit of this checkout, 12 digits, with "-dirty" behind it if files differ from it; empty for an installed package."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return ""
    asked = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def _cpu() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
