"""The games are there in whatever order the package and a framework are imported, and no framework is imported unasked."""

import subprocess
import sys
from itertools import permutations

import pytest
from conftest import marked

PROBES = {
    "pyspiel": "pyspiel.load_game('relance_von_neumann(hands=9)')",
    "gymnasium": "gymnasium.make('relance/VonNeumann-v0')",
    "pettingzoo": "pettingzoo.make('aec', 'relance/von_neumann-v0', bet=2)",
}


def run(code):
    out = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert out.returncode == 0, out.stderr
    return out.stdout


ORDERS = [(f, "relance") for f in PROBES] + [("relance", *p) for p in permutations(PROBES)]


@pytest.mark.parametrize("order", marked(ORDERS, lambda order: order in ORDERS[4:-1]))
def test_any_order(order):
    asked = [name for name in order if name in PROBES]
    run(f"import {', '.join(order)}\n" + "\n".join(PROBES[name] for name in asked))


def test_no_framework_unasked():
    loaded = f"print([m for m in {list(PROBES)} if m in sys.modules])"
    assert run(f"import sys, relance; relance.solve(relance.make('endgame')); {loaded}").strip() == "[]"


def test_looking_for_a_framework_does_not_use_up_the_registration():
    run(
        "import relance, importlib.util\nassert importlib.util.find_spec('gymnasium')\nimport gymnasium\n"
        + PROBES["gymnasium"]
    )


def test_reloading_does_no_harm():
    run(
        "import importlib, relance, gymnasium\nimportlib.reload(relance)\nimportlib.reload(gymnasium)\n"
        + PROBES["gymnasium"]
    )


def test_a_missing_framework_is_still_missing():
    code = "import sys, relance\nsys.modules['pettingzoo'] = None\ntry:\n    import pettingzoo\nexcept ImportError:\n    print('missing')"
    assert run(code).strip() == "missing"


@pytest.mark.parametrize("first", ["relance.openspiel", "relance.from_policy", "relance.registration.openspiel.load"])
def test_each_side_of_a_framework_can_be_asked_for_first(first):
    run(f"import {first.rpartition('.')[0]}\n{first}")
