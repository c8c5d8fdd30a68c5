"""Dumps of TexasSolver, written by hand in the form of its published writer, against the same strategies as tables of ours."""

import json
from pathlib import Path

import numpy as np
import pytest

import relance
from relance.equilibria import grade_solution
from relance.model.playing_cards.ranges import ORDER
from relance.model.strategy_tables import profile_of_table
from relance.registration.texas_solver import read_dump
from relance.solvers import information_sets

FIXTURE = Path(__file__).with_name("texas_river.json")
DUMP = json.loads(FIXTURE.read_text())
SPOT = {"board": "2c2d2h3s3h", "ranges": "AsAh,QsQh vs KsKh,KdKc", "pot": 100, "stack": 300, "bets": "1/2", "raises": 2}
RIVER = relance.make("river", **SPOT)

FLOAT = np.float32
RAISED = "bet 1/2-raise 1/2"
TABLE = {
    "AsAh": {"check": FLOAT(0.3), "bet 1/2": FLOAT(0.7)},
    "QsQh": {"check": 1},
    "KdKc check": {"check": "3/4", "bet 1/2": "1/4"},
    "KsKh check": {"check": "1/2", "bet 1/2": "1/2"},
    "AsAh check-bet 1/2": {"call": "1/4", "raise 1/2": "3/4"},
    "QsQh check-bet 1/2": {"call": "1/8", "raise 1/2": "1/8", "fold": "3/4"},
    f"KdKc check-{RAISED}": {"call": "1/2", "fold": "1/2"},
    f"KsKh check-{RAISED}": {"call": "1/2", "all in": "1/8", "fold": "3/8"},
    f"AsAh check-{RAISED}-all in": {"call": 1},
    f"QsQh check-{RAISED}-all in": {"call": "1/4", "fold": "3/4"},
    "KdKc bet 1/2": {"call": FLOAT(0.6), "fold": FLOAT(0.4)},
    "KsKh bet 1/2": {"call": "1/2", "raise 1/2": "1/4", "fold": "1/4"},
    f"AsAh {RAISED}": {"all in": 1},
    f"QsQh {RAISED}": {"all in": "1/2", "fold": "1/2"},
    f"KdKc {RAISED}-all in": {"call": "3/8", "fold": "5/8"},
    f"KsKh {RAISED}-all in": {"call": "5/8", "fold": "3/8"},
}


def same(game, one, other):
    return all((a == b).all() for name in game.tree.decisions for a, b in zip(one[name], other[name], strict=True))


def changed(*pairs):
    """The dump with parts of its text replaced; each must be there."""
    text = json.dumps(DUMP)
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return json.loads(text)


def test_a_dump_says_what_the_same_table_says():
    assert same(RIVER, read_dump(RIVER, DUMP), profile_of_table(RIVER, TABLE))


def test_it_is_read_as_any_other_file():
    wrong = relance.nash_conv(RIVER, TABLE)
    assert wrong > 1
    assert relance.nash_conv(RIVER, FIXTURE) == relance.score(RIVER, str(FIXTURE)).nash_conv == wrong
    at, there = information_sets(RIVER, FIXTURE), information_sets(RIVER, TABLE)
    assert {name: found.action_values for name, found in at.items()} == {
        name: found.action_values for name, found in there.items()
    }
    assert relance.nash_conv(relance.game_tree(RIVER), FIXTURE) == pytest.approx(wrong)
    grade = grade_solution(RIVER, FIXTURE)
    assert not grade.right
    assert grade.evaluation.nash_conv == pytest.approx(wrong)
    assert grade_solution(RIVER, str(FIXTURE), tolerance=wrong + 1).right


def test_other_spellings():
    # Releases up to 0.2.0 write what a raise adds: 300 after a bet of 50 is 250.
    assert same(RIVER, read_dump(RIVER, changed(("RAISE 300", "RAISE 250"))), read_dump(RIVER, DUMP))
    assert same(RIVER, read_dump(RIVER, changed(("AsAh", "AhAs"), ("KdKc", "KcKd"))), read_dump(RIVER, DUMP))


def test_probabilities_are_those_of_float32():
    found = read_dump(RIVER, changed(("0.699999988079071", "0.69999")))
    assert found.plan()[""]["bet 1/2"][1] == pytest.approx(0.7, abs=1e-5)
    assert found.plan()[""]["bet 1/2"][1] == pytest.approx(0.69999 / 0.99999, abs=1e-7)


def test_bets_in_whole_chips():
    # A third of 100 is 33 there, and a third of 166, on top of 33, is 88: here 33.3 and 88.9.
    game = relance.make("river", **SPOT | {"bets": "1/3", "stack": 160})
    dump = changed(("BET 50.", "BET 33."), ("RAISE 150.", "RAISE 88."), ("RAISE 300.", "RAISE 160."))
    with pytest.raises(ValueError, match=r"RAISE 88.*the game has FOLD, CALL, RAISE 800/9 \(raise 1/3\)"):
        read_dump(game, dump)
    dump = changed(("BET 50.", "BET 33."), ("RAISE 150.", "RAISE 89."), ("RAISE 300.", "RAISE 160."))
    table = {
        name.replace("1/2", "1/3"): {action.replace("1/2", "1/3"): p for action, p in distribution.items()}
        for name, distribution in TABLE.items()
    }
    assert same(game, read_dump(game, dump), profile_of_table(game, table))


