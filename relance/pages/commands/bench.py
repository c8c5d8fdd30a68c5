"""Relance beside its peers: `relance bench`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from relance.pages.commands.shared import check_file, command


@command("relance bench scoring --quick")
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="Groups or benchmarks, such as scoring or lp; all by default.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Use small sizes, to check that everything runs.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the results to this file.")] = None,
) -> None:
    """Benchmark Relance against its installed peers, and print the ratios. This runs benchmarks/ of a checkout."""
    if not (Path.cwd() / "benchmarks" / "__init__.py").is_file():
        raise ValueError("relance bench runs the folder benchmarks/ of a checkout: change to the checkout's root first")
    check_file(json_file, "--json")
    sys.path.insert(0, str(Path.cwd()))
    from importlib import import_module

    import_module("benchmarks").main(names or [], quick, None if json_file is None else str(json_file))
