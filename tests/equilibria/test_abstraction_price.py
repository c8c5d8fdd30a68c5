"""The price of abstraction: nothing where nothing is left out, by hand where a bet is missing, and on [0, 1] by its cells."""

from fractions import Fraction as F

import pytest

import relance
from relance.equilibria.abstraction_price import (
    lifted_profile,
    nearest_size_probs,
    price_of_abstraction,
    pseudo_harmonic_probs,
)
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode
from relance.solvers.tree_values import evaluate

FULL, SMALL = "sized_von_neumann(sizes=1;2;4,hands=18)", "sized_von_neumann(sizes=1;4,hands=18)"


def reading(mapping, pot=2):
    return {"bet 2": {f"bet {size}": p for size, p in mapping(2, [1, 4], pot).items()}}


@pytest.mark.parametrize("name", ["kuhn_poker", "one_card_poker", "endgame", SMALL])
def test_nothing_is_lost_where_nothing_is_left_out(name):
    found = price_of_abstraction(name, name)
    assert found.prices == (0, 0)
    assert found.total == 0


@pytest.mark.parametrize("mapping", [pseudo_harmonic_probs, nearest_size_probs])
def test_a_missing_bet_by_hand(mapping):
    """Player 1 answers the missing bet by a mixture of what they do against the others; player 0 never makes it."""
    small, full = relance.game_tree(SMALL), relance.game_tree(FULL)
    solved, found = relance.solve(small), price_of_abstraction(FULL, SMALL, reading(mapping))
    shares = mapping(2, [1, 4], 2)
    for s in small.infosets_of(1):
        hand = s.name.removesuffix(" bet 1")
        if hand != s.name:
            call = sum(share * solved[f"{hand} bet {size}"]["call"] for size, share in shares.items())
            assert found.profile[f"{hand} bet 2"]["call"] == call
            assert found.profile[s.name] == solved[s.name]
    assert all(found.profile[s.name]["bet 2"] == 0 for s in full.infosets_of(0))
    scored = evaluate(full, found.profile)
    assert found.guaranteed == (-scored.best[1], -scored.best[0])
    assert found.total == scored.nash_conv > 0
    assert sum(found.prices) == found.total
    assert min(found.prices) >= 0


def test_the_pseudo_harmonic_mapping_loses_less_than_the_nearest_size():
    good, bad = (
        price_of_abstraction(FULL, SMALL, reading(m)).prices[1] for m in (pseudo_harmonic_probs, nearest_size_probs)
    )
    assert good < bad


def test_mappings():
    """Ganzfried and Sandholm (2013): a bet of a pot between a half and two is taken as either; a one of the bet sizes as itself."""
    assert pseudo_harmonic_probs(2, [1, 4], 2) == {1: F(1, 2), 4: F(1, 2)}
    assert pseudo_harmonic_probs(4, [1, 4], 2) == {4: 1}
    assert pseudo_harmonic_probs(9, [1, 4], 2) == {4: 1}
    assert pseudo_harmonic_probs("1/2", [1, 4], 2) == {1: 1}
    assert nearest_size_probs(2, [1, 4], 2) == {1: 1}
    assert nearest_size_probs(3, [1, 4], 2) == {4: 1}
    assert nearest_size_probs(2, [1, 3], 2) == {1: 1}  # of two as near, the smaller
    for wrong in ((0, [1], 1), (1, [], 1), (1, [0, 1], 1), (1, [1], 0)):
        with pytest.raises(ValueError, match="must be above 0"):
            pseudo_harmonic_probs(*wrong)


def test_hands_on_the_interval():
    """Cells of von Neumann's poker: with a number of them that is divisible by 9 player 0 loses nothing."""
    game = relance.make("von_neumann")
    for hands, price in ((9, 0), (10, F(1, 900))):
        found = price_of_abstraction(game, game.grid(hands))
        assert found.value == F(1, 9)
        assert found.prices[0] == price
        assert found.total == relance.nash_conv(game, found.profile)
    with pytest.raises(ValueError, match=r"with \[0, 1\] cut into cells, such as game.grid\(9\)"):
        price_of_abstraction(game, "kuhn_poker")


