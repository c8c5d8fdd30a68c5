"""Grades a game against a reference, history by history, and the output of a solver, by exact best responses.

Two games are walked together. Moves of chance that follow each other count as one, and outcomes that never happen do not count. Outcomes
and actions are matched by name where both games have the same names, else by their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from relance.model.arguments import checked
from relance.model.game import Game
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode, TreeNode, as_tree, at_history
from relance.model.numbers import Number, fraction, show
from relance.model.profile_file import read_file, strategy_path
from relance.solvers.exact import scored
from relance.solvers.tree_values import Evaluation

Outcomes: TypeAlias = dict[str, tuple[Fraction, TreeNode]]
SetPlaces: TypeAlias = dict[str, tuple[str, tuple[str, ...]]]
"""For each information set of one game, the information set of the other game that was met with it, and the history where."""

CLAIMS = ("value", "values", "nash_conv", "exploitability")
"""The figures that the file of a solver may claim besides its profile."""


class Difference(NamedTuple):
    """A difference of a game from its reference, or an error in a solution.

    Attributes:
        kind: "node", "player", "actions", "chance", "payoff" or "information set"; for a solution "profile" or the name of a claim.
        text: for a game the history, what the graded game has there, and what the reference has; for a solution what is wrong.
    """

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


@dataclass(frozen=True)
class Grade:
    """What is wrong in a game, compared with a reference game by `grade_game`, or in a solution of a game, checked by `grade_solution`.

    Attributes:
        what: the name of the game or solution that was graded.
        differences: what is wrong: the first `Difference` of each kind; empty if all is right.
        evaluation: of a solution, the values of its profile and of best responses; in floats if the profile is scored in floats.
    """

    what: str
    differences: tuple[Difference, ...]
    evaluation: Evaluation | None = None

    @property
    def right(self) -> bool:
        """True if the game agrees with its reference, or the solution has no error."""
        return not self.differences

    def __str__(self) -> str:
        return "\n".join([f"{self.what}: {'right' if self.right else 'WRONG'}", *(f"  {d}" for d in self.differences)])


@checked
def grade_game(theirs: object, ours: object) -> Grade:
    """Return how a game differs from a reference: in players, chance, actions, payoffs, and what players know, history by history.

    `theirs` is graded, and `ours` is the reference: game trees, or what `relance.game_tree` takes. Names may differ.

    Examples:
        >>> relance.equilibria.grade_game("kuhn", "kuhn_poker").right
        True
    """
    theirs, ours = as_tree(theirs), as_tree(ours)
    found: dict[str, Difference] = {}
    ratios: set[Fraction | None] = set()
    for difference in _walk(theirs, ours, ratios):
        found.setdefault(difference.kind, difference)
    if "payoff" in found and len(ratios) == 1 and (ratio := ratios.pop()) is not None:
        first = found["payoff"]
        found["payoff"] = first._replace(text=f"{first.text}; all payoffs are the reference's times {ratio}")
    return Grade(f"{theirs} against {ours}", tuple(found.values()))


def _walk(theirs: GameTree, ours: GameTree, ratios: set[Fraction | None]) -> Iterator[Difference]:
    """All differences, depth first; nothing below a node that does not fit is compared. `ratios` collects those of payoffs."""
    if theirs.num_players != ours.num_players:
        yield Difference("player", f"{theirs.num_players} players, not {ours.num_players}")
        return
    joined: SetPlaces = {}
    parted: SetPlaces = {}
    stack: list[tuple[TreeNode, TreeNode, tuple[str, ...]]] = [(theirs.root, ours.root, ())]
    while stack:
        a, b, history = stack.pop()
        where = at_history(history)
        if isinstance(a, ChanceNode) or isinstance(b, ChanceNode):
            mine, other = _outcomes(a), _outcomes(b)
            if len(mine) == 1 and len(other) == 1:
                ((_, child),), ((_, reference),) = mine.values(), other.values()
                stack.append((child, reference, history))
                continue
            if len(mine) != len(other):
                yield Difference("chance", f"{where}: {len(mine)} outcomes of chance, not {len(other)}")
                continue
            pairs = [(x, y, mine[x], other[y]) for x, y in _matched(mine, other)]
            for x, y, (p, _), (q, _) in pairs:
                if p != q:
                    yield Difference("chance", f"{where}: {x} has probability {p}, not {q}" + _called(x, y))
            stack += [(c, d, (*history, x)) for x, _, (_, c), (_, d) in reversed(pairs)]
        elif isinstance(a, TerminalNode) and isinstance(b, TerminalNode):
            paid, right = a.payoffs(), b.payoffs()
            ratios.update(
                x / y if y else None if x else Fraction(0) for x, y in zip(paid, right, strict=True) if x or y
            )
            if paid != right:
                yield Difference("payoff", f"{where}: {_listed(paid)}, not {_listed(right)}")
        elif isinstance(a, DecisionNode) and isinstance(b, DecisionNode):
            if a.player != b.player:
                yield Difference("player", f"{where}: player {a.player} acts, not player {b.player}")
                continue
            if len(a.actions) != len(b.actions):
                yield Difference("actions", f"{where}: {', '.join(a.actions)}, not {', '.join(b.actions)}")
                continue
            mine_at, other_at = (t.name_of(n.player, n.information_set) for t, n in ((theirs, a), (ours, b)))
            before = joined.setdefault(mine_at, (other_at, history))
            if before[0] != other_at:
                text = f"player {a.player} cannot tell this from {at_history(before[1])}, and should: {mine_at!r}"
                yield Difference("information set", f"{where}: {text}")
            since = parted.setdefault(other_at, (mine_at, history))
            if since[0] != mine_at:
                text = f"player {a.player} can tell this from {at_history(since[1])}, and should not: {mine_at!r} and {since[0]!r}"
                yield Difference("information set", f"{where}: {text}")
            stack += [(a.actions[x], b.actions[y], (*history, x)) for x, y in reversed(_matched(a.actions, b.actions))]
        else:
            yield Difference("node", f"{where}: {_kind(a)}, not {_kind(b)}")


def _matched(mine: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The names of both that belong together: equal names, or the same place if the names differ."""
    return [(x, x) for x in mine] if mine.keys() == other.keys() else [*zip(mine, other, strict=True)]


