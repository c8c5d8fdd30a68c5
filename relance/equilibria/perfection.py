"""Quasi-perfect equilibria: strategies that also play well where mistakes have happened, found and decided exactly.

In a quasi-perfect equilibrium (van Damme 1984) each player does best at each of their information sets against opponents who make every
mistake with a small probability, while the player makes none from there on.

Deciding. Against one opponent the chips at an information set are linear in the opponent's weights, so a strategy that is best against
slightly mistaken opponents is best against any mixture of one of them with the opponent's own strategy. So a profile of two players is
quasi-perfect if and only if each player does best at each of their information sets against the opponent's strategy, and also against
some opponent who plays everything: a linear program asks how often the least frequent sequence of such an opponent can be played.

Finding. If each sequence of n actions has to have at least the weight eps^n, solutions for small eps tend to quasi-perfect equilibria
(Miltersen and Sorensen 2010). The program is solved for all small eps at once, with numbers a + b eps + c eps^2 + ..., compared by the
first coefficients that differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from relance.model.arguments import Seat, checked
from relance.model.game_tree import GameTree, TreeProfile, as_tree
from relance.model.numbers import FieldElement
from relance.solvers.exact_lp import NotCertifiedError, Program
from relance.solvers.exact_simplex import CONSTANT, ONE, ZERO, Dictionary, LinearForm, sum_of_rows
from relance.solvers.tree_program import check_exact, flow_equations
from relance.solvers.tree_values import as_tree_profile, counterfactual, weights

MOST_PERTURBED = 200
"""The most information sets of a player in a game that is solved over numbers with eps; with 39 it takes 4 s."""


class Epsilon(FieldElement):
    """A number a + b eps + c eps^2 + ... for an eps above 0 and below each positive fraction: an ordered ring over the fractions."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[int, Fraction]) -> None:
        """Take the coefficients by power of eps."""
        self.terms = {power: c for power, c in terms.items() if c}

    @classmethod
    def power(cls, n: int) -> Epsilon:
        """eps^n."""
        return cls({n: ONE})

    def lift(self, other: object) -> Epsilon | None:
        """The other number as one of these; None if it is of another kind."""
        if isinstance(other, int | Fraction):
            return Epsilon({0: Fraction(other)})
        return other if isinstance(other, Epsilon) else None

    def plus(self, other: Epsilon) -> Epsilon:
        """The sum."""
        out = dict(self.terms)
        for power, c in other.terms.items():
            out[power] = out.get(power, ZERO) + c
        return Epsilon(out)

    def times(self, other: Epsilon) -> Epsilon:
        """The product."""
        out: dict[int, Fraction] = {}
        for power, c in other.terms.items():
            for mine, d in self.terms.items():
                out[mine + power] = out.get(mine + power, ZERO) + c * d
        return Epsilon(out)

    def inverse(self) -> Epsilon:
        """The inverse of c eps^n; no sum of several has one."""
        if len(self.terms) != 1:
            raise ZeroDivisionError(f"{self} has no inverse")
        ((power, c),) = self.terms.items()
        return Epsilon({-power: 1 / c})

    def is_positive(self, or_zero: bool) -> bool:
        """True if the coefficient of the least power is above 0; `or_zero` if there is none."""
        return self.terms[min(self.terms)] > 0 if self.terms else or_zero

    def __neg__(self) -> Epsilon:
        return Epsilon({power: -c for power, c in self.terms.items()})

    def __eq__(self, other: object) -> bool:
        number = self.lift(other)
        return NotImplemented if number is None else self.terms == number.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __repr__(self) -> str:
        return " + ".join(f"{c} eps^{power}" for power, c in sorted(self.terms.items())) or "0"


class RefinementFault(NamedTuple):
    """Where a player does not do best.

    Attributes:
        player: who.
        information_set: where.
        text: against whom.
    """

    player: int
    information_set: str
    text: str


