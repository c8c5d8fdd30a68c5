"""Each fault of a tree, a distribution or a printed strategy is refused at its place; every game of the registry is none of these."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from relance.envs.catalogue import BLUEPRINTS
from relance.model.distributions import (
    atoms,
    cards,
    distinct_cards,
    distribution,
    fgm,
    independent,
    joint_distribution,
    normal,
    powers,
    uniform,
)
from relance.model.game_check import CELLS, FEWEST, LONGEST_PLAY, check_blueprint, check_distribution, check_tree
from relance.model.interval import DensityDeal
from relance.model.matrix_deal import MatrixDeal
from relance.model.piecewise import Piecewise
from relance.model.quadratic import square_root
from relance.model.ranked_deal import RankedDeal
from relance.model.tree import BettingTree, Decision, Leaf, decision, facing_a_bet, showdown

HALF, THIRD, NAN = Fraction(1, 2), Fraction(1, 3), float("nan")
WIN, LOSE = Leaf(1), Leaf(-1)


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_every_game_passes(name):
    assert check_blueprint(BLUEPRINTS[name])


def cycle():
    children = [WIN]
    children.append(Decision(1, ("again", "stop"), children))
    return Decision(0, ("stop", "go"), children)


def deep(actions):
    node = WIN
    for k in range(actions):
        node = decision(k % 2, fold=LOSE, go=node)
    return node


def shared(doublings):
    node = decision(0, left=WIN, right=LOSE)
    for _ in range(doublings):
        node = decision(0, left=node, right=node)
    return node


@pytest.mark.parametrize(
    ("root", "message"),
    [
        (decision(0, go=decision(0)), "node 'go': player 0 has no action; where a play ends there must be a Leaf"),
        (decision(0, go=decision(2, go=WIN)), "node 'go': player 2 does not exist; the players are 0 and 1"),
        (Decision(True, ("go",), (WIN,)), r"node '' \(the root\): player True does not exist"),
        (decision(0, go=Leaf(NAN)), "node 'go', constant: nan must be a finite number"),
        (decision(0, go=Leaf(0, float("inf"))), "node 'go', stake: inf must be a finite number"),
        (decision(0, go=Leaf(0, 1, NAN)), "node 'go', put_in: nan must be a finite number"),
        (decision(0, go=Leaf(1e-300)), "node 'go', constant: .* is nearer to 0 than 1e-200; count in smaller units"),
        (decision(0, go=Leaf(None)), "node 'go', constant: None must be a finite number"),
        (decision(0, go=Leaf(1, None)), "node 'go', stake: None must be a finite number"),
        (decision(0, go=Leaf(square_root(2))), r"node 'go', constant: sqrt\(2\) must be a finite number, as an int"),
        (decision(0, Bet=WIN, bet=LOSE), "the actions 'Bet' and 'bet' differ in case or spaces only; rename one"),
        (decision(0, Bet=decision(1, bet=WIN)), "the actions 'Bet' and 'bet' differ in case or spaces only"),
        (Decision(0, ("a b", "a  b"), (WIN, LOSE)), "the actions 'a b' and 'a  b' differ in case or spaces only"),
        (Decision(0, ("a\nb",), (WIN,)), r"the action 'a\\nb' must be text, not empty, that can be printed"),
        (Decision(0, ("\x1b[2J",), (WIN,)), r"the action '\\x1b\[2J' must be text, not empty, that can be printed"),
        (Decision(0, ("bet ",), (WIN,)), "the action 'bet ' must be text, .* and has no space at an end"),
        (Decision(0, ("[bet]",), (WIN,)), r"the action '\[bet\]' has a square bracket"),
        (decision(0, go=Leaf(10**400)), "node 'go', constant: .* is too large for a float"),
        (Decision(0, ("go",), (1,)), "node 'go' is 1; it must be a Decision, a Reveal or a Leaf"),
        (Decision(0, ("go",), (WIN, LOSE)), r"\(the root\) has 1 actions and 2 children; each action needs one"),
        (Decision(0, ("go", "go"), (WIN, LOSE)), "the action 'go' is there twice"),
        (Decision(0, ("",), (WIN,)), "the action '' must be text"),
        (cycle(), "comes after itself, so a play might never end"),
        (deep(LONGEST_PLAY + 1), f"is too deep; a play may have at most {LONGEST_PLAY} actions"),
        (shared(30), "the tree has 4,294,967,295 nodes; at most 1,000,000 are allowed"),
        (
            Decision(0, ("a-b", "a"), (decision(1, go=WIN), decision(1, **{"b": LOSE, "go": WIN}))),
            "have one name, 'a-b'; rename an action",
        ),
        (decision(0, a=WIN, b=decision(1, b=WIN, a=LOSE)), "are in different orders at different nodes; use one"),
        (WIN, "must be a BettingTree whose root is a Decision"),
    ],
)
def test_a_tree_is_refused(root, message):
    with pytest.raises(ValueError, match=message):
        check_tree(BettingTree(root))


def test_a_tree_may_be_as_deep_as_is_said_and_use_a_node_twice():
    check_tree(BettingTree(deep(LONGEST_PLAY)))
    check_tree(BettingTree(shared(5)))


EVEN = [[HALF, 0], [0, HALF]]
EDGE = [[0, -1], [1, 0]]


def matrix(joint, edge=EDGE):
    return joint_distribution(["a", "b"], ["a", "b"], joint, edge)


def large(wrong, size=80, kind=MatrixDeal):
    """A distribution of more pairs than are all checked, with a fault in a few."""
    joint = np.full((size, size), Fraction(1, size * size), object)
    wrong(joint)
    labels = [str(hand) for hand in range(size)]
    return kind((labels, labels), joint, np.full((size, size), Fraction(0), object))


def move(joint):
    """Rows and columns keep their sums."""
    joint[np.ix_([-1, 5], [3, 4])] += [[-1, 1], [1, -1]]


class OneSided(MatrixDeal):
    """Player 1's operator is of another distribution."""

    def mass(self, player, weight):
        return super().mass(player, weight[::-1] if player else weight)


