"""Give thousands of bad inputs to the package: `make fuzz`, or `make fuzz ARGS="--count 10000 --seed 2"`.

It counts hangs, tracebacks (errors that no docstring names) and inputs that are silently accepted, prints each, and ends with 1 if
there is one.
"""

import argparse
import contextlib
import faulthandler
import io
import os
import resource
import sys
import tempfile
import time
import warnings
from collections import Counter
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from fuzz.inputs import KINDS, cases
from fuzz.judge import SECONDS, WAITED, judged

MEMORY = 8 * 2**30
"""More than this is refused to the process, so that an input that takes all memory is a traceback."""


def main() -> int:
    """Run the inputs; the number of those that ended badly."""
    read = argparse.ArgumentParser(description=__doc__)
    read.add_argument("--count", type=int, default=6800)
    read.add_argument("--seed", type=int, default=0)
    read.add_argument("--only", nargs="+", choices=[kind.__name__ for kind in KINDS], help="these kinds (default all)")
    read.add_argument(
        "--first", type=int, default=0, help="the round to begin with, as it stands beside what was found"
    )
    asked = read.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    shown: set[str] = set()
    start = time.monotonic()
    for number, case in enumerate(islice(cases(asked.seed, asked.only, asked.first), asked.count)):
        faulthandler.dump_traceback_later(2 * WAITED * SECONDS, exit=True)  # a hang that takes no signal ends the job
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.chdir(folder),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            result = judged(case, Path(folder))
        faulthandler.cancel_dump_traceback_later()
        counts[result.partition(":")[0]] += 1
        if ":" in result and result not in shown:
            shown.add(result)
            print(f"{number}, --seed {asked.seed} {case.place}: {result}", flush=True)
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {asked.count}", end="", file=sys.stderr, flush=True)
    bad = {kind: counts[kind] for kind in ("hang", "traceback", "raw", "accepted")}
    print(
        f"{asked.count} inputs in {time.monotonic() - start:.0f} s: {counts['refused']} refused, {counts['fine']} fine; {bad}"
    )
    return sum(bad.values())


if __name__ == "__main__":
    os.environ["COLUMNS"] = "100"
    sys.exit(min(main(), 1))
