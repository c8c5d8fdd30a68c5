"""Building blocks of checks, which decide statements of papers; most return a `Finding`, a result with evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from relance.claims.finding import At, Cases, Finding, Scope, UndecidedError, listed, spot, together
from relance.claims.proof import Region, decided_for
from relance.claims.symbolic import Symbolic
from relance.claims.trace import Trace, decided, shows_wrong
from relance.model.deal import Array
from relance.model.distributions import independent
from relance.model.game import Game
from relance.model.game_tree import GameTree
from relance.model.numbers import DependsOnParametersError, Number, formula, show
from relance.model.piecewise import Coefficients, Piecewise, bernstein
from relance.model.strategy import Plan, Profile
from relance.model.tree import BettingTree, Decision, Leaf, Node, steps_from
from relance.solvers.exact import action_values, best_response, gains, hand_values, reach_probs, value
from relance.solvers.tree_values import RealizationWeights, counterfactual
from relance.solvers.watcher import watched_by, watcher


def equal(computed: Mapping[str, Number], numbers: Mapping[str, Number], *where: Scope | Game) -> Finding:
    """Check that printed `numbers` equal `computed` ones of the same names, in a game or in a whole region.

    The evidence lists the numbers that differ, or all of them if none does.
    """
    if not numbers:
        raise ValueError("`numbers` is empty, so nothing is decided: give at least one number that the paper prints")
    with watched_by(None), decided_for(next(iter(where), None)):
        differ = [name for name, number in numbers.items() if computed[name] != number]
    wrong = {name: computed[name] - numbers[name] for name in differ}
    for name, number in numbers.items():
        kind = "differ" if name in wrong else "equal"
        point = counterexample(wrong[name]) if name in wrong else {}
        of = {"where": next(iter(where), None), "name": name, "point": point, "asked": name not in wrong}
        decided(kind, computed[name], number, **of)
    differences = "; ".join(f"{name} is {show(computed[name])}, not {show(numbers[name])}" for name in wrong)
    evidence = differences or ", ".join(f"{name} = {show(computed[name])}" for name in numbers)
    return Finding(not wrong, evidence, scopes(*where), point=counterexample(*wrong.values()))


def scopes(*where: Scope | Game) -> tuple[Scope, ...]:
    """The scopes of a finding about these regions and games; each game becomes a single case, `At(game)`."""
    return tuple(At(item) if isinstance(item, Game) else item for item in where)


def nash(game: Game, plan: Plan, where: Region | None = None, worth: Number | None = None) -> Finding:
    """Check that a plan is a Nash equilibrium for all parameters of `where`, and worth `worth` to player 0 if given.

    Raises:
        DependsOnParametersError: a comparison in the computation is true for some parameters of the region and false for others.
    """
    with decided_for(where):
        return _nash(game, plan, where, worth)


def _nash(game: Game, plan: Plan, where: Region | None, worth: Number | None) -> Finding:
    scope = scopes(where or game)
    try:
        profile = game.profile(plan)
    except ValueError as error:  # an error in what follows is one of ours
        return Finding(False, f"not a profile: {error}", scope)
    mine = value(game, profile)
    if worth is not None and mine != worth:
        decided("differ", mine, worth, where=where, point=counterexample(mine - worth), asked=False)
        text = f"the value is {show(mine)}, not {show(worth)}{_for_instance(mine - worth)}"
        return Finding(False, text, scope, point=counterexample(mine - worth))
    if worth is not None:
        decided("equal", mine, worth, where=where)
    both = gains(game, profile)
    wrong = {player: gain for player, gain in enumerate(both) if gain != 0}
    text = "; ".join(f"player {player} can gain {show(gain)}{_for_instance(gain)}" for player, gain in wrong.items())
    return Finding(not wrong, text or f"NashConv 0, value {show(mine)}", scope, point=counterexample(*wrong.values()))


def tree_nash(
    tree: GameTree, plan: Mapping[str, Mapping[str, Number]], where: Region, worth: Sequence[Number]
) -> Finding:
    """Check that a profile is a Nash equilibrium of a game tree for all parameters of a region, with given payoffs.

    The profile is an equilibrium if at each information set no action earns more than the profile does from there on.

    Args:
        tree: a game of any number of players.
        plan: the profile, {information set: {action: probability}}; probabilities may contain symbols of the region.
        where: the region.
        worth: for each player the expected chips that the profile should give.
    """
    distributions = {s.name: [plan[s.name][action] for action in s.actions] for s in tree.infosets}
    plans: list[list[Number]] = [[Fraction(1)] * size for size in tree.num_sequences]
    for s in tree.infosets:
        for j, p in zip(s.after, distributions[s.name], strict=True):
            plans[s.player][j] = plans[s.player][s.before] * p

    def best() -> bool:
        if not all(p >= 0 for distribution in distributions.values() for p in distribution) or any(
            sum(distribution) != 1 for distribution in distributions.values()
        ):
            return False
        for player, said in enumerate(worth):
            chips = counterfactual(tree, player, [RealizationWeights.of(own) for own in plans])
            at = chips.at[:, 0].tolist()
            for s in reversed([*tree.infosets_of(player)]):
                mean = sum((p * at[j] for p, j in zip(distributions[s.name], s.after, strict=True)), Fraction(0))
                if not all(mean - at[j] >= 0 for j in s.after):
                    return False
                at[s.before] += mean
            if at[0] / chips.unit != said:
                return False
        return True

    return true_for(where, best, f"no player gains at any information set, and they win {', '.join(map(show, worth))}")


def with_numbers(game: Game, numbers: Mapping[str, Number], printed: int = 0) -> Plan:
    """Return a printed plan (both strategies) with `numbers` for its symbols; `printed` is the plan's index if the paper prints several."""
    return game.blueprint.printed[printed].plan(numbers, game.tree)


