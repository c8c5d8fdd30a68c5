"""Game trees of one's own: what is read, and what is refused with its place."""

import re
from collections.abc import Mapping
from fractions import Fraction
from types import FunctionType

import pytest
from kuhn_tree import THIRD, equilibrium, kuhn

from relance import equilibria
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode
from relance.solvers.tree_values import evaluate, response, tree_mistakes

F = Fraction


def test_kuhns_poker_in_ten_lines():
    tree = GameTree(kuhn(), "mine")
    assert (tree.num_players, tree.num_histories, len(tree.infosets), tree.num_sequences, tree.utility_sum) == (
        2,
        55,
        12,
        (13, 13),
        0,
    )
    found = evaluate(tree, equilibrium())
    assert found.values == (F(-1, 18), F(1, 18))
    assert found.nash_conv == 0
    assert not tree_mistakes(tree, equilibrium())


@pytest.mark.parametrize("name", equilibrium())
def test_each_number_of_the_equilibrium_matters(name):
    """Moved a little where the player is not indifferent in the family, it is no equilibrium any more; the mistakes add up to the gain."""
    tree, table = GameTree(kuhn()), equilibrium()
    bet = table[name]["b"]
    table[name] = {
        "b": bet + (F(1, 100) if bet < 1 else -F(1, 100)),
        "p": 1 - bet - (F(1, 100) if bet < 1 else -F(1, 100)),
    }
    found = evaluate(tree, table)
    assert found.nash_conv > 0
    lost = tree_mistakes(tree, table)
    for player in (0, 1):
        assert sum(m.loss for m in lost if m.player == player) == found.gains[player]


def test_a_best_response_earns_what_it_says():
    tree = GameTree(kuhn())
    uniform = tree.uniform()
    for player in (0, 1):
        found = response(tree, uniform, player)
        pure = {name: {a: F(a == action) for a in "pb"} for name, action in found.actions.items()}
        assert evaluate(tree, uniform.with_player(player, pure)).values[player] == found.value
        assert evaluate(tree, uniform).best[player] == found.value
    with pytest.raises(ValueError, match="player=2 must be one of 0 to 1"):
        response(tree, uniform, 2)


def test_three_players_and_general_sums():
    """Each of three players picks a side unseen; who is alone wins 2 from nobody."""

    def pick(sides):
        if len(sides) == 3:
            return TerminalNode([2 * (sides.count(side) == 1) for side in sides])
        return DecisionNode(len(sides), "pick", {side: pick(sides + side) for side in "lr"})

    tree = GameTree(pick(""))
    assert tree.utility_sum is None
    assert tree.num_players == 3
    assert [s.name for s in tree.infosets] == ["player 0: pick", "player 1: pick", "player 2: pick"]
    assert evaluate(tree, "uniform").values == (F(1, 2),) * 3
    assert evaluate(tree, "uniform").nash_conv == 0
    table = {f"player {p}: pick": {"lr"[p > 0]: 1} for p in range(3)}
    assert evaluate(tree, table) == ((2, 0, 0), (2, 2, 2)) or evaluate(tree, table).values == (2, 0, 0)
    assert evaluate(tree, table).gains == (0, 0, 0)
    table["player 2: pick"] = {"l": F(1, 2), "r": F(1, 2)}
    assert evaluate(tree, table).values == (1, 1, 0)


def test_a_coin_after_the_last_move():
    """The terminal nodes after the same actions of all three players are added: each earns the mean over the coin."""
    coin = ChanceNode({"heads": (F(1, 2), TerminalNode((1, 0, 3))), "tails": (F(1, 2), TerminalNode((3, 2, 1)))})
    last = DecisionNode(2, "c", {"l": coin, "r": TerminalNode((0, 0, 0))})
    second = DecisionNode(1, "b", {"l": last, "r": TerminalNode((0, 0, 0))})
    tree = GameTree(DecisionNode(0, "a", {"l": second, "r": TerminalNode((0, 0, 0))}))
    always = {"a": {"l": 1}, "b": {"l": 1}, "c": {"l": 1}}
    assert evaluate(tree, always) == ((2, 1, 2), (2, 1, 2))
    assert evaluate(tree, {**always, "b": {"l": F(1, 3), "r": F(2, 3)}}).values == (F(2, 3), F(1, 3), F(2, 3))


@pytest.mark.parametrize(("second", "total"), [((2, -2, 5), 5), ((1, -1, 4), None), ((3, -2, 4), 5)])
def test_the_sum_is_that_of_all_players(second, total):
    tree = GameTree(DecisionNode(0, "s", {"l": TerminalNode((1, -1, 5)), "r": TerminalNode(second)}))
    assert tree.utility_sum == total


class Made(Mapping):
    """Two actions whose terminal nodes are made when they are asked for; they pay player 0 `tens` chips and one more for the second."""

    def __init__(self, tens):
        self.tens = tens

    def __getitem__(self, action):
        amount = self.tens + (action == "r")
        return TerminalNode([amount, -amount])

    def __iter__(self):
        return iter("lr")

    def __len__(self):
        return 2


def test_nodes_may_be_made_while_they_are_read():
    """Nothing keeps the terminal nodes, so the next ones stand where these stood in memory."""
    tree = GameTree(DecisionNode(0, "s", {str(i): DecisionNode(1, "t", Made(10 * i)) for i in range(9)}))
    assert {key: pays[0] for key, pays in tree.terminals.items()} == {
        (i + 1, j): 10 * i + j - 1 for i in range(9) for j in (1, 2)
    }


