"""The report as one page: its structure, what it says of the results, and that nothing in it leads away."""

import dataclasses
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from relance.claims.ledger import decide, papers
from relance.claims.verify import verify
from relance.pages.report import TAGS, ReportPicture, report_page, report_pictures

PAPER = "ponssard-1974"

VOID = {"meta", "input", "br", "link", "img", "hr"}


class Page(HTMLParser):
    """Elements as (tag, attributes, own text), with every tag closed in order."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        element = [tag, dict(attrs), ""]
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for element in self.open:
            element[2] += data

    def of(self, tag, **attributes):
        return [e for e in self.elements if e[0] == tag and all(e[1].get(k) == v for k, v in attributes.items())]

    def classed(self, name):
        return [e for e in self.elements if name in (e[1].get("class") or "").split()]


@pytest.fixture(scope="module")
def results():
    return verify([PAPER])


@pytest.fixture(scope="module")
def text(results):
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    with pytest.MonkeyPatch.context() as patch:  # fewer points are enough
        patch.setattr("relance.pages.plots.values.SIDE", 8)
        patch.setattr("relance.pages.plots.values.FINE", 24)
        return report_page(results, report_pictures([PAPER]), 1.5)


def test_every_claim_is_there_with_its_verdict(results, text):
    made = Page(text)
    claims = {e[1]["id"]: e for e in made.classed("claim")}
    assert list(claims) == [result.id for result in results]
    for result in results:
        _, attributes, said = claims[result.id]
        assert attributes["data-tags"].split()[0] == TAGS.get(result.verdict, result.verdict)
        assert ("restored" in attributes["data-tags"]) == bool(result.restored)
        for part in (
            result.statement,
            result.section,
            result.evidence,
            result.domain,
            result.correction,
            result.restored,
        ):
            assert part in said
    assert [e[2] for e in made.of("h2")] == [papers()[PAPER].citation]


def test_a_refuted_claim_has_both_sides_and_numbers(results, text):
    made = Page(text)
    refuted = [result for result in results if result.verdict == "refuted"]
    sides = [e[2] for e in made.classed("sides")]
    assert len(sides) == len(refuted) > 0
    for result, side, counter in zip(refuted, sides, made.classed("counter"), strict=True):
        assert side == f"As printed{result.statement}Right{result.correction}"
        assert counter[2].startswith(f"Counterexample{result.evidence}")
    assert ["raise", "n", "1", "4/5", "1"] in [
        [td[2] for td in made.of("td")][i : i + 5] for i in range(len(made.of("td")))
    ]


def test_formulas_are_worked_out_at_the_counterexample():
    paper = papers()["borel-von-neumann"]
    results = [decide(paper, claim) for claim in paper.claims if claim.id == "bb-no-folds"]
    cells = [e[2] for e in Page(report_page(results, [], 1.0)).of("td")]
    row = cells.index("b3")
    assert cells[row + 3] == "149/169"  # 1 - (6/5)*4/(1014/25)
    assert cells[row + 4] == "83/105"  # 1 - (11/5)*4/42


def test_pictures_are_part_of_the_page(text):
    made = Page(text)
    svgs = made.of("svg")
    assert len(svgs) == 5
    assert all(svg[1]["role"] == "img" and "ponssard" in svg[1]["aria-label"] for svg in svgs)
    assert "var(--card)" in text
    assert "#222222" not in text
    assert "currentColor" in text


def test_ids_are_unique_and_links_stay_in_the_page(text):
    made = Page(text)
    ids = [e[1]["id"] for e in made.elements if "id" in e[1]]
    assert len(set(ids)) == len(ids)
    for _, attributes, _ in made.elements:
        assert "src" not in attributes
        target = attributes.get("href") or attributes.get("xlink:href")
        assert target is None or (target[0] == "#" and target[1:] in ids)
    assert "http" not in text.replace("http-equiv", "")
    assert "@import" not in text
    assert "url(" not in text.replace("url(#", "")


def test_what_looks_like_markup_is_text(results):
    evil = "<script>alert(1)</script> & \"<b>'"
    changed = [dataclasses.replace(results[0], statement=evil, evidence=evil, section=evil, note=evil, domain=evil)]
    text = report_page(changed, [], 1.0, note=evil)
    made = Page(text)
    assert len(made.of("script")) == 1
    assert not made.of("b")
    assert evil in made.classed("claim")[0][2]
    assert made.of("p", id="note")[0][2] == evil


def test_a_claim_that_ends_otherwise_is_marked(results):
    changed = [dataclasses.replace(results[0], verdict="failed", as_recorded=False)]
    made = Page(report_page(changed, [], 1.0))
    assert "not as recorded" in made.classed("badge")[0][2]
    assert any(results[0].id in e[2] for e in made.of("p", **{"class": "failed"}))


def test_the_foot_tells_versions_and_commit(text):
    import relance

    made = Page(text)
    (versions,) = made.of("p", id="versions")
    assert f"relance {relance.__version__}" in versions[2]
    assert "numpy" in versions[2]
    (commit,) = made.of("p", id="commit")
    head = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, cwd=relance.__path__[0])
    assert (head.stdout.strip()[:12] if head.returncode == 0 else "no commit") in commit[2]


def test_it_is_small_and_usable_by_keyboard(text):
    assert len(text.encode()) < 500_000  # one paper of five
    made = Page(text)
    assert all(e[1].get("tabindex") == "0" for e in made.classed("scroll"))
    assert all(e[1].get("aria-label") for e in made.of("input"))
    assert {e[1]["aria-pressed"] for e in made.of("button") if "aria-pressed" in e[1]} == {"false"}


def test_a_picture_of_another_paper_is_not_shown(results):
    other = ReportPicture("miao-2014", "x", "y", b"<svg/>")
    assert not Page(report_page(results, [other], 1.0)).of("svg")


def run(*arguments, cwd, code="import relance.pages.commands.main; relance.pages.commands.main.command_line()"):
    command = [sys.executable, "-c", f"import sys; sys.argv = ['relance', *sys.argv[1:]]; {code}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def test_without_matplotlib_the_report_has_no_pictures_and_says_so(tmp_path):
    code = "sys.modules['matplotlib'] = None; import relance.pages.commands.main; relance.pages.commands.main.command_line()"
    out = run("verify", "--paper", f"{PAPER}/payoffs", "--html", "report.html", cwd=tmp_path, code=code)
    assert out.returncode == 0, out.stderr
    said = "This report has no pictures: figures need matplotlib: pip install 'relance[plot]'"
    assert said in out.stdout
    made = Page((tmp_path / "report.html").read_text())
    assert made.of("p", id="note")[0][2] == said
    assert not made.of("svg")
    assert len(made.classed("claim")) == 1


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("/nowhere/x.html", "no folder /nowhere"),
        ("-", "--html must be the name of a file"),
        (".", "cannot be written: it is a folder"),
    ],
)
def test_a_report_that_cannot_be_written(target, message, tmp_path):
    out = run("verify", "--paper", PAPER, "--html", target, cwd=tmp_path)
    assert out.returncode == 2
    assert message in out.stderr
    assert "Traceback" not in out.stderr
    assert not list(tmp_path.iterdir())
