"""The step from a raise to the next, and its arguments."""

import pytest

import relance
from relance.claims.cutler.stages import answers, prize, settled
from relance.model.tree import Leaf


@pytest.mark.parametrize("fact", ["calls", "bluffs", "raises"])
def test_each_fact_of_an_answer_holds(fact):
    found = answers(fact)
    assert found.holds
    assert found.method == "proved"


@pytest.mark.parametrize(
    ("fact", "wrong"),
    [
        ("raises", {"alpha": "1/(4 + 2*x)"}),
        ("raises", {"alpha": "1/4"}),
        ("raises", {"beta": "1/2"}),
        ("bluffs", {"beta": "(1 - x)/2"}),
    ],
)
def test_other_shares_are_refused(fact, wrong):
    assert not answers(fact, **wrong).holds


@pytest.mark.parametrize("raises", range(1, 6))
def test_a_raise_wins_its_prize(raises):
    """Ending the game at the first raise, with its prize, leaves the value as it is."""
    for name, node in (("force_in", "raise"), ("pot_limit", "bet-raise")):
        game = relance.make(name, raises=raises)
        _, v = game.printed_numbers()
        short = settled(game, {node: Leaf(-prize(v["alpha1"], v["alpha2"]))})
        plan = {name: row for name, row in game.published().plan().items() if name in short.tree.decisions}
        assert relance.value(short, short.profile(plan)) == relance.value(game, game.published())
