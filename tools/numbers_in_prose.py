"""Fill in what stands in prose and changes with the package: `make numbers` writes it into README.md,
docs/, paper/paper.md and CITATION.cff.

In Markdown, what stands between `<!-- NAME -->` and `<!-- end -->` is filled in by `FILLED`: docs/reference/ lists the names of each
public names, and docs/index.md the pages of mkdocs.yml. In CITATION.cff, all that follows
`references:` is: the papers of the games.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from relance.baselines.algorithms import algorithms
from relance.claims.finding import VERDICT_MEANINGS
from relance.claims.ledger import Claim, papers
from relance.envs.catalogue import BLUEPRINTS, ours
from relance.model.blueprint import Source
from relance.solvers.cfr_variants import METHODS
from studies import frameworks

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
MARKED = re.compile(r"(<!-- (\w+) -->)((?:(?!<!-- end -->).)*)(<!-- end -->)", re.DOTALL)
ROOMS = (
    "model",
    "solvers",
    "envs",
    "play",
    "registration",
    "openspiel",
    "equilibria",
    "claims",
    "baselines",
    "words",
    "pages",
)
"""What a user may import from, beside the package itself."""

BUILT = ("games/", "reference/index.md", "reference/commands.md", "leaderboard/")
"""Pages that exist on the site alone."""


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown; a heading that ends in ":" is of numbers, which stand to the right."""
    head = list(head)
    lines = [[name.removesuffix(":") for name in head], ["---:" if name.endswith(":") else "---" for name in head]]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in [*lines, *rows])


def claims_by_source() -> str:
    """For each source how much of it was read, its claims, and how many are false as printed, or our own."""
    rows: list[list[object]] = []
    totals = [0, 0, 0]
    for paper in papers().values():
        claims = paper.claims
        counts = [len(claims), sum(bool(claim.correction) for claim in claims), sum(claim.ours for claim in claims)]
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        cited = re.match(r".*? \(\d+\), [^,;]+", paper.citation)
        rows.append([cited[0] if cited else paper.citation, paper.read, *counts])
    return table(["source", "what we read", "claims:", "false as printed:", "our own:"], [*rows, ["all", "", *totals]])


