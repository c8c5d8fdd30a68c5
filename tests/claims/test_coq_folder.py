"""Equilibria as Coq files: what is written, and that Coq accepts it and refuses errors."""

import json
import re
import shutil
import subprocess
from fractions import Fraction
from importlib import resources

import pytest

import relance
from relance.claims.coq.folder import coq_file, write_common
from relance.claims.coq.plays import NotWrittenError, written_play
from relance.claims.proof import region
from relance.claims.verify import processors, selected, verify

KUHN = relance.make("one_card_poker", raises=0)

LEFT_OUT = json.loads(resources.files("relance.claims.coq").joinpath("left_out.json").read_text())
"""The claims with an equilibrium for all parameters that no Coq file holds, each with the reasons."""

BY_COQ = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is no Python package; `make coq` needs it")


def von_neumann():
    game = relance.make("von_neumann", bet=region("B", "B > 0")["B"])
    return game, game.published()


def refused(text):
    """The same file, which Coq accepts only if it refuses each of the computed proofs."""
    kept = re.sub(r"^Print Assumptions.*$", "", text, flags=re.MULTILINE)
    return kept.replace("; vm_compute; reflexivity. Qed.", ". Fail (vm_compute; reflexivity). Abort.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("coq")
    write_common(found)
    return found


@pytest.fixture(scope="module")
def coq(folder):
    """Ask Coq about the text of a file; returns whether it accepts, and what it says."""

    def ask(name, text):
        file = folder / f"{name}.v"
        file.write_text(text)
        done = subprocess.run(
            ["coqc", "-q", "-Q", ".", "Relance", file.name], cwd=folder, capture_output=True, text=True, timeout=600
        )
        return done.returncode == 0, done.stdout + done.stderr

    assert subprocess.run(["coqc", "-q", "-Q", ".", "Relance", "Relance.v"], cwd=folder, timeout=600).returncode == 0
    return ask


def test_a_claim_on_no_equilibrium_has_no_file_and_the_same_profile_is_written_once():
    assert coq_file("a/b", "nothing", []) == ""
    assert coq_file("a/b", "twice", [(KUHN, KUHN.published())] * 2).count("Theorem") == 1


def test_what_cannot_be_written_is_named(tmp_path):
    game = relance.make("von_neumann", deal="fgm:-1/2")
    with pytest.raises(NotWrittenError, match="not independent"):
        written_play(game, game.published())
    text = coq_file("paper/claim", "dependent", [(game, game.published())])
    assert "Theorem" not in text
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper/claim.v").write_text(text)
    written = write_common(tmp_path)
    assert written.equilibria == 0
    assert written.left_out == ("paper/claim: von_neumann: the hands on [0, 1] are not independent",)


def test_a_proof_that_is_too_long_is_left_out(monkeypatch):
    monkeypatch.setattr("relance.claims.coq.folder.LONGEST", 1000)
    text = coq_file("a/b", "too long", [von_neumann()])
    assert "Theorem" not in text
    assert "(* Not written: von_neumann: the theorem with its proof would have more than 1,000 characters *)" in text


def test_a_statement_does_not_end_its_comment():
    assert "(* a/b: f( *x* ) of 'y' *)" in coq_file("a/b", 'f(*x*) of "y"', [(KUHN, KUHN.published())])


def equilibria_for_all_parameters(certificate):
    """The places of the plays in which nobody gains anything, whatever the symbols."""
    steps = [step for step in certificate["steps"] if "nash" in step and {*step["gains"]} == {"0"}]
    return {step["nash"] for step in steps if certificate["plays"][step["nash"]]["region"] is not None}


def test_the_claims_with_an_equilibrium_that_is_not_written_are_known():
    assert LEFT_OUT.keys() <= {f"{paper.key}/{claim.id}" for paper, claim in selected()}
    certificate = {"steps": [{"nash": 0, "gains": ["0", "0"]}, {"nash": 1, "gains": ["0", "1"]}, {"equal": ["0", "0"]}]}
    assert equilibria_for_all_parameters({**certificate, "plays": [{"region": 0}, {"region": 0}]}) == {0}
    assert equilibria_for_all_parameters({**certificate, "plays": [{"region": None}, {"region": 0}]}) == set()


@pytest.mark.slow
def test_each_equilibrium_for_all_parameters_is_a_theorem_or_stands_in_the_list_with_the_reason(tmp_path):
    verify(certificates=tmp_path / "json", coq=tmp_path / "coq", jobs=processors())
    claims, theorems, left = 0, 0, dict[str, list[str]]()
    for file in sorted(tmp_path.glob("json/*/*.json")):
        certificate = json.loads(file.read_text())
        if not equilibria_for_all_parameters(certificate):
            continue
        name = certificate["claim"]
        text = (tmp_path / f"coq/{name.replace('-', '_')}.v").read_text()
        proved, reasons = (
            text.count("Variable K : ordered_field"),
            re.findall(r"^\(\* Not written: (.*) \*\)$", text, re.MULTILINE),
        )
        assert proved + len(reasons) > 0, name
        claims, theorems = claims + 1, theorems + proved
        if reasons:
            left[name] = sorted({*reasons})
    assert left == LEFT_OUT
    assert theorems > claims


@BY_COQ
@pytest.mark.slow
def test_coq_accepts_equilibria_without_axioms(coq):
    interval = relance.make("la_relance", bet="3/2")
    text = coq_file("a/b", "true", [(KUHN, KUHN.published()), (interval, interval.published()), von_neumann()])
    accepted, said = coq("right", text)
    assert accepted, said
    assert said.split("Closed under the global context") == ["", "\n", "\n", "\n"]


@BY_COQ
@pytest.mark.slow
def test_coq_refuses_each_number_moved_of_a_computed_proof(coq):
    """Payoffs, probabilities of pairs and actions, and the value, each moved; and a false edge."""
    text = coq_file("a/b", "false", [(KUHN, KUHN.published(alpha=Fraction(1, 6)))])
    head, module = text.split("Module", 1)
    numbers = [
        m
        for m in re.finditer(r"\(-?\d+ # \d+\)|(?<=[ \[])[012](?=[;\] )])", module)
        if "Definition" in module[: m.start()]
    ]
    moved = [f"{module[: m.start()]}({m.group()} + (1 # 1000)){module[m.end() :]}" for m in numbers]
    moved.append(module.replace("qhigher", "fun i j => qhigher j i"))
    named = [f"Module{one}".replace("Equilibrium1", f"Moved{k}") for k, one in enumerate(moved)]
    assert len(named) > 30
    wrong = refused(head + "\n".join(named))
    assert wrong.count("Fail (") == len(named)
    accepted, said = coq("wrong", wrong)
    assert accepted, said
    accepted, said = coq("not_refused", refused(text))
    assert not accepted
    assert "The command has not failed" in said


@BY_COQ
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Hypothesis h0 : 0 < B.", "Hypothesis h0 : 0 <= B."),
        pytest.param("Definition worth : K := (B /", "Definition worth : K := (whole 2 * B /", marks=pytest.mark.slow),
        ("(* call *) Terminal 0 (B + 1)", "(* call *) Terminal 0 (B + whole 2)"),
        ("=> [[1; 0]; [1; 0]; [0; 1]; [0; 1]]", "=> [[1; 0]; [0; 1]; [0; 1]; [0; 1]]"),
    ],
)
def test_coq_refuses_errors_in_symbols(coq, old, new):
    text = coq_file("a/b", "false", [von_neumann()])
    assert old in text
    accepted, said = coq("wrong_symbols", text.replace(old, new))
    assert not accepted
    assert "Error" in said
