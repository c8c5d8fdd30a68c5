"""The price of exploiting: the most a player can earn against a known opponent while risking at most so much against anybody.

A strategy has two numbers: what it guarantees, and what it earns against the known opponent. The strategies that cannot have more of one
number without less of the other lie on a concave curve of straight pieces. The strategy that maximises (1 - p) times the guarantee
plus p times the earnings is a restricted Nash response (Johanson, Zinkevich and Bowling 2007): an optimal strategy of the game in which the
opponent must play the known strategy with probability p. So the curve is found by solving such games, in fractions: between two known
points, p is the one for which both points are equally good; either nothing is better, and the piece is straight, or a new point is found.

Each piece is certified by the opponent's strategy in that game: no strategy of the player has a larger sum against this strategy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from relance.model.arguments import Seat, checked
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TreeNode, TreeProfile, as_tree
from relance.model.numbers import Number, fraction
from relance.registration.efg_file import write_efg
from relance.solvers.exact_simplex import ONE, ZERO
from relance.solvers.lp import solve_exactly
from relance.solvers.tree_program import check_exact, profile_of_realization_weights
from relance.solvers.tree_values import as_tree_profile, evaluate, realization_weights, response


class FrontierPoint(NamedTuple):
    """A strategy that cannot earn more without risking more.

    Attributes:
        risk: the equilibrium value less what the strategy guarantees, in chips.
        earned: the chips that the strategy earns against the known opponent.
        profile: the strategy in the player's seat, and the known strategy in the opponent's.
    """

    risk: Fraction
    earned: Fraction
    profile: TreeProfile


class FrontierPiece(NamedTuple):
    """The proof that no strategy lies above the straight piece between two neighbouring points of a `Frontier`.

    Attributes:
        p: the weight of the earnings against the known opponent; 1 - p is the weight of the guarantee.
        at_most: for every strategy of the player, (1 - p) times its guarantee plus p times its earnings is at most this.
        against: if the opponent plays this with probability 1 - p, else the known strategy, no strategy earns more than `at_most`.
    """

    p: Fraction
    at_most: Fraction
    against: TreeProfile

    @property
    def slope(self) -> Fraction:
        """The additional chips earned for each additional chip risked, along this piece."""
        return (1 - self.p) / self.p


@dataclass(frozen=True, eq=False)
class Frontier:
    """The most that `player` can earn against `opponent`, as a function of the risk (value less guarantee); concave, piecewise linear.

    Attributes:
        tree: the game.
        player: the player who exploits.
        opponent: a profile with the known strategy.
        value: the equilibrium value of the game to `player`.
        holds: a profile in which the opponent's strategy leaves `player` no more than the value.
        points: where the pieces meet, by growing risk; the first risks nothing, and the last is a best response.
        pieces: one between each two neighbouring points.
    """

    tree: GameTree
    player: int
    opponent: TreeProfile
    value: Fraction
    holds: TreeProfile
    points: Sequence[FrontierPoint]
    pieces: Sequence[FrontierPiece]

    def most(self, risk: Number) -> Fraction:
        """Return the most chips that can be earned against the known opponent while risking at most `risk` chips."""
        left, right, share = self._between(fraction(risk, "risk"))
        return (1 - share) * left.earned + share * right.earned

    def strategy(self, risk: Number) -> TreeProfile:
        """Return a profile in which `player` earns the most against the known strategy while guaranteeing the game's value less `risk`.

        The opponent's part is the known strategy. The player's part mixes, by realization weights, the strategies of the two `points`
        between which this risk lies.
        """
        left, right, share = self._between(fraction(risk, "risk"))
        plans = [realization_weights(self.tree, point.profile, self.player) for point in (left, right)]
        mine = [
            (1 - share) * Fraction(a) / plans[0].unit + share * Fraction(b) / plans[1].unit
            for a, b in zip(plans[0].at.flat, plans[1].at.flat, strict=True)
        ]
        other = [ONE] * self.tree.num_sequences[1 - self.player]  # not used
        both = (mine, other) if self.player == 0 else (other, mine)
        return self.opponent.with_player(self.player, profile_of_realization_weights(self.tree, both))

    def _between(self, risk: Fraction) -> tuple[FrontierPoint, FrontierPoint, Fraction]:
        """The points on both sides of a risk, and the share of the second."""
        if risk < 0:
            raise ValueError(f"risk={risk} must be at least 0")
        for left, right in zip(self.points, self.points[1:], strict=False):
            if risk <= right.risk:
                return left, right, (risk - left.risk) / (right.risk - left.risk)
        return self.points[-1], self.points[-1], ZERO

    def certificate(self) -> dict[str, Any]:
        """Return the curve and its proofs as plain data, which `tools/check_game_trees.py` independently re-verifies; numbers are texts."""
        return {
            "game": write_efg(self.tree),
            "player": self.player,
            "opponent": _part(self.opponent, 1 - self.player),
            "value": str(self.value),
            "holds": _part(self.holds, 1 - self.player),
            "points": [
                {"risk": str(point.risk), "earned": str(point.earned), "strategy": _part(point.profile, self.player)}
                for point in self.points
            ],
            "pieces": [
                {"p": str(piece.p), "at_most": str(piece.at_most), "against": _part(piece.against, 1 - self.player)}
                for piece in self.pieces
            ],
        }


def _part(profile: TreeProfile, player: int) -> dict[str, dict[str, str]]:
    texts = profile.texts()
    return {s.name: texts[s.name] for s in profile.tree.infosets_of(player)}


def _mixed_game(tree: GameTree, player: int, opponent: TreeProfile, p: Fraction) -> GameTree:
    """The game in which the opponent of `player` must play as known with probability p; its histories are those of `tree`."""
    other = 1 - player
    known = realization_weights(tree, opponent, other)
    terminals: dict[tuple[int, ...], tuple[Fraction, ...]] = {}

    def add(key: tuple[int, ...], factor: Fraction, pays: tuple[Fraction, ...]) -> None:
        before = terminals.get(key, (ZERO, ZERO))
        terminals[key] = (before[0] + factor * pays[0], before[1] + factor * pays[1])

    for key, pays in tree.terminals.items():
        if p < 1:
            add(key, 1 - p, pays)
        if weight := p * Fraction(known.at[key[other], 0]) / known.unit:
            add((key[0], 0) if player == 0 else (0, key[1]), weight, pays)
    return tree.with_terminals(terminals)


@checked
def restricted_nash_response(game: object, player: Seat, opponent: Any, p: Number) -> TreeProfile:
    """Return an equilibrium of the game in which the opponent of `player` must play as known with probability p, and is free otherwise.

    Args:
        game: a game tree of two players and zero sum, or what `relance.game_tree` takes.
        player: 0 or 1, the player who responds.
        opponent: a profile with the known strategy.
        p: from 0, which gives an equilibrium of the game, to 1, which gives a best response.

    Returns:
        A profile: the player's strategy, and the opponent's strategy when free.

    Raises:
        ValueError: the game is not of two players and zero sum, or too large for an exact solution, or p is not from 0 to 1.
    """
    tree, share = as_tree(game), fraction(p, "p")
    if not 0 <= share <= 1:
        raise ValueError(f"p={p} must be between 0 and 1")
    check_exact(tree)
    mixed = _mixed_game(tree, player, as_tree_profile(tree, opponent), share)
    return TreeProfile(tree, solve_exactly(mixed).at, f"a restricted Nash response, p={share}")


@checked
def frontier(game: object, player: Seat, opponent: Any) -> Frontier:
    """Return the most that a player can earn against a known opponent, exactly, as a function of the risk.

    The risk is how many chips less than the value of the game a strategy guarantees against others.

    Examples:
        >>> curve = relance.equilibria.frontier("kuhn", player=0, opponent="uniform")
        >>> print(curve.value, curve.most(0), curve.most(1))
        -1/18 1/6 1/2

    Args:
        game: a game tree of two players and zero sum, or what `relance.game_tree` takes.
        player: 0 or 1, the player who exploits.
        opponent: a profile with the known strategy; for a game of Relance also the name of an opponent, such as "perturbed(0.1)".

    Raises:
        ValueError: the game is not of two players and zero sum, or is too large for an exact solution.
    """
    tree = as_tree(game)
    check_exact(tree)
    known = as_tree_profile(tree, opponent)

    def at(p: Fraction) -> tuple[FrontierPoint, TreeProfile]:
        found = restricted_nash_response(tree, player, known, p)
        return _point(tree, player, known, found, value), found

    value = ZERO
    start, free = at(ZERO)
    value = -start.risk
    first, last = _point(tree, player, known, free, value), at(ONE)[0]
    points, pieces = [first], list[FrontierPiece]()
    waiting = [last]
    while waiting:
        left, right = points[-1], waiting[-1]
        if right.risk == left.risk or right.earned == left.earned:  # one of them has more of both
            best = max(left, right, key=lambda point: (point.earned, -point.risk))
            points[-1] = best
            waiting.pop()
            continue
        p = (right.risk - left.risk) / (right.risk - left.risk + right.earned - left.earned)
        new, against = at(p)
        if _sum(p, value, new) == _sum(p, value, left):
            pieces.append(FrontierPiece(p, _sum(p, value, left), against))
            points.append(waiting.pop())
        else:
            waiting.append(new)
    return _joined(Frontier(tree, player, known, value, free, points, pieces))


def _point(tree: GameTree, player: int, known: TreeProfile, found: TreeProfile, value: Fraction) -> FrontierPoint:
    """Return what the player's part of a profile risks, and earns against the known opponent."""
    assert tree.utility_sum is not None
    played = known.with_player(player, found)
    guaranteed = tree.utility_sum - response(tree, played, 1 - player).value
    return FrontierPoint(value - guaranteed, evaluate(tree, played).values[player], played)


