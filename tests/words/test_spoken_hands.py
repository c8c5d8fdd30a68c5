"""Hands played in words: they follow the rules, everything is logged, and what decisions cost is exact on average."""

from itertools import pairwise

import pytest

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.model.game import build
from relance.play.exact_score import earned
from relance.play.rewards import Rewards
from relance.play.rules import rules
from relance.words.log_rows import parse_rows
from relance.words.spoken_hands import SpokenGame, SpokenHand, SpokenQuestion, check_size, spoken_game

KUHN = "one_card_poker(raises=0)"


def last(asked):
    """The reply of an agent who always takes the last action listed, as the opponent `aggressive` does."""
    return f"First I thought of [this]. [{asked.legal[-1]}]"


def played(spoken, number, seats=(0, 1), reply=last, seed=0, agents=("me", "you")):
    hand = SpokenHand(spoken, seed, number, seats, agents)
    costs = []
    while hand.seat is not None:
        costs.append(hand.answer(reply(hand)))
    return hand, costs


@pytest.mark.parametrize("name", [str(build(spec, **spec.samples[0])) for spec in BLUEPRINTS.values()])
def test_hands_of_every_game_are_logged_as_they_were_played(name):
    spoken = spoken_game(name, "uniform", "uniform")
    for number in range(4):
        hand, _ = played(spoken, number)
        rows = [row for part in hand.rows.values() for row in part]
        log = parse_rows((str(place), row.to_dict()) for place, row in enumerate(rows))
        assert log.faults == ()
        assert log.rows == tuple(rows)
        assert [row.chips for row in rows if row.is_terminal] == [hand.chips(0), hand.chips(1)]
        assert hand.chips(0) == -hand.chips(1)
        assert rows[-1].node in spoken.game.tree.leaves
        steps = sorted({row.node for row in rows}, key=len)
        assert all(after.startswith(before) for before, after in pairwise(steps))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", [KUHN, "von_neumann", "ponssard", "endgame(bets=2)"])
def test_chips_without_luck_are_right_on_average(name, seat):
    """The value of the best decisions less what these cost, against exact arithmetic that knows nothing of single decisions."""
    game, hands = relance.make(name), 1500
    spoken = SpokenGame(game, "uniform", "uniform")
    luckless = []
    for number in range(hands):
        hand, costs = played(spoken, number, (seat,))
        assert spoken.losses(hand.rows[seat]) == costs
        luckless.append(float(spoken.coach(seat).value) - sum(costs))
    mean = sum(luckless) / hands
    error = (sum((chips - mean) ** 2 for chips in luckless) / hands / hands) ** 0.5
    expected = earned(game, "aggressive", seat, "uniform").value
    assert abs(mean - float(expected)) <= 4 * error + 1e-9


def test_the_same_deal_whoever_plays():
    spoken, renamed = spoken_game(KUHN), spoken_game(KUHN, renaming=3)
    for number in range(5):
        hands = [played(spoken, number, seats)[0].table.hands for seats in ((0,), (1,), (0, 1))]
        hands.append(played(renamed, number, (0,))[0].table.hands)
        assert hands == [hands[0]] * 4
    assert len({played(spoken, number)[0].table.hands for number in range(60)}) == 6
    assert played(spoken, 1, seed=2)[0].rows != played(spoken, 1, seed=3)[0].rows


def test_nobody_sees_what_the_other_wrote():
    shown = {0: [], 1: []}

    def reply(hand):
        shown[hand.seat].append(str(hand.messages))
        return f"SECRET{hand.seat} {last(hand)}"

    for number in range(20):
        played(spoken_game("one_card_poker(raises=1)", retries=1), number, reply=reply)
    assert shown[0]
    assert not any("SECRET" in text for texts in shown.values() for text in texts)


def test_an_answer_without_an_action_forfeits_what_can_be_lost():
    spoken = spoken_game(KUHN)
    for seat in (0, 1):
        hand, costs = played(spoken, 0, reply=lambda hand, seat=seat: last(hand) if hand.seat != seat else "no")
        assert hand.chips(seat) == -rules(spoken.game).worst[seat] == -2
        row, end = hand.rows[seat]
        assert (row.action, row.raw, row.is_illegal, end.node) == (None, "no", True, row.node)
        assert costs[-1] == spoken.losses(hand.rows[seat])[0] > 0


def test_one_more_try_costs_nothing():
    spoken = spoken_game(KUHN, retries=1)
    texts = iter(["what?", "[check]", "what?", "what?"])
    hand = SpokenHand(spoken, 0, 0, (0, 1))
    assert hand.answer(next(texts)) == 0.0
    assert [message["role"] for message in hand.messages] == ["user", "assistant", "user"]
    hand.answer(next(texts))
    assert hand.seat == 1
    assert len(hand.messages) == 1
    hand.answer(next(texts))
    cost = hand.answer(next(texts))
    assert [row.raw for row in hand.rows[0]] == ["what?", "[check]", ""]
    assert [(row.raw, row.is_illegal) for row in hand.rows[1]] == [("what?", True), ("what?", True), ("", False)]
    assert spoken.losses(hand.rows[1]) == [cost]
    assert hand.chips(1) == -2


