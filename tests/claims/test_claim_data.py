"""Claims that are data: what each form says, that a false one fails with a point, and that its cases must cover the domain."""

from fractions import Fraction as F
from functools import partial

import pytest

pytest.importorskip("z3", reason="needs the extra proof")

import relance
from relance.claims.claim_data import Groups, cases, stated
from relance.claims.ledger import Claim, Numbers, Paper, decide, look, plant
from relance.solvers.exact import hand_values

VALUE = "B/((B + 1)*(B + 4))"
THEOREM = {"a": VALUE, "b": "(B**2 + 4*B + 2)/((B + 1)*(B + 4))", "c": "B*(B + 3)/((B + 1)*(B + 4))", "V": VALUE}
GAME = {"game": "von_neumann(bet=B)"}
PLAN = {"": {"bet": [["0", "a"], ["b", "1"]]}, "bet": {"call": [["c", "1"]]}}
POSITIVE = ["B > 0"]
PUBLISHED = {**GAME, "plan": "published"}
BETS = {**PUBLISHED, "node": "", "action": "bet", "over": "check"}
CALLED = {**GAME, "player": 1, "cells": ["u"], "own": 1, "plan": {"": {"bet": 1}, "bet": {"call": 1}}}
CALL = {**CALLED, "node": "bet", "action": "call", "over": "fold"}


@pytest.mark.parametrize(
    "data",
    [
        {"nash": GAME},
        {"nash": {**GAME, "value": "V"}},
        {"nash": {**GAME, "plan": PLAN}},
        {"nash": {**GAME, "plan": "published"}},
        {"nash": {**GAME, "plan": {**PLAN, "bet": {"call": 0}}, "change": {"bet": PLAN["bet"]}}},
        {"nash": {**GAME, "numbers": {"a": "V"}}},
        {"nash": [{**GAME, "where": ["B <= 1"]}, {**GAME, "where": ["B >= 1"]}]},
        {"equal": [["a", "V"], ["b - c", "(B + 2)*a/B"]]},
        {"equal": [["V", "worth"]], "let": {"worth": {**GAME, "plan": "published"}}},
        {"equal": [["slope", "(4 - B**2)/((B + 1)*(B + 4))**2"]], "let": {"slope": {"slope": "V", "by": "B"}}},
        {"always": ["V > 0", "a < c < b < 1"]},
        {"always": {"that": ["B > a"], "where": ["B > 1"]}},
        {"signs": {**BETS, "between": ["0", "a", "b", "1"], "are": [1, -1, 1]}},
        {"higher": {**GAME, "node": "bet", "action": "call", "over": "fold", "when": {}, "crosses": True}},
        {
            "better": {
                "game": "bellman_blackwell(low=0, high=B)",
                "node": "low",
                "action": "call",
                "over": "fold",
                "when": {},
            }
        },
        {"short": {**GAME, "plan": {**PLAN, "": {"bet": 0}, "bet": {"call": 1}}, "player": 0, "of": "V"}},
        {"short": {**GAME, "plan": {**PLAN, "": {"bet": 1}, "bet": {"call": 0}}, "player": 1, "of": "-V"}},
        {"equal": [["0", "even"]], "let": {"even": {**BETS, "hand": "a"}}},
        {"equal": [["2*a - 1", "won"]], "let": {"won": {**PUBLISHED, "node": "", "action": "check", "hand": "a"}}},
        {
            "nash": {
                **GAME,
                "distributions": [["a", "c", "b"]] * 2,
                "numbers": {"a": "1/4", "c": "1/2", "b": "3/4"},
                "value": "V",
            }
        },
        {
            "equal": [["c - 1", "lost"]],
            "let": {"lost": {**GAME, "distributions": [["1"], ["c"]], "plan": {"": {"bet": 0}, "bet": {"call": 0}}}},
        },
        {"equal": {"pairs": [["(2*B + 2)*u - B", "gain"]], "where": ["0 <= u <= 1"]}, "let": {"gain": CALL}},
        {"induction": {"holds": ["S == V*k"], "first": {"S": "0", "k": "0"}, "then": {"S": "S + a", "k": "k + 1"}}},
    ],
)
def test_true_data_hold(data):
    finding = stated(Numbers(THEOREM), POSITIVE, **data)
    assert finding.holds, finding.evidence
    assert finding.method == "proved"


DECK = {"game": "one_card_poker(raises=0, bet=b)", "cards": "N + 1", "value": "0"}
LARGE = ["N >= 1", "b > 0", "b >= 2*(N - 1)"]
BEST = ["1", ["0", "0", "1", "1"]]


