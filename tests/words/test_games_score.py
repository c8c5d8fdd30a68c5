"""Scores from logged games: the truth lies in every interval, and a log that cannot carry NashConv gives a bound and what to collect."""

import json
from dataclasses import replace

import numpy as np
import pytest

import relance
from relance.play import agents
from relance.play.agents import strategy
from relance.play.coach import Coach
from relance.solvers.deviations import bets, deviations
from relance.words.duel import Duel, seated
from relance.words.log_rows import Log, decision_row, terminal_row

KUHN = relance.make("one_card_poker(raises=0)")


class Kept:
    """A log in memory."""

    def __init__(self):
        self.rows, self.written = (), []

    def write(self, *rows):
        self.written += rows


def played(game, agent, opponent, deals, seed=0):
    kept, players = Kept(), [[seated(game, player, seat) for seat in (0, 1)] for player in (agent, opponent)]
    Duel(game, players, [{}, {}], seed, ("me", opponent), kept).play(0, deals)
    return [row for row in kept.written if row.agent == "me"]


@pytest.mark.parametrize("name", ["one_card_poker(raises=0)", "endgame", "ponssard", "von_neumann"])
@pytest.mark.parametrize("opponent", ["uniform", "published"])
def test_the_truth_lies_in_the_intervals(name, opponent):
    game = relance.make(name)
    score = relance.words.score_games(game, played(game, "perturbed(0.2)", opponent, 1000))
    profile = game.together(*(strategy(game, "perturbed(0.2)", seat) for seat in (0, 1)))
    for one in score.against:
        other = strategy(game, opponent, 1 - one.seat)
        exact = relance.value(game, profile.replace(other)) * (1 - 2 * one.seat)
        assert one.hands == 1000
        assert one.chips.low <= exact <= one.chips.high
        assert one.adjusted.low <= exact <= one.adjusted.high
        assert one.adjusted.high - one.adjusted.low < one.chips.high - one.chips.low
        best = relance.best_response(game, game.uniform().replace(other), one.seat).value
        assert one.best == pytest.approx(float(best))
        assert one.lost == pytest.approx((one.best - one.adjusted.mean) * one.hands / one.decisions)


def test_intervals_of_nash_conv_cover():
    inside = []
    for name in ("one_card_poker(raises=0)", "endgame", "ponssard", "von_neumann(hands=9)"):
        game = relance.make(name)
        for agent in ("published", "perturbed(0.2)"):
            exact = relance.nash_conv(game, game.together(*(strategy(game, agent, seat) for seat in (0, 1))))
            for opponent in ("uniform", "published"):
                low, high = relance.words.score_games(game, played(game, agent, opponent, 500)).nash_conv_bounds
                inside.append(low - 1e-9 <= exact <= high + 1e-9)
    assert sum(inside) >= len(inside) - 1


def test_deviations_name_bluffs_and_what_they_cost():
    never = KUHN.profile({"": {"bet": [0, 0, "1/2"]}, "check": {"bet": [0, 0, 1]}, "bet": {"call": [0, "1/3", 1]},
                          "check-bet": {"call": [0, "1/2", 1]}})  # fmt: skip
    published = KUHN.published()
    found = {(one.node, one.hand): one for one in deviations(KUHN, never, published)}
    assert set(found) == {("", 0), ("check", 0)}
    bluff = found["check", 0]
    assert (bluff.action, bluff.kind, bluff.played, bluff.reference) == ("bet", "bluff", 0, pytest.approx(1 / 3))
    mended = KUHN.profile(never.plan() | {"check": {"bet": ["1/3", 0, 1]}})
    assert bluff.cost == pytest.approx(float(relance.nash_conv(KUHN, never) - relance.nash_conv(KUHN, mended)))
    assert bets(KUHN, published, "", "bet").tolist() == [-1, -1, 1]
    assert not bets(KUHN, published, "", "check").any()
    assert not bets(KUHN, published, "bet", "call").any()


def test_illegal_answers_forfeit_and_are_counted():
    table, rows = KUHN.tree.table, []
    for episode in range(40):
        about = {"seed": 0, "episode": episode, "agent": "me", "opponent": "passive"}
        if episode % 4 == 0:  # once an illegal answer that is asked again, and once one that ends the game
            rows.append(decision_row(KUHN, 0, 0, 0, None, raw="well", **about))
            if episode % 8 == 0:
                rows.append(terminal_row(KUHN, 0, 0, 0, -2, **about))
                continue
        rows.append(decision_row(KUHN, 0, 0, 0, "bet", **about))
        rows.append(terminal_row(KUHN, 0, 0, table.names.index("bet-fold"), 1, **about))
    score = relance.words.score_games(KUHN, rows)
    assert (score.answers, score.illegal) == (45, 10)
    assert score.refused[""].tolist() == [5, 0, 0]
    assert score.counts[""].tolist() == [[0, 35], [0, 0], [0, 0]]
    one = score.against[0]
    coach = Coach(KUHN, 0, "passive", exact=False)
    assert one.chips.mean == (35 - 10) / 40
    assert one.lost == pytest.approx((5 * coach.loss(0, 0, -1) + 35 * coach.loss(0, 0, 1)) / 40)


