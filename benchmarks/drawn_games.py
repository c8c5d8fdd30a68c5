"""Games and tolerances drawn at random, for what is tried on games that nobody chose: a number gives the same game everywhere."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

RANGES = (
    ("22+", "55+", "99+", "QQ+", "JJ-66"),
    ("A2s+", "A8s+", "AJs+", "AKs"),
    ("K7s+", "KTs+", "KQs"),
    ("Q8s+", "QJs"),
    ("J7s+", "JTs"),
    ("T8s+", "98s", "76s"),
    ("A9o+", "AQo+"),
    ("KTo+", "QJo", "K5o+"),
)
"""Parts of a range that share no hand, each with what to choose from."""

BET_SIZES = ("1/3", "1/2", "2/3", "1", "3/2", "2", "all-in")


Drawn: TypeAlias = tuple[str, float, float]
"""A game as text, and the least and the largest tolerance in chips to try."""


def drawn(number: int) -> tuple[str, float]:
    """A game as text, and a tolerance in chips.

    A kind of game comes first, then its size and parameters; a size is as likely to lie between 10 and 100 as between 100 and 1,000.
    """
    random = Random(number)
    kind = random.choice((_cards, _cells, _distributions, _sizes, _rounds, _trees, _rivers, _rivers))
    game, least, most = kind(random)
    tolerance = least * (most / least) ** random.random()
    return game, float(f"{tolerance:.0e}")


def _cards(random: Random) -> Drawn:
    raises = random.randrange(7)
    return f"one_card_poker(cards={_about(random, 10, 60_000 / (1 + raises))},raises={raises})", 1e-9, 1e-3


def _cells(random: Random) -> Drawn:
    hands, bet = _about(random, 50, 500_000), random.randint(1, 9)
    name = random.choice(("von_neumann", "la_relance", "flipped_von_neumann", "bellman_blackwell"))
    own = f"low={bet},high={bet + random.randint(1, 6)}" if name == "bellman_blackwell" else f"bet={bet}"
    if name == "flipped_von_neumann":
        own += f",flip={random.randint(1, 4)}/{random.randint(9, 13)}"
    return f"{name}({own},hands={hands})", 1e-9, 1e-3


def _distributions(random: Random) -> Drawn:
    distribution = random.choice(("fgm:-3/4", "fgm:1/3", "power:1:2", "power:3:2", "normal:1/4"))
    hands = _about(random, 50, 700 if "normal" in distribution else 5000)
    sized = f"deal={distribution}:{hands}" if "normal" in distribution else f"deal={distribution},hands={hands}"
    return f"{random.choice(('von_neumann', 'la_relance'))}({sized})", 1e-8, 1e-3


def _sizes(random: Random) -> Drawn:
    sizes = sorted(random.sample((1, 2, 3, 4, 5, 6, 8, 10), random.randint(2, 4)))
    name = random.choice(("sized_von_neumann", "sized_la_relance"))
    return f"{name}(sizes={';'.join(map(str, sizes))},hands={_about(random, 50, 8000)})", 1e-8, 1e-3


def _rounds(random: Random) -> Drawn:
    name, raises = random.choice(("pot_limit", "force_in")), random.randint(1, 4)
    own = ",check_raise=true" if name == "pot_limit" and raises > 1 and random.random() < 0.5 else ""
    return f"{name}(raises={raises}{own},hands={_about(random, 50, 4000)})", 1e-8, 1e-3


def _trees(random: Random) -> Drawn:
    raises = random.randint(1, 3)
    name = random.choice(
        (
            f"five_card(ranks={random.randint(5, 6)},raises={raises})",
            f"five_card(ranks={random.randint(5, 6)},raises={min(2, raises)},check_raise=true)",
            f"five_card(raises={raises},removal=false)",
            f"leduc(ranks={random.randint(3, 5)})",
            f"liars_dice(sides={random.randint(3, 5)})",
        )
    )
    return name, 1e-5, 1e-2


def _rivers(random: Random) -> Drawn:
    board = "".join(random.sample([rank + suit for rank in "23456789TJQKA" for suit in "cdhs"], 5))
    ranges = [_range(random) for _ in range(2)]
    pot = random.randint(2, 20)
    bet_sizes = [size for size in BET_SIZES if random.random() < 0.35] or ["1"]
    own = f"pot={pot},stack={random.randint(2 * pot + 1, 6 * pot)},bets={';'.join(bet_sizes)},raises={random.randrange(3)}"
    return f"river(board={board},ranges={' vs '.join(ranges)},{own})", 1e-5 * pot, 1e-3 * pot


def _range(random: Random) -> str:
    if random.random() < 0.15:
        return "random"
    return ";".join(map(random.choice, random.sample(RANGES, random.randint(1, 6))))


def _about(random: Random, least: float, most: float) -> int:
    number: float = least * (most / least) ** random.random()
    return round(number)
