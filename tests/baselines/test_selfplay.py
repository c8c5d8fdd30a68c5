"""Self-play: inputs of a network, and games as they were played."""

import numpy as np
import pytest
from conftest import DEFAULTS
from test_train_mmd import KUHN, torch

from relance.baselines import selfplay
from relance.play.rules import rules


@pytest.mark.parametrize("game", DEFAULTS, ids=str)
def test_every_information_set_has_inputs_of_its_own(game):
    encoder, known = selfplay.Encoder(game, 9), rules(game)
    hands = range(game.deal.size(0)) if game.deal.is_finite else (0.0, 0.3, 1.0)
    if game.deal.is_finite:
        hands = range(min(game.deal.size(0), game.deal.size(1)))
    seen = [known.observe(p, hand, node) for node, p in enumerate(known.player) if p >= 0 for hand in hands]
    inputs = encoder(np.stack(seen))
    switched = torch.zeros(len(seen), encoder.size).scatter_add_(1, inputs.cells, inputs.shares)
    assert len(torch.unique(switched, dim=0)) == len(seen)
    assert torch.allclose(switched.sum(1), torch.ones(len(seen)))


def test_samples_are_what_was_played():
    """Counts and chips of decisions agree with the tables: the mean at the root is the mean of player 0's chips."""
    encoder = selfplay.Encoder(KUHN, 2)
    tables = selfplay.Tables(KUHN, 1000, encoder, 0)
    network = selfplay.Network(encoder.size, 8, len(KUHN.actions), torch.Generator().manual_seed(0))
    seen = tables.play(selfplay.Agent(encoder, network.table()))
    assert ((seen.count > 0) <= seen.masks).all()
    seat, cards = rules(KUHN).observe(0, 0, 0)[:2], [rules(KUHN).observe(0, h, 0) for h in range(3)]
    assert seat.tolist() == [1, 0]
    roots = {tuple(cells) for cells in encoder(np.stack(cards)).cells.tolist()}
    at_root = torch.tensor([tuple(cells) in roots for cells in seen.inputs.cells.tolist()])
    assert seen.count[at_root].sum() == 1000
    assert float((seen.count * seen.chips)[at_root].sum()) == pytest.approx(float(tables.batch.chips.sum()), abs=1e-3)