def counterexample(*gaps: Number) -> dict[str, str]:
    """Return {parameter: value} where gaps[0], a difference, is not 0; {} without gaps, or if gaps[0] has no symbols or none is found."""
    gap = next(iter(gaps), None)
    if not isinstance(gap, Symbolic):
        return {}
    with watched_by(None):
        point = gap.region.point_with_sign(gap, 1) or gap.region.point_with_sign(gap, -1) or {}
    return {name: str(number) for name, number in point.items()}


MOST_PARTS = 100
"""The most parts into which `by_parts` cuts a region, roughly."""


def by_parts(where: Region, decide: Callable[..., Finding]) -> Finding:
    """Decide a statement for all parameters of a region, which is cut where a compared number changes its sign.

    Args:
        where: the region.
        decide: a check of the statement. Its first argument maps each parameter to its symbol or value, and its second is a region. It is
            called as `decide(part, part)` for a part of the region, and as `decide({parameter: fraction})` for a single point.

    Returns:
        A finding of all parts; or, if the statement is false, one with a `point` where it fails.

    Raises:
        UndecidedError: over `MOST_PARTS` parts are needed, or for a part neither a proof nor a counterexample was found.
    """
    left, done, said = [where], list[Region](), dict[str, None]()
    trace = who if isinstance(who := watcher(), Trace) else Trace()
    while left:
        part, kept = left.pop(0), (len(trace.steps), len(trace.equilibria))
        try:
            found = decide(part, part)
        except DependsOnParametersError as error:
            del trace.steps[kept[0] :], trace.equilibria[kept[1] :]
            if error.polynomial is None or len(left) + len(done) > MOST_PARTS:
                raise UndecidedError(str(error)) from None
            left[:0] = part.cut(error.polynomial)
            continue
        if not found.holds:
            simple = None if part is where and found.point else false_at(where, where.samples, decide)
            wrong = simple or (found if found.point else false_at(part, part.samples, decide))
            if wrong is None:
                raise UndecidedError(f"neither a proof nor a counterexample was found for {part}: {found.evidence}")
            return wrong
        done.append(part)
        if not part.thin:
            said[found.evidence] = None
    return replace(found, evidence="; ".join(said) or found.evidence, where=tuple(done))


