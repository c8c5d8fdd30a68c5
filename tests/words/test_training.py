"""What labs train on: fresh games with their exact answers, rows of questions, and the environment for TRL."""

import json
from fractions import Fraction

import pytest
from conftest import marked

import relance
from relance.envs import BLUEPRINTS
from relance.play.rewards import Rewards
from relance.solvers.exact import nash_conv, value
from relance.words.data_set import question_rows, write_questions
from relance.words.fresh_games import fresh, in_its_unit
from relance.words.replies import parse_reply
from relance.words.trl import hand_environment, hand_rewards, hand_rows

KUHN = "one_card_poker(raises=0)"


@pytest.mark.parametrize("seed", marked(range(12), lambda seed: seed >= 4))
def test_a_fresh_game_has_an_exact_answer(seed):
    drawn = fresh(seed)
    assert nash_conv(drawn.game, drawn.profile) == 0
    assert drawn.value == value(drawn.game, drawn.profile)
    assert isinstance(drawn.uniform, Fraction)
    assert drawn.uniform > 0
    again = fresh(seed)
    assert (again.game, again.value, vars(again.wording)) == (drawn.game, drawn.value, vars(drawn.wording))
    assert relance.make(str(drawn.game)) == drawn.game


def test_fresh_games_differ():
    """From each other, and from those of the catalogue by more than the unit."""
    drawn = [fresh(seed) for seed in range(40)]
    assert len({str(one.game) for one in drawn}) > 37
    assert len({one.wording.name for one in drawn}) == 40
    assert {one.mixes > 0 for one in drawn} == {True, False}
    for one in drawn:
        printed = [relance.make(one.game.name, **sample) for sample in ({}, *BLUEPRINTS[one.game.name].samples)]
        assert in_its_unit(one.game) not in list(map(in_its_unit, printed))
    twice, other = relance.make("one_card_poker", ante=2, bet=2), relance.make("one_card_poker", ante=2, bet=3)
    assert in_its_unit(twice) == in_its_unit(relance.make("one_card_poker")) != in_its_unit(other)
    assert any("deal=" in str(one.game) and "deal=uniform" not in str(one.game) for one in drawn)


def test_rows_are_exact():
    """At an equilibrium no regret is above 0, and an action that is taken has none; the values weighted by play are the game's value."""
    game, total = relance.make(KUHN), 0.0
    rows = list(question_rows(game, dress=7))
    assert len(rows) == 12
    for row in rows:
        exact = [Fraction(text) for text in row["exact_regrets"]]
        assert max(exact) == 0
        assert all(p == 0 or regret == 0 for p, regret in zip(row["policy"], exact, strict=True))
        assert row["regrets"] == [float(regret) for regret in exact]
        assert [game.actions[i] for i, open_ in enumerate(row["mask"]) if open_] == row["actions"]
        wording = relance.words.redressed(game, 7)
        said = [parse_reply(answer, row["actions"], wording).action for answer in row["answers"]]
        assert said == row["actions"]
        assert all(answer in row["prompt"][-1]["content"] for answer in row["answers"])
        if row["node"] == "":
            total += row["reach"] * sum(p * v for p, v in zip(row["policy"], row["values"], strict=True))
    assert total == pytest.approx(-1 / 18)


def test_where_nobody_comes_nothing_is_known():
    rows = [row for row in question_rows(KUHN, "passive") if row["node"] == "bet"]
    assert {row["values"] for row in rows} == {None}
    assert {row["exact_regrets"] for row in rows} == {None}


def test_files(tmp_path):
    lines = tmp_path / "kuhn.jsonl"
    assert write_questions(lines, KUHN, dress=3) == 12
    assert [json.loads(line) for line in lines.read_text().splitlines()] == list(question_rows(KUHN, dress=3))
    with pytest.raises(ValueError, match=r"must end in .jsonl or .parquet"):
        write_questions(tmp_path / "kuhn.csv", KUHN)
    with pytest.raises(OSError, match="there is no folder"):
        write_questions(tmp_path / "none" / "kuhn.jsonl", KUHN, policy="nobody")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    assert write_questions(tmp_path / "kuhn.parquet", KUHN, dress=3) == 12
    assert parquet.read_table(tmp_path / "kuhn.parquet").to_pylist() == list(question_rows(KUHN, dress=3))


def test_a_wording_or_a_dress():
    drawn = fresh(1)
    row = next(question_rows(drawn.game, drawn.profile, wording=drawn.wording))
    assert row["dress"] == drawn.wording.name
    with pytest.raises(ValueError, match="give one of them"):
        next(question_rows(drawn.game, wording=drawn.wording, dress=1))


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
