"""Hold'em on the river: the betting, the value against all pairs of hands, and the endgame's theorem on real cards."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from conftest import random_profile

import relance
from relance.model.tree import Leaf
from relance.solvers.lp import solve_lp

F = Fraction
SPOT = {"ranges": ["AA:1/3;KQs;J8s", "KTs;T9s:1/2;88"], "bets": ["1/2", "all-in"], "stack": 3}


def walked(game, profile):
    """The value of a profile, hand against hand and node by node."""
    deal, total = game.deal, F(0)
    joint = deal.joint()

    def chips(name, node, hands):
        if isinstance(node, Leaf):
            return node.constant + node.stake * deal.compare(*hands)
        rows = zip(node.actions, node.children, profile[name], strict=True)
        hand = hands[node.player]
        return sum(
            row[hand] * chips(f"{name}-{action}" if name else action, child, hands) for action, child, row in rows
        )

    for hands in product(range(deal.size(0)), range(deal.size(1))):
        total += joint[hands] * chips("", game.tree.root, hands) if joint[hands] else 0
    return total


def test_the_value_is_the_mean_over_all_pairs_of_hands():
    game = relance.make("river", **SPOT)
    rng = np.random.default_rng(0)
    for _ in range(3):
        profile = random_profile(game, lambda: int(rng.integers(1, 6)))
        assert relance.value(game, profile) == walked(game, profile)


def test_the_betting_in_chips():
    game = relance.make("river", pot=4, stack=20, bets=["1/2", 1], raises=2)
    leaves = {name: (leaf.constant, leaf.stake) for name, leaf in game.tree.leaves.items()}
    assert leaves["check-check"] == (0, 2)
    assert leaves["bet 1/2-fold"] == (2, 0)
    assert leaves["check-bet 1-fold"] == (-2, 0)
    assert leaves["bet 1-call"] == (0, 6)
    # Of a pot of 4 + 2 + 2: half of it on top of the 2.
    assert leaves["bet 1/2-raise 1/2-fold"] == (-4, 0)
    assert leaves["bet 1/2-raise 1/2-call"] == (0, 8)
    # 4 + 6 + 6 is 16: the whole of it would be 22 in all, more than the stack.
    assert leaves["bet 1/2-raise 1/2-all in-call"] == (0, 22)
    assert game.tree.decisions["bet 1-raise 1"].actions == ("fold", "call", "all in")
    assert game.tree.decisions["bet 1-raise 1-all in"].actions == ("fold", "call")


def test_a_raise_adds_at_least_what_was_added_before():
    game = relance.make("river", pot=2, stack=100, bets=["1/4", 2], raises=2)
    # Of the pot of 10 after a bet of 4, a quarter is less than 4.
    assert game.tree.decisions["bet 2"].actions == ("fold", "call", "raise 2")
    assert game.tree.decisions["bet 1/4"].actions == ("fold", "call", "raise 1/4", "raise 2")


@pytest.mark.parametrize(
    ("ranges", "bets", "stack", "value"),
    [
        # P is 3/11 and the bet B the pot: the value is P/P0 * 2 - 1 with P0 = (2 + B)/(2 + 2 B).
        ("99;QJs;65s vs KTs;TT:1/2", [1], 10, F(3, 11) / F(2, 3) * 2 - 1),
        ("99;QJs;65s vs KTs;TT:1/2", ["1/3", "all-in"], 7, F(3, 11) / F(9, 16) * 2 - 1),
        # A certain winner often enough: player 1 always folds.
        ("99;77;QJs:1/2 vs KTs", [2], 4, F(1)),
    ],
)
@pytest.mark.parametrize("raises", [0, 1, 3])
def test_the_theorem_is_the_exact_answer_where_no_card_matters(ranges, bets, stack, value, raises):
    game = relance.make("river", ranges=ranges, bets=bets, stack=stack, raises=raises)
    profile = game.published()
    assert relance.nash_conv(game, profile) == 0
    assert relance.value(game, profile) == value
    if raises < 2:
        assert solve_lp(game)[0] == value


def test_removal_that_is_the_same_for_all_hands_does_no_harm():
    game = relance.make("river", ranges="99;QTs;65s vs KTs")
    assert not game.deal.joint().all()
    assert relance.nash_conv(game, game.published()) == 0
    assert relance.value(game, game.published()) == solve_lp(game)[0]


def test_it_is_the_endgame_itself():
    game = relance.make("river", ranges="99:1/2;QJs;65s vs KTs", bets=["1/2", 1], raises=0)
    endgame = relance.make("sized_endgame", p=F(3, 19), sizes=[1, 2])
    assert relance.value(game, game.published()) == relance.value(endgame, endgame.published())


@pytest.mark.parametrize(
    ("ranges", "reason"),
    [
        ("99;JJ;65s vs KTs;TT", "JdJc neither beats all hands of player 1 nor loses to all"),
        ("99;QJs;KTs vs KTs", "KcTc neither beats"),
        ("99;QcTc;65s vs KTs", "card removal: given player 1's hand, the chance of a winner is between 3/8 and 3/7"),
        ("AA:1/3;KQs;J8s vs KTs;T9s:1/2;88", "is between 1/2 and 5/7"),
    ],
)
def test_where_it_is_not_the_reason_is_named(ranges, reason):
    game = relance.make("river", ranges=ranges)
    assert not game.is_published
    with pytest.raises(ValueError, match=reason):
        game.published()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ranges": "Ks9c,9dAc vs AA"}, "every hand of player 0's range holds a card on the table"),
        ({"ranges": "AhKh vs AhQh"}, "ranges='AhKh vs AhQh' on board=Ks9d7h4c2s: each hand of player 0's range shares"),
        ({"ranges": "AA"}, "has 1 ranges; it must be two ranges, such as"),
        ({"ranges": ["AA", "AX"]}, "ranges='AX' of player 1: 'AX' is not a hand of hold'em"),
        ({"ranges": ["AA", ""]}, "ranges='' of player 1: the range has no hands; write"),
        ({"board": "Ks9d7h4cKs"}, "board='Ks9d7h4cKs' must be five different cards.*has Ks more than once"),
        (
            {"bets": [1, 6]},
            "bets=1;6: 6 of pot=2 is 12 chips, beyond stack=10; the largest allowed is 5 or",
        ),
        ({"bets": [1, 5, "all-in"]}, "5 of the pot is the whole stack, as all-in is"),
        ({"bets": [1, "1/2"]}, "bets='1;1/2' must be at most 100 numbers above 0 that rise"),
        ({"bets": [1, 1]}, "that rise"),
        (
            {"bets": ["1/9", "1/8", "1/7"], "raises": 20, "stack": 10**9},
            "lead to more than 20,000 terminal nodes; allow fewer",
        ),
    ],
)
def test_what_cannot_be_dealt_or_bet_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        relance.make("river", **parameters)


def test_a_matrix_is_no_bet():
    with pytest.raises(TypeError, match=r"(?s)bets=array.* is a ndarray; a number such as"):
        relance.make("river", bets=np.ones((2, 3)))


def test_ranges_come_from_files_too(tmp_path):
    (tmp_path / "first.txt").write_text("99\nQJs, 65s\n")
    game = relance.make("river", ranges=[tmp_path / "first.txt", "KTs,TT:0.5"])
    assert game == relance.make("river")
    with pytest.raises(ValueError, match=r"ranges='.*none.txt' of player 0 is not a file that holds a range"):
        relance.make("river", ranges=[tmp_path / "none.txt", "AA"])
    (tmp_path / "other.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="is not a file that holds a range"):
        relance.make("river", ranges=[tmp_path / "other.txt", "AA"])


def test_names_of_all_interfaces_take_it():
    pyspiel = pytest.importorskip("pyspiel")
    loaded = pyspiel.load_game("relance_river(board=Ts9d7h4c2s,ranges=AA;KQs:1/2 vs QQ,bets=1/2;all-in,stack=7)")
    assert loaded.num_distinct_actions() == 6
    assert "AA;KQs:1/2 vs QQ" in str(loaded)
    env = relance.env("river", ranges="AA vs KK", board="Ts9d7h4c2s", bets="1;", pot=3)
    env.reset(seed=0)
    assert env.possible_agents


def by_the_rules(pot, stack, bets, raises):
    """{decision: actions} and {terminal: (constant, stake)} from chips that are moved, bet by bet."""
    decisions, terminals = {}, {}

    def ask(name, mover, paid, added, left):
        """`paid` by each player since the river came; `added` by the last bet or raise."""
        facing, options = paid[1 - mover] - paid[mover], {}
        rest = stack - paid[1 - mover]  # a bet that is called leaves both with this
        if rest > 0 and (left > 0 or not facing):
            for bet in bets:
                chips = rest if bet == "all-in" else min(bet * (pot + 2 * paid[1 - mover]), rest)
                if chips == rest:
                    options["all in"] = chips
                elif chips >= added:
                    options[f"{'raise' if facing else 'bet'} {bet}"] = chips
        first = ["fold", "call"] if facing else ["check"]
        decisions[name] = (*first, *options)
        start = f"{name}-" if name else ""
        if facing:
            terminals[f"{start}fold"] = (-(F(pot) / 2 + paid[mover]) * (1 - 2 * mover), 0)
            terminals[f"{start}call"] = (0, F(pot) / 2 + paid[1 - mover])
        elif mover == 1:
            terminals[f"{start}check"] = (0, F(pot) / 2)
        else:
            ask("check", 1, paid, 0, left)
        for action, chips in options.items():
            after = list(paid)
            after[mover] = paid[1 - mover] + chips
            ask(f"{start}{action}", 1 - mover, after, chips, left - bool(facing))

    ask("", 0, [F(0), F(0)], F(0), raises)
    return decisions, terminals


@pytest.mark.parametrize(("pot", "stack"), [(2, 10), (2, 3), (4, 20), (1, F(3, 2)), (2, 100)])
@pytest.mark.parametrize(
    "bets", [[F(1, 4), F(1, 2)], [F(1, 4), "all-in"], ["all-in"], [F(1, 5), F(1, 3), F(1)]], ids=str
)
@pytest.mark.parametrize("raises", [0, 1, 3])
def test_every_bet_and_raise_is_by_the_rules(pot, stack, bets, raises):
    """Among them raises of exactly the least amount (a quarter of the pot after a bet of half), and all-in below it."""
    tree = relance.make("river", pot=pot, stack=stack, bets=bets, raises=raises).tree
    decisions, terminals = by_the_rules(pot, stack, bets, raises)
    assert {name: node.actions for name, node in tree.decisions.items()} == decisions
    assert {name: (leaf.constant, leaf.stake) for name, leaf in tree.leaves.items()} == terminals


def test_a_raise_of_exactly_the_least_amount_is_allowed_and_none_of_nothing():
    tree = relance.make("river", pot=2, stack=100, bets=["1/4", "1/2", "all-in"], raises=2).tree
    assert "raise 1/4" in tree.decisions["bet 1/2"].actions
    assert tree.decisions["all in"].actions == ("fold", "call")


@pytest.mark.parametrize("spelled", ["allin", "all in", "all_in", "All-In", "all-in"])
def test_all_in_as_users_spell_it(spelled):
    assert str(relance.make("river", bets=f"1/2;{spelled}")) == str(relance.make("river", bets=["1/2", "all-in"]))
