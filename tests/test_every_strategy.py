"""Each kind of strategy in each function that takes one, and random tables of floats as OpenSpiel scores them."""

import json

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel_policy

import relance
from relance import equilibria, solvers
from relance.play import opponent

FUNCTIONS = {
    "value": relance.value,
    "nash_conv": relance.nash_conv,
    "exploitability": relance.exploitability,
    "best_response": lambda game, given: relance.best_response(game, given, 0),
    "gains": solvers.gains,
    "score": relance.score,
    "prove": relance.prove,
    "grade_solution": equilibria.grade_solution,
    "information_sets": solvers.information_sets,
    "contains": lambda game, given: solvers.optimal_set(game, 0).contains(given),
    "nearest": lambda game, given: solvers.optimal_set(game, 1).nearest(given),
    "refinement": equilibria.refinement,
    "frontier": lambda game, given: equilibria.frontier(game, 0, given),
    "policy": relance.openspiel.policy,
    "from_policy": relance.from_policy,
}
OF_GAMES = {
    "match": lambda game, given: relance.match(game, given, "uniform", hands=2),
    "mistakes": solvers.mistakes,
    "opponent": lambda game, given: relance.score(game, opponent("perturbed", "1/10", given)),
}
"""A tree has no tables to sit at, and its mistakes are in its score."""


def even(observations, masks):
    return masks / masks.sum(1, keepdims=True)


def distributions(profile, number):
    return {name: {action: number(p) for action, p in distribution.items()} for name, distribution in profile.items()}


SOLVERS = []
"""Kept, as OpenSpiel's average policies in C++ read what their solvers hold, and crash without them."""


def learned(game):
    SOLVERS.append(pyspiel.CFRPlusSolver(game))
    SOLVERS[-1].evaluate_and_update_policy()
    return SOLVERS[-1].average_policy()


def ours(game):
    solver = solvers.Solver(game, "cfr+")
    solver.run(3)
    return solver


@pytest.fixture(scope="module")
def game():
    return relance.make("kuhn")


@pytest.fixture(scope="module")
def of_game(game, tmp_path_factory):
    profile, path = game.published(), tmp_path_factory.mktemp("file") / "kuhn.json"
    relance.envs.write_profile(game, profile, path)
    table = relance.game_tree(game).reader(relance.game_tree(game), profile)
    spiel = pyspiel.load_game("relance_one_card_poker(raises=0)")
    return {
        "profile": profile,
        "name": "published",
        "solved": "solved",
        "function": even,
        "exact table": table.texts(),
        "table of floats": distributions(table, float),
        "arrays": {
            name: np.array([*distribution.values()], np.float32)
            for name, distribution in distributions(table, float).items()
        },
        "Python policy": openspiel_policy.TabularPolicy(spiel),
        "C++ policy": learned(spiel),
        "policy of the .efg": learned(pyspiel.load_efg_game(relance.to_efg(game))),
        "file": str(path),
        "path": path,
        "pair": ("uniform", profile),
        "mixture": ["uniform", "published"],
        "solver": ours(game),
        "OpenSpiel's solver": SOLVERS[0],
    }


KINDS = ["profile", "name", "solved", "function", "exact table", "table of floats", "arrays", "Python policy"]
KINDS += ["C++ policy", "policy of the .efg", "file", "path", "pair", "mixture", "solver", "OpenSpiel's solver"]


@pytest.mark.parametrize("function", [*FUNCTIONS, *OF_GAMES])
def test_a_game_of_relance(function, game, of_game):
    use = (FUNCTIONS | OF_GAMES)[function]
    assert list(of_game) == KINDS
    for kind, given in of_game.items():
        assert use(game, given) is not None, kind
    for one, other in (("table of floats", "profile"), ("file", "exact table"), ("name", "profile")):
        assert relance.nash_conv(game, of_game[one]) == relance.nash_conv(game, of_game[other])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_tree_of_histories(function, tmp_path):
    tree = relance.game_tree("kuhn_poker")
    solved, spiel, path = relance.solve(tree), pyspiel.load_game("kuhn_poker"), tmp_path / "tree.json"
    path.write_text(json.dumps({"strategy": solved.texts()}))
    kinds = {
        "profile": solved,
        "uniform": "uniform",
        "solved": "solved",
        "table of floats": distributions(solved, float),
        "by numbers": {name: dict(enumerate(distribution.values())) for name, distribution in solved.items()},
        "arrays": {
            name: np.array([*distribution.values()]) for name, distribution in distributions(solved, float).items()
        },
        "Python policy": openspiel_policy.TabularPolicy(spiel),
        "C++ policy": learned(spiel),
        "file": str(path),
        "solver": ours(tree),
    }
    for kind, given in kinds.items():
        assert FUNCTIONS[function](tree, given) is not None, kind
    assert {relance.nash_conv(tree, kinds[kind]) for kind in ("by numbers", "arrays", "file", "solved")} == {0}


FOREIGN = ["kuhn_poker", "leduc_poker", "liars_dice(numdice=1,dice_sides=3)", "tiny_hanabi", "dark_hex(board_size=2)"]


@pytest.mark.parametrize("floats", [np.float64, np.float32])
@pytest.mark.parametrize("name", FOREIGN)
def test_softmax_tables_as_openspiel_scores_them(name, floats):
    """To 1e-12; where floats are coarse, on the table divided by its sums. `python tests/test_every_strategy.py` tries 400."""
    assert worst(name, floats, 2) < 1e-12


def worst(name, floats, tables):
    """The largest difference of NashConv over random softmax tables, all of which are read."""
    rng, spiel = np.random.default_rng(0), pyspiel.load_game(name)
    tree, known = relance.game_tree(spiel), openspiel_policy.TabularPolicy(spiel)
    found = 0.0
    for _ in range(tables):
        table, theirs = {}, {}
        for s in tree.infosets:
            odds = np.exp(rng.normal(size=len(s.actions)).astype(floats))
            distribution = (odds / odds.sum()).astype(floats)
            table[s.name] = dict(zip(s.actions, distribution, strict=True))
            key = s.name if s.name in known.state_lookup else s.name.partition(": ")[2]
            theirs[key] = [
                *zip(
                    tree.action_numbers[s.name],
                    (distribution.astype(float) / distribution.astype(float).sum()).tolist(),
                    strict=True,
                )
            ]
        found = max(
            found, abs(float(relance.nash_conv(tree, table)) - pyspiel.nash_conv(spiel, pyspiel.TabularPolicy(theirs)))
        )
    return found


if __name__ == "__main__":
    for _name in FOREIGN:
        print(_name, max(worst(_name, kind, 40) for kind in (np.float64, np.float32)))
