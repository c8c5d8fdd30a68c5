"""The simplex method in fractions, alone and from false starts."""

import random
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import relance
from benchmarks.extremes import drawn, failure
from relance.solvers.exact_lp import Program

F = Fraction
NOT_0 = [*range(-9, 0), *range(1, 10)]


@pytest.mark.parametrize("game", list(islice(drawn(), 39)), ids=str)
def test_random_legal_games_with_extreme_parameters_are_solved_exactly(game):
    """A small part of `python -m benchmarks.extremes`."""
    assert failure(game) is None


@pytest.mark.parametrize(
    "game",
    [
        "one_card_poker(bet=1/10000)",
        "one_card_poker(ante=1e-9,bet=1e-9)",
        "von_neumann(deal=power:10:1,hands=9)",
        "von_neumann(deal=power:100:1,hands=9)",
        "one_card_poker(bet=1e299)",
        "one_card_poker(bet=1e-299)",
    ],
)
def test_amounts_and_probabilities_far_apart(game):
    assert failure(relance.make(game)) is None


def random_program(draw, size, rows):
    """A program that has an optimum: some point is feasible, and every variable bounded."""
    program = Program()
    program.variables(size, nonnegative=True)
    program.nonnegative = set(draw.sample(range(size), size // 2))
    point = [F(draw.randint(0, 5), draw.randint(1, 9)) for _ in range(size)]
    for _ in range(rows):
        row = {j: F(draw.choice(NOT_0), draw.randint(1, 9)) for j in draw.sample(range(size), min(size, 3))}
        room = draw.choice([0, 0, F(draw.randint(1, 9), draw.randint(1, 9))])
        program.at_most.append((row, sum(c * point[j] for j, c in row.items()) + room))
    program.equal.append((dict.fromkeys(range(size), F(1)), sum(point)))
    for j in range(size):
        program.at_most += [({j: F(1)}, F(9)), ({j: F(-1)}, F(9))]
    program.objective = {j: F(draw.choice(NOT_0)) for j in range(size)}
    return program


@given(st.integers(0, 10**6), st.integers(2, 8), st.integers(0, 8), st.booleans())
def test_pivots_from_anywhere_find_what_floats_find(seed, size, rows, blind):
    """The start is random, or nothing is known of it."""
    draw = random.Random(seed)
    program = random_program(draw, size, rows)
    best, point, multipliers = program.floats()

    def start(self):
        if blind:
            raise ValueError
        noise = np.random.default_rng(seed)
        return best, noise.random(len(point)) * 9, noise.random(len(multipliers))

    exact, floats = program.solve()[0], Program.floats
    try:
        Program.floats = start
        assert program.solve()[0] == exact
    finally:
        Program.floats = floats
    assert abs(float(exact) - best) < 1e-7
