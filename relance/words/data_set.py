"""Questions with their exact answers, as rows for training and for tests: JSON lines or Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from relance.model.arguments import NaturalNumber, PathName, checked
from relance.model.files import check_writable, json_line, write_bytes, write_text
from relance.model.game import Game, as_game
from relance.model.numbers import Number, show
from relance.model.strategy import Profile
from relance.play.agents import strategy
from relance.play.opponents import Player
from relance.play.wording import PLAIN, Wording
from relance.solvers.exact import action_values
from relance.words.log_rows import logged_hand
from relance.words.question_plan import Inquiry, inquiry
from relance.words.renamings import renamed_wording
from relance.words.text_agent import talk


@checked
def question_rows(
    game: Game | str,
    policy: Player = "equilibrium",
    *,
    wording: Wording | None = None,
    renaming: NaturalNumber | None = None,
    hands: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Return a row for each information set, with each action's exact value and regret if both players then follow a policy.

    The columns are `game`, `renaming`, `seat`, `node`, `hand`, `prompt` (the messages to be answered, with role and content), `mask` (for
    each action id 1 if it is legal, else 0) and `reach` (the reach probability of chance and the other player). Each other column lists,
    per legal action: `answers` (the end of a reply with the action, "[bet]"), `actions` (the game's own name), `policy` (probability),
    `values` (the player's expected chips, given hand and node), `regrets` (the value minus the policy's value), and as text `exact_values`
    and `exact_regrets`. The last four are None where `reach` is 0, and the last two also where the numbers are not fractions.

    Args:
        game: the game; with many hands, or hands on [0, 1], questions are those of `relance.words.score`.
        policy: the strategy that both players then follow, as in `relance.play.strategy`.
        wording: the names of actions, hands and units, such as those of `relance.words.fresh_game`.
        renaming: the seed of a renamed game, instead of `wording`.
        hands: at how many hands of each player to ask, if there are many.

    Raises:
        ValueError: an argument is not allowed.
    """
    made = as_game(game)
    if wording is not None and renaming is not None:
        raise ValueError(f"wording={wording.name!r} and renaming={renaming} must not both be given")
    said = wording or (PLAIN if renaming is None else renamed_wording(made, renaming))
    where = inquiry(made, hands)
    return _rows(where, where.game.together(*(strategy(where.game, policy, seat) for seat in (0, 1))), said)


def _rows(where: Inquiry, played: Profile, said: Wording) -> Iterator[dict[str, Any]]:
    made, legal = where.asked, where.asked.tree.table.legal
    for seat in (0, 1):
        found = action_values(where.game, played, seat)
        for node, hand in where.sets(seat):
            asked = where.question(seat, node, hand)
            actions = made.tree.decisions[node].actions
            reach, chances = found[node][0][hand], [row[hand] for row in played[node]]
            values = [row[hand] / reach for row in found[node][1]] if reach else []
            usual = sum(p * chips for p, chips in zip(chances, values, strict=False))
            row: dict[str, Any] = {
                "game": str(made),
                "renaming": said.name,
                "seat": seat,
                "node": node,
                "hand": logged_hand(where.asked, seat, asked.hand),
                "prompt": [dict(message) for message in next(talk(where.asked, asked, wording=said))],
                "answers": [f"[{said.action(action)}]" for action in actions],
                "actions": list(actions),
                "mask": np.asarray(legal[made.tree.table.names.index(node)], int).tolist(),
                "policy": [float(p) for p in chances],
                "reach": float(reach),
            }
            yield row | _columns("values", values) | _columns("regrets", [chips - usual for chips in values])


def _columns(name: str, numbers: list[Number]) -> dict[str, Any]:
    """Numbers as floats, and as text if they are exact; None if there are none."""
    exact = None if not numbers or any(isinstance(n, float) for n in numbers) else [show(n) for n in numbers]
    return {name: [float(n) for n in numbers] or None, f"exact_{name}": exact}


@checked
def write_questions(
    path: PathName,
    game: Game | str,
    policy: Player = "equilibrium",
    *,
    wording: Wording | None = None,
    renaming: NaturalNumber | None = None,
    hands: int | None = None,
) -> int:
    """Write the rows of `question_rows` to a file, as JSON lines or, if it ends in ".parquet", as Parquet.

    Returns:
        The number of rows.

    Raises:
        ValueError: the file ends in neither ".jsonl" nor ".parquet", or `question_rows` raises it; nothing is written.
        ImportError: Parquet needs pyarrow, which is not installed.
    """
    file = Path(path)
    if file.suffix not in (".jsonl", ".parquet"):
        raise ValueError(f"path={str(path)!r} must end in .jsonl or .parquet")
    check_writable(file)
    rows = list(question_rows(game, policy, wording=wording, renaming=renaming, hands=hands))
    if file.suffix == ".jsonl":
        write_text(file, "".join(map(json_line, rows)))
        return len(rows)
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("Parquet needs pyarrow: pip install 'pyarrow>=15'") from error
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_pylist([{**row, "hand": str(row["hand"])} for row in rows]), sink)
    write_bytes(file, sink.getvalue().to_pybytes())
    return len(rows)
