"""All optimal strategies of a small game: the range of every weight."""

from __future__ import annotations

from collections.abc import Sequence

from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.numbers import show
from relance.model.strategy import Profile
from relance.plots.style import GRID, INK, PLAYERS, Axes, Figure, Line2D, figure, headed, styled, where
from relance.solvers.exact import reach
from relance.solvers.lp import Face

ROW = 0.21
"""Inches of a weight."""


@styled
def optimal_faces(game: Game, faces: Sequence[Face]) -> Figure:
    """For each weight the range that it has over all optimal strategies: a dot where it is unique, else a bar.

    A weight is the product of the player's own probabilities up to and including an action. Where a family of strategies
    is published, an open mark shows its member with the least parameter and a full mark that with the greatest.
    """
    hands = [game.deal.size(p) for p in (0, 1)]  # type: ignore[attr-defined]  # a face has finitely many hands
    rows = [sum(1 + len(node.actions) * hands[p] for node in game.tree.of(p).values()) for p in (0, 1)]
    drawing, axes = figure(1, len(faces), 3.9 * len(faces), 1.4 + ROW * max(rows[face.player] for face in faces))
    family = _family(game)
    for ax, face in zip(axes[0], faces, strict=True):
        _face(ax, game, face, list(family.values()))
        kind = "one optimal strategy" if face.unique else "many optimal strategies"
        ax.set_title(f"player {face.player}: {kind}", fontsize=9)
    if family:
        marks = [
            Line2D([], [], color=INK, marker="o", linestyle="none", markersize=6, label=f"published, {name}",
                   markerfacecolor="#FFFFFF" if i == 0 else INK)
            for i, name in enumerate(family)
        ]  # fmt: skip
        drawing.legend(handles=marks, loc="outside lower left", ncols=2, fontsize=8)
    headed(
        drawing,
        game,
        f"value {show(faces[0].value * (1 - 2 * faces[0].player))} chips to player 0; range of each weight",
    )
    return drawing


def _family(game: Game) -> dict[str, Profile]:
    """The ends of the published family, if it has one parameter."""
    if not game.is_published:
        return {}
    printed, _ = game.printed_numbers()
    if len(printed.family) != 1:
        return {}
    ((name, family),) = printed.family.items()
    return {f"{name} = {show(end)}": game.published(False, **{name: end}) for end in (family.least, family.most)}


def _face(ax: Axes, game: Game, face: Face, ends: Sequence[Profile]) -> None:
    assert isinstance(game.deal, FiniteDeal)
    labels: list[str] = []
    colour = PLAYERS[face.player]
    for name, node in game.tree.of(face.player).items():
        ax.axhspan(len(labels) - 0.5, len(labels) + 0.5, color=GRID, alpha=0.5, linewidth=0)
        labels.append(where(name))
        for action in node.actions:
            for hand, (low, high) in enumerate(face.ranges[name, action]):
                at = len(labels)
                if low == high:
                    ax.plot(float(low), at, color=colour, marker="D", markersize=4)
                else:
                    ax.plot(
                        [float(low), float(high)],
                        [at, at],
                        color=colour,
                        linewidth=5,
                        alpha=0.55,
                        solid_capstyle="butt",
                    )
                    ax.text(1.04, at, f"{show(low)} to {show(high)}", fontsize=7.5, va="center")
                    for i, profile in enumerate(ends):
                        weight = (reach(game, profile, face.player, name) * profile.row(name, action))[hand]
                        fill = "#FFFFFF" if i == 0 else INK
                        ax.plot(float(weight), at, color=INK, marker="o", markersize=6, markerfacecolor=fill)
                labels.append(f"{game.deal.labels[face.player][hand]}: {action}")
    ax.set_yticks(range(len(labels)), labels)
    ax.tick_params(axis="y", length=0)
    ax.set(ylim=(len(labels) - 0.5, -0.5), xlim=(-0.03, 1.02), xticks=[0, 0.25, 0.5, 0.75, 1], xlabel="weight")
    ax.grid(visible=False, axis="y")
