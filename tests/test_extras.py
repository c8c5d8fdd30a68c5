"""Extras are what a user asks for, groups what work on Relance needs: each that is named anywhere exists."""

import re
import tomllib
from pathlib import Path

import pytest

import relance

ROOT = Path(relance.__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = SETTINGS["project"]["optional-dependencies"]
GROUPS = SETTINGS["dependency-groups"]
TEXTS = [
    path
    for folder in (
        "relance",
        "docs",
        "examples",
        "integrations",
        "notebooks",
        "benchmarks",
        "studies",
        "tools",
        "tests",
    )
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".md", ".toml", ".ipynb"}
]
TEXTS += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "Makefile", "pyproject.toml")]
WAYS = {
    "extra": r"pip install [^\n]*'(?:relance|\.)\[(.*?)\]|extra=\"(\w+)\"|needs? the extra `?(\w+)|# extra: (?!none)(\w+)",
    "group": r"--group (\w+)|needs? the group `?(\w+)|# group: (\w+)",
}
"""How a text names an extra or a group."""


def test_few_extras_are_left():
    assert len(EXTRAS) <= 15
    assert {"proof", "fast", "plot", "torch"} <= EXTRAS.keys()
    assert not EXTRAS.keys() & {"test", "docs", "all"}


@pytest.mark.parametrize(("known", "way"), [(EXTRAS, WAYS["extra"]), (GROUPS, WAYS["group"])], ids=WAYS)
def test_whoever_names_one_names_one_that_exists(known, way):
    found = [
        (name, str(path.relative_to(ROOT)))
        for path in TEXTS
        for match in re.finditer(way, path.read_text(encoding="utf-8"))
        for name in ",".join(filter(None, match.groups())).split(",")
        if re.fullmatch(r"[a-z]\w*", name)  # not where any name may stand
    ]
    assert len(found) > 20
    assert {(name, where) for name, where in found if name not in known} == set()
