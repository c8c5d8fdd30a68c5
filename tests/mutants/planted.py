"""Plant the faults of planted.toml, which people wrote by hand, and see what notices: `make mutants ARGS="--planted"`.

Each is planted in a clone of the last commit and meets the tests of its room, chosen as `make test` chooses them, until one fails.
It ends with 1 if a fault survives that has no reason to be harmless, or is out of date: the text that it changes must stand in its file
exactly once.
"""

import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from again import HERE, ROOT, WORK, chosen, environment

PLANTED = HERE / "planted.toml"
TREE = WORK / "planted"

SECONDS = 120
"""A fault whose tests take longer counts as killed: somebody waits for ever."""

ENDS = ("killed", "out of time", "harmless", "survived", "out of date")
"""How it may end with a fault."""


class Fault(NamedTuple):
    """A fault of the file: what a user `gives`, and the reason if it is `harmless`."""

    room: str
    file: str
    before: str
    after: str
    gives: str
    tests: tuple[str, ...]
    harmless: str = ""


def planted(text: str) -> list[Fault]:
    """The faults that the text of such a file lists; a fault may be in another file than its room's."""
    rooms = tomllib.loads(text)["room"]
    return [
        Fault(**{"room": room["name"], "file": room["file"], "tests": tuple(room["tests"]), **fault})
        for room in rooms
        for fault in room["fault"]
    ]


def failed(tree: Path, tests: Sequence[str]) -> tuple[str, str]:
    """How these tests end there, one of `ENDS`, and the first one that fails."""
    options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0"]
    run = [sys.executable, "-m", "pytest", *options, *chosen(tree), *tests]
    try:
        done = subprocess.run(
            run, cwd=tree, env=environment(tree), capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return "out of time", ""
    said = [line.split(" - ")[0] for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return ("killed", (said or [f"pytest ends with {done.returncode}"])[0]) if done.returncode else ("survived", "")


def end_of(tree: Path, fault: Fault) -> tuple[str, str]:
    """How it ends with a fault, one of `ENDS`, and what kills it or why it is harmless; the file is then as before."""
    path = tree / fault.file
    kept = path.read_text(encoding="utf-8")
    if kept.count(fault.before) != 1:
        return "out of date", f"the text stands there {kept.count(fault.before)} times"
    path.write_text(kept.replace(fault.before, fault.after), encoding="utf-8")
    try:
        end, by = failed(tree, fault.tests)
    finally:
        path.write_text(kept, encoding="utf-8")
    return ("harmless", fault.harmless) if end == "survived" and fault.harmless else (end, by)


def table(ends: Sequence[tuple[str, str]]) -> str:
    """Of (room, end): for each room, and for all, how many ended so."""
    counts = {room: Counter(end for name, end in ends if room in (name, "all")) for room in [*dict(ends), "all"]}
    heads = [end for end in ENDS if counts["all"][end]]
    rows = [["room", "planted", *heads]]
    rows += [[room, str(of.total()), *(str(of[end]) for end in heads)] for room, of in counts.items()]
    return "\n".join("  ".join(f"{cell:{18 if i == 0 else 11}}" for i, cell in enumerate(row)).rstrip() for row in rows)


def replay(only: Sequence[str]) -> int:
    """Replay the faults of these files or folders and print how each ends; 1 if one survives without a reason or is out of date."""
    shutil.rmtree(TREE, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), str(TREE)], check=True)
    faults = [
        fault
        for fault in planted(PLANTED.read_text(encoding="utf-8"))
        if any(Path(fault.file).is_relative_to(path) for path in only)
    ]
    for tests in dict.fromkeys(fault.tests for fault in faults):
        end, by = failed(TREE, tests)
        if end != "survived":
            print(f"without any fault: {end} {by}")
            return 1
    ends = []
    for i, fault in enumerate(faults, 1):
        end, by = end_of(TREE, fault)
        ends.append((fault.room, end))
        print(f"{i}/{len(faults)} {fault.file}: {' '.join(fault.after.split())}", flush=True)
        print(f"    {fault.gives}\n    {end.upper() if end in ENDS[3:] else end} {by}", flush=True)
    print(table(ends))
    return int(any(end in ENDS[3:] for _, end in ends))


if __name__ == "__main__":
    sys.exit(replay(sys.argv[1:] or ["relance"]))
