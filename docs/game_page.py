"""The page of one game for the documentation, in Markdown, made from its file, its rules and the ledger."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Collection, Iterator
from html import escape
from typing import Any

from mathematics import mathml

from relance.claims import papers
from relance.claims.finding import RESTORED
from relance.claims.ledger import Claim, Paper
from relance.model.blueprint import Blueprint, Printed
from relance.model.game import Game, build
from relance.model.numbers import show
from relance.model.tree import Leaf
from relance.pages.plots.picture import caption
from relance.play.rules import rules
from relance.solvers.exact import nash_conv, value
from relance.words.prompts import describe, situation

MOST_HANDS = 1000
"""With more hands than this, value and NashConv are left out: exact numbers take too long."""


def claims_of(spec: Blueprint) -> list[tuple[Paper, Claim]]:
    """The claims about a game, with their papers."""
    return [(paper, claim) for paper in papers().values() for claim in paper.claims if spec.name in claim.games]


def page(spec: Blueprint, drawn: Collection[str] = ()) -> str:
    """The page of a game, which shows the pictures named by `drawn`, of those of `pictures`."""
    game = build(spec)
    shown = {name: f"![{caption(name)}: {spec.name}]({spec.name}-{name}.svg)" for name in drawn}
    parts = [
        [f"# {_plain(spec.title)}"],
        [spec.result] if spec.result else [],
        _worth(game) if game.is_published else [],
        [shown.pop("strategy")] if "strategy" in shown else [],
        [f"`{spec.name}`. Source: {_plain(str(spec.source))}"],
        _use(game),
        ["## Rules", *_rules(spec), "The players are 0 and 1, in the order in which the paper names them."],
        [shown.pop("tree")] if "tree" in shown else [],
        ["## Parameters", _parameters(spec)],
        _actions(game),
        _observation(game),
        _rewards(game),
        _in_words(game),
        _published(game),
        list(shown.values()),
        _ledger(spec),
        ["## Citation", *(_plain(f"{paper.citation}.") for paper in spec.papers())],
        ["To cite Relance itself, see `CITATION.cff` in its repository."],
    ]
    return "\n\n".join(text for part in parts for text in part) + "\n"


def _use(game: Game) -> list[str]:
    from relance.registration.gymnasium import gymnasium_id

    return [
        "| where | how |\n|---|---|\n"
        f'| Relance | `relance.make("{game.name}")` |\n'
        f'| OpenSpiel | `pyspiel.load_game("relance_{game.name}")` |\n'
        f'| PettingZoo | `pettingzoo.make("aec", "relance/{game.name}-v0")`, `pettingzoo.make("parallel", "relance/{game.name}-v0")` |\n'
        f'| Gymnasium | `gymnasium.make("{gymnasium_id(game.name)}", opponent="uniform")` |\n'
        f"| terminal | `relance play {game.name}` |"
    ]


def _rules(spec: Blueprint) -> Iterator[str]:
    head, _, rest = inspect.cleandoc(spec.build.__doc__ or "").partition("Rules:\n")
    yield _joined(rest or head)


def _parameters(spec: Blueprint) -> str:
    rows = ["| name | default | what | allowed |", "|---|---|---|---|"]
    for name, item in spec.parameters.items():
        rows.append(f"| `{name}` | `{item.text(item.default)}` | {_plain(item.doc)} | {_plain(item.allowed)} |")
    return "\n".join(rows)


def _actions(game: Game) -> list[str]:
    ids = {action: i for i, action in enumerate(game.actions)}
    rows = ["| betting so far | who acts | legal actions |", "|---|---|---|"]
    for name, node in game.tree.decisions.items():
        legal = ", ".join(f"{ids[action]} {_plain(action)}" for action in node.actions)
        rows.append(f"| {_betting(name)} | player {node.player} | {legal} |")
    return ["## Actions", f"The legal actions with their ids, in `{game}`:", "\n".join(rows)]


def _observation(game: Game) -> list[str]:
    """The pieces of the vector, as the rules of the game state them."""
    compiled, rows, start = rules(game), ["| entries | piece | shape | what |", "|---|---|---|---|"], 0
    for name, shape, sentence in compiled.pieces:
        size = math.prod(shape)
        where = f"{start}" if size == 1 else f"{start} to {start + size - 1}"
        rows.append(f"| {where} | `{name}` | `{shape}` | {_plain(sentence)} |")
        start += size
    lead = f"A flat float32 vector, the same in all three frameworks; {compiled.size} numbers in `{game}`:"
    after = "Two observations are equal if and only if they belong to the same information set."
    return ["## Observation", lead, "\n".join(rows), after]


def _rewards(game: Game) -> list[str]:
    worst = rules(game).worst
    rows = ["| play | chips to player 0 |", "|---|---|"]
    for name, leaf in game.tree.leaves.items():
        rows.append(f"| {_betting(name)} | {_chips(leaf)} |")
    return [
        "## Rewards",
        "Chips, paid at the end of the game; player 1 pays what player 0 gets. In a showdown player 0 gets the upper sign for a "
        "win, the lower for a loss, and 0 in place of that amount for a tie; a hand that only has a chance to win gets the "
        f"mean. In `{game}` player 0 can lose at most {worst[0]:g} and player 1 at most {worst[1]:g}; an illegal action in an "
        "environment forfeits that much.",
        "\n".join(rows),
    ]


def _chips(leaf: Leaf) -> str:
    if not leaf.stake:
        return show(leaf.constant)
    return f"{show(leaf.constant)} " * bool(leaf.constant) + f"±{show(leaf.stake)}"


def _in_words(game: Game) -> list[str]:
    """What an agent that answers in words is told, and the last question of the game with a fixed hand."""
    node, decision = list(game.tree.decisions.items())[-1]
    hand = game.deal.size(decision.player) // 2 if game.deal.is_finite else 0.75
    told = f"{describe(game)}\n\n{situation(game, decision.player, hand, node)}"
    lead = f"What `relance.words.TextAgent` asks an agent that answers in words, such as a language model, in `{game}`:"
    return ["## In words", lead, f"```text\n{told}\n```"]


def _published(game: Game) -> list[str]:
    out = ["## Published equilibrium"]
    if not game.is_published:
        cut = "" if game.deal.is_finite else ".grid(n)"
        return [*out, f"None is published for `{game}`; `relance.solve(game{cut})` finds one."]
    printed, numbers = game.printed_numbers()
    out.append(f"For `{game}`, from {_plain(str(printed.source))}")
    out += _family(printed)
    out += _numbers(game, printed, numbers)
    others = dict.fromkeys(_plain(str(other.source)) for other in game.blueprint.printed if other is not printed)
    if others:
        out.append("For other parameters, `game.published()` gives what these print:")
        out.append("\n".join(f"- {other}" for other in others))
    return out


def _family(printed: Printed) -> list[str]:
    return [
        f"A family: `{name}` from {show(family.least)} to {show(family.most)}, {_plain(family.doc)}. Below, {name} is "
        f'{show(family.default)}; `game.published({name}="{show(family.most)}")` gives another.'
        for name, family in printed.family.items()
    ]


def _numbers(game: Game, printed: Printed, numbers: dict[str, Any]) -> list[str]:
    formulas = printed.formulas(game.parameters)
    if not formulas:
        return []
    wrong = printed.wrong(game.parameters)
    texts = any(isinstance(text, str) for text in formulas.values())
    head = ["symbol", *(["formula"] if texts else []), "here", *(["as printed"] if wrong else [])]
    rows = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for symbol, text in formulas.items():
        written = [mathml(text) if isinstance(text, str) else ""] if texts else []
        cells = [f"`{symbol}`", *written, _plain(show(numbers[symbol]))]
        if wrong:
            cells.append(
                f"{_formula(wrong[symbol].text)}, see {wrong[symbol].claim}" if symbol in wrong else "the same"
            )
        rows.append("| " + " | ".join(cells) + " |")
    symbols = ", ".join(f"`{symbol}` is {_formula(text)}" for symbol, text in game.blueprint.symbols.items())
    return [*([f"Here {symbols}."] if symbols else []), "\n".join(rows)]


def _formula(text: object) -> str:
    return mathml(text) if isinstance(text, str) else _plain(str(text))


def _worth(game: Game) -> list[str]:
    if max(map(game.deal.size, (0, 1))) > MOST_HANDS:
        return ["`relance.value` and `relance.nash_conv` work out its value and NashConv; they take a while."]
    profile = game.published()
    worth, gain = value(game, profile), nash_conv(game, profile)
    return [
        f"Value: {_plain(show(worth))} chips to player 0. NashConv: {_plain(show(gain))}. This is `{game}`, as published."
    ]


def _ledger(spec: Blueprint) -> list[str]:
    mine = claims_of(spec)
    out = ["## Claims"]
    if not mine:
        return [*out, "No claims are on record for this game."]
    keys = list(dict.fromkeys(paper.key for paper, _ in mine))
    which = " ".join(f"--paper {key}" for key in keys)
    out.append(
        f"What the papers say about it, with the recorded verdicts. `relance verify {which} --details` checks them again "
        "and shows the evidence."
    )
    for key in keys:
        claims = [claim for paper, claim in mine if paper.key == key]
        rows = ["| verdict | section | statement |", "|---|---|---|"]
        rows += [f"| {c.recorded} | {_plain(c.section)} | {_plain(c.statement)} |" for c in claims]
        out += [f"### {_plain(papers()[key].citation)}", "\n".join(rows)]
    wrong = [claim for _, claim in mine if claim.correction]
    garbled = [claim for _, claim in mine if claim.restored and not claim.correction]
    if wrong:
        out += ["### False as printed", f"{len(wrong)} of these; `relance errata {which}` gives the counterexamples."]
        out += [_erratum(claim) for claim in wrong]
    if garbled:
        out += [f"### {RESTORED.capitalize()}"]
        out += ["\n".join(f"- Section {_plain(claim.section)}: {_plain(claim.restored)}" for claim in garbled)]
    return out


def _erratum(claim: Claim) -> str:
    text = f"- Section {_plain(claim.section)}\n    - printed: {_plain(claim.statement)}\n    - right: {_plain(claim.correction)}"
    return text + (f"\n    - our copy: {_plain(claim.restored)}" if claim.restored else "")


def _betting(name: str) -> str:
    return _plain(name.replace("-", ", ")) or "none"


def _joined(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """Text, escaped for Markdown."""
    return re.sub(r"([\\*_{}\[\]#])", r"\\\1", escape(_joined(text), quote=False).replace("|", "&#124;"))