def test_bets_are_told_apart_by_their_chips():
    # By name all-in comes first, by chips last; the dump may have any order.
    game = relance.make("river", **SPOT | {"bets": "1/2,all-in", "raises": 0})
    bets = ["CHECK", "BET 300.000000", "BET 50.000000"]
    hands = {0: ("KsKh", "KdKc"), 1: ("AsAh", "QsQh")}

    def node(player, actions, row, childrens):
        strategy = {"actions": actions, "strategy": dict.fromkeys(hands[player], row)}
        return {"actions": actions, "node_type": "action_node", "player": player, "strategy": strategy} | childrens

    def bet_by(player, row, checked):
        replies = {bet: node(1 - player, ["FOLD", "CALL"], [0.25, 0.75], {}) for bet in bets[1:]}
        return node(player, bets, row, {"childrens": checked | replies})

    profile = read_dump(game, bet_by(1, [0.5, 0.125, 0.375], {"CHECK": bet_by(0, [0.25, 0.75, 0], {})}))
    assert {action: list(row) for action, row in profile.plan()[""].items()} == {
        "check": [1 / 2] * 2,
        "bet 1/2": [3 / 8] * 2,
        "all in": [1 / 8] * 2,
    }
    assert profile.plan()["check"]["all in"][0] == 3 / 4


TURN = {"board": "Ks9d7h4c", "ranges": "AdAc;Qs8s vs KcJc;TsTd", "pot": 10, "bets": "1/2", "river_bets": "1/2"}
HANDS = (("TsTd", "KcJc"), ("AdAc", "Qs8s"))
"""By TexasSolver's player; the first is in position, and player 1 here."""
CARDS = [rank + suit for rank in ORDER for suit in "cdhs"]
OVER = {"deal_number": 0, "node_type": "chance_node"}


def distribution(hand, card, actions, step):
    """Any probabilities that depend on the hand, the last card and the number of actions before."""
    p = (sum(map(ord, hand)) + 3 * (CARDS.index(card) if card else 0) + 2 * step) % 9 / 8
    return [p, *[(1 - p) / (actions - 1)] * (actions - 1)]


def written(player, card, pot, stack, raises, mine=0, theirs=0, step=0):
    """What the writer says of a decision, with what the two have put in on this street, and below; bets are half the pot."""
    faces = theirs > mine
    below, step = {}, step + 1
    if faces:
        below["CALL"] = None if card else written_rivers(pot + 2 * theirs, stack - theirs, raises, step)
    elif player == 1:
        below["CHECK"] = written(0, card, pot, stack, raises, step=step)
    else:
        below["CHECK"] = None if card else written_rivers(pot, stack, raises, step)
    if theirs < stack and (raises[0] or not faces):
        to = min(theirs + (pot + 2 * theirs) / 2, stack)
        left = (raises[0] - faces, raises[1])
        name = f"{'RAISE' if faces else 'BET'} {to:f}"
        below[name] = written(1 - player, card, pot, stack, left, theirs, to, step)
    if faces:
        below["FOLD"] = None
    distributions = {hand: distribution(hand, card, len(below), step) for hand in HANDS[player]}
    strategy = (
        {"strategy": {"actions": [*below], "strategy": distributions}} if not card or card not in TURN["board"] else {}
    )
    children = {name: child for name, child in below.items() if child}
    return {"actions": [*below], "node_type": "action_node", "player": player, "childrens": children} | strategy


def written_rivers(pot, stack, raises, step):
    """The last card; all 52 are there, those on the table without strategies."""
    if not stack:
        return OVER
    cards = {card: written(1, card, pot, stack, raises[1:] * 2, step=step) for card in CARDS}
    return {"dealcards": cards, "deal_number": 52, "node_type": "chance_node"}


def test_the_turn():
    # Of a stack of 85: 5, 15 and 35 before the last card; after it, for one, 25 of a pot of 40, and all in.
    game = relance.make("turn", **TURN, stack=85, raises=2)
    dump = written(1, "", 10, 85, (2, 2))
    table = {}
    for name, at in game.tree.decisions.items():
        cards = game.tree.cases[name].events
        step = len(game.tree.histories[name]) - len(cards) + 1
        order = sorted(at.actions, key=lambda action: action not in ("check", "call"))
        for hand in HANDS[1 - at.player]:
            table[game.information_set(name, list(game.deal.names[at.player]).index(hand))] = dict(
                zip(order, distribution(hand, "".join(cards), len(order), step), strict=True)
            )
    assert same(game, read_dump(game, dump), profile_of_table(game, table))


