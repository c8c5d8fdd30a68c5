"""Logged games that cannot have happened, or hardly, are faults; games that did happen are none."""

import json
import random

import numpy as np
import pytest
from conftest import marked, small
from scipy.stats import binom, kstwobign

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.model.game import build
from relance.words.deal_checks import _chance, disagreements, unlikely_hands
from relance.words.game_logs import read_games
from relance.words.games_score import score_games
from relance.words.log_rows import decision_row, parse_rows, terminal_row

KUHN = relance.make("one_card_poker", raises=0)
Q, K, A = range(3)


def game(number, hands, chips, nodes=("check-check", "check-check"), names=("me", "you"), seats=(0, 1)):
    """The rows of a hand of Kuhn's game that both checked, as a log of these seats may tell it."""
    at, rows = KUHN.tree.table.names.index, []
    for seat in seats:
        about = {"seed": 3, "episode": number, "agent": names[seat], "opponent": names[1 - seat]}
        rows.append(decision_row(KUHN, seat, hands[seat], at("check" if seat else ""), "check", **about))
        rows.append(terminal_row(KUHN, seat, hands[seat], at(nodes[seat]), chips[seat], **about))
    return rows


@pytest.mark.parametrize(
    ("hands", "chips", "nodes", "kind", "why"),
    [
        ((A, A), (1, 1), None, "impossible deals", "player 0 is never dealt A while player 1 holds A"),
        ((A, Q), (1, 1), None, "seats that disagree", "player 0 gets 1 chips and player 1 gets 1"),
        ((A, Q), (-1, 1), None, "wrong showdowns", "A against Q pays player 0 1 chips, not -1"),
        ((A, Q), (0, 0), None, "wrong showdowns", "A against Q pays player 0 1 chips, not 0"),
        (
            (A, Q),
            (1, -2),
            ("check-check", "check-bet-call"),
            "seats that disagree",
            "ends at 'check-check' for player 0",
        ),
    ],
)
def test_two_seats_of_a_game_agree(hands, chips, nodes, kind, why, tmp_path):
    true = [
        row
        for number in range(1, 9)
        for row in game(number, ((A, Q), (Q, K))[number % 2], ((1, -1), (-1, 1))[number % 2])
    ]
    rows = game(0, hands, chips, nodes or ("check-check",) * 2) + true
    (fault,) = disagreements(KUHN, rows).values()
    assert (fault.kind, fault.where) == (kind, "seed 3, episode 0")
    assert why in fault.why
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row.to_dict()) + "\n" for row in rows))
    for agent in ("me", "you"):
        score = score_games(KUHN, read_games(path), agent)
        assert [fault.kind for fault in score.faults] == [kind]
        assert sum(one.hands for one in score.against) == 8
        assert score.counts["check" if agent == "you" else ""].sum() == 8


@pytest.mark.parametrize(
    ("seat", "hand", "chips", "wrong"),
    [(0, A, -1, True), (0, A, 1, False), (1, Q, 1, True), (1, Q, -1, False), (0, K, -1, False), (0, K, 0, True)],
)
def test_one_seat_alone_is_paid_what_some_hand_of_the_other_earns(seat, hand, chips, wrong):
    rows = game(0, (hand, hand), (chips, chips), seats=(seat,))
    assert [fault.kind for fault in disagreements(KUHN, rows).values()] == ["wrong showdowns"] * wrong


