"""Bad inputs for every way in: texts of games, the facade, strategies, agents, files, the command line, environments, the explorer."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import inspect
import json
import os
import random
import sys
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from itertools import count
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import gymnasium
import numpy as np
from fuzz import foreign, strangers
from fuzz.cut_off import cut_off
from fuzz.judge import Case, Traceback, command

import relance
from relance.baselines.rows import as_row, as_text, finished
from relance.baselines.runs import planned
from relance.baselines.sweep import read_plan, tasks
from relance.baselines.tuning import read_found
from relance.envs.catalogue import BLUEPRINTS, read_profile, write_profile
from relance.envs.ferguson_endgame import endgame_bets
from relance.model.numbers import short
from relance.model.strategy import Strategy
from relance.pages.explore.guard import guarded
from relance.pages.explore.position import opened
from relance.play.batch import Batch
from relance.registration.gymnasium import SeatEnv
from relance.registration.pettingzoo import ParallelEnv, env, parallel_env
from relance.registration.vector import VectorSeatEnv
from relance.solvers.cfr_solver import Solver, read_checkpoint
from relance.words.text_agent import parse_reply

Cases = Iterator[Case]

KUHN, NEUMANN = relance.make("one_card_poker(raises=0)"), relance.make("von_neumann")

NUMBERS = (
    "1e1000000000",
    "1e-1000000000",
    "9" * 10_000,
    "nan",
    "inf",
    "-inf",
    "1/0",
    "--1",
    "1e400",
    "0x10",
    "1+2j",
    "[1]",
)
NUMBERS += ("\x00", "None", "-" * 5000 + "1", "(" * 5000, "9**9**9", "1_", "½", "1;;x", "__import__('os')", "lambda: 0")
"""Texts that are no parameter of any game."""

JUNK: tuple[Any, ...] = (
    object(),
    b"x",
    1j,
    float("nan"),
    -1.5,
    np.ones((2, 3)),
    "\x00junk",
    [[]],
    {"a": object()},
    10**5000,
    (1, "two", 3),
)
"""Values that hardly anything takes."""

SYMBOLS = "abcJQK019.,;:()[]{}<>|&'\"\\/=+-*% \n\t\x00é½∞\U0001f0a1"


def soup(dice: random.Random, most: int = 60) -> str:
    """Any text."""
    return "".join(dice.choices(SYMBOLS, k=dice.randrange(most)))


def spoiled(dice: random.Random, text: str) -> str:
    """A text with a few of its characters changed, cut, repeated or nested deeply."""
    for _ in range(dice.randrange(1, 4)):
        at, length = dice.randrange(len(text) + 1), dice.randrange(1, 12)
        part = text[at : at + length]
        new = dice.choice(("", soup(dice, 4), part * 2, "[" * 5000, "9" * 5000, "-1", "NaN", "1e999", "null", '"'))
        text = text[:at] + new + text[at + length :]
    return text


def parameters(dice: random.Random) -> Cases:
    """Parameters of every game, as objects and in the game's text."""
    blueprint = dice.choice(list(BLUEPRINTS.values()))
    name = dice.choice([*blueprint.parameters, "hands"])
    text, value = dice.choice(NUMBERS), dice.choice(JUNK)
    yield Case(f"make {blueprint.name}({name}={text[:40]})", lambda _: relance.make(f"{blueprint.name}({name}={text})"))
    yield Case(f"make {blueprint.name}, {name}={short(value)}", lambda _: relance.make(blueprint.name, **{name: value}))
    sample = str(relance.make(blueprint.name))
    bad = spoiled(dice, sample)
    yield Case(f"make {bad[:150]!r}", lambda _: str(relance.make(bad)), bad=False)
    yield Case(f"explore {bad[:150]!r}", lambda _: opened(bad), bad=False)
    words = dice.choice(("show", "solve", "export"))
    yield Case(f"relance {words} {text[:40]!r} as {name}", lambda _: command(words, f"{blueprint.name}({name}={text})"))


