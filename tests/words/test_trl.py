"""The environment for TRL: what a group is asked and paid."""

import pytest

from relance.play.rewards import Rewards
from relance.words.trl import hand_environment, hand_rewards, hand_rows

KUHN = "one_card_poker(raises=0)"


def test_the_environment_of_trl():
    """A group has one deal; what is paid is what `Rewards` pays, and an action that is not legal loses the most that can be lost."""
    Hand, told = hand_environment(KUHN, "advantage"), Rewards(KUHN, "advantage")
    group = [Hand() for _ in range(4)]
    asked = [hand.reset(**hand_rows(5)[6]) for hand in group]
    assert len(set(asked)) == 1
    card = "QKA".index(asked[0].split("Your hand: ")[1][0])
    for hand, action in zip(group, ("bet", "[bet]", "check", "raise"), strict=True):
        hand.act(action)
    assert group[0].reward == group[1].reward == pytest.approx(told.paid(0, card, 1))
    assert group[3].reward == pytest.approx(told.paid(0, card, -1))
    assert hand_rewards(group) == [hand.reward for hand in group]
    with pytest.raises(ValueError, match="The hand is over"):
        group[0].act("bet")
    for Default, reward in (
        (hand_environment(KUHN), Rewards(KUHN, "exploitability_descent")),
        (hand_environment(KUHN, opponent="caller"), Rewards(KUHN, "advantage", "caller")),
    ):
        hand = Default()
        hand.reset(seed=1, deal=2, seat=0)
        hand.act("bet")
        holding = hand._hand.table.hands[0]
        assert hand.reward == pytest.approx(reward.paid(0, holding, reward.game.action_id("bet")))
    with pytest.raises(ValueError, match="deals=-3 must be a whole number at least 1"):
        hand_rows(-3)
    with pytest.raises(ValueError, match="seat=2 must be 0 or 1"):
        hand.reset(seat=2)
    chips = hand_environment(KUHN, "chips", "passive")()
    chips.reset(seed=1)
    chips.act("bet")
    assert chips.reward == 1


@pytest.mark.parametrize("reward", ["chips", "loss", "advantage", "exploitability_descent", "magnet"])
def test_a_hand_that_is_left_is_given_up(reward):
    """A model that stops calling the tool is paid like one that answers without an action, once, and so less than any that plays."""
    Hand, told = hand_environment(KUHN, reward), Rewards(KUHN, reward)
    left, without, betting, over = (Hand() for _ in range(4))
    for hand in (left, without, betting, over):
        hand.reset(seed=1, deal=2, seat=0)
    without.act("neither")
    betting.act("bet")
    over.act("bet")
    paid = hand_rewards([left, without, betting, over])
    assert paid == hand_rewards([left, without, betting, over])
    assert paid[0] == paid[1] < paid[2] == paid[3]
    holding = left._hand.table.hands[0]
    assert paid[0] == (-2 if reward == "chips" else pytest.approx(told.paid(0, holding, -1)))
    halfway = Hand()
    for deal in range(100):  # until the opponent bets after a check
        halfway.reset(seed=1, deal=deal, seat=0)
        halfway.act("check")
        if halfway._hand.seat == 0:
            break
    so_far = halfway.reward
    assert hand_rewards([halfway])[0] < so_far
