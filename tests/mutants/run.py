"""Plant faults in the code, one at a time, and see what notices: `make mutants`, or `make mutants ARGS="--count 50 --seed 2"`.

cosmic-ray makes the mutants and runs `killers.py` on each in a clone of the last commit. A sample of those that change more than
text is tried until the time is spent; run it again with --resume to go on. What is found goes to docs/results/mutants.jsonl, and
docs/mutants.md counts it. It ends with 1 if a mutant survives that harmless.toml gives no reason for. With --planted, the faults that
people planted by hand are replayed instead: see planted.py.
"""

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import evolve
from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.config import ConfigDict, load_config
from cosmic_ray.modules import find_modules
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.plugins import get_operator, operator_names
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkItem, WorkResult
from killers import BASELINE, SECONDS
from planted import replay

ROOT = Path(__file__).parents[2]
WORK = ROOT / ".mutants"
TREE = WORK / "tree"
CONFIG = Path("tests/mutants/cosmic-ray.toml")
ROWS, PAGE, HARMLESS = (
    ROOT / "docs/results/mutants.jsonl",
    ROOT / "docs/mutants.md",
    Path(__file__).with_name("harmless.toml"),
)


def clone() -> str:
    """Clone the last commit into the empty folder `TREE` and work there; return the commit."""
    shutil.rmtree(WORK, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), str(TREE)], check=True)
    return subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=TREE, capture_output=True, text=True
    ).stdout.strip()


SINCE = "tests written since"


def text_only(path: Path) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The spans of a module that make only text, types or a check of lengths that nothing should fail: see the cases."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        parts: list[ast.AST | None] = []
        match node:
            case ast.JoinedStr() | ast.keyword(arg="strict"):
                parts = [node]
            case ast.Raise():
                parts = [node.exc]
            case ast.FunctionDef(name="__repr__" | "__str__"):
                parts = [*node.body]
            case ast.FunctionDef() | ast.arg() | ast.AnnAssign():
                parts = [getattr(node, "returns", None), getattr(node, "annotation", None)]
                parts += getattr(node, "decorator_list", [])
        for part in parts:
            if part is not None:
                yield (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)


def mutants(config: ConfigDict) -> Iterator[MutationSpec]:
    """All mutants that change more than text, as `cosmic-ray init` makes them, but only those of wanted operators."""
    unwanted = re.compile("|".join(config.sub("filters", "operators-filter")["exclude-operators"]))
    names = [name for name in operator_names() if not unwanted.match(name) and not get_operator(name).arguments()]
    for path in sorted(find_modules([Path(folder) for folder in config["module-path"]])):
        spans, nodes = list(text_only(path)), list(ast_nodes(get_ast_from_path(path)))
        for name in names:
            operator = get_operator(name)()
            places = ((node, *span) for node in nodes for span in operator.mutation_positions(node))
            for occurrence, (node, start, end) in enumerate(places):
                if not any(first <= tuple(start) < last for first, last in spans):
                    inside = ASTQuery(node).get_definition_name()
                    yield MutationSpec(path, name, occurrence, start, end, {}, inside)


def room(mutation: MutationSpec) -> str:
    return mutation.module_path.parts[1]