class OneSidedAtOneHand(MatrixDeal):
    """Player 1's operator counts hand 1 twice and hand 2 never; neither is among those whose pairs are checked."""

    def mass(self, player, weight):
        return super().mass(player, weight[[0, 1, 1, *range(3, len(weight))]] if player else weight)


class EdgeOfOne(MatrixDeal):
    def edge(self, player, weight):
        return abs(super().edge(player, weight))


class OtherFloats(MatrixDeal):
    floats = MatrixDeal((["a", "b"], ["a", "b"]), np.array([[0.5, 1e-9], [0, 0.5]]), np.zeros((2, 2)))


class OtherShowdown(MatrixDeal):
    def compare(self, mine, theirs):
        return -super().compare(mine, theirs)


def own(kind, joint=((THIRD, THIRD), (0, THIRD)), edge=((0, -1), (1, 0))):
    return kind((["a", "b"], ["a", "b"]), np.array(joint, object), np.array(edge, object))


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        (
            matrix([[1, 0], [0, 1]]),
            "player 0's hands have the total probability 2, not 1; divide each probability by the total",
        ),
        (matrix([[THIRD / 2, 0], [0, THIRD]]), "hands have the total probability 1/2, not 1"),
        (matrix([[0.5, 0.1], [0.1, 0.5]]), r"hands have the total probability 6/5, not 1"),
        (matrix([[-HALF, 1], [HALF, 0]]), "'a' of player 0 and '?a'? of player 1 have the probability -1/2; it must"),
        (matrix([[-1, 0], [1, 1]]), "hand 'a' of player 0 has the probability -1; it must be at least 0"),
        (matrix([[NAN, HALF], [HALF, 0]]), "has the probability nan; it must be at least 0"),
        (matrix(EVEN, [[0, 5], [5, 0]]), None),  # pairs that are never dealt
        (
            matrix(EVEN, [[5, 0], [0, 0]]),
            "'a' of player 0 and 'a' of player 1: edge = P.win. - P.loss. = 5, not from -1 to 1",
        ),
        (matrix(EVEN, [[NAN, 0], [0, 0]]), "= nan, not from -1 to 1"),
        (large(move), "of player 1 have the probability -"),
        (
            large(lambda joint: None, kind=OneSidedAtOneHand),
            "`mass` of player 0 and of player 1 contradict each other",
        ),
        (independent({"x": (1, 1), "y": (1, 0)}, {"z": (1, 0)}), "player 0's hands have the total probability 2"),
        (independent({}, {"z": (1, 0)}), "player 0 has no hands; at least one is needed"),
        (cards(["Q", "K", "Q"]), "player 0 has two hands called 'Q'; rename one"),
        (cards(["Q", "K\n"]), r"player 0 has a hand called 'K\\n'; it must be text, not empty, that can be printed"),
        (cards(["Q", ""]), "player 0 has a hand called ''"),
        (own(MatrixDeal, EVEN, [[0, 0], [0, 0.5]]), ": an edge is 0.0, a float; use a Fraction"),
        (matrix(EVEN, [[0, 0], [0, square_root(2) / 2]]), ": an edge is .*, a Quadratic; use a Fraction"),
        (own(OneSided), "`mass` is 1/3 for player 0 and 0 for player 1; both must be equal"),
        (own(EdgeOfOne), "`edge` is 1/3 for player 0 and 1/3 for player 1; one must be minus"),
        (own(OtherFloats, EVEN, [[0, 0], [0, 0]]), "in `floats`; both must be the same to 1e-12"),
        (own(OtherShowdown), "`compare` is 1, but `edge` divided by `mass` is -1"),
        (DensityDeal([(Piecewise.constant(2), Piecewise.constant(1))]), "hands have the total probability 2, not 1"),
        (
            DensityDeal(
                [(Piecewise.steps([(0, Fraction(1, 100), -1), (Fraction(1, 100), 1, Fraction(101, 99))]),) * 2]
            ),
            r"hand '\[0, 1/100\]' of player 0 has the probability -1/100; it must be at least 0",
        ),
        ("cards", "must be a FiniteDeal or a DensityDeal, not 'cards'"),
    ],
)
def test_a_distribution_is_refused(deal, message):
    if message is None:
        check_distribution(deal)
        return
    with pytest.raises(ValueError, match=message):
        check_distribution(deal)


