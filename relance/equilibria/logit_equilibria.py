"""Logit quantal response equilibria with certified digits: the limits of learners with a bonus for entropy at each temperature.

At temperature t a player chooses each action with a probability in proportion to exp(chips / t). There are three kinds.

"agent" (McKelvey and Palfrey 1998): at each information set by itself, with the chips expected there if everyone plays on like this. These
are the fixed points of magnetic mirror descent with a uniform magnet, in behavioural form (Sokota et al. 2023).

"normal": over whole pure strategies, with the chips that a pure strategy earns in the game. In terms of information sets, an action's chips
are those that follow it directly, weighted by how often the others and chance lead there, and t times the logarithm of the sum of
exp(chips / t) at each later information set of the player (Ling, Fang and Kolter 2018). In games of two players and zero sum this
equilibrium is unique; it is the fixed point of magnetic mirror descent on realization weights, with the dilated entropy.

"transformed" (Perolat et al. 2021): as "agent", in the game of two players in which each decision costs its player t times
log(p / m), and pays the other player as much; p is the action's probability in the policy, and m that in the magnet. It is the limit of
R-NaD while its regularising policy, the magnet, stays fixed.

If the magnet is another policy than uniform play, an action's probability is in proportion to the magnet's times exp(chips / t).

At an information set to which chance never leads all actions earn the same: "agent" and "transformed" play as the magnet there, and
"normal" takes each continuation of a pure strategy from there on equally often.

The equations are solved by Newton's method along falling temperatures, and each solution is proved by an interval test.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from relance.equilibria.certified_roots import Balls, Enclosure, ball_of, certified_root, enclosed, flint, precision
from relance.model.arguments import Count, checked
from relance.model.game_tree import GameTree, InformationSet, TreeProfile, as_tree
from relance.model.numbers import Number, fraction
from relance.solvers.exact_lp import NotCertifiedError
from relance.solvers.information_sets import chance_masses
from relance.solvers.tree_values import as_tree_profile

HOT, COOLER, CLOSEST = Fraction(8), Fraction(1, 2), Fraction(1, 2**12)
"""The path starts at `HOT` times the largest payoff; each temperature is `COOLER` times the last, or nearer, down to `CLOSEST` apart."""

QuantalKind: TypeAlias = Literal["agent", "normal", "transformed"]
"""The kind of equilibrium: logit choice at each information set, over whole pure strategies, or at each information set of R-NaD's game."""

MOST_UNKNOWN = 300
"""The most unknowns of the equations: the number of actions less 1, summed over information sets."""


@dataclass(frozen=True)
class QuantalResponse:
    """A quantal response equilibrium.

    Attributes:
        tree: the game.
        temperature: in chips; 1 divided by Gambit's lambda.
        kind: "agent", "normal" or "transformed"; see the docstring of this module.
        at: {information set: {action: enclosure}}; an enclosure is two fractions between which the probability lies.
    """

    tree: GameTree
    temperature: Fraction
    kind: str
    at: Mapping[str, Mapping[str, Enclosure]] = field(repr=False)  # these may have thousands of digits

    def profile(self) -> TreeProfile:
        """Return a profile in fractions: the middles of the enclosures of the probabilities, divided by their sum."""
        table = {}
        for s in self.tree.infosets:
            middles = [self.at[s.name][action].middle for action in s.actions]
            total = sum(middles, Fraction(0))
            table[s.name] = {action: p / total for action, p in zip(s.actions, middles, strict=True)}
        return TreeProfile(self.tree, table, f"a quantal response equilibrium at temperature {self.temperature}")

    def distance(self, profile: Any) -> float:
        """Return the largest difference between a probability in `profile` and the same probability in this equilibrium."""
        other = as_tree_profile(self.tree, profile)
        return float(
            max(
                abs(other[name][action] - p.middle)
                for name, distribution in self.at.items()
                for action, p in distribution.items()
            )
        )


