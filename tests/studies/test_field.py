"""The study of the field: its comparisons on made-up scores, and the page that it wrote."""

from pathlib import Path

import numpy as np
import pytest

from studies import field
from studies.field import best, better, long_seeds, main, verdict, worse_told

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("mine", "theirs", "said"),
    [
        ((0.1, 0.2, 0.1), (0.3, 0.4, 0.3), "ahead"),
        ((0.3, 0.4, 0.3), (0.1, 0.2, 0.1), "behind"),
        ((0.1, 0.3, 0.2), (0.2, 0.4, 0.3), "level"),
        # one run of ten that is worse than the best of the other changes nothing
        ((*np.linspace(0.1, 0.2, 9), 0.9), tuple(np.linspace(0.5, 0.6, 10)), "ahead"),
    ],
)
def test_a_lead_is_a_difference_of_medians_whose_interval_is_without_0(mine, theirs, said):
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
