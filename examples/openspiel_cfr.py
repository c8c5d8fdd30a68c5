"""Solve von Neumann's poker with OpenSpiel's CFR+ and compare with the published value, 1/9."""

import pyspiel

import relance

game = relance.make("von_neumann", bet=2, hands=9)
native = pyspiel.load_efg_game(relance.to_efg(game))  # the same game at C++ speed
solver = pyspiel.CFRPlusSolver(native)
for iteration in range(1, 1001):
    solver.evaluate_and_update_policy()
    if iteration in (10, 100, 1000):
        average = solver.tabular_average_policy()
        value = pyspiel.expected_returns(native.new_initial_state(), average, -1, True)[0]
        print(f"iteration {iteration:4}: value {value:.5f}, NashConv {pyspiel.nash_conv(native, average):.1e}")

profile = game.published()
print(f"published:      value {relance.value(game, profile)}, NashConv {relance.nash_conv(game, profile)}")
