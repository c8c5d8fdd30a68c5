"""The ratio of bets and bluffs."""

import pytest

from relance.claims.checks import with_numbers
from relance.claims.cutler.force_in import ratio
from relance.claims.ledger import Numbers
from relance.envs.cutler import pot_limit_plan


@pytest.mark.parametrize(
    ("name", "plan", "node"),
    [("opening.pot_limit_plan", pot_limit_plan, "bet"), ("force_in.with_numbers", with_numbers, "")],
)
def test_the_ratio_of_bets_and_bluffs_is_asked_of_every_share(monkeypatch, name, plan, node):
    """Games with few raises keep it, but with some share of the next raise a player bluffs too often."""

    def too_often(*what):
        rows = plan(*what)
        (low, high), good = rows[node]["raise"]
        return {**rows, node: {**rows[node], "raise": [(low, high + high / 100), good]}}

    assert ratio(Numbers({"ratio": "2"})).method == "proved"
    monkeypatch.setattr(f"relance.claims.cutler.{name}", too_often)
    assert not ratio(Numbers({"ratio": "2"})).holds