@dataclass(frozen=True)
class Refinement:
    """Whether a profile is quasi-perfect.

    Attributes:
        tree: the game.
        profile: how both players play it.
        faults: where a player does not do best; none if and only if the profile is quasi-perfect.
        witnesses: for each player for whom there is one, weights of an opponent who plays every sequence, against whom they do best too.
    """

    tree: GameTree
    profile: TreeProfile
    faults: tuple[RefinementFault, ...]
    witnesses: Mapping[int, tuple[Fraction, ...]]

    @property
    def quasi_perfect(self) -> bool:
        """True if no player has a fault."""
        return not self.faults

    def __str__(self) -> str:
        head = f"{self.tree}: {'quasi-perfect' if self.quasi_perfect else 'not quasi-perfect'}"
        return "\n".join(
            [head, *(f"  player {f.player} at {' '.join(f.information_set.split())!r}: {f.text}" for f in self.faults)]
        )


@checked
def refinement(game: object, profile: Any) -> Refinement:
    """Decide whether a profile of a game of two players is a quasi-perfect equilibrium, exactly; payoffs may be any.

    Args:
        game: a game tree, or what `relance.game_tree` takes.
        profile: of both players.

    Raises:
        ValueError: the game has more players, or the profile does not fit.
    """
    tree = as_tree(game)
    if tree.players != 2:
        raise ValueError(f"{tree} has {tree.players} players; refinements are decided for two")
    played, faults, witnesses = (
        as_tree_profile(tree, profile),
        list[RefinementFault](),
        dict[int, tuple[Fraction, ...]](),
    )
    for player in (0, 1):
        wrong = _not_best(tree, player, played)
        faults += wrong
        if wrong:
            continue
        sets = [s.name for s in tree.sets_of(player)]
        least, opponent = _witness(tree, player, played, sets)
        if least > 0:
            witnesses[player] = opponent
            continue
        group = [*sets]
        for name in sets:  # what is left cannot be spared: without any one of them there is an opponent
            rest = [other for other in group if other != name]
            if _witness(tree, player, played, rest)[0] <= 0:
                group = rest
        text = "no opponent who plays everything makes this best" + " at all of these together" * (len(group) > 1)
        faults += [RefinementFault(player, name, text) for name in group]
    return Refinement(tree, played, tuple(faults), witnesses)


def _not_best(tree: GameTree, player: int, played: TreeProfile) -> list[RefinementFault]:
    """Where the player's strategy is not best against the opponent's, also where the player's own actions never lead."""
    chips = counterfactual(tree, player, [weights(tree, played, seat) for seat in (0, 1)]).at[:, 0].tolist()
    out = []
    for s in reversed([*tree.sets_of(player)]):
        here = [chips[j] for j in s.after]
        mean = sum((p * c for p, c in zip(played[s.name].values(), here, strict=True)), ZERO)
        if mean < max(here):
            out.append(
                RefinementFault(player, s.name, f"{s.actions[here.index(max(here))]} is better against the profile")
            )
        chips[s.before] += mean
    return out[::-1]


def _witness(
    tree: GameTree, player: int, played: TreeProfile, names: list[str]
) -> tuple[Fraction, tuple[Fraction, ...]]:
    """The largest weight that the least played sequence of an opponent can have, if the player does best at these sets against them."""
    other, program = 1 - player, Program()
    theirs = program.variables(tree.sizes[other], nonnegative=True)
    (least,) = program.variables(1)
    program.equal += flow_equations(tree, other)
    program.at_most += [({least: ONE, j: -ONE}, ZERO) for j in theirs]
    chips: list[LinearForm] = [{} for _ in range(tree.sizes[player])]
    for key, pays in tree.endings.items():
        if pays[player]:
            chips[key[player]][key[other]] = pays[player]
    for s in reversed([*tree.sets_of(player)]):
        (value,) = program.variables(1)
        shares = zip(played[s.name].values(), (chips[j] for j in s.after), strict=True)
        program.equal.append((sum_of_rows([(ONE, {value: -ONE}), *shares]), ZERO))
        if s.name in names:
            program.at_most += [({**chips[j], value: -ONE}, ZERO) for j in s.after]
        chips[s.before][value] = ONE
    program.objective = {least: ONE}
    best, point = program.solve()
    return best, tuple(point[: tree.sizes[other]])


