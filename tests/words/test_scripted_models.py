"""Scripted baselines for language models: each plays what its rule says, and its words say what it plays."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from conftest import DEFAULTS, finite, marked, walkable

import relance
from relance.play.equilibria import equilibrium
from relance.play.wording import PLAIN
from relance.words.prompts import situation
from relance.words.text_agent import Question
from studies.scripted_models import SCRIPTED_BASELINES, scripted_baseline

KUHN = relance.make("one_card_poker", raises=0)
GAMES = [walkable(game.name) if game.deal.size(0) > 100 else finite(game, 9) for game in DEFAULTS]


@pytest.mark.parametrize("game", marked(GAMES, lambda game: len(game.tree.decisions) > 100), ids=str)
def test_every_scripted_baseline_plays_every_game(game):
    for name in SCRIPTED_BASELINES:
        game.check(scripted_baseline(name).profile(game))


@pytest.mark.parametrize("name", SCRIPTED_BASELINES)
@pytest.mark.parametrize("seed", [None, 4])
@pytest.mark.parametrize(
    "game", [KUHN, *(game for game in GAMES if game.name in ("endgame", "ponssard", "von_neumann"))], ids=str
)
def test_what_it_says_is_what_it_plays(game, seed, name):
    """Asked in words at each information set, in plain words and as a renamed game, it takes only actions that its profile has."""
    wording = PLAIN if seed is None else relance.words.renamed_wording(game, seed)
    one = scripted_baseline(name)
    profile, agent = one.profile(game, wording), one.agent(game, wording, seed=1)
    asked = [
        Question(node.player, hand, at)
        for at, node in game.tree.decisions.items()
        for hand in range(game.deal.size(node.player))
    ]
    for question, answer in zip(asked * 3, agent.answers(game, asked * 3), strict=True):
        if answer.action is None:
            assert one.illegal
        else:
            rows = game.tree.decisions[question.node].by_action(profile[question.node])
            assert rows[answer.action][question.hand] > 0


def test_frequencies_and_log_probabilities_are_those_of_the_profile():
    agent = scripted_baseline("equilibrium").agent(KUHN, seed=2, tells=True)
    answers = agent.answers(KUHN, [Question(1, 0, "check")] * 600)
    assert Counter(answer.action for answer in answers)["bet"] / 600 == pytest.approx(1 / 3, abs=0.06)
    assert answers[0].logprobs["bet"] == pytest.approx(-1.0986, abs=1e-4)
    bad = [
        answer.fault
        for answer in scripted_baseline("illegal now and then")
        .agent(KUHN)
        .answers(KUHN, [Question(1, 0, "check")] * 600)
    ]
    assert len(bad) - bad.count(None) == pytest.approx(30, abs=16)
    assert len(set(bad)) >= 4  # faults of several kinds


@pytest.mark.parametrize(
    ("name", "nash_conv"),
    [
        ("equilibrium", 0),
        # It bets and calls the ace, calls the king, never bluffs: it loses nothing to an equilibrium.
        ("honest caller", "1/3"),
        ("most probable", "1/3"),
        ("calls everything", "2/3"),
        ("always bets", "2/3"),
        ("at random", "11/12"),
    ],
)
def test_nash_conv_in_kuhns_game(name, nash_conv):
    assert relance.nash_conv(KUHN, scripted_baseline(name).profile(KUHN)) == Fraction(nash_conv)


def test_rules_by_hand_in_kuhns_game():
    base = equilibrium(KUHN)
    never, always = (scripted_baseline(name).profile(KUHN) for name in ("never bluffs", "always bluffs"))
    assert list(never["check"][1]) == [0, 0, 1]
    assert list(always["check"][1]) == [1, 0, 1]
    assert list(scripted_baseline("never folds").profile(KUHN)["bet"][0]) == [0, 0, 0]
    assert list(scripted_baseline("the better half").profile(KUHN)["bet"][1]) == [0, 1, 1]
    assert list(scripted_baseline("only the best").profile(KUHN)["bet"][1]) == [0, 0, 1]
    forgets = scripted_baseline("forgets the betting").profile(KUHN)
    assert list(forgets["check-bet"][1]) == list(base[""][1])


def test_who_knows_the_game_by_heart_is_lost_in_a_renaming():
    one = scripted_baseline("by heart")
    assert relance.nash_conv(KUHN, one.profile(KUHN)) == 0
    assert relance.nash_conv(KUHN, one.profile(KUHN, relance.words.renamed_wording(KUHN, 1))) == Fraction(11, 12)


def test_real_cards_are_read_as_their_class():
    game = relance.make("five_card", ranks=3, raises=1)
    rng, agent = np.random.default_rng(1), scripted_baseline("always bets").agent(game)
    for _ in range(5):
        hands = game.deal.sample(rng)
        cards = game.deal.showing.cards(hands, rng)
        assert agent.answer(game, Question(0, hands[0], "", cards[0])).action == "bet"
        assert agent.reply._read(situation(game, 0, hands[0], "", cards=cards[0])) == ("", hands[0])


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="did you mean 'never bluffs'"):
        scripted_baseline("never bluff")
    with pytest.raises(ValueError, match="infinitely many hands"):
        scripted_baseline("equilibrium").profile(relance.make("von_neumann"))
