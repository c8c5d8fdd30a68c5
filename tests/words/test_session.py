"""Sessions of play, against the exact solver by other routes."""

import statistics

import numpy as np
import pytest

import relance
from relance.play.coach import Coach
from relance.words import session as play
from relance.words.session import Session, action_named, keys

KUHN = relance.make("one_card_poker", raises=0)


def played(session, hands, rng):
    results = []
    for _ in range(hands):
        session.deal()
        before = session.lost
        while not session.over:
            session.act(session.actions[rng.integers(len(session.actions))])
        results.append((float(session.result), float(session.lost - before)))
    return results


@pytest.mark.parametrize("game", [relance.make("one_card_poker"), relance.make("von_neumann", bet=2)], ids=str)
def test_chips_won_are_those_of_best_play_less_the_costs(game):
    """By playing: 3000 hands, to five standard errors."""
    session = Session(game, seat="random", seed=1)
    results = played(session, 3000, np.random.default_rng(2))
    surplus = [chips + lost for chips, lost in results]
    error = statistics.stdev(surplus) / len(surplus) ** 0.5
    assert abs(statistics.mean(surplus) - float(session.par) / 3000) < 5 * error
    assert float(session.chips) == pytest.approx(sum(chips for chips, _ in results))
    assert session.ended == session.number == 3000
    assert sum(choice.cost for choice in session.choices) == session.lost
    worst = session.costliest(5)
    assert [choice.cost for choice in worst] == sorted((choice.cost for choice in session.choices), reverse=True)[:5]


def test_every_game_is_played(default_game):
    game = default_game if default_game.name != "five_card" else relance.make("five_card", raises=1, ranks=3)
    opponent = "published" if game.is_published else "uniform"
    session = Session(game, opponent, "random", 3, reference_opponent=opponent)
    for chips, lost in played(session, 20, np.random.default_rng(4)):
        assert abs(chips) <= max(session.rules.worst)
        assert lost >= 0


def test_the_seed_deals_the_hands_whatever_is_played():
    game = relance.make("von_neumann")
    sessions = [Session(game, seat="random", seed=7) for _ in range(2)]
    dealt = []
    for session, position in zip(sessions, (0, -1), strict=True):
        dealt.append([])
        for _ in range(10):
            session.deal()
            dealt[-1].append((session.player, session.table.hands))
            while not session.over:
                session.act(session.actions[position])
    assert dealt[0] == dealt[1]
    assert {player for player, _ in dealt[0]} == {0, 1}
    assert sessions[0].chips != sessions[1].chips


def test_what_is_not_allowed_changes_nothing():
    session = Session(KUHN)
    with pytest.raises(ValueError, match="none, the hand is over"):
        session.act("bet")
    session.deal()
    with pytest.raises(ValueError, match="illegal action 'raise'; legal: check, bet"):
        session.act("raise")
    with pytest.raises(RuntimeError, match="not over"):
        session.deal()
    assert session.node == ""
    assert not session.moves
    with pytest.raises(ValueError, match="seat=2 must be one of 0, 1, 'random'"):
        Session(KUHN, seat=2)


def test_a_hand_that_the_opponent_never_plays_on_with_is_not_scored():
    """The player never bets the king in Kuhn's game, but the queen and the ace: only those are weighed."""
    never = KUHN.profile({"": {"bet": 0}, "check": {"bet": [1, 0, 0]}, "check-bet": {"call": 1}, "bet": {"call": 1}})
    coach = Coach(KUHN, 0, never)
    assert coach.action_values("check-bet", 0) is None  # only the queen is bet, which is here
    assert coach.action_values("check-bet", 2) == (-1, 2)
    session = Session(KUHN, "aggressive", 0, seed=1, reference_opponent=never)
    while True:
        session.deal()
        session.act("check")
        if session.table.hands[0] == 0:
            break
        session.act("fold")
    assert session.worth is None
    choice = session.act("call")
    assert (choice.cost, choice.best, choice.chips) == (0, "call", None)


def test_keys_are_short_and_one_for_each(default_game):
    for node in default_game.tree.decisions.values():
        short = keys(node.actions)
        assert len(set(short.values())) == len(node.actions)
        for action in node.actions:
            assert (
                action_named(short[action], node.actions)
                == action_named(f" {action.upper()}  ", node.actions)
                == action
            )
            assert len(short[action]) <= 4


def test_what_is_typed():
    assert keys(("check", "bet 1", "bet 1/2")) == {"check": "c", "bet 1": "b1", "bet 1/2": "b1/2"}
    assert keys(("call", "check", "quit")) == {"call": "call", "check": "check", "quit": "quit"}
    assert action_named("b", ("check", "bet 1", "bet 2")) is None
    assert action_named("ch", ("check", "call")) == "check"
    assert action_named("", ("check", "bet")) is None
    assert action_named("cheque", ("check", "bet")) is None


def test_an_opponent_who_leaves_nothing_to_decide():
    session = Session(relance.make("endgame"), "passive", 1)
    for _ in range(play.IDLE):
        session.deal()
    with pytest.raises(ValueError, match="in a row before your turn"):
        session.deal()
    assert session.ended == play.IDLE