def test_a_draw_is_kept():
    """The player takes "m" as "l" or "r", answers these differently, and later goes on as drawn: their own answer tells what it was."""

    def second(after, pays):
        return DecisionNode(1, f"later {after}", {a: TerminalNode(pays[a]) for a in "xy"})

    def first(seen, best):
        below = {a: second(f"{seen}{a}", {"x": 0, "y": 0}) for a in "ab"}
        below[best] = second(f"{seen}{best}", {"x": -1, "y": 1} if best == "a" else {"x": 1, "y": -1})
        return DecisionNode(1, f"answer {seen}", below)

    small = GameTree(DecisionNode(0, "open", {"l": first("l", "a"), "r": first("r", "b")}))
    middle = DecisionNode(1, "answer m", {a: second(f"m{a}", {"x": 0, "y": 0}) for a in "ab"})
    full = GameTree(DecisionNode(0, "open", {"l": first("l", "a"), "m": middle, "r": first("r", "b")}))
    table = {"open": {"l": 1}, "answer l": {"a": 1}, "answer r": {"a": F(1, 3), "b": F(2, 3)}}
    table |= {"later la": {"x": 1}, "later lb": {"x": 1}, "later ra": {"y": 1}, "later rb": {"y": 1}}
    lifted = lifted_profile(full, small, small.profile(table), {"m": {"l": F(1, 2), "r": F(1, 2)}})
    assert lifted["answer m"] == {"a": F(2, 3), "b": F(1, 3)}
    assert lifted["later ma"] == {"x": F(3, 4), "y": F(1, 4)}  # a was played 1/2 as l, and 1/6 as r
    assert lifted["later mb"] == {"x": 0, "y": 1}


def test_two_bets_in_a_row_that_are_not_among_the_bet_sizes():
    """ "m" is taken as "l" or "r" with chances 1/3 and 2/3 first, and 1/4 and 3/4 then; player 1 plays "a" after "ll" and "rr" only."""

    def game(bet_sizes, seen=""):
        if len(seen) == 2:
            return DecisionNode(1, f"answer {seen}", {a: TerminalNode(0) for a in "ab"})
        below = {a: game(bet_sizes, seen + a) for a in bet_sizes}
        return DecisionNode(0, f"bet {seen}", {f"{a} {len(seen)}": child for a, child in below.items()})

    small, full = GameTree(game("lr")), GameTree(game("lrm"))
    table = {f"answer {x}{y}": {"ab"[x != y]: 1} for x in "lr" for y in "lr"}
    table |= {"bet ": {"l 0": 1}, "bet l": {"l 1": 1}, "bet r": {"r 1": 1}}
    reading = {"m 0": {"l 0": F(1, 3), "r 0": F(2, 3)}, "m 1": {"l 1": F(1, 4), "r 1": F(3, 4)}}
    lifted = lifted_profile(full, small, small.profile(table), reading)
    assert lifted["answer mm"] == {
        "a": F(1, 3) * F(1, 4) + F(2, 3) * F(3, 4),
        "b": F(1, 3) * F(3, 4) + F(2, 3) * F(1, 4),
    }


def dealt(names, first=lambda name: 0):
    """A card that player `first` may see by the name of their information set."""
    below = {
        card: DecisionNode(first(name), name, {"l": TerminalNode(x), "r": TerminalNode(-x)})
        for (card, x), name in zip({"a": 1, "b": -1}.items(), names, strict=True)
    }
    return GameTree(ChanceNode({card: (F(1, 2), child) for card, child in below.items()}))


def test_what_the_full_game_does_not_tell_apart():
    with pytest.raises(ValueError, match="information set 's' of the full game would get two strategies"):
        price_of_abstraction(dealt("ss"), dealt("st"))


def test_another_player_who_acts():
    with pytest.raises(ValueError, match="player 0 acts here, but not in the smaller game"):
        price_of_abstraction(dealt("st"), dealt("st", lambda name: 1))


def test_where_nothing_exact_is_published_the_value_is_not_known():
    """The published thresholds of this distribution are rounded, so they are no equilibrium."""
    game = relance.make("von_neumann", deal="power:2:1")
    grid = game.grid(2)
    found = price_of_abstraction(game, grid, profile=grid.uniform())
    assert found.value is None
    with pytest.raises(ValueError, match="only `total`, the sum of both prices, is known"):
        _ = found.prices
    assert found.total == relance.nash_conv(game, found.profile)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "the smaller game has no 'bet 2'; `reading` must translate it"),
        (
            {"bet 2": {"bet 3": 1}},
            r"reading\['bet 2'\] must give probabilities with sum 1 to actions of the smaller game",
        ),
        ({"bet 2": {"bet 1": "1/2"}}, r"reading\['bet 2'\] must give probabilities with sum 1"),
    ],
)
def test_refusals(given, message):
    with pytest.raises(ValueError, match=message):
        price_of_abstraction(FULL, SMALL, given)


def test_other_chance_is_refused():
    with pytest.raises(ValueError, match="chance may draw .* here, but not in the smaller game"):
        price_of_abstraction("one_card_poker(cards=4)", "one_card_poker(cards=3)")


def test_strategies_of_ones_own_instead_of_the_solved_ones():
    game = relance.make("von_neumann")
    grid = game.grid(10)
    assert price_of_abstraction(game, grid, profile=grid.published()).prices == (F(1, 225), 0)
    tree = relance.game_tree("kuhn_poker")
    found = price_of_abstraction(tree, tree, profile="uniform")
    assert found.total == relance.nash_conv(tree, "uniform")
    assert found.value == F(-1, 18)  # of the game, whatever the strategies
    with pytest.raises(ValueError, match="no information set 'x'"):
        price_of_abstraction(tree, tree, profile={"x": {}})
