"""HTML elements. The standard library escapes the text; pictures become part of the page and use its colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
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


def template(package: str, name: str) -> str:
    """A file of the folder `templates` of a package."""
    return resources.files(package).joinpath("templates", name).read_text(encoding="utf-8")


def h(tag: str, attributes: dict[str, str] | None = None, *children: Element | str | None) -> Element:
    """An element with its attributes and its children: elements, text, or None for nothing."""
    out = Element(tag, attributes or {})
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


def text_of(*elements: Element) -> str:
    """The elements as HTML."""
    return "\n".join(ElementTree.tostring(element, encoding="unicode", method="html") for element in elements)


def table(head: Sequence[str], rows: Iterable[Sequence[Element]], label: str) -> Element:
    """A table with a row of headings, in a `scroll` box."""
    headings = h("tr", {}, *(h("th", {"scope": "col"}, text) for text in head))
    body = (h("tr", {}, *cells) for cells in rows)
    return scroll(label, h("table", {}, h("thead", {}, headings), h("tbody", {}, *body)))


def scroll(label: str, child: Element) -> Element:
    """A box that scrolls sideways and that keyboard users can reach."""
    return h("div", {"class": "scroll", "tabindex": "0", "role": "group", "aria-label": label}, child)


def inline_svg(svg: bytes, name: str, label: str) -> Element:
    """A picture by matplotlib as an element of a page.

    Numbers are cut to two decimals, and metadata is dropped. Ids that are referred to get the prefix `name`, because a page has many
    pictures. Text, grid and background use the page's CSS colours.
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
    """Escape text from a row, so that Markdown shows it unchanged and on one line: no HTML, links, columns or other markup."""
    return re.sub(r"([\\`*\[\]|])", r"\\\1", escape(" ".join(text.split()), quote=False))
