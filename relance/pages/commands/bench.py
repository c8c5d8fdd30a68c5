"""Benchmarks against other libraries: `relance bench`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated

from relance.pages.commands.generator import command
from relance.pages.commands.typed import WrittenPath


@command()
def bench(
    names: list[str] | None = None,
    /,
    quick: bool = False,
    json_file: Annotated[Path | None, "--json", WrittenPath()] = None,
) -> None:
    """Benchmark Relance against other installed libraries, and print the ratios. This runs benchmarks/ of a checkout.

    Args:
        names: groups or benchmarks, such as scoring or lp; all by default.
        quick: use small sizes, to check that everything runs.
        json_file: write the results to this file.

    Examples:
        relance bench scoring --quick
    """
    if not (Path.cwd() / "benchmarks" / "__init__.py").is_file():
        raise ValueError("relance bench runs the folder benchmarks/ of a checkout: change to the checkout's root first")
    sys.path.insert(0, str(Path.cwd()))
    import_module("benchmarks").main(names or [], quick, json_file)
