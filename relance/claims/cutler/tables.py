"""Checks of Cutler's tables for five-card hands, and of the rule by which they follow from the continuous game (Section 6)."""

from __future__ import annotations

import math

import numpy as np

from relance.claims.cutler.endless_game import cut_off
from relance.claims.cutler.first_game import ROOT
from relance.claims.prelude import *
from relance.envs.cutler_cards import PRINTED_RAISES, TABLES, TableRow, continuous_thresholds
from relance.model.numbers import fraction
from relance.model.playing_cards.classes import deck
from relance.solvers.exact import gains

UNPRINTED = "A15"
"""The row of Cutler's tables whose answer to one more raise is not printed."""


def best_bluffs(game: Game, plan: Plan) -> Plan:
    """Return `plan`, of pot limit, changed so that the best hands that would otherwise fold make each bluff-raise, as in the tables."""
    profile, rows = game.profile(plan), dict(plan)
    for name, node in game.tree.decisions.items():
        if "raise" in node.actions:
            amount, calls = profile.row(name, "raise").integral() / 3, lowest(profile.row(name, "call"))
            raised = 1 - 2 * amount
            rows[name] = {"call": [(calls, raised)], "raise": [(calls - amount, calls), (raised, ONE)]}
    return rows


DEPTHS = (PRINTED_RAISES + 2, PRINTED_RAISES + 3)
"""The numbers of raises after which the solution of pot limit with unlimited raises is cut off: more than the tables have."""


def _solution(raises: int) -> Profile:
    """The solution for unlimited raises, cut off after this many raises, with bluff-raises as in the tables."""
    game, plan = cut_off(raises)
    return game.profile(best_bluffs(game, plan))


def _way(profile: Profile, player: int, hand: Number) -> tuple[str, int, str]:
    """Return how a hand meets a player who always raises: the first action, the number of raises, and the answer to one more."""

    def taken(name: str) -> str:
        return next(action for action in profile.tree.decisions[name].actions if profile.row(name, action)(hand) == 1)

    if player == 0 and taken("") == "check":
        return "check", 0, taken("check-bet")
    node, raises = "bet-raise" if player == 0 else "bet", 0
    while taken(node) == "raise":
        node, raises = f"{node}-raise-raise", raises + 1
    return "bet" if player == 0 else taken("check"), raises, taken(node)


def _parts(profile: Profile, player: int, low: Number, high: Number) -> list[Number]:
    """Return the middles of the intervals in [low, high] played in one way and at least a card hand wide, or else of the widest."""
    within = {cut for name in profile.tree.of(player) for row in profile[name] for cut in row.cuts if low < cut < high}
    spans = sorted(((b - a, a) for a, b in pairwise(sorted([low, *within, high]))), reverse=True)
    wide = [span for span in spans if span[0] * deck().hands >= 1]
    return [start + width / 2 for width, start in wide or spans[:1]]


@kept
def borders() -> dict[str, Number]:
    """{row of Cutler's tables: the exact hand in [0, 1] where the row starts in pot limit with unlimited raises, a number of Q(sqrt 7)}."""
    symbols = {"s": ROOT, **Numbers(continuous_thresholds()).at(s=ROOT)}
    return {row.name: formula(row.threshold, symbols) for table in TABLES for row in table}


@kept
def _ways(raises: int) -> list[tuple[TableRow, list[tuple[str, int, str]]]]:
    """Each row of the tables, with all ways in which the solution, cut off after this many raises, plays hands of this row; see `_way`."""
    profile = _solution(raises)
    out = []
    for player, table in enumerate(TABLES):
        starts = [borders()[row.name] for row in table]
        spans = zip(table, starts, [*starts[1:], ONE], strict=True)
        out += [(row, [_way(profile, player, h) for h in _parts(profile, player, *span)]) for row, *span in spans]
    return out


@unproved("any number of raises")
def procedures(n: Numbers, checks: str, folds: str) -> Finding:
    """Check how Cutler's tables play the hands of each row: the first action, the number of raises, and the answer to one more raise.

    `checks` names the rows whose first action is a check; the others bet. `folds` names those whose last answer is a fold; the others call.
    """
    return each("raises", DEPTHS, partial(_procedures, n, checks, folds))