@pytest.mark.parametrize(
    ("data", "domain", "true"),
    [
        ({**DECK, "groups": [BEST, ["N", ["0", "0", "0", "0"]]]}, LARGE, True),
        ({**DECK, "groups": [BEST, ["N", ["0", "0", "0", "0"]]]}, ["N >= 1", "b > 0", "b >= N - 1"], False),
        ({**DECK, "groups": [BEST, ["N/2", ["0", "0", "0", "0"]]]}, LARGE, False),  # half a card
        ({**DECK, "groups": [BEST, ["N - 1", ["0", "0", "0", "0"]]]}, LARGE, False),  # a card is missing
        ({**DECK, "groups": [BEST, ["N", ["0", "0", "0", "0"]]], "value": "1/100"}, LARGE, False),
        ({**DECK, "groups": [BEST, ["N", ["1/100", "0", "0", "0"]]]}, LARGE, False),
        ({**DECK, "groups": [["N", ["0", "0", "0", "0"]], BEST]}, LARGE, False),  # the worst card calls
    ],
)
def test_a_deck_of_any_number_of_cards(data, domain, true):
    assert look(partial(stated, domain=domain, deck=data, counts=["N"]), {}).holds is true


@pytest.mark.parametrize(
    ("size", "counts", "why"),
    [
        ("N", [], "N, a number of cards, must be a polynomial in the symbols that `counts` lists: none"),
        ("b", ["N"], "b, a number of cards, must"),
    ],
)
def test_a_deck_has_whole_numbers_of_cards(size, counts, why):
    with pytest.raises(ValueError, match=why):
        stated(Numbers({}), LARGE, deck={**DECK, "groups": [BEST, [size, ["0", "0", "0", "0"]]]}, counts=counts)


def test_whole_numbers_are_asked_of_counts():
    more = {"either": [["N >= 2"]]}
    assert stated(Numbers({}), ["N > 1"], whole=more, counts=["N"]).holds
    with pytest.raises(ValueError, match="`whole` has the symbol N, which `counts` must list; `counts` lists none"):
        stated(Numbers({}), ["N > 1"], whole=more)


@pytest.mark.parametrize(
    "data",
    [
        {"nash": {**GAME, "value": "2*V"}},
        {"nash": {**GAME, "numbers": {"a": "2*a"}}},
        {"nash": {**GAME, "plan": {**PLAN, "bet": {"call": 1}}}},
        {"nash": {**GAME, "plan": {**PLAN, "bet": {"call": [["c", "2"]]}}}},
        {"nash": {"game": "von_neumann(bet=2*B)"}},
        {"nash": [{**GAME, "where": ["B <= 1"]}, {**GAME, "where": ["B >= 1"], "value": "2*V"}]},
        {"nash": {**GAME, "distributions": [["a", "c", "b"]] * 2}},
        {"equal": [["a", "b"]]},
        {"equal": [["a", "V"], ["b", "a"]]},
        {"always": ["V > 0", "V > 1"]},
        {"always": ["V > 1/10"]},
        {"signs": {**BETS, "between": ["0", "a", "1"], "are": [1, -1]}},
        {"signs": {**BETS, "between": ["0", "b", "a", "1"], "are": [1, -1, 1]}},
        {"signs": {**BETS, "between": ["0", "a", "b", "1"], "are": [1, 0, 1]}},
        {"higher": {**GAME, "node": "", "action": "bet", "over": "check", "when": {"bet": "call"}}},
        {"better": {**GAME, "node": "bet", "action": "call", "over": "fold", "when": {}}},
        {"short": {**PUBLISHED, "player": 0, "of": "V"}},
        {"short": {**GAME, "plan": {**PLAN, "": {"bet": 1}, "bet": {"call": 0}}, "player": 0, "of": "V"}},
        {"equal": [["0", "even"]], "let": {"even": {**BETS, "hand": "b/2"}}},
        {"induction": {"holds": ["S == V*k"], "first": {"S": "V", "k": "0"}, "then": {"S": "S + a", "k": "k + 1"}}},
    ],
)
def test_false_data_fail(data):
    assert not look(partial(stated, domain=POSITIVE, **data), THEOREM).holds


def test_a_false_equilibrium_comes_with_a_point():
    finding = stated(Numbers({**THEOREM, "c": "1/2"}), POSITIVE, nash=GAME)
    point = finding.point
    assert set(point) == {"B"}
    assert finding.evidence.startswith(f"at B = {point['B']}: player")


def test_pairs_that_begin_alike_are_refused():
    with pytest.raises(ValueError, match="two of pairs=.* begin with the same formula"):
        stated(Numbers(THEOREM), POSITIVE, equal=[["V", "a"], ["V", "b"]])


def test_numbers_without_symbols_are_exact():
    finding = stated(Numbers({"l": "1/4", "c": "1/2", "V": "-1/4"}), nash={"game": "la_relance(bet=2)", "value": "V"})
    assert (finding.holds, finding.method) == (True, "exact")