def sampled(possible: list[MutationSpec], count: int, seed: int) -> list[MutationSpec]:
    """A random sample, in random order, with as many from each room (or all, if there are fewer)."""
    draw, chosen = random.Random(seed), list[MutationSpec]()
    rooms = sorted(set(map(room, possible)))
    for name in rooms:
        mine = [mutation for mutation in possible if room(mutation) == name]
        chosen += draw.sample(mine, min(count // len(rooms), len(mine)))
    draw.shuffle(chosen)
    return chosen


def row(item: WorkItem, result: WorkResult) -> dict[str, str]:
    """A mutant as written to the file: where it is, what it changes, and what killed it ("" if nothing)."""
    (mutation,) = item.mutations
    lines = [line for line in (result.diff or "").splitlines() if not line.startswith(("---", "+++"))]
    before, after = ([line[1:].strip() for line in lines if line.startswith(sign)] for sign in "-+")
    killers = re.findall(r"^killed by (.*)$", result.output or "", re.MULTILINE)
    killed = result.test_outcome != TestOutcome.SURVIVED
    return {
        "file": str(mutation.module_path),
        "in": mutation.definition_name or "",
        "before": " ".join(before),
        "after": " ".join(after),
        "killed_by": (killers[-1] if killers else "time") if killed else "",
        "since": SINCE if killed and SINCE in (result.output or "") else "",
    }


KINDS = ("tests", "verify", "planted numbers", "time", SINCE)


def kind(row: dict[str, str]) -> str:
    """What killed a mutant: one of `KINDS`, or "survived"."""
    killer = row["killed_by"]
    if not killer or row["since"]:
        return row["since"] or "survived"
    if killer.startswith("relance verify"):
        return "verify"
    return "planted numbers" if "planted_error" in killer else "time" if killer == "time" else "tests"


def reasons() -> dict[str, str]:
    """Why a survivor is harmless, by its file, its definition and the changed line."""
    entries = tomllib.loads(HARMLESS.read_text(encoding="utf-8"))["mutant"] if HARMLESS.exists() else []
    return {f"{e['file']} {e['before']} -> {e['after']}": e["reason"] for e in entries}


def key(row: dict[str, str]) -> str:
    return f"{row['file']} {row['before']} -> {row['after']}"


def page(about: dict[str, Any], rows: list[dict[str, str]]) -> str:
    """The page of the documentation."""
    counts = Counter(map(kind, rows))
    killed = ", ".join(f"{counts[name]} by {name}" for name in KINDS if counts[name])
    possible = f"{sum(about['possible'].values()):,}"
    return TEXT.format(
        **{**about, "possible": possible}, tried=len(rows), killed=killed, survived=counts["survived"], SECONDS=SECONDS
    )


TEXT = """# Mutants

This page tells how many faults in the code would escape the tests. `make mutants` plants faults one at a time, such as `<`
for `<=` or 2 for 1. It then runs the tests that name the module or belong to its folder, `relance verify`, and the tests that falsify
claims on purpose, until something fails, for at most {SECONDS} seconds of processor time. It never changes messages, types, decorators and
`strict=True`.

The code had {possible} possible faults at commit {commit}. Of these, {tried} were drawn at random (seed {seed}) and tried,
about the same number from each folder. Noticed: {killed}. The other {survived} are harmless, for the
reasons in `tests/mutants/harmless.toml`; `make mutants` fails if a reason is missing. All {tried} are in `docs/results/mutants.jsonl`.

`make mutants ARGS="--planted"` replays <!-- planted -->241<!-- end --> faults that people planted by hand,
about a dozen in each of several modules (`tests/mutants/planted.toml`). Before these modules had tests of
their own, no test noticed 95 of these faults. Now one is unnoticed; it is harmless (`planted.toml` says why).
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many mutants to sample (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default 1)")
    parser.add_argument("--seconds", type=float, default=3600, help="when to stop (default after an hour)")
    parser.add_argument("--only", nargs="+", default=["relance"], help="these files or folders (default all)")
    parser.add_argument("--resume", action="store_true", help="go on with the last sample")
    parser.add_argument("--again", action="store_true", help="try the survivors without a reason on the last commit")
    parser.add_argument(
        "--report", action="store_true", help="write the page from the rows that are there, and try nothing"
    )
    parser.add_argument("--planted", action="store_true", help="replay the faults of planted.toml instead")
    options = parser.parse_args()
    if options.planted:
        return replay(options.only)
    if options.report:
        about, *rows = map(json.loads, ROWS.read_text(encoding="utf-8").splitlines())
        return finish(about, rows)
    start, session, about_file = time.monotonic(), WORK / "session.sqlite", WORK / "about.json"
    if options.again:
        subprocess.run(["git", "fetch", "--quiet", "--depth", "1", "origin", "HEAD"], cwd=TREE, check=True)
        subprocess.run(["git", "reset", "--quiet", "--hard", "FETCH_HEAD"], cwd=TREE, check=True)
    commit = "" if options.resume or options.again else clone()
    os.environ.update(PYTHONPATH=str(TREE), PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    os.chdir(TREE)
    config = load_config(str(CONFIG))
    with use_db(str(session)) as db:
        if commit:
            subprocess.run([sys.executable, "-c", BASELINE], check=True)
            wanted = [Path(name) for name in options.only]
            possible = [m for m in mutants(config) if any(m.module_path.is_relative_to(path) for path in wanted)]
            chosen = sampled(possible, options.count, options.seed)
            db.add_work_items(WorkItem.single(str(i), mutation) for i, mutation in enumerate(chosen))
            about_file.write_text(
                json.dumps(
                    {
                        "commit": commit,
                        "seed": options.seed,
                        "possible": Counter(map(room, possible)),
                    }
                )
            )
        done = {item.job_id: row(item, result) for item, result in db.completed_work_items}
        doubtful = {job for job, known in done.items() if not known["killed_by"] and key(known) not in reasons()}
        pending = [i for i in db.work_items if i.job_id in doubtful] if options.again else list(db.pending_work_items)
        pending.sort(key=lambda item: int(item.job_id))
        for i, item in enumerate(pending, 1):
            if time.monotonic() - start > options.seconds:
                break
            result = mutate_and_test(item.mutations, config.test_command, config.timeout)
            said = row(item, result)
            if options.again:
                result = evolve(result, output=f"{SINCE}\n{result.output}")
            if options.again and key(said) != key(done[item.job_id]):
                said["killed_by"] = "nothing: the line has changed since"
            else:
                db.set_result(item.job_id, result)
            print(f"{i}/{len(pending)} {said['file']} {said['in']}: {said['before']} -> {said['after']}", flush=True)
            print(f"    {said['killed_by'] or 'SURVIVED'}", flush=True)
        rows = sorted((row(*done) for done in db.completed_work_items), key=key)
    return finish(json.loads(about_file.read_text()), rows)


def finish(about: dict[str, Any], rows: list[dict[str, str]]) -> int:
    """Write the rows and the page; 1 if a survivor has no reason to be harmless."""
    ROWS.write_text("".join(json.dumps(line) + "\n" for line in [about, *rows]), encoding="utf-8")
    PAGE.write_text(page(about, rows), encoding="utf-8")
    unexplained = [row for row in rows if not row["killed_by"] and key(row) not in reasons()]
    for survivor in unexplained:
        print(f"survived, and no reason is known why it is harmless: {key(survivor)}")
    return int(bool(unexplained))


if __name__ == "__main__":
    sys.exit(main())
