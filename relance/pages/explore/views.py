"""A position as HTML for the explorer's page: tables of exact numbers, and pictures in the page's colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any
from xml.etree.ElementTree import Element

from relance.model.game import Game
from relance.model.numbers import Number, show
from relance.pages.explore.position import Position, letters
from relance.pages.plots.bars import strategy_bars
from relance.pages.plots.chips import action_chips
from relance.pages.plots.elements import h, inline_svg, scroll, table, text_of
from relance.pages.plots.style import INK, Figure, render
from relance.pages.plots.values import value_curve

LONGEST = 30
"""Longer fractions are shown only as decimals."""

HEAD = """<style>
.relance { --line: #ddd; --card: transparent; --dim: #5a6068; color: #1c1e21; overflow-wrap: anywhere; }
.dark .relance { --line: #444; --dim: #a3a8ae; color: #e6e6e3; }
.relance h1 { font-size: 1.5rem; font-weight: 700; margin: 0 0 .4rem; }
.relance table { border-collapse: collapse; width: auto; margin: .3rem 0; font-variant-numeric: tabular-nums; }
.relance th, .relance td { text-align: left; padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; white-space: nowrap; }
.relance th { color: var(--dim); font-weight: 600; }
.relance .moved { font-weight: 700; }
.relance .dim { color: var(--dim); font-size: .9em; margin: .2rem 0; }
.relance .scroll { overflow-x: auto; }
.relance svg { height: auto; }
.relance .warning { border-left: 4px solid #b35900; padding: .2rem .8rem; margin: 0; }
.controls { display: grid; gap: .3rem 1.2rem; grid-template-columns: repeat(2, minmax(0, 1fr)); margin: 0; }
.controls > * { min-width: 0; white-space: nowrap; }
.controls b { white-space: normal; grid-column: 1 / -1; margin: .6rem 0 0; }
@media (max-width: 768px) {
  .relance h1, .relance .warning { margin-right: 3rem; }
  .relance .scroll[aria-label^="Strategies"] { max-height: 50vh; overflow-y: auto; }
}
@media (min-width: 769px) {
  #App { padding-left: 21rem; }
  .controls { position: fixed; z-index: 1; left: 0; top: 0; bottom: 0; width: 21rem; padding: .5rem 1.2rem 2rem; overflow-y: auto;
    grid-template-columns: 1fr; align-content: start; border-right: 1px solid var(--line); }
}
</style>
<script>
document.addEventListener("readystatechange", () => {  // before marimo's own script, which is a module
  const shown = window.__MARIMO_MOUNT_CONFIG__?.config?.display;
  if (shown) shown.theme = "system";
}, { once: true });
</script>
"""
"""The head of the page: the colours that `relance.pages.plots.elements.inline_svg` uses, light or dark as the browser prefers."""


def heading(position: Position) -> str:
    """The game, its source, and its equilibrium."""
    game = position.game
    lines = (f"{game}", f"{game.source}", f"Equilibrium: {position.note}")
    return _page(h("h1", game.blueprint.title), *(h("p", line, class_="dim") for line in lines))


def controls(sections: Mapping[str, Sequence[str]]) -> str:
    """The page's controls as HTML, in named sections: beside the page or, on a narrow screen, inside it."""
    parts = (f"<b>{escape(name)}</b>{''.join(items)}" for name, items in sections.items())
    return f'<div class="relance controls">{"".join(parts)}</div>'


def warning(text: str) -> str:
    """A box with the error in the input; "" if there is none."""
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
    """Sum up the position in a sentence."""
    if position.nash_conv == 0:
        other = " after all" if position.moved else ""
        return f"Nobody gains by playing differently: this is an equilibrium{other}, exactly."
    if not position.moved:
        return f"An equilibrium to within {float(position.nash_conv):.1g} chips; its numbers are not exact."
    who = [f"player {player} gains {exactly(gain)} chips" for player, gain in enumerate(position.gains) if gain != 0]
    return f"By a best response {' and '.join(who)}."


def letters_table(game: Game, family: Mapping[str, Any], numbers: Mapping[str, Number]) -> str:
    """The exact published thresholds and probabilities, next to the values played."""
    rows = [
        [
            h("th", item.name),
            _cell(item.name, item.value, numbers.get(item.name, item.value)),
            h("td", exactly(item.value), data_at=item.name),
            item.formula,
        ]
        for item in letters(game, family)
    ]
    return _page(table(("number", "as played", "at equilibrium", "in print"), rows, "Numbers")) if rows else ""


def strategies(position: Position) -> str:
    """The strategies as bars over the hands: at equilibrium, as played, and the best responses to those."""
    layers = {"equilibrium": position.equilibrium}
    if position.moved:
        layers |= {"as played": position.profile, "best response": position.responses}
    return _picture(strategy_bars(position.game, layers), "strategies", "Strategies as bars over the hands")


def chips(position: Position) -> str:
    """The expected chips of each action against the hand."""
    return _picture(action_chips(position.game, position.profile), "chips", "Expected chips of each action by hand")


def values(game: Game, name: str) -> str:
    """The value against one parameter, with the game's own value marked.

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
