"""What MkDocs adds to the pages in this folder: a page per game, the reference of the facade, and the help of each command.

The pages are text that reads well as it is. The site puts pictures into the page in its own colours, once for desks and once for
phones, sliders in the place of a notebook's picture, and the documentation of a room where the reference lists its names. Beside the pages
lies the package itself, for the page that runs in the reader's browser.
"""

from __future__ import annotations

import csv
import inspect
import os
import posixpath
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from drawing import RUNS, Drawings, all_drawn, tell
from game_page import page
from mathematics import mathml
from mkdocs.structure.files import File, Files

import relance
from relance.baselines.boards import boards_of, gathered, parted
from relance.envs import BLUEPRINTS
from relance.pages.board_notes import headings, slug
from relance.pages.commands.main import app
from relance.pages.leaderboard import leaderboard_page, leaderboard_pictures, searches_of
from relance.pages.plots.elements import h, inline_svg, plain, scroll, text_of
from relance.pages.plots.picture import pictures
from tools.numbers_in_prose import MARKED
from tools.pictures import notebook

ROOT = Path(__file__).parent.parent

PICTURE = re.compile(r"^!\[([^\]]*)\]\((\S+\.svg)\)$", re.MULTILINE)
"""A picture on a line of its own."""

CODE = re.compile(r"<code.*?</code>", re.DOTALL)
"""Code in a page's HTML."""

HYPHENS = re.compile(r"<[^>]*>|(-[-\w]+)")
"""A tag, or else the part of a name from its first hyphen on, such as "--json" or, in "VonNeumann-v0", "-v0"."""

GALLERY = re.compile(r"^\|.*\|$(?:\n^\|.*\|$)+", re.MULTILINE)
"""The README's first table."""

LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])+)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")
"""A link to a file."""

FORMULAS = re.compile(r"^<!-- formulas -->\n\n    (.*)$", re.MULTILINE)
"""A line of formulas, four spaces apart."""

PAGES = [0, 1]
"""How many pages are written, and how many there are."""

DRAWN: Drawings = {}
"""The pictures that are drawn while the site is built."""


def on_config(config: Any) -> Any:
    """Put the games into the navigation; and the other versions where mike publishes this one."""
    if "MIKE_DOCS_VERSION" in os.environ:
        config.extra["version"] = {"provider": "mike", "default": "latest"}
    for section in config.nav:
        if "Games" in section:
            section["Games"] = [f"games/{name}.md" for name in BLUEPRINTS]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages, and draw the pictures."""
    made: dict[str, str] = {"reference/index.md": facade(), "reference/commands.md": commands()}
    DRAWN.update(all_drawn())
    for name, spec in BLUEPRINTS.items():
        made[f"games/{name}.md"] = page(spec, [kind for kind in pictures() if f"games/{name}-{kind}.svg" in DRAWN])
    made |= boards()
    for where, content in made.items():
        files.append(File.generated(config, where, content=content))
    files.append(File.generated(config, "relance.whl", content=wheel()))
    return files


def on_nav(nav: Any, *, files: Files, **_: Any) -> Any:
    """Count the pages, for `tell`."""
    PAGES[:] = [0, len(files.documentation_pages())]
    return nav


def on_page_content(html: str, **_: Any) -> str:
    """Keep each name with hyphens in code on one line, and tell how far the pages are."""
    PAGES[0] += 1
    tell("writing pages", *PAGES)
    return CODE.sub(lambda code: HYPHENS.sub(unbroken, code[0]), html)


def unbroken(match: re.Match[str]) -> str:
    """What `HYPHENS` finds, so that no line ends inside it."""
    return f'<span style="white-space:nowrap">{match[1]}</span>' if match[1] else match[0]


def wheel() -> bytes:
    """The wheel of this checkout, which classroom.js loads into the reader's browser."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        (built,) = Path(folder).iterdir()
        return built.read_bytes()


@cache
def boards() -> dict[str, str]:
    """A page for each game of the leaderboard with its pictures."""
    (rows, _), made = parted(gathered(RUNS)), {}
    names = headings(list(boards_of(rows)))
    for game, shown in leaderboard_pictures(rows, "board"):
        lines = [
            f"# Leaderboard: {plain(names[game])}",
            f"[The table](../leaderboard.md) of `{plain(game)}` in pictures.",
        ]
        lines += [f"![{caption}, {plain(names[game])}]({name})" for name, caption, _ in shown]
        made[f"leaderboard/{slug(names[game])}.md"] = "\n\n".join(lines) + "\n"
    return made


