"""The output of `relance --version`: all versions that a bug report needs."""

from __future__ import annotations

import platform
import re
from importlib.metadata import PackageNotFoundError, distribution


def versions() -> str:
    """Relance, Python and the platform, the packages that are always needed, and those of extras that are installed. A line each."""
    needed, extra = list[str](), list[str]()
    ours = distribution("relance")
    for requirement in ours.requires or ():
        package, _, condition = requirement.partition(";")
        found = _version(re.split(r"[^\w.-]", package.strip())[0])
        if found and not found.startswith("relance "):
            (extra if "extra" in condition else needed).append(found)
    lines = [f"relance {ours.version}", f"Python {platform.python_version()}, {platform.platform()}", ", ".join(needed)]
    unique = sorted(set(extra) - set(needed), key=str.lower)
    return "\n".join([*lines, f"of extras: {', '.join(unique) or 'none'}"])


def _version(name: str) -> str:
    """The installed package with its version, or nothing."""
    try:
        return f"{name} {distribution(name).version}"
    except PackageNotFoundError:
        return ""
