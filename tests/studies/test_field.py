"""The study of the field: its comparisons on made-up scores, and the page that it wrote."""

from itertools import combinations
from pathlib import Path

import pytest

from studies import field
from studies.field import best, better, chances, long_seeds, main, verdict, worse_told

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("mine", "theirs", "said"),
    [([0.1, 0.2], [0.3, 0.4], "ahead"), ([0.3, 0.4], [0.1, 0.2], "behind"), ([0.1, 0.3], [0.2, 0.4], "level")],
)
def test_a_lead_needs_every_run(mine, theirs, said):
    assert verdict(mine, theirs) == said


def test_the_best_has_the_least_median():
    board = {"ppo": [0.1, 0.5, 0.9], "ppg": [0.3, 0.4, 9.0], "rnad": [0.0]}
    assert best(board, ("ppo", "ppg")) == "ppg"
    assert best(board, ("escher",)) is None


def test_a_learner_counts_by_the_better_of_its_policies(monkeypatch):
    last = {"kuhn": {"ppo": [0.1, 0.2, 0.9], "rnad": [0.5]}}
    average = {"kuhn": {"ppo": [0.3, 0.3, 0.3], "mmd": [0.4]}}
    monkeypatch.setattr(field, "scores", lambda rows, budget, policy: last if policy == "last" else average)
    assert better([], 1) == {"kuhn": {"ppo": [0.1, 0.2, 0.9], "rnad": [0.5], "mmd": [0.4]}}


def test_only_what_became_worse_is_told():
    boards = {"one_card_poker(raises=0)": {"ppo": [0.2, 0.4, 0.5], "rnad": [0.3]}}
    assert worse_told(boards, {"one_card_poker(raises=0)": {"ppo": 0.3, "rnad": 0.3}}) == 'ppo on "Kuhn, 3 cards"'
    assert worse_told(boards, {}) == "none"


@pytest.mark.parametrize("seeds", [1, 2, 4])
def test_how_seldom_equals_are_apart_by_chance(seeds):
    places = range(2 * seeds)
    apart = [verdict(mine, [x for x in places if x not in mine]) != "level" for mine in combinations(places, seeds)]
    assert len(apart) == sum(apart) * chances(seeds)


def test_the_learner_with_the_fewest_long_runs_counts():
    plain = {"settings": {}, "policy": None}
    runs = [("kuhn", "ppo", 10), ("kuhn", "ppo", 10), ("kuhn", "rnad", 10), ("kuhn", "ppg", None), ("leduc", "ppo", 10)]
    rows = [{"game": game, "algorithm": name, "samples": samples, **plain} for game, name, samples in runs]
    assert long_seeds(rows) == {"kuhn": 1, "leduc": 1}


def test_the_page_and_its_tables_are_those_of_its_results(tmp_path):
    main(output=str(tmp_path))
    for path in tmp_path.iterdir():
        assert path.read_text(encoding="utf-8") == (DOCS / path.name).read_text(encoding="utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {"field.md", "field.csv", "searched.csv"}
