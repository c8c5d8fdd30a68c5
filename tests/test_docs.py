"""The documentation: its code runs and prints what it says, its commands exist, every game has a page, and links lead somewhere."""

import contextlib
import importlib.util
import io
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
import typer
from game_page import claims_of, page
from mathematics import mathml

import relance
from relance.baselines.algorithms import algorithms
from relance.claims.finding import VERDICT_MEANINGS
from relance.claims.ledger import papers
from relance.envs.catalogue import BLUEPRINTS
from relance.model.distributions import uniform
from relance.model.game import build
from relance.model.tree import BettingTree, Leaf, decision, showdown
from relance.pages.commands.main import app
from relance.pages.explore import classroom
from relance.pages.plots.picture import MOST_DECISIONS
from relance.pages.plots.picture import game_pictures as pictures_of
from relance.play.rules import rules
from studies.frameworks import APART as NO_ROWS
from tools.numbers_in_prose import FILLED, files, navigation, opening, pages

ROOT = Path(relance.__file__).parent.parent
DOCS = ROOT / "docs"
FROM_THE_ROOT = {"reference_answers"}
"""Pages whose code reads files of the checkout, by their paths from its root."""
PAGES = [
    *(page for page in sorted(DOCS.glob("*.md")) if "```python" in page.read_text()),
    *sorted((DOCS / "howto").glob("*.md")),
    *sorted((DOCS / "explanation").glob("*.md")),
]
MODULES = {
    "jax": ["jax"],
    "proof": ["flint", "z3"],
    "torch": ["torch"],
    "sweep": ["joblib", "yaml"],
    "torchrl": ["torchrl"],
    "inspect": ["inspect_ai"],
    "openenv": ["openenv"],
}
"""What tells that an extra is installed."""

APART = {"jax", "torchrl", "inspect", "openenv"}
"""Extras whose threads would make later forks unsafe, or that warn of themselves: their blocks run in a process of their own."""

BLOCK = re.compile(
    r'^```python(?: title="(?:relance/[\w/]+\.py)?[ (]*(?:needs the extra (\w+))?\)?")?\n(.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
SCRIPT = re.compile(r'^```python title="examples/.*?^```$', re.MULTILINE | re.DOTALL)
SAID = re.compile(r"^\s*print\(.*\)  # (.*)$", re.MULTILINE)
GROUP = typer.main.get_command(app)


def blocks(path):
    """Every python block: (the extra that it needs or "", its code); but for scripts, which test_frameworks.py runs."""
    text = SCRIPT.sub("", path.read_text())
    found = BLOCK.findall(text)
    assert len(found) == text.count("```python"), f"{path.name}: a block with an info string that is not understood"
    return found


@pytest.fixture
def as_before():
    """What a page registers is forgotten again."""
    before = dict(BLUEPRINTS)
    yield
    BLUEPRINTS.clear()
    BLUEPRINTS.update(before)


@pytest.mark.usefixtures("as_before")
@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_code_prints_what_it_says(path, tmp_path, monkeypatch):
    """Blocks run in order, in one namespace; what a comment behind `print` says is what is printed, `|` between repetitions."""
    monkeypatch.chdir(ROOT if path.stem in FROM_THE_ROOT else tmp_path)
    names, lacking = {"__name__": path.stem}, set()
    for extra, code in blocks(path):
        if extra and not all(importlib.util.find_spec(name) for name in MODULES[extra]):
            lacking.add(extra)
            continue
        said = [line for comment in SAID.findall(code) for line in comment.split(" | ")]
        if extra in APART:
            assert subprocess.check_output([sys.executable, "-c", code], text=True).splitlines() == said
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(path), "exec"), names)
        assert printed.getvalue().splitlines() == said
    if lacking:
        pytest.skip(f"the other blocks ran; some need the extra {', '.join(sorted(lacking))}")


@pytest.mark.parametrize("code", [code for extra, code in blocks(DOCS / "howto" / "use_a_framework.md") if not extra])
def test_a_block_for_a_framework_runs_alone(code, tmp_path):
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, cwd=tmp_path)