def test_information_sets_have_names_of_their_own():
    """A hand called "Q go" at the first node would be the hand "Q" at the node "go"."""
    tree = BettingTree(decision(0, go=decision(0, a=WIN, b=LOSE), stay=WIN))
    spec = replace(BLUEPRINTS["one_card_poker"], samples=[], printed=[], parameters={}, symbols={}, aliases={})
    with pytest.raises(ValueError, match="hands '.*' and '.*' share an information set's name, 'Q go'; rename one"):
        check_blueprint(replace(spec, build=lambda: (tree, cards(["Q", "Q go"]))))


@pytest.mark.parametrize(
    "deal",
    [
        distinct_cards(2),
        distinct_cards(300),
        distinct_cards(10_000),
        distribution("power:3:2"),
        distribution("normal:1/2"),
        distribution("atoms:1/4"),
        fgm(1),
        uniform(),
    ],
    ids=lambda deal: f"{type(deal).__name__}-{deal.size(0)}",
)
def test_a_right_distribution_passes(deal):
    check_distribution(deal)
    if not deal.is_finite:
        check_distribution(deal.cells([Fraction(k, CELLS + FEWEST) for k in range(CELLS + FEWEST + 1)]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: distinct_cards(-1), "the deck's number of cards -1 must be a whole number from 2"),
        (lambda: distinct_cards(1), "the deck's number of cards 1 must be"),
        (lambda: cards(["Q"]), r"labels=\['Q'\]: a deck must have at least 2 cards"),
        (lambda: showdown(1, flip=2), "flip=2 must be between 0 and 1"),
        (lambda: showdown(1, flip=NAN), "showdown: flip=nan must be an exact number"),
        (lambda: facing_a_bet(1, 1, []), r"bets=\[\] must hold at least one bet"),
        (lambda: independent({"x": (1, NAN)}, {"z": (1, 0)}), "independent: first=.* must be a mapping from text to"),
        (
            lambda: independent({"x": (1, 0)}, {"z": (NAN, 0)}),
            "the probability of player 1's hand 'z'=nan is not a finite number",
        ),
        (
            lambda: independent({"x": (-1, 0), "y": (2, 1)}, {}),
            "the probability of player 0's hand 'x'=-1 must be between",
        ),
        (lambda: atoms(2), "high=2 must be between 0 and 1"),
        (lambda: fgm(-2), "theta=-2 must be between -1 and 1"),
        (lambda: normal(Fraction(1)), "rho=1 must be between -1 and 1, ends excluded"),
        (lambda: powers(0, 1), "the distribution's power 0 must be a whole number from 1"),
        (
            lambda: RankedDeal((["a", "b"], ["c"]), [(np.array([HALF, HALF]), np.array([1]))], ranks=([2, 1], [0])),
            "the ranks of player 0's hands must ascend",
        ),
    ],
)
def test_what_can_never_be_right_is_not_made(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_printed_strategies_and_samples_are_checked():
    """The message names the game with the parameters at which it is wrong."""
    kuhn = BLUEPRINTS["one_card_poker"]
    (printed, *_) = kuhn.printed
    wrong = replace(printed, plan=lambda symbols, tree: {}, where=(), refuses=lambda parameters: None)
    with pytest.raises(ValueError, match=r"one_card_poker\(.*\): the profile of one_card_poker gives no probabilities"):
        check_blueprint(replace(kuhn, printed=[wrong]))
    with pytest.raises(ValueError, match=r"cannot be made with the sample \{'cards': 1\}: cards=1 must be"):
        check_blueprint(replace(kuhn, samples=[{"cards": 1}]))
    with pytest.raises(ValueError, match=r"the symbol B: nan must be a finite number"):
        check_blueprint(replace(kuhn, symbols={**kuhn.symbols, "B": NAN}))
