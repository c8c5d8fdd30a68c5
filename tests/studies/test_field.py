"""The study of the field: its comparisons on made-up scores, and the page that it wrote."""

from pathlib import Path

import pytest

from relance.baselines.boards import gathered
from studies.field import as_csv, best, compared, page, verdict

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


def test_the_page_and_its_table_are_those_of_its_results():
    rows = gathered([DOCS / "results" / "field.jsonl"])
    assert (DOCS / "field.md").read_text(encoding="utf-8") == page(rows)
    assert (DOCS / "field.csv").read_text(encoding="utf-8") == as_csv(list(compared(rows)))
