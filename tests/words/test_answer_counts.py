"""Answers that others have asked for are counted as those that Relance asks for itself."""

import json

import numpy as np
import pytest

import relance
from relance.words.answer_counts import estimated
from relance.words.question_plan import inquiry

KUHN = relance.make("one_card_poker", raises=0)


def answers(action=lambda legal: legal[-1], times=3):
    where = inquiry(KUHN)
    sets = [(seat, node, hand) for seat in (0, 1) for node, hand in where.sets(seat)]
    return [
        {"seat": s, "node": node, "hand": "QKA"[hand], "action": action(KUHN.tree.decisions[node].actions)}
        for s, node, hand in sets
        for _ in range(times)
    ]


def test_the_estimate_is_that_of_relance_score(tmp_path):
    asked = relance.words.score(KUHN, lambda seen, masks: masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1), answers=3,
                          answers_file=tmp_path / "answers.jsonl")  # fmt: skip
    lines = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()[1:]]
    assert estimated(KUHN, lines).nash_conv == asked.nash_conv
    assert estimated(KUHN, answers()).nash_conv == pytest.approx(asked.nash_conv)


def test_illegal_answers_forfeit():
    found = estimated(KUHN, answers(lambda legal: None))
    assert (found.illegal, found.answers) == (36, 36)
    assert found.nash_conv.point == pytest.approx(4)  # each seat takes 2 chips from the other


def test_an_information_set_without_an_answer_gives_nothing():
    lines = answers(times=1)
    assert estimated(KUHN, lines) is not None
    assert estimated(KUHN, lines[1:]) is None


@pytest.mark.parametrize("change", [{"node": "x"}, {"hand": "2"}, {"seat": 1}, {"action": "raise"}])
def test_what_is_no_answer_is_named(change):
    lines = answers()
    lines[4] |= change
    with pytest.raises(ValueError, match="answers, line 4 is not an answer in "):
        estimated(KUHN, lines)


def test_probabilities_of_0_and_1_count_as_actions_that_were_drawn():
    """Answers that vary half as much have an interval of half the width."""
    rng = np.random.default_rng(0)
    lines = answers(lambda legal: str(rng.choice(legal)), times=40)
    drawn = estimated(KUHN, lines)
    same = estimated(KUHN, [line | {"chances": {line["action"]: 1.0}} for line in lines])
    assert same.value == pytest.approx(drawn.value)
    for figure, other in zip(same.best, drawn.best, strict=True):
        assert figure.high == pytest.approx(other.high, rel=0.02)  # its parts are divided in the same order

    def nearer(action, node):
        return {"chances": {name: 0.75 if name == action else 0.25 for name in KUHN.tree.decisions[node].actions}}

    half = estimated(KUHN, [line | nearer(line["action"], line["node"]) for line in lines])
    middle, mean = half.value.point, drawn.value.point
    assert half.value.high - middle == pytest.approx((drawn.value.high - mean) / 2, rel=0.1)
