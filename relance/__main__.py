"""The command `relance`, and `python -m relance`."""

import sys


def main() -> None:
    """Run the command line. Ctrl-C exits with status 130 and no traceback, even while modules are still being imported."""
    try:
        from relance.pages.commands.main import command_line as command

        command()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
