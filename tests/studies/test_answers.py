"""The study of estimates from answers: its results cover, its page has them, and a part of it is computed again."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import relance
from relance.envs.catalogue import read_profile
from studies.answers import REPETITIONS, page
from studies.answers_numbers import (
    ANSWERS,
    GAMES,
    LEDUC,
    RARE_ANSWERS,
    UNPUBLISHED,
    Drawing,
    agents,
    agreement,
    needed,
    rare,
    study,
)

DOCS = Path(__file__).parents[2] / "docs"
ROWS = [json.loads(line) for line in (DOCS / "results" / "answers.jsonl").read_text().splitlines()]
COVERAGE = [row for row in ROWS if row["table"] == "coverage"]
KUHN = agents(GAMES[0])


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_equilibrium_is_one_exactly_and_kept(game):
    kept = game.published() if game.is_published else read_profile(UNPUBLISHED)[1]
    assert relance.nash_conv(game, kept) == 0
    found = agents(game)[0].profile
    assert all(np.array_equal(found[node], np.array(kept[node], float)) for node in game.tree.decisions)


def test_the_equilibrium_of_leduc_is_one_exactly():
    assert relance.nash_conv(*read_profile(LEDUC)) == 0


def test_every_interval_covers():
    seldom = [row for row in ROWS if row["table"] == "rare"]
    assert {(row["agent"], row["answers"]) for row in seldom} == {
        *product((agent.name for agent in rare()), RARE_ANSWERS)
    }
    assert len(COVERAGE) == len(GAMES) * len(KUHN) * len(ANSWERS)
    assert len({row["agent"] for row in COVERAGE}) >= 10
    for row in COVERAGE + seldom:
        assert min(row["covers"], row["covers_value"], row["covers_best"]) >= 0.93, row
        assert row["repetitions"] == REPETITIONS


def test_the_page_is_made_from_the_results():
    assert (DOCS / "answers.md").read_text() == page(ROWS)


@pytest.mark.parametrize(("place", "answers"), [(0, 10), (7, 100), (13, 30)])
def test_results_are_computed_again(place, answers):
    """Equal within the rounding of the file and of other versions of numpy."""
    agent = KUHN[place]
    (kept,) = (
        row for row in COVERAGE if (row["game"], row["agent"], row["answers"]) == (str(GAMES[0]), agent.name, answers)
    )
    for key, figure in study(agent, answers, 400).items():
        near = 0.03 if key.startswith("covers") or key in ("above", "below") else 0.02
        assert key == "repetitions" or figure == pytest.approx(kept[key], abs=near), key


def test_answers_needed_and_agreement():
    single = {row["agent"]: row for row in ROWS if row["table"] == "one" and row["game"] == str(GAMES[0])}
    calls = next(agent for agent in KUHN if agent.name == "always calls")
    assert needed(calls) == single[calls.name]["needed"]
    assert agreement(GAMES[0], calls)["exact"] == pytest.approx(single[calls.name]["exact"], abs=1e-6)


def test_a_drawing_agent_is_not_scored_exactly():
    with pytest.raises(ValueError, match=r"relance.words.score\(game, agent, answers=100\)"):
        relance.score(GAMES[0], Drawing(GAMES[0], KUHN[0].profile))
