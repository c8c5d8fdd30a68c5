"""One round of the endgame, with what follows a call as one terminal node: the step of an induction on the number of rounds."""

from __future__ import annotations

from relance.claims.prelude import *
from relance.model.tree import decision

ROUNDS = (1, 2, 3, 4)
"""The numbers of rounds for which claims on n rounds are also checked directly, with any bets."""


def one_round(P: Number, a: Number, b: Number, rest: Node) -> Game:
    """Return an endgame's first round with ante a and bet b. Player I has a winning hand with probability P, and `rest` follows a call."""
    game = make("endgame", p=P, ante=a, bets=[b])
    return rewritten(game, lambda name, node: rest if name == "bet-call" else node)


def pays(winner: Number, loser: Number) -> Leaf:
    """Return a terminal node that pays player I `winner` chips with a winning hand and `loser` chips with a losing hand."""
    return Leaf((winner + loser) / 2, (winner - loser) / 2)


def round_value(where: Region, winner: Number, loser: Number, bluff: Number, fold: Number) -> Number:
    """Return a round's value to I. I bluffs with probability `bluff`, II folds with `fold`, and a call pays I `winner` or `loser` chips."""
    game = one_round(where["P"], where["a"], where["b"], pays(winner, loser))
    return play_value(game, {"": {"bet": [bluff, 1]}, "bet": {"fold": fold}})


def one_round_less(n: Numbers, symbols: Mapping[str, Number], key: str) -> tuple[Number, Number]:
    """Return I's chips in later rounds with a winning and a losing hand: formula `key` at P(winning hand) = 1 and 0 and with `symbols`."""
    winner, loser = (n.at(P=chance, **symbols)[key] for chance in (1, 0))
    return winner, loser


def later(t: Number, g: Number) -> Decision:
    """Return II's choice in place of later rounds: "stop" pays I t chips, "on" pays I t(2g - 1) with a winning hand, -t with a losing one.

    t is half the pot before the later rounds. g is the product of 1 + r_k over the later rounds k; r_k is bet k over the pot with bet k.
    """
    return decision(1, stop=Leaf(t), on=pays(t * (2 * g - 1), -t))


def step(*more: str, names: str = "P, a, b, g") -> tuple[Region, Game]:
    """Return a region, and an endgame in its symbols: a first round with the bet b, then the node `later(a + b, g)` for later rounds.

    The symbols `names` include the probability P that player I has a winning hand, the ante a, the bet b, and g, the product of
    1 + bet/(pot with the bet) over the later rounds. `more` are further conditions on the symbols.
    """
    where = region(names, "a > 0", "b > 0", "g >= 1", *more)
    P, a, b, g = (where[name] for name in ("P", "a", "b", "g"))
    return where, one_round(P, a, b, later(a + b, g))


ACTIVE = ("P >= 0", "P*(2*a + 2*b)*g <= 2*a + b")
"""The conditions that P is from 0 to P0 = (2a + b)/((2a + 2b)g) in the game of `step`; between these ends both players randomise."""


def indifferent_fold(game: Game, plan: Plan) -> Number:
    """Return how often II must fold to the first bet so that player I gains nothing by betting a losing hand; later play follows `plan`."""
    h: list[Number] = []
    for fold in (0, 1):
        chips = chips_by_action(game, {**plan, "": {"bet": 1}, "bet": {"fold": fold}}, "")
        h.append(chips["bet"][0] - chips["check"][0])
    return h[0] / (h[0] - h[1])


def indifferent_bluff(game: Game, plan: Plan) -> Number:
    """Return how often I must bet a losing hand in the first round for a call to gain player II nothing; later play follows `plan`."""
    h: list[Number] = []
    for bluff in (0, 1):
        chips = chips_by_action(game, {**plan, "": {"bet": [bluff, 1]}, "bet": {"fold": 1}}, "bet")
        h.append(chips["call"][0] - chips["fold"][0])
    return h[0] / (h[0] - h[1])


def cutoff(game: Game, plan: Plan) -> Number:
    """Return the probability of a winning hand with which player I, who bets every hand in this round, earns exactly the ante.

    In this round player II folds so often that a losing hand gains nothing by a bet. In later rounds both players follow `plan`.
    """
    fold = indifferent_fold(game, plan)
    chips = chips_by_action(game, {**plan, "": {"bet": 1}, "bet": {"fold": fold}}, "")["bet"]
    loser, winner = chips / game.deal.prior(0)
    chance: Number = (game.parameters["ante"] - loser) / (winner - loser)
    return chance


def stakes(n: int, names: str, *conditions: str) -> tuple[Region, list[Number], list[Number]]:
    """Return a region for an endgame of n rounds; the n bets in chips; and half the pot in chips n + 1 times, at first and after each call.

    The region has the symbols `names`, the ante a, and u1 to un, the bets divided by the pot before them. `conditions` are further
    conditions; a and u1 to un are above 0.
    """
    positive = ["a", *(f"u{k}" for k in range(1, n + 1))]
    where = region(", ".join([names, *positive]), *conditions, *(f"{name} > 0" for name in positive))
    bets: list[Number] = []
    sums: list[Number] = [where["a"]]
    for k in range(1, n + 1):
        bets.append(2 * sums[-1] * where[f"u{k}"])
        sums.append(sums[-1] + bets[-1])
    return where, bets, sums


U = "bets of u_k times the pot"
"""The meaning of the symbols u_k of `stakes`."""


def link() -> Finding:
    """Check that a bet and a call lead to an endgame with one round fewer, and that a check, or a fold, ends the endgame."""
    where = region("a, b, c", "a > 0", "b > 0", "c > 0")
    a, b, c = where.values()
    game, fewer = (make("endgame", p="1/2", ante=ante, bets=bets) for ante, bets in ((a, [b, c]), (a + b, [c])))
    first = one_round(Fraction(1, 2), a, b, fewer.tree.root)
    ends = isinstance(first.tree.root.child("check"), Leaf) and isinstance(
        first.tree.decisions["bet"].child("fold"), Leaf
    )
    text = "after a call one round fewer, from half the pot"
    return same_tree(where, game.tree, first.tree).saying(text).only_if(ends)


def no_round(P: Number, a: Number) -> Number:
    """Return the value of an endgame without rounds: a showdown for half the pot, a, that player I wins with chance P."""
    game = make("endgame", p=P, ante=a, bets=[a])
    over = replace(game, tree=BettingTree(decision(0, show=showdown(a))))
    return play_value(over, {"": {"show": 1}})


def any_number(
    steps: Mapping[str, Finding],
    text: str,
    direct: Callable[[int], Finding],
    symbols: str = U,
    rounds: Sequence[int] = ROUNDS,
) -> Finding:
    """Join the findings of an induction on the number of rounds, and check the same statement by `direct(k)` for each k in `rounds`.

    `steps` is {name: finding}: the base case of no round, the induction step, and `link()`, which checks that a call leads to one round
    fewer. Each becomes a part of the returned finding. The base case and `link()` are not needed if the step relies on the claim
    `later-rounds`, which has both. `text` is the evidence, and `symbols` says what the symbols in the findings of `direct` mean.
    """
    found = together(steps)
    cases = each("rounds", rounds, direct, f"{text}; directly with {symbols}") if found.holds else found
    both = replace(cases, where=(*found.where, *cases.where), parts={**found.parts, **cases.parts})
    return both if cases.holds else cases