@pytest.mark.parametrize("seats", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("hand", [Q, K, A])
def test_who_always_holds_one_card_is_noticed(seats, hand):
    others = [other for other in (Q, K, A) if other != hand]
    rows = []
    for number in range(40):
        hands = [hand, others[number // 2 % 2]]
        rows += game(number, hands, [1, -1] if hands[0] > hands[1] else [-1, 1], seats=(0, 1))
    faults = unlikely_hands(KUHN, [row for row in rows if row.seat in seats])
    assert bool(faults) == (0 in seats)
    assert {fault.kind for fault in faults} <= {"hands that the distribution cannot explain"}


@pytest.mark.parametrize("lucky", [False, True])
def test_hands_that_are_fair_for_each_player_but_not_together_are_noticed(lucky):
    """Everybody holds each card equally often, yet the queen only ever meets the king, the king the ace, and the ace the queen."""
    meet = [(Q, K), (K, A), (A, Q)]
    pairs = meet if lucky else [*meet, *((theirs, mine) for mine, theirs in meet)]
    rows = []
    for number in range(240):
        hands = pairs[number // 2 % len(pairs)]
        rows += game(number, hands, [1, -1] if hands[0] > hands[1] else [-1, 1])
    faults = unlikely_hands(KUHN, rows)
    assert [fault.where for fault in faults] == ["the pairs of hands of me and you"] * 2 * lucky
    assert not unlikely_hands(KUHN, [row for row in rows if row.seat == 0])


def test_numbers_that_follow_one_another_are_noticed():
    distribution = relance.make("von_neumann")
    at, numbers = distribution.tree.table.names.index("check"), random.Random(0)
    rows = []
    for episode in range(300):
        hands = [x := numbers.random(), x if episode % 2 else numbers.random()]
        about = [{"agent": name, "opponent": other} for name, other in (("me", "you"), ("you", "me"))]
        rows += [terminal_row(distribution, s, hands[s], at, 0.0, episode=episode, seed=0, **about[s]) for s in (0, 1)]
    assert [fault.where for fault in unlikely_hands(distribution, rows)] == ["the pairs of hands of me and you"]


def test_hands_of_an_interval_have_their_distribution_too():
    distribution = relance.make("von_neumann")
    at = distribution.tree.table.names.index("check")

    def log(draw):
        numbers = random.Random(0)
        about = {"seed": 0, "agent": "me", "opponent": "you"}
        return [
            terminal_row(distribution, 0, draw(numbers.random()), at, -1.0, episode=number, **about)
            for number in range(300)
        ]

    assert not unlikely_hands(distribution, log(lambda x: x))
    assert unlikely_hands(distribution, log(lambda x: x**0.5))
    assert unlikely_hands(distribution, log(lambda x: 0.5))


@pytest.mark.parametrize("name", relance.games())
@pytest.mark.parametrize(
    "agents", marked([("published", "uniform"), ("uniform", "uniform")], lambda pair: pair == ("uniform", "uniform"))
)
def test_games_that_happened_are_no_fault(name, agents, tmp_path):
    """Nor is a log of which half the games, or some rows, are lost."""
    played, log = build(BLUEPRINTS[name], **small(name)), tmp_path / "log.jsonl"
    if not played.is_published and "published" in agents:
        agents = ("caller", "uniform")
    relance.match(played, *agents, hands=120, within=1e-9, log=log)
    whole = log.read_text().splitlines()
    for kept in (whole, whole[: len(whole) // 2], random.Random(1).sample(whole, len(whole) // 2)):
        rows = parse_rows([("", json.loads(line)) for line in kept], played).rows
        assert not disagreements(played, rows)
        assert not unlikely_hands(played, rows)


def test_what_does_not_print_never_leaves_a_log(tmp_path):
    path = tmp_path / "log.jsonl"
    rows = game(0, (A, Q), (1, -1), names=("\x1b[31mred\x07", "\u202eleft\ud800\n"))
    path.write_text("".join(json.dumps(row.to_dict()) + "\n" for row in rows))
    log = read_games(path)
    assert {row.agent for row in log.rows} == {"\\x1b[31mred\\x07", "\\u202eleft\\ud800\\n"}
    said = str(score_games(KUHN, log, "\\x1b[31mred\\x07"))
    assert said.replace("\n", "").isprintable()
    with pytest.raises(ValueError, match="several agents") as several:
        score_games(KUHN, log)
    assert str(several.value).isprintable()


def test_the_chance_of_two_kinds_of_hands_is_at_least_that_of_counts_as_unlikely():
    """By all counts of up to 30 games: a bound, and for rare counts not far above."""
    for games, distribution in ((5, 0.5), (30, 0.5), (30, 0.1)):
        every = binom.pmf(range(games + 1), games, distribution)
        for count in range(games + 1):
            exact = every[every <= every[count] * (1 + 1e-9)].sum()
            bound = _chance(np.array([count, games - count]), games, np.array([distribution, 1 - distribution]))
            assert bound >= exact * (1 - 1e-9)
            assert bound < 20 * exact or exact > 0.01


@pytest.mark.parametrize("shift", [0.05, 0.1])
def test_many_kinds_of_hands_that_all_drift_a_little_are_scored_by_their_distribution(shift):
    """The distribution of Kolmogorov for the largest distance, which is what the bound is for."""
    hands, games = 200, 4000
    distribution = np.full(hands, 1 / hands)
    counts = np.rint(games * distribution * np.linspace(1 - shift, 1 + shift, hands)).astype(int)
    counts[-1] += games - counts.sum()
    away = np.abs(np.cumsum(counts) / games - np.cumsum(distribution)).max()
    exact = kstwobign.sf(away * games**0.5)
    assert exact <= _chance(counts, games, distribution)