def _procedures(n: Numbers, checks: str, folds: str, raises: int) -> Finding:
    off = []
    for row, ways in _ways(raises):
        first = "check" if row.name in checks.split() else "bet"
        terminal = "fold" if row.name in folds.split() else "call"
        for played in ways:
            answer = terminal if row.name == UNPRINTED else played[2]
            same = played[0] == first == row.first and played[1] == n[row.name] == row.raises
            if not same or not answer == terminal == row.terminal:
                off.append(f"{row.name}: {played[0]}, {played[1]} raises, {played[2]}")
    text = f"{len(n)} rows say what the solution does between their thresholds"
    return Finding(not off, "; ".join(off) or text, scopes(make("pot_limit", raises=raises)))


@unproved("any number of raises")
def table_rows(n: Numbers) -> Finding:
    """Check that each row starts at an end of the class with the row's threshold, or in the class's middle if two rows share the class."""
    return each("raises", DEPTHS, partial(_table_rows, n))


def _table_rows(n: Numbers, raises: int) -> Finding:
    cards = deck()
    profile = _solution(raises)
    cuts = [{cut for name in profile.tree.of(player) for row in profile[name] for cut in row.cuts} for player in (0, 1)]
    off = []
    for player, table in enumerate(TABLES):
        for row in table[1:]:
            threshold = borders()[row.name] * cards.hands
            index = int(np.searchsorted(cards.below, float(threshold), side="right")) - 1
            low, high = int(cards.below[index]), int(cards.below[index + 1])
            if not low <= threshold <= high:
                raise ArithmeticError(
                    f"row {row.name}: as a float its threshold {float(threshold)} lies in another class of hands"
                )
            allowed = [Fraction(low + high, 2)] if row.split else [Fraction(low), Fraction(high)]
            if borders()[row.name] not in cuts[player] or n[row.name] not in allowed:
                away = float(n[row.name] - threshold)
                off.append(
                    f"{row.name} starts above {n[row.name]} hands, {away:+.0f} from the threshold in {cards.names[index]}"
                )
    text = "; ".join(off) or f"{len(n)} rows start at the class of their threshold"
    return Finding(not off, text, scopes(make("pot_limit", raises=raises)))


def rank_rule(n: Numbers) -> Finding:
    """Check that a best response gains approximately the printed `error` in pot limit if the card hand of rank n plays as n/2,598,960.

    "Approximately" means up to a factor of `FACTOR`.
    """
    where: dict[object, tuple[Scope, ...]] = {}
    found, good = [], True
    for raises in range(0, PRINTED_RAISES + 1, 2):
        game = make("pot_limit", raises=raises)
        where[raises] = scopes(game)
        rows = {
            node: {action: [tuple(map(nearest_below, span)) for span in spans] for action, spans in by_action.items()}
            for node, by_action in best_bluffs(
                game, game.blueprint.printed[0].plan(game.printed_numbers()[1], game.tree)
            ).items()
        }
        profile = game.profile(rows)
        most, kept = max(gains(game, profile)), max(_kept(game, profile, player) for player in (0, 1))
        found.append(f"{float(most * deck().hands):.2f}")
        good &= bool(n["error"] <= FACTOR * kept and most <= FACTOR * n["error"])
    text = f"with 0, 2, ... {PRINTED_RAISES} raises a player can gain {', '.join(found)} times 1/{deck().hands}"
    return Finding(good, text, tolerance=f"a factor of {FACTOR}").for_each("raises", where)


FACTOR = Fraction(5, 2)
"""The factor by which a number that the print calls "about" may be wrong."""


def nearest_below(line: Number) -> Fraction:
    """Return the last multiple of 1/2,598,960 below the threshold `line`: the card hand of rank n plays as n/2,598,960. 0 and 1 stay."""
    if line in (0, 1):
        return Fraction(int(line))
    return Fraction(math.ceil(line * deck().hands) - 1, deck().hands)


def _kept(game: Game, profile: Profile, player: int) -> Number:
    """Return what a player gains with a best response whose thresholds are moved to the nearest border between two card hands."""
    answer = best_response(game, profile, player).strategy
    rows = profile.plan()
    for name in game.tree.of(player):
        rows[name] = {
            action: _rounded(row) for action, row in game.tree.decisions[name].by_action(answer.at[name]).items()
        }
    won = play_value(game, rows) - play_value(game, profile)
    return -won if player else won


def _rounded(row: Piecewise) -> Piecewise:
    hands = deck().hands
    cuts = [Fraction(round(fraction(cut) * hands), hands) for cut in row.cuts]
    return Piecewise.steps([(a, b, height) for (a, b), height in zip(pairwise(cuts), row.values(), strict=True)])
