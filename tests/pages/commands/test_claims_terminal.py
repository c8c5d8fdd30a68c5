"""What the terminal says about a claim."""

import pytest

import relance
from relance.pages.commands.claims.terminal import announcement, authors
from relance.pages.report import shown


def test_the_details_of_a_false_statement_tell_its_domain_from_that_of_the_correction():
    false, true = (dict(shown(result)) for result in relance.verify(["borel-von-neumann/r-summary", "miao-2014/value"]))
    assert false["right"].startswith("II calls where F(Y) > B/(2B + 2)")
    assert "for" not in false
    assert "0 <= F" in false["right for"]
    assert "right" not in true
    assert "for" in true


@pytest.mark.parametrize(
    ("citation", "said"),
    [
        ("D. H. Miao (2014), Sandbagging in One-Card Poker", "D. H. Miao (2014)"),
        ("C. Ferguson and T. Ferguson (2007), The Endgame in Poker", "C. Ferguson and T. Ferguson (2007)"),
        ("D. Szafron, R. Gibson and N. Sturtevant (2013), A Family", "D. Szafron and others (2013)"),
    ],
)
def test_papers_are_called_by_their_authors_and_year(citation, said):
    assert authors(citation) == said


def test_what_will_be_done_is_said_in_words():
    assert announcement(1, 0.4, 1) == "Deciding 1 claim with one process: about a second."
    assert announcement(326, 17.2, 2) == "Deciding 326 claims with 2 processes: about 17 seconds."