PROFILE = KUHN.published()
CALLS: dict[str, dict[str, Any]] = {
    "relance:best_response": {"game": "one_card_poker", "profile": "published", "player": 0},
    "relance:exploitability": {"game": KUHN, "profile": "uniform"},
    "relance:env": {"game": KUHN},
    "relance:from_policy": {"game": KUHN, "source": None},
    "relance:make": {"name": "von_neumann"},
    "relance:match": {
        "game": KUHN,
        "a": "uniform",
        "b": "published",
        "hands": 100,
        "seed": 0,
        "within": 1,
        "names": None,
        "log": None,
    },
    "relance:nash_conv": {"game": KUHN, "profile": PROFILE},
    "relance:prove": {"game": KUHN, "plan": PROFILE, "where": None, "value": None},
    "relance:region": {"names": "B"},
    "relance:register": {"blueprint": None},
    "relance:score": {
        "game": KUHN,
        "agent": "uniform",
        "tolerance": 0.1,
        "mode": "sample",
        "illegal": "error",
        "budget": 100,
    },
    "relance:solve": {
        "game": KUHN,
        "method": "cfr+",
        "tolerance": 0.1,
        "iterations": 10,
        "warm_start": True,
        "checkpoint": None,
    },
    "relance:to_efg": {"game": KUHN},
    "relance:train": {"name": "cfr+", "game": KUHN, "samples": 100, "seed": 0, "settings": None, "at_samples": ()},
    "relance:value": {"game": KUHN, "profile": PROFILE},
    "relance:verify": {"papers": "miao-2014/value", "smtlib": None},
    "relance.envs.catalogue:read_profile": {"path": "none.json"},
    "relance.envs.ferguson_endgame:endgame_bets": {"limit": "pot", "ante": 1, "rounds": 2, "stack": None},
    "relance.openspiel:policy": {"game": KUHN, "profile": PROFILE},
    "relance.play.batch:Batch": {
        "game": KUHN,
        "n": 2,
        "seed": 0,
        "first": 0,
        "autoreset": "same_step",
        "compiled": False,
    },
    "relance.registration.pettingzoo:parallel_env": {"game": KUHN},
    "relance.play.exact_score:earned": {"game": KUHN, "agent": "uniform", "seat": 0, "opponent": "published"},
    "relance.play.opponents:opponent": {"name": "uniform"},
    "relance.solvers.exact:gains": {"game": KUHN, "profile": PROFILE},
    "relance.solvers.exact:regrets": {"game": KUHN, "profile": PROFILE, "player": 0},
    "relance.words:cost": {"game": KUHN, "agent": "uniform", "answers": 3, "hands": None},
    "relance.words:estimate": {"game": KUHN, "counts": {}, "seed": 0},
    "relance.words:matches": {"game": KUHN, "agents": {"a": "uniform", "b": "passive"}, "hands": 20, "within": 1},
    "relance.words:read_games": {"path": "none.jsonl"},
    "relance.words:renamed": {"game": KUHN, "seed": 0},
    "relance.words:score": {"game": KUHN, "agent": "uniform", "answers": 2, "budget": 100, "answers_file": None},
    "relance.words:score_games": {"game": KUHN, "log": ()},
    "relance.words:Endpoint": {"url": "http://localhost", "model": "x", "tries": 1, "seconds": 1, "options": {}},
    "relance.words:TextAgent": {"reply": str, "retries": 0, "batched": False},
}
"""Calls of public functions that work, each but for the argument that is replaced."""


def facade(dice: random.Random) -> Cases:
    """Each public function with one argument that it cannot take, or one that it does not have."""
    name = dice.choice(list(CALLS))
    function = resolve_name(name)
    argument = dice.choice(list(CALLS[name]))
    value = dice.choice(JUNK if isinstance(CALLS[name][argument], bool) else (*JUNK, True))
    right = argument == "value" and type(value) in (int, float) and value == value  # an exact number may have any size
    yield Case(
        f"{name}({argument}={short(value)})", lambda _: function(**{**CALLS[name], argument: value}), bad=not right
    )
    if "env" not in name and name != "relance:make":  # these take any
        yield Case(f"{name}(nosuch)", lambda _: function(**CALLS[name], nosuch=1))


