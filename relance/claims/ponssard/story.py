"""Checks of the story of Ponssard's game: what an observer learns of the cards from each move."""

from __future__ import annotations

from relance.claims.ponssard.square import (
    BLUFF,
    BORDER,
    CALL,
    PR,
    RERAISE,
    game_at,
    plan_of,
    somewhere,
)
from relance.claims.prelude import *
from relance.solvers.exact import reach_probs


def _posteriors(game: Game, profile: Profile) -> Iterator[tuple[str, Number]]:
    """For each action in the tree, its name and the probability that the player who has taken it has a high card."""
    for node, owner in game.tree.decisions.items():
        before = reach_probs(game, profile, owner.player, node) * game.deal.prior(owner.player)
        for action, row in owner.by_action(profile[node]).items():
            low, high = before * row
            yield f"{node}-{action}".strip("-"), high / (low + high)


def story(
    n: Numbers, likelier: Sequence[str] = ("raise", "raise-reraise"), less: Sequence[str] = ("raise-reraise-drop",)
) -> Finding:
    """Check the printed probability, after each move, that the player who made it has a high card; it must be the same for any mu1.

    mu1: when player II has a low card and does not reraise, how often II drops and does not call. After each of the moves `likelier`
    this probability must be greater than before the move, and after each of the moves `less` it must be less.
    """
    inside = ("0 < p", f"p < {PR}", "0 < q", f"q <= {BORDER}", "0 < mu", "mu < 1")
    where = somewhere(*inside, names="n, m, p, q, mu")
    game = game_at(where)
    found = dict(_posteriors(game, game.profile(plan_of(where, BLUFF, RERAISE, where["mu"], CALL))))
    same = equal(found, n.at(**where), where)

    def ordered() -> bool:
        before = {"raise": where["p"], "raise-reraise": where["q"], "raise-reraise-drop": found["raise"]}
        up = all(found[move] > before[move] for move in likelier)
        return up and all(found[move] < before[move] for move in less)

    return every(
        [("the conditional probabilities", same), ("their order", true_for(where, ordered, "up, up, down"))],
        same.evidence,
    )


@unproved("that these shares are all that is left")
def story_tells(n: Numbers, shares: str = "raise, reraise, call") -> Finding:
    """Check for each of `shares` that the more often this action is taken, the less likely its player has a high card after a certain move.

    "raise" (player I) and "reraise" (II) are actions with a low card, and the move is the same action. "call" is I's call of a reraise with
    a high card, and the move is a drop instead. So the probabilities of a high card tell how often each action is taken. They do not tell
    mu1, how often player II drops a low card rather than call; with "mu1" in `shares` the statement is false.
    """
    parts = []
    for share in shares.split(", "):
        at = somewhere("0 < p", "p < 1", "0 < q", "q < 1", "0 < x", "x < y", "y < 1", names="n, m, p, q, x, y")
        game = game_at(at)
        both = [dict(_posteriors(game, game.profile(_with(share, at[symbol])))) for symbol in "xy"]
        seen = {"raise": "raise", "reraise": "raise-reraise", "call": "raise-reraise-drop", "mu1": "raise-drop"}[share]
        parts.append((share, positive(at, both[0][seen] - both[1][seen], f"more of {share}, less likely a high card")))
    return every(parts, f"the probabilities tell how often: {shares}")


def _with(share: str, number: Number) -> Plan:
    moves = dict.fromkeys(("raise", "reraise", "mu1", "call"), ONE / 2) | {share: number}
    return plan_of({}, *moves.values())