def false_at(
    where: Region, points: Iterable[Sequence[Fraction]], tried: Callable[[Mapping[str, Fraction]], Finding]
) -> Finding | None:
    """The first false finding of `tried`, which is called with each of `points` as {parameter: coordinate}, or None."""
    for coordinates in points:
        point = dict(zip(where.names, coordinates, strict=True))
        if not (found := tried(point)).holds:
            numbers = {name: str(number) for name, number in point.items()}
            return replace(found, evidence=f"at {listed(point)}: {found.evidence}", where=(where,), point=numbers)
    return None


def _for_instance(gap: Number) -> str:
    point = counterexample(gap)
    if not point:
        return ""
    there = {name: Fraction(text) for name, text in point.items()}
    return f" (for instance {show(symbolic(gap).at(there))} at {listed(point)})"


def tried_at(point: Mapping[str, object], holds: bool, evidence: str, *where: Scope | Game) -> Finding:
    """Return the finding of a search for counterexamples: whether a statement holds at `point`. The finding's evidence names the point."""
    if not holds:
        shows_wrong()
    numbers = {} if holds else {name: str(number) for name, number in point.items()}
    scope = scopes(*where) or (spot(point),)
    return Finding(holds, f"{listed(point)}: {evidence}", scope, searched=True, point=numbers)


def symbolic(number: Number) -> Symbolic:
    """The same number, which must be a `Symbolic`: a rational function of the parameters of a region."""
    assert isinstance(number, Symbolic)
    return number


def as_formula(number: Number, name: str) -> str:
    """Return a symbolic number's formula as text, and record for the certificate, under `name`, that the number equals this formula."""
    text, where = str(number), symbolic(number).region
    assert isinstance(where, Region)
    decided("equal", number, formula(text, where), where=where, name=name)
    return text


def every(cases: Iterable[tuple[object, Finding]], evidence: str = "") -> Finding:
    """Check that all cases (name, finding) hold. The first that fails ends the check, and its name begins the evidence.

    If all hold, the evidence is the argument `evidence`, or if this is empty the first case's evidence.
    """
    parts = []
    for name, case in cases:
        if not case.holds:
            return replace(case, evidence=f"{name}: {case.evidence}")
        parts.append(case)
    return replace(together(parts), evidence=evidence or parts[0].evidence)


def each(name: str, counts: Iterable[int], check: Callable[[int], Finding], evidence: str = "") -> Finding:
    """Check a statement about whole numbers k, such as numbers of "raises" (`name`): `check(k)` for each k in `counts`.

    The finding is about the numbers in `counts` alone, unless the claim has an `argument` that extends it to all others.
    """
    found: dict[object, Finding] = {}

    def named() -> Iterator[tuple[str, Finding]]:
        for k in counts:
            found[k] = check(k)
            yield f"{name} = {k}", found[k]

    both = every(named(), evidence)
    parts = {
        f"{name} = {k}{part and ', '}{part}": scopes
        for k, finding in found.items()
        for part, scopes in (finding.parts or {"": finding.where}).items()
    }
    return replace(both, where=(Cases(name, {k: finding.where for k, finding in found.items()}),), parts=parts)


def true_for(where: Scope, statement: Callable[[], bool], evidence: str) -> Finding:
    """Check that the function `statement` returns True for all parameters of a region; `evidence` says what that shows.

    If a comparison is true for some parameters only, the finding is false, or undecided if a game or a solver made the comparison.
    """
    try:
        with decided_for(where):
            holds = statement()
        return Finding(holds, evidence if holds else f"not so: {evidence}", (where,))
    except DependsOnParametersError as error:
        point = {name: str(number) for name, number in error.fails_at.items()}
        text = f"at {listed(point)}: {error.relation} is false" if point else str(error)
        return Finding(False, text, (where,), point=point, undecided=not point)