def _sum(p: Fraction, value: Fraction, point: FrontierPoint) -> Fraction:
    return (1 - p) * (value - point.risk) + p * point.earned


def _joined(found: Frontier) -> Frontier:
    """The curve without points inside a straight piece."""
    points, pieces = [found.points[0]], list[FrontierPiece]()
    for point, piece in zip(found.points[1:], found.pieces, strict=True):
        if pieces and pieces[-1].p == piece.p:
            points[-1] = point
        else:
            points.append(point)
            pieces.append(piece)
    return Frontier(found.tree, found.player, found.opponent, found.value, found.holds, tuple(points), tuple(pieces))


@checked
def lock_nodes(game: object, table: Any) -> GameTree:
    """Return the game in which chance plays at the information sets of a table, with the table's probabilities: node locking.

    Examples:
        >>> locked = relance.equilibria.lock_nodes("kuhn_poker", {"0b": {"Pass": "1/2", "Bet": "1/2"}})
        >>> print(relance.value(locked, "solved"))
        1/18

    Args:
        game: a game tree, or what `relance.game_tree` takes.
        table: {information set: {action: probability}} for the information sets to lock; or a profile, which locks all.

    Raises:
        ValueError: an information set or action is unknown, or numbers are no probabilities with sum 1.
    """
    tree = as_tree(game)
    distributions = tree.profile(table, partial=True) if isinstance(table, Mapping) else as_tree_profile(tree, table)

    def visit(node: TreeNode) -> TreeNode:
        match node:
            case DecisionNode():
                name = tree.name_of(node.player, node.information_set)
                below = {action: visit(child) for action, child in node.actions.items()}
                if name in distributions:
                    return ChanceNode({action: (distributions[name][action], child) for action, child in below.items()})
                return DecisionNode(node.player, node.information_set, below)
            case ChanceNode():
                return ChanceNode({name: (p, visit(child)) for name, (p, child) in node.outcomes.items()})
        return node

    title = f"{tree} with {len(distributions)} information sets locked"
    return GameTree(visit(tree.root), title, max_histories=tree.num_histories)
