"""Run what must notice a fault in the module that differs from the last commit, quickest first; exit with 1 if something does.

The last line printed names the killer: a test, or a claim that does not end as recorded. Run by `run.py`, in a copy; its arguments are
the processor seconds, and options of pytest that choose the tests.
"""

import json
import re
import resource
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

SECONDS = 240
"""Processor time after which a mutant counts as killed: it hardly ends by itself."""

QUICK = "not five_card"
"""Which tests to run: those with real cards take long, and use nothing that the others do not."""

VERIFIED = Path("../verified.json")
"""Written by `BASELINE`: the modules that `relance verify` loads; it cannot notice a fault in others."""

BASELINE = """
import json, sys
from relance.claims.verify import verify
wrong = [result.id for result in verify() if not result.as_recorded]
json.dump(sorted(name for name in sys.modules if name.startswith("relance.")), open("../verified.json", "w"))
sys.exit(f"without any mutant these claims do not end as recorded: {wrong}" if wrong else 0)
"""


class Killer:
    """Remembers the first test that fails, or the first file that cannot be read."""

    name = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.name = self.name or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.name = self.name or report.nodeid


def tests(*arguments: str) -> str:
    """The first test that fails, or "" if none does."""
    killer = Killer()
    options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "--hypothesis-seed=0", *sys.argv[2:]]
    code = pytest.main([*options, *arguments], plugins=[killer])
    return killer.name or ("" if code in (0, 5) else f"pytest ends with {code}")


def verify(*papers: str) -> str:
    """The first claim that does not end as recorded, or ""."""
    try:
        from relance.claims.ledger import decide
        from relance.claims.verify import selected

        for paper, claim in selected(papers):
            if not decide(paper, claim).as_recorded:
                return f"relance verify: {paper.key}/{claim.id}"
    except Exception as error:
        return f"relance verify: {type(error).__name__}"
    return ""


def killers(path: Path) -> Iterator[str]:
    """For each thing that may kill the mutant, in order: what kills it, or ""."""
    room, paper = path.parts[1], path.with_name("claims.toml")
    if paper.exists():
        key = tomllib.loads(paper.read_text(encoding="utf-8"))["key"]
        yield verify(key)
        yield tests("tests/claims", "-k", f"{key} and not readme")
        return
    folder, names = Path("tests", room), (f"test_{path.name}", f"test_{path.parent.name}_{path.name}")
    mirrors = [test for name in names for test in sorted(Path("tests").rglob(name))]
    naming = [test for test in sorted(folder.rglob("test_*.py")) if re.search(rf"\b{path.stem}\b", test.read_text())]
    yield tests(*map(str, dict.fromkeys([*mirrors, *naming]) or [folder]), "-k", QUICK)
    if room in ("model", "play"):
        yield tests(str(folder), "-k", QUICK)
    if ".".join(path.with_suffix("").parts) in json.loads(VERIFIED.read_text()):
        yield verify()
        yield tests("tests/claims", "-k", "not readme")


def main() -> int:
    seconds = int(sys.argv[1]) if sys.argv[1:] else SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    changed = subprocess.run(["git", "diff", "--name-only"], capture_output=True, text=True, check=True).stdout.split()
    for name in changed:
        for killer in killers(Path(name)):
            if killer:
                print(f"\nkilled by {killer}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
