"""Inputs that name games in a stranger's words: texts of OpenSpiel, rows, plans, and one's own trees with odd numbers and names."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import board_rows
import pyspiel
from fuzz.judge import Case, Traceback, command
from fuzz.odd_games import odd_blueprint, registered_and_used

import relance
from relance.baselines.openspiel_games import any_game
from relance.baselines.rows import as_text, finished
from relance.baselines.runs import key_of
from relance.baselines.sweep import read_plan, tasks
from relance.registration.openspiel_texts import load_openspiel

Cases = Iterator[Case]
NAMES = pyspiel.registered_names()
VALUES = (
    "-1",
    "0",
    "1",
    "2",
    "3",
    "5",
    "99",
    "1000000000",
    "2147483648",
    "0.5",
    "-0.0",
    "nan",
    "1e308",
    "true",
    "false",
)
VALUES += ("", "x", "kuhn_poker()", "hanabi(players=99)", "((", "/dev/null", "/dev/zero", "é", "\x00", "\ud800", "a;b")
KILLERS = ("hanabi(players=99)", "universal_poker(numPlayers=-1)", "misere(game=hanabi(players=99))")
SIZES = ("von_neumann(hands=10000000)", "one_card_poker(cards=1000000)", "pot_limit(raises=50,hands=100000)")
LOG = {"version": 1, "seed": 1, "episode": 0, "seat": 0, "node": "", "legal": ["check", "bet"], "action": "bet"}


def openspiel_text(dice: random.Random) -> str:
    """A text of OpenSpiel with parameters that the game has, or has not."""
    if dice.random() < 0.05:
        return dice.choice(KILLERS)
    name = dice.choice(NAMES)
    if dice.random() < 0.2:
        return name + dice.choice(("", "()", "(", ")", "(x=1)"))
    known = [*pyspiel.registered_games()[NAMES.index(name)].parameter_specification] or ["players"]
    given = (f"{dice.choice(known)}={dice.choice(VALUES)}" for _ in range(dice.choice((1, 1, 2))))
    return f"{name}({','.join(given)})"


def openspiel_texts(dice: random.Random) -> Cases:
    """Loaded, played a little and, where they are small, read as trees: refused in a line, and Python lives on."""
    text = openspiel_text(dice)

    def loaded(_: Path) -> None:
        game, draw = load_openspiel(text), random.Random(0)
        with suppress(Exception):  # of OpenSpiel, for games that it makes but cannot play
            state = game.new_initial_state()
            for _ in range(20):
                state.apply_action(draw.choice(state.legal_actions()))

    yield Case(f"OpenSpiel's {text!r}", loaded, bad=text in KILLERS)
    if dice.random() < 0.2:
        yield Case(f"any_game {text!r}", lambda _: any_game(f"openspiel:{text}"), bad=text in KILLERS)
    if dice.random() < 0.2:
        yield Case(
            f"game_tree {text!r}",
            lambda _: relance.game_tree(f"openspiel:{text}", max_histories=500),
            bad=text in KILLERS,
        )
    if dice.random() < 0.05:
        yield Case(f"relance solve {text!r}", lambda _: command("solve", f"openspiel:{dice.choice(KILLERS)}"))


def _game(dice: random.Random) -> str:
    kinds = (KILLERS, SIZES, ("kuhn", "von_neumann", "nosuch", "evil:G", "", "\x1b[2J", "endgame(p=", "x" * 10**4))
    chosen = dice.choice(dice.choice(kinds))
    return f"openspiel:{chosen}" if chosen in KILLERS else chosen


def rows(dice: random.Random) -> Cases:
    """Rows of results and of logs, replays and profiles of a few bytes that name any game: refused at once, or read."""
    game, seed = _game(dice), dice.randrange(2**32)

    def row(folder: Path) -> None:
        made = board_rows.row() | {"game": game, "seed": seed}
        path = folder / "rows.jsonl"
        path.write_text(as_text(made | {"key": key_of(made)}), errors="surrogatepass")
        finished(path)
        if dice.random() < 0.1:
            command("leaderboard", path, "-o", folder / "page.md")

    def log(folder: Path) -> None:
        path = folder / "log.jsonl"
        path.write_text(json.dumps(LOG | {"game": game, "hand": dice.choice(("K", 0.5, 5, "x" * 99))}) + "\n")
        relance.words.read_games(path)

    def replay(folder: Path) -> None:
        path, name = folder / "replay.json", f"relance_{game}"
        path.write_text(
            json.dumps({"steps": [], "info": {"openSpielGameStringResolved": name, "actionHistory": [0, 0]}})
        )
        relance.words.read_games(path)

    def profile(folder: Path) -> None:
        path = folder / "profile.json"
        path.write_text(json.dumps({"game": game, "profile": {"K": {"check": 1}}}))
        relance.envs.read_profile(path)

    for name, run in {"row": row, "log": log, "replay": replay, "profile": profile}.items():
        yield Case(f"{name} of {game[:60]!r}", run, bad=game not in ("kuhn", "von_neumann", *SIZES) or name == "replay")


def plans(dice: random.Random) -> Cases:
    """Plans that name any game and any algorithm, and import nothing."""
    game = _game(dice)
    algorithm = dice.choice(
        ("cfr+", "evil", "evil:G", "nosuch.module:X", "", "os", "antigravity", "mmd_tabular", "ppo")
    )

    def run(folder: Path) -> None:
        (folder / "evil.py").write_text("raise SystemExit('imported')\n")
        path = folder / "plan.yaml"
        plan = {"seeds": [0], "samples": 10, "runs": [{"games": [game], "algorithms": [algorithm]}]}
        path.write_text(json.dumps(plan))
        try:
            read_plan(path, tasks)
            if dice.random() < 0.1:
                command("sweep", path, "--dry-run")
        except SystemExit as error:
            raise Traceback("a plan has imported a module") from error

    good = game in ("kuhn", "von_neumann", *SIZES) and algorithm in ("cfr+", "mmd_tabular", "ppo")
    yield Case(f"plan of {algorithm!r} on {game[:60]!r}", run, bad=not good)


def odd_trees(dice: random.Random) -> Cases:
    """Trees and distributions with floats, other numbers and odd names: refused by `register`, or everything works."""
    for _ in range(5):
        blueprint = odd_blueprint(random.Random(dice.getrandbits(64)))

        def run(_: Path, blueprint: object = blueprint) -> None:
            if wrong := registered_and_used(blueprint):  # type: ignore[arg-type]
                raise Traceback(wrong)

        yield Case(f"own tree {blueprint.name}", run, bad=False)


KINDS = (openspiel_texts, rows, plans, odd_trees)
