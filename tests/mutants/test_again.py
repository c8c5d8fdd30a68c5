"""A mutant that was tried once is found again by its line."""

import pytest

pytest.importorskip("resource", reason="limits of processor time are not on Windows")

from again import ROOT, chosen, places, said


def test_a_line_is_found_in_its_file_or_where_it_has_moved(tmp_path):
    for name, text in (
        ("model/distributions.py", "a = 1\n    b = 2\n"),
        ("solvers/distributions.py", "b = 2\n"),
        ("solvers/lp.py", "c = 3\n"),
    ):
        path = tmp_path / "relance" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def found(file, before):
        at = places(tmp_path, {"file": f"relance/{file}", "before": before})
        return [(str(path.relative_to(tmp_path / "relance")), i) for path, i in at]

    assert found("model/distributions.py", "b = 2") == [("model/distributions.py", 1)]
    assert found("rules/distributions.py", "b = 2") == [("model/distributions.py", 1), ("solvers/distributions.py", 0)]
    assert found("rules/rules.py", "c = 3") == [("solvers/lp.py", 0)]
    assert found("model/distributions.py", "d = 4") == []


def test_a_mutant_that_takes_too_long_is_not_said_to_be_noticed():
    assert list(map(said, ["tests/x.py::test_y", "time", ""])) == ["killed", "out of time", "survived"]


def test_tests_are_chosen_as_make_test_does(tmp_path):
    (tmp_path / "Makefile").write_text(
        'quick:\n\tpytest -n auto x\n\ntest: style ## all\n\tpython -m pytest -n auto -m "not slow"\n\nmore:\n'
    )
    assert chosen(tmp_path) == ["-m", "not slow"]
    assert chosen(ROOT)[:2] == ["-m", "not slow and not long"]
