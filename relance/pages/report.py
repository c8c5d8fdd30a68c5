"""The report as one page: claims with verdicts, filter and search, pictures, detailed errata, and how it was made."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from string import Template
from typing import NamedTuple
from xml.etree.ElementTree import Element

from relance.claims.finding import GARBLED, MEANING, Verdict
from relance.claims.ledger import Result, papers
from relance.claims.numbers import Numbers
from relance.envs.catalogue import BLUEPRINTS
from relance.model.numbers import show
from relance.model.provenance import about
from relance.pages.plots.elements import STYLE, h, inline_svg, scroll, table, template, text_of
from relance.pages.plots.game_pictures import caption, game_pictures

PROVERS = ("python-flint", "z3-solver")
"""The packages, besides Relance, that the proofs rely on."""

TAGS: dict[Verdict, str] = {"proved, given the argument": "argued"}
"""The style classes of verdicts that are not single words."""


class ReportPicture(NamedTuple):
    """A picture of a game from a paper: the paper's key, the game's name, the caption, and the bytes of an SVG file."""

    paper: str
    game: str
    caption: str
    svg: bytes


def report_pictures(keys: Sequence[str], tick: Callable[[int], None] = lambda total: None) -> list[ReportPicture]:
    """Draw the games of the papers with these keys; `tick` is called after each game with the number of games.

    Raises:
        ImportError: matplotlib is not installed.
    """
    specs = [spec for spec in BLUEPRINTS.values() if spec.source.key in keys]
    out: list[ReportPicture] = []
    for spec in specs:
        out += [
            ReportPicture(spec.source.key, spec.name, caption(name), svg) for name, svg in game_pictures(spec).items()
        ]
        tick(len(specs))
    return out


def report_page(results: Sequence[Result], pictures: Sequence[ReportPicture], seconds: float, note: str = "") -> str:
    """The page as HTML text, which needs no other file and no network.

    Args:
        results: from `relance.claims.verify.verify`.
        pictures: from `report_pictures`.
        seconds: how long all of it took, the pictures too.
        note: a sentence about missing parts, such as pictures.
    """
    by_paper = {key: [r for r in results if r.paper == key] for key in dict.fromkeys(r.paper for r in results)}
    return Template(template("relance.pages", "report.html")).substitute(
        style=STYLE,
        script=template("relance.pages", "report.js"),
        lead=text_of(*_lead(results, note)),
        buttons=text_of(*_buttons(results)),
        contents=text_of(_contents(by_paper)),
        papers=text_of(*(_paper(key, mine, pictures, len(by_paper) == 1) for key, mine in by_paper.items())),
        foot=text_of(*_foot(results, seconds)),
    )


def _lead(results: Sequence[Result], note: str) -> list[Element]:
    wrong = [result.id for result in results if not result.as_recorded]
    count = len({result.paper for result in results})
    source = "1 paper" if count == 1 else f"{count} papers"
    text = f"{len(results)} statements from {source} on models of poker, each checked by computation. "
    seen = {result.verdict for result in results}
    text += " ".join(f"{kind.capitalize()}: {meaning}." for kind, meaning in MEANING.items() if kind in seen)
    out = [h("p", {"class": "dim"}, text)]
    if wrong:
        out.append(h("p", {"class": "failed"}, f"Not as recorded: {', '.join(wrong)}"))
    if note:
        out.append(h("p", {"class": "dim", "id": "note"}, note))
    return out


def _buttons(results: Sequence[Result]) -> list[Element]:
    counts = Counter(result.verdict for result in results)
    tags = [
        (str(verdict), TAGS.get(verdict, verdict), counts[verdict], meaning)
        for verdict, meaning in MEANING.items()
        if counts[verdict]
    ]
    restored = sum(bool(result.restored) for result in results)
    if restored:
        tags.append(("restored", "restored", restored, GARBLED))
    return [
        h(
            "button",
            {"type": "button", "class": tag, "data-verdict-filter": tag, "aria-pressed": "false", "title": meaning},
            f"{label} {count}",
        )
        for label, tag, count, meaning in tags
    ]


def _contents(by_paper: Mapping[str, Sequence[Result]]) -> Element:
    items = []
    for key, mine in by_paper.items():
        link = h("a", {"href": f"#{key}"}, papers()[key].citation)
        items.append(h("li", {}, link, f": {_counted(mine)}"))
    return h("nav", {"aria-label": "Papers"}, h("ul", {}, *items))


def _paper(key: str, results: Sequence[Result], pictures: Sequence[ReportPicture], opened: bool) -> Element:
    """A paper, folded unless it is the only one."""
    drawn = [picture for picture in pictures if picture.paper == key]
    games = list(dict.fromkeys(picture.game for picture in drawn))
    return h(
        "section",
        {"id": key, "aria-labelledby": f"{key}-title"},
        h(
            "details",
            {"class": "paper"} | ({"open": "open"} if opened else {}),
            h("summary", {}, h("h2", {"id": f"{key}-title"}, papers()[key].citation), h("p", {}, _counted(results))),
            *(_game(name, [p for p in drawn if p.game == name], opened=i == 0) for i, name in enumerate(games)),
            *(_claim(result) for result in results),
        ),
    )


def _counted(results: Sequence[Result]) -> str:
    """The number of claims, and of refuted ones, in words."""
    return f"{len(results)} claims, {sum(result.verdict == 'refuted' for result in results)} refuted"


def _game(name: str, drawn: Sequence[ReportPicture], opened: bool) -> Element:
    figures = []
    for i, picture in enumerate(drawn):
        label = f"{picture.caption}: {name}"
        svg = inline_svg(picture.svg, f"{name}-{i}", label)
        figures.append(h("figure", {}, scroll(label, svg), h("figcaption", {}, picture.caption)))
    return h(
        "details",
        {"class": "game"} | ({"open": "open"} if opened else {}),
        h("summary", {}, "Pictures of ", h("code", {}, name)),
        h("div", {"class": "pictures"}, *figures),
    )


def _claim(result: Result) -> Element:
    refuted = bool(result.correction)
    tag = TAGS.get(result.verdict, result.verdict)
    tags = f"{tag}{' restored' * bool(result.restored)}"
    badge = result.verdict + ("" if result.as_recorded else " (not as recorded)")
    parts = ((f"badge {tag}", badge), ("section", result.section), ("statement", result.statement))
    summary = h("summary", {}, *(h("span", {"class": kind}, text) for kind, text in parts))
    body = _refuted(result) if refuted else [h("p", {}, result.evidence)]
    details = [
        ("decided", f"{result.method}, in {result.seconds:.3f} s"),
        ("right for" if refuted else "for", result.domain),
        ("argument", result.argument),
        ("rests on", ", ".join(result.rests_on)),
        ("place", "; ".join(result.places)),
        ("our copy", result.restored),
        ("note", result.note),
    ]
    facts = [part for name, text in details if text for part in (h("dt", {}, name), h("dd", {}, text))]
    link = [h("dt", {}, "claim"), h("dd", {}, h("a", {"href": f"#{result.id}"}, result.id))]
    look = {"class": "claim wrong", "open": "open"} if refuted else {"class": "claim"}
    details_body = h("div", {"class": "body"}, *body, h("dl", {}, *facts, *link))
    return h("details", look | {"id": result.id, "data-tags": tags}, summary, details_body)


def _refuted(result: Result) -> list[Element]:
    texts = (("As printed", result.statement), ("Right", result.correction))
    sides = [h("div", {}, h("h3", {}, name), h("p", {}, text)) for name, text in texts]
    counter = (h("h3", {}, "Counterexample"), h("p", {}, result.evidence), _numbers(result))
    return [h("div", {"class": "sides"}, *sides), h("div", {"class": "counter"}, *counter)]


def _numbers(result: Result) -> Element | None:
    """The printed and the right numbers side by side; those that contain letters are also evaluated at the counterexample."""
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
        point = ", ".join(f"{letter} = {value}" for letter, value in result.point.items())
        head += [f"printed, at {point}", "right, there"]
        rows = [row + values for row, values in zip(rows, worked, strict=True)]
    return table(head, ([h("td", {}, h("code", {}, text)) for text in row] for row in rows), "The numbers")


def _values(texts: Mapping[str, str], at: Mapping[str, str]) -> dict[str, str]:
    """The formulas evaluated at these letters; empty if they contain others."""
    try:
        return {letter: show(value) for letter, value in Numbers(texts).at(**at).items()}
    except (ValueError, TypeError, ArithmeticError):
        return {}


def _foot(results: Sequence[Result], seconds: float) -> list[Element]:
    run = about()
    versions = dict(run["versions"])
    for name in PROVERS:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return [
        h("p", {}, f"Decided on {run['date']} in {seconds:.1f} s by ", h("code", {}, "relance verify --html"), "."),
        h("p", {"id": "versions"}, ", ".join(f"{name} {version}" for name, version in versions.items())),
        h("p", {"id": "commit"}, _commit()),
    ]


def _commit() -> str:
    """The git commit of this code, if it is a checkout."""
    folder = Path(__file__).parent

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True, timeout=10
        ).stdout.strip()

    try:
        git("ls-files", "--error-unmatch", Path(__file__).name)
        changed = git("status", "--porcelain", "--", ".")
        return f"commit {git('rev-parse', 'HEAD')}" + (", with changes" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return "an installed package, not a checkout: no commit"
