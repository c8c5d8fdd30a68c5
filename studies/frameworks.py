"""How near to an equilibrium of Kuhn's game the scripts of examples/frameworks come, each with the seeds 0, 1 and 2.

`python -m studies.frameworks [SCRIPT.py ...]` runs these scripts, or all but those `APART`, each as it is by default and on one thread, and
puts their rows into docs/results/frameworks.jsonl in the place of old ones. `make numbers` then makes the table of
docs/howto/use_a_framework.md.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from relance.model.files import json_line, write_text

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / "examples" / "frameworks"
RESULTS = ROOT / "docs" / "results" / "frameworks.jsonl"
SEEDS = (0, 1, 2)
"""Settings were compared on others, from 100 on."""

APART = ("rllib_ppo.py", "trl_grpo.py")
"""Scripts without rows: they need much longer, and the first an environment of its own. The page names them."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
HEAD = ("script", "framework", "NashConv", "NashConv of the last policy", "seconds:", "extra or [group](install.md)")


def run(script: str, seed: int) -> dict[str, Any]:
    """Run a script: NashConv of its last policy and of the average, which may be None, and processor seconds, also those of imports."""
    before = os.times()
    words = [sys.executable, str(SCRIPTS / script), str(seed)]
    said = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, env=os.environ | ONE_THREAD).stdout
    after = os.times()
    seconds = sum(after[2:4]) - sum(before[2:4])
    return {"script": script, "seed": seed, **reached(said), "seconds": round(seconds)}


def reached(said: str) -> dict[str, float | None]:
    """NashConv of the last policy, and of the average or None, from what a script prints at its end."""
    found = re.search(r"NashConv (\S+) of the last policy(?:, (\S+) of the average)?", said)
    if found is None:
        raise ValueError(f"the script does not say the NashConv of its last policy: {said[-200:]!r}")
    return {"last": float(found[1]), "average": None if found[2] is None else float(found[2])}


def kept() -> list[dict[str, Any]]:
    """The rows of docs/results/frameworks.jsonl."""
    return [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()] if RESULTS.exists() else []


def cells() -> Iterator[Sequence[object]]:
    """For each script a row of the table whose head is `HEAD`: the policy that it is about is the average, if there is one."""
    rows = kept()
    for script in sorted({row["script"] for row in rows}):
        needs, _, first, *_ = (SCRIPTS / script).read_text(encoding="utf-8").splitlines()
        mine = sorted((row for row in rows if row["script"] == script), key=lambda row: row["seed"])
        lasts, averages = ([row[which] for row in mine] for which in ("last", "average"))
        figures = [["" if one is None else f"{one:.3f}" for one in each] for each in (averages, lasts)]
        shown, others = (", ".join(each) for each in (figures if averages[0] is not None else (figures[1], [])))
        yield (
            f"`{script}`",
            first.strip('"').rstrip("."),
            shown,
            others,
            f"{median(row['seconds'] for row in mine):.0f}",
            f"`{needs.rpartition(' ')[2]}`",
        )


def main(scripts: Sequence[str]) -> None:
    """Run these scripts, or all, and keep the rows of each at once."""
    for script in scripts or sorted({path.name for path in SCRIPTS.glob("[!_]*.py")} - {*APART}):
        for seed in SEEDS:
            new = run(script, seed)
            print(json_line(new), end="", flush=True)
            others = [row for row in kept() if (row["script"], row["seed"]) != (script, seed)]
            rows = sorted([*others, new], key=lambda row: (row["script"], row["seed"]))
            write_text(RESULTS, "".join(map(json_line, rows)))


if __name__ == "__main__":
    main(sys.argv[1:])
