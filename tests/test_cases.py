"""Questions that users asked in public, put to Relance. The right answer of each is by hand, by OpenSpiel or by a program of its own here.

A docstring begins with the threads: GB is gambitproject/gambit, OS is google-deepmind/open_spiel, others are named in full. Games are
rebuilt from their descriptions. The cases that tests elsewhere hold are in `ELSEWHERE`.
"""

import pickle
import re
from fractions import Fraction as F
from pathlib import Path

import gymnasium
import numpy as np
import pyspiel
import pytest
from conftest import called
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from open_spiel.python.algorithms import cfr
from scipy.optimize import linprog

import relance
from relance import solvers
from relance.envs.catalogue import BLUEPRINTS
from relance.model import ChanceNode, DecisionNode, TerminalNode

ROOT = Path(__file__).parents[1]
ELSEWHERE = {
    "GB#225, #251, #252: matrices and .nfg files": "tests/registration/test_nfg_file.py::test_matching_pennies",
    "GB#63: agent QRE beside a branch of probability 0": "tests/equilibria/test_logit_equilibria.py"
    "::test_where_chance_never_leads_agents_play_as_the_magnet",
    "GB#917: what OpenSpiel exports is scored": "tests/registration/test_nfg_file.py::test_what_openspiel_rounds_is_read",
    "OS#1069, #994, #711: softmax floats in a table": "tests/test_every_strategy.py::test_softmax_tables_as_openspiel_scores_them",
    "OS#994: every kind of policy, on a tree": "tests/test_every_strategy.py::test_a_tree_of_histories",
    "OS#994: every kind of policy, on a game of Relance": "tests/test_every_strategy.py::test_a_game_of_relance",
    "OS#531: moves at once": "tests/registration/test_nfg_file.py::test_simultaneous_moves_are_taken_in_turn",
    "OS#533, #702: illegal actions raise": "tests/registration/test_openspiel.py::test_bad_actions_change_nothing",
    "OS#778, #88, #234, #1277: games and states are pickled": "tests/registration/test_openspiel.py"
    "::test_parameters_survive_every_way_of_copying",
    "TexasSolver#46: all-in as users spell it": "tests/envs/test_river.py::test_all_in_as_users_spell_it",
    "PettingZoo#1307: copies in mid-game": "tests/registration/test_pettingzoo.py::test_a_running_game_survives_pickling_and_copying",
    "PettingZoo#355, #1260: rewards at the end": "tests/registration/test_pettingzoo.py::test_play_is_the_game",
    "clubs_gym#5: the passive checker": "tests/registration/test_gymnasium.py::test_check_env",
    "Gymnasium#1103, envpool#194: autoreset": "tests/registration/test_vector.py::test_autoreset_has_gymnasiums_form",
}


