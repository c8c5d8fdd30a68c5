"""`python -m benchmarks`."""

from __future__ import annotations

import argparse
import sys

from benchmarks import GROUPS, main


def run() -> None:
    """Read the command line; an unknown name is one line on standard error and status 2."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Relance compared with its peers.")
    parser.add_argument("names", nargs="*", help="groups or benchmarks; all by default")
    parser.add_argument("--quick", action="store_true", help="small sizes, only to check that everything runs")
    parser.add_argument("--json", metavar="FILE", help="write the results, with machine, versions and date")
    parser.add_argument("--list", action="store_true", help="list the groups and their benchmarks")
    arguments = parser.parse_args()
    if arguments.list:
        for group, benches in GROUPS.items():
            print(f"{group}: {', '.join(benches)}")
        return
    try:
        main(arguments.names, arguments.quick, arguments.json)
    except ValueError as error:
        sys.exit(f"benchmarks: {error}")


if __name__ == "__main__":
    run()
