"""Streams of random words."""

import numpy as np

from relance.play.loops import unit
from relance.play.numpy_loops import draw


def test_streams_are_splitmix64():
    """Its published first numbers from the state 1234567; and where its 64 bits lie in [0, 1)."""
    state = np.array([1234567], np.uint64)
    numbers = [int(draw(state)[0]) for _ in range(5)]
    assert numbers == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    bits = np.array([0, 2**11 - 1, 2**11, 2**63, 2**64 - 1], np.uint64)
    assert unit(bits).tolist() == [0, 0, 2**-53, 0.5, 1 - 2**-53]
