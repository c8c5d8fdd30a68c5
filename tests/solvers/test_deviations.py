"""Where a strategy differs from a reference: the costliest first, and what is a bluff."""

import pytest

import relance
from relance.solvers.deviations import bets, deviations


@pytest.fixture
def kuhn():
    game = relance.make("one_card_poker", raises=0)
    return game, game.published(alpha="1/3")


def test_nothing_differs_from_itself(kuhn):
    game, profile = kuhn
    assert deviations(game, profile, profile) == []


def test_the_costliest_information_set_is_first_and_its_cost_is_that_of_mending_it(kuhn):
    game, reference = kuhn
    plan = reference.plan()
    wrong = game.profile({**plan, "bet": {"call": [1, 0, 1]}, "check": {"bet": [0, 0, 1]}})
    found = deviations(game, wrong, reference)
    assert [one.cost for one in found] == sorted((one.cost for one in found), reverse=True)
    for one in found:
        rows = {action: row.copy() for action, row in wrong.plan()[one.node].items()}
        for action, row in rows.items():
            row[one.hand] = reference.row(one.node, action)[one.hand]
        mended = game.profile({**wrong.plan(), one.node: rows})
        cost = relance.nash_conv(game, wrong) - relance.nash_conv(game, mended)
        assert one.cost == pytest.approx(float(cost), abs=1e-12)
    assert {(one.node, one.hand) for one in found} == {("bet", 0), ("bet", 1), ("check", 0)}


def test_a_bet_is_a_bluff_with_hands_that_lose_when_called(kuhn):
    game, reference = kuhn
    assert bets(game, reference, "", "bet").tolist() == [-1, -1, 1]
    assert bets(game, reference, "", "check").tolist() == [0, 0, 0]
    assert bets(game, reference, "bet", "call").tolist() == [0, 0, 0]
    kinds = {(one.node, one.hand): one.kind for one in deviations(game, game.uniform(), reference)}
    assert kinds["", 0] == "bluff"
    assert kinds["check", 2] == "value bet"