def test_opponents_that_say_nothing_are_left_unadjusted_or_named():
    rows = played(KUHN, "published", "uniform", 50)
    rows = [row.__class__(**{**vars(row), "opponent": "some/model"}) for row in rows]
    score = relance.words.score_games(KUHN, rows)
    assert all(one.adjusted is None and one.reference_opponent == "published" for one in score.against)
    named = relance.words.score_games(KUHN, rows, opponent="uniform")
    assert all(one.adjusted is not None for one in named.against)


def test_whose_answers():
    rows = played(KUHN, "published", "uniform", 5)
    other = [row.__class__(**{**vars(row), "agent": "you"}) for row in rows]
    with pytest.raises(ValueError, match="several agents; name one of them: 'me', 'you'"):
        relance.words.score_games(KUHN, [*rows, *other])
    assert relance.words.score_games(KUHN, [*rows, *other], "you").agent == "you"
    with pytest.raises(ValueError, match="no agent 'him'; it has 'me'"):
        relance.words.score_games(KUHN, rows, "him")
    with pytest.raises(ValueError, match="the log has no games of von_neumann"):
        relance.words.score_games(relance.make("von_neumann"), rows)
    with pytest.raises(ValueError, match="its games are: none"):
        relance.words.score_games(KUHN, Log(()))


def test_a_log_that_cannot_carry_nash_conv_gives_bounds():
    """An agent in one seat only: nothing is known of the other."""
    rows = [row for row in played(KUHN, "published", "uniform", 500) if row.seat == 0]
    score = relance.words.score_games(KUHN, rows)
    assert score.nash_conv is None
    assert {(one.node, one.seat) for one in score.missing} == {("check", 1), ("bet", 1)}
    low, high = score.nash_conv_bounds
    assert low == 0
    assert high > 1
    assert score.best[1][0] <= 1 / 18 <= score.best[1][1]  # against seat 0, which is known
    assert score.best[1][1] - score.best[1][0] < 0.3
    assert "no answers at 6 information sets" in str(score)
    assert f"{2 * score.hands_needed:,} hands against uniform" in str(score)
    assert "regret per decision" in score.against[0].facts()
    assert all(f"    {label}  " in str(score) for label in score.against[0].facts())
    assert all(one.player == 0 for one in score.deviations)


def test_an_opponent_that_a_log_names_opens_no_file(tmp_path, monkeypatch):
    """A model may be called as a file is; who scores the log has not named that file, and may name it as the opponent."""
    monkeypatch.chdir(tmp_path)
    relance.envs.write_profile(KUHN, KUHN.uniform(), "mine.json")
    rows = [replace(row, opponent="mine.json") for row in played(KUHN, "published", "uniform", 20) if row.seat == 0]
    named = relance.words.score_games(KUHN, rows, opponent="mine.json").against[0]
    assert (named.reference_opponent, named.best) == ("mine.json", relance.best_response(KUHN, "uniform", 0).value)
    monkeypatch.setattr(agents, "read_profile", None)
    (one,) = relance.words.score_games(KUHN, rows).against
    assert (one.opponent, one.reference_opponent, one.adjusted) == ("mine.json", "published", None)


def test_bounds_hold_for_few_hands():
    for agent in ("published", "passive"):
        profile = KUHN.together(*(strategy(KUHN, agent, seat) for seat in (0, 1)))
        exact = relance.nash_conv(KUHN, profile)
        for seed in range(10):
            low, high = relance.words.score_games(KUHN, played(KUHN, agent, "uniform", 10, seed)).nash_conv_bounds
            assert low <= exact <= high


def test_as_json():
    score = relance.words.score_games(KUHN, played(KUHN, "perturbed(0.1)", "uniform", 200))
    data = json.loads(json.dumps(score.as_dict()))
    assert np.allclose(data["policy"]["check"]["bet"], score.profile.row("check", "bet"))
    assert data["nash_conv"]["low"] == score.nash_conv.low
    assert data["against"][0]["adjusted"]["mean"] == score.against[0].adjusted.mean


def test_it_is_compared_with_the_profile_that_is_named():
    rows = played(KUHN, "uniform", "uniform", 50)
    for reference in ("uniform", KUHN.uniform()):
        score = relance.words.score_games(KUHN, rows, published=reference)
        assert all(one.reference == 0.5 for one in score.deviations)
    with pytest.raises(ValueError, match="one_card_poker"):
        relance.words.score_games(KUHN, rows, published=relance.make("one_card_poker").uniform())


@pytest.mark.parametrize("name", ["leduc", "turn"])
def test_games_where_cards_turn_up_fit_together(name):
    game = relance.make(name)
    score = relance.words.score_games(game, played(game, "uniform", "caller", 20))
    assert score.faults == ()
    assert sum(one.hands for one in score.against) == 40
