"""Pot-limit poker, after Cutler (1975)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from relance.model.blueprint import Blueprint, Parameters, Printed, Source, counted
from relance.model.deal import Deal
from relance.model.distributions import uniform
from relance.model.numbers import Number
from relance.model.parameters import ANTE, Flag, WholeNumber
from relance.model.strategy import Plan
from relance.model.tree import MOST_BETS, BettingTree, Decision, decision, facing_a_bet, showdown


def in_cutler(where: str) -> Source:
    """Return the `Source` for a place, such as "Section 2", in Cutler's paper of 1975."""
    journal = "American Mathematical Monthly 82(4), 368-376"
    return Source("cutler-1975", "W. H. Cutler", "An Optimal Strategy for Pot-Limit Poker", 1975, where, journal)


OURS = Source(
    "relance", "Relance", "Pot-limit poker with check-raises, which Cutler leaves open", 2026, "docs/check_raise.md"
)

RAISES = WholeNumber(2, "how many raises are allowed", most=MOST_BETS - 1)
CHECK_RAISE = Flag(False, "whether player 0 may raise after a check")


def _sizes(ante: Number, raises: int) -> list[Number]:
    """The bet and the raises, each the size of the pot: 2, 6, 18, ... antes."""
    return [2 * ante * 3**k for k in range(raises + 1)]


def force_in(raises: int, ante: Number) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of force-in, pot-limit poker in which player 0 must bet.

    Rules:
        Each player antes `ante` chips and gets a hand, independent and uniform on [0, 1]. Player 0 must bet the pot. Player 1 folds, calls
        or raises by the size of the pot, and so on, at most `raises` times in all. After a call the higher hand wins the pot.
    """
    return BettingTree(facing_a_bet(1, ante, _sizes(ante, raises))), uniform()


def pot_limit(raises: int, check_raise: bool, ante: Number) -> tuple[BettingTree, Deal]:
    """Return the betting tree and the deal of pot-limit poker.

    Rules:
        Each player antes `ante` chips and gets a hand, independent and uniform on [0, 1]. Player 0 checks or bets the pot.
        After a check player 1 checks, and the higher hand wins, or bets the pot.
        A player who faces a bet folds, calls, or raises by the size of the pot, at most `raises` times in all; but after a
        check player 0 may not raise unless `check_raise` is true. After a call the higher hand wins the pot.
    """
    sizes = _sizes(ante, raises)
    after_check = decision(1, check=showdown(ante), bet=facing_a_bet(0, ante, sizes if check_raise else sizes[:1]))
    return BettingTree(decision(0, check=after_check, bet=facing_a_bet(1, ante, sizes))), uniform()


def stages(raises: int) -> dict[str, str]:
    """Return {"alpha1": formula, "beta1": formula, ...}, with an alpha and a beta for each raise from 1 to `raises` (Section 4).

    Say that player A bets for value (k = 1) or makes raise k - 1 for value with a share V of all hands. The opponent B then makes raise k
    for value with a share alpha_k V. A calls raise k or reraises for value with a share beta_k V. The alpha after the last raise is 0.
    """
    out = {f"alpha{raises + 1}": "0"}
    for k in range(raises, 0, -1):
        out[f"alpha{k}"] = f"1/(4 + 3*alpha{k + 1})"
        out[f"beta{k}"] = f"(1 - alpha{k}*alpha{k + 1})/2"
    return out


def _force_in_numbers(parameters: Parameters) -> dict[str, str]:
    return {**stages(parameters["raises"]), "a": "1/3", "d": "1/3"} if parameters["raises"] else {"d": "1/3"}


def pot_limit_numbers(parameters: Parameters) -> dict[str, str]:
    """Return {symbol: formula} for the solution of pot-limit poker: what `stages` returns, and the thresholds a, b, c and d.

    From a on, player 0 bets for value; from c on, player 1 does so after a check. From b on, player 0 calls that bet; from d on, player 1
    calls player 0's bet. The thresholds solve Cutler's equations (8) to (11), in which alpha is alpha1.
    """
    return {
        **stages(parameters["raises"]),
        "a": "(5 + 9*alpha1)/(6 + 9*alpha1)",
        "d": "(1 + alpha1 - alpha1*a)/2",
        "c": "(2 + 3*alpha1)/3 - alpha1*a",
        "b": "2*c - a",
    }


def after_a_bet(node: Decision, name: str, numbers: Mapping[str, Number], stage: int = 1) -> Plan:
    """Return the plan from the decision `node` on. There a player faces a bet (stage k = 1) or raise number k - 1 (from stage k = 2 on).

    Let V be the share of all hands with which the opponent may make this bet or raise for value. The player makes raise number k with the
    best alpha_k V of all hands, and as a bluff with the worst alpha_k V / 2. Of the other hands, the player calls a bet with those above
    the threshold d. The player calls a raise with those among the best beta_(k - 1) W of all hands, where W is the share of hands with
    which the player may have made the last bet or raise of their own for value.

    Args:
        node: the decision.
        name: its name.
        numbers: the values of alpha1, beta1, ..., a and d, as in `pot_limit_numbers`.
        stage: k, which is one more than the number of raises so far.
    """
    if stage == 1 and "raise" not in node.actions:
        return {name: {"call": [(numbers["d"], 1)]}}
    high = 1 - numbers["a"]  # the share of hands that bet for value; each raise multiplies it by alpha
    for k in range(1, stage):
        high = high * numbers[f"alpha{k}"]
    call = numbers["d"] if stage == 1 else 1 - high / numbers[f"alpha{stage - 1}"] * numbers[f"beta{stage - 1}"]
    if "raise" not in node.actions:
        return {name: {"call": [(call, 1)]}}
    up = high * numbers[f"alpha{stage}"]
    plan = {name: {"call": [(call, 1 - up)], "raise": [(0, up / 2), (1 - up, 1)]}}
    child = node.child("raise")
    assert isinstance(child, Decision)
    return {**plan, **after_a_bet(child, f"{name}-raise" if name else "raise", numbers, stage + 1)}


def _force_in_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    return after_a_bet(tree.root, "", numbers)


def pot_limit_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """Return Section 3's plan: both bet the best hands and half as many of the worst; `after_a_bet` has the play after player 0's bet."""
    a, b, c = (numbers[symbol] for symbol in "abc")
    return {
        "": {"bet": [(0, (1 - a) / 2), (a, 1)]},
        "check": {"bet": [(0, (1 - c) / 2), (c, 1)]},
        "check-bet": {"call": [(b, 1)]},
        **after_a_bet(tree.decisions["bet"], "bet", numbers),
    }


def _check_raise_numbers(parameters: Parameters) -> dict[str, str]:
    """The solution with check-raises: a and d as in `pot_limit_numbers`, h = 1 - a, and q, how often player 0 bets with hands above a."""
    return {**stages(parameters["raises"]), "h": "1/(3 + 3*alpha1)", "a": "1 - h", "d": "2/3 - h/2", "q": "3*h/2"}


def check_raise_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """Return the plan with check-raises. The hands to bet are those above a, for value, and those below (1 - a)/2, as bluffs.

    With each of these hands player 0 bets with probability q, and player 1 always bets after a check. A player who faces a bet plays by
    `after_a_bet`, whether or not there was a check before. `numbers` has the values of a, q and the symbols that `after_a_bet` uses.
    """
    a, q = numbers["a"], numbers["q"]
    return {
        "": {"bet": [(0, (1 - a) / 2, q), (a, 1, q)]},
        "check": {"bet": [(0, (1 - a) / 2), (a, 1)]},
        **after_a_bet(tree.decisions["check-bet"], "check-bet", numbers),
        **after_a_bet(tree.decisions["bet"], "bet", numbers),
    }


def raised(name: str) -> Callable[[Parameters], str]:
    """Return a function from a game's parameters to its short name, such as "Pot limit, 2 raises"; `name` comes first."""

    def short(parameters: Parameters) -> str:
        check_raises = ", check-raises" * parameters["check_raise"]
        return f"{name}, {counted(parameters['raises'], 'raise')}{check_raises}"

    return short