def _ragged(seen: Any, masks: Any) -> Any:
    return [[1.0], *([[0.5, 0.5]] * (len(seen) - 1))]


NONSENSE: dict[str, Callable[[], object]] = {
    "epsilon twice": lambda: relance.score(KUHN, "perturbed(epsilon=0.1,epsilon=0.2)"),
    "as_printed=5, by name": lambda: relance.score(KUHN, "published(as_printed=5)"),
    "as_printed=5": lambda: KUHN.published(as_printed=5),  # type: ignore[arg-type]
    "names=5": lambda: relance.match(KUHN, "uniform", "published", names=5),  # type: ignore[arg-type]
    "within=True": lambda: relance.match(KUHN, "uniform", "published", within=True),
    "within=abc": lambda: relance.match(KUHN, "uniform", "published", within="abc"),  # type: ignore[arg-type]
    "budget=nan": lambda: relance.score(KUHN, "uniform", budget=float("nan")),  # type: ignore[arg-type]
    "budget=x": lambda: relance.score(KUHN, "uniform", budget="x"),  # type: ignore[arg-type]
    "cost of nobody": lambda: relance.words.cost(KUHN, "nosuch", answers=3),
    "cost of an empty mixture": lambda: relance.words.cost(KUHN, [[]], answers=3),
    "cost at a profile": lambda: relance.words.cost(KUHN, "uniform", answers=3, hands=PROFILE),  # type: ignore[arg-type]
    "an endpoint of nothing": lambda: relance.words.Endpoint("http://localhost", None, options=None, tries=1.5),  # type: ignore[arg-type]
    "stack=object": lambda: endgame_bets("pot", 1, 2, stack=object()),  # type: ignore[arg-type]
    "bets=1;;2": lambda: relance.make("endgame(bets=1;;2)"),
    "agents=5": lambda: relance.words.matches(KUHN, agents=5),  # type: ignore[arg-type]
    "seed=x": lambda: relance.words.estimate(KUHN, {}, seed="x"),  # type: ignore[arg-type]
    "settings=5": lambda: relance.train("cfr+", KUHN, samples=10, settings=5),  # type: ignore[arg-type]
    "region(5)": lambda: relance.region(5),  # type: ignore[arg-type]
    "a region of é": lambda: relance.region("é", "é > 0"),
    "prove nobody": lambda: relance.prove(KUHN, "abc"),
    "prove value=x": lambda: relance.prove(KUHN, PROFILE, value="x"),  # type: ignore[arg-type]
    "prove a misspelt action": lambda: relance.prove(KUHN, {**PROFILE.plan(), "": {"ceck": 1}}),
    "prove too few hands": lambda: relance.prove(KUHN, {**PROFILE.plan(), "": {"check": [1, 0]}}),
    "prove no probabilities": lambda: relance.prove(KUHN, {**PROFILE.plan(), "": {"check": 2}}),
    "ragged answers": lambda: relance.score(KUHN, _ragged),
    "ragged answers, estimated": lambda: relance.words.score(KUHN, _ragged, answers=2),
    "seat=array": lambda: SeatEnv(KUHN, seat=np.array([0, 1])),  # type: ignore[arg-type]
    "extra_info=5, Gymnasium": lambda: SeatEnv(KUHN, extra_info=5),  # type: ignore[arg-type]
    "extra_info=5, many tables": lambda: VectorSeatEnv(KUHN, extra_info=5),  # type: ignore[arg-type]
    "extra_info=5, in turn": lambda: env(KUHN, extra_info=5),
    "extra_info=5, at once": lambda: parallel_env(KUHN, extra_info=5),
    "an endpoint of nosuch": lambda: relance.words.Endpoint("http://localhost", "x", nosuch=1),  # type: ignore[call-arg]
    "score of answers": lambda: relance.score(KUHN, "uniform", answers=3),  # type: ignore[call-arg]
}
"""What was once taken in silence, or refused in Python's own words."""