def test_a_turn_that_ends_early():
    game = relance.make("turn", **TURN, stack=85, raises=0)
    dump = written(1, "", 10, 85, (0, 0))
    read_dump(game, dump)
    checked = dump["childrens"]["CHECK"]["childrens"]
    del checked["CHECK"]["dealcards"]["2c"]
    with pytest.raises(ValueError, match="at 'check-check' lacks the card 2c$"):
        read_dump(game, dump)
    checked["CHECK"] = OVER  # as with set_dump_rounds 1
    with pytest.raises(ValueError, match="at 'check-check' lacks the card 2c; dump the second round too"):
        read_dump(game, dump)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (
            [("BET 50.", "BET 51.")],
            r"the root has the actions CHECK, BET 51\.0+; the game has CHECK, BET 50 \(bet 1/2\)",
        ),
        ([("RAISE 150.", "BET 150.")], "at 'check-bet 1/2' has the actions CALL, BET 150"),
        ([("RAISE 300.", "RAISE 299.")], "at 'check-bet 1/2-raise 1/2' has the actions CALL, RAISE 299"),
        ([("BET 50.000000", "BET 1e999999999")], "the root has the actions CHECK, BET 1e9+;"),
        ([('"CHECK"', '"CALL"')], "the root has the actions CALL, BET"),
        ([('"player": 1', '"player": 2')], "player 2 acts; in river.* player 0 acts, whom TexasSolver calls 1"),
        (
            [('"player": 1', '"player": 2'), ('"player": 0', '"player": 1'), ('"player": 2', '"player": 0')],
            "player 0 acts",
        ),
        ([("AsAh", "AsAd")], "at the root: player 0 cannot hold AsAd in river"),
        ([('"QsQh": [1.0, 0.0]', '"AhAs": [1.0, 0.0]')], "has 'AsAh' twice"),
        ([(', "QsQh": [1.0, 0.0]}', "}")], "says nothing of information set 'QsQh' of player 0"),
        ([(', "QsQh": [0.25, 0.75]', "")], "'QsQh check-bet 1/2-raise 1/2-all in' of player 0"),
        (
            [("[1.0, 0.0]", "[0.5, 0.25, 0.25]")],
            "at the root: QsQh has 3 probabilities, not one for each of CHECK, BET 50",
        ),
        ([('"KsKh": [0.5, 0.5]', '"KsKh": [0.5, 0.4]')], "'KsKh check': probabilities must.*sum 0.9"),
        ([('"KsKh": [0.5, 0.5]', '"KsKh": [null, 0.5]')], "'KsKh check': the probability of check"),
        ([('"KsKh": [0.5, 0.5]', '"KsKh": 1')], "TexasSolver's dump is damaged"),
        ([('{"BET 50.000000": {', '{"BET 49.000000": {')], "at 'check' lacks the node after BET 50"),
        ([('"strategy": {"actions": ["CALL", "FOLD"]', '"evs": {"actions": ["CALL", "FOLD"]')], "there is no strategy"),
    ],
)
def test_what_is_not_of_the_game_is_refused(change, wrong):
    with pytest.raises(ValueError, match=wrong):
        read_dump(RIVER, changed(*change))


@pytest.mark.parametrize(
    ("other", "wrong"),
    [
        ({"ranges": "KsKh,KdKc vs AsAh,QsQh"}, "at the root: player 0 cannot hold AsAh"),
        ({"board": "As2c2d2h3s"}, "at the root: player 0 cannot hold AsAh"),
        ({"pot": 60}, r"the root has the actions CHECK, BET 50.*BET 30 \(bet 1/2\)"),
        ({"bets": "1/2,1"}, r"the root has the actions CHECK, BET 50.*BET 100 \(bet 1\)"),
        ({"raises": 1}, "at 'check-bet 1/2-raise 1/2' has the actions CALL, RAISE 300.*; the game has FOLD, CALL;"),
    ],
)
def test_another_spot_is_refused(other, wrong):
    with pytest.raises(ValueError, match=wrong):
        read_dump(relance.make("river", **SPOT | other), DUMP)


@pytest.mark.parametrize("game", ["kuhn", "von_neumann"])
def test_another_game_is_refused(game):
    with pytest.raises(ValueError, match=r"a dump of TexasSolver is a strategy of river\(...\) or turn\(...\), not of"):
        relance.score(game, FIXTURE)


def test_hands_that_are_never_dealt_do_not_count():
    # Each of the other's hands holds the king of spades or of diamonds; such a hand is in the dump, and not in the game.
    game = relance.make("river", **SPOT | {"ranges": "AsAh,QsQh,KsKd vs KsKh,KdKc"})
    assert len(game.deal.hands[0]) == 2
    dump = changed(('"QsQh": [1.0, 0.0]', '"QsQh": [1.0, 0.0], "KsKd": [0.0, 1.0]'))
    assert same(RIVER, read_dump(game, dump), read_dump(RIVER, DUMP))
