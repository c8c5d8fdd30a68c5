"""Algorithms by name: known without their extras, one's own, and those that are refused."""

import subprocess
import sys

import pytest
from test_runs import GAME

import relance
from relance.baselines import runs
from relance.baselines.algorithms import algorithms


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cfr", "there is no algorithm 'cfr'"),
        ("openspiel_cfrplus", "did you mean 'openspiel_cfr_plus'"),
        ("no_such.module", "no module 'no_such'"),
        ("approaching:nothing", "lacks Settings"),
        ("os.path", "lacks Settings"),
        ("os", "lacks Settings"),
        (".os", "known: "),
        ("", "known: "),
    ],
)
def test_unknown_algorithms_are_refused(name, message):
    with pytest.raises(ValueError, match="there is no algorithm") as caught:
        runs.train(name, GAME, seconds=1)
    assert message in str(caught.value)


def test_an_algorithm_is_named_by_a_plain_module():
    assert runs.train("approaching", GAME, samples=10).algorithm == "approaching"


def test_algorithms_are_known_without_their_extras():
    """So that names are completed, and a game or a missing extra is refused, before anything is imported that takes seconds."""
    code = "from relance.baselines.algorithms import algorithms; import sys; print({*algorithms()}, 'torch' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.endswith(" False\n")
    assert all(name in out.stdout for name in algorithms())
    assert all(item.source and item.sees and bool(item.extra) == bool(item.modules) for item in algorithms().values())


@pytest.mark.parametrize("name", [item.name for item in algorithms().values() if item.extra])
def test_a_missing_extra_is_named_before_the_run(name, monkeypatch):
    for module in algorithms()[name].modules:
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(ImportError, match=rf"needs \w+: pip install 'relance\[{algorithms()[name].extra}\]'"):
                runs.train(name, GAME, samples=1)


def test_an_algorithm_of_ones_own_may_say_what_ours_say(tmp_path, monkeypatch):
    (tmp_path / "stated.py").write_text(
        "from approaching import Settings, start\nfrom relance.baselines.algorithms import Algorithm\n"
        "ONE = Algorithm('one', Settings, start, deterministic=True)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match=r"if it is your own, import stated first \(--import stated\)"):
        runs.planned("stated:ONE", GAME, samples=1)
    assert "stated" not in sys.modules
    assert runs.algorithm("stated:ONE", imports=True).deterministic
    with pytest.raises(ValueError, match="stated:ONE needs finitely many"):
        runs.train("stated:ONE", relance.make("von_neumann"), samples=1)
