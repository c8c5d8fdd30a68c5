"""Events between decisions and contests of any kind, against sums over all deals and events that share no code with the package."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from random_games import Random, random_game, random_profile, signal

import relance
from relance.model.game_check import check_distribution, check_tree
from relance.model.matrix_deal import MatrixDeal
from relance.model.sequences import sides
from relance.model.tree import BettingTree, Decision, Leaf, Node, Reveal, decision, reveal, showdown
from relance.solvers.cfr_solver import Solver
from relance.solvers.exact import best_response, nash_conv, value
from relance.solvers.lp import solve_lp

F = Fraction
SEEDS = range(6)


def earned(case: Random, profile, player: int, best: bool) -> Fraction:
    """What a player earns, by a sum over all pairs of hands and all events; with a best response, or as the profile plays."""
    plan, sign = profile.plan(), 1 - 2 * player

    def visit(node, name: str, events: tuple, weights: dict, hand: int) -> Fraction:
        """`weights`: for each pair with the player's hand, the probability that all others lead here."""
        below = lambda step: f"{name}-{step}" if name else step  # noqa: E731
        if isinstance(node, Leaf):
            edge = {pair: case.edges[events, node.contest if node.stake else "", pair] for pair in weights}
            return sum((w * sign * (node.constant + node.stake * edge[pair]) for pair, w in weights.items()), F(0))
        if isinstance(node, Reveal):
            return sum(
                visit(
                    child, below(e), (*events, e), {p: w * case.chance[events, p][e] for p, w in weights.items()}, hand
                )
                for e, child in zip(node.events, node.children, strict=True)
            )
        rows = plan[name]
        if node.player != player:
            return sum(
                visit(child, below(a), events, {p: w * rows[a][p[1 - player]] for p, w in weights.items()}, hand)
                for a, child in zip(node.actions, node.children, strict=True)
            )
        chips = [
            visit(child, below(a), events, weights, hand) for a, child in zip(node.actions, node.children, strict=True)
        ]
        if best:
            return max(chips)
        return sum(rows[a][hand] * c for a, c in zip(node.actions, chips, strict=True))

    hands = {pair[player] for pair in case.pairs}
    return sum(
        visit(case.game.tree.root, "", (), {p: w for p, w in case.pairs.items() if p[player] == hand}, hand)
        for hand in hands
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_value_and_best_responses_are_those_of_a_sum_over_all_deals_and_events(seed: int) -> None:
    case = random_game(seed)
    check_tree(case.game.tree)
    check_distribution(case.game.deal)
    profile = random_profile(case.game, seed)
    assert value(case.game, profile) == earned(case, profile, 0, best=False) == -earned(case, profile, 1, best=False)
    most = [earned(case, profile, player, best=True) for player in (0, 1)]
    assert [best_response(case.game, profile, player).value for player in (0, 1)] == most
    assert nash_conv(case.game, profile) == sum(most)
    floats = profile.as_float()
    assert float(nash_conv(case.game, floats)) == pytest.approx(float(sum(most)), abs=1e-12)
    assert float(value(case.game, floats)) == pytest.approx(float(value(case.game, profile)), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_and_cfr_find_an_equilibrium(seed: int) -> None:
    game = random_game(seed).game
    worth, profile = solve_lp(game)
    assert nash_conv(game, profile) == 0
    assert value(game, profile) == worth
    assert relance.exploitability(game, relance.solve(game, method="lp", tolerance=1e-9)) <= 1e-9
    solvers = [Solver(game, method="cfr+", backend=backend) for backend in ("numpy", "numba")]
    for solver in solvers:
        solver.run(1)
    for mine, theirs in zip(solvers[0].averages, solvers[1].averages, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)
    for solver in solvers:
        solver.run(299)
        assert solver.nash_conv() == pytest.approx(float(nash_conv(game, solver.average())), abs=1e-9)
        assert solver.nash_conv() < 0.05
        assert float(value(game, solver.average())) == pytest.approx(float(worth), abs=0.05)


HALF = F(1, 2)


def coin(up: Fraction, down: Fraction) -> MatrixDeal:
    """One hand each; "up" and "down" turn up with these probabilities."""

    def distribution(p: Fraction) -> MatrixDeal:
        return MatrixDeal((["a"], ["b"]), np.array([[p]], object), np.array([[F(0)]], object))

    return distribution(F(1)).with_events({"up": distribution(up), "down": distribution(down)})


TURN = BettingTree(decision(0, check=reveal(up=showdown(1), down=Leaf(1))))


@pytest.mark.parametrize(
    ("deal", "tree", "message"),
    [
        (
            coin(HALF, F(1, 3)),
            TURN,
            "node 'check': hands 'a' .* have the probability 1 in the deal, but 5/6 summed over the events",
        ),
        (coin(F(1), F(0)), TURN, "after down: this event has probability 0 with every pair of hands; leave it out"),
        (coin(F(3, 2), F(-1, 2)), TURN, "must be at least 0|has probability 0 with every"),
        (
            coin(HALF, HALF),
            BettingTree(decision(0, check=reveal(up=Leaf(0), dwn=Leaf(1)))),
            "no event 'dwn'; did you mean",
        ),
        (coin(HALF, HALF), BettingTree(decision(0, check=Leaf(0, 1, None, "low"))), "no showdown rule called 'low'"),
        (coin(HALF, HALF), BettingTree(decision(0, check=reveal(up=TURN.root, down=Leaf(1)))), "no event 'up'"),
    ],
)
def test_events_that_are_no_distribution_are_refused(deal: MatrixDeal, tree: BettingTree, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_distribution(deal, tree)


def test_distributions_of_other_hands_are_refused() -> None:
    other = MatrixDeal((["a", "c"], ["b"]), np.array([[HALF], [HALF]], object), np.zeros((2, 1), object))
    with pytest.raises(ValueError, match="events.'up'. must be a deal of the same hands"):
        coin(HALF, HALF).with_events({"up": other})
    with pytest.raises(ValueError, match="contests.'low'. must be a deal of the same hands"):
        coin(HALF, HALF).with_contests({"low": other})


@pytest.mark.parametrize("root", [Reveal(("up",), (Leaf(0),)), Decision(0, ("go",), (Reveal((), ()),))])
def test_trees_that_are_none_are_refused(root: Node) -> None:
    with pytest.raises(ValueError, match="whose root is a Decision|chance has no event"):
        check_tree(BettingTree(root))  # type: ignore[arg-type]


def test_hands_on_the_interval_may_have_events() -> None:
    """Player 0 always bets; player 1 calls with hands above 1/2 after "good", and with all after "bad"."""
    game = signal()
    check_distribution(game.deal, game.tree)
    profile = game.profile({"": {"bet": 1}, "bet-good": {"call": [(HALF, 1)]}, "bet-bad": {"call": 1}})
    # After "good": x dx (1/2 fold + 2 (P(y < x, y > 1/2) - P(y > x, y > 1/2))); after "bad": (1 - x) 2 (2x - 1).
    folds = F(1, 2) * F(1, 2)
    # For x < 1/2 all callers win: -2 * 1/2 x; above, 2 (2x - 3/2) x.
    called = -F(1, 8) + (F(4, 3) * (1 - F(1, 8)) - F(3, 2) * (1 - F(1, 4)))
    bad = 2 * (3 * F(1, 2) - 2 * F(1, 3) - 1)
    assert value(game, profile) == folds + called + bad
    grid = game.grid(6)
    distribution, base = grid.deal, signal().deal
    assert (sum(distribution.after(e).joint() for e in ("good", "bad")) == distribution.joint()).all()
    assert (
        distribution.after("good").total(distribution.after("good").prior(0))
        == base.after("good").total(base.after("good").prior(0))
        == HALF
    )
    cells = game.cells(profile)
    assert value(cells, cells.fit(profile)) == value(game, profile)
    worth, best = solve_lp(grid)
    assert nash_conv(grid, best) == 0
    assert relance.exploitability(grid, relance.solve(grid, method="dcfr+", tolerance=1e-4)) <= 1e-4
    assert relance.exploitability(grid, relance.solve(grid, method="lp", tolerance=1e-9)) <= 1e-9
    assert float(value(grid, best.as_float())) == pytest.approx(float(worth), abs=1e-12)


def test_a_deal_with_other_events_keeps_nothing_of_the_first():
    """What CFR writes out of a deal is of its own events."""
    tree = BettingTree(decision(0, check=reveal(up=Leaf(3), down=Leaf(-1)), bet=reveal(up=Leaf(-2), down=Leaf(2))))
    first = coin(HALF, HALF).floats
    chips = []
    for deal in (first, first.with_events(coin(F(1, 10), F(9, 10)).floats.events)):
        (form, _), values = sides(tree), np.zeros((3, 1))
        written = deal.written(form, 0)
        written.pay([np.ones((1, 1))], values)
        chips.append(values[1:, 0].tolist())
    assert chips[0] == pytest.approx([1.0, 0.0])
    assert chips[1] == pytest.approx([-0.6, 1.6])