def nonsense(dice: random.Random) -> Cases:
    """One of `NONSENSE`."""
    name, run = dice.choice(list(NONSENSE.items()))
    yield Case(name, lambda _: run())


MODULES = ("x = (\n", "x = {}['a']\n", "import sys\nsys.exit(0)\n", "1 / 0\n", "x = [[]]\nwhile x: x = x[0][0]\n")
MODULES += (
    "import sys\ndef agent(seen, masks):\n    sys.exit(0)\n",
    "agent = 5\n",
    "agent = [[1], [2, 3]]\n",
    "class agent: ...\n",
)
COMMANDS = (
    ("show", "{}:agent"),
    ("score", KUHN, "{}:agent"),
    ("match", "{}:agent", "uniform", KUHN),
    ("train", "{}", KUHN, "--samples", 10),
)


def modules(dice: random.Random) -> Cases:
    """Modules of the user's own that fail, or that end Python."""
    text, words, name = dice.choice(MODULES), dice.choice(COMMANDS), f"own_{dice.randrange(10**9)}"

    def run(folder: Path) -> None:
        (folder / f"{name}.py").write_text(text)
        sys.path.insert(0, str(folder))
        try:
            command(*(str(word).replace("{}", name) for word in words))
        finally:
            sys.path.remove(str(folder))
            sys.modules.pop(name, None)

    yield Case(f"relance {words[0]} with a module of {text[:40]!r}", run)


ROWS: tuple[Any, ...] = (
    np.ones((3, 3)),
    [1, 1],
    np.full(3, 1j),
    [float("nan")] * 3,
    [2, 0, 0],
    [-1, 1, 1],
    None,
    "abc",
)
ROWS += ([Fraction(1, 2)] * 3, [10**5000] * 3, [True] * 4, np.zeros(3, object), {"J": 1}, b"123", [[1], [1], [1]])
ROWS += (np.array([np.True_] * 3, object),)


def strategies(dice: random.Random) -> Cases:
    """Probabilities that are none, in a plan and in a Strategy made by hand."""
    rows, game = dice.choice(ROWS), dice.choice((KUHN, NEUMANN))
    node = dice.choice(list(game.tree.decisions))
    action = game.tree.decisions[node].actions[0]
    others = dict.fromkeys(game.tree.decisions[node].actions[1:], rows)
    plan = game.uniform().plan() | {node: {action: rows, **others}}
    half = isinstance(rows, list) and rows == [Fraction(1, 2)] * 3
    if not (half and game is KUHN):
        yield Case(f"{game.name}, {node!r}: {short(rows)}", lambda _: game.profile(plan))
        made = Strategy(game.tree.decisions[node].player, dict.fromkeys(game.tree.decisions, (rows, rows)))
        yield Case(f"{game.name}, by hand: {short(rows)}", lambda _: relance.value(game, game.uniform().replace(made)))


ANSWERS: tuple[Any, ...] = (None, "fold", 1j, float("nan"), -1.0, 1.5, [], [[]], {}, object(), 10**30)


