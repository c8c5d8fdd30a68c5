"""Coarse hands: those of a coarse grid, and cards that keep their own out."""

import numpy as np
import pytest

import relance
from relance.solvers.abstraction import block_sizes, coarse


@pytest.mark.parametrize("distribution", ["uniform", "power:2:1", "fgm:-1/2"])
def test_coarse_hands_are_those_of_a_coarse_grid(distribution):
    fine, blocks = (relance.make("von_neumann", deal=distribution, hands=n).deal.floats for n in (12, 4))
    coarser = coarse(fine, 4)
    weight = np.array([0.3, 0.1, 1.0, 0.7])
    for player in (0, 1):
        assert np.allclose(coarser.mass(player, weight), blocks.mass(player, weight), atol=1e-15)
        assert np.allclose(coarser.edge(player, weight), blocks.edge(player, weight), atol=1e-15)


def test_coarse_cards_keep_the_own_card_out():
    deal = relance.make("one_card_poker", cards=7).deal
    coarser, sizes = coarse(deal.floats, 3), block_sizes(7, 3)
    of = np.repeat(np.arange(3), sizes)
    joint = np.zeros((3, 3))
    np.add.at(joint, (of[:, None], of[None, :]), deal.joint().astype(float))
    edge = np.zeros((3, 3))
    np.add.at(edge, (of[:, None], of[None, :]), deal.joint_edge().astype(float))
    for k, unit in enumerate(np.eye(3)):
        assert np.allclose(coarser.mass(0, unit), joint[:, k], atol=1e-15)
        assert np.allclose(coarser.edge(0, unit), edge[:, k], atol=1e-15)
