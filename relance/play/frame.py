"""Draws a picture of a table, for videos and logs, with Pillow, which every writer of videos brings; needs no display."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from relance.play.table import Table
from relance.play.wording import betting, has_one_hand

HEIGHT, WIDTH = 400, 640
"""The size of a picture in pixels."""

MIDDLE = WIDTH // 2
ROW = 300
"""The largest width of a row of cards, in pixels."""

FELT, LINE, INK, PALE, BRIGHT, CHIP, BACK = "#1d5c48", "#2f7a61", "#1b1b1b", "#dfeee7", "#ffffff", "#f2c14e", "#8a3033"

SUITS = {"c": "#1f7a34", "d": "#1b4fbd", "h": "#c0252b", "s": INK}
"""The colours of the suits: four, as on many screens, since Pillow's own font has no signs to tell them apart."""


def frame(table: Table, seats: Sequence[int]) -> npt.NDArray[np.uint8]:
    """Return a picture of the table, an RGB array (`HEIGHT`, `WIDTH`, 3), with player 0 at the bottom.

    Args:
        table: a table at which hands have been dealt.
        seats: the players whose hands are shown before the end of the game.

    Raises:
        RuntimeError: no hands have been dealt yet.
        ImportError: Pillow is missing.
    """
    told = table.text(0).splitlines()  # raises if nothing has been dealt
    picture, rules, node = _Picture(), table.rules, table.node
    picture.draw.rounded_rectangle((14, 42, WIDTH - 14, 342), 90, outline=LINE, width=3)
    picture.text(MIDDLE, 22, told[0], WIDTH - 40, 17, PALE)
    picture.cards(rules.game.deal.board, 158, 50)
    picture.text(MIDDLE, 223 if rules.game.deal.board else 192, betting(rules.game, rules.names[node]), 560, 19, PALE)
    picture.text(MIDDLE, 372, told[-1].strip(), WIDTH - 40, 22, BRIGHT)
    for player, top in ((1, 54), (0, 240)):
        picture.text(92, top + 46, f"player {player}", 130, 22, CHIP if table.player == player else PALE)
        picture.chips(table, player, top)
        if not has_one_hand(rules.game, player):
            seen = player in seats or rules.player[node] < 0
            picture.hand(table, player, top) if seen else picture.cards(("",), top)
    return np.array(picture.image)


class _Picture:
    """A picture that is being drawn."""

    def __init__(self) -> None:
        try:
            from PIL import Image, ImageDraw, ImageFont
        except ImportError as missing:
            raise ImportError("pictures of a table need Pillow: pip install 'relance[plot]'") from missing
        self.font = ImageFont.load_default
        self.image = Image.new("RGB", (WIDTH, HEIGHT), FELT)
        self.draw = ImageDraw.Draw(self.image)

    def text(self, x: float, y: float, text: str, width: float, size: float, colour: str) -> None:
        """Write a line centred at (x, y), in smaller symbols than `size` if it is wider than `width`."""
        size *= min(1.0, width / max(1.0, self.draw.textlength(text, self.font(size))))
        self.draw.text((x, y), text, colour, self.font(size), "mm")

    def chips(self, table: Table, player: int, top: int) -> None:
        """Draw what a player has paid, as a chip; at the end, what they win or lose."""
        if table.player >= 0:
            paid = table.rules.game.tree.decisions[table.rules.names[table.node]].paid[player]
            self.draw.ellipse((514, top + 20, 566, top + 72), CHIP, INK, 2)
            self.text(540, top + 46, f"{float(paid):g}", 42, 24, INK)
        elif chips := table.chips * (1 - 2 * player):
            self.text(540, top + 46, f"{'wins' if chips > 0 else 'loses'} {abs(chips):g}", 130, 22, BRIGHT)

    def hand(self, table: Table, player: int, top: int) -> None:
        """A hand as cards, or as a number with a bar from 0 to 1."""
        rules, hand, places = table.rules, table.hands[player], table.rules.game.deal.places
        if table.cards is not None:
            self.cards(table.cards[player].split(), top)
        elif places is None and not rules.numbered:
            self.cards(rules.game.deal.cards(player, hand), top)
        else:
            share = float(hand if places is None else places[player][hand])
            left, right = MIDDLE - 110, MIDDLE + 110
            self.draw.rounded_rectangle((left, top, right, top + 92), 10, BRIGHT, INK, 2)
            self.text(MIDDLE, top + 34, table.words(player), 188, 30, INK)
            self.draw.rectangle((left + 16, top + 64, right - 16, top + 78), "#d7d7d7")
            self.draw.rectangle((left + 16, top + 64, left + 16 + share * (right - left - 32), top + 78), LINE)

    def cards(self, names: Sequence[str], top: int, height: int = 92) -> None:
        """Draw cards in a row; a card without a name lies face down."""
        gap = 8
        wide = min(0.72 * height, (ROW + gap) / max(1, len(names)) - gap)
        left = MIDDLE - (len(names) * (wide + gap) - gap) / 2
        for k, name in enumerate(names):
            x = left + k * (wide + gap)
            suited = name[-1:] in SUITS and name[:-1] in ("10", *"23456789TJQKA")
            self.draw.rounded_rectangle((x, top, x + wide, top + height), 8, BRIGHT if name else BACK, INK, 2)
            self.text(x + wide / 2, top + height / 2, name, wide - 12, 0.4 * height, SUITS[name[-1]] if suited else INK)