def agents(dice: random.Random) -> Cases:
    """Functions that answer junk, and names of opponents that nobody has."""
    answer, shape = dice.choice(ANSWERS), dice.choice(("alone", "ids", "rows"))

    def agent(seen: Any, masks: Any) -> Any:
        return {"alone": answer, "ids": [answer] * len(seen), "rows": [[answer] * masks.shape[1]] * len(seen)}[shape]

    yield Case(f"agent answers {short(answer)} {shape}", lambda _: relance.score(KUHN, agent))
    yield Case(f"agent answers {short(answer)} {shape}, in a batch", lambda _: VectorSeatEnv(KUHN, 2, agent, 1).reset())
    known = dice.choice(("perturbed(0.1, of=passive)", "mixture(uniform, caller)", "best_response(to=uniform)"))
    text = spoiled(dice, known)
    yield Case(f"opponent {text[:150]!r}", lambda _: relance.score(KUHN, text), bad=False)
    wrong = dice.choice(
        ("", *NUMBERS, "perturbed(2)", "perturbed(-1/10)", "mixture()", "uniform(1)", "published(alpha=9)")
    )
    yield Case(f"opponent {wrong[:60]!r}", lambda _: relance.score(KUHN, wrong))
    reply = soup(dice, 200)
    yield Case(f"reply {reply!r}", lambda _: parse_reply(reply, ["fold", "call"]), bad=False)


STEPS: tuple[Any, ...] = (
    1.0,
    True,
    np.True_,
    None,
    "1",
    [0],
    -1,
    99,
    10**30,
    float("nan"),
    np.float64(0),
    1j,
    object(),
)


def environments(dice: random.Random) -> Cases:
    """Actions, seeds and options that environments cannot take."""
    action, seed = dice.choice(STEPS), dice.choice((-1, 1.5, "x", float("nan"), [0], object()))
    bad_id = not (isinstance(action, int) and not isinstance(action, bool))

    def turn(made: Any, **options: Any) -> Callable[[Path], object]:
        def run(_: Path) -> object:
            it = made(KUHN, **options)
            it.reset(seed=0)
            given = [action] * 2 if made is VectorSeatEnv else action
            return it.step({"player_0": given, "player_1": it.wait} if made is ParallelEnv else given)

        return run

    for made in (SeatEnv, env, ParallelEnv, VectorSeatEnv):
        options = {"num_envs": 2} if made is VectorSeatEnv else {}
        yield Case(f"{made.__name__}.step({short(action)})", turn(made, illegal="raise", **options))
        if bad_id:
            yield Case(f"{made.__name__}.step({short(action)}), forfeit", turn(made, **options))
        yield Case(f"{made.__name__}.reset({short(seed)})", lambda _, m=made, o=options: m(KUHN, **o).reset(seed=seed))
        value = dice.choice((object(), "x", -1, float("nan"), 1j, b"0"))
        names = [
            n
            for n in inspect.signature(made).parameters
            if n in ("seat", "opponent", "obs", "illegal", "num_envs", "extra_info", "render_mode", "mask_in")
        ]
        for name in names:
            yield Case(f"{made.__name__}({name}={short(value)})", lambda _, m=made, n=name, v=value: m(KUHN, **{n: v}))
    yield Case(f"Batch.step([{short(action)}])", lambda _: Batch(KUHN, 1).step([action]))  # type: ignore[arg-type]
    where = dice.choice(([5], [-9], [1.5], ["x"], None, [True] * 3, {}, object()))
    yield Case(f"Batch.deal({short(where)})", lambda _: Batch(KUHN, 2).deal(where))  # type: ignore[arg-type]
    wait = dice.choice((-1, 2, 99, True, 0.5, "x"))
    yield Case(f"parallel_env(waiting_action={wait})", lambda _: parallel_env(KUHN, waiting_action=wait))
    number = dice.choice((10**9, 2**40, -1, 0, 1.5, "x"))
    yield Case(
        f"make_vec({number})", lambda _: gymnasium.make_vec("relance/OneCardPoker-v0", num_envs=number, cards=1000)
    )


