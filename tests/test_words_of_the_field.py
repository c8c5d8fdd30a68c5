"""The old vocabulary is gone: no page, message, docstring or public name has a word of ours; `docs/glossary.md` has the field's."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import relance

ROOT = Path(__file__).parents[1]
LISTED = [line.split("->") for line in (ROOT / "tools" / "old_words.txt").read_text(encoding="utf-8").splitlines()]
OLD = {old: new.split(",")[0] for old, new in LISTED}
"""Each old word or phrase, with the term of the glossary that took its place; `make style` searches for the words."""

SOUGHT = re.compile("|".join(rf"(?<!\w){re.escape(old)}(?!\w)".replace(r"\ ", r"\s+") for old in OLD), re.IGNORECASE)
STAY = re.compile(
    tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["codespell"]["ignore-regex"]
)
"""Other senses of the words, names of pages, and ids of claims."""


def old_words(text):
    """The old words of a text, with what stands around them."""
    plain = STAY.sub("", text)
    return [plain[max(0, match.start() - 40) : match.end() + 30] for match in SOUGHT.finditer(plain)]


PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
HISTORY = {"what_is_in_0.1.0.md"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_pages_have_no_old_word(path):
    assert path.name in HISTORY or old_words(path.read_text(encoding="utf-8")) == []


def said(path):
    """The docstrings and messages of a module: all its text that has more than a word, and its public names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Constant(value=str(text)) if " " in text:
                yield text
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name.replace("_", " ")


@pytest.mark.parametrize("room", [*(path.parent.name for path in sorted((ROOT / "relance").glob("*/__init__.py")))])
def test_messages_docstrings_and_names_have_no_old_word(room):
    found = {
        path.relative_to(ROOT).as_posix(): words
        for path in sorted((ROOT / "relance" / room).rglob("*.py"))
        if path.name != "renamed.py" and (words := [word for text in said(path) for word in old_words(text)])
    }
    assert found == {}


def test_public_names_have_no_old_word():
    rooms = [getattr(relance, name) for name in relance.__all__ if hasattr(getattr(relance, name), "__all__")]
    assert [name for room in (relance, *rooms) for name in room.__all__ if old_words(name.replace("_", " "))] == []


def test_the_search_finds_what_it_searches_for():
    old = "the letters of a law, weights of sequences, optimal face, decided anew, a dress, the menu, endings, stand-in, judge, facts only"
    assert len(old_words(old)) == 11
    assert old_words("the terminal node of a renamed game") == []


def test_the_glossary_is_short_and_complete():
    """At most 60 terms, in order, each with a source or said to be ours; each new term of the list is one."""
    lines = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")][1:]
    terms = [row[0] for row in rows]
    assert len(rows) <= 60
    assert terms == sorted(terms, key=str.lower)
    assert all(meaning and source for _, _, meaning, source in rows)
    named = {mark for *_, source in rows for mark in re.findall(r"\[\w+\]", source)}
    assert all(f"{mark} " in "\n".join(lines[:16]) for mark in named)
    assert set(OLD.values()) <= set(terms)