def same_tree(where: Region, one: BettingTree, other: BettingTree) -> Finding:
    """Check that two betting trees have the same moves and, for all parameters of a region, the same payoffs."""
    moves = [{name: (node.player, node.actions) for name, node in tree.decisions.items()} for tree in (one, other)]
    if moves[0] != moves[1] or one.leaves.keys() != other.leaves.keys():
        return Finding(False, "the moves differ", (where,))
    if any(leaf.contest != other.leaves[path].contest for path, leaf in one.leaves.items()):
        return Finding(False, "the contests differ", (where,))
    chips = [
        {f"{path}, {part}": getattr(leaf, part) for path, leaf in tree.leaves.items() for part in ("constant", "stake")}
        for tree in (one, other)
    ]
    return equal(chips[0], chips[1], where)


def positive(where: Region, number: Number, text: str) -> Finding:
    """Check that a number is above 0 for all parameters of a region; `text` is the evidence."""
    return true_for(where, lambda: bool(number > 0), text)


def _played(game: Game, play: Profile | Plan) -> Profile:
    return play if isinstance(play, Profile) else game.profile(play)


def play_value(game: Game, play: Profile | Plan) -> Number:
    """The expected chips of player 0 if both players follow `play`, a profile or a plan."""
    return value(game, _played(game, play))


def best_value(game: Game, play: Profile | Plan, player: int) -> Number:
    """Return the expected chips of `player` with a best response to the other player's strategy in `play`."""
    return best_response(game, _played(game, play), player).value


def chips_by_action(game: Game, play: Profile | Plan, node: str) -> dict[str, Any]:
    """{action at `node`: its counterfactual value in chips for the player who acts, for each hand of that player}."""
    owner = game.tree.decisions[node]
    return owner.by_action(action_values(game, _played(game, play), owner.player)[node][1])


def advantage(game: Game, play: Profile | Plan, node: str, action: str, over: str) -> Piecewise:
    """Return the counterfactual value of `action` at `node` minus that of `over`, as a function of the hand on [0, 1]."""
    chips = chips_by_action(game, play, node)
    gain = chips[action] - chips[over]
    assert isinstance(gain, Piecewise)
    return gain


def bet_advantage(game: Game, calls: object) -> Piecewise:
    """Return what player 0's bet gains over the first action, by hand on [0, 1]; player 1 calls with hands in `calls`, such as [(c, 1)]."""
    bet = game.tree.root.actions[-1]
    return advantage(game, {"": {bet: 1}, bet: {"call": calls}}, "", bet, game.tree.root.actions[0])


def call_advantage(game: Game, bets: object) -> Piecewise:
    """Return what player 1's call gains over a fold, by hand on [0, 1]; player 0 bets with hands in `bets`, such as [(0, b), (v, 1)]."""
    bet = game.tree.root.actions[-1]
    return advantage(game, {"": {bet: bets}, bet: {"call": 1}}, bet, "call", "fold")


def one_hand(game: Game, player: int, others: Mapping[str, tuple[Number, int]], place: int) -> Game:
    """Return the game in which `player` has one hand, of rank `place`; `others` has the opponent's hands, {label: (probability, rank)}.

    The hand of higher rank wins. As `others` may be the distribution given this one hand, what is proved holds for dependent hands too.
    """
    mine = {"hand": (Fraction(1), place)}
    return replace(game, deal=independent(others, mine) if player else independent(mine, others), cuts=None)