FORCE_IN = Blueprint(
    name="force_in",
    title="Cutler's force-in",
    short=lambda parameters: f"Force-in, {counted(parameters['raises'], 'raise')}",
    result="Player 0 must bet the pot, and whoever raises does so with the best hands and half as many bluffs, the worst of all.",
    source=in_cutler("Section 2"),
    parameters={"raises": RAISES, "ante": ANTE},
    build=force_in,
    printed=[Printed(source=in_cutler("Sections 2 and 4"), numbers=_force_in_numbers, plan=_force_in_plan)],
    samples=[{"raises": raises} for raises in (1, 2, 3, 0)],  # with 0 player 0 never acts
)

POT_LIMIT = Blueprint(
    name="pot_limit",
    title="Cutler's pot-limit poker",
    short=raised("Pot limit"),
    result="Bets and raises of the size of the pot: acting second is worth 0.09 antes a hand, whether one raise is allowed or any "
    "number. With check-raises, which the paper leaves open, it is worth [a tenth less](../check_raise.md).",
    source=in_cutler("Sections 3 to 5"),
    parameters={
        "raises": RAISES,
        "check_raise": CHECK_RAISE,
        "ante": ANTE,
    },
    build=pot_limit,
    printed=[
        Printed(
            source=in_cutler("Sections 3 and 4"),
            numbers=pot_limit_numbers,
            plan=pot_limit_plan,
            where=["raises*check_raise == 0"],
        ),
        Printed(source=OURS, numbers=_check_raise_numbers, plan=check_raise_plan),
    ],
    samples=[*({"raises": raises} for raises in range(4)), {"raises": 1, "check_raise": True}],
)
