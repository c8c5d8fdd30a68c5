"""Scores of every kind of agent against the exact ones, thresholds, refinement, and agents that are refused."""

from fractions import Fraction

import numpy as np
import pytest
from conftest import tabular
from tree_walks import together

import relance
from relance.model.game_tree import ChanceNode, DecisionNode, TerminalNode
from relance.play.exact_score import Score, earned, most_questions


def test_a_callable_scores_as_the_profile_that_it_plays(finite_game):
    if finite_game.name == "five_card":
        pytest.skip("thousands of hands; the other card games show the same")
    game, uniform = finite_game, finite_game.uniform()
    found = relance.score(game, tabular(game, uniform), published=uniform)
    assert found.nash_conv == pytest.approx(float(relance.nash_conv(game, uniform)), abs=1e-12)
    assert found.value == pytest.approx(float(relance.value(game, uniform)), abs=1e-12)
    assert found.exploitability == found.nash_conv / 2
    assert max(found.differences.values()) == pytest.approx(0, abs=1e-12)
    exact = relance.score(game, uniform)
    assert exact.nash_conv == relance.nash_conv(game, uniform)
    assert sum(exact.best) == exact.nash_conv
    for name, (_, rows) in exact.regrets.items():
        mean = sum(p * r for p, r in zip(uniform[name], rows, strict=True))
        assert not mean.any()  # regrets of a mixture cancel under it


def test_an_equilibrium_scores_zero_on_the_interval():
    game = relance.make("von_neumann")
    found = relance.score(game, "published")
    assert (found.nash_conv, found.value, found.game.hands, found.reached) == (0, found.equilibrium, None, None)
    assert found.against_published == (found.value, -found.value)
    assert found.thresholds["bet"]["call"].learned == (float(5 / 9),)
    assert found.thresholds[""]["bet"].distance == 0.0
    assert found.thresholds[""]["bet"].by_frequency == pytest.approx((1 / 9, 7 / 9), abs=1e-15)
    assert found.thresholds["bet"]["call"].distance_by_frequency < 1e-15
    assert "NashConv           0.000000 (0)" in str(found)


def test_a_printed_score_lines_its_thresholds_up_and_has_no_negative_zero():
    game = relance.make("von_neumann", hands=9)
    lines = str(relance.score(game, "published")).splitlines()
    head, *rows = lines[lines.index("  probabilities and thresholds beside the published ones") + 1 :]
    assert head.split() == ["at", "differs", "by", "action", "learned", "published", "off", "by", "frequency", "off"]
    assert [row[head.index("action") :].split()[0] for row in rows] == ["check", "bet", "fold", "call"]
    assert all(row[head.index("off") :].startswith("0.0000") for row in rows)
    almost = Score(game, game.published())
    almost.__dict__["value"] = -1e-9
    assert "value to player 0  0.000000, published" in str(almost)


def shifted(by):
    """von Neumann's strategies with all thresholds moved, on batches of observations with real-numbered hands."""

    def play(seen, masks):
        hand, first = seen[:, 2], seen[:, 0] > 0
        bet = np.where((hand < 1 / 9 + by) | (hand > 7 / 9 + by), 1, 0)
        return np.where(first, bet, np.where(hand > 5 / 9 + by, 3, 2))

    return play


def test_floats_average_as_fractions_do(published_game):
    if published_game.deal.is_finite:
        pytest.skip("hands are finite")
    grid, profile = published_game.grid(7), published_game.published()
    for seat in (0, 1):
        fast, slow = grid.fit(profile, floats=True).strategies[seat], grid.fit(profile).strategies[seat]
        for name, rows in slow.at.items():
            assert np.allclose(np.stack(fast.at[name]), np.stack(rows).astype(float), atol=1e-12)


def test_pairs_and_what_is_not_compared():
    game = relance.make("one_card_poker")
    mixed = relance.score(game, (game.published(), "uniform"))
    assert mixed.value == relance.value(game, game.uniform().replace(game.published().strategies[0]))
    assert mixed.differences is mixed.thresholds is None
    assert "alpha" in mixed.why_not == mixed.family
    chosen = relance.score(game, game.published(alpha="1/6"), published={"alpha": "1/6"})
    assert set(chosen.differences.values()) == {0.0}
    unprinted = relance.make("von_neumann", deal="normal:1/2:20")
    found = relance.score(unprinted, "uniform")
    assert found.equilibrium is found.against_published is found.differences is None
    assert "no strategy is published" in found.why_not
    assert (found.family, found.hands, mixed.hands) == ("", None, None)
    assert "no comparison" in str(found)
    assert earned(game, "uniform", 0, "uniform").value == 0
    listed = relance.score(game, ["published", "uniform"]), relance.score(game, "mixture(published, uniform)")
    assert listed[0].nash_conv == listed[1].nash_conv != mixed.nash_conv