def written(kind: str, folder: Path) -> Path:
    """A good file of a kind."""
    path = folder / kind
    if kind == "profile.json":
        write_profile(KUHN, PROFILE, path)
    elif kind == "plan.yaml":
        path.write_text("seeds: [0]\nseconds: 1\nruns:\n  - games: [one_card_poker]\n    algorithms: [cfr+]\n")
    elif kind == "games.jsonl":
        relance.match(KUHN, "uniform", "published", hands=100, log=path)
    elif kind == "results.jsonl":
        run = dataclasses.replace(planned("cfr+", KUHN, samples=10), ended="budget", agent=PROFILE)
        path.write_text(as_text(as_row(run)))
    elif kind == "answers.jsonl":
        _answered(path)
    elif kind == "found.settings.yaml":
        head = "games: [one_card_poker]\nseeds: [0]\nseconds: null\nsamples: 100\nfound:\n  ppo: {settings: {}, score: 0.1, "
        path.write_text(head + "default: 0.2, trials: 3, failed: 0, seconds: 1.0, samples: 100}\n")
    elif kind == "checkpoint.npz":
        solver = Solver(KUHN)
        solver.run(2)
        solver.save(path)
    return path


def _answered(path: Path) -> object:
    return relance.words.score(KUHN, lambda seen, masks: masks.argmax(1), answers=2, answers_file=path, name="first")


READERS: dict[str, tuple[Callable[[Path], object], ...]] = {
    "profile.json": (read_profile, lambda path: command("score", KUHN, path)),
    "plan.yaml": (
        lambda path: read_plan(path, tasks),
        lambda path: command("sweep", path, "-o", f"{path}.out", "--dry-run"),
    ),
    "games.jsonl": (
        lambda path: relance.words.read_games(path, KUHN),
        lambda path: command("score-games", KUHN, path),
    ),
    "found.settings.yaml": (read_found,),
    "results.jsonl": (finished, lambda path: command("leaderboard", path, "-o", path.with_name("page.md"))),
    "answers.jsonl": (_answered,),
    "checkpoint.npz": (
        lambda path: read_checkpoint(path, KUHN, "dcfr+"),
        lambda path: relance.solve(KUHN, "dcfr+", checkpoint=path),
    ),
}


def files(dice: random.Random) -> Cases:
    """Files that are spoiled, and things that are no files."""
    kind = dice.choice(list(READERS))
    read = dice.choice(READERS[kind])
    deep = dice.choice(
        (b"[" * 100_000, b'{"a":' * 50_000, b"- " * 20_000, b"\xff\xfe", b"\x00" * 1000, b"1e99999999", b"NaN")
    )
    seed = dice.randrange(2**32)

    def spoil(folder: Path) -> object:
        path, own = written(kind, folder), random.Random(seed)
        data = bytearray(path.read_bytes())
        if own.random() < 0.5 and kind != "checkpoint.npz":
            data = bytearray(spoiled(own, data.decode()).encode(errors="ignore"))
        for _ in range(own.randrange(4)):
            data[own.randrange(len(data) or 1) : own.randrange(len(data) + 1)] = own.randbytes(own.randrange(3))
        path.write_bytes(data)
        return read(path)

    def replace(folder: Path) -> object:
        path = folder / kind
        path.write_bytes(deep)
        return read(path)

    def unreal(folder: Path) -> object:
        path, what = folder / kind, dice.choice(("pipe", "folder", "device", "long"))
        if what == "pipe":
            os.mkfifo(path)
        elif what == "folder":
            path.mkdir()
        return read({"device": Path("/dev/zero"), "long": folder / ("x" * 300)}.get(what, path))

    yield Case(f"{kind} spoiled with seed {seed}", spoil, bad=False)
    yield Case(f"{kind} of {deep[:10]!r}", replace)
    yield Case(f"{kind} that is no file", unreal)


STRANGE = (
    *(
        '"\u2028"',
        '"\x85x"',
        '"\\ud800"',
        '"\\u0000"',
        '"\x1b[2J"',
        '""',
        "null",
        "true",
        "{}",
        "-1",
        "1.5",
        "NaN",
        "1e400",
    ),
    *(
        "9" * 5000,
        "0." + "1" * 5000,
        "[" * 50_000 + "]" * 50_000,
        '{"a":' * 20_000 + "1" + "}" * 20_000,
        '"' + "x" * 10**6 + '"',
    ),
)
"""Values of JSON, as text, that hardly any field takes: line ends, lone surrogates, huge numbers, deep nesting."""


