"""Loads games of OpenSpiel from texts, such as "kuhn_poker(players=3)", without harm to this process.

For some parameters OpenSpiel does not raise an error but ends the process, as for `hanabi(players=99)`, or takes all memory. A text may
be a stranger's, in a file. So a text is first tried in a child process, with a limit of time and memory, unless it names one of Relance's
own games, which are Python, or a game of OpenSpiel at its defaults. The child is a fresh interpreter, since a fork is not safe beside
threads. It costs a tenth of a second at most, but more for games that OpenSpiel has in Python, which it must import.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from relance.model.numbers import did_you_mean, short

PREFIX = "relance_"
"""How the names of Relance's games begin in OpenSpiel."""

SECONDS, PATIENCE = 10, 60
"""The most seconds of processor time, and of real time, for which a text is tried in a child process."""

MEMORY = 2**31
"""The most bytes of memory that the child process may take while a text is tried."""

LONGEST = 50_000
"""The most characters of a text."""

_REFUSED, _NO_MEMORY = 76, 77
"""The status of a child in which OpenSpiel raised an error, and of one whose memory was not enough."""

_TRIAL = f"""
import json, random, re, sys
import pyspiel

text, names = json.load(sys.stdin)
try:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS + 5}))
    resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
except (ImportError, ValueError, OSError):  # not on every system
    pass
used = {{*re.findall(r"[A-Za-z0-9_]+", text)}} & {{*names}}
if used - {{*pyspiel.registered_names()}}:
    import open_spiel.python.games
if any(name.startswith("{PREFIX}") for name in used):
    import relance.openspiel
if used - {{*pyspiel.registered_names()}}:
    sys.exit()  # a game in Python that this user has registered, which is not known here
try:
    game = pyspiel.load_game(text)
except MemoryError:
    sys.exit({_NO_MEMORY})
except Exception as error:
    print(error)
    sys.exit({_REFUSED})
try:
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    kind, state, dice = game.get_type(), game.new_initial_state(), random.Random(0)
    for _ in range(100):
        if state.is_terminal():
            break
        if state.current_player() >= 0 and kind.provides_information_state_tensor:
            state.information_state_tensor()
        state.apply_action(dice.choice(state.legal_actions()))
except MemoryError:
    sys.exit({_NO_MEMORY})
except Exception:  # the caller raises it too, where it matters
    pass
"""
"""What the child does: load the game, and play a little of it."""


def load_openspiel(text: str, parameters: Mapping[str, Any] | None = None) -> Any:
    """Load a game of OpenSpiel by its short name, with parameters in brackets or, for Relance's own games, in `parameters`.

    Raises:
        ValueError: there is no such game; or OpenSpiel refuses it, or would end this process, or take too much time or memory.
    """
    import pyspiel  # here, as its import registers our games, which needs this file

    name, _, inside = text.partition("(")
    name = name.strip()
    if name not in pyspiel.registered_names():
        import open_spiel.python.games  # noqa: F401 - it registers OpenSpiel's games in Python

    known = {kind.short_name: kind.default_loadable for kind in pyspiel.registered_games()}
    if name not in known:
        raise ValueError(f"OpenSpiel has no game {short(name)}" + did_you_mean(name, known))
    is_good = name.startswith(PREFIX) or (known[name] and inside.strip() in ("", ")"))
    why = ""
    if len(text) > LONGEST:
        why = f"it has {len(text):,} characters; at most {LONGEST:,} are allowed"
    elif not "".join(text.split()).isprintable():
        why = "it has characters that cannot be printed"
    elif not is_good:
        why = _harm(text, tuple(known))
    if why:
        raise ValueError(f"OpenSpiel cannot load {short(text)}: {why}")
    try:
        game = pyspiel.load_game(text) if parameters is None else pyspiel.load_game(text, dict(parameters))
    except (pyspiel.SpielError, RuntimeError) as error:
        raise ValueError(f"OpenSpiel cannot load {short(text)}: {' '.join(str(error).split())}") from None
    players, kind = game.num_players(), game.get_type()
    if not kind.min_num_players <= players <= kind.max_num_players:  # some games of OpenSpiel do not check it
        allowed = f"must be from {kind.min_num_players} to {kind.max_num_players}"
        raise ValueError(f"OpenSpiel cannot load {short(text)}: players={players} {allowed}")
    return game


@lru_cache(maxsize=1000)
def _harm(text: str, names: tuple[str, ...]) -> str:
    """Why a text is not loaded in this process, which has games of these names; "" if nothing is wrong with it."""
    given = json.dumps([text, names])
    command, paths = [sys.executable, "-P", "-c", _TRIAL], {"PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        ended = subprocess.run(
            command,
            input=given,
            env=os.environ | paths,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return f"it takes more than {PATIENCE} seconds"
    known = {
        0: "",
        _REFUSED: " ".join(ended.stdout.split()),
        _NO_MEMORY: f"it takes more than {MEMORY / 2**30:.0f} GiB of memory",
        -getattr(signal, "SIGXCPU", 1): f"it takes more than {SECONDS} seconds",
    }
    by = (
        f"by {signal.Signals(-status).name}"
        if -(status := ended.returncode) in {*signal.Signals}
        else f"with status {status}"
    )
    return known.get(status, f"it ends Python, {by}")