def test_bad_input():
    game = relance.make("von_neumann")
    with pytest.raises(ValueError, match="profile of 'la_relance'"):
        relance.score(game, relance.make("la_relance").published())
    with pytest.raises(TypeError, match="is not an agent"):
        relance.score(game, 5)
    with pytest.raises(TypeError, match="game=None must be a game"):
        relance.score(None, "uniform")
    with pytest.raises(ValueError, match="tolerance=0"):
        relance.score(game, "uniform", tolerance=0)
    with pytest.raises(ValueError, match="mode='best'"):
        relance.score(game, shifted(0), mode="best")
    with pytest.raises(ValueError, match="illegal='drop'"):
        relance.score(game, shifted(0), illegal="drop")
    even = relance.score(game, lambda o, m: np.full(m.shape, 0.25), illegal="renormalise", hands=9)
    assert even.nash_conv == pytest.approx(float(relance.nash_conv(game.grid(9), game.grid(9).uniform())))


def test_hands_that_are_never_dealt():
    """With p = 1 player 0 always wins; OpenSpiel has no state in which they lose, and its policies say nothing of it."""
    for p in (0, 1):
        game = relance.make("endgame", p=p)
        source = relance.openspiel.policy(game, game.uniform())
        for policy in (source, source.to_tabular()):
            assert relance.score(game, policy).value == pytest.approx(float(relance.value(game, game.uniform())))
            assert relance.nash_conv(game, relance.from_policy(game, policy)) >= 0


def test_a_score_of_a_tree_lists_the_worst_mistakes_which_add_up():
    tree = relance.game_tree("kuhn_poker")
    score = relance.score(tree, "uniform")
    assert (score.values, score.nash_conv) == ((Fraction(1, 8), Fraction(-1, 8)), Fraction(11, 12))
    for player in (0, 1):
        assert sum(m.loss for m in score.mistakes if m.player == player) == score.gains[player]
    assert (score.value, score.exploitability, score.published) == (score.values[0], score.nash_conv / 2, None)
    lines = str(score).splitlines()
    assert lines[0] == "kuhn_poker(): NashConv 0.916667 (11/12)"
    assert lines[3] == "  player 1 gives up 0.25 (1/4) at '2b': best is Bet"
    assert lines[-1] == f"  and less at {len(score.mistakes) - 5} more information sets"
    for options in ({"hands": 3}, {"mode": "argmax"}, {"illegal": "renormalise"}, {"budget": 10}):
        with pytest.raises(ValueError, match="options for games of Relance"):
            relance.score(tree, "uniform", **options)


def test_the_mistakes_are_those_of_the_profile():
    tree = relance.game_tree("kuhn_poker")
    assert relance.score(tree, relance.solve(tree)).mistakes == []
    told = relance.score(tree, "uniform").as_dict()
    assert sum(mistake["loss"] for mistake in told["mistakes"]) == pytest.approx(11 / 12)  # its NashConv


def test_five_mistakes_are_all_printed():
    """A coin with five sides, after each of which player 0 leaves a chip."""
    sides = {
        str(i): (Fraction(1, 5), DecisionNode(0, f"side {i}", {"leave": TerminalNode(0), "take": TerminalNode(1)}))
        for i in range(5)
    }
    tree = relance.game_tree(ChanceNode(sides))
    found = relance.score(tree, {f"side {i}": {"leave": 1} for i in range(5)})
    assert [m.loss for m in found.mistakes] == [Fraction(1, 5)] * 5
    assert str(found).splitlines()[-1] == "  player 0 gives up 0.2 (1/5) at 'side 4': best is take"


def test_scores_of_games_of_other_sums():
    """Matching pennies for 3 chips each, and three players of whom each wins a chip if all say yes."""
    pennies = relance.game_tree([[(4, 2), (2, 4)], [(2, 4), (4, 2)]])
    found = relance.score(pennies, "uniform")
    assert (found.values, found.best, found.nash_conv) == ((3, 3), (3, 3), 0)
    three = relance.score(relance.game_tree(together(3)), "uniform")
    assert (three.values, three.best) == ((Fraction(1, 8),) * 3, (Fraction(1, 4),) * 3)
    assert (three.nash_conv, three.exploitability) == (Fraction(3, 8), Fraction(1, 8))


def test_a_budget_that_is_just_enough():
    """With finite hands an agent is asked once for each hand at each of two nodes; on [0, 1] on every grid that is tried."""
    hands, game = relance.make("von_neumann", hands=9), relance.make("von_neumann")
    agent = shifted(np.pi / 1000)
    assert most_questions(hands, agent) == 9 * 2
    relance.score(hands, agent, budget=18)
    with pytest.raises(ValueError, match="budget=17: a score on .* asks the agent at 18 information sets"):
        relance.score(hands, agent, budget=17)
    with pytest.warns(UserWarning, match="the score still moved"):
        assert relance.score(game, agent, tolerance=1e-12).asked == most_questions(game, agent)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_best_response_earns_all_and_an_equilibrium_the_value(published_game, seat):
    best = earned(published_game, "best_response(uniform)", seat, "uniform")
    assert best.value == best.best
    assert best.share is None or best.share == 1
    value = relance.value(published_game, published_game.published()) * (1 - 2 * seat)
    assert earned(published_game, "published", seat, "published").value == value


def test_what_is_earned_by_hand_in_kuhns_game():
    """Who always bets wins the antes of one who always folds."""
    found = earned("one_card_poker(raises=0)", "aggressive", 0, lambda seen, masks: masks.argmax(axis=1))
    assert (found.value, found.best, found.share) == (1, 1, 1.0)
    lost = earned("one_card_poker(raises=0)", "passive", 0, "published")
    assert lost.value < lost.best == Fraction(-1, 18)
    assert lost.share is None
