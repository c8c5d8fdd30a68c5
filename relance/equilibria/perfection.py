"""Quasi-perfect equilibria: strategies that also play well where mistakes have happened, found and decided exactly.

In a quasi-perfect equilibrium (van Damme 1984) each player does best at each of their information sets against opponents who make every
mistake with a small probability, while the player makes none from there on.

Deciding. The chips at an information set are linear in the opponent's weights, and so is whether the opponent's behaviour at each of their
own information sets is within eps of the profile's. So a profile is quasi-perfect if and only if there are, for each player, weights
w0 + eps w1 + eps^2 w2 + ... of an opponent who plays everything, whose behaviour at every information set tends to the profile's as eps
tends to 0, and against whom the player does best at each of their own for each small eps. Linear programs find w0, w1, ... in turn. Where
weights first lead to an information set, the behaviour there is the profile's; what a later one adds is small beside them. Each program
gives a weight to as many sequences, and makes as many comparisons of chips strict, as can be, since such opponents can be mixed. If one
finds nothing new before all sequences have a weight, there is no such opponent.

Finding. If each sequence of n actions has to have at least the weight eps^n, solutions for small eps tend to quasi-perfect equilibria
(Miltersen and Sorensen 2010). The program is solved for all small eps at once, with numbers a + b eps + c eps^2 + ..., compared by the
first coefficients that differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from relance.model.arguments import Seat, checked
from relance.model.game_tree import GameTree, TreeProfile, as_tree
from relance.model.numbers import FieldElement
from relance.solvers.exact_lp import NotCertifiedError, Program
from relance.solvers.exact_simplex import CONSTANT, ONE, ZERO, Dictionary, LinearForm, add_multiple, sum_of_rows
from relance.solvers.tree_program import check_exact
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
        witnesses: for each player who has no fault, an opponent who plays everything, and against whom they do best at each information
            set: weights w0, w1, ... of their sequences, up to a factor. The weights w0 + eps w1 + eps^2 w2 + ... are those of an opponent
            for each small enough eps, and their behaviour at every information set tends to the profile's as eps tends to 0.
    """

    tree: GameTree
    profile: TreeProfile
    faults: tuple[RefinementFault, ...]
    witnesses: Mapping[int, tuple[tuple[Fraction, ...], ...]]

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
        dict[int, tuple[tuple[Fraction, ...], ...]](),
    )
    for player in (0, 1):
        wrong = _not_best(tree, player, played)
        faults += wrong
        if wrong:
            continue
        sets = [s.name for s in tree.sets_of(player)]
        if opponent := _witness(tree, player, played, sets):
            witnesses[player] = opponent
            continue
        text = "no opponent who makes each mistake, but rarely, makes this best"
        group = [name for name in sets if not _witness(tree, player, played, [name])]
        if not group:  # what is then left cannot be spared: without any one of them there is an opponent
            text, group = f"{text} at all of these together", sets
            for name in sets:
                rest = [other for other in group if other != name]
                if not _witness(tree, player, played, rest):
                    group = rest
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
    tree: GameTree, player: int, played: TreeProfile, names: Collection[str]
) -> tuple[tuple[Fraction, ...], ...] | None:
    """Weights of an opponent as in `Refinement.witnesses`, against whom the player does best at these sets; None if none is."""
    led, worse = set[int](), set[int]()  # the opponent's sequences with a weight so far; the player's that are worse
    out = list[tuple[Fraction, ...]]()
    while len(led) < tree.sizes[1 - player]:
        program = Program()
        theirs = _next_weights(tree, 1 - player, played, led, program)
        signs = [(led, j, form) for j, form in enumerate(theirs) if j not in led and form]
        signs += [
            (worse, j, form) for j, form in _losses(tree, player, played, theirs, names, program) if j not in worse
        ]
        above = program.variables(len(signs), nonnegative=True)
        for k, (_, _, form) in zip(above, signs, strict=True):  # 1 if the form can be above 0, as all can be scaled
            program.at_most += [({k: ONE}, ONE), (sum_of_rows([(ONE, {k: ONE}), (-ONE, form)]), ZERO)]
            program.objective[k] = ONE
        most, point = program.solve()
        if not most:
            return None
        for k, (signed, j, _) in zip(above, signs, strict=True):
            if point[k]:
                signed.add(j)
        out.append(tuple(sum((c * point[k] for k, c in form.items()), ZERO) for form in theirs))
    return tuple(out)


def _next_weights(
    tree: GameTree, player: int, played: TreeProfile, led: Collection[int], program: Program
) -> list[LinearForm]:
    """A player's next weights as linear forms: any where sequences have a weight, mistakes after these, then as in the profile."""
    forms: list[LinearForm] = [{} for _ in range(tree.sizes[player])]
    if not led:
        forms[0] = {program.variables(1, nonnegative=True)[0]: ONE}
    for s in tree.sets_of(player):
        if s.before in led:
            rest = next(j for j in s.after if j in led)
            others = [j for j in s.after if j != rest]
            for j in others:
                forms[j] = {program.variables(1, nonnegative=j not in led)[0]: ONE}
            forms[rest] = sum_of_rows([(ONE, forms[s.before]), *((-ONE, forms[j]) for j in others)])
        else:
            for j, p in zip(s.after, played[s.name].values(), strict=True):
                forms[j] = {k: p * c for k, c in forms[s.before].items() if p}
    return forms


def _losses(
    tree: GameTree,
    player: int,
    played: TreeProfile,
    theirs: Sequence[LinearForm],
    names: Collection[str],
    program: Program,
) -> Iterator[tuple[int, LinearForm]]:
    """By how much each sequence at these information sets that the player does not use earns less than those that they do use."""
    chips: list[LinearForm] = [{} for _ in range(tree.sizes[player])]
    for key, pays in tree.endings.items():
        add_multiple(chips[key[player]], pays[player], theirs[key[1 - player]])
    for s in reversed([*tree.sets_of(player)]):
        (value,) = program.variables(1)
        law = dict(zip(s.after, played[s.name].values(), strict=True))
        program.equal.append((sum_of_rows([(-ONE, {value: ONE}), *((p, chips[j]) for j, p in law.items())]), ZERO))
        for j, p in law.items():
            loss = sum_of_rows([(ONE, {value: ONE}), (-ONE, chips[j])])
            if s.name in names and p:
                program.equal.append((loss, ZERO))
            elif s.name in names:
                yield j, loss
        chips[s.before] = sum_of_rows([(ONE, chips[s.before]), (ONE, {value: ONE})])


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
