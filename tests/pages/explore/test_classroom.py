"""The replies of the page for a class: exact, for every game that it offers, and the same where NumPy alone is installed."""

import json
import re
import subprocess
import sys
import tomllib
from html import unescape
from pathlib import Path

import pytest

import relance
from relance.model.numbers import exact, show
from relance.pages.explore import views
from relance.pages.explore.classroom import game_options, reply
from relance.pages.explore.position import number_sliders, opened, parameter_sliders, position

INPUTS = ("parameters", "numbers", "mixes")
OFFERED = re.findall(r'value="(\w+)"', game_options())
ROOT = Path(relance.__file__).parent.parent


def asked(game, **changed):
    return json.loads(reply(json.dumps({"game": game, **changed})))


def texts(part):
    """The text box of each value."""
    return {name: unescape(text) for name, text in re.findall(r'<input name="([^"]*)" value="([^"]*)"', part)}


def verdict(parts):
    return re.search(r"<p data-verdict[^>]*>(.*?)</p>", parts["result"])[1]


def warned(parts):
    return unescape(re.search(r'role="alert">(.*?)</p>', parts["result"])[1])


def test_games_with_a_published_equilibrium_are_offered():
    assert {"endgame", "von_neumann", "one_card_poker", "leduc"} <= set(OFFERED)
    assert not {"liars_dice", "turn", "five_card"} & set(OFFERED)


@pytest.mark.parametrize("name", OFFERED)
def test_a_game_opens_at_its_equilibrium(name):
    parts, game = asked(name), opened(name)
    assert verdict(parts) == views.verdict(position(game))
    again = ", ".join(f"{parameter}={text}" for parameter, text in texts(parts["parameters"]).items())
    assert opened(f"{name}({again})") == game
    assert texts(parts["numbers"]) == {name: show(at.start) for name, at in number_sliders(game).items()}
    assert set(texts(parts["mixes"])) == set(game.tree.decisions)
    assert str(position(game).equilibrium) in unescape(parts["result"])


@pytest.mark.parametrize("name", OFFERED)
def test_a_slider_gives_the_text_of_an_exact_number(name):
    game, parts = opened(name), asked(name)
    for part, sliders in (("parameters", parameter_sliders(game)), ("numbers", number_sliders(game))):
        stops = [json.loads(unescape(text)) for text in re.findall(r'data-stops="([^"]*)"', parts[part])]
        for listed, slider in zip(stops, sliders.values(), strict=True):
            assert [exact(text) for text in listed if text != show(slider.start)] == [
                stop for stop in slider.stops if stop != slider.start
            ]


def test_what_a_class_finds_out():
    """By hand: a bet of 4 into a pot of 2 needs 2/3 * p / (1 - p) = 2/9 bluffs and 4/6 folds."""
    game = "endgame(p=1/4, ante=1, bets=4)"
    assert "player 1 gains" in verdict(asked(game, numbers={"p1": "0"}))
    assert "player 0" not in verdict(asked(game, numbers={"p1": "0"}))
    assert "player 0 gains" in verdict(asked(game, numbers={"f1": "0.7"}))
    found = asked(game, numbers={"p1": "2/9", "f1": "2/3"})
    assert verdict(found) == "Nobody gains by playing differently: this is an equilibrium, exactly."
    assert "player 0 gains" in verdict(asked(game, mixes={"bet": "1"}))  # who calls too often, and is bluffed no more


def test_what_is_changed_stays_where_the_game_still_has_it():
    parts = asked("endgame(bets=4)", numbers={"p1": "1/2", "nosuch": "1"})
    assert texts(parts["numbers"])["p1"] == "1/2"
    assert 'name="p1" value="1/2" data-start="2/9"' in parts["numbers"]
    assert "player 1 gains" in verdict(parts)


@pytest.mark.parametrize(
    ("wrong", "said", "left"),
    [
        ({"game": "endgam"}, "there is no game 'endgam'; did you mean 'endgame'", ()),
        ({"game": "endgame(p=2)"}, "p=2 must be", ()),
        ({"game": "von_neumann", "numbers": {"a": "often"}}, "a='often' is not a number", INPUTS),
        ({"game": "von_neumann", "numbers": {"a": "0.9"}}, "9/10", INPUTS),
        ({"game": "endgame", "mixes": {"": "3"}}, "must be between 0 and 1", INPUTS),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_is_said_and_the_other_parts_stay(wrong, said, left):
    parts = json.loads(reply(json.dumps(wrong)))
    assert said in warned(parts)
    assert set(parts) == {"result", *left}


def test_strips_are_as_wide_as_hands_and_as_high_as_probabilities():
    parts = asked("von_neumann", numbers={"a": "1/4"})["result"]
    first = parts.partition('<div class="strip">')[2].partition('<div class="strip">')[0]
    grows = [float(number) for number in re.findall(r"flex-grow: ([\d.]+)", first)]
    assert grows == pytest.approx([1 / 4, 1, 7 / 9 - 1 / 4, 1, 2 / 9, 1], abs=1e-6)
    assert re.findall(r'title="(\w+)"', first) == ["bet", "check", "bet"]


ALONE = """
import json, sys
for name in {names}:
    sys.modules[name] = None
import relance
from relance.pages.explore.classroom import game_options, reply
game = relance.make("one_card_poker")
profile = game.published()
found = [relance.value(game, profile), relance.nash_conv(game, profile), relance.best_response(game, profile, 0).value]
found.append(relance.nash_conv(game, relance.solve(game)))
print(*found)
print(game_options().replace("\\n", ""))
for asked in {asked}:
    print(reply(json.dumps(asked)))
"""


def test_numpy_is_enough(tmp_path):
    """Of the dependencies neither OpenSpiel nor Gymnasium, PettingZoo, SciPy or a solver is imported: browsers have none of them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.match(r"[\w-]+", line)[0] for line in project["dependencies"]} - {"numpy", "lazy_loader"}
    assert {"open_spiel", "gymnasium", "pettingzoo", "scipy", "highspy", "filelock"} <= names
    names |= {"pyspiel", "numba", "matplotlib", "flint", "z3"}
    calls = [{"game": name} for name in OFFERED]
    code = ALONE.format(names=sorted(names), asked=[*calls, {"game": "one_card_poker(cards=7)"}])
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert out.returncode == 0, out.stderr
    figures, offered, *replies, unsolved = out.stdout.splitlines()
    assert figures == "-1/18 0 -1/18 0"
    assert offered == game_options().replace("\n", "")
    assert replies == [reply(json.dumps(call)) for call in calls]
    assert "highspy" in warned(json.loads(unsolved))
