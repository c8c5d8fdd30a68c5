"""The walk along single paths, and the game that bounds all games with more raises."""

import re
from fractions import Fraction

import pytest

import relance
from relance.claims.miao.equilibria import every_optimal
from relance.claims.miao.family import CARDS, MIAO, terminals
from relance.claims.numbers import Numbers
from relance.claims.verify import verify
from relance.solvers import optimal_set


@pytest.mark.parametrize("player", [0, 1])
def test_terminals_sum_to_the_value(player):
    profile = MIAO.published(alpha="1/3")
    total = Fraction(0)
    for i, card in enumerate(CARDS):
        for other in set(CARDS) - {card}:
            for end in terminals(profile, player, card, other).values():
                share = end.part
                for node, action in end.own.items():
                    share = share * profile.row(node, action)[i]
                total += share / 6
    assert total == (1 - 2 * player) * relance.value(MIAO, profile)


@pytest.mark.parametrize("player", [0, 1])
def test_checking_and_folding_gives_any_optimal_strategy_more(player):
    """At the ends of each coordinate of the set and inside it, by values and best responses of the tree."""
    optimal = optimal_set(MIAO, player)
    tree, ends = optimal.tree, [optimal.extreme({k: sign})[1] for k in range(optimal.dimension) for sign in (1, -1)]
    for point in (*ends, [optimal.inside[j] for j in optimal.free]):
        profile = optimal.profile_at(point)
        assert relance.best_response(tree, profile, 1 - player).value == -optimal.value
        sets = {s.name: s.actions for s in tree.infosets_of(1 - player)}
        folds = {
            name: {a: int(a == ("check" if "check" in actions else "fold")) for a in actions}
            for name, actions in sets.items()
        }
        assert (1 - 2 * player) * relance.value(tree, {**profile, **folds}) > optimal.value


def test_a_claim_on_all_optimal_strategies_names_their_value():
    for opener, holds in (("-1/18", True), ("-1/17", False)):
        assert every_optimal(Numbers({"opener": opener, "dealer": "1/18"}), ["check", "fold"]).holds == holds


def test_a_known_action_is_not_counted():
    profile = MIAO.published(alpha="1/2")
    ends = [terminals(profile, 1, "K", "Q", given)["check-check"].often for given in (None, "")]
    assert ends == [Fraction(5, 6), 1]


@pytest.mark.parametrize("raises", [7, 9])
def test_the_argument_for_any_number_of_raises_foretells_games_that_were_not_solved(raises):
    game = relance.make("one_card_poker", raises=raises)
    assert all(relance.nash_conv(game, game.published(alpha=alpha)) == 0 for alpha in (0, "2/7", 1))
    assert relance.value(game, game.published()) == Fraction(-1, 18)


def test_as_printed_the_trees_are_no_equilibria():
    """Kuhn's tree in the thesis, and the figure of the dealer's ace."""
    for raises in (0, 1):
        game = relance.make("one_card_poker", raises=raises)
        assert relance.nash_conv(game, game.published()) == 0 < relance.nash_conv(game, game.published(as_printed=True))


def test_domains_include_their_borders():
    """Where the dealer is bet to, alpha is below 1: with alpha = 1 the opener never bets."""
    allowed = {
        "all alpha with 0 <= alpha <= 1",
        "all alpha with 0 <= alpha < 1",
        "all gamma with 0 <= gamma <= 1",
        "all g with 0 <= g <= 1",
    }
    allowed |= {"all alpha, more with 0 <= alpha <= 1 and more >= 0", "all b with b > 0"}  # of any number of raises
    open_for_a_reason = ("bilinear", "dealer-king-check", "raises-with-aces", "family-not-all")
    for result in verify("miao-2014"):
        if result.method == "proved" and result.id.removeprefix("miao-2014/") not in open_for_a_reason:
            domains = [part for part in result.domain.split("; ") if "raises" not in part]
            if result.id == "miao-2014/kuhn-all-optimal":  # any strategies that earn the value, with all borders
                domains = [part for part in domains if re.search("[<>](?!=)", part)]
            assert set(domains) <= allowed, result.id
