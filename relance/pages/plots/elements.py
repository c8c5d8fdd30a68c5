"""Elements of HTML pages. The standard library escapes the text; pictures are inside the page and use its colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from string import Template
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

STYLE = resources.files("relance.pages.plots").joinpath("page.css").read_text(encoding="utf-8")
"""The style sheet of every page."""

_COLOURS = {"#222222": "currentColor", "#dddddd": "var(--line)", "#ffffff": "var(--card)"}
"""The page's own colours, light or dark, for the ink, grid and paper of `relance.pages.plots.style`."""

_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_URL = re.compile(r"url\(#([^)]+)\)")
_FONTS = re.compile(r"font-family: [^;]*; ")
_HREF = "{http://www.w3.org/1999/xlink}href"


def template(name: str) -> str:
    """The text of a file in the folder `templates`."""
    return resources.files("relance.pages").joinpath("templates", name).read_text(encoding="utf-8")


def page(name: str, **parts: str | Iterable[Element | str]) -> str:
    """The template `name`, filled in with the style sheet and these parts: text, or a sequence of lines or elements."""
    texts = {key: part if isinstance(part, str) else text_of(*part) for key, part in parts.items()}
    return Template(template(name)).substitute(style=STYLE, **texts)


def h(tag: str, *children: Element | str | None, **attributes: str) -> Element:
    """An HTML element with its children (elements or text; None is left out) and attributes, such as `class_="dim"`."""
    out = Element(tag, {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, str):
            if last is None:
                out.text = (out.text or "") + child
            else:
                last.tail = (last.tail or "") + child
        elif child is not None:
            out.append(child)
            last = child
    return out


def text_of(*parts: Element | str) -> str:
    """The parts as lines of HTML: elements are written out, text stays as it is."""
    return "\n".join(
        part if isinstance(part, str) else ElementTree.tostring(part, encoding="unicode", method="html")
        for part in parts
    )


def table(head: Sequence[str], rows: Iterable[Iterable[Any]], label: str) -> Element:
    """A table with a row of headings, in a `scroll` box with this label. Each cell is an element or text."""
    headings = h("tr", *(h("th", text, scope="col") for text in head))
    body = (h("tr", *(h("td", cell) if isinstance(cell, str) else cell for cell in cells)) for cells in rows)
    return scroll(label, h("table", h("thead", headings), h("tbody", *body)))


def terms(pairs: Iterable[tuple[str, str | Element]]) -> Element:
    """Return a definition list of pairs (term, meaning)."""
    return h("dl", *(part for term, told in pairs for part in (h("dt", term), h("dd", told))))


def scroll(label: str, child: Element) -> Element:
    """A box that scrolls sideways and that keyboard users can reach; screen readers read its label."""
    return h("div", child, class_="scroll", tabindex="0", role="group", aria_label=label)


def captioned(svg: bytes, name: str, caption: str, label: str = "") -> Element:
    """Return a picture as `inline_svg` makes it, with a caption; screen readers read the label, by default the caption."""
    label = label or caption
    return h("figure", scroll(label, inline_svg(svg, name, label)), h("figcaption", caption))


def inline_svg(svg: bytes, name: str, label: str) -> Element:
    """Return a picture by matplotlib as an element of a page; screen readers read its label.

    Numbers are cut to two decimals, and metadata is dropped. Ids that are referred to get the prefix `name`, which differs for each picture
    of a page. Text, grid and background use the page's CSS colours.
    """
    root = ElementTree.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.endswith(("}metadata", "}style")):  # its only rule, on line joins, is set below
                parent.remove(child)
    values = [value for node in root.iter() for value in node.attrib.values()]
    referred = {match for value in values for match in _URL.findall(value)}
    referred |= {node.attrib[_HREF].removeprefix("#") for node in root.iter() if _HREF in node.attrib}
    for node in root.iter():
        node.tag = node.tag.rpartition("}")[2]
        attributes = {}
        for key, value in node.attrib.items():
            if key == _HREF:
                attributes["href"] = f"#{name}-{value.removeprefix('#')}"
            elif key != "id":
                attributes[key] = _adapted(value, name)
            elif value in referred:
                attributes["id"] = f"{name}-{value}"
        node.attrib.clear()
        node.attrib.update(attributes)
        node.text, node.tail = (text and text.strip() for text in (node.text, node.tail))
    width = root.attrib["width"].removesuffix("pt")
    for key in ("height", "version"):
        del root.attrib[key]
    root.attrib["width"] = f"{float(width) * 1.25:.0f}"  # pixels per point, a little fewer than at print size
    root.attrib |= {
        "role": "img",
        "aria-label": label,
        "stroke-linejoin": "round",
        "font-family": "DejaVu Sans, Verdana, sans-serif",
    }
    return root


def _adapted(value: str, name: str) -> str:
    value = _URL.sub(lambda m: f"url(#{name}-{m[1]})", _FONTS.sub("", " ".join(value.split())))
    value = _NUMBER.sub(lambda m: f"{float(m[0]):.2f}".rstrip("0").rstrip("."), value)
    for old, new in _COLOURS.items():
        value = value.replace(old, new)
    return value


def plain(text: str) -> str:
    """Escape text from results, so that Markdown shows it unchanged and on one line: no HTML, links, columns or other markup."""
    return re.sub(r"([\\`*\[\]|])", r"\\\1", escape(" ".join(text.split()), quote=False))