@pytest.mark.parametrize("case", ELSEWHERE)
def test_what_is_tested_elsewhere_is_tested(case):
    path, name = ELSEWHERE[case].split("::")
    assert re.search(rf"^def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def value_by_pure_strategies(game):
    """Player 0's value: a linear program over all pure strategies, which OpenSpiel lists."""
    pays = np.array(pyspiel.extensive_to_matrix_game(game).row_utilities())
    rows, columns = pays.shape
    most = linprog(
        [-1] + [0] * rows,
        A_ub=np.c_[np.ones(columns), -pays.T],
        b_ub=np.zeros(columns),
        A_eq=[[0] + [1] * rows],
        b_eq=[1],
        bounds=[(None, None)] + [(0, None)] * rows,
    )
    return -most.fun


def solved(tree):
    """The value of a tree to player 0, as Relance solves it; nobody gains from the solution."""
    profile = relance.solve(tree)
    assert relance.nash_conv(tree, profile) == 0
    return relance.value(tree, profile)


def test_chance_with_a_branch_of_probability_0():
    """GB#134: Gambit's linear program gave no equilibrium where chance moves in mid-game. The terminal node of its file is ours."""

    def turn(card, called_down, shown, scare, gives_up):
        river = {"call": TerminalNode(called_down), "fold": TerminalNode((2, -1))}
        bets = DecisionNode(0, f"{card}, river", {"bet": DecisionNode(1, "river", river), "check": TerminalNode(shown)})
        cards = {"blank": ("1/2", bets), "scare": ("1/2", TerminalNode(scare)), "boat": (0, TerminalNode((1, 0)))}
        bet = DecisionNode(1, "turn", {"call": ChanceNode(cards), "fold": TerminalNode((1, 0))})
        return DecisionNode(0, card, {"bet": bet, "check": TerminalNode(gives_up)})

    flush = turn("flush", (5, -4), (2, -1), ("1/2", "1/2"), ("3/4", "1/4"))
    air = turn("air", (-4, 5), (-1, 2), (-1, 2), (0, 1))
    tree = relance.game_tree(ChanceNode({"flush": ("1/100", flush), "air": ("99/100", air)}))
    right = value_by_pure_strategies(pyspiel.load_efg_game(relance.to_efg(tree)))
    assert right == pytest.approx(0.015, abs=1e-12)
    assert solved(tree) == F(3, 200)


def test_a_simple_poker_with_a_second_stage():
    """GB#210: do two methods that disagree both tell the truth? No: there is one equilibrium.

    By hand: all raise and meet. A bluff b after a losing draw makes a call, worth (3 b - 3)/(1 + b), as good as a fold, worth -2: b = 1/5.
    A call c makes a bluff, worth 2 (1 - c) - 3 c, as good as giving up, worth -2: c = 4/5. A winning draw earns 2.8, a losing one -2.
    """

    def second(card, draw):
        wins = (card == "red") == (draw == 1)
        met = DecisionNode(1, f"bet after {draw}", {"call": TerminalNode(3 if wins else -3), "fold": TerminalNode(2)})
        return DecisionNode(0, f"{card}, {draw}", {"bet": met, "give up": TerminalNode(-2)})

    def first(card):
        draws = ChanceNode({f"draw {draw}": ("1/2", second(card, draw)) for draw in (1, 2)})
        raised = DecisionNode(1, "raised", {"meet": draws, "pass": TerminalNode(1)})
        return DecisionNode(0, card, {"raise": raised, "fold": TerminalNode(-1)})

    tree = relance.game_tree(ChanceNode({card: ("1/2", first(card)) for card in ("red", "black")}))
    right = value_by_pure_strategies(pyspiel.load_efg_game(relance.to_efg(tree)))
    assert right == pytest.approx(0.4, abs=1e-12)
    assert solved(tree) == F(2, 5)
    assert [solvers.optimal_set(tree, player).unique for player in (0, 1)] == [True, True]
    profile = relance.solve(tree)
    assert profile["red, 2"]["bet"] == profile["black, 1"]["bet"] == F(1, 5)
    assert profile["bet after 1"]["call"] == profile["bet after 2"]["call"] == F(4, 5)


PENNIES = """EFG 2 R "pennies" { "Alice" "Bob" }
p "" 1 1 "" { "H" "T" } 0
p "" 2 1 "" { "h" "t" } OUTCOME
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
p "" 2 1 "" { "h" "t" } 0
t "" 3 "" { -1, 1 }
t "" 4 "" { 1, -1 }
"""


@pytest.mark.parametrize(
    ("outcome", "value"), [("0", F(0)), ('5 "" { 0, 0 }', F(0)), ('5 "" { -1/2, 1/2 }', F(-1, 4))], ids=str
)
def test_an_outcome_at_a_node_that_is_no_terminal(outcome, value):
    """GB#654: an outcome of 0 there changes nothing. With a tax of 1/2 on heads the matrix is (1/2, -3/2; -1, 1): by hand worth -1/4."""
    tree = relance.game_tree(PENNIES.replace("OUTCOME", outcome))
    profile = relance.solve(tree)
    assert (relance.value(tree, profile), relance.nash_conv(tree, profile)) == (value, 0)
    assert profile["player 0: (set 1)"] == {"H": F(1, 2), "T": F(1, 2)}


POKER = """EFG 2 R "red and black" { "Fred" "Alice" }
c "" 1 "" { "red" 1/2 "black" 1/2 } 0
p "" 1 1 "" { "raise" "fold" } 0
p "" 2 1 "" { "meet" "pass" } 0
t "" 1 "" { 2, -2 }
t "" 2 "" { 1, -1 }
t "" 3 "" { -1, 1 }
p "" 1 2 "" { "raise" "fold" } 0
p "" 2 1 "" { "meet" "pass" } 0
t "" 4 "" { -2, 2 }
t "" 2 "" { 1, -1 }
t "" 3 "" { -1, 1 }
"""


def test_a_profile_that_is_no_equilibrium():
    """GB#406, on stripped-down poker: what a solver returns is scored, here uniform play.

    By hand: Fred gains (5/4 + 1/4)/2 by raising always; Alice 1/4 by meeting, which costs nothing on average where passing costs 1.
    """
    right = openspiel_of_uniform(pyspiel.load_efg_game(POKER))
    assert relance.score(relance.game_tree(POKER), "uniform").nash_conv == 1 == pytest.approx(right)


def openspiel_of_uniform(game):
    """NashConv of uniform play, by OpenSpiel in C++."""
    return pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))


