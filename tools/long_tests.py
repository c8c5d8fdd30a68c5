"""Record which cases of tests take half a second or more: tests/long.txt, which `make test` leaves to `make test-all`.

`python -m pytest -n auto -m "not slow" -p tools.long_tests`, on an idle machine. Of a test whose cases are all long, the quickest stays in
`make test` if it takes at most `MOST` seconds.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

LONG, MOST = 0.5, 1.5
"""In seconds, with what the case sets up and takes down."""

PATH = Path(__file__).parents[1] / "tests/long.txt"

_seconds: dict[str, float] = defaultdict(float)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):  # workers of pytest-xdist report to the session that writes
        PATH.write_text("".join(f"{name}\n" for name in sorted(long_cases(_seconds))), encoding="utf-8")


def long_cases(seconds: dict[str, float]) -> set[str]:
    """The cases to leave out, by what each took."""
    tests: dict[str, list[str]] = defaultdict(list)
    for case in seconds:
        tests[case.partition("[")[0]].append(case)
    out = {case for case, took in seconds.items() if took >= LONG}
    for cases in tests.values():
        quickest = min(cases, key=lambda case: seconds[case])
        if seconds[quickest] <= MOST:
            out.discard(quickest)
    return out
