"""The page for teaching, docs/classroom.md: its answers to a reader's choices. It runs in the browser, on NumPy alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from relance.envs.catalogue import BLUEPRINTS
from relance.model.game import Game
from relance.model.numbers import show
from relance.pages.explore import views
from relance.pages.explore.position import (
    Position,
    Slider,
    mix_sliders,
    number_sliders,
    opened,
    parameter_sliders,
    position,
)
from relance.pages.plots.elements import h, scroll, text_of
from relance.pages.plots.steps import ROOM, Layer, drawn, runs, steps
from relance.pages.plots.style import action_colours, tint, who_acts


def game_options() -> str:
    """HTML options of a list of games: those whose equilibrium is published at the parameters that `opened` gives them."""
    found = {name: spec.title for name, spec in BLUEPRINTS.items() if spec.printed and opened(name).is_published}
    return text_of(*(h("option", title, value=name) for name, title in found.items()))


def reply(asked: str) -> str:
    """A JSON object with the HTML of the page's parts: `parameters`, `numbers`, `mixes` and `result`.

    Args:
        asked: a JSON object. `game` is a game as text; `numbers` has new values of published numbers, by symbol, and `mixes` shares of
            uniform play, by decision node. Symbols and nodes that the game lacks are ignored: they are from another game.

    If the input is wrong, or needs a package that the page does not load, `result` says so and the parts that depend on it are missing.
    """
    parts: dict[str, str] = {}
    try:
        parts.update(_parts(json.loads(asked)))
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        parts["result"] = views.warning(str(error))
    except ImportError as error:
        parts["result"] = views.warning(f"{error}: this page solves nothing that needs it; an installed Relance does")
    return json.dumps(parts)


def _parts(asked: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each part as soon as it is known, so that an error leaves those before it."""
    game = opened(asked["game"])
    kinds, movable = game.blueprint.parameters, parameter_sliders(game)
    texts = {name: kinds[name].text(at) for name, at in game.parameters.items()}
    yield "parameters", text_of(*(_field(n, text, text, movable.get(n), n, kinds[n].doc) for n, text in texts.items()))
    changed: list[dict[str, str]] = []
    for part, sliders in (("numbers", number_sliders(game)), ("mixes", mix_sliders(game))):
        given = {name: text for name, text in asked.get(part, {}).items() if name in sliders}
        fields = []
        for name, slider in sliders.items():
            start = show(slider.start)
            label = who_acts(game, name) if part == "mixes" else name
            about = "" if part == "mixes" else slider.doc
            fields.append(_field(name, given.get(name, start), start, slider, label, about))
        changed.append(given)
        yield part, text_of(*fields)
    yield "result", result(position(game, None, *changed))


def _field(name: str, text: str, start: str, slider: Slider | None, label: str, about: str = "") -> Element:
    """A text box and, if the value is a number, its slider; a box that holds `start` counts as unchanged."""
    box = h("input", name=name, value=text, data_start=start, autocomplete="off")
    return h("label", label, box, _stops(slider, text, label) if slider else None, h("small", about))


def _stops(slider: Slider, text: str, label: str) -> Element:
    stops = [show(stop) for stop in slider.stops]
    at = stops.index(text) if text in stops else slider.stops.index(slider.start)
    ends = {"min": "0", "max": str(len(stops) - 1), "value": str(at), "autocomplete": "off"}
    return h("input", type="range", aria_label=label, data_stops=json.dumps(stops), **ends)


def result(now: Position) -> str:
    """HTML with the players' gains, a verdict, the strategies as strips of hands, and all probabilities."""
    away: dict[str, Layer] = {"as played": now.profile, "best response": now.responses}
    layers = away if now.moved else {"equilibrium": now.equilibrium}
    exactly = {"As played": now.profile, "Best responses": now.responses, "Equilibrium": now.equilibrium}
    shown = (text_of(h("b", name), h("pre", str(profile))) for name, profile in exactly.items())
    return "\n".join(
        (
            views.gains_table(now),
            text_of(*strips(now.game, layers)),
            _folded(
                "The equilibrium", views.heading(now), text_of(*strips(now.game, {"equilibrium": now.equilibrium}))
            ),
            _folded("Each probability", *shown),
        )
    )


def _folded(title: str, *inside: str) -> str:
    return f"<details><summary>{title}</summary>{''.join(inside)}</details>"


def strips(game: Game, layers: Mapping[str, Layer]) -> Iterator[Element]:
    """Yield for each node drawn a heading and a strip per strategy. Neighbouring hands that act alike form a part, divided by action."""
    colours = action_colours(game.actions)
    for node in drawn(game):
        player = game.tree.decisions[node].player
        rows = [_strip(game, node, name, layer, colours) for name, layer in layers.items()]
        names = [] if game.deal.on_interval else list(game.finite_deal().labels[player])
        if names and sum(map(len, names)) <= ROOM:
            rows.append(h("div", *(h("span", name) for name in names), class_="hands"))
        yield h("p", h("b", who_acts(game, node)))
        yield scroll(f"{who_acts(game, node)}: hands, the weakest on the left", h("div", *rows, class_="strips"))


def _strip(game: Game, node: str, name: str, layer: Layer, colours: Mapping[str, str]) -> Element:
    borders, rows, exact = steps(game, node, layer)
    parts = []
    for first, end in runs(exact):
        taken = []
        for action, chances, row in zip(game.tree.decisions[node].actions, exact, rows, strict=True):
            if row[first] > 0:
                full = action if row[first] == 1 else f"{action} {views.exactly(chances[first])}"
                style = f"flex-grow: {row[first]:.6f}; background: {tint(colours[action])}"
                taken.append(h("span", full.partition(" (")[0], style=style, title=full))
        parts.append(h("span", *taken, style=f"flex-grow: {borders[end] - borders[first]:.6f}"))
    return h("div", h("small", name), h("div", *parts), class_="strip")
