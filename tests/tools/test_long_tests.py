"""What `make test` leaves to `make test-all` because it takes long."""

from pathlib import Path

from conftest import LONG

from tools.long_tests import long_cases

ROOT = Path(__file__).parents[2]


def test_long_cases_are_left_out_but_the_quickest_of_a_test_stays():
    seconds = {"a::x[1]": 0.2, "a::x[2]": 0.7, "a::y[1]": 0.9, "a::y[2]": 1.4, "a::z": 2.0, "a::w": 0.5}
    assert long_cases(seconds) == {"a::x[2]", "a::y[2]", "a::z"}


def test_the_cases_that_are_left_out_are_of_tests_that_exist():
    """If this fails, run what `tools/long_tests.py` says."""
    tests = {case.partition("[")[0] for case in LONG}
    files = {name.partition("::")[0] for name in tests}
    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in files}
    assert [name for name in tests if f"def {name.rpartition('::')[2]}(" not in texts[name.partition("::")[0]]] == []
