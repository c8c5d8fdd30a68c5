"""A game in words: a reader who knows nothing but the text can rebuild the game, and every reply is read or named."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from conftest import DEFAULTS, FINITE, SAMPLES, parametrised, random_profile
from random_games import own_game

import relance
from relance.model.game import Game
from relance.model.matrix_deal import MatrixDeal
from relance.model.tree import BettingTree, Decision, Leaf, Reveal, decision, reveal, showdown
from relance.play.rules import rules
from relance.play.wording import PLAIN
from relance.words import prompts
from relance.words.prompts import MOST_TERMINALS, describe, leads_to, situation, tell_rules, worsts
from relance.words.renamings import ACTIONS, renamed_wording
from relance.words.text_agent import parse_reply

RENAMINGS = [None, 0, 1]


def renamed(game, seed):
    return PLAIN if seed is None else renamed_wording(game, seed)


def questions(game, most=60):
    """Some of the information sets of a game with finitely many hands, spread over all."""
    every = [
        (node.player, hand, name)
        for name, node in game.tree.decisions.items()
        for hand in range(game.deal.size(node.player))
    ]
    return every[:: -(-len(every) // most)]


# --- what the text says is the game ---


def plain(contest, wording):
    """The contest's own name: the seats are named last in it."""
    for player, seat in enumerate(wording.seats):
        contest = re.sub(rf"{seat}$", f"player {player}", contest)
    return contest


def rebuilt(game, wording):
    """The betting tree that a reader of the text finds in it: the ways to play, who acts, and what each pays, in units."""
    number = r"(\d+(?:/\d+)?)"
    root = {}
    for line in tell_rules.__wrapped__(game, wording).splitlines():
        if not line.startswith("- "):
            continue
        way, pays = line[2:].split(": ")
        constant, stake, contest = Fraction(0), Fraction(0), ""
        if found := re.search(rf"showdown(?: \((.*)\))? for {number}", pays):
            contest, stake = plain(found[1] or "", wording), Fraction(found[2])
        if found := re.search(rf"({'|'.join(wording.seats)}) wins {number}", pays):
            constant = Fraction(found[2]) * (1 - 2 * wording.seats.index(found[1]))
        here = root
        for step in way.split(", "):
            if step.endswith(" turns up"):
                events = step.removesuffix(" turns up").removeprefix("one of ").split("/")
                turned = here.setdefault("turned", {})
                below = turned.setdefault(events[0], {})  # the same dict for all that are told together
                turned.update(dict.fromkeys(events, below))
                here = below
                continue
            seat = next(p for p in (0, 1) if step.startswith(wording.seats[p] + " "))
            here["player"] = seat
            here = here.setdefault("next", {}).setdefault(step.removeprefix(wording.seats[seat] + " "), {})
        here["leaf"] = Leaf(constant, stake, contest=contest)

    def build(node):
        if "leaf" in node:
            return node["leaf"]
        if "turned" in node:
            return Reveal(tuple(node["turned"]), tuple(map(build, node["turned"].values())))
        return Decision(node["player"], tuple(node["next"]), tuple(map(build, node["next"].values())))

    return BettingTree(build(root))


@pytest.mark.parametrize("seed", RENAMINGS)
@pytest.mark.parametrize("game", parametrised(FINITE))
def test_the_text_is_the_game_and_its_renaming_scales_every_figure(game, seed, monkeypatch):
    """Value and NashConv of the game that the text tells are those of the game itself, times the units in a chip."""
    monkeypatch.setattr(prompts, "MOST_TERMINALS", 10_000)
    wording = renamed(game, seed)
    tree = rebuilt(game, wording)
    told = Game(replace(game.blueprint, name="told"), game.parameters, tree, game.deal, game.cuts)
    rng = np.random.default_rng(7)
    profile = random_profile(game, lambda: int(rng.integers(1, 6)))
    back = {wording.action(name): name for name in game.actions}
    plan = {}
    for history, node in tree.walk():
        if isinstance(node, Decision):
            ours = "-".join(back.get(step, step) for step in history)
            rows = game.tree.decisions[ours].by_action(profile[ours])
            plan["-".join(history)] = {action: rows[back[action]] for action in node.actions}
    mapped = told.profile(plan)
    assert relance.value(told, mapped) == relance.value(game, profile) * wording.chips
    assert relance.nash_conv(told, mapped) == relance.nash_conv(game, profile) * wording.chips
    for player in (0, 1):
        assert (
            relance.best_response(told, mapped, player).value
            == relance.best_response(game, profile, player).value * wording.chips
        )


