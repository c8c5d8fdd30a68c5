"""The display of `relance play`: hands, moves, the worth of actions, and the summary. Works without colour, and at 40 columns."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.text import Text

from relance.model.numbers import Number
from relance.pages.commands.terminal import plain_table
from relance.play.coach import gaps
from relance.play.wording import PLAIN, betting, has_one_hand
from relance.words.prompts import leads_to, pot
from relance.words.session import ScoredChoice, Session, keys

MOST_DIGITS = 1000
"""Fractions with a larger denominator are shown as decimals only."""

SUITS = {"c": ("♣", ""), "d": ("♦", "red"), "h": ("♥", "red"), "s": ("♠", "")}
BAR = 20


def chips_text(chips: Number) -> str:
    """Chips as text: 2, or 1/3 (0.3333), or 0.3333 for a long fraction or a float."""
    if float(chips).is_integer():
        return str(int(float(chips)))
    if isinstance(chips, Fraction) and chips.denominator <= MOST_DIGITS:
        return f"{chips} ({float(chips):.4f})"
    return f"{float(chips):z.4f}"


def hand_drawing(session: Session, plain: bool) -> RenderableType:
    """The player's hand: its cards, and what they make if the game deals classes of hands; or a number with a bar. ASCII if `plain`."""
    if has_one_hand(session.game, session.player):
        return Text("you have no hidden card", "dim")
    places = session.game.deal.places
    held = session.table.hands[session.player]
    if session.table.cards is not None:
        return Group(
            _cards(session.table.cards[session.player].split(), plain),
            Text(PLAIN.hand(session.game, session.player, held), "bold"),
        )
    if places is None and not session.rules.numbered:
        hand = _cards(session.game.deal.cards(session.player, held), plain)
        board = session.game.deal.board
        return (
            Group(Text("on the table", "dim"), _cards(board, plain), Text("your hand", "dim"), hand) if board else hand
        )
    full = round(BAR * float(held if places is None else places[session.player][held]))
    on, off = ("#", ".") if plain else ("█", "░")
    return Text.assemble((session.holding, "bold"), "  ", (on * full, "green"), (off * (BAR - full), "dim"))


def _cards(names: Sequence[str], plain: bool) -> RenderableType:
    if plain:
        return Text(" ".join(f"[{name}]" for name in names), "bold")
    faces = [_face(name) for name in names]
    top, bottom = (
        " ".join(left + "─" * (len(face) + 2) + right for face in faces) for left, right in (("╭", "╮"), ("╰", "╯"))
    )
    middle = Text(" ").join(Text.assemble("│ ", face, " │") for face in faces)
    return Group(Text(top), middle, Text(bottom))


def _face(name: str) -> Text:
    """A card by its name, with its suit as a symbol."""
    rank, suit = name[:-1], name[-1:]
    if suit in SUITS and rank in ("10", *"23456789JQKA"):
        symbol, colour = SUITS[suit]
        return Text(rank + symbol, f"bold {colour}")
    return Text(name, "bold")


def legal_choices(session: Session) -> Text:
    """The events so far, the pot, and the legal actions, each with its key and what it leads to."""
    out = Text(_turned_up(session)).append(f"  pot {pot(session.game, session.node)}\n", "dim")
    short = keys(session.actions)
    width = max(map(len, short.values()))
    for action, key in short.items():
        out.append(f"  {key:<{width}}", "bold cyan").append(f" {action}" if action != key else "")
        out.append(f"  {leads_to(session.game, session.node, action)}\n", "dim")
    return out.append("  ? worth   rules   q end", "dim")


def _turned_up(session: Session) -> str:
    """A line with the events so far; nothing if there are none."""
    events = session.game.tree.cases[session.node].events
    return f"  turned up: {', '.join(events)}\n" if events else ""


def worth_table(
    actions: tuple[str, ...], chips: tuple[Number, ...] | None, reference_opponent: str, action: str | None = None
) -> RenderableType:
    """A table of the expected chips of each action against `reference_opponent`, and how far each is below the best; `action` is marked."""
    if not reference_opponent:
        return Text("  no coach scores a game of so many nodes", "dim")
    if chips is None:
        return Text(
            f"  against the {reference_opponent} opponent this hand never gets here, so there is nothing to compare",
            "dim",
        )
    table = plain_table(f"  against {reference_opponent}", "chips", "loses", numbers=2)
    for name, value, gap in zip(actions, chips, gaps(chips), strict=True):
        style = "green" if not gap else "yellow" if name == action else None
        loses = chips_text(gap) if gap else "-"
        table.add_row(Text(f"{'>' if name == action else ' '} {name}"), chips_text(value), loses, style=style)
    return table


def cost_line(choice: ScoredChoice, lost: Number) -> Text:
    """The cost of a choice, and of all choices so far (`lost`), in chips."""
    if choice.chips is None:
        return Text(f"  lost so far: {chips_text(lost)}", "dim")
    out = Text(f"  {choice.action} ")
    if choice.cost:
        out.append(f"cost {chips_text(choice.cost)}", "yellow").append(f", {choice.best} was better")
    else:
        out.append("cost nothing", "green")
    return out.append(f"; lost so far: {chips_text(lost)}")


def show_end(console: Console, session: Session) -> None:
    """Print how the hand ended: both hands if they were compared, and the chips."""
    other = 1 - session.player
    console.print(_turned_up(session), end="", markup=False)
    if session.game.tree.leaves[session.node].stake and not has_one_hand(session.game, other):
        console.print(f"  opponent holds {escape(session.table.words(other))}")
    chips = session.result
    what = f"[green]you win {chips_text(chips)}[/]" if chips > 0 else f"[red]you lose {chips_text(-chips)}[/]"
    console.print(f"  {what if chips else 'a tie'}; [bold]{chips_text(session.chips)}[/] in total\n")


def show_summary(console: Console, session: Session, reference_opponent: str) -> None:
    """Print the number of hands, the chips won, the expected chips that all choices cost, and the costliest choices."""
    hands = session.ended
    unended = " (and one unfinished)" if not session.over else ""
    console.print(f"[bold]{hands} hand{'s' * (hands != 1)}[/]{unended}")
    if not hands:
        return
    lost = sum((choice.cost for choice in session.choices), Fraction(0))
    rows = [
        ("chips won", session.chips, session.chips / hands),
        ("equilibrium value", session.par, session.par / hands),
        ("your choices cost", lost, lost / hands),
    ]
    table = plain_table("", "chips", "a hand", numbers=2)
    for label, total, mean in rows if reference_opponent else rows[:1]:
        table.add_row(label, chips_text(total), chips_text(mean))
    console.print(table)
    if reference_opponent:
        console.print(f"[dim]the last two are expected chips, against {reference_opponent}[/]")
    for i, choice in enumerate(session.costliest()):
        if i == 0:
            console.print("[bold]costliest decisions[/]")
        where = f"after {betting(session.game, choice.node)}" if choice.node else "to open"
        console.print(
            f"  hand {choice.hand}, {escape(choice.holding)} {where}: {choice.action} cost {chips_text(choice.cost)}, "
            f"{choice.best} was better",
        )
