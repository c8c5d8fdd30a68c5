"""What smaller sets of bet sizes lose: `python -m studies.bet_sizes` writes the table in docs/menus.md anew, within a minute.

The full game has the best three sizes, on cells. A smaller set of bet sizes is solved, and player 1 takes the sizes that it lacks as a
mixture of those that it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from relance.envs.many_bet_sizes import best_sizes
from relance.equilibria.abstraction_price import (
    AbstractionPrice,
    nearest_size_probs,
    price_of_abstraction,
    pseudo_harmonic_probs,
)

ANTE, HANDS = 1, 18
SIZES = [2 * ANTE * size for size in best_sizes(3)]
"""The full set of bet sizes in chips: 1/3, 1 and 3 times the pot."""

BET_SIZES: tuple[tuple[int, ...], ...] = ((0, 1), (0, 2), (1, 2), (1,))
"""The smaller sets of bet sizes, by their places in the full one."""

PAGE = Path(__file__).parents[1] / "docs" / "menus.md"
HEAD = "| set of bet sizes | player 0 loses | player 1 loses, nearest size | player 1 loses, pseudo-harmonic |"


def game(sizes: Sequence[Fraction]) -> str:
    """The game with these sizes, as text."""
    return f"sized_von_neumann(sizes={';'.join(map(str, sizes))},hands={HANDS})"


def price(bet_sizes: Sequence[Fraction], mapping: Callable[..., dict[Fraction, Fraction]]) -> AbstractionPrice:
    """What the strategies of a set of bet sizes lose against the full one, where sizes that it lacks are taken by this mapping."""
    reading = {
        f"bet {size}": {f"bet {taken}": share for taken, share in mapping(size, bet_sizes, 2 * ANTE).items()}
        for size in SIZES
        if size not in bet_sizes
    }
    return price_of_abstraction(game(SIZES), game(bet_sizes), reading)


def rows() -> Iterator[str]:
    """The lines of the table."""
    for places in BET_SIZES:
        bet_sizes = [SIZES[k] for k in places]
        nearest, harmonic = (price(bet_sizes, mapping) for mapping in (nearest_size_probs, pseudo_harmonic_probs))
        first, second = nearest.prices
        cells = [first, second, harmonic.prices[1]]
        yield f"| {', '.join(map(str, bet_sizes))} | " + " | ".join(f"{float(cell):.4f}" for cell in cells) + " |"


def main() -> None:
    """Write the table."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(HEAD)
    after = rest.partition("\n\n")[2]
    table = "\n".join([HEAD, "|---|---:|---:|---:|", *rows()])
    PAGE.write_text(f"{before}{table}\n\n{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
