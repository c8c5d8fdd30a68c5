"""Plant the mutants of docs/results/mutants.jsonl again and say whether `make test` notices each: before and after a change of the tests.

`python tests/mutants/again.py --before REF --seconds 900` tries each that was killed at the last commit and at REF, one after the
other, until the time is spent. A mutant is found again by its line, wherever that stands now; lines that have gone are counted.
It needs the group test alone, and ends with 1 if something is killed at REF but not at the last commit.
"""

import argparse
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path

from killers import BASELINE

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ROWS, WORK = ROOT / "docs/results/mutants.jsonl", ROOT / ".mutants"


def places(tree: Path, row: dict[str, str]) -> list[tuple[Path, int]]:
    """Where a mutant's line stands: in its file, or else in one of the same name, or else in any; each with the number of its line."""
    folders = tomllib.loads((HERE / "cosmic-ray.toml").read_text())["cosmic-ray"]["module-path"]
    files = [path for folder in folders for path in sorted((tree / folder).rglob("*.py"))]
    found = [
        (path, i)
        for path in files
        for i, line in enumerate(path.read_text(encoding="utf-8").splitlines())
        if line.strip() == row["before"]
    ]
    named = [place for place in found if place[0].name == Path(row["file"]).name]
    return [place for place in named if place[0] == tree / row["file"]] or named or found


def clone(ref: str, name: str) -> Path:
    """A clone of this commit, in which `relance verify` has said which modules it loads."""
    tree = WORK / name / "tree"
    shutil.rmtree(tree.parent, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(tree)], check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", ref], cwd=tree, check=True)
    subprocess.run([sys.executable, "-c", BASELINE], cwd=tree, env=environment(tree), check=True)
    return tree


def environment(tree: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}


def chosen(tree: Path) -> list[str]:
    """How `make test` chooses its tests there: the options of its call of pytest."""
    rule = (tree / "Makefile").read_text(encoding="utf-8").partition("\ntest: ")[2]
    return shlex.split(rule.partition("-m pytest -n auto ")[2].partition("\n")[0])


def killer(tree: Path, row: dict[str, str], seconds: int) -> str | None:
    """What kills the mutant in this tree: "" if nothing does, None if its line is not there."""
    found = places(tree, row)
    if not found:
        return None
    path, i = found[0]
    kept = path.read_text(encoding="utf-8")
    lines = kept.splitlines(keepends=True)
    lines[i] = lines[i].replace(row["before"], row["after"])
    path.write_text("".join(lines), encoding="utf-8")
    run = [sys.executable, str(HERE / "killers.py"), str(seconds), *chosen(tree)]
    done = subprocess.run(run, cwd=tree, env=environment(tree), capture_output=True, text=True, check=False)
    path.write_text(kept, encoding="utf-8")
    said = [line.removeprefix("killed by ") for line in done.stdout.splitlines() if line.startswith("killed by ")]
    return (said or ["time" if done.returncode else ""])[-1]


def said(killed_by: str) -> str:
    return {"": "survived", "time": "out of time"}.get(killed_by, "killed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--before", help="a commit to compare with: where it is not given, the killer in the file is the one before"
    )
    parser.add_argument(
        "--rows", type=Path, default=ROWS, help="rows as run.py writes them (default those of the docs)"
    )
    parser.add_argument("--seed", type=int, default=1, help="the order in which they are tried (default 1)")
    parser.add_argument("--seconds", type=float, default=900, help="when to stop (default after a quarter of an hour)")
    parser.add_argument(
        "--each", type=int, default=120, help="processor seconds for a mutant, then it counts as killed by time"
    )
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    _, *rows = map(json.loads, options.rows.read_text(encoding="utf-8").splitlines())
    rows = [row for row in rows if row["killed_by"]]
    random.Random(options.seed).shuffle(rows)
    now = clone("HEAD", "now")
    old = options.before and clone(options.before, "before")
    counts = Counter[str]()
    for i, row in enumerate(rows, 1):
        if time.monotonic() > end:
            break
        after = killer(now, row, options.each)
        before = row["killed_by"] if after is None or not old else killer(old, row, options.each)
        kind = "gone" if after is None or before is None else f"{said(before)}, now {said(after)}"
        counts[kind] += 1
        print(f"{i}/{len(rows)} {kind}: {row['file']} {row['in']}: {row['before']} -> {row['after']}", flush=True)
        if kind != "gone":
            print(f"    before: {before or 'nothing'}\n    now: {after or 'nothing'}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return int(bool(counts["killed, now survived"]))


if __name__ == "__main__":
    sys.exit(main())