def below_cell(game: Game, player: int, cells: Sequence[Number], own: int) -> Game:
    """Return a game in which `player` has one hand, which beats the opponent's hands in cells below number `own`, and loses to all others.

    `cells` has the probabilities of the opponent's cells from the worst up, without the last cell, which has the remaining probability.
    """
    others = {str(i): (mass, 2 * i + 1) for i, mass in enumerate([*cells, 1 - sum(cells, Fraction(0))])}
    return one_hand(game, player, others, 2 * own)


def gained(game: Game, plan: Plan, node: str, action: str, over: str) -> Number:
    """Return the counterfactual value of `action` at `node` minus that of `over`, in a game where the player has one hand."""
    chips = chips_by_action(game, plan, node)
    gain: Number = chips[action][0] - chips[over][0]
    return gain


def rewritten(game: Game, change: Callable[[str, Node], Node]) -> Game:
    """The game with `change(name, node)` in the place of each node of its betting tree, from the root down."""

    def visit(name: str, node: Node) -> Node:
        new = change(name, node)
        below = (visit(f"{name}-{step}".strip("-"), child) for step, child in steps_from(new))
        return new if isinstance(new, Leaf) else replace(new, children=tuple(below))

    root = visit("", game.tree.root)
    assert isinstance(root, Decision)
    return replace(game, tree=BettingTree(root))


def determinant(equations: Iterable[str], known: Mapping[str, Number]) -> Number:
    """The determinant of the coefficients of a, b and c in three linear expressions, given as texts; `known` has their other symbols."""
    zero = {**known, **dict.fromkeys("abc", Fraction(0))}
    rows = [[formula(text, {**zero, x: Fraction(1)}) - formula(text, zero) for x in "abc"] for text in equations]
    (p, q, r), (u, v, w), (x, y, z) = rows
    return p * (v * z - w * y) - q * (u * z - w * x) + r * (u * y - v * x)


def _never_below_zero(p: Coefficients, low: Number, high: Number, halvings: int = 12) -> bool:
    """True if a polynomial is at least 0 on [low, high]: its Bernstein coefficients there tell, or those on halves of it.

    Raises:
        ArithmeticError: they do not tell, as where the polynomial only touches 0.
    """
    coefficients = bernstein(p, low, high)
    if all(c >= 0 for c in coefficients):
        return True
    if not (coefficients[0] >= 0 and coefficients[-1] >= 0):  # the values at the ends
        return False
    if not halvings:
        raise ArithmeticError(f"the sign of a polynomial of degree {len(p) - 1} is not decided near {show(low)}")
    middle = (low + high) / 2
    halves = ((low, middle), (middle, high))
    return all(_never_below_zero(p, *half, halvings - 1) for half in halves)


def _sign_inside(f: Piecewise, left: Number, right: Number) -> int | None:
    signs: set[int | None] = set()
    for (a, b), p in zip(pairwise(f.cuts), f.pieces, strict=True):
        low, high = (left if a <= left else a), (right if right <= b else b)
        if low < high:
            signs.add(_sign(p, low, high))
    return signs.pop() if len(signs) == 1 else None


def _sign(p: Coefficients, low: Number, high: Number) -> int | None:
    if not p:
        return 0
    middle = at_point(p, (low + high) / 2)
    for sign in (1, -1):
        if _never_below_zero(tuple(sign * c for c in p), low, high) and sign * middle > 0:
            return sign
    return None


def lowest(f: Piecewise) -> Number:
    """Return the lowest hand at which `f`, a function on [0, 1], is not 0."""
    return next(cut for cut, piece in zip(f.cuts, f.pieces, strict=False) if piece)


def surely(node: Decision, *preferred: str) -> dict[str, int]:
    """Return {action of `node`: probability}: 1 for the first of the actions `preferred` that the node has, 0 for the rest."""
    chosen = next(action for action in preferred if action in node.actions)
    return {action: int(action == chosen) for action in node.actions}