def linked_boards(markdown: str) -> str:
    """The leaderboard with a link to the pictures below each heading of a game that has some."""

    def linked(match: re.Match[str]) -> str:
        where = f"leaderboard/{slug(match[1])}.md"
        return f"{match[0]}\n\n[Curves, learned strategies and mistakes]({where})" if where in boards() else match[0]

    return re.sub(r"^## (.*)$", linked, markdown, flags=re.MULTILINE)


def on_page_markdown(markdown: str, *, page: Any = None, **_: Any) -> str:
    """What the site has and a code host has not: see the top of this file."""
    where = page.file.src_uri if page is not None else "index.md"
    if where == "index.md":
        markdown = readme() + markdown.partition("\n")[2]
    if where == "leaderboard.md":
        rows, left = parted(gathered(RUNS))
        markdown = linked_boards(leaderboard_page(rows, {}, searches_of(RUNS), left))
        page.meta["hide"] = ["navigation"]  # so that a row of a table is one line on a desk
    if where == "benchmarks.md":
        columns = ("what", "Relance", "peer", "peer takes", "ratio", "note")  # all would be wider than a desk
        markdown += "\n" + as_table(ROOT / "docs" / "benchmarks.csv", columns)
    if where == "games.md":
        markdown = re.sub(r"\[`(\w+)`\]\(\.\./relance\S+\)", r"[`\1`](games/\1.md)", markdown)
    markdown = FORMULAS.sub(lambda match: formulas(match[1]), markdown)
    markdown = MARKED.sub(documented, markdown)
    markdown = LINK.sub(lambda match: within(posixpath.dirname(where), match), markdown)
    return PICTURE.sub(lambda match: shown(posixpath.join(posixpath.dirname(where), match[2]), match[1]), markdown)


def as_table(path: Path, columns: Sequence[str]) -> str:
    """These columns of a file of comma-separated values, as a table in Markdown."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [[row[column].replace("|", "\\|") for column in columns] for row in csv.DictReader(file)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [columns, ["---"] * len(columns), *rows]) + "\n"


def documented(match: re.Match[str]) -> str:
    """The documentation of a room's public names in the place of their list; what else is filled in stays."""
    room = match[2].removeprefix("public_")
    if room == match[2]:
        return match[0]
    return "\n\n".join(f"::: relance.{room}.{name}" for name in re.findall(r"^- \[`(\w+)`\]", match[3], re.MULTILINE))


def within(folder: str, match: re.Match[str]) -> str:
    """A link, or its text alone if it leads out of the documentation."""
    text, target = match[1], match[2]
    return text if posixpath.normpath(posixpath.join(folder, target)).startswith("..") else match[0]


def formulas(line: str) -> str:
    """Formulas such as "h = 1/(3 + 3 alpha)" as mathematics."""
    parts = [
        [mathml(re.sub(r"(\d) ?([a-z])", r"\1*\2", side)) for side in part.split(" = ")] for part in line.split("    ")
    ]
    return "<p>" + ", &emsp;".join(" = ".join(sides) for sides in parts) + "</p>"


def moved(name: str) -> str:
    """The picture of a notebook with a slider that needs no server: the picture at every stop, one of them shown."""
    of, shown = notebook(name), []
    title = of.__doc__.partition("\n")[0]
    for i, stop in enumerate(of.STOPS):
        text = h("p", of.said(stop), role="status")
        picture = in_page(DRAWN[f"pictures/notebook-{name}-{i}.svg"], f"{name}-{i}", title)
        hidden = {} if stop == of.START else {"hidden": "hidden"}
        shown.append(h("div", *picture, text, class_="stop", data_stop=f"{float(stop):g}", **hidden))
    at = of.STOPS.index(of.START)
    slider = h("input", type="range", min="0", max=str(len(shown) - 1), value=str(at), autocomplete="off")
    label = h("label", f"{of.MOVED}: ", h("output", f"{float(of.START):g}"), slider)
    return text_of(h("div", label, *shown, class_="stops"))


