"""Rows of results that tests of the board make up."""

from relance.baselines import rows
from relance.baselines.algorithms import Algorithm, algorithms
from relance.envs.catalogue import make

MACHINE = {"cpu": "Z80", "cores": 1, "system": "CP/M", "arch": "z80"}


VERSIONS = {"python": "3.11.0", "relance": "0.1.0"}


ORIGIN = {"code": "0" * 12, "commit": "1" * 12}


def row(game="one_card_poker", algorithm="ppo", seed=0, last=0.5, seconds=60.0, **given):
    """A row that is ranked, as it says all of its origin, if its algorithm says what it sees or `given` does."""
    known = algorithms().get(algorithm, Algorithm)
    what = {
        "game": str(make(game)),
        "algorithm": algorithm,
        "settings": {},
        "seed": seed,
        "seconds": seconds,
        "samples": None,
        "points": [[0.4, 10_000, 1.0], [10.3, 100_000, 0.75], [seconds + 0.01, 1_000_000, last]],
        "ended": "budget",
        "policy": None,
        "date": "2026-01-02",
        "machine": MACHINE,
        "versions": VERSIONS,
        "jobs": 1,
        "sees": known.sees or "",
        "scored": known.scored,
        **ORIGIN,
        **given,
    }
    return {"key": rows.key_of(what), **what}


def written(path, *results):
    path.write_text("".join(rows.as_text(item) for item in results))
    return path


NODES = make("one_card_poker(raises=0)").tree.decisions


def policy(**changed):
    """A row's policy for Kuhn's game, with other rows at some nodes; None leaves a node out."""
    plan = {name: [[0.5] * 3] * len(node.actions) for name, node in NODES.items()} | changed
    return {name: rows for name, rows in plan.items() if rows is not None}
