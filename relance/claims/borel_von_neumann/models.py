"""Checks of claims on the models of Borel and von Neumann (Sections 2 and 3): rules, values, equations of indifference."""

from __future__ import annotations

from relance.claims.domain import spelled
from relance.claims.prelude import *
from relance.claims.symbolic import Symbolic
from relance.claims.trace import dealt
from relance.solvers.exact import reach_probs

# --- rules ------------------------------------------------------------------------------------------------------------


def tree(n: Numbers, game: str, bets: Mapping[str, str], given: Sequence[str]) -> Finding:
    """Check what player I wins at each terminal node with the higher hand. At a showdown, marked "+-", the lower hand loses as much.

    `bets` is {parameter of `game` that is a bet: its symbol}, and `given` has the conditions on these symbols.
    """
    where = region(", ".join(bets.values()), *given)
    made = make(game, **{name: where[symbol] for name, symbol in bets.items()})
    won = {}
    for history in (history for history, _ in made.tree.walk() if "-".join(history) in made.tree.leaves):
        taken = {"-".join(history[:k]): action for k, action in enumerate(history)}
        plan = {name: surely(node, taken.get(name, ""), *node.actions) for name, node in made.tree.decisions.items()}
        hands = (one_hand(made, 0, {"other": (ONE, rank)}, 1) for rank in (0, 2))
        with_higher, with_lower = (play_value(hand, plan) for hand in hands)
        mark = "" if with_higher == with_lower else " +-" if with_higher == -with_lower else " ?"
        won["-".join(history) + mark] = with_higher
    return equal(won, n.at(**where), where).only_if(list(won) == list(n))


def ties(n: Numbers, cells: str = "2") -> Finding:
    """Check the printed chance that two uniform hands share one of k equal cells. This chance must be below any p > 0 if k >= `cells`/p."""
    where, few = region("k", "k > 1"), region("k, p", "k > 1", "0 < p <= 1", f"k*p >= {cells}")
    game, width = make("la_relance"), 1 / where["k"]
    met, _ = hand_values(game, game.uniform(), 0, Piecewise.steps([(ZERO, width, ONE)]))[""]
    same = symbolic(where["k"] * met.integral(ZERO, width))
    less = positive(few, few["p"] - same.at(few), f"with {cells}/p cells or more the chance is below p")
    return together({"same cell": equal({"same": same}, n.at(**where), where), "less than p": less})


@unproved("decks of more cards")
def dependent_hands(n: Numbers, game: str = "one_card_poker", count: str = "cards") -> Finding:
    """Check for 3 to 6 cards (parameter `count` of `game`) that the opponent of a player who has a card is less likely to have it."""

    def dependent(k: int) -> Finding:
        made = make(game, **{count: k})
        hands, profile = range(made.deal.size(0)), made.uniform()
        joint = [[dealt(made, profile, i, j) for j in hands] for i in hands]
        before = [sum(column) for column in zip(*joint, strict=True)]
        after = [row[i] / sum(row) for i, row in enumerate(joint)]
        less = all(chance < earlier for chance, earlier in zip(after, before, strict=True))
        return Finding(less, str(made), (At(made),))

    return each(count, range(3, 7), dependent, "my own card is more likely to be the other's before I see it")


# --- indifference -----------------------------------------------------------------------------------------------------


def _solved(where: Region, equations: Mapping[str, Number]) -> tuple[dict[str, Symbolic], Region, dict[str, str]]:
    """Solve linear equations in turn, each with the values of the symbols solved before and only in the region that these values leave.

    Returns:
        The only value of each symbol, which may name symbols after it; the region of the other symbols in which the solution lies; and the
        solution as formulas of these.
    """
    left, known, roots = where, dict[str, str](), dict[str, Symbolic]()
    for symbol, expression in equations.items():
        values = {name: formula(text, left) for name, text in known.items()}
        reduced = symbolic(symbolic(expression).at({**left, **values}))
        slope = reduced.derivative(symbol)
        if slope.derivative(symbol) != 0:
            raise ValueError(f"{show(reduced)} = 0 is not linear in {symbol}")
        roots[symbol] = symbolic(left[symbol] - reduced / slope)
        text = as_formula(roots[symbol], symbol)
        known = {**{name: spelled(old, {symbol: text}) for name, old in known.items()}, symbol: text}
        others = ", ".join(name for name in left if name != symbol)
        left = region(others, *(spelled(condition, {symbol: text}) for condition in left.conditions))
    return roots, left, known


