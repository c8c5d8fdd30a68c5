"""The report in a browser without a window: it works, complains of nothing, and asks nobody for anything."""

import pytest

from relance.claims.verify import verify
from relance.pages.report import report_page, report_pictures

pytest.importorskip("matplotlib", reason="needs the extra plot")
api = pytest.importorskip("playwright.sync_api", reason="needs the group browser")

PAPERS = ["ponssard-1974", "endgame"]


@pytest.fixture(scope="module")
def results():
    return verify(PAPERS)


@pytest.fixture(scope="module")
def report(results, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report_page(results, report_pictures(PAPERS), 1.0), encoding="utf-8")
    return path


@pytest.fixture
def visit(browser, report):
    """Open the report with some settings; at the end, nothing was complained of and nothing was asked for."""
    contexts, told, asked = [], [], []

    def opened(anchor="", **settings):
        contexts.append(browser.new_context(**settings))
        view = contexts[-1].new_page()
        view.on("console", lambda message: told.append(message.text))
        view.on("pageerror", lambda error: told.append(str(error)))
        view.on("request", lambda request: asked.append(request.url))
        view.goto(report.as_uri() + anchor)
        return view

    yield opened
    for context in contexts:
        context.close()
    assert told == []
    assert {url.partition("#")[0] for url in asked} == {report.as_uri()}


def shown(view):
    return view.eval_on_selector_all(".claim:not([hidden])", "items => items.map(item => item.id)")


def test_search_and_verdicts_filter(visit, results):
    view = visit()
    assert shown(view) == [result.id for result in results]
    assert float(view.get_attribute("html", "data-ready")) > 0
    view.fill("#search", "Friedman")
    fits = [
        r.id
        for r in results
        if "friedman" in f"{r.statement} {r.evidence} {r.correction} {r.restored} {r.note}".lower()
    ]
    assert shown(view) == fits == ["ponssard-1974/story-start"]
    assert view.text_content("#count") == f"1 of {len(results)} claims shown"
    assert view.locator("#endgame").is_hidden()
    view.press("#search", "Escape")
    assert len(shown(view)) == len(results)
    view.click("[data-verdict-filter=refuted]")
    assert shown(view) == [result.id for result in results if result.verdict == "refuted"]
    view.click("[data-verdict-filter=exact]")
    assert shown(view) == [result.id for result in results if result.verdict in ("refuted", "exact")]
    view.fill("#search", "nothing has these words")
    assert shown(view) == []


def test_the_keyboard_is_enough(visit):
    view = visit()
    view.keyboard.press("/")
    assert view.evaluate("document.activeElement.id") == "search"
    view.keyboard.type("a/b")
    assert view.input_value("#search") == "a/b"
    view.keyboard.press("Escape")
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.dataset.verdictFilter") == "proved"
    view.keyboard.press("Space")
    assert view.get_attribute("[data-verdict-filter=proved]", "aria-pressed") == "true"
    claim = view.locator(".claim[data-tags^=proved] summary").first
    claim.focus()
    view.keyboard.press("Enter")
    assert view.locator(".claim[data-tags^=proved]").first.get_attribute("open") is not None


def test_a_link_opens_its_claim(visit, results):
    proved = next(result.id for result in results if result.verdict == "proved")
    view = visit(f"#{proved}")
    assert view.eval_on_selector(f"[id='{proved}']", "item => item.open")


def test_papers_are_folded_until_they_are_asked_for(visit):
    def opened(view):
        return view.eval_on_selector_all("details.paper", "items => items.map(item => item.open)")

    view = visit(viewport={"width": 1280, "height": 800})
    assert opened(view) == [False, False]
    assert view.evaluate("document.documentElement.scrollHeight") < 1500
    view.fill("#search", "Friedman")
    assert opened(view) == [True, True]  # the second is hidden: it has none
    view = visit("#endgame")
    assert opened(view).count(True) == 1
    assert view.evaluate("document.getElementById('endgame').firstElementChild.open")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_colour_schemes_and_the_toggle(visit, scheme):
    view = visit(color_scheme=scheme)

    def is_dark():
        colour = view.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(", "))) < 3 * 128

    assert is_dark() == (scheme == "dark")
    view.click("#theme")
    assert is_dark() == (scheme == "light")


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wider_than_the_window(visit, width):
    view = visit(viewport={"width": width, "height": 800})
    view.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true; })")
    assert view.evaluate("document.documentElement.scrollWidth") <= width


def test_without_scripts_everything_is_there(visit, results):
    view = visit(java_script_enabled=False)
    assert view.locator(".claim").count() == len(results)
    assert view.locator("#filter").is_hidden()
