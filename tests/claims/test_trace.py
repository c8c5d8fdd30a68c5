"""Numbers remember where they come from while somebody watches, in each field and on both sides of an operator."""

from pathlib import Path

import relance


def test_the_page_counts_what_is_partially_verified():
    page = (Path(relance.__file__).parents[1] / "docs" / "howto" / "check_a_proof.md").read_text(encoding="utf-8")
    table = page.partition("Thirteen of our claims are only partially verified:")[2].partition("The exit status")[0]
    assert table.count("/") == 13
