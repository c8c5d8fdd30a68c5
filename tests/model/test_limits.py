"""Work that would not end here is refused at once, in one line that names it, what it needs and what would do."""

import time

import pytest

import relance
from relance.model import limits
from relance.play.batch import Batch
from relance.registration.vector import VectorSeatEnv

CARDS, HANDS = "one_card_poker(cards=1000000)", "von_neumann(hands=100000000)"


def even(observations, masks):
    return masks / masks.sum(1, keepdims=True)


@pytest.mark.parametrize(
    ("use", "game", "message"),
    [
        (relance.solve, CARDS, r"exact solution of one_card_poker\(cards=1000000.* would take .*; solve it with a tol"),
        (relance.solve, HANDS, "would take more than 1,000 days; 1 hour is allowed; .*, or take fewer hands"),
        (relance.solve, "five_card", "would take about 6 hours; 1 hour is allowed; solve it with a tolerance"),
        (
            relance.to_efg,
            CARDS,
            r"the histories of one_card_poker.*, about .*, needs .* GiB .*; make the game with fewer hands",
        ),
        (lambda game: game.deal.joint(), CARDS, "all 1,000,000 x 1,000,000 pairs of hands needs .* GiB"),
        (lambda game: game.deal.floats.joint_edge(), CARDS, "all 1,000,000 x 1,000,000 pairs of hands needs .* GiB"),
        (lambda game: relance.score(game, even), CARDS, "asking an agent of one_card_poker.* needs .* GiB"),
        (
            lambda game: Batch(game, 2**31),
            "von_neumann",
            "n=2147483648 tables needs .* GiB .*; take fewer tables",
        ),
        (lambda game: VectorSeatEnv(game, 2**31), "von_neumann", "num_envs=2147483648 of von_neumann.* needs .* GiB"),
    ],
)
def test_what_would_not_end_is_refused_at_once(monkeypatch, use, game, message):
    monkeypatch.setattr(limits, "memory", lambda: 2**34)
    made, before = relance.make(game), time.process_time()
    with pytest.raises(ValueError, match=message):
        use(made)
    assert time.process_time() - before < 2


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(5000, "about 83 minutes"), (1e5, "about 28 hours"), (1e6, "about 12 days"), (1e9, "more than 1,000 days")],
)
def test_a_long_time_is_said_in_its_unit(seconds, text):
    limits.check_time(limits.LONGEST, "this", "that")
    with pytest.raises(ValueError, match=f"^this would take {text}; 1 hour is allowed; that$"):
        limits.check_time(seconds, "this", "that")


def test_a_container_may_use_less_than_the_machine_has(monkeypatch, tmp_path):
    group = tmp_path / "memory.max"
    monkeypatch.setattr(limits, "GROUP", group)
    installed = limits.memory()
    group.write_text("max\n")
    assert limits.memory() == installed
    group.write_text("1048576\n")
    assert limits.memory() == 2**20


def test_what_does_not_fit_into_memory_is_refused():
    with pytest.raises(ValueError, match="the distribution of many classes needs .* GiB of memory; the machine has"):
        limits.check_memory(2**60, "the distribution of many classes")
