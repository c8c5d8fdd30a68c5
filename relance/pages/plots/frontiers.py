"""The price of exploiting an opponent: what can be earned against what is risked."""

from __future__ import annotations

from relance.equilibria.restricted_responses import frontier
from relance.model.game import Game
from relance.model.numbers import show
from relance.pages.plots.picture import picture
from relance.pages.plots.style import COLOURS, Figure, figure, headed


@picture("frontier")
def draw_frontier(game: Game, opponent: str = "uniform", player: int = 0) -> Figure:
    """Draw the most that a player can earn against a known opponent, for each number of chips that they risk against anybody.

    Args:
        opponent: the known opponent, such as uniform or 'perturbed(0.1)'.
        player: who exploits: 0 or 1.

    Raises:
        ValueError: hands are on [0, 1], there is no such opponent, or the game is too large for an exact solution.
    """
    found = frontier(game, player, opponent)
    risks = [float(point.risk) for point in found.points]
    earned = [float(point.earned) for point in found.points]
    drawing, ((ax,),) = figure(1, 1, 5.8, 3.5)
    end = (risks[-1] or abs(float(found.value)) or 1.0) * 1.15  # nothing more can be earned beyond the last point
    ax.plot([*risks, end], [*earned, earned[-1]], color=COLOURS[0], linewidth=2)
    ax.plot(risks, earned, "o", color=COLOURS[0], markersize=4)
    ax.axhline(float(found.value), color="#777777", linestyle=":", linewidth=1)
    for point, x, y in zip(found.points, risks, earned, strict=True):
        texts = [show(number) for number in (point.risk, point.earned)]
        if max(map(len, texts)) < 12:
            ax.annotate(f"({', '.join(texts)})", (x, y), xytext=(4, -11), textcoords="offset points", fontsize=7.5)
    ax.set(
        xlabel="most that can be lost against anybody (chips below the value)", ylabel="earned (chips)", xlim=(0, end)
    )
    return headed(drawing, game, f"player {player} against {opponent}; dotted: the value of the game")
