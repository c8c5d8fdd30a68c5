"""`relance explore`, as a user meets it: on the command line, and in a browser without a window."""

import re
import signal
import socket
import subprocess
import sys

import pytest

RELANCE = [sys.executable, "-m", "relance.pages.commands.main", "explore"]


def run(*arguments, without=()):
    code = f"import sys; sys.modules.update(dict.fromkeys({list(without)})); from relance.pages.commands import main; main.command_line()"
    return subprocess.run(
        [sys.executable, "-c", code, "explore", *arguments], capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize("missing", ["marimo", "uvicorn"])
def test_without_the_extra_it_says_what_is_missing(missing):
    out = run("--no-browser", without=[missing])
    assert out.returncode == 2
    assert out.stderr.strip() == "relance: the explorer needs marimo: pip install 'relance[explore]'"


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("von_neuman", "did you mean 'von_neumann'"),
        ("von_neumann(bet=-1)", "bet=-1 must be above 0"),
        ("von_neumann(hands=1000)", "more than 100 hands"),
    ],
)
def test_a_game_that_is_none_is_refused_before_anything_is_served(game, message):
    out = run(game, "--no-browser")
    assert out.returncode == 2
    assert message in out.stderr
    assert len(out.stderr.strip().splitlines()) == 1


def test_a_port_in_use_is_named():
    pytest.importorskip("marimo", reason="needs the extra explore")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        out = run("--no-browser", "--port", str(port))
    assert out.returncode == 2
    assert f"--port {port} cannot be opened: Address already in use" in out.stderr
    assert len(out.stderr.strip().splitlines()) == 1


@pytest.fixture
def served(tmp_path):
    """The address of the page; at the end Ctrl-C ends the server, with a browser still there, and it has complained of nothing."""
    pytest.importorskip("marimo", reason="needs the extra explore")
    command = [*RELANCE, "von_neumann(bet=2)", "--no-browser", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    said = server.stdout.readline()
    yield re.search(r"http://\S+", said)[0]
    server.send_signal(signal.SIGINT)
    try:
        out, err = server.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        server.kill()
        raise
    assert (out, err, server.returncode) == ("", "", 130)


def test_the_page(browser, served):
    """The bet moves the thresholds to their exact values, a threshold away from equilibrium pays the other; nothing leaves the machine."""
    errors, asked = [], []
    view = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    view.set_default_timeout(60_000)
    view.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    view.on("pageerror", lambda error: errors.append(str(error)))
    view.on("request", lambda request: asked.append(request.url))
    view.on("websocket", lambda opened: asked.append(opened.url))
    view.goto(served)

    def shows(name, text):
        view.locator(f"[data-played='{name}']", has_text=text).wait_for()

    def slide(label, key, times):
        handle = view.locator("marimo-slider", has_text=re.compile(rf"^{label}(: .*)?[\d.]+$")).locator(
            "[role=slider]:visible"
        )
        for _ in range(times):
            handle.press(key)

    shows("a", "1/9 (0.1111)")
    shows("nash-conv", "0")
    slide("bet", "ArrowRight", 4)
    shows("a", "3/28 (0.1071)")
    shows("c", "9/14 (0.6429)")
    shows("earned-0", "3/28 (0.1071)")
    slide("c", "End", 1)
    shows("c", "1")
    view.get_by_text("By a best response player 0 gains").wait_for()
    assert view.evaluate("document.body.classList.contains('dark')")
    view.set_viewport_size({"width": 360, "height": 800})
    assert view.evaluate("document.documentElement.scrollWidth") <= 360
    view.set_viewport_size({"width": 1280, "height": 800})
    view.goto(re.sub(r"\?.*", "", served))  # the plain address leads to the game that was asked for
    shows("a", "1/9 (0.1111)")
    assert view.url == served
    view.goto(re.sub(r"game=.*", "game=bellman_blackwell", served))
    shows("nash-conv", "0")
    slide("low", "End", 1)
    view.get_by_role("alert").get_by_text("low=4 must be at most high=2").wait_for()
    slide("low", "Home", 1)  # the way back is still there
    shows("b1", "1/9 (0.1111)")
    assert view.get_by_role("alert").count() == 0
    assert errors == []
    here = re.match(r"http://[^/]*", served)[0].removeprefix("http://")
    assert {re.sub(r"^\w+://([^/]*).*", r"\1", url) for url in asked if not url.startswith(("data:", "blob:"))} == {
        here
    }


def test_on_a_narrow_screen_the_sliders_are_on_the_page_and_the_pictures_can_be_read(browser, served):
    view = browser.new_page(viewport={"width": 390, "height": 844})
    view.set_default_timeout(60_000)
    view.goto(re.sub(r"game=.*", "game=one_card_poker", served))  # many decisions make a tall picture
    view.locator("svg[aria-label^='Value']").wait_for()
    first = view.locator("[role=slider]").first.bounding_box()
    assert first["y"] + first["height"] < 844
    assert all(slider.is_visible() for slider in view.locator("marimo-slider [role=slider]").all())
    sizes = view.eval_on_selector_all(
        ".relance svg text",
        """texts => texts.map(text => {
            const place = text.getScreenCTM();
            return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(place.a, place.b);
        })""",
    )
    assert len(sizes) > 10
    assert min(sizes) >= 9
    assert view.evaluate("document.documentElement.scrollWidth") <= 390
