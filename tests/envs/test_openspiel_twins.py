"""Leduc hold'em, limit poker and liar's dice are, state by state, games of OpenSpiel, which are written in C++."""

from collections import defaultdict

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability

import relance

SAME = {"check": "Call", "call": "Call", "bet": "Raise", "raise": "Raise", "fold": "Fold", "liar": "Liar"}


def spoken(action):
    """The name of an action or a bid in OpenSpiel."""
    return SAME.get(action, action.replace("x", "-"))


def limit(bets, raises, ranks, suits):
    """`universal_poker` with one card each, and one more before each round but the first."""
    rounds = len(bets.split())
    rules = {"betting": "limit", "numPlayers": 2, "numRounds": rounds, "numRanks": ranks, "numSuits": suits}
    rules |= {"numHoleCards": 1, "numBoardCards": " ".join(["0", *["1"] * (rounds - 1)]), "raiseSize": bets}
    rules |= {"maxRaises": " ".join([str(raises)] * rounds), "firstPlayer": " ".join(["1"] * rounds)}
    rules |= {"blind": "1 1", "stack": "1000 1000", "bettingAbstraction": "fcpa"}
    return f"universal_poker({','.join(f'{key}={value}' for key, value in rules.items())})"


def outcomes(state):
    """Chance at a state: {outcome: probability}."""
    return {outcome: p for outcome, p in state.chance_outcomes() if p}


class Twins:
    """Walks two games side by side; `sets` maps the information sets of one to those of the other."""

    def __init__(self, game, twin):
        self.there = defaultdict(set), defaultdict(set)
        self.states = 0
        self.walk(relance.openspiel.load(game).new_initial_state(), pyspiel.load_game(twin).new_initial_state())

    def walk(self, mine, theirs):
        self.states += 1
        assert mine.is_terminal() == theirs.is_terminal()
        if mine.is_terminal():
            assert mine.returns() == theirs.returns()
            return
        assert mine.current_player() == theirs.current_player()
        if mine.is_chance_node():
            assert outcomes(mine) == pytest.approx(outcomes(theirs))
            for outcome in outcomes(mine):
                self.walk(mine.child(outcome), theirs.child(outcome))
            return
        player = mine.current_player()
        seen, also = (player, mine.information_state_string()), (player, theirs.information_state_string())
        self.there[0][seen].add(also)
        self.there[1][also].add(seen)
        known = {
            theirs.action_to_string(player, action).split("move=")[-1].replace("Bet", "Raise"): action
            for action in theirs.legal_actions()
        }
        names = [mine.action_to_string(player, action) for action in mine.legal_actions()]
        assert [spoken(name) for name in names] == list(known)
        for name, action in zip(names, mine.legal_actions(), strict=True):
            self.walk(mine.child(action), theirs.child(known[spoken(name)]))

    def are_one_to_one(self):
        return all(len(others) == 1 for side in self.there for others in side.values())


@pytest.mark.parametrize(
    ("game", "twin", "states", "sets"),
    [
        ("leduc", "leduc_poker(suit_isomorphism=True)", 1_939, 288),
        ("leduc(merge_suits=false)", "leduc_poker", 9_457, 936),
        ("limit_poker(ranks=3,suits=2,bets=2;4,raises=2,merge_suits=false)", limit("2 4", 2, 3, 2), 9_457, 936),
        ("liars_dice(sides=3)", "liars_dice(dice_sides=3)", 1_147, 192),
        ("liars_dice(sides=4)", "liars_dice(dice_sides=4)", 8_181, 1_024),
    ],
)
def test_the_games_are_equal_state_by_state(game, twin, states, sets):
    walked = Twins(relance.make(game), twin)
    assert walked.are_one_to_one()
    assert len(walked.there[0]) == sets
    assert walked.states == states


def transferred(game, twin, seed):
    """A random profile of a game of Relance, and the same as a policy on its twin."""
    rng, rows = np.random.default_rng(seed), {}
    for name, node in game.tree.decisions.items():
        table = rng.dirichlet(np.ones(len(node.actions)) / 2, size=game.deal.size(node.player))
        rows[name] = dict(zip(node.actions, table.T, strict=True))
    profile, native = game.profile(rows), pyspiel.load_game(twin)
    table = spiel_policy.TabularPolicy(native)
    policy = relance.openspiel.policy(game, profile)

    def visit(mine, theirs):
        if mine.is_terminal():
            return
        if not mine.is_chance_node():
            row = table.action_probability_array[table.state_index(theirs)]
            row[:] = 0
            for (_, p), action in zip(policy.action_probabilities(mine).items(), theirs.legal_actions(), strict=True):
                row[action] = p
        for a, b in zip(mine.legal_actions(), theirs.legal_actions(), strict=True):
            visit(mine.child(a), theirs.child(b))

    visit(relance.openspiel.load(game).new_initial_state(), native.new_initial_state())
    return profile, native, table


@pytest.mark.parametrize(
    ("game", "twin"),
    [
        ("leduc", "leduc_poker(suit_isomorphism=True)"),
        ("limit_poker(ranks=3,suits=2,bets=2;3,raises=2,merge_suits=false)", limit("2 3", 2, 3, 2)),
        ("liars_dice(sides=3)", "liars_dice(dice_sides=3)"),
    ],
)
def test_nash_conv_of_random_profiles_is_openspiels(game, twin):
    game = relance.make(game)
    for seed in range(2):
        profile, native, table = transferred(game, twin, seed)
        assert float(relance.nash_conv(game, profile)) == pytest.approx(
            exploitability.nash_conv(native, table), abs=1e-12
        )


@pytest.mark.parametrize(
    ("game", "twin"),
    [
        ("limit_poker(ranks=2,suits=2,merge_suits=false)", limit("2 4 4", 1, 2, 2)),
        ("limit_poker(bets=1;3;2,suits=1,ranks=4)", limit("1 3 2", 1, 4, 1)),
    ],
)
def test_three_rounds_are_openspiels(game, twin):
    """OpenSpiel forgets in which order public cards came, so some of our information sets are one of its. Uniform play knows no order.

    Each round has four decisions, and three ways to the next; there are four cards, two of them in the players' hands.
    """
    game = relance.make(game)
    walked = Twins(game, twin)
    assert len(walked.there[0]) == 4 * 4 + 4 * 3 * 4 * 3 + 4 * 9 * 4 * 3 * 2
    assert all(len(others) == 1 for others in walked.there[0].values())
    uniform = spiel_policy.UniformRandomPolicy(pyspiel.load_game(twin))
    assert float(relance.nash_conv(game, game.uniform())) == pytest.approx(
        exploitability.nash_conv(pyspiel.load_game(twin), uniform), abs=1e-12
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("leduc(bets=1)", "bets has 1 numbers; it must have 2"),
        ("leduc(ranks=2,suits=1)", "make 2 cards; at least 3"),
        ("leduc(ranks=14)", "ranks=14 must be a whole number from 2 to 13"),
        ("leduc(suits=5)", "suits=5 must be a whole number from 1 to 4"),
        ("leduc(raises=11)", "raises=11 must be a whole number from 1 to 10"),
        ("limit_poker(ranks=2,suits=1)", "make 2 cards; at least 4"),
        (
            "limit_poker(ranks=13,suits=4,bets=1;1;1;1;1,merge_suits=false)",
            "up to 4 public cards needs .* GiB of memory",
        ),
    ],
)
def test_bad_parameters_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        relance.make(text)