@checked
def quasi_perfect(game: object, one_sided: Seat | None = None) -> TreeProfile:
    """Return a quasi-perfect equilibrium of a game of two players and zero sum, exact.

    Args:
        game: a game tree, or what `relance.game_tree` takes.
        one_sided: only the opponent of this player makes mistakes. The player's strategy is then best where the opponent has made some;
            where they have made one themselves, it may be anything.

    Raises:
        ValueError: the game has more players or another sum, or more than `MOST_PERTURBED` information sets of a player.
        NotCertifiedError: what is found is not quasi-perfect, which is a bug in the solver.
    """
    tree = as_tree(game)
    check_exact(tree, MOST_PERTURBED, "take a smaller game; `refinement` decides profiles of larger ones")
    table: dict[str, Mapping[str, Fraction]] = {}
    for player in (0, 1):
        table |= _limit(tree, player, _perturbed(tree, player, one_sided))
    found = TreeProfile(
        tree, {s.name: table[s.name] for s in tree.sets}, "a linear program over numbers a + b eps + ..."
    )
    if one_sided is None and not refinement(tree, found).quasi_perfect:
        raise NotCertifiedError(
            f"the equilibrium found of {tree} is not quasi-perfect, which is a fault of Relance; please report it"
        )
    return found


def _least(tree: GameTree, player: int, one_sided: int | None) -> list[Epsilon | Fraction]:
    """The least weight of each sequence of a player: eps^n for n actions, or 0."""
    count = [0] * tree.sizes[player]
    for s in tree.sets_of(player):
        for j in s.after:
            count[j] = count[s.before] + 1
    return [Epsilon.power(n) if n and one_sided != player else ZERO for n in count]


def _perturbed(tree: GameTree, player: int, one_sided: int | None) -> list[Any]:
    """Optimal weights of a player, as numbers with eps, if all sequences have a least weight."""
    other = 1 - player
    low, theirs = _least(tree, player, one_sided), _least(tree, other, one_sided)
    size = tree.sizes[player]
    equations: list[LinearForm] = []
    objective: dict[int, Any] = {}
    free = set[int]()

    def flow(row: LinearForm, minimum: list[Any]) -> Any:
        return sum((c * minimum[j] for j, c in row.items()), ZERO)

    root: LinearForm = {0: ONE, CONSTANT: -ONE}
    equations.append(root)
    for s in tree.sets_of(player):
        row: dict[int, Any] = {**dict.fromkeys(s.after, ONE), s.before: -ONE}
        equations.append({**row, CONSTANT: flow(row, low)})
    rows: list[dict[int, Any]] = [{} for _ in range(tree.sizes[other])]
    held = size
    free.add(held)
    rows[0][held] = ONE
    objective[held] = ONE
    for s in tree.sets_of(other):
        held += 1
        free.add(held)
        for j in s.after:
            rows[j][held] = ONE
        rows[s.before][held] = -ONE
        objective[held] = -flow({**dict.fromkeys(s.after, ONE), s.before: -ONE}, theirs)
    for key, pays in tree.endings.items():
        if pays[player]:
            j, k = key[player], key[other]
            rows[k][j] = -pays[player]
            rows[k][CONSTANT] = rows[k].get(CONSTANT, ZERO) - pays[player] * low[j]
            objective[j] = objective.get(j, ZERO) + pays[player] * theirs[k]
    slack = held + 1
    equations += [{**{k: c for k, c in row.items() if c}, slack + i: ONE} for i, row in enumerate(rows)]
    likely = {j: (j in free, 0.0) for j in range(slack + len(rows))}
    found = Dictionary(equations, {k: c for k, c in objective.items() if c}, free, likely)
    found.optimal_basis()
    return [low[j] + found.rows.get(j, {}).get(CONSTANT, ZERO) for j in range(size)]


def _limit(tree: GameTree, player: int, weights: list[Any]) -> dict[str, Mapping[str, Fraction]]:
    """The laws to which the weights tend as eps tends to 0; where nothing leads even by mistake, the first action."""
    out: dict[str, Mapping[str, Fraction]] = {}
    for s in tree.sets_of(player):
        powers = {j: weights[j].terms if isinstance(weights[j], Epsilon) else {0: weights[j]} for j in s.after}
        powers = {j: {n: c for n, c in terms.items() if c} for j, terms in powers.items()}
        first = min((n for terms in powers.values() for n in terms), default=None)
        parts = [powers[j].get(first, ZERO) if first is not None else Fraction(j == s.first) for j in s.after]
        total = sum(parts, ZERO)
        out[s.name] = {action: part / total for action, part in zip(s.actions, parts, strict=True)}
    return out