def _strange(own: random.Random, line: str) -> str:
    """A line of JSON in which one value, at any depth, is another; or a line that is broken."""
    if own.random() < 0.3:
        at = own.randrange(len(line) + 1)
        return own.choice(
            (line[:at], line[:at] + own.choice("\u2028\x85\r\n\x0c\x1e") + line[at:], line * 2, "\ufeff" + line, "")
        )
    top = inside = json.loads(line)
    while True:
        key = own.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        if not (isinstance(inside[key], (dict, list)) and inside[key]) or own.random() < 0.3:
            break
        inside = inside[key]
    inside[key] = "@@"
    return json.dumps(top, ensure_ascii=own.random() < 0.5).replace('"@@"', own.choice(STRANGE))


def lines(dice: random.Random) -> Cases:
    """Files of JSON in which a line or two are broken or have strange values."""
    kind = dice.choice([kind for kind in READERS if "json" in kind])
    read, seed = dice.choice(READERS[kind]), dice.randrange(2**32)

    def run(folder: Path) -> object:
        path, own = written(kind, folder), random.Random(seed)
        given = path.read_text().split("\n") if kind.endswith("l") else [json.dumps(json.loads(path.read_text()))]
        for _ in range(own.randrange(1, 3)):
            place = own.randrange(len(given))
            with contextlib.suppress(ValueError, LookupError, RecursionError):  # that line is broken or empty already
                given[place] = _strange(own, given[place])
        path.write_text(own.choice(("\n", "\n", "\r\n")).join(given), errors="surrogatepass")
        return read(path)

    yield Case(f"lines of {kind} with seed {seed}", run, bad=False)


TEXTS = (
    "\u2028",
    "\x85",
    "\ud800",
    "\x00",
    "\r\n",
    "\x1b[2J",
    "\ufeff",
    "\x0c",
    '"',
    "\\",
    "{" * 5000,
    "\U0001f0a1",
    "x" * 10**5,
)


def replies(dice: random.Random) -> Cases:
    """Replies of any text are no bad input: what they were is kept, read again, and continued."""
    said = "".join(dice.choices(TEXTS, k=3)) + dice.choice(("[check]", "[fold]", "[bet]", "", "["))

    def run(folder: Path) -> None:
        agent = relance.words.TextAgent(lambda messages: said)
        try:
            for answers in (1, 2):
                file = folder / "answers.jsonl"
                found = relance.words.score(KUHN, agent, answers=answers, answers_file=file, name="talker")
            for hands in (10, 20):
                file = folder / "log.jsonl"
                relance.match(KUHN, agent, "uniform", hands, within=1e-9, log=file, names=("talker", "uniform"))
            log = relance.words.read_games(folder / "log.jsonl", KUHN)
        except Exception as error:
            raise Traceback(repr(error)) from error
        if found.answers != 24 or log.faults:
            raise Traceback(f"{found.answers} answers, {log.faults}")

    yield Case(f"replies {short(said)}", run, bad=False)


OPTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "solve": ((str(KUHN),), ("--tolerance", "--method", "--backend", "--checkpoint", "-o")),
    "score": ((str(KUHN), "uniform"), ("--budget", "--hands")),
    "ask": ((str(KUHN), "uniform"), ("--answers", "--budget", "--hands", "--answers-file")),
    "match": (("uniform", "published", str(KUHN)), ("--hands", "--seed", "--within", "--log")),
    "play": ((str(KUHN),), ("--opponent", "--seat", "--rounds", "--seed", "--trained")),
    "train": (("cfr+", str(KUHN)), ("--samples", "--seed", "--set", "-o")),
    "show": ((str(KUHN),), ("--family",)),
    "export": ((str(KUHN),), ("-o",)),
    "plot": (("strategy", str(KUHN)), ("-o", "--family")),
    "verify": (("--paper", "miao-2014/value"), ("--paper", "--json", "--html")),
}
"""For each command arguments that work, and options that are given bad values."""

