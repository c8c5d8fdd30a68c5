"""One hand against any distribution of the other, in La Relance and von Neumann's poker: its gains, and lemmas.

The other hand lies in cells between the thresholds and this hand. The masses of cells are parameters, so that what is proved holds for
every distribution.
"""

from __future__ import annotations

from relance.claims.prelude import *


def masses(names: str, *conditions: str) -> Region:
    """Return the region of a bet B > 0 and the probabilities `names` of all cells of the other's hand but the last, under `conditions`."""
    symbols = names.split()
    limits = (*(f"{x} >= 0" for x in symbols), f"{' + '.join(symbols)} <= 1")
    return region(", ".join(["B", *symbols]), "B > 0", *limits, *conditions)


def bet_gain(game: str, B: Number, cells: Sequence[Number], own: int, calls: Sequence[Number]) -> Number:
    """Return player I's gain by a bet B over a fold ("la_relance") or check ("von_neumann"), with a hand just below II's cell `own`.

    `cells` has the probabilities of all cells of player II's hand but the last, worst first; `calls` has II's probability to call in each.
    """
    made = below_cell(make(game, bet=B), 0, cells, own)
    return gained(made, {"": {"bet": 1}, "bet": {"call": list(calls)}}, "", "bet", made.tree.root.actions[0])


def call_gain(game: str, B: Number, cells: Sequence[Number], own: int, bets: Sequence[Number]) -> Number:
    """Return the probability that I bets times II's gain by a call over a fold, with a hand just below I's cell `own`; a bet is B chips.

    `game` is as in `bet_gain`. `cells` has the probabilities of I's cells but the last, worst first; `bets` has how often I bets in each.
    """
    made = below_cell(make(game, bet=B), 1, cells, own)
    return gained(made, {"": {"bet": list(bets)}, "bet": {"call": 1}}, "bet", "call", "fold")


# --- lemmas -----------------------------------------------------------------------------------------------------------

OWN = 4
"""The rank of the player's own hand, among those of the other player."""
PLACES = (0, 2, 6, 8)
"""The ranks of four hands of the other player; the higher rank wins."""


def _masses(names: str, chances: int, *conditions: str) -> tuple[Region, list[Number], list[Number]]:
    """Return a region, its masses (those named and the rest up to 1) and its probabilities q1, q2, ... to act, as many as `chances`."""
    symbols, acts = names.split(), [f"q{k}" for k in range(1, chances + 1)]
    limits = [*(f"{m} >= 0" for m in symbols), f"{' + '.join(symbols)} <= 1", *(f"0 <= {q} <= 1" for q in acts)]
    where = region(", ".join(["B", *symbols, *acts]), "B > 0", *limits, *conditions)
    masses = [where[m] for m in symbols]
    return where, [*masses, 1 - sum(masses, 0 * ONE)], [where[q] for q in acts]


def _plan(player: int, acts: Any) -> Plan:
    """Return the plan in which `player` always bets or calls, and the other player does so with the probabilities `acts`."""
    return {"": {"bet": acts}, "bet": {"call": 1}} if player else {"": {"bet": 1}, "bet": {"call": acts}}


def _wins(game: Game, player: int, hands: Iterable[tuple[Number, int, Number]]) -> dict[str, Number]:
    """Return each action's counterfactual value for a player with the hand `OWN` against hands (mass, rank, probability to bet or call)."""
    masses, ranks, acts = zip(*hands, strict=True)
    others = {str(k): of for k, of in enumerate(zip(masses, ranks, strict=True))}
    won = chips_by_action(one_hand(game, player, others, OWN), _plan(player, list(acts)), "bet" if player else "")
    return {action: chips[0] for action, chips in won.items()}


def _for_both(lemma: Callable[[str, int], Finding]) -> Finding:
    """Check that a lemma holds in both games for each player; the finding has a part for every game and player."""
    found = []
    for game, player in product(("la_relance", "von_neumann"), (0, 1)):
        one = lemma(game, player)
        found.append(replace(one, parts={f"{game}, player {player}, {name}": at for name, at in one.cases.items()}))
    return together(found)


@unproved("distributions other than these four hands")
def only_masses(n: Numbers, places: Sequence[int] = PLACES) -> Finding:
    """Check that an action's chips are a sum over the opponent's hands: each hand's mass times the chips against this hand alone.

    The opponent has four hands of the ranks `places`, with any masses and any play; the player's hand has the rank `OWN`. The sum replaces
    a hand's rank by `OWN` - 1 if the hand is below `OWN` in `PLACES`, else by `OWN` + 1, since only who wins the showdown matters.
    """
    return _for_both(partial(_sum_of_masses, places=places))


def _sum_of_masses(game: str, player: int, places: Sequence[int]) -> Finding:
    where, masses, acts = _masses("m1 m2 m3", 4)
    made = make(game, bet=where["B"])
    won = _wins(made, player, zip(masses, places, acts, strict=True))
    sums: dict[str, Number] = dict.fromkeys(won, 0 * ONE)
    for mass, place, act in zip(masses, PLACES, acts, strict=True):
        for action, chips in _wins(made, player, [(ONE, OWN - 1 if place < OWN else OWN + 1, act)]).items():
            sums[action] += mass * chips
    found = equal(won, sums, where).part("four hands")
    return found.saying("the sum of masses times what is won against single hands")


@unproved("distributions other than these intervals")
def any_distribution(n: Numbers, tied: str = "1/2") -> Finding:
    """Check that a hand x in an interval wins as much as some hand y there does once the opponent's hands in it are spread evenly.

    The opponent acts in the same way with all hands in the interval, and their total probability stays. The share of the interval that
    is below y equals the opponent's chance, given a hand in the interval, of a hand below x, plus `tied` times the chance of x itself. The
    opponent also has hands in four more intervals, two below and two above.
    """
    cases = {
        "inside": (["low + tie > 0", "high + tie > 0"], f"(low + {tied}*tie)/(low + tie + high)"),
        "all worse": (["low > 0", "tie == 0", "high == 0"], "1"),
        "all better": (["high > 0", "tie == 0", "low == 0"], "0"),
    }
    return _for_both(
        lambda game, player: together({name: _one_distribution(game, player, *case) for name, case in cases.items()})
    )


def _one_distribution(game: str, player: int, conditions: Sequence[str], place: str) -> Finding:
    where, masses, (q1, q2, q, q4, q5) = _masses("m1 m2 low tie high m4", 5, *conditions)
    made = make(game, bet=where["B"])
    ranks, acts = (0, 2, OWN - 1, OWN, OWN + 1, 6, 8), (q1, q2, q, q, q, q4, q5)
    won = _wins(made, player, zip(masses, ranks, acts, strict=True))
    m1, m2, low, tie, high, m4, m5 = masses
    distribution, own = spread([m1, m2, low + tie + high, m4, m5]), Piecewise.constant(1)
    deal = DensityDeal([(distribution, own) if player else (own, distribution)])
    rows = [(Fraction(k, 5), Fraction(k + 1, 5), act) for k, act in enumerate((q1, q2, q, q4, q5))]
    hand = (2 + formula(place, where)) / 5
    chips = chips_by_action(replace(made, deal=deal, cuts=None), _plan(player, rows), "bet" if player else "")
    found = equal(won, {action: function(hand) for action, function in chips.items()}, where)
    return found.saying("each hand wins what some hand does against a uniform distribution")
