"""The report on the papers' claims as an HTML page: verdicts, filter and search, pictures, errata, and versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from relance.claims.finding import GARBLED, VERDICT_MEANINGS
from relance.claims.ledger import Result, papers
from relance.claims.numbers import Numbers
from relance.envs.catalogue import BLUEPRINTS
from relance.model.arguments import checked
from relance.model.numbers import show
from relance.model.provenance import PACKAGES, about, commit
from relance.pages.plots.elements import captioned, h, page, table, template, terms
from relance.pages.plots.picture import caption, game_pictures

TAGS: dict[str, str] = {"proved, given the argument": "argued"}
"""The CSS classes of verdicts that are not single words."""


class ReportPicture(NamedTuple):
    """A picture of a game from a paper: the paper's key, the game's name, the caption, and the bytes of an SVG file."""

    paper: str
    game: str
    caption: str
    svg: bytes


def report_pictures(keys: Collection[str], tick: Callable[[int], None] = lambda total: None) -> list[ReportPicture]:
    """Draw the games of the papers with these keys; `tick` is called after each game with the total number of games.

    Raises:
        ImportError: matplotlib is not installed.
    """
    out, specs = list[ReportPicture](), [spec for spec in BLUEPRINTS.values() if spec.source.key in keys]
    for spec in specs:
        drawn = game_pictures(spec).items()
        out += [ReportPicture(spec.source.key, spec.name, caption(name), svg) for name, svg in drawn]
        tick(len(specs))
    return out


@checked
def report_page(results: Sequence[Result], pictures: Sequence[ReportPicture], seconds: float, note: str = "") -> str:
    """Return the results of `verify` as one HTML page that needs no network.

    Args:
        results: the claims with their verdicts, from `relance.claims.verify.verify`.
        pictures: from `report_pictures`.
        seconds: the time that the verdicts and pictures took, shown at the foot of the page.
        note: a sentence about missing parts, such as pictures.
    """
    by_paper = {key: [r for r in results if r.paper == key] for key in dict.fromkeys(r.paper for r in results)}
    return page(
        "report.html",
        script=template("report.js"),
        lead=_lead(results, note),
        buttons=_buttons(results),
        contents=[_contents(by_paper)],
        papers=(_paper(key, mine, pictures, len(by_paper) == 1) for key, mine in by_paper.items()),
        foot=_foot(seconds),
    )


def shown(result: Result) -> list[tuple[str, str]]:
    """Return a claim's details as pairs (label, text), without empty texts. If the claim is refuted, the domain is the correction's."""
    details = {
        "place": "; ".join(result.places),
        "our copy": result.restored,
        "evidence": result.evidence,
        "right": result.correction,
        "right for" if result.correction else "for": result.domain,
        "argument": result.argument,
        "rests on": ", ".join(result.rests_on),
        "note": result.note,
    }
    return [(label, text) for label, text in details.items() if text]


def _lead(results: Sequence[Result], note: str) -> Iterator[Element]:
    wrong = [result.id for result in results if not result.as_recorded]
    count = len({result.paper for result in results})
    source = "1 paper" if count == 1 else f"{count} papers"
    text = f"{len(results)} statements from {source} on models of poker, each checked by computation. "
    seen = {result.verdict for result in results}
    text += " ".join(f"{kind.capitalize()}: {meaning}." for kind, meaning in VERDICT_MEANINGS.items() if kind in seen)
    yield h("p", text, class_="dim")
    if wrong:
        yield h("p", f"Not as recorded: {', '.join(wrong)}", class_="failed")
    if note:
        yield h("p", note, class_="dim", id="note")


def _buttons(results: Sequence[Result]) -> Iterator[Element]:
    counts = Counter[str](result.verdict for result in results)
    counts["restored"] = sum(bool(result.restored) for result in results)
    for label, meaning in (*VERDICT_MEANINGS.items(), ("restored", GARBLED)):
        if counts[label]:
            tag = TAGS.get(label, label)
            look = {"class_": tag, "data_verdict_filter": tag, "aria_pressed": "false"}
            yield h("button", f"{label} {counts[label]}", type="button", title=meaning, **look)


def _contents(by_paper: Mapping[str, Sequence[Result]]) -> Element:
    links = {key: h("a", papers()[key].citation, href=f"#{key}") for key in by_paper}
    items = (h("li", links[key], f": {_counted(mine)}") for key, mine in by_paper.items())
    return h("nav", h("ul", *items), aria_label="Papers")


def _paper(key: str, results: Sequence[Result], pictures: Sequence[ReportPicture], opened: bool) -> Element:
    """A paper, folded unless it is the only one."""
    drawn = [picture for picture in pictures if picture.paper == key]
    games = list(dict.fromkeys(picture.game for picture in drawn))
    folded = _folded(
        "paper",
        opened,
        h("summary", h("h2", papers()[key].citation, id=f"{key}-title"), h("p", _counted(results))),
        *(_game(name, [p for p in drawn if p.game == name], opened=i == 0) for i, name in enumerate(games)),
        *map(_claim, results),
    )
    return h("section", folded, id=key, aria_labelledby=f"{key}-title")


def _folded(kind: str, opened: bool, *parts: Element, **more: str) -> Element:
    """A part of the page that opens, or is open."""
    return h("details", *parts, class_=kind, **({"open": "open"} if opened else {}), **more)


def _counted(results: Sequence[Result]) -> str:
    """The number of claims, and of refuted ones, in words."""
    return f"{len(results)} claims, {sum(result.verdict == 'refuted' for result in results)} refuted"


def _game(name: str, drawn: Sequence[ReportPicture], opened: bool) -> Element:
    figures = (captioned(one.svg, f"{name}-{i}", one.caption, f"{one.caption}: {name}") for i, one in enumerate(drawn))
    summary = h("summary", "Pictures of ", h("code", name))
    return _folded("game", opened, summary, h("div", *figures, class_="pictures"))


def _claim(result: Result) -> Element:
    refuted = bool(result.correction)
    tag = TAGS.get(result.verdict, result.verdict)
    badge = result.verdict + ("" if result.as_recorded else " (not as recorded)")
    parts = ((f"badge {tag}", badge), ("section", result.section), ("statement", result.statement))
    summary = h("summary", *(h("span", text, class_=kind) for kind, text in parts))
    body = _refuted(result) if refuted else [h("p", result.evidence)]
    facts = terms(
        [
            ("decided", f"{result.method}, in {result.seconds:.3f} s"),
            *(fact for fact in shown(result) if fact[0] not in ("evidence", "right")),
            ("claim", h("a", result.id, href=f"#{result.id}")),
        ]
    )
    more = {"id": result.id, "data_tags": f"{tag}{' restored' * bool(result.restored)}"}
    return _folded("claim" + " wrong" * refuted, refuted, summary, h("div", *body, facts, class_="body"), **more)


def _refuted(result: Result) -> list[Element]:
    texts = (("As printed", result.statement), ("Right", result.correction))
    sides = (h("div", h("h3", name), h("p", text)) for name, text in texts)
    counter = (h("h3", "Counterexample"), h("p", result.evidence), _numbers(result))
    return [h("div", *sides, class_="sides"), h("div", *counter, class_="counter")]


def _numbers(result: Result) -> Element | None:
    """The printed and the right numbers side by side; those that contain symbols are also evaluated at the counterexample."""
    rows = [
        [x, text, result.corrected[x]] for x, text in result.printed.items() if result.corrected.get(x, text) != text
    ]
    if not rows:
        return None
    head = ["", "printed", "right"]
    printed, right = (_values(texts, result.point) for texts in (result.printed, result.corrected))
    worked = [[printed.get(x, ""), right.get(x, "")] for x, *_ in rows]
    worked = [
        ["", ""] if "" in values or values == row[1:] else values for row, values in zip(rows, worked, strict=True)
    ]
    if result.point and any(map(any, worked)):
        point = ", ".join(f"{symbol} = {value}" for symbol, value in result.point.items())
        head += [f"printed, at {point}", "right, there"]
        rows = [row + values for row, values in zip(rows, worked, strict=True)]
    return table(head, ([h("td", h("code", text)) for text in row] for row in rows), "The numbers")


def _values(texts: Mapping[str, str], at: Mapping[str, str]) -> dict[str, str]:
    """The formulas evaluated at these symbols; empty if they contain others."""
    try:
        return {symbol: show(value) for symbol, value in Numbers(texts).at(**at).items()}
    except (ValueError, TypeError, ArithmeticError):
        return {}


def _foot(seconds: float) -> list[Element]:
    run = about((*PACKAGES, "python-flint", "z3-solver"))
    versions = ", ".join(f"{name} {version}" for name, version in run["versions"].items())
    made_of = commit()
    return [
        h("p", f"Decided on {run['date']} in {seconds:.1f} s by ", h("code", "relance verify --html"), "."),
        h("p", versions, id="versions"),
        h("p", f"commit {made_of}" if made_of else "an installed package, not a checkout: no commit", id="commit"),
    ]