def test_conditions_may_name_printed_numbers():
    least = {"limit": "middle/2", "middle": "B"}
    finding = stated(Numbers(least), POSITIVE, always={"that": ["x > 0"], "where": ["x > limit"]})
    assert (finding.holds, finding.domain) == (True, "all B, x with B > 0 and x > B / 2")


def test_games_take_lists_and_text():
    sizes = {"game": "sized_la_relance(ante=a, sizes=[a, 2*a])", "plan": "published"}
    assert stated(Numbers({}), ["a > 0"], nash=sizes).holds
    assert not stated(
        Numbers({}), nash={"game": "von_neumann(deal='fgm:-1')", "plan": {**PLAN, "bet": {"call": 1}, "": {"bet": 1}}}
    ).holds


@pytest.mark.parametrize("text", ["von_neumann(2)", "von_neumann[2]", "1 + 2"])
def test_a_game_that_cannot_be_read(text):
    with pytest.raises(ValueError, match="is not written as name"):
        stated(Numbers(THEOREM), POSITIVE, nash={"game": text})


def test_parts_and_cases():
    forms = {"nash": {"one": GAME, "two": [GAME, GAME]}, "equal": [["a", "b"]], "always": None}
    assert [(form, part) for form, part, _ in cases(forms)] == [
        ("nash", "one"),
        ("nash", "two"),
        ("nash", "two"),
        ("equal", "equal"),
    ]


def claimed(domain, **data):
    data["domain"] = {"nash": domain}
    claim = Claim("test", "1", (), "A.", partial(stated, **data), THEOREM, domain=data["domain"])
    return Paper("paper", "citation", (claim,)), claim


def test_planted_errors_drop_each_case():
    halves = [{**GAME, "where": ["B < 1"]}, {**GAME, "where": ["B >= 1"]}]
    paper, claim = claimed(POSITIVE, nash=halves)
    assert decide(paper, claim).verdict == "proved"
    dropped = [item for item in plant(paper, claim) if item.changed == "cases"]
    assert [(item.text, item.caught) for item in dropped] == [
        ("without nash: all B with B > 0 and B < 1", True),
        ("without nash: all B with B > 0 and B >= 1", True),
    ]


def test_cases_that_leave_a_gap_are_open():
    result = decide(*claimed(POSITIVE, nash=[{**GAME, "where": ["B < 1"]}, {**GAME, "where": ["B > 1"]}]))
    assert (result.verdict, result.evidence) == ("open", "not decided for nash, B = 1")


def test_a_domain_may_name_printed_numbers():
    rises = {"slope": {"slope": "V", "by": "B"}}
    finding = stated(
        Numbers({**THEOREM, "best": "2"}), {"up": ["0 < B < best"]}, always={"up": ["slope > 0"]}, let=rises
    )
    assert (finding.holds, finding.domain) == (True, "all B with 0 < B < 2")
    beyond = partial(stated, domain={"up": ["0 < B < best"]}, always={"up": ["slope > 0"]}, let=rises)
    assert not look(beyond, {**THEOREM, "best": "2 + 1/1000"}).holds


SIZES = (1, 2, 3)
ROWS = (
    [F(1), F(1), F(1), F(1)],
    [F(1, 3), F(1, 2), F(2, 3), F(2, 3)],
    [F(0), F(1, 7), F(0), F(0)],
)
"""How often a card of each group, the best first, takes the last action at each node."""


@pytest.fixture
def both():
    """The groups; the game with a card each, in which the cards of a group are played alike; and the group of each card."""
    game = relance.make("one_card_poker", cards=sum(SIZES), raises=0)
    of = [k for k, size in reversed([*enumerate(SIZES)]) for _ in range(size)]  # the worst card first
    nodes = game.tree.decisions.items()
    plan = {name: {node.actions[-1]: [ROWS[k][i] for k in of]} for i, (name, node) in enumerate(nodes)}
    return Groups(game, SIZES, ROWS), game, game.profile(plan), of


def test_the_value_is_that_of_the_whole_deck(both):
    groups, game, profile, _ = both
    assert groups.cards == 6
    assert groups.worth == relance.value(game, profile)


@pytest.mark.parametrize("player", [0, 1])
def test_a_card_wins_as_much_as_it_can_where_a_best_response_wins_no_more_with_it(both, player):
    groups, game, profile, of = both
    best = game.together(relance.best_response(game, profile, player).strategy, profile.strategies[1 - player])
    earned, most = (hand_values(game, played, player)[""][1] for played in (profile, best))
    for card, own in enumerate(of):
        better = sum(of[other] == own for other in range(card + 1, len(of)))
        assert groups.is_best(own, better, player) == (earned[card] == most[card])
    assert len({groups.is_best(own, 0, player) for own in range(3)}) == 2
