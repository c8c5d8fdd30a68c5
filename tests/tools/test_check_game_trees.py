"""Certificates of game trees: the independent script agrees, and finds every planted error."""

import copy
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pyspiel
import pytest

import relance
from relance.equilibria.tree_certificates import tree_certificate
from relance.registration.game_trees import game_tree
from tools.check_game_trees import Wrong, check

SCRIPT = Path(__file__).parents[2] / "tools" / "check_game_trees.py"


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "liars_dice(numdice=1,dice_sides=3)", "von_neumann(hands=9)", "dark_hex(board_size=2)"]
)
def test_the_script_agrees_on_equilibria(name):
    tree = game_tree(pyspiel.load_game(name) if "numdice" in name else name)  # Relance has a game liars_dice too
    certificate = json.loads(json.dumps(tree_certificate(tree, relance.solve(tree))))
    assert certificate["nash_conv_at_most"] == "0"
    assert check(certificate) == 0


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "tiny_hanabi", "first_sealed_auction(max_value=3)"])
def test_any_number_of_players_and_general_sums(name):
    tree = game_tree(pyspiel.load_game(name) if "numdice" in name else name)  # Relance has a game liars_dice too
    assert check(tree_certificate(tree, "uniform")) == relance.nash_conv(tree, "uniform")


def test_a_float_solution_becomes_a_theorem():
    tree = game_tree("leduc_poker")
    profile = relance.solve(tree, "dcfr+", 0.05)
    certificate = tree_certificate(tree, profile, Fraction(1, 10))
    assert 0 < check(certificate) <= Fraction(1, 10)
    with pytest.raises(ValueError, match="at_most=1/1000000 is false: the profile's NashConv is"):
        tree_certificate(tree, profile, Fraction(1, 10**6))


def faults(certificate):
    """Every number of a certificate moved, one at a time, and structure removed."""
    for key in ("values", "best_responses"):
        for i, text in enumerate(certificate[key]):
            bad = copy.deepcopy(certificate)
            bad[key][i] = str(Fraction(text) + Fraction(1, 10**30))
            yield f"{key} {i}", bad
    for name, distribution in certificate["profile"].items():
        bad = copy.deepcopy(certificate)
        values = list(distribution.values())
        bad["profile"][name] = dict(zip(distribution, values[1:] + values[:1], strict=True))
        if bad != certificate:
            yield f"distribution of {name}", bad
        bad = copy.deepcopy(certificate)
        del bad["profile"][name]
        yield f"no {name}", bad
        bad = copy.deepcopy(certificate)
        bad["profile"][name] = dict.fromkeys(distribution, "1")
        yield f"sum of {name}", bad
    lines = certificate["game"].strip().split("\n")
    for i, _line in enumerate(lines):
        bad = copy.deepcopy(certificate)
        bad["game"] = "\n".join(lines[:i] + lines[i + 1 :])
        yield f"line {i} left out", bad


def faulty_payoffs(certificate):
    """Each payoff to player 0 moved."""
    lines = certificate["game"].strip().split("\n")
    for i, line in enumerate(lines):
        if line.startswith("t"):
            first = line.partition("{ ")[2].partition(",")[0]
            yield (
                f"payoff {i}",
                certificate
                | {"game": "\n".join([*lines[:i], line.replace(f"{{ {first}", f"{{ {first}1"), *lines[i + 1 :]])},
            )


def test_planted_errors_are_found():
    tree = game_tree("kuhn_poker")
    certificate, uniform = tree_certificate(tree, relance.solve(tree)), tree_certificate(tree, "uniform")
    unnoticed = []
    for what, bad in [
        *faults(certificate),
        *faults(uniform),
        *faulty_payoffs(uniform),
    ]:  # uniform play reaches all terminal nodes
        try:
            check(bad)
        except (Wrong, ValueError, IndexError):
            continue
        unnoticed.append(what)
    assert unnoticed == []


def test_a_player_who_forgets_is_found():
    """Two information sets of player 0 after different own actions, merged by the certificate."""
    game = 'EFG 2 R "g" { "a" "b" }\np "" 1 1 "s" { "l" "r" } 0\n'
    game += 'p "" 1 2 "t" { "x" "y" } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { 0, 0 }\n' * 2
    distribution = {"s": {"l": "1", "r": "0"}, "t": {"x": "1", "y": "0"}}
    with pytest.raises(Wrong, match="t: player 0 forgets"):
        check(
            {
                "game": game,
                "profile": distribution,
                "values": ["1", "-1"],
                "best_responses": ["1", "-1"],
                "nash_conv_at_most": "0",
            }
        )


def test_as_a_script(tmp_path):
    tree = game_tree("kuhn_poker")
    good = tree_certificate(tree, relance.solve(tree))
    (tmp_path / "good.json").write_text(json.dumps(good))
    (tmp_path / "bad.json").write_text(json.dumps(good | {"values": ["0", "0"]}))

    def run(*names):
        done = subprocess.run(
            [sys.executable, SCRIPT, *names], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout.splitlines()

    right = "good.json: right: NashConv is 0, at most 0"
    assert run("good.json") == (0, [right])
    status, lines = run("good.json", "bad.json", "none.json")
    assert status == 1
    assert lines[:2] == [right, "bad.json: WRONG: Wrong: values are -1/18, 1/18"]
    assert lines[2].startswith("none.json: WRONG: FileNotFoundError")
