"""Hold'em on the turn: its tree against the river's, exact and known values, and what is refused."""

from fractions import Fraction as F

import numpy as np
import pytest

import relance
from relance.envs import turn
from relance.model.tree import Leaf

SMALL = {"board": "8h7h6c2c", "ranges": ["Th9c:1/2;AhKh", "8d8c;AhQh"], "stack": 3, "bets": ["all-in"], "raises": 1}


@pytest.mark.parametrize(
    "parameters", [{"raises": 1, "stack": 30}, SMALL, {"bets": ["1/2", 1], "river_bets": ["1/3"], "stack": 6}]
)
def test_the_river_after_each_card_is_the_game_river(parameters):
    game = relance.make("turn", **parameters)
    given_ = game.parameters
    met = 0
    for name, node in game.tree.reveals.items():
        for card, below in [*zip(node.events, node.children, strict=True)][::7]:
            deal = game.deal.after(card)
            alive = [np.flatnonzero(deal.prior(p)) for p in (0, 1)]
            if isinstance(below, Leaf):
                assert (below.constant, below.stake) == (0, given_["pot"] / 2 + given_["stack"])
                continue
            paid = game.tree.decisions[f"{name}-{card}"].paid[0]
            river = relance.make(
                "river",
                board=given_["board"] + card,
                ranges=[
                    ";".join(
                        f"{deal.labels[p][i]}:{game.deal.distribution[p][i] / max(game.deal.distribution[p])}"
                        for i in alive[p]
                    )
                    for p in (0, 1)
                ],
                pot=2 * paid,
                stack=given_["pot"] / 2 + given_["stack"] - paid,
                bets=within(given_["river_bets"], 2 * paid, given_["pot"] / 2 + given_["stack"] - paid),
                raises=given_["raises"],
            )
            assert below == river.tree.root
            for p in (0, 1):
                assert [deal.labels[p][i] for i in sorted(alive[p], key=river_order(deal, p))] == [
                    *river.deal.labels[p]
                ]
            order = [sorted(alive[p], key=river_order(deal, p)) for p in (0, 1)]
            joint = deal.joint()[np.ix_(*order)]
            assert (joint / joint.sum() == river.deal.joint()).all()
            assert (deal.joint_edge()[np.ix_(*order)] / joint.sum() == river.deal.joint_edge()).all()
            met += 1
    assert met >= 6


def within(sizes, pot, stack):
    """The sizes that `river` takes: those beyond the stack are one, all-in."""
    fit = [size for size in sizes if size != "all-in" and size * pot < stack]
    return fit if len(fit) == len(sizes) else [*fit, "all-in"]


def river_order(deal, player):
    return lambda i: (deal.classes[player][i], deal.hands[player][i])


def test_exact_equilibria():
    """Two exact programs, one for each player, and the exact scores of what they find."""
    game = relance.make("turn")
    profile = relance.solve(game)
    assert relance.nash_conv(game, profile) == 0
    assert relance.value(game, profile) == F(11447, 33808)


def test_polar_hands_are_worth_what_the_endgame_is():
    """Player 0 has quads or nothing, and no card changes that: two rounds of the endgame, whose value is 2 P/P0 - 1.

    Some cards tell player 1 something: after Kh player 0 holds one bluff less. That is too little to change the value.
    """
    game = relance.make("turn", board="9s9d5h2c", ranges="9h9c;Kh7s;Kc8h vs AsAd", pot=2, stack=8, bets=1, river_bets=1)
    endgame = relance.make("endgame", p=F(1, 3), ante=1, bets=[2, 6])
    assert relance.value(endgame, endgame.published()) == F(1, 3) * F(9, 4) * 2 - 1
    profile = relance.solve(game, "dcfr+", tolerance=1e-3)
    assert relance.value(game, profile) == pytest.approx(float(relance.value(endgame, endgame.published())), abs=2e-3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"board": "Ks9d7h4c2s"},
            "board='Ks9d7h4c2s' must be four different cards, such as 'Ks9d7h4c': .* has 5 cards",
        ),
        ({"board": "Ks9d7hKs"}, "has Ks more than once"),
        ({"ranges": "Ks9c,9dAc vs AA"}, "every hand of player 0's range holds a card on the table"),
        ({"ranges": "AhKh vs AhQh"}, "ranges='AhKh vs AhQh' on board=Ks9d7h4c: each hand of player 0's range shares"),
        ({"bets": [1, 6]}, "bets=1;6: 6 of pot=2 is 12 chips, beyond stack=2; the largest allowed is 1 or"),
        (
            {"bets": ["1/2", 1], "river_bets": ["1/3", "2/3", 1], "raises": 4, "stack": 1000},
            "bets=2 sizes, river_bets=3 and raises=4 lead to more than 100,000 terminal nodes on 48 river cards; raises=1 would do",
        ),
        (
            {"bets": [F(k, 50) for k in range(1, 51)], "river_bets": [F(k, 50) for k in range(1, 51)], "raises": 1},
            "more than 100,000 terminal nodes on 48 river cards; allow fewer sizes",
        ),
    ],
)
def test_what_cannot_be_dealt_or_bet_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        relance.make("turn", **parameters)


def test_raises_are_counted_before_the_last_card():
    """A bet of the pot may be raised by the pot, if at all."""
    for raises, actions in ((0, ("fold", "call")), (1, ("fold", "call", "raise 1"))):
        assert relance.make("turn", stack=30, raises=raises).tree.decisions["bet 1"].actions == actions


def test_every_terminal_after_the_last_card_counts(monkeypatch):
    """All-in before it, too: with as many as the tree has it is built, and with one fewer refused."""
    tree = relance.make("turn", **SMALL).tree
    terminals = sum(bool(tree.cases[name].events) for name in tree.leaves)
    monkeypatch.setattr(turn, "MOST_TERMINALS", terminals)
    assert relance.make("turn", **SMALL).tree == tree
    monkeypatch.setattr(turn, "MOST_TERMINALS", terminals - 1)
    with pytest.raises(ValueError, match="lead to more than"):
        relance.make("turn", **SMALL)


def test_a_card_that_no_hands_leave_does_not_turn_up():
    deal = relance.make("turn", ranges="AhAd vs QcQd").deal
    assert len(deal.events) == 44
    assert not {"Ah", "Ad", "Qc", "Qd", "Ks"} & set(deal.events)
    with pytest.raises(ValueError, match="the deal has no event 'Ah'"):  # it would leave player 0 no hand
        deal.after("Ah")
    assert {F(1, 44)} == {after.mass(0, after.constant(1, 1))[0] for after in deal.events.values()}