DRIVER = """EFG 2 R "absent-minded driver" { "driver" }
p "" 1 1 "crossing" { "exit" "go on" } 0
t "" 1 "" { 0 }
p "" 1 1 "crossing" { "exit" "go on" } 0
t "" 2 "" { 4 }
t "" 3 "" { 1 }
"""


def test_a_player_who_forgets_is_refused():
    """GB#826, #547, #578, gte#4: said at once with the history, the information set and the player; a page says what to do."""
    for use in (relance.game_tree, lambda text: relance.value(text, "uniform")):
        with pytest.raises(
            ValueError, match="after go on: information set 'crossing' of player 0 breaks perfect recall"
        ) as refused:
            use(DRIVER)
        assert "\n" not in str(refused.value)
    remembers = DRIVER.replace(
        '1 1 "crossing" { "exit" "go on" } 0\nt "" 2', '1 2 "second" { "exit" "go on" } 0\nt "" 2'
    )
    assert relance.best_response(relance.game_tree(remembers), "uniform", 0).value == 4
    assert "absent-minded driver" in (ROOT / "docs/pitfalls.md").read_text(encoding="utf-8")


BAGWELL = """EFG 2 R "commitment, seen through noise" { "leader", "follower" } "after Bagwell (1995)"
p "" 1 1 "" { "S" "C" } 0
c "" 1 "" { "s" 99/100 "c" 1/100 } 0
p "S" 2 1 "saw s" { "S" "C" } 0
t "" 1 "same" { 5, 2 }
t "" 2 "same" { 3, 1 }
p "S" 2 2 "saw c" { "S" "C" } 0
t "" 1
t "" 2
c "" 2 "" { "s" 1/100 "c" 99/100 } 0
p "S" 2 1 0
t "" 3 "same" { 6, 3 }
t "" 4 "same" { 4, 4 }
p "S" 2 2 0
t "" 3
t "" 4
"""


def test_labels_of_a_file_need_not_be_unique():
    """OS#952, #955: commas, equal names of outcomes, labels used again, actions given once; in general sum.

    By hand: the leader gets 4 with S and 5 with C, so gains 1/2. The follower, who answers s by S and c by C, gets (99 * 2 + 1 * 3)/100 or
    (1 * 1 + 99 * 4)/100, each half of the time, 2.99 in all, and 2.5 by uniform play.
    """
    tree = relance.game_tree(BAGWELL)
    assert relance.nash_conv(tree, "uniform") == F(1, 2) + F(299, 100) - F(5, 2)
    with pytest.raises(ValueError, match="is not a game of zero sum") as refused:
        relance.solve(tree)
    assert "\n" not in str(refused.value)


def test_leduc_as_a_file():
    """OS#197: the file is the same game. The value is Southey's and others' (2005), the NashConv is in OpenSpiel's own tests."""
    text = relance.to_efg(relance.game_tree("leduc_poker"))
    assert openspiel_of_uniform(pyspiel.load_efg_game(text)) == pytest.approx(4.747222, abs=1e-6)
    tree = relance.game_tree(text)
    assert float(relance.nash_conv(tree, "uniform")) == pytest.approx(4.747222, abs=1e-6)
    assert float(solved(tree)) == pytest.approx(-0.0856064, abs=1e-7)


def openspiel_of(game, table):
    """NashConv of a table {information set: (probability of passing, of betting)} of Kuhn's game, by OpenSpiel in C++."""
    return pyspiel.nash_conv(
        game, pyspiel.TabularPolicy({name: [*enumerate(distribution)] for name, distribution in table.items()})
    )