@pytest.mark.parametrize("game", parametrised(FINITE))
def test_every_information_set_has_a_question_of_its_own_whose_actions_are_read_back(game):
    for wording in (renamed(game, seed) for seed in RENAMINGS):
        asked = questions(game)
        texts = {question: situation(game, *question, wording) for question in asked}
        assert len({*texts.values()}) == len(asked)
        for question in asked[:: -(-len(asked) // 20)]:
            legal = game.tree.decisions[question[2]].actions
            shown = re.findall(r"\[(.*?)\]", texts[question])
            assert len(shown) == len(legal)
            assert {parse_reply(f"I think [{name.upper()} ]", legal, wording).action for name in shown} == set(legal)


@pytest.mark.parametrize("game", parametrised(SAMPLES))
def test_the_most_that_can_be_lost_is_that_of_the_rules(game):
    assert tuple(map(float, worsts(game))) == pytest.approx(rules(game).worst)


def test_tables_tell_what_turns_up_and_every_contest():
    """Of an own game whose deal has no words."""
    names, half = ("Q", "K"), Fraction(1, 2)
    pair = [[0 * half, half], [half, 0 * half]]

    def distribution(share, edge):
        return MatrixDeal((names, names), share * np.array(pair, object), np.array(edge, object))

    high, low = [[0, -1], [1, 0]], [[0, 1], [-1, 0]]
    up = distribution(Fraction(1, 4), high).with_contests({"low": distribution(Fraction(1, 4), low)})
    deal = distribution(1, high).with_events({"up": up, "down": distribution(Fraction(3, 4), high)})
    tree = BettingTree(decision(0, check=showdown(1), bet=reveal(up=Leaf(0, 2, contest="low"), down=showdown(2))))
    told = tell_rules(own_game(tree, deal))
    for sentence in (
        "with Q and K up (probability 1/4) or down (probability 3/4); with K and Q up (probability 1/4) or down (probability 3/4).",
        "At a showdown, player 0's Q loses against K, K wins against Q.",
        "At a showdown (low) after up, player 0's Q wins against K, K loses against Q.",
        "At a showdown after down, player 0's Q loses against K, K wins against Q.",
        "- player 0 bet, up turns up: showdown (low) for 2 chips",
    ):
        assert sentence in told


def test_hands_on_the_interval_keep_their_place():
    """Numbers are told on another scale, turned or not; the order of better hands stays."""
    game = relance.make("von_neumann")
    for seed in range(6):
        wording = renamed_wording(game, seed)
        told = [float(wording.hand(game, 0, x)) for x in (0.1, 0.4, 0.41, 0.9)]
        assert sorted(told, reverse=wording.turned) == told
        back = [(wording.top - x if wording.turned else x) / wording.top for x in told]
        assert back == pytest.approx([0.1, 0.4, 0.41, 0.9], abs=1e-4)


@pytest.mark.parametrize("deal", ["uniform", "power:2:1", "atoms:1/4", "fgm:-1/2", "normal:-3/5"])
def test_every_distribution_is_told(deal):
    game = relance.make("von_neumann", deal=deal)
    for wording in (PLAIN, *(renamed_wording(game, seed) for seed in range(4))):
        text = tell_rules(game, wording)
        assert "{" not in text
        assert f"between 0 and {wording.top}" in text
        assert f"The {'lower' if wording.turned else 'higher'} number is the better hand" in text
    assert (
        len(
            {
                tell_rules(relance.make("von_neumann", deal=distribution))
                for distribution in ("power:2:1", "power:1:2", "atoms:1/4", "atoms:1/3")
            }
        )
        == 4
    )


TABLES = [game for game in SAMPLES if game.deal.is_finite and not game.deal.words]


@pytest.mark.parametrize("seed", RENAMINGS)
@pytest.mark.parametrize("game", TABLES, ids=str)
def test_a_reader_finds_the_distribution_and_who_wins(game, seed):
    """The probability and the edge of every pair of hands, from the text alone."""
    wording, deal, number = renamed(game, seed), game.finite_deal(), r"\d+(?:/\d+)?"
    text, seats = tell_rules(game, wording), [seat[:1].upper() + seat[1:] for seat in wording.seats]
    names = [[wording.hand(game, p, hand) for hand in range(deal.size(p))] for p in (0, 1)]
    joint, edges = deal.joint(), deal.joint_edge()
    if "are dealt, with probability:" in text:
        found = {(a, b): Fraction(p) for a, b, p in re.findall(rf"(\w+) and (\w+) ({number})[;.]", text)}
    else:
        distributions = [{names[p][0]: Fraction(1)} for p in (0, 1)]
        for p, seat in enumerate(seats):
            if line := re.search(rf"{seat} is dealt (.*?)\.", text):
                distributions[p] = {
                    a: Fraction(b) for a, b in re.findall(rf"(\w+) \(probability ({number})\)", line[1])
                }
        found = {(a, b): distributions[0][a] * distributions[1][b] for a, b in product(*distributions)}
    said = re.search(r"At a showdown.*?'s (.*)\.\n", text)[1]
    for (i, mine), (k, theirs) in product(enumerate(names[0]), enumerate(names[1])):
        assert found.get((mine, theirs), 0) == joint[i, k]
        if joint[i, k]:
            against = f" against {theirs}" if len(names[1]) > 1 else ""
            how = re.search(
                rf"\b{mine} (wins|loses|ties|wins with probability ({number}))(?: \(the average is paid\))?{against}(?:,|$)",
                said,
            )
            edge = {"wins": 1, "loses": -1, "ties": 0}.get(how[1]) if how[2] is None else 2 * Fraction(how[2]) - 1
            assert edge * joint[i, k] == edges[i, k]


@pytest.mark.parametrize("seed", RENAMINGS)
@pytest.mark.parametrize("cards", [2, 3, 5, 13, 30])
def test_a_reader_finds_the_order_of_the_cards(cards, seed):
    game = relance.make("one_card_poker", cards=cards)
    wording = renamed(game, seed)
    way, listed = re.search(r"From (\w+) to \w+: (.*?)\.", tell_rules(game, wording)).groups()
    order = listed.split(", ")[:: -1 if way == "strongest" else 1]
    assert order == [wording.hand(game, 1, hand) for hand in range(cards)]


def test_a_distribution_of_few_hands_is_told_exactly():
    text = tell_rules(relance.make("endgame_hidden"))
    assert "loser and blank 1/2; loser and blocker 5/24; winner and blank 1/4; winner and blocker 1/24" in text
    assert "good wins with probability 9/10" in tell_rules(relance.make("endgame_draw"))
    assert "From weakest to strongest: Q, K, A." in tell_rules(relance.make("one_card_poker"))
    assert (
        "low loses against low, low loses against high, high wins against low, high loses against high"
        in tell_rules(relance.make("ponssard"))
    )


def test_cells_say_between_which_numbers_a_hand_lies():
    grid = relance.make("von_neumann", hands=9)
    assert "Your hand: 0.5556 to 0.6667" in situation(grid, 1, 5, "bet")
    assert "[" not in situation(grid, 1, 5, "bet").split("Your actions")[0]
    blocked = relance.make("von_neumann", deal="atoms:1/4", hands=6)
    assert PLAIN.hand(blocked, 0, 2) == "0.6667 to 0.8333"  # player 0 is never dealt the middle third
    fine = relance.make("von_neumann", hands=100_000)
    assert PLAIN.hand(fine, 0, 1) != PLAIN.hand(fine, 0, 2)


def test_real_cards_and_their_kind():
    game = relance.make("five_card", raises=0)
    deck = game.deal.deck
    hand = deck.classify("Kh Kd Jc 8s 6h")
    assert "Your hand: one pair, K K J 8 6" in situation(game, 0, hand, "")
    assert "Your hand: Kh Kd Jc 8s 6h (one pair)" in situation(game, 0, hand, "", cards="Kh Kd Jc 8s 6h")


def test_long_games_list_their_shortest_terminals():
    game = relance.make("one_card_poker", raises=99)
    text = describe(game)
    assert text.count("\n- ") == MOST_TERMINALS
    assert f"the others go on like them, up to {game.tree.depth} actions" in text
    assert len(text) < 8000


def test_large_decks_are_not_listed():
    assert "From weakest to strongest: 1, 2, 3, ..., 1000." in tell_rules(relance.make("one_card_poker", cards=1000))
    assert "From" not in tell_rules(relance.make("five_card", removal=False))


@pytest.mark.parametrize("game", [*DEFAULTS, relance.make("five_card", removal=False)], ids=str)
def test_texts_are_short(game):
    """A rule of thumb: four characters a token; the rules and a question stay below 700 tokens, and below 2,000 where events turn up."""
    node, decision = list(game.tree.decisions.items())[-1]
    hand = game.deal.sample(np.random.default_rng(1))[decision.player]
    most = 2800 if game.tree.is_usual else 8000
    assert len(describe(game)) + len(situation(game, decision.player, hand, node)) < most


def test_what_an_action_leads_to_is_said_to_the_player_who_takes_it():
    game = relance.make("one_card_poker", raises=1, bet=3)
    assert leads_to(game, "", "check") == "player 1 acts next"
    assert leads_to(game, "", "bet") == "you put in 3 chips, player 1 acts next"
    assert leads_to(game, "bet", "fold") == "you lose 1 chip"
    assert leads_to(game, "bet", "call") == "showdown for 4 chips"
    assert leads_to(game, "bet", "raise") == "you put in 6 chips, player 0 acts next"
    assert leads_to(relance.make("endgame", bets=[2, 6]), "bet", "call") == "you put in 2 chips, player 0 acts next"


def test_questions_of_others_are_refused():
    game = relance.make("one_card_poker", raises=0)
    with pytest.raises(ValueError, match="player 0 does not decide at 'bet'"):
        situation(game, 0, 1, "bet")
    with pytest.raises(ValueError, match="seed=-1 must be a whole number at least 0"):
        renamed_wording(game, -1)
    many = relance.make("sized_endgame", sizes=list(range(1, len(ACTIONS) + 1)))
    with pytest.raises(ValueError, match="has 17 actions to rename, but there are only 14"):
        renamed_wording(many, 1)