class _Equations:
    """The equations of a temperature, in any arithmetic: the unknowns are the logarithms of the odds against the first action."""

    def __init__(self, tree: GameTree, kind: str, magnet: TreeProfile) -> None:
        self.tree, self.kind = tree, kind
        self.magnet = {s.name: [ball_of(magnet[s.name][action]).log() for action in s.actions] for s in tree.infosets}
        self.start = [x - logs[0] for logs in self.magnet.values() for x in logs[1:]]
        self.sets = {player: [*tree.infosets_of(player)] for player in range(tree.num_players)}
        self.masses = chance_masses(tree)
        self.size = sum(len(s.actions) - 1 for s in tree.infosets)
        self.never = _never_reached(tree, self.masses)
        unit = tree.payoffs.unit
        self.terminals = [
            (key, [ball_of(Fraction(amount, unit)) for amount in pays]) for key, pays in tree.payoffs.listed
        ]
        self.weighted = [(key, ball_of(mass)) for key, mass in self.masses.items()]

    def distributions(self, z: Balls) -> dict[str, list[Any]]:
        """The probabilities at each information set."""
        out, at = {}, 0
        for s in self.tree.infosets:
            odds = [1, *(x.exp() for x in z[at : at + len(s.actions) - 1])]
            at += len(s.actions) - 1
            total = sum(odds[1:], flint().arb(1))
            out[s.name] = [x / total for x in odds]
        return out

    def __call__(self, z: Balls, temperature: Any) -> list[Any]:
        """Return what is left of each equation."""
        distributions = self.distributions(z)
        plans = []
        for player, sets in self.sets.items():
            plan: list[Any] = [flint().arb(1)] * self.tree.num_sequences[player]
            for s in sets:
                for j, p in zip(s.after, distributions[s.name], strict=True):
                    plan[j] = plan[s.before] * p
            plans.append(plan)
        costs = (
            [self._costs(player, distributions, temperature) for player in self.sets]
            if self.kind == "transformed"
            else []
        )
        wanted: dict[str, list[Any]] = {}
        for player, sets in self.sets.items():
            wanted |= self._wanted(player, sets, plans, distributions, temperature, costs)
        out, at = [], 0
        for s in self.tree.infosets:
            for i in range(1, len(s.actions)):
                out.append((z[at] - self.start[at]) * temperature - wanted[s.name][i])
                at += 1
        return out

    def _costs(self, player: int, distributions: Mapping[str, list[Any]], temperature: Any) -> list[Any]:
        """Return what the actions of each sequence cost its player in all, and pay the other."""
        out: list[Any] = [flint().arb(0)] * self.tree.num_sequences[player]
        for s in self.sets[player]:
            for j, p, x in zip(s.after, distributions[s.name], self.magnet[s.name], strict=True):
                out[j] = out[s.before] + temperature * (p.log() - x)
        return out

    def _wanted(
        self,
        player: int,
        sets: list[InformationSet],
        plans: list[list[Any]],
        distributions: Mapping[str, list[Any]],
        temperature: Any,
        costs: list[list[Any]],
    ) -> dict[str, list[Any]]:
        """The chips of each action less those of the first one, by information set."""
        zero = flint().arb(0)
        chips, reach = [zero] * self.tree.num_sequences[player], [zero] * self.tree.num_sequences[player]

        def others(key: Sequence[int]) -> Any:
            return math.prod(
                (plan[k] for q, (plan, k) in enumerate(zip(plans, key, strict=True)) if q != player), start=1
            )

        for key, pays in self.terminals:
            chips[key[player]] += pays[player] * others(key)
        if self.kind != "normal":
            for key, mass in self.weighted:
                weight = mass * others(key)
                reach[key[player]] += weight
                if costs:
                    chips[key[player]] += weight * costs[1 - player][key[1 - player]]
        out: dict[str, list[Any]] = {}
        for s in reversed(sets):
            here = [chips[j] for j in s.after]
            if self.kind != "normal":
                often = reach[s.first]
                out[s.name] = [zero if s.name in self.never else (c - here[0]) / often for c in here]
                if costs:
                    here = [
                        c - often * (costs[player][j] - costs[player][s.before])
                        for c, j in zip(here, s.after, strict=True)
                    ]
                chips[s.before] += sum((p * c for p, c in zip(distributions[s.name], here, strict=True)), zero)
                reach[s.before] += often
            else:
                out[s.name] = [c - here[0] for c in here]
                total = sum((((c - here[0]) / temperature).exp() for c in here), zero)
                chips[s.before] += here[0] + temperature * total.log()
        return out


def _never_reached(tree: GameTree, masses: Mapping[tuple[int, ...], Fraction]) -> set[str]:
    """The information sets to which chance never leads; nothing is believed there, and all actions earn the same."""
    led = {(player, j) for key in masses for player, j in enumerate(key)}
    never = set()
    for s in reversed(tree.infosets):
        if any((s.player, j) in led for j in s.after):
            led.add((s.player, s.before))
        else:
            never.add(s.name)
    return never


@contextmanager
def _first_order() -> Iterator[None]:
    """Inside this `with`, power series have two terms: a value and a derivative."""
    context = flint().ctx
    before, context.cap = context.cap, 2
    try:
        yield
    finally:
        context.cap = before


