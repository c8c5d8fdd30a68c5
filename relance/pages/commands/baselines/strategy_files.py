"""Results of runs, as strategies that `relance plot --learned` draws."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from relance.model.game import Game


def strategy_files(game: Game, files: Sequence[Path]) -> dict[str, Any]:
    """The policies for the game in these results, by the algorithm's name, with the seed if there are several runs."""
    from relance.baselines.boards import gathered, labels
    from relance.baselines.openspiel_games import any_game

    rows = gathered(files)
    names, where = labels(rows), ", ".join(map(str, files))
    there = sorted({row["game"] for row in rows})
    on_it = [row for row in rows if any_game(row["game"]) == game]
    mine = on_it or [row for row in rows if getattr(any_game(row["game"]), "whole", None) == game.whole]
    if not mine:
        raise ValueError(f"there is no run on {game} in {where}; the runs are on {'; '.join(there)}")
    mine = sorted((row for row in mine if row["policy"]), key=lambda row: (names[row["key"]], row["seed"]))
    if not mine:
        raise ValueError(f"the runs on {game} in {where} have no strategy")
    several = len({names[row["key"]] for row in mine}) < len(mine)
    return {names[row["key"]] + (f", seed {row['seed']}" if several else ""): row["policy"] for row in mine}