def test_the_same_tree_with_other_terminals():
    """What was computed for the terminal nodes before is not used again."""
    tree = GameTree(kuhn())
    before = evaluate(tree, "uniform"), tree.payoffs, tree.max_chips, tree.identity
    other = tree.with_terminals({key: (3 * a, 3 * b) for key, (a, b) in tree.terminals.items()})
    assert evaluate(other, "uniform").values == tuple(3 * value for value in before[0].values)
    assert other.max_chips == 3 * before[2]
    assert other.identity != before[3]
    assert evaluate(tree, "uniform") == before[0]


def test_payoffs_of_1500_bits_in_floats():
    long = F(2**1500 + 1, 2**1500 - 1)
    tree = GameTree(DecisionNode(0, "s", {"l": TerminalNode(long), "r": TerminalNode(-3 * long)}))
    assert tree.payoffs.floats.pays.tolist() == [[1, -1], [-3, 3]]


def two(first, second):
    """A move of chance that player 0 may see or not, and two decisions."""
    return ChanceNode({"a": (F(1, 2), first), "b": (F(1, 2), second)})


def choose(player, name, x=0, y=1, actions="lr"):
    return DecisionNode(player, name, {actions[0]: TerminalNode(x), actions[1]: TerminalNode(y)})


WRONG = {
    "after a: probabilities must be at least 0 and sum to 1; they are x 1/3, y 1/3": two(
        ChanceNode({"x": (THIRD, TerminalNode(0)), "y": (THIRD, TerminalNode(1))}), TerminalNode(0)
    ),
    "at the start: probabilities must be at least 0": ChanceNode(
        {"x": (2, TerminalNode(0)), "y": (-1, TerminalNode(0))}
    ),
    "at the start: the probability of x='one' is not a number": ChanceNode({"x": ("one", TerminalNode(0))}),
    "after b: payoff=nan is not a finite number": two(TerminalNode(0), TerminalNode(float("nan"))),
    "after b: there are 3 payoffs, but 2 players": two(TerminalNode(0), TerminalNode((1, 2, 3))),
    "after b: player 2 acts; players are 0 to 1": two(TerminalNode(0), choose(2, "s")),
    "after b, l: there are 2 payoffs, but 3 players": two(choose(0, "s"), choose(1, "t")).__class__(
        {"a": (1, TerminalNode((1, 1, 1))), "b": (0, choose(0, "s"))}
    ),
    "after b: information set 's' of player 0 has the actions x, y here, and l, r elsewhere": two(
        choose(0, "s"), choose(0, "s", actions="xy")
    ),
    "after b: player 0 has an action that is not text, (1,)": two(
        TerminalNode(0), DecisionNode(0, "s", {1: TerminalNode(0)})
    ),
    "after a: there are no payoffs": two(TerminalNode(()), TerminalNode(())),
    "after b: player 0 has no action": two(TerminalNode(0), DecisionNode(0, "s", {})),
    "after l: information set 's' of player 0 breaks perfect recall: here the player has played l at 's', elsewhere nothing": DecisionNode(
        0, "s", {"l": choose(0, "s"), "r": TerminalNode(0)}
    ),
    "after b, r: information set 't' of player 0 breaks perfect recall: here the player has played r at 's', elsewhere l at 's'": two(
        DecisionNode(0, "s", {"l": choose(0, "t"), "r": TerminalNode(0)}),
        DecisionNode(0, "s", {"l": TerminalNode(0), "r": choose(0, "t")}),
    ),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_refused_names_its_place(message):
    with pytest.raises(ValueError, match=re.escape(message)):
        GameTree(WRONG[message])


def test_the_size_is_checked_while_reading():
    with pytest.raises(
        ValueError, match="mine has more than 54 histories; take a smaller game, or allow more by max_histories="
    ):
        GameTree(kuhn(), "mine", max_histories=54)
    assert GameTree(kuhn(), max_histories=55).num_histories == 55


@pytest.mark.parametrize(
    "wrong", [3, DecisionNode(0, "s", 5), DecisionNode(0, 5, {}), DecisionNode(0, ["s"], {})], ids=str
)
def test_what_is_no_node_is_named(wrong):
    with pytest.raises(TypeError, match=f"after x: this {type(wrong).__name__} is no valid node"):
        GameTree(ChanceNode({"x": (1, wrong)}))


def test_a_profile_is_checked():
    tree = GameTree(kuhn(), "mine")
    for name, distribution, message in (
        ("J ", {"p": F(1, 2)}, "'J ': probabilities must be at least 0 and sum to 1; they are p 1/2, b 0"),
        ("J ", {"p": 2, "b": -1}, "they are p 2, b -1"),
        ("J ", {"check": 1}, "'J ' has no action 'check'"),
        ("A ", {"p": 1}, "mine has no information set 'A '"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            tree.profile({**equilibrium(), name: distribution})
    table = equilibrium()
    del table["K b"]
    with pytest.raises(ValueError, match="the profile says nothing of information set 'K b' of player 1"):
        evaluate(tree, table)
    with pytest.raises(TypeError, match="must be {information set: {action: probability}}"):
        evaluate(tree, 3)
    for table in (5, [1], {"J ": 5}):
        with pytest.raises(
            TypeError,
            match="must be a mapping from text to anything|needs {action: probability}, or probabilities in action order, not 5",
        ):
            tree.profile(table)


def test_public_functions_check_their_arguments():
    functions = [f for name in equilibria.__all__ if isinstance(f := getattr(equilibria, name), FunctionType)]
    assert len(functions) > 10
    assert [f.__name__ for f in functions if not hasattr(f, "__wrapped__")] == []