def linear_solution(where: Region, equations: Mapping[str, Number]) -> dict[str, str]:
    """Solve linear equations {symbol: expression that is 0} in turn: each symbol as a formula of those not solved for.

    Raises:
        DependsOnParametersError: an equation cannot be solved for its symbol everywhere.
        ValueError: an equation is not linear.
    """
    return _solved(where, equations)[2]


def only_solution_is(n: Numbers, where: Region, equations: Mapping[str, Number]) -> Finding:
    """Check that the printed numbers alone solve linear equations, {symbol: expression that is 0}."""
    roots, there, known = _solved(where, equations)
    values = {**there, **{name: formula(text, there) for name, text in known.items()}}
    found = {symbol: root.at(values) for symbol, root in roots.items()}
    return equal(found, {symbol: n.number(symbol, there) for symbol in found}, there)


def returns(n: Numbers, game: str) -> Finding:
    """Check printed winnings in La Relance or von Neumann's poker (`game`); the paper counts a player's net chips plus the ante, 1 chip.

    I bets hands below a and above b, or in La Relance above a. II calls above c, and a < c < b. A number such as "bet at a" is what I wins
    by this action with this hand. "call at c" is II's gain by a call over a fold, times the chance of a bet. "sum" is what both win.
    """
    where = region("B, a, b, c", "B > 0", "0 < a < c", "c < b", "b < 1")
    made = make(game, bet=where["B"])
    plan = with_numbers(made, {**where, "l": where["a"]})
    profile = made.profile(plan)
    first = chips_by_action(made, profile, "")
    won = {f"{name} at {x}": chips(where[x]) + 1 for name, chips in first.items() for x in "ab"}
    won["call at c"] = advantage(made, plan, "bet", "call", "fold")(where["c"])
    both = (hand_values(made, profile, player)[""][1] for player in (0, 1))
    won["sum"] = sum((made.deal.total(chips) + 1 for chips in both), ZERO)
    return equal(won, n.at(**where), where)


def proportion(n: Numbers) -> Finding:
    """Check the chance that a bet in La Relance is a bluff, and II's gain by calling with c, if I bets a share pi of the hands below c."""
    where = region("B, c, pi", "B > 0", "0 < c < 1", "0 < pi < 1")
    game, at = make("la_relance", bet=where["B"]), n.at(**where)
    inside = region("B, pi", "B > 0", "0 < pi < 1")
    profile = game.profile(
        {"": {"bet": [(0, where["c"], where["pi"]), (where["c"], 1)]}, "bet": {"call": [(where["c"], 1)]}}
    )
    bets = reach_probs(game, profile, 0, "bet")
    gain = advantage(game, profile, "bet", "call", "fold")(where["c"])
    c = make("la_relance", bet=inside["B"]).printed_numbers()[1]["c"]
    only = only_solution_is(n, inside, {"pi": symbolic(gain).at({**inside, "c": c})})
    found = {"belief": bets.integral(ZERO, where["c"]) / bets.integral(), "gain": gain}
    same = equal(found, {name: at[name] for name in found}, where)
    return same.only_if(only).only_if(n.number("pi", inside) == 1 - c)


def indifferent_thresholds(n: Numbers) -> Finding:
    """Check von Neumann's (6) to (8), the gains by a bet with a and b and by a call with c. All are 0 only at the printed thresholds."""
    where = region("B, a, b, c", "B > 0", "0 < a < c", "c < b", "b < 1")
    game = make("von_neumann", bet=where["B"])
    plan = with_numbers(game, where)
    bets = advantage(game, plan, "", "bet", "check")
    calls = advantage(game, plan, "bet", "call", "fold")(where["c"])
    gains = {"a": bets(where["a"]), "b": bets(where["b"]), "c": calls}
    found = {"(6)": calls, "(7)": gains["a"], "third": gains["b"], "(8)": gains["b"] / where["B"]}
    printed = n.at(**where)
    return equal(found, {name: printed[name] for name in found}, where).only_if(only_solution_is(n, where, gains))