def test_renamings_are_taken_off_in_the_log():
    plain, renamed = (SpokenHand(spoken_game(KUHN, renaming=renaming), 0) for renaming in (None, 1))
    assert plain.legal == ["check", "bet"]
    assert not set(renamed.legal) & {"check", "bet"}
    while renamed.seat is not None:
        renamed.answer(last(renamed))
    assert {row.action for row in renamed.rows[0] if not row.is_terminal} <= {"check", "bet", "fold", "call"}


def test_a_question_alone():
    spoken = spoken_game(KUHN)
    asked = SpokenQuestion(spoken, 1, 2, spoken.rules.names.index("bet"), seed=0, episode=3, agent="me")
    assert "Your hand: A" in asked.messages[0]["content"]
    assert asked.answer("[fold]") == pytest.approx(3)  # the ace would have won 2 chips, and loses 1
    assert asked.seat is None
    assert asked.messages == []
    assert asked.rows[0].hand == "A"
    with pytest.raises(RuntimeError, match="has been answered"):
        asked.answer("[call]")


def test_unpublished_games_are_scored_by_an_equilibrium():
    name = "one_card_poker(cards=4, raises=2)"
    assert not relance.make(name).is_published
    with pytest.raises(ValueError, match="no strategy is published"):
        spoken_game(name, "published")
    assert len(played(spoken_game(name), 0)[1]) > 0
    spoken = spoken_game(name, "uniform", "solved")
    assert relance.nash_conv(spoken.game, spoken.reference_opponent) == 0
    assert len(played(spoken, 0)[1]) > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "one_card_pokr"}, "there is no game 'one_card_pokr'"),
        ({"opponent": "nobody"}, "there is no opponent 'nobody'"),
        ({"reference_opponent": "nobody"}, "there is no opponent 'nobody'"),
        ({"retries": 2}, "retries=2 must be 0 or 1"),
        ({"renaming": -1}, "seed=-1 must be a whole number at least 0"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        spoken_game(**{"game": KUHN} | arguments)


def test_bad_deals():
    spoken = spoken_game(KUHN)
    with pytest.raises(ValueError, match="seed=-1 must be a whole number"):
        SpokenHand(spoken, -1)
    hand, _ = played(spoken, 0)
    with pytest.raises(RuntimeError, match="the hand is over"):
        hand.answer("[check]")


@pytest.mark.parametrize("name", relance.games())
def test_a_server_plays_every_game_as_it_is_by_default(name):
    check_size(name, "equilibrium", "uniform")


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (["von_neumann(hands=30000)"], "has 60,000 information sets; this server plays games of at most 50,000"),
        (["von_neumann(hands=3000)", "solved"], "has 6,000 .* at most 5,000, where its strategies are solved"),
        (["river(ranges=random vs random,raises=4,bets=1)"], "at most 5,000, where its strategies are solved"),
        (["pot_limit(raises=60)", "solved"], "at most 5,000, where"),
        (["endgame", "mixture(" + "uniform," * 100 + "passive)"], "has 816 characters; this server takes at most 400"),
    ],
)
def test_a_server_refuses_what_would_take_minutes(texts, why, monkeypatch):
    monkeypatch.setattr("relance.words.spoken_hands.solved", None)
    with pytest.raises(ValueError, match=why):
        check_size(*texts)


@pytest.mark.parametrize("reward", ["advantage", "exploitability_descent", "magnet"])
def test_a_learner_is_paid_by_the_policy_that_its_answers_tell(reward):
    """After `every` answers the policy is estimated anew, and who is met at the table follows it."""
    plain = spoken_game(KUHN)
    learned, told = plain.learning(reward, every=40), Rewards(KUHN, reward)
    for deal in range(40):
        hand, _ = played(learned, deal, (0,), lambda hand: "[bet]")
        held = hand.table.hands[0]
        assert learned.rewards.policy[""][1][held] == 0.5
        assert learned.pay(hand.rows[0]) == pytest.approx([told.paid(0, held, 1)])
        told.record(0, held, 1)
    told.refresh()
    assert min(learned.rewards.policy[""][1]) > 0.7  # it bets with every hand
    assert learned.rewards.paid(0, 0, 1) == told.paid(0, 0, 1)
    calls = learned.player(1)
    assert calls is not plain.player(1)
    if reward == "exploitability_descent":  # the best hand calls whoever always bets, the worst folds
        bet = relance.make(KUHN).tree.table.names.index("bet")
        assert [calls.draw(bet, hand, 0.5) == relance.make(KUHN).action_id("call") for hand in (0, 2)] == [False, True]
    assert plain.rewards is None


def test_a_fixed_reward_is_paid_without_a_policy():
    learned = spoken_game("one_card_poker(raises=0)").learning("loss")
    hand = SpokenHand(learned, 0, 0, seats=(0,))
    cost = hand.answer("nothing")
    assert learned.pay(hand.rows[0]) == pytest.approx([-cost])
    with pytest.raises(ValueError, match="cut them into cells"):
        spoken_game("von_neumann").learning("advantage")