def test_a_printed_policy_of_deep_cfr():
    """OS#1287: NashConv 0.83 as the thread says, on the three digits that it prints."""
    bets = {"0": 517, "0pb": 521, "1": 530, "1pb": 537, "2": 522, "2pb": 561}
    bets |= {"1p": 512, "1b": 520, "2p": 537, "2b": 556, "0p": 526, "0b": 532}
    table = {name: (1 - bet / 1000, bet / 1000) for name, bet in bets.items()}
    right = openspiel_of(pyspiel.load_game("kuhn_poker"), table)
    assert right == pytest.approx(0.828593, abs=1e-12)
    assert relance.nash_conv(relance.game_tree("kuhn_poker"), table) == F(828593, 10**6)


@pytest.mark.parametrize("alpha", [0, 1 / 3])
def test_a_textbook_profile_that_folds_every_queen(alpha):
    """CoursIA#13492: no equilibrium, for player 1 never calls with a queen.

    By hand: player 0 gains 1/2 by each bluff with the jack that is left out, and 1/6 by each king that checks instead of betting.
    """
    bets = {"0": alpha, "1": 0, "2": 3 * alpha, "0pb": 0, "1pb": alpha + 1 / 3, "2pb": 1}
    bets |= {"0p": 1 / 3, "1p": 0, "2p": 1, "0b": 0, "1b": 0, "2b": 1}
    table = {name: (1 - bet, bet) for name, bet in bets.items()}
    right = openspiel_of(pyspiel.load_game("kuhn_poker"), table)
    found = relance.score(relance.game_tree("kuhn_poker"), table)
    assert found.nash_conv == F(1, 6) == pytest.approx(right)
    assert {mistake.information_set for mistake in found.mistakes} == ({"0", "2"} if alpha else {"0"})


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "liars_dice(numdice=1,dice_sides=3)", "relance_ponssard", "relance_endgame_draw"]
)
def test_no_player_gains_less_than_nothing(name):
    """OS#486: by random policies, half of them with zeros."""
    game, rng = pyspiel.load_game(name), np.random.default_rng(0)
    tree = relance.game_tree(game)
    for zeros in [False, True] * 4:
        table = {}
        for s in tree.infosets:
            weights = rng.integers(0 if zeros else 1, 4, len(s.actions))
            weights[rng.integers(len(weights))] += 1
            table[s.name] = {a: F(int(w), int(weights.sum())) for a, w in zip(s.actions, weights, strict=True)}
        assert min(solvers.gains(tree, table)) >= 0
        theirs = pyspiel.nash_conv(game, relance.openspiel.policy(tree, table))
        assert float(relance.nash_conv(tree, table)) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.slow
def test_tic_tac_toe():
    """OS#464, #565: NashConv of uniform play in a game of perfect information, 549,946 histories."""
    right = openspiel_of_uniform(pyspiel.load_game("tic_tac_toe"))
    assert float(relance.score(relance.game_tree("tic_tac_toe"), "uniform").nash_conv) == pytest.approx(
        right, abs=1e-12
    )


@pytest.mark.parametrize("solver", [pyspiel.CFRSolver, cfr.CFRSolver, cfr.CFRPlusSolver], ids=["C++", "Python", "CFR+"])
def test_solvers_are_pickled(solver):
    """OS#88, #234: on a game of Relance, a copy goes on as the solver does."""
    game = pyspiel.load_game("relance_one_card_poker(raises=0)")
    one = solver(game)
    one.evaluate_and_update_policy()
    twin = pickle.loads(pickle.dumps(one))
    for each in (one, twin):
        each.evaluate_and_update_policy()
    first, second = (relance.nash_conv(relance.game_tree(game), each) for each in (one, twin))
    assert first == second < openspiel_of_uniform(game)


def test_search_bots_of_openspiel():
    """OpenSpiel's bots in C++, which crash on games in Python: the way that docs/pitfalls.md shows."""
    game = pyspiel.load_efg_game(relance.to_efg(relance.make("one_card_poker", raises=0)))
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    rolls = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(game, rolls, 2.0, 10, 1, False, 0, False)
    assert bot.step(state) in state.legal_actions()


RIVER = {"pot": 100, "stack": 100, "bets": 1, "raises": 0}


