"""The reference answers for games of others: decided by the script, by OpenSpiel, and by the page's own code; planted errors are found."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pyspiel
import pytest

from relance.registration.game_trees import game_tree
from studies.reference_answers import FOLDER, solved, textarena
from tools.check_reference_answers import GAMES, check

PAGE = (Path(__file__).parents[2] / "docs" / "reference_answers.md").read_text()
FILES = sorted(FOLDER.glob("*.json"))


def test_every_game_has_its_file():
    assert {path.stem for path in FILES} == GAMES.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_script_agrees_and_the_page_has_the_numbers(path):
    answer = json.loads(path.read_text())
    assert check(path) is None
    told = answer["value"]
    if len(told) > 40:  # too long for a cell: it is the cell's title
        told = f'<abbr title="{told}">a fraction of {len(told.partition("/")[2])} digits</abbr>'
    assert f"| {told} | {float(Fraction(answer['value'])):.12f} | `{path.name}` |" in PAGE
    for title, other in answer.get("others", {}).items():
        first, second = other["best_responses"]
        total = float(Fraction(first) + Fraction(second))
        assert f"| {title.split()[-1]} | {first} | {second} | {total:.4f} |" in PAGE


def moved_value(answer):
    answer["value"] = str(Fraction(answer["value"]) + Fraction(1, 10**30))


def moved_policy(answer):
    """In each mixed information set each action has the probability of another one."""
    for distribution in answer["policy"].values():
        values = list(distribution.values())
        if not {"0", "1"} & {*values}:
            distribution.update(zip(distribution, values[1:] + values[:1], strict=True))


@pytest.mark.parametrize("spoil", [moved_value, moved_policy])
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "textarena_kuhn"])
def test_a_spoiled_file_is_found_out(name, spoil, tmp_path):
    answer = json.loads((FOLDER / f"{name}.json").read_text())
    answer.pop("others", None)
    spoil(answer)
    (tmp_path / "spoiled.json").write_text(json.dumps(answer))
    assert "best response" in check(tmp_path / "spoiled.json")


def test_openspiel_confirms_its_games(monkeypatch, capsys):
    monkeypatch.chdir(FOLDER.parents[2])
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    names = {}
    exec(code, names)
    assert capsys.readouterr().out == "True\n"
    state = names["game"].new_initial_state()
    returns = pyspiel.expected_returns(state, names["policy"], -1, True)
    assert returns[0] == pytest.approx(float(Fraction(names["answer"]["value"])), abs=1e-12)


def test_the_answers_come_out_again():
    """All values: of the games of OpenSpiel, and of both rules of TextArena."""
    leduc = json.loads((FOLDER / "leduc_poker.json").read_text())["value"]
    assert solved(game_tree("leduc_poker"))[0] == Fraction(leduc)
    assert solved(game_tree("kuhn_poker"))[0] == Fraction(-1, 18)
    assert textarena(bet=1)[0] == Fraction(1, 228)
    assert textarena(bet=0)[0] == 0
