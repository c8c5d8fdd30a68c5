"""The price of exploiting: against single linear programs, against an independent script that finds planted errors, and by its ends."""

import copy
import json
from fractions import Fraction as F

import pytest

import relance
from relance.equilibria import frontier, lock_nodes, restricted_nash_response
from relance.equilibria.restricted_responses import Frontier, FrontierPiece, FrontierPoint, _joined
from relance.model.numbers import fraction
from relance.solvers import optimal_set
from relance.solvers.exact_lp import Program
from relance.solvers.tree_values import evaluate, realization_weights
from tools.check_game_trees import Wrong, check_frontier

CASES = [
    ("kuhn_poker", "uniform", 0),
    ("kuhn_poker", "uniform", 1),
    ("one_card_poker(cards=4)", "perturbed(0.1)", 0),
    ("one_card_poker(cards=4)", "perturbed(0.1)", 1),
    ("von_neumann(hands=9)", "perturbed(0.1)", 1),
    ("endgame", "uniform", 1),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]} {case[2]}")
def found(request):
    name, opponent, player = request.param
    return frontier(name, player, opponent)


def by_one_program(found, risk):
    """The most that can be earned with this risk, as one exact program: weights, and the chips to which the opponent can hold them."""
    tree, player, other = found.tree, found.player, 1 - found.player
    program = Program()
    own = program.variables(tree.num_sequences[player], nonnegative=True)
    program.equal.append(({own[0]: F(1)}, F(1)))
    for s in tree.infosets_of(player):
        program.equal.append(({**{own[j]: F(1) for j in s.after}, own[s.before]: F(-1)}, F(0)))
    rows = [{} for _ in range(tree.num_sequences[other])]
    (held,) = program.variables(1)
    rows[0][held] = F(1)
    for s in tree.infosets_of(other):
        (chips,) = program.variables(1)
        for j in s.after:
            rows[j][chips] = F(1)
        rows[s.before][chips] = rows[s.before].get(chips, F(0)) - F(1)
    known, earned = realization_weights(tree, found.opponent, other), {}
    for key, pays in tree.terminals.items():
        j, k = own[key[player]], key[other]
        rows[k][j] = rows[k].get(j, 0) - pays[player]
        earned[j] = earned.get(j, 0) + pays[player] * F(known.at[k, 0]) / known.unit
    rows = [{j: c for j, c in row.items() if c} for row in rows]
    program.at_most = [(row, F(0)) for row in rows] + [({held: F(-1)}, risk - found.value)]
    program.objective = {j: c for j, c in earned.items() if c}
    return program.solve()[0]


def test_the_curve_by_single_programs(found):
    last = found.points[-1].risk
    between = [(a.risk + b.risk) / 2 for a, b in zip(found.points, found.points[1:], strict=False)]
    for risk in [F(0), last / 7, last / 3, *between, last, last + 1]:
        assert found.most(risk) == by_one_program(found, risk)
        profile = found.strategy(risk)
        assert evaluate(found.tree, profile).values[found.player] == found.most(risk)
        guaranteed = -evaluate(found.tree, profile).best[1 - found.player]
        assert found.value - guaranteed <= risk


def test_its_ends_and_its_points(found):
    first, last = found.points[0], found.points[-1]
    assert first.risk == 0
    assert optimal_set(found.tree, found.player).contains(first.profile)
    assert last.earned == relance.best_response(found.tree, found.opponent, found.player).value
    slopes = [piece.slope for piece in found.pieces]
    assert slopes == sorted(slopes, reverse=True)
    assert len(set(slopes)) == len(slopes)
    with pytest.raises(ValueError, match="risk=-1 must be at least 0"):
        found.most(-1)


def test_restricted_nash_responses_are_points_of_the_curve(found):
    for p in (F(1, 5), F(1, 2), F(9, 10)):
        response = restricted_nash_response(found.tree, found.player, found.opponent, p)
        played = found.opponent.with_player(found.player, response)
        scored = evaluate(found.tree, played)
        risk = found.value + scored.best[1 - found.player]
        assert scored.values[found.player] == found.most(risk)


def uniform(part):
    """Uniform play in place of a part of a profile."""
    return {name: dict.fromkeys(distribution, str(F(1, len(distribution)))) for name, distribution in part.items()}


