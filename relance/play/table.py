"""One table: two hands, a node of the betting tree, and who acts. Every environment of a single game wraps a table."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.tree import CHANCE, OVER
from relance.play.rules import Rules, Vector
from relance.play.wording import PLAIN, betting

IllegalAction: TypeAlias = Literal["forfeit", "raise"]


class AtTable:
    """The base class of environments of a single game: gives the hands, cards and node of the environment's `Table`."""

    table: Table

    @property
    def hands(self) -> tuple[Any, ...]:
        """The hands dealt; empty before the first reset."""
        return self.table.hands

    @property
    def cards(self) -> tuple[str, str] | None:
        """The hands as real cards if real cards are dealt, else None."""
        return self.table.cards

    @property
    def node(self) -> int:
        """The node that the game has reached, as an index into `game.tree.table`; 0 is the root."""
        return self.table.node


class Table:
    """The state of a running game. Call `deal`, then `act` until nobody is to move, then read `chips`.

    A deep copy shares the rules and is cheap.

    Args:
        rules: the rules of the game.
        wait: True to give `mask` one more entry: an action to wait, one id past the last, for a player who is not to move.

    Attributes:
        hands: the hands dealt so far: none, player 0's, or both.
        cards: both hands as text if real cards are dealt, else None.
        node: index into `game.tree.table`; 0 is the root.
        player: who is to move; -1 before both hands are dealt and after the end; `CHANCE` where an event turns up next. Events turn up by
            themselves if `deal` dealt the hands; if you chose the hands with `give`, call `turn_up`.
        over: True if the game has ended.
        offender: the player who forfeited the game by an illegal action, else None.
    """

    __slots__ = ("_luck", "_wait", "cards", "hands", "node", "offender", "over", "player", "rules")

    def __init__(self, rules: Rules, wait: bool = False) -> None:
        self.rules, self._wait = rules, wait
        self.hands: tuple[Any, ...] = ()
        self.cards: tuple[str, str] | None = None
        self.node, self.player, self.over = 0, -1, False
        self.offender: int | None = None
        self._luck: list[float] = []

    def __deepcopy__(self, memo: dict[int, object]) -> Table:
        out = object.__new__(Table)
        out.rules, out._wait, out.hands, out.cards = self.rules, self._wait, self.hands, self.cards
        out.node, out.player, out.over, out.offender = self.node, self.player, self.over, self.offender
        out._luck = self._luck
        return out

    def deal(self, rng: np.random.Generator) -> None:
        """Deal two hands and all events by `rng`, and begin at the root."""
        rules = self.rules
        self.hands = hands = rules.deal.sample(rng)
        self.cards = rules.show(hands, rng)
        self.node, self.player, self.over, self.offender = 0, rules.player[0], False, None
        if rules.most_events:
            self._luck = [rng.random() for _ in range(rules.most_events)]

    def give(self, hands: tuple[Any, ...]) -> None:
        """Start at the root with these hands; with fewer than two, nobody is to move yet."""
        self.hands, self.cards, self.node, self.over, self.offender, self._luck = hands, None, 0, False, None, []
        self.player = self.rules.player[0] if len(hands) == 2 else -1

    def act(self, action: int, illegal: IllegalAction = "raise") -> None:
        """Play an action of the player to move; an illegal action forfeits the game, or raises ValueError and changes nothing."""
        rules = self.rules
        if action in rules.legal[self.node]:
            self.node = rules.child[self.node][action]
            self.player = player = rules.player[self.node]
            if player < 0:
                self._settle()
        elif illegal == "raise":
            raise ValueError(rules.illegal(action, self.node))
        else:
            self.forfeit(self.player)

    def turn_up(self, event: int) -> None:
        """Let chance turn up this event id; ValueError if it is impossible here, and nothing changes."""
        rules = self.rules
        possible = rules.event_chances(self.node, *self.hands) if self.player == CHANCE else {}
        if event not in possible:
            raise ValueError(
                f"event {event} is impossible at {rules.names[self.node]!r}; the possible events are {sorted(possible)}"
            )
        self.node = rules.after[self.node][event]
        self.player = rules.player[self.node]
        self._settle()

    def _settle(self) -> None:
        """Note the end, or turn up the next event if the deal has decided it."""
        if self.player == CHANCE and self._luck:
            luck = self._luck[self.rules.turned[self.node]]
            self.turn_up(self.rules.turn_up(self.node, self.hands, luck))
        else:
            self.over = self.player == OVER

    def forfeit(self, player: int) -> None:
        """End the game: `player` pays the most chips that they can lose in it."""
        self.offender, self.player, self.over = player, -1, True

    def not_running(self) -> RuntimeError:
        """Return the error to raise for an action or an observation when no game is running."""
        return RuntimeError("the game is over; call reset() to deal again" if self.hands else "call reset() first")

    @property
    def chips(self) -> float:
        """Chips to player 0; 0 while the game goes on."""
        rules = self.rules
        if self.offender is not None:
            return rules.forfeits[self.offender]
        constant, stake = rules.constant[self.node], rules.stake[self.node]
        return float(constant + stake * rules.compare[self.node](*self.hands)) if stake else constant

    def observe(self, player: int) -> Vector:
        """Return the observation of `player`, a new array (K,) float32.

        Raises:
            RuntimeError: nothing has been dealt yet.
        """
        if not self.hands:
            raise self.not_running()
        return self.rules.observe(player, self.hands[player], self.node)

    def mask(self, player: int) -> npt.NDArray[np.int8]:
        """Return 1 for each legal action, else 0. While the opponent moves, all have 0 but "wait" (if it exists). At the end all have 1."""
        mask: npt.NDArray[np.int8] = self.rules.mask_rows[self._wait][player][
            self.node if self.player >= 0 else -1
        ].copy()
        return mask

    def label(self, player: int) -> str:
        """Return the player's hand as text, such as "K"."""
        return self.rules.deal.label(player, self.hands[player])

    def words(self, player: int) -> str:
        """Return the player's hand in words, with the cards if real cards are dealt."""
        cards = self.cards[player] if self.cards else None
        return PLAIN.hand(self.rules.game, player, self.hands[player], cards)

    def facts(self, player: int) -> dict[str, Any]:
        """Return what `extra_info` adds for `player`: "node", "hand", "forfeit", and with real cards "cards"."""
        facts = {"node": self.rules.names[self.node], "hand": self.label(player), "forfeit": self.offender == player}
        return facts | {"cards": self.cards[player]} if self.cards else facts

    def text(self, player: int) -> str:
        """Return the game in words as `player` sees it, at the end with both hands and the chips; errors as in `observe`."""
        if not self.hands:
            raise self.not_running()
        rules, node = self.rules, self.node
        mover = rules.player[node]
        shown = [self.words(p) if p == player or self.over else "a hidden hand" for p in (0, 1)]
        if self.offender is not None:
            last = f"player {self.offender} took an illegal action and forfeits {rules.worst[self.offender]:g} chips"
        elif mover >= 0:
            last = f"player {mover} to move: " + ", ".join(f"{i} {rules.actions[i]}" for i in rules.legal[node])
        elif chips := self.chips:
            last = f"player {int(chips < 0)} wins {abs(chips):g} chip{'s' * (abs(chips) != 1)}"
        else:
            last = "a tie"
        past = betting(rules.game, rules.names[node]) or "none yet"
        return f"{rules.game}\n  player 0 holds {shown[0]}, player 1 holds {shown[1]}\n  betting: {past}\n  {last}"
