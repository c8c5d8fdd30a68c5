"""Pictures of what is computed on game trees, read back from the figures."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")


from relance.envs.catalogue import make
from relance.pages.plots.abstractions import draw_abstraction
from relance.pages.plots.refinements import draw_refinement

KUHN = make("one_card_poker", raises=0)


@pytest.mark.parametrize(
    ("draw", "game", "message"),
    [
        (lambda game: draw_abstraction(game), KUHN, "finitely many hands"),
        (lambda game: draw_abstraction(game, cells=1), make("von_neumann"), "cells=1 must be at least 2"),
        (lambda game: draw_refinement(game), make("von_neumann"), "hands"),
    ],
)
def test_what_cannot_be_drawn(draw, game, message):
    with pytest.raises(ValueError, match=message):
        draw(game)