def faults(certificate):
    """Every number of a frontier's certificate moved, every strategy replaced, and points and pieces left out."""
    for key in ("value",):
        yield key, certificate | {key: str(F(certificate[key]) + F(1, 1000))}
    for i in range(len(certificate["points"])):
        for key in ("risk", "earned"):
            bad = copy.deepcopy(certificate)
            bad["points"][i][key] = str(F(bad["points"][i][key]) + F(1, 1000))
            yield f"{key} {i}", bad
        bad = copy.deepcopy(certificate)
        del bad["points"][i]
        yield f"no point {i}", bad
    for i in range(len(certificate["pieces"])):
        for key, change in (("p", F(1, 1000)), ("at_most", F(1, 1000)), ("at_most", F(-1, 1000))):
            bad = copy.deepcopy(certificate)
            bad["pieces"][i][key] = str(F(bad["pieces"][i][key]) + change)
            yield f"{key} {i}", bad
        bad = copy.deepcopy(certificate)
        del bad["pieces"][i], bad["points"][i + 1]
        yield f"no piece {i}", bad
    for i, piece in enumerate(certificate["pieces"]):
        bad = copy.deepcopy(certificate)
        bad["pieces"][i]["against"] = uniform(piece["against"])
        yield f"against {i}", bad
    for i, point in enumerate(certificate["points"]):
        bad = copy.deepcopy(certificate)
        bad["points"][i]["strategy"] = uniform(point["strategy"])
        if bad != certificate:  # in the endgame player 1 folds half of the time
            yield f"strategy {i}", bad
    yield "holds", certificate | {"holds": uniform(certificate["holds"])}
    yield "opponent", certificate | {"opponent": certificate["holds"]}
    bad = copy.deepcopy(certificate)
    del bad["points"][-1], bad["pieces"][-1]
    yield "no end", bad
    bad = copy.deepcopy(certificate)
    del bad["points"][0], bad["pieces"][0]
    yield "no start", bad


def test_an_independent_script_agrees_and_finds_planted_errors(found):
    certificate = json.loads(json.dumps(found.certificate()))
    assert check_frontier(certificate) == len(found.pieces)
    unnoticed = []
    for what, bad in faults(certificate):
        try:
            check_frontier(bad)
        except (Wrong, IndexError, ValueError):
            continue
        unnoticed.append(what)
    assert unnoticed == []


def test_an_equilibrium_cannot_be_exploited():
    tree = relance.game_tree("kuhn_poker")
    found = frontier(tree, 0, relance.solve(tree))
    assert [(point.risk, point.earned) for point in found.points] == [(0, F(-1, 18))]
    assert found.strategy(0)
    assert check_frontier(found.certificate()) == 0


def test_points_inside_a_straight_piece_are_left_out():
    profile = relance.game_tree("kuhn_poker").uniform()
    points = [FrontierPoint(F(k), F(2 * k), profile) for k in range(3)]
    pieces = [FrontierPiece(F(1, 3), F(0), profile)] * 2
    found = _joined(Frontier(profile.tree, 0, profile, F(0), profile, points, pieces))
    assert [point.risk for point in found.points] == [0, 2]
    assert len(found.pieces) == 1
    assert found.most(1) == 2


def test_locked_nodes():
    """All of player 1 locked is a best response; nothing locked is the game."""
    tree = relance.game_tree("kuhn_poker")
    uniform = tree.uniform()
    ours = {s.name: uniform[s.name] for s in tree.infosets_of(1)}
    game = lock_nodes(tree, ours)
    assert relance.value(game, relance.solve(game)) == relance.best_response(tree, uniform, 0).value
    assert relance.value(lock_nodes(tree, {}), relance.solve(lock_nodes(tree, {}))) == F(-1, 18)
    some = lock_nodes(tree, {"0b": {"Pass": fraction("1/2"), "Bet": fraction("1/2")}})
    assert len(some.infosets) == 11
    assert relance.value(some, relance.solve(some)) > F(-1, 18)
    with pytest.raises(ValueError, match="has no information set '9b'"):
        lock_nodes(tree, {"9b": {"Pass": 1}})


def test_arguments():
    with pytest.raises(ValueError, match="p=2 must be between 0 and 1"):
        restricted_nash_response("kuhn_poker", 0, "uniform", 2)
    with pytest.raises(ValueError, match="is not a game of zero sum"):
        frontier("tiny_hanabi", 0, "uniform")
