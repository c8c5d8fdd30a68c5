"""Read logged games of every framework as rows, which are `relance.words.LogRow`s.

It reads Relance's own JSON lines; the `.eval` and `.json` logs of Inspect and the `traces.jsonl` of the library `verifiers`, which hold
such rows; and the JSON replays of Kaggle's environments, for the games that Relance registers with OpenSpiel.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from relance.model.arguments import PathName, checked
from relance.model.files import FileError, check_kind, read_lines, read_text
from relance.model.game import Game, as_game
from relance.model.numbers import short
from relance.model.tree import CHANCE
from relance.play.rules import rules
from relance.play.table import Table
from relance.words.log_rows import (
    NEEDED,
    Fault,
    Log,
    LogError,
    check_named,
    decision_row,
    parse_rows,
    parsed_lines,
    terminal_row,
    unrepeated,
)

Items: TypeAlias = Iterator[tuple[str, object]]


@checked
def read_games(path: PathName, game: Game | str | None = None) -> Log:
    """Return the rows of a log of games of any framework. Its `faults` say where and why a part cannot be used.

    Args:
        path: JSON lines of Relance or of the library `verifiers`, a log of Inspect, or a replay of Kaggle.
        game: the game whose rows are read; rows of other games are left out, and listed as faults. None allows any game.

    Raises:
        OSError: the file cannot be read.
        ValueError: nothing in the file can be used.
        ImportError: the file is a log of Inspect, which is not installed.
    """
    source, game = Path(path), None if game is None else as_game(game)
    check_kind(source, "read")
    read = {".eval": _inspect, ".json": _document}.get(source.suffix, _lines)
    return _used(parse_rows(read(source), game), str(source))


def read_all(paths: Sequence[str | Path], game: Game | None = None) -> Log:
    """Return several logs joined into one. A file in which nothing can be used is left out, and listed in `faults` of the result.

    Raises:
        OSError, ImportError: as `read_games` does.
        ValueError: nothing in any of them can be used.
    """
    if len(paths) == 1:
        return read_games(paths[0], game)
    rows, faults = [], []
    for path in paths:
        try:
            log = read_games(path, game)
            rows += [replace(row, where=f"{path}, {row.where}") for row in log.rows]
            faults += [fault._replace(where=f"{path}, {fault.where}") for fault in log.faults]
        except FileError:
            raise
        except ValueError as error:
            faults.append(Fault(str(path), "files without games", str(error)))
    return _used(unrepeated(Log(tuple(rows), tuple(faults))), f"{len(paths)} files")


def _used(log: Log, name: str) -> Log:
    """The log unchanged; ValueError, with the first faults, if it has no rows."""
    if log.rows:
        return log
    first = [str(log.firsts[kind]) for kind in log.counts]
    raise ValueError(f"nothing in {name} can be used: " + ("; ".join(first[:3]) or "it is empty"))


def is_log(path: Path) -> bool:
    """True if the first line of a file is a row of a log of games."""
    check_kind(path, "read")
    first = next(parsed_lines(read_lines(path)), (None, None))[1] if path.exists() else None
    return isinstance(first, dict) and set(NEEDED) <= set(first)


def _lines(source: Path) -> Items:
    """Rows, or episodes of the library `verifiers`, whose traces hold rows; if the rows do not name the agent, its name is the model's."""
    for where, item in parsed_lines(read_lines(source)):
        if not (isinstance(item, dict) and isinstance(item.get("traces"), list)):
            yield where, item
            continue
        for trace in item["traces"]:
            rows, model = _inside(trace, "info", "rows"), _inside(trace, "agent", "config", "model")
            if not isinstance(rows, list):
                yield where, LogError("games without rows", "a trace has no rows of relance in its info")
                continue
            for row in rows:
                named = isinstance(row, dict) and not row.get("agent") and isinstance(model, str)
                yield where, {**row, "agent": model} if named else row


def _inside(item: object, *keys: str) -> object:
    for key in keys:
        item = item.get(key) if isinstance(item, Mapping) else None
    return item


def _document(source: Path) -> Items:
    text = read_text(source)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{source} is not JSON, so it is damaged or not a log: {short(str(error))}") from None
    if isinstance(found, dict) and "eval" in found:
        return _inspect(source)
    if isinstance(found, dict) and "steps" in found:
        return _kaggle(found)
    raise ValueError(
        f"{source} is neither a log of Inspect nor a replay of Kaggle; a file of JSON lines must end in .jsonl"
    )


def _inspect(source: Path) -> Items:
    """The rows that the samples have in their stores."""
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise ImportError(f"{source} is a log of Inspect; to read it, pip install 'relance[inspect]'") from error
    for sample in read_eval_log(str(source)).samples or []:
        where = f"sample {sample.id!r}, epoch {sample.epoch}"
        rows = sample.store.get("Decisions:rows")
        if sample.error is not None:
            yield where, LogError("games that failed", f"the sample failed: {short(sample.error.message)}")
        elif not isinstance(rows, list):
            yield where, LogError("games without rows", "the sample has no rows of relance in its store")
        yield from ((where, row) for row in (rows if isinstance(rows, list) else ()))


def _kaggle(replay: Mapping[str, Any]) -> Items:
    try:
        yield from _replayed(replay)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"the replay is damaged, or not of a game of relance: {what}") from None


def _replayed(replay: Mapping[str, Any]) -> Items:
    """One game: both seats' answers and terminal nodes. An illegal answer forfeits what it does in the game, not Kaggle's one chip."""
    from relance.registration.openspiel import relance_game
    from relance.registration.openspiel_texts import PREFIX, load_openspiel

    info, about = replay["info"], replay.get("configuration", {})
    text = info["openSpielGameStringResolved"]
    if not (isinstance(text, str) and text.startswith(PREFIX)):
        raise ValueError(f"{short(text)} is not a game of Relance")
    game = relance_game(load_openspiel(text))
    check_named(game)
    history = [int(action) for action in info["actionHistory"]]
    (first, second), left, table = history[:2], history[2:], Table(rules(game))
    table.give((first, second))
    names = info.get("TeamNames") or ["agent 0", "agent 1"]
    number = info.get("EpisodeId", int(replay["id"].replace("-", "")[:12], 16))
    run: dict[str, Any] = {"seed": about.get("seed") or 0, "episode": number}
    by_seat = [run | {"agent": names[seat], "opponent": names[1 - seat]} for seat in (0, 1)]
    said = [
        (seat, player["info"]["actionSubmitted"], json.dumps(player["action"]))
        for step in replay["steps"]
        for seat, player in enumerate(step)
        if "actionSubmitted" in (player.get("info") or {})
    ]
    for seat, submitted, raw in said:
        action = game.actions[submitted] if submitted in range(len(game.actions)) else None
        row = decision_row(game, seat, table.hands[seat], table.node, action, raw=raw, **by_seat[seat])
        yield f"step of agent {seat}", row.to_dict()
        if submitted in table.rules.legal[table.node]:
            table.act(left.pop(0))
            while table.player == CHANCE:
                table.turn_up(left.pop(0))
    if any(status != "DONE" for status in replay["statuses"]):
        return
    paid = replay["rewards"]
    if not table.over:
        table.forfeit(table.player)
        paid = table.chips, -table.chips
    for seat in (0, 1):
        row = terminal_row(game, seat, table.hands[seat], table.node, paid[seat], **by_seat[seat])
        yield "the end", row.to_dict()