def readme() -> str:
    """The README as the first page: its links lead to pages, and its gallery to the page of every game."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = GALLERY.sub(lambda _: gallery(), text, count=1)
    text = re.sub(
        r"^## Where to go.*?^\[All pages\]\(docs/index.md\)\. ", "", text, flags=re.MULTILINE | re.DOTALL
    )  # they follow
    text = re.sub(r"\]\((?!https?:|docs/)(\S+)\)", r"](../\1)", text)  # not in the documentation, see `within`
    return text.replace("](docs/", "](")


def gallery() -> str:
    """A card for each game, with its result and the picture of its strategies if there is one, and for each notebook."""
    cards = []
    for name, spec in BLUEPRINTS.items():
        said = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", spec.result).replace("`", "")
        svg = DRAWN.get(f"games/{name}-strategy.svg")
        cards.append(card(f"games/{name}/", spec.title, said, svg and inline_svg(svg[1], f"card-{name}", spec.title)))
    for path in sorted((ROOT / "notebooks").glob("*.py")):
        of = notebook(path.stem)
        title, _, about = of.__doc__.partition("\n\n")
        svg = DRAWN[f"pictures/notebook-{path.stem}.svg"]
        anchor = re.sub(r"\W+", "-", title.lower()).strip("-")
        said = about.partition(":")[0] + "."
        cards.append(card(f"teaching/#{anchor}", title, said, inline_svg(svg[1], f"card-{path.stem}", title)))
    return text_of(h("div", *cards, class_="gallery"))


def card(href: str, title: str, said: str, picture: Any) -> Any:
    """A link with a title, a sentence and a picture."""
    return h("a", h("b", title), h("p", said), picture, class_="card", href=href)


def shown(where: str, label: str) -> str:
    """A picture as a part of the page, so that it is in the page's colours; a notebook's, with its slider."""
    where = posixpath.normpath(where)
    if found := re.fullmatch(r"pictures/notebook-(\w+)\.svg", where):
        return moved(found[1])
    svgs = DRAWN[where] if where in DRAWN else ((ROOT / "docs" / where).read_bytes(),)
    return text_of(*in_page(svgs, re.sub(r"\W", "-", where), label))


def in_page(svgs: tuple[bytes, ...], name: str, label: str) -> list[Any]:
    """A picture for desks and, if there are two, for phones, each in a box that scrolls."""
    boxes = [scroll(label, inline_svg(svg, f"{name}-{i}", label)) for i, svg in enumerate(svgs)]
    for box, kind in zip(boxes, ("desk", "phone") if len(boxes) > 1 else ("",), strict=True):
        box.set("class", f"scroll {kind}".strip())
    return boxes


def facade() -> str:
    """The reference of `import relance`."""
    parts = ["# The package", "What `import relance` offers."]
    names = [
        name for name in relance.__all__ if not inspect.ismodule(getattr(relance, name))
    ]  # rooms have pages of their own
    return "\n\n".join([*parts, *(f"::: relance.{name}" for name in names)]) + "\n"


def commands() -> str:
    """The help of each command."""
    parts = ["# Commands", "`relance COMMAND --help` shows the same in the terminal."]
    for name, command in _inside(typer.main.get_command(app)):
        parts += [f"## relance {name}", _text(command.help or "")]
        examples = [line.strip() for line in (command.epilog or "").split("\n\n")[1:]]
        parts.append("```console\n" + "\n".join(f"$ {line}" for line in examples) + "\n```")
        rows = ["| argument or option | what |", "|---|---|"]
        for item in command.params:
            if item.name != "help" and not getattr(item, "hidden", False):
                label = ", ".join(item.opts) if item.param_type_name == "option" else (item.name or "").upper()
                rows.append(f"| `{label}` | {_text(getattr(item, 'help', '') or '')} |")
        parts.append("\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _inside(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """The commands of a group, and theirs, by what is typed for them, such as `plot tree`."""
    for name, command in group.commands.items():
        yield before + name, command
        if hasattr(command, "commands"):
            yield from _inside(command, f"{before}{name} ")


def _text(text: str) -> str:
    return re.sub(r"([\\*_\[\]<|])", lambda match: f"&#{ord(match[0])};", " ".join(text.split()))
