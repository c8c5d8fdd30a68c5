"""Kills long runs at random instants, lets them go on, and counts what was lost: `python tests/fuzz/kills.py --kills 50 train ask`.

Each run is killed by SIGKILL, SIGTERM and SIGINT in turn and begun again, so many times; the last one ends by itself. Saves come each fifth
of a second in place of each minute, so what a SIGKILL may lose is a fifth of a second. Of a sweep the workers are killed.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

KUHN = "one_card_poker(raises=0)"
HELP = """
import time, relance.words
from relance.baselines import Algorithm
from relance.baselines.train_mmd import MmdSampled, SampledSettings
from relance.solvers.cfr_solver import Solver

def count(times=1):
    with open("count", "ab", 0) as file:
        file.write(b"." * times)

def reply(messages):
    time.sleep(0.004)
    count()
    return "[check]" if "call" not in messages[-1]["content"] else "[call]"

talker = relance.words.TextAgent(reply)

class Counted(MmdSampled):
    def step(self):
        time.sleep(0.02)
        played = super().step()
        count()
        return played

LEARNER = Algorithm("counted", SampledSettings, Counted, sees="samples")
run = Solver.run

def counted(solver, iterations):
    time.sleep(0.01)
    run(solver, iterations)
    count(iterations)

Solver.run = counted
"""
SOON = (
    "import sys, relance.model.files; relance.model.files.SAVED = 0.2; sys.path.insert(0, '.'); import helping; "
    "from relance.pages.commands.main import command_line; sys.argv = ['relance', *sys.argv[1:]]\n"
    "try: command_line()\nexcept KeyboardInterrupt: sys.exit(130)"
)
SAMPLES = str(64 * 2000)
COMMANDS = {
    "solve": ["solve", "von_neumann(hands=999)", "--tolerance", "1e-5", "--method", "cfr", "--checkpoint", "kept.npz"],
    "train": ["train", "helping:LEARNER", KUHN, "--set", "num_envs=64", "--samples", SAMPLES, "--checkpoint", "kept.npz", "-o", "kept"],
    "ask": ["ask", KUHN, "helping:talker", "--answers", "1000", "--answers-file", "kept"],
    "match": ["match", "helping:talker", "uniform", KUHN, "--within", "0.0001", "--hands", "8000", "--log", "kept"],
    "sweep": ["sweep", "plan.yaml", "-o", "kept", "--jobs", "2", "--import", "helping"],
}  # fmt: skip
PLAN = {
    "seeds": list(range(40)),
    "samples": 64 * 40,
    "runs": [{"games": [KUHN], "algorithms": [{"helping:LEARNER": {"num_envs": 64}}]}],
}
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def begun(folder: Path, name: str, *more: str) -> "subprocess.Popen[str]":
    """A command in a folder."""
    paths = [str(Path(__file__).parents[2]), str(folder), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-c", SOON, *COMMANDS[name], *more]
    out = (folder / "out").open("a")
    return subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=out, text=True, start_new_session=True)


def counted(folder: Path) -> int:
    """How much was done in this folder: steps, iterations or answers."""
    return (folder / "count").stat().st_size if (folder / "count").exists() else 0


def made(folder: Path) -> None:
    """Prepare a folder."""
    (folder / "helping.py").write_text(HELP)
    (folder / "plan.yaml").write_text(json.dumps(PLAN))


def killed(name: str, kills: int, folder: Path, chance: random.Random) -> dict[str, object]:
    """Kill a command so many times, and let it end; return what was found."""
    made(folder)
    statuses: dict[str, int] = {}
    ended = 0
    for number in range(kills):
        before, run = counted(folder), begun(folder, name)
        while counted(folder) == before and run.poll() is None:  # it is at work
            time.sleep(0.01)
        time.sleep(chance.random() * 1.5)
        if run.poll() is None:
            run.send_signal(SIGNALS[number % 3])
        else:
            ended += 1
        status = str(run.wait(120))
        statuses[status] = statuses.get(status, 0) + 1
        for path in (path for path in folder.iterdir() if path.suffix == ".npz" and not path.name.startswith(".")):
            with np.load(path) as archive:
                dict(archive)  # whole, or this raises
    last = begun(folder, name).wait(600)
    done = counted(folder)
    return {
        "killed": kills - ended,
        "statuses": statuses,
        "last status": last,
        "done": done,
        **needed(name, folder, done),
    }


def needed(name: str, folder: Path, done: int) -> dict[str, object]:
    """What was lost: what was done less what a run needs that is not killed; and whether the result is the same."""
    if name == "solve":
        with np.load(folder / "kept.npz") as archive:
            return {
                "lost": f"at most {done - int(archive['iteration'])}, with what the last run did after its last save"
            }
    whole = folder / "whole"
    whole.mkdir()
    made(whole)
    assert begun(whole, name).wait(600) == 0
    same = "the same" if result(name, folder) == result(name, whole) else "ANOTHER RESULT"
    return {"lost": done - counted(whole), "needed": counted(whole), "result": same}


def result(name: str, folder: Path) -> object:
    """What a run has in the end."""
    if name == "train":
        with np.load(folder / "kept.npz") as archive:
            return {key: archive[key].tobytes() for key in archive if key != "run"}
    lines = [json.loads(line) for line in (folder / "kept").read_text().splitlines()]
    if name == "sweep":
        return sorted((row["seed"], [point[1:] for point in row["points"]], str(row["policy"])) for row in lines)
    return len(lines), sorted(map(str, lines))


def workers_killed(engine: str, kills: int, folder: Path, chance: random.Random) -> dict[str, object]:
    """Kill workers of sweeps, five in each, so many in all."""
    made(folder)
    killed_so_far, sweeps, statuses, right = 0, 0, [], 0
    while killed_so_far < kills:
        here = folder / str(sweeps)
        here.mkdir()
        made(here)
        run = begun(here, "sweep", "--engine", engine)
        in_this = 0
        while run.poll() is None:
            time.sleep(0.3 + chance.random())
            found = workers(run.pid) if counted(here) and in_this < 5 else []
            if found:
                os.kill(chance.choice(found), signal.SIGKILL)
                in_this += 1
        killed_so_far, sweeps = killed_so_far + in_this, sweeps + 1
        statuses.append(run.wait())
        rows = [json.loads(line)["seed"] for line in (here / "kept").read_text().splitlines()]
        right += sorted(rows) == PLAN["seeds"]
    return {"workers killed": killed_so_far, "sweeps": sweeps, "with each row once": right, "statuses": statuses}


def workers(driver: int) -> list[int]:
    """The processes below a driver that run learners."""
    import psutil

    try:
        below = psutil.Process(driver).children(recursive=True)
        names = {one.pid: " ".join(one.cmdline()) for one in below}
    except psutil.Error:
        return []
    return [
        pid
        for pid, text in names.items()
        if any(mark in text for mark in ("LokyProcess", "spawn_main", "ray::PoolActor"))
    ]


def main() -> None:
    """Read the command line and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(COMMANDS))
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    # A shell's job in the background ignores it, and so would what it begins.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in given.names:
        with tempfile.TemporaryDirectory() as folder:
            chance = random.Random(given.seed)
            try:
                kind, _, engine = name.partition(":")
                found = (
                    workers_killed(engine, given.kills, Path(folder), chance)
                    if engine
                    else killed(kind, given.kills, Path(folder), chance)
                )
            except BaseException:
                print(*(out.read_text()[-3000:] for out in Path(folder).rglob("out")))
                raise
        print(name, found, flush=True)


if __name__ == "__main__":
    main()
