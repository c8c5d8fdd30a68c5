"""The command line: `relance --help`."""

from __future__ import annotations

import sys

from rich.console import Console

from relance.commands import agents, claims, explore, games, learn, pictures, play  # noqa: F401 - each adds its commands
from relance.commands.shared import app


def main() -> None:
    """Run the command line; what goes wrong is one line on standard error and status 2; Ctrl-C is status 130."""
    try:
        app()
    except (ValueError, TypeError, ImportError, ArithmeticError, OSError) as error:
        Console(stderr=True, highlight=False).print(f"relance: {error}", markup=False, soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
