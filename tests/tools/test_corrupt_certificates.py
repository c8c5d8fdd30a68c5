"""The certificates of claims decide them, and each known way to corrupt one is noticed."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from relance.claims.verify import selected, verify
from tools import check_certificates as checker
from tools import corrupt_certificates as corrupt

SCRIPT = Path(checker.__file__)
ASK = checker.solver("z3")
CLAIMS = checker.Claims(SCRIPT.parents[1] / "relance" / "claims")
SMALL = [
    "endgame/basic",
    "endgame/matrix",
    "borel-von-neumann/borel-theorem",
    "borel-von-neumann/borel-unique-second",
    "borel-von-neumann/borel-admissible",
    "borel-von-neumann/bb-von-neumann",
    "borel-von-neumann/r-fgm-solvable",
    "endgame/sizes-mean",
    "relance-kuhn/opener-at-two",
    "relance-kuhn/decks-none",
    "miao-2014/family",
    "miao-2014/opener-by-card",
    "miao-2014/mistake-4",
    "miao-2014/dealer-choices-slip",
    "miao-2014/moves",
    "cutler-1975/force-in",
]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    verify(SMALL, certificates=folder)
    return [json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in SMALL]


def test_claims_are_decided_from_their_data(small):
    said = {data["claim"]: checker.decide(data, ASK, CLAIMS)[0] for data in small}
    given = {name for name, text in said.items() if text == checker.GIVEN}
    assert given == {"cutler-1975/force-in", "borel-von-neumann/borel-unique-second", "endgame/sizes-mean"}
    assert {*said.values()} == {checker.DECIDES, checker.GIVEN}


@pytest.mark.parametrize("kind", corrupt.KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_corruption_is_noticed(kind, small):
    draw, tried = Random(0), 0
    for data in small:
        wrong = corrupt.corrupted(kind, data, draw, [other for other in small if other is not data])
        if wrong is not None:
            assert corrupt.rejected(wrong, ASK, CLAIMS), data["claim"]
            tried += 1
    assert tried


def test_what_is_not_about_a_game_is_facts_only(small):
    """A printed number in no step, or compared with a formula alone, decides nothing."""
    data = next(data for data in small if data["claim"] == "endgame/matrix")
    unused = {**data, "printed": {**data["printed"], "more": "1"}}
    assert checker.decide(unused, ASK)[0] == "partially verified: more: in no step"
    name = data["steps"][0]["name"]
    said = data["steps"][0]["equal"][1]
    typed = {**data, "steps": [{**data["steps"][0], "equal": [said, said]}, *data["steps"][1:]]}
    assert checker.decide(data, ASK)[0] == checker.DECIDES
    number = checker.Certificate(data, ASK).number(int(said[1:]))
    typed["steps"][0]["equal"][0] = str(number)
    typed["schemes"] = checker.Certificate(typed, ASK).schemes()
    assert checker.decide(typed, ASK)[0] == f"partially verified: {name}: compared with a formula, not with a game"


def test_the_steps_that_claims_need_are_those_of_today(small):
    """`goals.txt` is what the script writes with --goals; `make goals` does."""
    for data in small:
        assert Counter(checker.decide(data, ASK)[1]) == CLAIMS.steps[data["claim"]]


def names():
    return [f"{paper.key}/{claim.id}" for paper, claim in selected()]


def test_every_claim_has_goals():
    assert [*CLAIMS.steps] == sorted(names())


@pytest.mark.slow
@pytest.mark.parametrize("paper", sorted({name.partition("/")[0] for name in names()}))
def test_all_certificates_are_right(paper, tmp_path):
    verify(paper, certificates=tmp_path)
    folder = str(SCRIPT.parents[1] / "relance" / "claims")
    command = [sys.executable, str(SCRIPT), str(tmp_path), "--solver", "z3", "--claims", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    page = (SCRIPT.parents[1] / "docs" / "howto" / "check_a_proof.md").read_text(encoding="utf-8")
    short = [line.partition(": ")[0] for line in done.stdout.splitlines() if "partially verified" in line][:-1]
    assert [name for name in short if name not in page] == []