def games() -> str:
    """The games with their sources and the first sentence of their results."""
    rows = []
    for name, spec in BLUEPRINTS.items():
        if name not in ours():
            continue
        file = spec.build.__module__.replace(".", "/")
        names = [person.split()[-1] for person in re.split(r", | and ", spec.source.authors)]
        source = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
        result = opening(re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", spec.result))
        rows.append([f"[`{name}`](../{file}.py)", f"{source} ({spec.source.year})", result])
    return table(["game", "source", "result"], rows)


def sentences() -> str:
    """How many sentences of each paper can be true or false, are decided, are open, and are opinion; then the open ones."""
    rows: list[list[object]] = []
    reasons = []
    for paper in papers().values():
        decided, opened, opinion = (
            sum(counts)
            for counts in zip(*((len(s.decided), len(s.undecided), s.opinion) for s in paper.sections), strict=True)
        )
        rows.append([f"`{paper.key}`", paper.read, decided + opened, decided, opened, opinion])
        places: dict[str, list[str]] = {}
        for section in paper.sections:
            for place, why in section.undecided.items():
                places.setdefault(why, []).append(f"{section.name}, {place}")
        reasons += [f"- `{paper.key}` {'; '.join(where)}: {why}" for why, where in places.items()]
    head = ["paper", "what we read", "checkable:", "decided:", "open:", "opinion:"]
    lead = "Each line names a sentence by paper, section and place, and says why it is open."
    return "\n\n".join([table(head, rows), "## Open sentences", lead, "\n".join(reasons)])


def learners() -> str:
    """The algorithms that `relance train` knows."""
    return table(["algorithm", "source"], ([f"`{name}`", item.source] for name, item in algorithms().items()))


def verdicts() -> str:
    """The verdicts of claims and what they mean."""
    return table(["verdict", "means"], (item for item in VERDICT_MEANINGS.items() if item[0] != "failed"))


def variants() -> str:
    """The variants of CFR."""
    return table(
        ["variant of CFR", "what it does", "source"],
        ([f"`{name}`", method.description, method.citation] for name, method in METHODS.items()),
    )


def script(name: str) -> str:
    """A script of examples/frameworks/, without the two lines for its test."""
    needs, _, code = (frameworks.SCRIPTS / name).read_text(encoding="utf-8").split("\n", 2)
    return f'```python title="examples/frameworks/{name} (needs the extra {needs.rpartition(" ")[2]})"\n{code}```'


def navigation() -> list[Any]:
    """The navigation of the site, from mkdocs.yml."""
    import yaml

    nav: list[Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    return nav


def pages(nav: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """The pages of a part of the navigation: title and place."""
    for entry in nav:
        ((title, inside),) = entry.items()
        if isinstance(inside, str):
            yield title, inside
        else:
            yield from pages(inside)


def opening(text: str) -> str:
    """The first sentence of a page: what the page is for."""
    prose = re.sub(r"^#.*$|^!\[.*$|<!--.*?-->", "", text, flags=re.MULTILINE).strip().partition("\n\n")[0]
    sentence = re.split(r"(?<=[.?:])\s(?=[A-Z`*])", " ".join(prose.split()), maxsplit=1)[0]
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", sentence)


def contents() -> str:
    """The pages by path."""
    out = []
    for entry in navigation():
        ((title, inside),) = entry.items()
        listed = pages(inside) if not isinstance(inside, str) else ()
        if links := [f"[{name}]({place})" for name, place in listed if not place.startswith(BUILT)]:
            out.append(f"- **{title}**: {', '.join(links)}")
    return "\n".join(out)


def public_names(room: str) -> str:
    """The public names of a room, each with the first sentence of its documentation; on the site all of it stands here."""
    home = ROOT / "relance" / room
    stub = home / "__init__.pyi" if home.is_dir() else home.with_suffix(".py")
    lines = [line for line in ast.parse(stub.read_text(encoding="utf-8")).body if isinstance(line, ast.ImportFrom)]
    inside = {alias.name: f"relance.{room}." * line.level + str(line.module) for line in lines for alias in line.names}
    rows = [(name, *documented(module, name)) for name, module in sorted(inside.items())]
    return "\n".join(f"- [`{name}`](../../{file}): {opening(doc)}" for name, file, doc in rows)


def documented(module: str, name: str) -> tuple[str, str]:
    """The file that defines a name, which `module` may only pass on, and the name's docstring; read, as it may need an extra."""
    path = Path(*module.split("."))
    file = path / "__init__.py" if (ROOT / path).is_dir() else path.with_suffix(".py")
    body = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    for statement, after in zip(
        body[::-1], [None, *body[:0:-1]], strict=True
    ):  # the last of several is what overloads stand for
        match statement:
            case ast.ClassDef(name=known) | ast.FunctionDef(name=known) if known == name:
                return file.as_posix(), ast.get_docstring(statement) or ""
            case ast.Assign(targets=[ast.Name(id=known)]) | ast.AnnAssign(target=ast.Name(id=known)) if known == name:
                return file.as_posix(), after.value.value if isinstance(after, ast.Expr) else ""  # type: ignore[attr-defined]
            case ast.ImportFrom(module=str(source), names=names) if name in {
                alias.asname or alias.name for alias in names
            }:
                return documented(source, name)
    raise ValueError(f"{file} does not define {name}")


def count(which: Callable[[Claim], bool]) -> str:
    """How many claims are such."""
    return str(sum(which(claim) for paper in papers().values() for claim in paper.claims))


FILLED: Mapping[str, Callable[[], str]] = {
    "games": lambda: str(len(ours())),
    "all_claims": lambda: count(lambda claim: True),
    "own_claims": lambda: count(lambda claim: claim.ours),
    "false_claims": lambda: count(lambda claim: bool(claim.correction)),
    "planted": lambda: str((ROOT / "tests/mutants/planted.toml").read_text(encoding="utf-8").count("[[room.fault]]")),
    "all_sources": lambda: str(len(papers())),
    "claims": claims_by_source,
    "game_list": games,
    "sentences": sentences,
    "algorithms": learners,
    "verdicts": verdicts,
    "methods": variants,
    "contents": contents,
    "frameworks": lambda: table(frameworks.HEAD, frameworks.cells()),
    **{path.stem: partial(script, path.name) for path in frameworks.SCRIPTS.glob("*.py")},
    **{f"public_{room}": partial(public_names, room) for room in ROOMS},
}
"""What stands in the pages, by the name of its mark."""


def filled(text: str) -> str:
    """A page with what its marks ask for, of today: on lines of its own, unless it is a number."""

    def fill(match: re.Match[str]) -> str:
        new = FILLED[match[2]]()
        return match[1] + (new if new.isdigit() else f"\n\n{new}\n\n") + match[4]

    return MARKED.sub(fill, text)


def citation(text: str) -> str:
    """CITATION.cff with the papers of the games, in the order of their years."""
    cited = {paper.title: paper for name in BLUEPRINTS if name in ours() for paper in BLUEPRINTS[name].papers()}
    theirs = sorted((paper for paper in cited.values() if paper.authors != "Relance"), key=lambda paper: paper.year)
    return text.partition("references:\n")[0] + "references:\n" + "".join(map(reference, theirs))


def reference(paper: Source) -> str:
    """A paper as an entry of CITATION.cff."""
    people = [re.fullmatch(r"((?:\S+\. )*)(.+)", name) for name in re.split(r", | and ", paper.authors)]
    authors = [{"given-names": name[1].strip(), "family-names": name[2]} for name in people if name]
    fields = {"type": "generic", "title": paper.title, "authors": authors, "year": paper.year}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in fields.items()]
    notes = [f"notes: {json.dumps(paper.published_in, ensure_ascii=False)}\n"] if paper.published_in else []
    return "  - " + "    ".join(lines + notes)


def files() -> dict[str, Callable[[str], str]]:
    """How each file is filled, by its place in the checkout."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
    found = [path for path, text in texts.items() if "<!-- end -->" in text]
    named = [ROOT / "README.md", ROOT / "paper" / "paper.md", *found]
    return {**{path.relative_to(ROOT).as_posix(): filled for path in named}, "CITATION.cff": citation}


def main() -> None:
    """Write the files, and say which of them changed."""
    for name, fill in files().items():
        path = ROOT / name
        before = path.read_text(encoding="utf-8")
        after = fill(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"{name}: new")


if __name__ == "__main__":
    main()
