"""The betting tree: players at nodes, actions on branches, payoffs at leaves."""

from __future__ import annotations

from relance.model.game import Game
from relance.model.numbers import show
from relance.model.tree import Decision, History, Leaf, steps_from
from relance.pages.plots.picture import picture
from relance.pages.plots.style import PLAYER_COLOURS, Axes, Figure, add_title, figure, patch_key, tint

MOST_LEAVES = 200
"""Trees with more leaves than this are not drawn: nobody could read them."""

CHANCE = "#777777"
"""The colour of chance nodes, where an event turns up, such as a card."""


@picture("tree", "The betting tree", lambda game: len(game.tree.leaves) <= MOST_LEAVES)
def betting_tree(game: Game) -> Figure:
    """Draw the betting tree. A leaf (terminal node) shows the chips that player 0 gets; "± 3" means that the better hand wins 3.

    Raises:
        ValueError: the tree has more than `MOST_LEAVES` leaves.
    """
    leaves = len(game.tree.leaves)
    if leaves > MOST_LEAVES:
        raise ValueError(f"the tree of {game} has {leaves:,} leaves; at most {MOST_LEAVES} are drawn")
    places = _places(game)
    deepest = max(map(len, places))
    down = leaves <= 7  # from the top down, as in the papers; a larger one from left to right
    size = (max(4.6, 1.15 * leaves), 1.0 + 0.95 * deepest) if down else (1.9 + 1.35 * deepest, 0.95 + 0.34 * leaves)
    drawing, ((ax,),) = figure(1, 1, *size)
    ax.set_axis_off()
    at = {history: (x, -y) if down else (y, -x) for history, (x, y) in places.items()}
    for history, node in game.tree.walk():
        if history:
            _edge(ax, at[history[:-1]], at[history], history[-1])
        if isinstance(node, Leaf):
            _leaf(ax, at[history], node, down)
        else:
            who = node.player if isinstance(node, Decision) else None
            colour, name = (CHANCE, "?") if who is None else (PLAYER_COLOURS[who], str(who))
            box = {"boxstyle": "circle,pad=0.3", "facecolor": tint(colour), "edgecolor": colour}
            centre = {"ha": "center", "va": "center", "fontsize": 9, "color": "#000000"}
            ax.text(*at[history], name, **centre, bbox=box, zorder=3)
    if down:
        ax.set(xlim=(-0.6, leaves - 0.4), ylim=(-deepest - 0.35, 0.3))
    else:
        ax.set(xlim=(-0.25, deepest + 0.6), ylim=(-leaves + 0.5, 0.5))
    keys = [patch_key(f"player {p} acts", facecolor=tint(c), edgecolor=c) for p, c in enumerate(PLAYER_COLOURS)]
    if game.tree.reveals:
        keys.append(patch_key("an event turns up", facecolor=tint(CHANCE), edgecolor=CHANCE))
    return add_title(drawing, game, "leaves: chips to player 0; ± goes to the better hand", keys)


def _places(game: Game) -> dict[History, tuple[float, float]]:
    """The horizontal place of each node, with leaves one apart, and its depth. A node is centred over its children."""
    out: dict[History, tuple[float, float]] = {}
    leaves = 0
    for history, node in game.tree.walk():
        if isinstance(node, Leaf):
            out[history] = (leaves, len(history))
            leaves += 1
    for history, node in reversed(list(game.tree.walk())):
        if not isinstance(node, Leaf):
            across = [out[(*history, step)][0] for step, _ in steps_from(node)]
            out[history] = ((across[0] + across[-1]) / 2, len(history))
    return out


def _edge(ax: Axes, start: tuple[float, float], end: tuple[float, float], action: str) -> None:
    ax.plot([start[0], end[0]], [start[1], end[1]], color="#888888", linewidth=1, zorder=1)
    middle = [a + 0.55 * (b - a) for a, b in zip(start, end, strict=True)]
    box = {"boxstyle": "round,pad=0.12", "facecolor": "#FFFFFF", "edgecolor": "none"}
    ax.text(middle[0], middle[1], action, ha="center", va="center", fontsize=8, bbox=box, zorder=2)


def _leaf(ax: Axes, at: tuple[float, float], leaf: Leaf, down: bool) -> None:
    sign = "\N{MINUS SIGN}" if leaf.constant < 0 else "+" * bool(leaf.constant)
    constant = [sign + show(abs(leaf.constant))] if leaf.constant or not leaf.stake else []
    text = " ".join([*constant, *([f"± {show(leaf.stake)}"] if leaf.stake else [])])
    right, below, across, up = (0, 0.05, "center", "top") if down else (0.08, 0, "left", "center")
    ax.text(at[0] + right, at[1] - below, text, ha=across, va=up, fontsize=9, fontweight="bold")