def _outcomes(node: TreeNode) -> Outcomes:
    """Return what chance does next, with moves of chance that follow each other as one; for another node, itself."""
    if not isinstance(node, ChanceNode):
        return {"": (Fraction(1), node)}
    out: Outcomes = {}
    for name, (p, child) in node.outcomes.items():
        if chance := fraction(p):
            for more, (q, below) in _outcomes(child).items():
                out[f"{name}, {more}" if more else name] = (chance * q, below)
    return out


def _kind(node: TreeNode) -> str:
    match node:
        case TerminalNode():
            return f"a terminal node that pays {_listed(node.payoffs())}"
        case DecisionNode():
            return f"a decision of player {node.player} ({', '.join(node.actions)})"
    return "a move of chance"


def _listed(numbers: tuple[Fraction, ...]) -> str:
    return ", ".join(map(str, numbers))


def _called(theirs: str, ours: str) -> str:
    return f" (there {ours})" if theirs != ours else ""


@checked
def grade_solution(game: object, told: object, tolerance: Number = Fraction(1, 10**6)) -> Grade:
    """Return what is wrong in a solver's output: whether its profile is an equilibrium to a tolerance, and its figures are true.

    A `Game` is scored on all hands at once, in floats if its profile has floats that are no simple fractions; a tree in fractions.

    Args:
        game: a `Game`, a game tree, or anything else that `relance.game_tree` takes.
        told: {"profile": {information set: {action: probability}}} with any of the claims "value" (to player 0), "values", "nash_conv"
            and "exploitability" (NashConv divided by the number of players); or the profile alone, as `relance.score` takes it; or a file
            with one of these, such as `relance solve -o` writes.
        tolerance: in chips, for NashConv and for each claim.

    Raises:
        ValueError: the profile does not fit the game, or a claim is no number.
        TypeError: `told` has no profile.
    """
    source = game if isinstance(game, Game) else as_tree(game)
    claims: Mapping[str, Any] = {"profile": told}
    if (path := strategy_path(told)) is not None:
        claims = {name: told for name, told in read_file(path).facts.items() if name in CLAIMS} | {"profile": path}
    elif isinstance(told, Mapping) and "profile" in told:
        claims = told
    profile, tolerance = claims["profile"], fraction(tolerance, "tolerance")
    scores: Any = scored(source, profile)
    out = []
    seats = range(scores.num_players)
    found = Evaluation(tuple(map(scores.value, seats)), tuple(map(scores.best_value, seats)))
    if found.nash_conv > tolerance:
        gains = "; ".join(f"player {p} can gain {in_short(gain)}" for p, gain in enumerate(found.gains) if gain > 0)
        out.append(
            Difference(
                "profile",
                f"no equilibrium: NashConv is {in_short(found.nash_conv)}, more than {float(tolerance):g}; {gains}",
            )
        )
    true: dict[str, Any] = {
        "value": (found.values[0],),
        "values": found.values,
        "nash_conv": (found.nash_conv,),
        "exploitability": (found.nash_conv / scores.num_players,),
    }
    for name in CLAIMS:
        if name in claims:
            claimed = claims[name] if name == "values" else [claims[name]]
            numbers = [fraction(number, name) for number in claimed]
            if len(numbers) != len(true[name]) or any(
                abs(x - y) > tolerance for x, y in zip(numbers, true[name], strict=True)
            ):
                said, right = (", ".join(map(in_short, row)) for row in (numbers, true[name]))
                out.append(Difference(name, f"it claims {said}; it is {right}"))
    return Grade(f"the solution of {source}", tuple(out), found)


def in_short(number: Number) -> str:
    """Return a number as exact text, or as a decimal of 6 digits if that text has 20 characters or more."""
    text = show(number)
    return text if len(text) < 20 else f"{float(number):.6g}"