def test_a_script_of_openspiel_runs_as_the_page_says(tmp_path):
    text = (DOCS / "howto" / "use_a_framework.md").read_text()
    command, said = re.search(r"^\$ (python -c .*\n.*)\nExploitability: (.*)$", text, re.MULTILINE).groups()
    words = shlex.split(command.replace("\\\n", " "))
    out = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, cwd=tmp_path)
    assert re.fullmatch(r"Exploitability: \S+\n", out.stdout), out.stderr
    assert float(out.stdout.split()[1]) == pytest.approx(float(said), abs=1e-12)


def command_lines():
    for path in [*PAGES, DOCS / "teaching.md", ROOT / "README.md"]:
        for block in re.findall(r"^```console\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                words = shlex.split(line.removeprefix("$ "), comments=True)
                if "relance" in words:
                    yield pytest.param(words[words.index("relance") + 1 :], id=f"{path.stem}: {' '.join(words)}")


@pytest.mark.parametrize("words", list(command_lines()))
def test_commands_are_understood(words):
    command, rest = GROUP, words
    while hasattr(command, "commands"):
        command, rest = command.commands[rest[0]], rest[1:]
    context = command.make_context(words[0], rest, resilient_parsing=False)
    assert context.info_name == words[0]


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_every_game_has_its_page(name):
    spec = BLUEPRINTS[name]
    text, mine = page(spec), claims_of(spec)
    for heading in (
        "Rules",
        "Parameters",
        "Actions",
        "Observation",
        "Rewards",
        "In words",
        "Published equilibrium",
        "Claims",
    ):
        assert f"\n## {heading}\n" in text
    assert text.startswith(f"# {spec.title}\n\n{spec.result}\n")
    assert spec.result.endswith(".")
    assert all(f"| `{parameter}` |" in text for parameter in spec.parameters)
    verdicts = "|".join(VERDICT_MEANINGS)
    assert len(re.findall(rf"^\| (?:{verdicts}) \|", text, re.MULTILINE)) == len(mine)
    assert text.count("- printed: ") == sum(bool(claim.correction) for _, claim in mine)
    cells = {row.count("|") for row in re.findall(rf"^\| (?:{verdicts}) \|.*", text, re.MULTILINE)}
    assert cells <= {4}, "a statement breaks its table"


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_the_observation_is_described_piece_by_piece(name):
    """The page has a row for each piece, with its sentence, and the pieces fill the vector."""
    shared = rules(relance.make(name))
    rows = re.findall(r"^\| .* \| `(\w+)` \| `(.*)` \| (.*) \|$", page(BLUEPRINTS[name]), re.MULTILINE)
    assert [(row[0], row[1]) for row in rows] == [(piece.name, str(piece.shape)) for piece in shared.pieces]
    assert all(row[2].endswith(".") for row in rows)
    assert sum(math.prod(piece.shape) for piece in shared.pieces) == shared.size


def test_claims_stand_with_the_games_that_they_are_about():
    """Every claim, on the pages of the games that it names; those about a tree that is not in the catalogue name none."""
    shown = [(paper.key, claim.id) for spec in BLUEPRINTS.values() for paper, claim in claims_of(spec)]
    assert set(shown) == {(paper.key, claim.id) for paper in papers().values() for claim in paper.claims if claim.games}
    assert len(shown) == sum(len(claim.games) for paper in papers().values() for claim in paper.claims)
    assert sum(claim == "n-endgame" for _, claim in shown) == 2


def test_a_page_cites_every_paper_of_its_game():
    cited = page(BLUEPRINTS["bellman_blackwell"]).partition("## Citation")[2]
    assert cited.count("C. Ferguson and T. S. Ferguson (2003)") == 1
    assert "R. Bellman and D. Blackwell (1949), Some Two-Person Games Involving Bluffing. Proceedings" in cited


def test_the_game_of_the_how_to_gets_a_page():
    """A new game is documented by itself, from its blueprint alone."""
    names = {}
    exec(blocks(DOCS / "howto" / "add_a_paper.md")[0][1], names)
    text = page(names["THREE_CARDS"])
    assert "`three_cards`" in text
    assert f"| `x` | {mathml('B/(B + 2)')} | 1/3 |" in text
    assert "Value: 1/18 chips to player 0. NashConv: 0." in text
    unprinted = page(replace(names["THREE_CARDS"], printed=()))
    assert "None is published" in unprinted


def test_titles_and_actions_are_shown_as_they_are_written():
    """Nothing in them is taken for HTML or for a column of a table."""
    blueprint, evil = BLUEPRINTS["von_neumann"], "<img src=x onerror=alert(1)>|"
    tree = BettingTree(decision(0, **{"check": showdown(1), evil: decision(1, **{evil: showdown(2), "fold": Leaf(1)})}))
    text = page(replace(blueprint, title=evil, build=lambda **given: (tree, uniform()), printed=()))
    shown, _, told = text.partition("## In words")
    assert "<img" not in shown + told.rpartition("```")[2]  # between them is text that is shown as it is
    assert all(line.count("|") == 4 for line in shown.splitlines() if "| player " in line)


@pytest.fixture
def hooks():
    pytest.importorskip("mkdocs", reason="needs the group docs")
    pytest.importorskip("marimo", reason="needs the group docs")
    spec = importlib.util.spec_from_file_location("hooks", DOCS / "hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_has_the_source_of_every_algorithm():
    text = (DOCS / "reference" / "learning.md").read_text()
    assert all(f"| `{name}` | " in text and f" | {item.source} |" in text for name, item in algorithms().items())


def test_a_new_game_is_in_the_navigation(hooks, monkeypatch):
    monkeypatch.setitem(BLUEPRINTS, "new_game", BLUEPRINTS["von_neumann"])
    config = hooks.on_config(SimpleNamespace(nav=[{"Games": []}, {"Results": ["pitfalls.md"]}]))
    assert "games/new_game.md" in config.nav[0]["Games"]
    assert config.nav[1] == {"Results": ["pitfalls.md"]}


def at(place):
    return SimpleNamespace(file=SimpleNamespace(src_uri=place))


def test_the_site_has_the_documentation_of_a_room_where_the_page_lists_it(hooks):
    text = hooks.on_page_markdown(
        (DOCS / "reference" / "environments.md").read_text(), page=at("reference/environments.md")
    )
    assert "\n::: relance.play.Rules\n" in text
    assert text.count("\n::: relance.registration.") == len(relance.registration.__all__)
    assert ".py)" not in text


def test_on_the_site_links_out_of_the_documentation_are_text(hooks):
    text = "[here](pitfalls.md#sharp) and [`there`](../notebooks/why_bluff.py), [away](https://example.org)"
    said = "[here](pitfalls.md#sharp) and `there`, [away](https://example.org)"
    assert hooks.on_page_markdown(text, page=at("tutorial.md")) == said


def test_no_line_ends_inside_an_option_in_code(hooks):
    html = '<p data-is="-x">a-b <code id="a-b">x --top-k <a href="#c-d">von-v0</a> - 1</code></p>'
    kept = '<span style="white-space:nowrap">'
    said = html.replace("--top-k", f"{kept}--top-k</span>").replace("-v0", f"{kept}-v0</span>")
    assert hooks.on_page_content(html) == said


def test_a_page_opens_with_its_strategies_and_shows_each_picture_once():
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    drawn = pictures_of(BLUEPRINTS["endgame"])
    assert {"strategy", "tree", "chips", "value"} <= set(drawn)
    text = page(BLUEPRINTS["endgame"], drawn)
    assert [text.count(f"](endgame-{name}.svg)") for name in drawn] == [1] * len(drawn)
    assert text.index("endgame-strategy.svg") < text.index("| where | how |") < text.index("endgame-tree.svg")
    assert "strategy" not in pictures_of(replace(BLUEPRINTS["endgame"], printed=()))


RAW = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


def anchors(path):
    """The headings of a page, as code hosts and the site name them."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", RAW, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_page_reads_well_on_a_code_host(path):
    """As it is stored: every link and picture leads to a file, every anchor to a heading, and nothing is left to be filled in."""
    text = re.sub(r"^```.*?^```$", "code", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", text):
        there = path.parent / target if target else path
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), f"{target}#{anchor}"
    assert re.findall(r"<!-- (\w+) -->\s*<!-- end -->", text) == []
    marks = re.findall(r"<!-- (?!end |formulas |members: )(.*?) -->", text)
    assert len(marks) == text.count("<!-- end -->")
    assert set(marks) <= set(FILLED)
    assert not re.search(r"^::: ", text, re.MULTILINE)


@pytest.mark.parametrize("name", files())
def test_what_is_filled_in_is_of_today(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert files()[name](text) == text, f"{name} is out of date; `make numbers` mends it"


def test_every_page_is_in_the_navigation_and_says_what_it_is_for():
    listed = dict(pages([part for part in navigation() if not {"Games", "Reference"} & part.keys()]))
    assert len(set(listed.values())) == len(listed)
    stored = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    apart = {place for place in stored if place.startswith(("reference/", "contributing/"))}
    assert stored - set(listed.values()) == apart
    said = {place: opening((DOCS / place).read_text()) for place in stored}
    assert [place for place, sentence in said.items() if not 20 < len(sentence) < 220] == []


def test_frameworks_and_their_scripts():
    """The how-to names every script, and each in its table with the extra or group that the script says it needs."""
    text = (DOCS / "howto" / "use_a_framework.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+\.py)` \|.*\| `(\w+)` \|$", text, re.MULTILINE))
    scripts = {path.name: path for path in (ROOT / "examples" / "frameworks").glob("[!_]*.py")}
    needs = {name: re.match(r"# (?:extra|group): (\w+)", path.read_text())[1] for name, path in scripts.items()}
    assert rows == {name: needs[name] for name in scripts if name not in NO_ROWS}
    assert all(f"`{name}`" in text for name in NO_ROWS)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, built with every warning as an error."""
    pytest.importorskip("material", reason="needs the group docs")
    pytest.importorskip("mkdocstrings", reason="needs the group docs")
    folder = tmp_path_factory.mktemp("docs") / "site"
    out = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert out.returncode == 0, out.stdout[-2000:] + out.stderr[-2000:]
    return folder


def test_the_site_has_every_game(site):
    for name, spec in BLUEPRINTS.items():
        html = (site / "games" / name / "index.html").read_text()
        assert html.count("<td>refuted</td>") == sum(claim.recorded == "refuted" for _, claim in claims_of(spec))
        game = build(spec)
        drawn = game.is_published and len(game.tree.decisions) <= MOST_DECISIONS
        assert (f'aria-label="The published strategies: {name}' in html) == drawn
    listed = (site / "games" / "index.html").read_text()
    assert all(f'href="{name}/"' in listed for name in BLUEPRINTS)
    board = site / "leaderboard"
    assert (board / "index.html").stat().st_size < 500_000
    drawn = [path.read_text() for path in board.glob("*/index.html")]
    assert len(drawn) > 5
    assert all("<svg" in html and len(html) < 2_000_000 for html in drawn)
    home = (site / "index.html").read_text()
    assert all(f'class="card" href="games/{name}/"' in home for name in BLUEPRINTS)
    taught = (site / "teaching" / "index.html").read_text()
    anchors = re.findall('class="card" href="teaching/#([^"]+)"', home)
    assert len(anchors) == len(list((ROOT / "notebooks").glob("*.py")))
    assert all(f'id="{anchor}"' in taught for anchor in anchors)
    assert "nash_conv" in (site / "reference" / "index.html").read_text()
    assert "relance verify" in (site / "reference" / "commands" / "index.html").read_text()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def address(site):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_a_page_in_a_browser(browser, address, width, scheme):
    """Its picture is there, nothing is complained of, nothing leaves the machine, and no page is wider than the screen."""
    told, asked = [], []
    view = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    view.on("console", lambda message: told.append(message.text))
    view.on("pageerror", lambda error: told.append(str(error)))
    view.on("request", lambda request: asked.append(request.url))
    view.goto(address + "games/von_neumann/", wait_until="networkidle")
    heights = view.eval_on_selector_all(
        "article .scroll svg", "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert max(heights[:2]) > 100  # drawn for a desk and for a phone, of which one is shown
    assert min(heights[:2]) == 0
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    if shots := os.environ.get("SCREENSHOTS"):
        view.screenshot(path=f"{shots}/docs-{width}-{scheme}.png", full_page=True)
    view.close()
    assert told == []
    assert all(url.startswith(address) for url in asked)


def test_a_picture_is_moved_without_a_server(browser, address):
    view = browser.new_page(viewport={"width": 390, "height": 800})
    view.goto(address + "teaching/", wait_until="networkidle")
    sliders = view.locator(".stops")
    assert sliders.count() == len(list((ROOT / "notebooks").glob("*.py")))
    for box in sliders.all():
        before = box.locator(".stop:visible").inner_text()
        box.locator("input").press("ArrowRight")
        assert box.locator(".stop:visible").count() == 1
        assert box.locator(".stop:visible").inner_text() != before
        assert box.locator("output").inner_text() == box.locator(".stop:visible").get_attribute("data-stop")
    view.close()


STAND_IN = """window.loadPyodide = async () => ({
    loadedPackages: {numpy: "here"}, loadPackage: async () => {}, unpackArchive: bytes => window.size = bytes.byteLength,
    pyimport: name => window[name] = {game_options: () => window.game_options(), reply: text => window.reply(text)}})"""
"""Pyodide for a page whose Python is this process."""

CLASSROOM = "relance.pages.explore.classroom"


def teach(view):
    """Load the page for a class and find out in it what a class is asked."""
    from playwright.sync_api import expect

    view.click("#classroom button")
    result = view.locator("#classroom [data-verdict]")
    result.wait_for(timeout=120_000)
    expect(result).to_have_text("Nobody gains by playing differently: this is an equilibrium, exactly.")
    assert view.locator("#classroom button, #classroom [role=alert]").count() == 0
    view.fill("[name=p1]", "0")
    view.press("[name=p1]", "Enter")
    expect(result).to_have_text("By a best response player 1 gains 1/4 (0.2500) chips.")
    expect(view.locator(".strip small:visible")).to_have_text(["as played", "best response"] * 2)
    view.fill("[name=bets]", "4")
    view.press("[name=bets]", "Tab")
    expect(view.locator("[name=p1]")).to_have_attribute("data-start", "2/9")
    assert view.input_value("[name=p1]") == "0"  # what a reader sets stays
    view.fill("[name=p1]", "2/9")
    view.press("[name=p1]", "Tab")
    expect(result).to_have_text("Nobody gains by playing differently: this is an equilibrium, exactly.")
    view.select_option("#classroom select", "von_neumann")
    expect(view.locator("[name=a]")).to_have_value("1/9")
    view.locator("[data-part=parameters]").get_by_role("slider", name="bet").press("ArrowRight")
    expect(view.locator("[data-part=parameters] [name=bet]")).to_have_value("9/4")
    expect(view.locator("[name=a]")).to_have_value("36/325")
    view.fill("[name=a]", "9/10")
    view.press("[name=a]", "Tab")
    expect(view.locator("#classroom [role=alert]")).to_contain_text("9/10")
    view.select_option("#classroom select", "one_card_poker")
    expect(view.locator("[name=cards]")).to_have_value("3")
    expect(result).to_contain_text("Nobody gains")


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_the_page_for_a_class(browser, address, width, scheme):
    """All that the page does, with Python outside of it: what is set, what is shown, on desks and phones, light and dark."""
    told = []
    view = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    view.on("console", lambda message: told.append(message.text))
    view.on("pageerror", lambda error: told.append(str(error)))
    view.add_init_script(STAND_IN)
    view.expose_function("game_options", classroom.game_options)
    view.expose_function("reply", classroom.reply)
    view.goto(address + "classroom/", wait_until="networkidle")
    teach(view)
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert view.evaluate(f"'{CLASSROOM}' in window")
    assert view.evaluate("window.size") > 500_000
    if shots := os.environ.get("SCREENSHOTS"):
        view.screenshot(path=f"{shots}/classroom-{width}-{scheme}.png", full_page=True)
    view.close()
    assert told == []


def test_the_page_for_a_class_starts_python(browser, address, tmp_path):
    """Pyodide as npm has it has the hash of the page, and starts. It comes without NumPy, and the page says so."""
    from playwright.sync_api import expect

    if not (npm := shutil.which("npm")):
        pytest.skip("needs npm, which brings Pyodide")
    version = re.search(r'VERSION = "([^"]+)"', (DOCS / "classroom.js").read_text())[1]
    brought = subprocess.run([npm, "pack", f"pyodide@{version}"], capture_output=True, text=True, cwd=tmp_path)
    if brought.returncode:
        pytest.skip("npm cannot reach its index, which has Pyodide")
    with tarfile.open(tmp_path / f"pyodide-{version}.tgz") as files:
        files.extractall(tmp_path, filter="data")
    asked = []

    def answer(route):
        asked.append(route.request.url)
        file = tmp_path / "package" / route.request.url.rpartition("/")[2]
        if "/npm/" in route.request.url:
            route.fulfill(path=file, headers={"access-control-allow-origin": "*"})
        else:
            route.abort()

    view = browser.new_page()
    view.route(lambda url: not url.startswith(address), answer)
    view.goto(address + "classroom/")
    assert asked == []  # nothing is loaded before the reader asks for it
    view.click("#classroom button")
    expect(view.locator("#classroom [role=status]")).to_contain_text("NumPy was not loaded", timeout=120_000)
    assert view.locator("#classroom button").is_enabled()
    assert {"pyodide.js", "pyodide.asm.wasm", "python_stdlib.zip"} <= {url.rpartition("/")[2] for url in asked}
    assert all(f"/pyodide@{version}/" in url or f"/pyodide/v{version}/full/" in url for url in asked)
    view.close()
    changed = browser.new_page()
    changed.route(lambda url: not url.startswith(address), lambda route: route.fulfill(body="window.loadPyodide = 1"))
    changed.goto(address + "classroom/")
    changed.click("#classroom button")
    expect(changed.locator("#classroom [role=status]")).to_contain_text("the file has changed")
    changed.close()


def test_the_page_for_a_class_from_the_public_server(browser, address):
    """Nothing is replaced: Python, NumPy and the wheel of this checkout run in the browser."""
    view = browser.new_page()
    view.goto(address + "classroom/")
    server = re.search(r"(https://[^/]+)/pyodide", (DOCS / "classroom.js").read_text())[1]
    if not view.evaluate("server => fetch(server).then(() => true, () => false)", server):
        view.close()
        pytest.skip("the public server that has NumPy for browsers cannot be reached")
    teach(view)
    view.close()


CUT = """() => [...document.querySelectorAll(".md-typeset__scrollwrap, .scroll")]
    .filter(box => box.scrollWidth > box.clientWidth + 1).map(box => box.innerText.slice(0, 60))"""


def test_no_table_or_picture_is_cut_off_on_a_desk(browser, address, site):
    view = browser.new_page(viewport={"width": 1280, "height": 800})
    for file in sorted(site.rglob("index.html")):
        page_of = file.parent.relative_to(site).as_posix()
        if not page_of.startswith("reference/"):
            view.goto(f"{address}{page_of}/", wait_until="domcontentloaded")
            assert view.evaluate(CUT) == [], page_of
    view.close()