@pytest.mark.parametrize(("board", "ranges"), [("Ts3h2h5c9s", "AA;QQ vs KK"), ("Ts,3h,2h,5c,9s", "AA,QQ vs KK")])
def test_aces_and_queens_against_kings(board, ranges):
    """TexasSolver#46, by hand: player 0 bets the pot with the aces and with half of the queens, which makes calls and folds of kings alike.
    So these 3/4 of the hands win the pot of 100 and the others nothing: 75, which is 25 over half of the pot."""
    game = relance.make("river", board=board, ranges=ranges, **RIVER)
    assert solved(game) == 25


def test_how_often_kings_may_shove():
    """desktop-postflop#27, by hand: aces that bet win 100 more where kings call, half of the time; aces that check, where kings shove. So
    kings may shove up to half of the time; at more, checking aces pays."""
    game = relance.make("river", board="2c2d2h3s3h", ranges="AA,QQ vs KK", **RIVER)
    assert solved(game) == 25
    kings = game.deal.labels[1]
    (bet,) = [action for action in game.tree.decisions["check"].actions if action != "check"]
    shove = {(f"{hand} check", bet): F(1, len(kings)) for hand in kings}
    assert solvers.optimal_set(game, 1).range_of_sum(shove) == (0, F(1, 2))


def test_split_pots():
    """cplusplus-cfr-poker-solver#4: with a royal flush on the board all hands tie, whatever is bet."""
    game = relance.make("river", board="AsKsQsJsTs", ranges="99,76s vs AhAd,32o", bets="1/2,1", raises=2, stack=10)
    assert solved(game) == 0


@pytest.mark.parametrize("raises", [0, 1])
def test_what_an_ace_is_worth(raises):
    """DeepStack-Leduc#9: three cards, 100 chips each in the pot, bets of the pot.

    By hand: who checks, and calls with the ace alone, loses nothing: a bluff of the lowest card wins 200 from the middle one as often as it
    loses 200 to the ace. So the game is worth 0; and an ace that never folds wins at least 100.
    """
    game = relance.make("one_card_poker", ante=100, bet=200, raises=raises)
    assert solved(game) == 0
    assert solvers.information_sets(game, "solved")["A"].value >= 100


def test_statistics_of_episodes():
    """cleanrl#499: Gymnasium's RecordEpisodeStatistics and DictInfoToList around many tables tell what each hand earned."""
    envs = RecordEpisodeStatistics(gymnasium.make_vec("relance/Leduc-v0", num_envs=4, opponent="uniform"))
    envs = DictInfoToList(envs)
    rng, earned, hands = np.random.default_rng(0), np.zeros(4), 0
    _, infos = envs.reset(seed=0)
    for _ in range(60):
        legal = [np.flatnonzero(info["action_mask"]) for info in infos]
        _, rewards, over, _, infos = envs.step(np.array([rng.choice(actions) for actions in legal]))
        earned += rewards
        for i in np.flatnonzero(over):
            assert infos[i]["episode"]["r"] == pytest.approx(earned[i])
            earned[i], hands = 0, hands + 1
    assert hands > 20


READ_BACK = [name for name in BLUEPRINTS if name != "five_card"]


@pytest.mark.parametrize("name", READ_BACK)
def test_our_games_of_openspiel_are_read_back(name):
    """With their defaults: the same NashConv of uniform play as the game itself has."""
    game = pyspiel.load_game(f"relance_{name}")
    ours = relance.openspiel.relance_game(game)
    assert relance.nash_conv(relance.game_tree(game), "uniform") == relance.nash_conv(ours, ours.uniform())


def test_a_game_that_is_too_large_is_refused_with_its_size():
    with pytest.raises(ValueError, match="relance_five_card.* has far more than 5,000,000 histories"):
        relance.game_tree(pyspiel.load_game("relance_five_card"))


def test_a_matrix_in_a_file_on_the_command_line(here):
    """GB#225, #251, #252: six strategies each. The third row and the third column meet in a saddle point of 0, by hand."""
    rows = [[abs(j - 2) if i == 2 else -abs(i - 2) if j == 2 else i * j % 7 - 3 for j in range(6)] for i in range(6)]
    cells = " ".join(f"{row[j]} {-row[j]}" for j in range(6) for row in rows)
    (here / "6x6.nfg").write_text('NFG 1 R "six by six" { "row" "column" } { 6 6 }\n' + cells)
    assert "value 0 to player 0, NashConv 0" in called("solve", "6x6.nfg").stdout
