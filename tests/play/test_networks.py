"""Networks that are asked keep their mode."""

import pytest

import relance
from relance.play.rules import rules


def test_parts_of_a_network_keep_their_mode():
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    game = relance.make("one_card_poker")
    size, width = rules(game).size, len(game.actions)
    net = torch.nn.Sequential(torch.nn.Linear(size, 8), torch.nn.BatchNorm1d(8), torch.nn.Linear(8, width))
    net.train()
    net[1].eval()
    relance.score(game, net)
    assert [part.training for part in net] == [True, False, True]
    named = torch.nn.Identity()
    named.forward = lambda seen: {"policy": seen}
    for bad, says in (
        (torch.nn.Linear(size + 1, width), "does not take observations of shape"),
        (named, "answers with a dict"),
    ):
        with pytest.raises(ValueError, match=says):
            relance.score(game, bad)
    distribution = torch.nn.Sequential(torch.nn.Linear(size, width), torch.nn.Softmax(dim=1))
    found = relance.score(game, lambda seen, masks: distribution(torch.tensor(seen)), illegal="renormalise")
    assert found.nash_conv > 0
