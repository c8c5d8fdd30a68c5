"""Random legal games with extreme parameters, each solved by exact linear programs: how many, how long, and what fails.

    python -m benchmarks.extremes [--count 450] [--seed 0]

The exit status is 1 if a game is not solved exactly: without an equilibrium whose NashConv, computed anew in fractions, is 0.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice

from rich.progress import track

from relance.envs.catalogue import BLUEPRINTS, make
from relance.model.game import Game, build
from relance.model.parameters import (
    ALL_IN,
    Amount,
    Bets,
    Distribution,
    Flag,
    Parameter,
    PotShares,
    Probability,
    WholeNumber,
)
from relance.model.playing_cards.parameters import BoardCards, Ranges
from relance.model.playing_cards.ranges import ORDER, Hand, hand_name
from relance.solvers.exact import nash_conv, value
from relance.solvers.lp import solve_lp

MOST_SETS = 80
"""The most information sets of a game that is drawn: so all games together take a minute or two."""


def amount(draw: random.Random) -> Fraction:
    """Chips: simple, tiny, huge, or with an odd denominator."""
    simple = Fraction(draw.randint(1, 9), draw.randint(1, 9))
    return draw.choice(
        [
            simple,
            simple * Fraction(10) ** draw.randint(-12, 12),
            Fraction(1, draw.randint(2, 10**5)),
            Fraction(draw.randint(1, 10**12), 10**11),
        ]
    )


def probability(draw: random.Random) -> Fraction:
    """A probability: simple, next to 0 or 1, or one of them."""
    part = Fraction(draw.randint(0, 12), 12)
    tiny = Fraction(1, 10 ** draw.randint(2, 12))
    return draw.choice([part, part, tiny, 1 - tiny, Fraction(draw.randint(1, 10**12), 10**12)])


def _hands(draw: random.Random, board: tuple[int, ...]) -> str:
    left = [card for card in range(52) if card not in board]
    hands: set[Hand] = set()
    for _ in range(draw.randint(1, 5)):
        high, low = sorted(draw.sample(left, 2), reverse=True)
        hands.add((high, low))
    return ",".join(f"{hand_name(hand)}:{probability(draw) or 1}" for hand in sorted(hands))


def _distribution(draw: random.Random) -> str:
    return draw.choice(
        [
            "uniform",
            f"power:{draw.randint(1, 20)}:{draw.randint(1, 20)}",
            f"atoms:{draw.choice([Fraction(1, 10 ** draw.randint(1, 12)), Fraction(draw.randint(1, 11), 12)])}",
            f"fgm:{2 * probability(draw) - 1}",
        ]
    )


def _texts(draw: random.Random) -> dict[type[Parameter], Callable[[Parameter], object]]:
    """For each kind of parameter, a function that draws a value."""
    cards = tuple(draw.sample(range(52), 5))

    def few(spec: Parameter) -> int:
        assert isinstance(spec, WholeNumber)
        return draw.randint(spec.least, min(spec.least + 4, spec.most))

    def board(spec: Parameter) -> str:
        assert isinstance(spec, BoardCards)
        return "".join(ORDER[card // 4] + "cdhs"[card % 4] for card in cards[: spec.size])

    def shares(spec: Parameter) -> list[object]:
        rising = sorted({amount(draw) for _ in range(draw.randint(1, 3))})
        return [*rising, *draw.choice([[], [ALL_IN]])]

    return {
        Amount: lambda spec: draw.choice([amount(draw), Fraction(0)]),
        Probability: lambda spec: probability(draw),
        WholeNumber: few,
        Bets: lambda spec: [amount(draw) for _ in range(draw.randint(1, 3))],
        PotShares: shares,
        Flag: lambda spec: draw.random() < 0.5,
        Distribution: lambda spec: _distribution(draw),
        BoardCards: board,
        Ranges: lambda spec: [_hands(draw, cards), _hands(draw, cards)],
    }


def drawn(seed: int = 0) -> Iterator[Game]:
    """Random small games without end, of all kinds in the registry that have small games, in turn; the same for the same seed."""
    draw = random.Random(seed)
    kinds = [name for name in BLUEPRINTS if len(make(name).tree.decisions) <= 2 * MOST_SETS]
    while True:
        for name in kinds:
            while (game := _drawn(draw, name)) is None:
                pass
            yield game


def _drawn(draw: random.Random, name: str) -> Game | None:
    """A random game of this kind; None where the parameters do not fit each other, or the game is not small."""
    blueprint, ways = BLUEPRINTS[name], _texts(draw)
    parameters = {}
    for key, spec in blueprint.parameters.items():
        kind = next(kind for kind in type(spec).__mro__ if kind in ways)
        parameters[key] = ways[kind](spec) if draw.random() < 0.8 else spec.default
    try:
        game = build(blueprint, **parameters)
    except ValueError:
        return None
    if not game.deal.is_finite:
        game = game.grid(draw.randint(2, 12))
    sets = sum(game.deal.size(node.player) for node in game.tree.decisions.values())
    return game if sets <= MOST_SETS else None


def failure(game: Game) -> str | None:
    """Why the game is not solved exactly; None if it is."""
    try:
        worth, profile = solve_lp(game)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    left = nash_conv(game, profile)
    if isinstance(left, float) or left != 0:
        return f"NashConv {left}"
    return None if value(game, profile) == worth else f"the profile is worth {value(game, profile)}, not {worth}"


def main() -> None:
    """Solve the games and print those that fail and those that take longest."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.extremes", description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=450, help="how many games")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    failed, seconds = 0, list[tuple[float, str]]()
    for game in track(list(islice(drawn(arguments.seed), arguments.count)), "Solving"):
        start = time.process_time()
        why = failure(game)
        seconds.append((time.process_time() - start, str(game)))
        if why:
            failed += 1
            print(f"{game}: {why}")
    print(
        f"{arguments.count - failed} of {arguments.count} games solved exactly, {sum(s for s, _ in seconds):.0f} s in all"
    )
    for taken, name in sorted(seconds, reverse=True)[:5]:
        print(f"  {taken:6.2f} s  {name}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
