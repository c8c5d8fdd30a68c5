"""Pot-limit poker with real five-card hands, after Cutler (1975), Section 6, with its tables for both players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from relance.envs.cutler import CHECK_RAISE, RAISES, in_cutler, pot_limit, pot_limit_numbers, raised
from relance.model.blueprint import Blueprint, Misprint, Parameters, Printed
from relance.model.cells import averaged
from relance.model.deal import FiniteDeal
from relance.model.distributions import uniform
from relance.model.numbers import Number, fraction
from relance.model.parameters import ANTE, Flag, WholeNumber
from relance.model.piecewise import Piecewise
from relance.model.playing_cards.card_deal import CardDeal, TwoDecks
from relance.model.playing_cards.classes import deck
from relance.model.strategy import Plan, Profile
from relance.model.tree import BettingTree

PRINTED_RAISES = 8
"""The most raises that the tables cover: four by each player."""

_ONE = Fraction(1)

_SECTION_6 = in_cutler("Section 6")


def five_card(
    raises: int, check_raise: bool, ante: Number, removal: bool, ranks: int, suits: int
) -> tuple[BettingTree, FiniteDeal]:
    """Return the betting tree and the deal of pot-limit poker with five-card hands.

    Rules:
        Each player antes `ante` chips and is dealt five cards from one deck of the highest `ranks` ranks in `suits` suits;
        with `removal` false, each player is dealt from a separate deck. The betting is that of `pot_limit`. After a call the higher hand
        wins the pot; equal hands split it. A hand is known by its class, of which the full deck has 7,462. In OpenSpiel chance deals
        classes, first player 0's, then player 1's given the first, with the exact probabilities that real cards have.
    """
    tree, _ = pot_limit(raises, check_raise, ante)
    cards = deck(ranks, suits)
    return tree, CardDeal(cards) if removal else TwoDecks(cards)


@dataclass(frozen=True)
class TableRow:
    """A row of the tables: how to play its first class and all classes above it, up to the next row.

    Attributes:
        name: A2 is the second row of the first player's table, B3 the third row of the second player's.
        start: the first class, corrected where the print is garbled.
        split: True if the first class is also in the row below, so that half of its hands are played as each row says.
        first: the action when nobody has bet: "check" or "bet".
        raises: how often the player raises.
        terminal: the answer to one more raise, or, from a player who has not raised, to a bet: "fold" or "call".
        bluff: True if the last raise is a bluff, so that the hand folds if no raise is allowed.
        threshold: where the row starts in the continuous solution, as a formula in the names of `continuous_thresholds`.
        printed: the start as printed, if that is far from the threshold.
    """

    name: str
    start: str
    first: str
    raises: int
    terminal: str
    threshold: str = "0"
    split: bool = False
    bluff: bool = False
    printed: str = ""


TABLES: tuple[tuple[TableRow, ...], tuple[TableRow, ...]] = (
    (
        TableRow("A1", "", "bet", 0, "fold"),
        TableRow("A2", "J9632", "check", 0, "fold", "(1 - a)/2", split=True),
        TableRow("A3", "22Q43", "check", 0, "call", "b"),
        TableRow("A4", "KKJ86", "bet", 0, "fold", "a"),
        TableRow("A5", "9922Q", "bet", 1, "fold", "called1 - bluffs2", bluff=True),
        TableRow("A6", "997710", "bet", 0, "call", "called1"),
        TableRow("A7", "9 high straight", "bet", 1, "fold", "raised2", split=True),
        TableRow("A8", "K8752 flush", "bet", 2, "fold", "called3 - bluffs4", bluff=True),
        TableRow("A9", "K10972 flush", "bet", 1, "call", "called3"),
        TableRow("A10", "AAAQQ", "bet", 2, "fold", "raised4"),
        TableRow("A11", "88889", "bet", 3, "fold", "called5 - bluffs6", bluff=True),
        TableRow("A12", "8888K", "bet", 2, "call", "called5"),
        TableRow("A13", "7 high straight flush", "bet", 3, "fold", "raised6"),
        TableRow("A14", "J high straight flush", "bet", 3, "call", "called7"),
        TableRow("A15", "A high straight flush", "bet", 4, "call", "raised8"),
    ),
    (
        TableRow("B1", "", "bet", 0, "fold"),
        TableRow("B2", "QJ764", "check", 0, "fold", "(1 - c)/2"),
        TableRow("B3", "AKQJ7", "check", 1, "fold", "d - bluffs1", bluff=True),
        TableRow("B4", "22Q43", "check", 0, "call", "d"),
        TableRow("B5", "77AQ5", "bet", 0, "call", "c"),
        TableRow("B6", "222AK", "bet", 1, "fold", "raised1"),
        TableRow("B7", "JJJ92", "bet", 2, "fold", "called2 - bluffs3", bluff=True),
        TableRow("B8", "JJJK3", "bet", 1, "call", "called2"),
        TableRow("B9", "555AA", "bet", 2, "fold", "raised3", printed="555QQ"),
        TableRow("B10", "JJJ1010", "bet", 3, "fold", "called4 - bluffs5", bluff=True, printed="JJJAA"),
        TableRow("B11", "JJJAA", "bet", 2, "call", "called4", printed="QQQ44"),
        TableRow("B12", "QQQQ10", "bet", 3, "fold", "raised5"),
        TableRow("B13", "AAAA5", "bet", 4, "fold", "called6 - bluffs7", bluff=True),
        TableRow("B14", "AAAA6", "bet", 3, "call", "called6"),
        TableRow("B15", "K high straight flush", "bet", 4, "fold", "raised7"),
        TableRow("B16", "A high straight flush", "bet", 4, "call", "called8"),
    ),
)
"""The tables of Section 6. "JJK3" is read as JJJK3. The second player's answers to a check are printed only up to 222AQ; with
better hands that player bets, as in the continuous solution. At nodes that a hand never reaches, the hand folds."""


def continuous_thresholds(raises: int | None = None) -> dict[str, str]:
    """Return {name: formula} of the solution on [0, 1]: a, b, c, d; for raise 1 the thresholds raised1, called1 and bluffs1; and so on.

    The formulas are for the game with `raises` raises (Section 4); if None, for unlimited raises (Section 3), where s is sqrt(7).
    """
    if raises is None:
        out = {"alpha": "s/3 - 2/3", "beta": "2*s/9 - 1/9", "a": "1 - s/21", "d": "5/9 - s/63", "c": "7/9 - 2*s/63"}
        out["b"] = "2*c - a"
        shares = [("alpha", "beta")] * PRINTED_RAISES
    else:
        out = pot_limit_numbers({"raises": raises})
        shares = [(f"alpha{k}", f"beta{k}") for k in range(1, raises + 1)]
    out["bet0"] = "1 - a"
    for k, (alpha, beta) in enumerate(shares, 1):
        out[f"bet{k}"] = f"bet{k - 1}*{alpha}"
        out |= {f"raised{k}": f"1 - bet{k}", f"called{k}": f"1 - bet{k - 1}*{beta}", f"bluffs{k}": f"bet{k}/2"}
    return out


def hands_below(row: TableRow, as_printed: bool = False) -> Fraction:
    """Return how many of all 2,598,960 hands are below a row of the tables.

    These are the hands weaker than the row's first class, `row.start`, and half of that class if `row.split` is true. With `as_printed`,
    the first class is the printed one, even if that is a misprint.
    """
    start = row.printed if as_printed and row.printed else row.start
    if not start:
        return Fraction(0)
    cards = deck()
    index = cards.find(start)
    return Fraction(int(cards.below[index])) + Fraction(int(cards.counts[index]) * row.split, 2)


def _numbers(parameters: Parameters) -> dict[str, Fraction]:
    return {row.name: hands_below(row) for table in TABLES for row in table}


def _misprints(parameters: Parameters) -> dict[str, Misprint]:
    rows = [row for table in TABLES for row in table if row.printed]
    return {row.name: Misprint(hands_below(row, as_printed=True), "cutler-1975/table-rows") for row in rows}


def tables_plan(numbers: Mapping[str, Number], tree: BettingTree) -> Plan:
    """Return the plan of Cutler's tables. Each row is for a range of hands: `numbers[name]` of all 2,598,960 hands are below row `name`.

    If a row begins inside a class of equal hands, the class takes the actions of both rows, each with the share of its hands in that row.
    """
    plan: dict[str, dict[str, list[tuple[Fraction, Fraction]]]] = {}
    for name, node in tree.decisions.items():
        plan[name] = {action: [] for action in node.actions}
        starts = [fraction(numbers[row.name]) / deck().hands for row in TABLES[node.player]]
        for row, start, end in zip(TABLES[node.player], starts, [*starts[1:], _ONE], strict=True):
            plan[name][_action(row, name, node.actions)].append((start, end))
    return by_class(Profile.of("five_card", tree, uniform(), plan)).plan()


def by_class(profile: Profile, floats: bool = False) -> Profile:
    """Return a profile on [0, 1], where the n-th lowest hand is n/2,598,960, averaged over the classes of the full deck."""
    borders = [Fraction(below, deck().hands) for below in deck().below.tolist()]
    evenly = Piecewise.constant(_ONE)
    first, second = (averaged(profile.tree, one, evenly, borders, floats) for one in profile.strategies)
    return replace(profile, strategies=(first, second))


def _action(row: TableRow, name: str, actions: Sequence[str]) -> str:
    """The action of a row at a node."""
    if name in ("", "check"):
        return row.first
    if name == "check-bet":  # the first player checked
        return "fold" if row.name in ("A1", "A2") else "call"
    if row.first == "check" and row.name.startswith("A"):
        return "fold"  # never reached: this row checks first
    mine = (name.count("raise") + 1 - row.name.startswith("A")) // 2  # the raises that the player has made
    if row.raises > mine:
        if "raise" in actions:
            return "raise"
        return "fold" if row.bluff and row.raises == mine + 1 else "call"
    return row.terminal if row.raises == mine else "fold"


FIVE_CARD = Blueprint(
    name="five_card",
    title="Cutler's pot-limit poker with five-card hands",
    short=raised("Real cards"),
    result="Cutler's tables for real hands lose almost nothing because hands can tie, but [0.05 antes a hand](../five_card.md) if both "
    "hands come from one deck.",
    source=_SECTION_6,
    parameters={
        # Each raise triples the pot: with more raises, one chip would be lost in rounding.
        "raises": replace(RAISES, most=30),
        "check_raise": CHECK_RAISE,
        "ante": ANTE,
        "removal": Flag(True, "whether both hands come from one deck"),
        "ranks": WholeNumber(13, "how many ranks the deck has, the highest ones", least=2, most=13),
        "suits": WholeNumber(4, "how many suits the deck has", least=1, most=4),
    },
    build=five_card,
    printed=[
        Printed(
            source=_SECTION_6,
            numbers=_numbers,
            plan=tables_plan,
            where=["ranks == 13", "suits == 4", "raises*check_raise == 0", f"raises <= {PRINTED_RAISES}"],
            misprints=_misprints,
            precision=Fraction(1, 10),
        )
    ],
    samples=[
        {"raises": 1, "ranks": 3},
        {"raises": 1, "ranks": 3, "check_raise": True},
        {"raises": 0, "ranks": 3, "removal": False},
    ],
)
