"""The README: each block runs alone and prints what it says, its links and commands exist, its pictures and numbers are of today."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pyspiel
import pytest
from conftest import marked

import relance
from relance.claims.ledger import papers
from relance.envs.catalogue import BLUEPRINTS, ours
from tools.numbers_in_prose import filled
from tools.pictures import drawn as drawn_by
from tools.pictures import plan

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SAID = re.compile(r"^print\(.*\)  # (.*)$", re.MULTILINE)
PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))


@pytest.mark.parametrize("code", BLOCKS, ids=lambda code: code.split()[1])
def test_a_block_pasted_alone_prints_what_it_says(code, tmp_path):
    if needed := re.search(r"# .* needs the extra (\w+)$", code, re.MULTILINE):
        pytest.importorskip(needed[1], reason=f"needs the extra {needed[1]}")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert out.returncode == 0, out.stderr
    assert SAID.findall(code)
    assert out.stdout.splitlines() == SAID.findall(code)


def test_links_and_pictures_exist():
    targets = re.findall(r"\]\((?!https?:)([^)#\s]+)", README)
    assert len(targets) > 10
    assert [target for target in targets if not (ROOT / target).exists()] == []
    assert {ROOT / target for target in targets if target.endswith(".svg")} <= set(PICTURES)


def test_the_table_of_sources_counts_every_claim():
    sources = (ROOT / "docs" / "sentences.md").read_text(encoding="utf-8")
    table = sources.partition("<!-- claims -->")[2].partition("<!-- end -->")[0]
    counts = [list(map(int, row)) for row in re.findall(r"\| (\d+) \| (\d+) \| (\d+) \|$", table, re.MULTILINE)]
    assert len(counts) == len(papers()) + 1
    assert [sum(column) for column in zip(*counts[:-1], strict=True)] == counts[-1]
    assert counts[-1][0] == sum(len(paper.claims) for paper in papers().values())
    refuted = [claim for paper in papers().values() for claim in paper.claims if claim.recorded == "refuted"]
    assert counts[-1][1] == len(refuted)


def test_a_missing_number_is_filled_in():
    assert filled("of <!-- games -->7<!-- end --> games") == f"of <!-- games -->{len(ours())}<!-- end --> games"


def test_other_frameworks_have_over_a_hundred_games():
    assert len(pyspiel.registered_names()) - len(BLUEPRINTS) > 100


def drawn(svg):
    """The texts of a picture, and the numbers of its lines and places in points."""
    texts, numbers = [], []
    for element in ElementTree.fromstring(svg).iter():
        if element.text and element.tag.endswith("}text"):
            texts.append(element.text)
        numbers += re.findall(r"-?\d+\.?\d*", element.get("d", "") + " " + element.get("transform", ""))
    return texts, [float(number) for number in numbers]


def test_every_picture_is_in_the_plan():
    assert {path.stem for path in PICTURES} == set(plan())


@pytest.mark.parametrize("name", marked(plan(), lambda name: name.startswith("square")))
def test_a_picture_is_what_its_command_draws_today(name):
    """`make pictures` draws it; versions of matplotlib differ by a few points."""
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    if plan()[name].startswith("notebook "):
        pytest.importorskip("marimo", reason="needs the extra explore")
    from relance.pages.plots.style import render

    path = ROOT / "docs" / "pictures" / f"{name}.svg"
    (texts, numbers), (old_texts, old_numbers) = drawn(render(drawn_by(plan()[name]))), drawn(path.read_bytes())
    assert old_texts == texts
    assert old_numbers == pytest.approx(numbers, abs=6)


def test_the_citation_is_valid_and_of_this_version():
    yaml = pytest.importorskip("yaml", reason="needs the extra sweep")
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors", "license", "abstract"} <= set(cited)
    assert cited["version"] == relance.__version__
    works = {work["title"]: work for work in cited["references"]}
    assert len(works) == len(cited["references"])
    sources = {
        printed.source.title
        for spec in BLUEPRINTS.values()
        for printed in spec.printed
        if printed.source.authors != "Relance"
    }
    assert sources <= set(works)
    assert works["On the Borel and von Neumann Poker Models"]["authors"] == [
        {"given-names": "C.", "family-names": "Ferguson"},
        {"given-names": "T. S.", "family-names": "Ferguson"},
    ]
    assert all(author["family-names"] for work in works.values() for author in work["authors"])
    assert all(type(work["year"]) is int for work in works.values())