def _solved(equations: _Equations, temperature: Fraction, start: Sequence[Any], digits: int) -> list[Any]:
    """The solution near a start, proved."""
    module = flint()

    def function(z: Balls) -> Balls:
        return equations(z, ball_of(temperature))

    def jacobian(z: Balls) -> Sequence[Balls]:
        columns = []
        with _first_order():
            for k in range(equations.size):
                series = [module.arb_series([x, int(i == k)]) for i, x in enumerate(z)]
                columns.append([row[1] for row in equations(series, ball_of(temperature))])
        return [*zip(*columns, strict=True)]

    return certified_root(function, jacobian, start, digits)


@checked
def quantal_responses(
    game: object,
    temperatures: Sequence[Any],
    kind: QuantalKind = "agent",
    digits: Count = 15,
    magnet: Any = "uniform",
) -> list[QuantalResponse]:
    """Return the quantal response equilibria at these temperatures, in their order, with proved digits.

    All of the equilibria lie on the path of equilibria that starts at the magnet, at infinite temperature.

    Args:
        game: a game tree of any number of players and any payoffs, or what `relance.game_tree` takes.
        temperatures: in chips, above 0.
        kind: "agent", a logit response at each information set by itself; "normal", a logit response over pure strategies; "transformed",
            "agent" in R-NaD's game, where a player pays the opponent temperature * log(p / q) for an action (p: policy, q: magnet).
        digits: decimal places of the logarithm of the odds of each action against the first.
        magnet: the profile that learners are pulled to, with every probability above 0.

    Raises:
        ValueError: a temperature or magnet probability is not above 0, there are too many actions, or `kind` excludes the game or magnet.
        NotCertifiedError: the path turns back, or the interval test fails; a subclass of ArithmeticError.
        ImportError: python-flint is missing.
    """
    tree, wanted = as_tree(game), [fraction(t, "temperature") for t in temperatures]
    for t in wanted:
        if t <= 0:
            raise ValueError(f"temperature={t} must be above 0")
    unknown, pulled = sum(len(s.actions) - 1 for s in tree.infosets), as_tree_profile(tree, magnet)
    if unknown > MOST_UNKNOWN:
        raise ValueError(
            f"{tree} has {unknown:,} unknown probabilities, and up to {MOST_UNKNOWN} are solved with certified digits"
        )
    if kind == "normal" and pulled.at != tree.uniform().at:
        raise ValueError('kind="normal" must have the uniform magnet; kind="agent" and kind="transformed" allow any')
    if kind == "transformed" and (tree.num_players != 2 or tree.utility_sum is None):
        raise ValueError(f'kind="transformed" is for two players and zero sum, not for {tree}')
    for name, distribution in pulled.items():
        for action, p in distribution.items():
            if p <= 0:
                raise ValueError(f"the magnet plays {action!r} at {name!r} with probability {p}; it must be above 0")
    with precision(digits):
        equations = _Equations(tree, kind, pulled)
        most = max(
            (abs(amount) for pays in tree.terminals.values() for amount in pays), default=Fraction(1)
        ) or Fraction(1)
        now, root = max([HOT * most, *wanted]), equations.start
        root = _solved(equations, now, root, digits)
        found: dict[Fraction, QuantalResponse] = {}
        for goal in sorted({*wanted}, reverse=True):
            while now != goal:
                root, now = _cooler(equations, root, now, max(goal, now * COOLER), digits)
            distributions = equations.distributions(root)
            at = {
                s.name: dict(zip(s.actions, map(_probability, distributions[s.name]), strict=True))
                for s in tree.infosets
            }
            found[goal] = QuantalResponse(tree, goal, kind, at)
    return [found[t] for t in wanted]


def _cooler(
    equations: _Equations, root: list[Any], now: Fraction, goal: Fraction, digits: int
) -> tuple[list[Any], Fraction]:
    """The solution at a lower temperature that continues this one, as near to the goal as it is found."""
    while now - goal > now * CLOSEST:
        scale = ball_of(now / goal)
        further = [m + (x - m) * scale for x, m in zip(root, equations.start, strict=True)]
        for start in ([x.mid() for x in root], [x.mid() for x in further]):
            try:
                return _solved(equations, goal, start, digits), goal
            except NotCertifiedError:
                continue
        goal = (now + goal) / 2
    raise NotCertifiedError(f"the search for quantal response equilibria fails below the temperature {float(now):.4g}")


def _probability(ball: Any) -> Enclosure:
    found = enclosed(ball)
    return Enclosure(max(found.low, Fraction(0)), min(found.high, Fraction(1)))


@checked
def quantal_response(
    game: object, temperature: Number, kind: QuantalKind = "agent", digits: Count = 15, magnet: Any = "uniform"
) -> QuantalResponse:
    """Return the quantal response equilibrium at one temperature, in chips; see `quantal_responses`."""
    return quantal_responses(game, [temperature], kind, digits, magnet)[0]
