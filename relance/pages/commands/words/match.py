"""Matches on the command line: `relance match`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from relance.model.game import Game
from relance.pages.commands.agents import TALKER, without_models
from relance.pages.commands.generator import command
from relance.pages.commands.progress import called
from relance.pages.commands.shared import console_of, write_result
from relance.pages.commands.terminal import TITLED, plain_table
from relance.pages.commands.typed import JSON, WrittenPath
from relance.play.opponents import Player
from relance.words.endpoint import agent_at, asks_a_model
from relance.words.match import Match, match_questions, matches
from relance.words.match import match as play_match


@command(play_match, agent_at, without=["a", "b", "names", "text"])
def match(
    agents: Annotated[list[tuple[str, Player]], TALKER],
    game: Game,
    log: Annotated[Path | None, WrittenPath(is_folder=lambda typed: len(typed["agents"]) > 2)] = None,
    json_file: JSON = None,
    **options: Any,
) -> None:
    """Let agents play each other: who wins, and by how many chips a hand, with most of the luck taken out.

    With more than two agents, each plays all others; --log is then a folder. Each deal is played from both seats. A match stops when the
    winner is clear, and its confidence interval allows for that.

    Args:
        agents: two or more.

    Examples:
        relance match published 'perturbed(0.1)' one_card_poker
        relance match published my_agents:talker one_card_poker --log games.jsonl
        relance match published uniform caller passive von_neumann
    """
    names, players = zip(*agents, strict=True)
    options, budget = without_models(players, options) | {"log": log}, options.get("budget")
    if len(names) < 2:
        raise ValueError(f"name two agents or more, and then the game; there are {len(names)} agents")
    if len(set(names)) < len(names) > 2:
        raise ValueError(f"more than two agents must have different names, not {', '.join(names)}")
    hands = [options["hands"]] if "hands" in options else []
    each = [match_questions(game, a, b, *hands) for a, b in combinations(players, 2)]
    if budget is None and any(map(asks_a_model, players)):
        apart = f" in a match and {sum(each):,} in all" * (len(each) > 1)
        raise ValueError(
            f"this command asks a model up to {max(each):,} questions{apart}; allow them with --budget {max(each)}, "
            "or allow fewer, after which the match ends early"
        )
    if most := sum(count if budget is None else min(count, budget) for count in each):
        print(f"asking at most {most:,} questions", file=sys.stderr)
    kept = "no match was finished" if log is None else f"{log} holds what was played, and the same command continues"
    if len(names) == 2:
        results = [called(play_match, game, *players, names=names, kept=kept, **options)]
    else:
        results = called(matches, game, dict(agents), kept=kept, **options)
    found = str(results[0]) if len(names) == 2 else _crosstable(results)
    console_of(json_file).print(found, markup=False, soft_wrap=isinstance(found, str))
    write_result(json_file, {"matches": [one.as_dict() for one in results]})


def _crosstable(matches: Sequence[Match]) -> RenderableType:
    """A table of chips per hand, each agent against each other, best on top; below it, the hands of each match."""
    names = list(dict.fromkeys(name for match in matches for name in match.names))
    gets = {pair: match.mean for match in matches for pair in [match.names]}
    gets |= {(second, first): -mean for (first, second), mean in list(gets.items())}
    decided = {frozenset(match.names): bool(match.winner) for match in matches}
    means = {name: sum(gets[name, other] for other in names if other != name) / (len(names) - 1) for name in names}
    ranked = sorted(names, key=lambda name: -means[name])

    table = Table(title=f"Chips a hand in {escape(str(matches[0].game))}", **TITLED)
    for heading in ("", *(str(place) for place in range(1, len(ranked) + 1)), "mean"):
        table.add_column(heading, justify="right" if heading else "left", overflow="fold")
    for place, name in enumerate(ranked, 1):
        cells = [
            "" if other == name else f"{gets[name, other]:z.4f}{' ' if decided[frozenset((name, other))] else '?'}"
            for other in ranked
        ]
        table.add_row(escape(f"{place} {name}"), *cells, f"{means[name]:z.4f}")
    note = f"? is not decided: the {matches[0].level:.0%} interval of that match holds 0"

    hands = plain_table("match", "hands", "chips a hand of the first", "raw chips would need")
    for match in matches:
        needed = "" if match.raw_hands is None else f"about {match.raw_hands} hands"
        interval = f"{match.mean:z.4f} [{match.low:z.4f}, {match.high:z.4f}]"
        hands.add_row(escape(" - ".join(match.names)), str(match.hands), escape(interval), needed)
    return Group(table, note, "", hands)
