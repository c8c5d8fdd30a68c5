"""`python -m relance` is the command `relance`."""

from relance.commands.main import main

main()
