"""A position as HTML for the explorer's page: tables of exact numbers, and pictures in the page's colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any
from xml.etree.ElementTree import Element

from relance.model.game import Game
from relance.model.numbers import Number, show
from relance.pages.explore.position import Position, symbols
from relance.pages.plots.bars import strategy_bars
from relance.pages.plots.chips import action_chips
from relance.pages.plots.elements import h, inline_svg, scroll, table, template, text_of
from relance.pages.plots.style import INK, Figure, render
from relance.pages.plots.values import value_curve

LONGEST = 30
"""Fractions of more characters than this are shown only as decimals."""

HEAD = template("explorer_head.html")
"""The head of the page: the colours that `relance.pages.plots.elements.inline_svg` uses, light or dark as the browser prefers."""


def heading(position: Position) -> str:
    """HTML with the game, its source, and the source of its equilibrium."""
    game = position.game
    lines = (f"{game}", f"{game.source}", f"Equilibrium: {position.note}")
    return _page(h("h1", game.blueprint.title), *(h("p", line, class_="dim") for line in lines))


def controls(sections: Mapping[str, Sequence[str]]) -> str:
    """The page's controls as HTML, in named sections: beside the page or, on a narrow screen, inside it."""
    parts = (f"<b>{escape(name)}</b>{''.join(items)}" for name, items in sections.items())
    return f'<div class="relance controls">{"".join(parts)}</div>'


def warning(text: str) -> str:
    """HTML of a box with this error message; "" if the text is empty."""
    return _page(h("p", text, class_="warning", role="alert")) if text else ""


def exactly(number: Number) -> str:
    """A number as text: 2, or 1/3 (0.3333), or 0.123457 for a long fraction or a float."""
    text = show(number)
    if isinstance(number, (int, Fraction)):
        if number == int(number):
            return text
        if len(text) <= LONGEST:
            return f"{text} ({float(number):.4f})"
    return f"{float(number):.6g}"


def gains_table(position: Position) -> str:
    """A table of what each player earns, and what each could earn by a best response, in chips."""
    head = ("earns, in chips", "as played", "by a best response", "gain", "at equilibrium")
    rows = []
    for player, (gain, answer) in enumerate(zip(position.gains, position.answers, strict=True)):
        before, after = (worth * (1 - 2 * player) for worth in position.values)
        cells = [
            _cell(f"earned-{player}", before, after),
            h("td", exactly(answer.value), data_played=f"best-{player}"),
            _cell(f"gain-{player}", Fraction(0), gain),
        ]
        rows.append([h("th", f"player {player}"), *cells, exactly(before)])
    both = [h("th", "NashConv"), "", "", _cell("nash-conv", Fraction(0), position.nash_conv), ""]
    return _page(table(head, [*rows, both], "Gains"), h("p", verdict(position), data_verdict=""))


def verdict(position: Position) -> str:
    """Say in a sentence whether the position is an equilibrium, or else what each player gains by a best response."""
    if position.nash_conv == 0:
        other = " after all" if position.moved else ""
        return f"Nobody gains by playing differently: this is an equilibrium{other}, exactly."
    if not position.moved:
        return f"An equilibrium to within {float(position.nash_conv):.1g} chips; its numbers are not exact."
    who = [f"player {player} gains {exactly(gain)} chips" for player, gain in enumerate(position.gains) if gain != 0]
    return f"By a best response {' and '.join(who)}."


def symbols_table(game: Game, family: Mapping[str, Any], numbers: Mapping[str, Number]) -> str:
    """A table of the published thresholds and probabilities: as played (`numbers`), and exactly, at equilibrium."""
    rows = [
        [
            h("th", item.name),
            _cell(item.name, item.value, numbers.get(item.name, item.value)),
            h("td", exactly(item.value), data_at=item.name),
            item.formula,
        ]
        for item in symbols(game, family)
    ]
    return _page(table(("number", "as played", "at equilibrium", "in print"), rows, "Numbers")) if rows else ""


def strategies(position: Position) -> str:
    """Strategies as bars over the hands: the equilibrium and, if changed, those played and the best responses to them."""
    layers = {"equilibrium": position.equilibrium}
    if position.moved:
        layers |= {"as played": position.profile, "best response": position.responses}
    return _picture(strategy_bars(position.game, layers), "strategies", "Strategies as bars over the hands")


def chips(position: Position) -> str:
    """A picture of the expected chips of each action against the hand."""
    return _picture(action_chips(position.game, position.profile), "chips", "Expected chips of each action by hand")


def values(game: Game, name: str) -> str:
    """A picture of the game's value against the parameter `name`, with a line at the parameter's present value.

    Raises:
        ValueError: the value cannot be drawn along this parameter.
    """
    drawing = value_curve(game, [name])
    drawing.axes[0].axvline(float(game.parameters[name]), color=INK, linewidth=1)
    return _picture(drawing, "values", f"Value against {name}")


def _cell(name: str, old: Number, new: Number) -> Element:
    """A number as played, in bold where it differs from the one at equilibrium."""
    return h("td", exactly(new), data_played=name, **({} if new == old else {"class_": "moved"}))


def _picture(drawing: Figure, name: str, label: str) -> str:
    return _page(scroll(label, inline_svg(render(drawing), name, label)))


def _page(*parts: Element) -> str:
    return text_of(h("div", *parts, class_="relance"))
