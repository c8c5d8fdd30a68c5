"""What checks of Ponssard's variant share: regions of p and q, the chances of high cards, and restricted games.

In the paper the pot belongs to neither player: its payoffs are ours plus n/2.
"""

from __future__ import annotations

from relance.claims.prelude import *

PR, QR, BORDER = "(n + 1)/(n + 2)", "(m + n + 1)/(2*m + n)", "n*(m + n + 1)/((n + 1)*(2*m + n))"
REGIONS = {
    "A": ("0 <= p", f"p <= {PR}", "0 <= q", f"q <= {BORDER}"),
    "B": (f"p >= {PR}", "p <= 1", "0 <= q", f"q <= {BORDER}"),
}
"""The regions of p and q where player I bluffs with some low cards, "A", and always raises, "B". If q is above `BORDER`, player I drops."""

BLUFF, RERAISE = "p/((n + 1)*(1 - p))", "q*(m - 1)/((m + n + 1)*(1 - q))"
CALL, CALL_ALWAYS = "(n + 2)/(m + n + 1)", "(n + 1)/((m + n + 1)*p)"
"""How often player I raises with a low card in region "A", II reraises with a low card, and I calls with a high card in "A" and in "B"."""

DROP = "1/((n + 1)*(1 - q*(2*m + n)/(m + n + 1)))"
"""How often player II drops, in region "A", with a low card with which II does not reraise."""


def somewhere(*conditions: str, names: str = "n, m, p, q") -> Region:
    """The region of any pot n, any chips m to which player II reraises, and any chances p and q of high cards, with further conditions."""
    return region(names, "n > 0", "m > 1", *conditions)


def game_at(at: Mapping[str, Number]) -> Game:
    """Ponssard's poker variant with these n, m, p and q."""
    return make("ponssard", pot=at["n"], raise_to=at["m"], p=at["p"], q=at["q"])


def plan_of(at: Mapping[str, Number], *moves: Number | str) -> Plan:
    """The plan of the published solution with the probabilities `moves`, each a number or a formula in the symbols `at`.

    In order, `moves` says how often player I raises with a low card; how often player II reraises with a low card; mu1, how often II drops
    with a low card with which II does not reraise; how often I calls the reraise with a high card; and how often I raises with a high card,
    always if this is not given.
    """
    names = ("raise_low", "reraise_low", "mu1", "call_high", "raise_high")
    numbers = {
        name: formula(move, at) if isinstance(move, str) else move for name, move in zip(names, moves, strict=False)
    }
    return with_numbers(make("ponssard"), {"raise_high": ONE, **numbers})


def worth(game: Game, plan: Plan) -> Number:
    """Return player I's payoff as the paper counts it, with the pot belonging to neither player: ours plus half the pot."""
    return play_value(game, only(game, plan)) + half_the_pot(game)


def half_the_pot(game: Game) -> Number:
    """Return half the pot: by this amount player I's payoff in the paper exceeds player I's payoff in this package."""
    half: Number = game.parameters["pot"] / 2
    return half


def restricted(game: Game, **kept: str) -> Game:
    """Return `game` with the actions `kept` forced, any of these: player I's `first`, II's `answer` to a raise, I's `last` to a reraise."""
    wanted = {"": kept.get("first"), "raise": kept.get("answer"), "raise-reraise": kept.get("last")}

    def cut(name: str, node: Node) -> Node:
        action = wanted.get(name)
        if action is None or not isinstance(node, Decision):
            return node
        return Decision(node.player, (action,), (node.child(action),))

    return rewritten(game, cut)


def only(game: Game, plan: Plan) -> Plan:
    """Return `plan` for a game with forced actions: each forced action has probability 1, and the rest of the plan stays as it is."""
    return {
        name: {action: row for action, row in plan[name].items() if action in node.actions}
        if len(node.actions) > 1
        else {node.actions[0]: 1}
        for name, node in game.tree.decisions.items()
    }


def solves(game: Game, plan: Plan, where: Region, paid: Number) -> Finding:
    """Check that `plan` is an equilibrium of `game`, a game of `restricted`, and that player I's payoff is `paid` minus half the pot."""
    return nash(game, only(game, plan), where, paid - half_the_pot(game))


KEPT: dict[str, dict[str, str]] = {
    "RRD": {"first": "raise", "answer": "reraise", "last": "drop"},
    "RRC": {"first": "raise", "answer": "reraise", "last": "call"},
    "RD": {"first": "raise", "answer": "drop"},
    "RC": {"first": "raise", "answer": "call"},
    "D": {"first": "drop"},
}
"""The arguments of `restricted` that force every action, by the paper's symbols: "RC" is a raise and a call."""

ANYHOW = plan_of({}, ONE, ONE, ONE, ONE)
"""The plan in which all five probabilities of `plan_of` are 1; a game of `restricted` uses only those of the actions it leaves free."""
