"""Scores an agent from logged games; see `relance.words.LogRow` for what a log holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relance.model.arguments import Count, checked
from relance.model.arrays import Floats
from relance.model.game import Game, as_game, as_profile
from relance.model.numbers import short
from relance.model.strategy import Profile
from relance.play.opponents import Player
from relance.words.deal_checks import disagreements, place_of, unlikely_hands
from relance.words.episodes import Episode, episodes, judged
from relance.words.games_score import GamesScore
from relance.words.log_rows import Fault, Log, LogRow, hand_index, written_game

CELLS = 10
"""The number of cells into which hands on [0, 1] are cut for the policy, unless the published thresholds cut them into `FEW` or fewer."""

FEW = 24


@checked
def score_games(
    game: Game | str,
    log: Log | Sequence[LogRow],
    agent: str | None = None,
    *,
    opponent: Player | None = None,
    hands: Count | None = None,
    published: Mapping[str, object] | Profile | str | None = None,
) -> GamesScore:
    """Score an agent from logged games.

    Games that cannot have happened are left out, and are among the faults; so are hands that the law of the game does not deal, as far as
    one in a million; see `relance.words.deal_checks`.

    Args:
        game: the game; rows of other games are left out and counted.
        log: from `read_games`, or rows.
        agent: whose answers, if the log has those of several.
        opponent: who played the other seat, where the log does not name a known opponent.
        hands: into how many cells hands on [0, 1] are cut for the policy and NashConv; by default about ten. Chips and losses do not
            depend on it.
        published: as for `relance.score`.

    Raises:
        ValueError: there is no answer of this agent in this game, or the log has several agents and none is named.
    """
    game = as_game(game)
    rows, faults = (log.rows, log.faults) if isinstance(log, Log) else (log, ())
    if not isinstance(rows, Sequence) or not all(isinstance(row, LogRow) for row in rows):
        raise TypeError(f"a log is what relance.words.read_games returns, or a sequence of its rows, not {short(log)}")
    mine, others = [row for row in rows if written_game(row) == game], {row.game for row in rows}
    if not mine:
        raise ValueError(f"the log has no games of {game}; it is of {'; '.join(sorted(others)) or 'nothing'}")
    names = list(dict.fromkeys(row.agent for row in mine))
    if agent is None and len(names) > 1:
        raise ValueError(f"the log has several agents; name one of them: {', '.join(map(repr, names))}")
    if agent is not None and agent not in names:
        raise ValueError(f"the log has no agent {agent!r}; it has {', '.join(map(repr, names))}")
    if len(mine) < len(rows):
        left = len(rows) - len(mine)
        faults += (
            Fault("the log", "rows of other games", f"{left} rows of {'; '.join(sorted(others - {str(game)}))}"),
        )
    false = disagreements(game, mine)
    faults = (*faults, *false.values(), *unlikely_hands(game, mine))
    mine = [row for row in mine if row.agent == (names[0] if agent is None else agent)]
    played, wrong = episodes(game, [row for row in mine if place_of(row) not in false])
    cells = game if game.deal.is_finite else _cells(game, hands)
    counts, refused = _counts(game, cells, played)
    chosen = as_profile(cells, published) if isinstance(published, str) else published
    reference, why_not = _published(cells, chosen)
    said = [row for row in mine if not row.is_ending]
    return GamesScore(
        game=cells,
        agent=mine[0].agent,
        against=judged(game, played, opponent),
        answers=len(said),
        illegal=sum(row.is_illegal for row in said),
        unfinished=sum(episode.ending is None for episode in played),
        faults=(*faults, *wrong),
        counts=counts,
        refused=refused,
        published=reference,
        why_not=why_not,
    )


def _cells(game: Game, hands: int | None) -> Game:
    if hands is None and game.is_published and (game.aligned().hands or FEW) < FEW:
        return game.aligned()
    return game.grid(CELLS if hands is None else hands)


def _counts(game: Game, cells: Game, played: Sequence[Episode]) -> tuple[dict[str, Floats], dict[str, Floats]]:
    deal, counts, refused = cells.finite_deal(), {}, {}
    for name, node in cells.tree.decisions.items():
        counts[name] = np.zeros((deal.size(node.player), len(node.actions)))
        refused[name] = np.zeros(deal.size(node.player))
    for row in (row for episode in played for row in episode.answers):
        hand = hand_index(game, row.seat, row.hand)
        if cells is not game:
            assert deal.places is not None
            hand = int(np.abs(deal.places[row.seat] - hand).argmin())
        if row.is_illegal or row.action is None:
            refused[row.node][hand] += 1
        else:
            counts[row.node][hand, cells.tree.decisions[row.node].index(row.action)] += 1
    return counts, refused


def _published(game: Game, published: Mapping[str, object] | Profile | None) -> tuple[Profile | None, str]:
    """The strategies that the agent is compared with, in floats; or None and the reason."""
    if isinstance(published, Profile):
        game.check(published)
        return published.as_float(), ""
    if not published and not game.is_published:
        return None, f"no strategy is published for {game}"
    member: dict[str, Any] = dict(published or {})
    return game.published(**member).as_float(), ""