VALUES = ("nan", "inf", "-1", "1e1000000000", "x" * 300, "\x00", "", "-" * 5000 + "1", "=", "½")
FILES = ("x" * 300, "/", ".", "/none/x", "/dev/null/x")
NAMED = ("-o", "--checkpoint", "--answers-file", "--log", "--json", "--html")
"""Options whose value is the name of a file."""


def options(dice: random.Random) -> Cases:
    """Each command with a bad value of an option."""
    name, (given, known) = dice.choice(list(OPTIONS.items()))
    option = dice.choice(known)
    value = dice.choice(FILES if option in NAMED else VALUES)
    pair = (f"{option}={value}",) if option.startswith("--") else (option, value)
    yield Case(f"relance {name} {option} {value[:40]!r}", lambda _: command(name, *given, *pair))


def sizes(dice: random.Random) -> Cases:
    """Work that would not end here."""
    large = dice.choice(("one_card_poker(cards=1000000)", "von_neumann(hands=100000000)", "five_card"))
    for words in (("solve", large), ("solve", "--optimal-set", large), ("export", large)):
        yield Case(f"relance {' '.join(words)}", lambda _, w=words: command(*w))
    yield Case(
        "plot optimal_set of a million cards",
        lambda f: command("plot", "optimal_set", "one_card_poker(cards=1000000)", "-o", f / "a.svg"),
    )
    yield Case("a batch of 10**11 tables", lambda _: Batch(KUHN, 2**31 - 1))
    yield Case(
        "100,000 jobs", lambda f: command("sweep", written("plan.yaml", f), "-o", f / "r.jsonl", "--jobs", 100_000)
    )


def explorer(dice: random.Random) -> Cases:
    """Requests from elsewhere."""
    host = dice.choice(("evil.example", "127.0.0.1:81", "localhost", "", soup(dice, 20), "127.0.0.1:80@evil.example"))
    origin = dice.choice(("http://evil.example", "null", "file://", "http://127.0.0.1:81", soup(dice, 20) + "x"))
    kind, query = dice.choice(("http", "websocket")), b"x" * dice.choice((0, 5000))
    wrong = dice.choice(({"host": host}, {"host": "127.0.0.1:80", "origin": origin}, {}))

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("let in")

    async def receive() -> Any:
        return {}

    async def send(message: Any) -> None:
        sent.append(message)

    sent: list[Any] = []
    headers = [(name.encode(), value.encode()) for name, value in wrong.items()]
    scope = {"type": kind, "headers": headers, "query_string": query}

    def run(_: Path) -> None:
        asyncio.run(guarded(app, 80)(scope, receive, send))
        if sent and (sent[0].get("status") in (403, 414) or sent[0]["type"] == "websocket.close"):
            raise ValueError(json.dumps(sent, default=str))

    yield Case(f"explorer {kind} {wrong} {len(query)}", run)


KINDS = (
    parameters,
    facade,
    nonsense,
    modules,
    strategies,
    agents,
    environments,
    files,
    lines,
    replies,
    options,
    sizes,
    explorer,
    *foreign.KINDS,
    *strangers.KINDS,
    cut_off,
)


def cases(seed: int, only: Collection[str] | None = None, first: int = 0) -> Cases:
    """Inputs without end, all kinds in turn or those with these names, from a round on.

    What a kind draws in a round depends on these and the seed alone, so that an input can be found again whatever the others do.
    """
    for number in count(first):
        for kind in KINDS:
            if only is None or kind.__name__ in only:
                place = f"--first {number} --only {kind.__name__}"
                for case in kind(random.Random(f"{seed} {place}")):
                    yield dataclasses.replace(case, place=place)
