"""Fixtures over the registry: a new game is tested the moment it exists."""

import gc
import io
import os
import shutil
import signal
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import approaching  # noqa: F401 - the learner that plans in tests name, which import nothing
import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from relance.envs.catalogue import BLUEPRINTS
from relance.model import tree_table
from relance.model.game import Game, build
from relance.model.tree import BettingTree
from relance.play import agents
from relance.play.agents import questions
from relance.play.policies import ids_at, policy_of
from relance.play.rules import Rules
from relance.play.runouts import runouts
from relance.registration.confirmation import samples

settings.register_profile("relance", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("relance")


def pytest_collection_finish():
    """What was collected stays to the end, so it need not be searched for garbage again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(autouse=True)
def ctrl_c_as_python_has_it():
    """A package that an earlier test imported may have taken Ctrl-C, for which a later test of this process would wait in vain."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def finite(game: Game, hands: int = 5) -> Game:
    """The game itself, or a small grid of it."""
    return game if game.deal.is_finite else game.grid(hands)


def small(name: str) -> Mapping[str, object]:
    """None, where a game's defaults are quick; or the parameters of its first sample, where they have thousands of hands."""
    spec = BLUEPRINTS[name]
    return {} if build(spec).deal.size(0) <= 100 else spec.samples[0]


def walkable(name: str, hands: int = 4) -> Game:
    """A game small enough to visit every state: at its defaults, or as its first sample where those have many hands."""
    return finite(build(BLUEPRINTS[name], **small(name)), hands)


def different(games: Sequence[Game], by_name: bool = True) -> list[Game]:
    """Those of these games that bring something new: a name, a distribution, a kind of deal or of tree. The others only repeat them."""
    seen, kept = set(), []
    for game in games:
        deal, alone = finite(game).deal, min(len(game.tree.of(player)) for player in (0, 1)) == 0
        distribution = game.parameters.get("deal")
        facts = {
            game.name if by_name else "",
            f"distribution {distribution}",
            (type(game.deal), type(deal), deal.is_exact),
            (alone, game.tree.is_usual),
        }
        if facts - seen:
            kept.append(game)
        seen |= facts
    return kept


def marked(cases: Iterable[object], slow: Callable[[object], bool]) -> list[object]:
    """These cases as parameters; those that are slow, or only repeat others, are tried by `make test-all`."""
    return [pytest.param(case, marks=[pytest.mark.slow] * slow(case)) for case in cases]


def parametrised(games: Sequence[Game]) -> list[object]:
    """The games as parameters; those that only repeat others are slow."""
    kept = set(map(id, different(games)))
    return [pytest.param(game, id=str(game), marks=[pytest.mark.slow] * (id(game) not in kept)) for game in games]


def one_each(games: Sequence[object], ways: Sequence[object]) -> list[object]:
    """Each game with each way as parameters; `make test` tries one way for each game, by turns."""
    pairs = [(game, way, i % len(ways) != k) for i, game in enumerate(games) for k, way in enumerate(ways)]
    return [pytest.param(game, way, marks=[pytest.mark.slow] * left) for game, way, left in pairs]


SAMPLES = [build(spec, **parameters) for spec in BLUEPRINTS.values() for parameters in spec.samples]
FINITE = [finite(game) for game in SAMPLES]
VARIED = [finite(game) for game in different(SAMPLES)]


def forget_rules():
    """Forget what is kept by a game's text, which does not say how large its tree is taken to be."""
    for kept in (import_module("relance.play.rules").rules.__wrapped__, questions, agents._dealt):
        kept.cache_clear()


@pytest.fixture
def large(monkeypatch):
    """Makes the tree of a game again, as if it were too large for lists."""

    def made(game):
        monkeypatch.setattr(tree_table, "MOST_LISTED", 0)
        forget_rules()
        return replace(game, tree=BettingTree(game.tree.root))

    forget_rules()
    yield made
    forget_rules()


def alias_shares(table):
    """How likely each index is, by the definition of an alias table."""
    keep = table.threshold / 2.0**64
    share = keep.copy()
    np.add.at(share, table.alias, 1 - keep)
    return share / len(share)


def taken_and_turned(table, nodes=None):
    """The actions and the events on the way to these nodes of a tree, by default all, one-hot: (k, L, A) and (k, R, E).

    L is 1 if the action ids of each play ascend.
    """
    nodes, kinds = range(table.size) if nodes is None else nodes, table.kinds
    rows = 1 if all(past == sorted(set(past)) for past in table.past) else kinds.depth[0]
    acted = np.zeros((len(nodes), rows, len(kinds.actions)))
    turned = np.zeros((len(nodes), table.most_events, len(kinds.events)))
    for row, node in enumerate(nodes):
        acted[row, [k * (rows > 1) for k in range(len(table.past[node]))], table.past[node]] = 1
        events = [kinds.events.index(event) for event in table.cases[node].events]
        turned[row, range(len(events)), events] = 1
    return acted, turned


def tabular(game, profile):
    """A callable that plays a profile of finite hands: looks up each observation."""
    table = {}
    for seat in (0, 1):
        rows = [np.stack(profile[name], axis=1).astype(float) for name in game.tree.of(seat)]
        for vector, (node, hand) in zip(
            questions(game, seat)[0],
            [(i, h) for i, row in enumerate(rows) for h in range(len(row))],
            strict=True,
        ):
            name = list(game.tree.of(seat))[node]
            chance = np.zeros(len(game.actions))
            chance[game.tree.table.legal_ids[game.tree.table.names.index(name)]] = rows[node][hand]
            table[vector.tobytes()] = chance
    return lambda seen, masks: np.array([table[vector.tobytes()] for vector in seen])


def repeats(game: Game) -> bool:
    """Whether one of `VARIED` shows the same."""
    return game not in VARIED


DEFAULTS = [build(spec, **small(name)) for name, spec in BLUEPRINTS.items()]
KINDS = different(DEFAULTS, by_name=False)
PUBLISHED = [game for game in SAMPLES if game.is_published]
ALIGNED = samples()


@pytest.fixture(params=parametrised(SAMPLES))
def game(request):
    return request.param


@pytest.fixture(params=parametrised(FINITE))
def finite_game(request):
    return request.param


@pytest.fixture(params=VARIED, ids=str)
def varied_game(request):
    """For what takes long and is the same for games of one kind."""
    return request.param


@pytest.fixture(params=DEFAULTS, ids=str)
def default_game(request):
    return request.param


@pytest.fixture(params=parametrised(PUBLISHED))
def published_game(request):
    return request.param


@pytest.fixture(params=marked(DEFAULTS, lambda game: game not in KINDS), ids=str)
def game_of_a_kind(request):
    """For what takes long for each game: `make test` tries one of each kind."""
    return request.param


@pytest.fixture(params=parametrised(ALIGNED))
def aligned_game(request):
    return request.param


def weights(size):
    """Small exact weights for hypothesis."""
    from hypothesis import strategies as st

    fraction = st.fractions(min_value=0, max_value=1, max_denominator=12).map(Fraction)
    return st.lists(fraction, min_size=size, max_size=size)


def random_profile(game: Game, draw_number) -> object:
    """A full exact profile whose probabilities come from `draw_number()`, ints from 1."""
    plan = {}
    for name, node in game.tree.decisions.items():
        hands = game.deal.size(node.player)
        rows = [[Fraction(draw_number()) for _ in range(hands)] for _ in node.actions]
        totals = [sum(column) for column in zip(*rows, strict=True)]
        plan[name] = {
            action: [v / t for v, t in zip(row, totals, strict=True)]
            for action, row in zip(node.actions, rows, strict=True)
        }
    return game.profile(plan)


def whole_games(tables, *players):
    """Deal and play a game to its end at every table of a batch: (n,) how many decisions each took."""
    policies, decisions = (
        [policy_of(tables.game, *of) for of in zip(players, (0, 1), strict=True)],
        np.zeros(tables.n, int),
    )
    tables.deal(np.ones(tables.n, bool))
    while not tables.done.all():
        for seat, policy in enumerate(policies):
            if (mine := np.flatnonzero(tables.to_move == seat)).size:
                tables.move(mine, ids_at(tables, policy, seat, mine, lambda at=mine: tables.draw(at)))
                decisions[mine] += 1
    return decisions


def give_as_dealt(table, running, i):
    """Give a single table the hands of table i of many, and let the same events turn up there."""
    rulebook, (first, second, *runout) = table.rules, running.hands[:, i].tolist()
    table.give((first, second))
    if runout:
        tree, told = rulebook.game.tree, object.__new__(Rules)
        events, known = list(tree.events), runouts(tree)[runout[0]]

        def turn_up(node, hands, luck):
            name = rulebook.names[node]
            return events.index(known[tree.cases[name].events, tree.reveals[name].events])

        vars(told).update(vars(rulebook), turn_up=turn_up)
        table.rules, table._luck = told, [0.0] * rulebook.most_events


@dataclass(frozen=True)
class Called:
    """What a command ended with: its status, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def called(*arguments, say=""):
    """What `relance ARGUMENTS` does, in this process. Tests of signals, imports and the current folder start one of its own."""
    from relance.pages.commands.main import command_line

    out, err, given, told = io.StringIO(), io.StringIO(), sys.stdin, sys.argv
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    sys.argv, sys.stdin, status = ["relance", *arguments], io.TextIOWrapper(io.BytesIO(say.encode())), 0
    try:
        with redirect_stdout(out), redirect_stderr(err):
            command_line()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    finally:
        sys.argv, sys.stdin = told, given
        for number, handler in kept.items():
            signal.signal(number, handler)
    return Called(status, out.getvalue(), err.getvalue())


def pytest_addoption(parser):
    parser.addoption("--cases", type=int, help="run at most so many cases of each test (see tools/quick.py)")
    parser.addoption("--games", type=int, help="run at most so many cases of each test that is tried on many games")


LONG = {*Path(__file__).with_name("long.txt").read_text(encoding="utf-8").splitlines()}
"""Written by tools/long_tests.py."""


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item):
    if item.nodeid in LONG:
        item.add_marker("long")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    cases = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    kept = {item for name, same in cases.items() for item in _spread(name, same, config)}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def _spread(name, cases, config):
    """At most so many of these cases, spread evenly; where that begins differs from test to test, so that each game has its tests."""
    most = (
        config.getoption("--cases") or (config.getoption("--games") if _is_of_a_game(cases[0]) else None) or len(cases)
    )
    step = -(-len(cases) // most)
    return cases[zlib.crc32(name.encode()) % step :: step]


def _is_of_a_game(item):
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return any(isinstance(value, Game) or (isinstance(value, str) and value in BLUEPRINTS) for value in given)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def joblib():
    """What sweeps run on."""
    return pytest.importorskip("joblib", reason="needs the extra sweep")


@pytest.fixture
def notes(tmp_path):
    """A folder in which workers of a sweep leave notes."""
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium: the system's, or playwright's own."""
    api = pytest.importorskip("playwright.sync_api", reason="needs the group browser")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    with api.sync_playwright() as play:
        found = found or (play.chromium.executable_path if Path(play.chromium.executable_path).exists() else None)
        if found is None:
            pytest.skip(f"none of {', '.join(BROWSERS)} is installed, nor playwright's own")
        sandbox = [] if os.geteuid() else ["--no-sandbox"]  # Chromium refuses its sandbox to root
        opened = play.chromium.launch(executable_path=found, args=sandbox)
        yield opened
        opened.close()