def signs_between(f: Piecewise, *cuts: Number, claimed: Sequence[int] = ()) -> list[int | None]:
    """Return the sign of `f` between each two neighbouring cuts: +1, -1, 0 if `f` is 0 throughout, None if its sign changes.

    Single hands between the cuts may be exceptions. A `Trace` that watches marks a sign unlike the `claimed` one as proof of an error.
    """
    exact = [Fraction(cut) if isinstance(cut, int) else cut for cut in cuts]
    with watched_by(None):
        signs = [_sign_inside(f, left, right) for left, right in pairwise(exact)]
    for sign, ends, said in zip(signs, pairwise(exact), claimed or signs, strict=True):
        if sign is not None:
            decided("signs", f, *ends, sign, asked=sign == said)
    return signs


def spread(masses: Sequence[Number]) -> Piecewise:
    """The density on [0, 1] that spreads each of these probabilities evenly over a cell; all cells are equally long."""
    cuts = [Fraction(k, len(masses)) for k in range(len(masses) + 1)]
    cells = zip(pairwise(cuts), masses, strict=True)
    return Piecewise.steps([(left, right, mass * len(masses)) for (left, right), mass in cells])


def rises(f: Piecewise, left: Number, right: Number) -> bool:
    """True if `f` never falls on [0, 1], jumps included, and strictly rises inside (left, right)."""
    with watched_by(None):
        holds = _rises(f, left, right)
    if holds:
        decided("rises", f, left, right)
    return holds


def _rises(f: Piecewise, left: Number, right: Number) -> bool:
    for i, (a, b, p) in enumerate(zip(f.cuts, f.cuts[1:], f.pieces, strict=False)):
        slope = tuple(k * c for k, c in enumerate(p))[1:]
        strictly = a < right and left < b
        if not _never_below_zero(slope, a, b) or (strictly and not at_point(slope, (a + b) / 2) > 0):
            return False
        if i + 1 < len(f.pieces) and not at_point(f.pieces[i + 1], b) >= at_point(p, b):
            return False
    return True


def at_point(polynomial: Coefficients, x: Number) -> Number:
    """The value at `x` of a polynomial, given by its coefficients from the constant one up."""
    return sum((c * x**k for k, c in enumerate(polynomial)), Fraction(0))


def _unit(game: Game, player: int, hand: str) -> Array:
    """The function that is 1 for this hand of `player` and 0 for the others."""
    return np.array([Fraction(label == hand) for label in game.finite_deal().labels[player]], object)


def expected(
    game: Game,
    profile: Profile,
    player: int,
    hand: str,
    plan: Mapping[str, str],
    node: str = "",
    opponent: str | None = None,
) -> Number:
    """Return the expected chips of `player`, who has `hand` at `node` and plays `plan`; the opponent plays as in `profile`.

    `plan` is {node: action}. If `opponent`, a hand of the opponent, is given, return only the part that comes from this hand.
    """
    i = game.finite_deal().labels[player].index(hand)
    only, rows = _unit(game, player, hand), profile.plan()
    for at, action in plan.items():
        rows[at] = {other: row * (1 - only) + only * int(other == action) for other, row in rows[at].items()}
    changed = game.profile(rows)
    met = hand_values(game, changed, player)[node][0][i]
    against = None if opponent is None else _unit(game, 1 - player, opponent)
    chips: Number = hand_values(game, changed, player, against)[node][1][i] / met
    return chips


def belief(game: Game, profile: Profile, player: int, hand: str, node: str) -> tuple[Number, dict[str, Number]]:
    """Return P(the opponent's play leads to `node`) given `player`'s `hand`, and {opponent's hand: its probability given `node` too}."""
    deal = game.finite_deal()
    i = deal.labels[player].index(hand)
    led = reach_probs(game, profile, 1 - player, node)
    met = deal.mass(player, led)[i]
    distribution = {
        label: deal.mass(player, led * _unit(game, 1 - player, label))[i] / met for label in deal.labels[1 - player]
    }
    return met / deal.prior(player)[i], distribution
