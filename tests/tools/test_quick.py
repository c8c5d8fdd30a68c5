"""The inner loop: which tests are near a change."""

import pytest

from tools.quick import ROOT, named_test, touched

PACKAGE = ROOT / "relance"


def test_a_change_touches_its_own_folder_and_what_imports_the_file():
    near = touched(["relance/solvers/cfr.py"])
    assert "tests/solvers" in near
    assert not {"tests/claims", "tests/words", "tests/registration"} & near
    above = touched(["relance/model/numbers.py"])
    assert {"tests/model", "tests/solvers/test_exact.py"} <= above
    assert not any(name.startswith("tests/model/") for name in above)


def test_data_belong_to_their_folder():
    assert touched(["relance/claims/kuhn/claims.toml"]) == {"tests/claims"}


def test_what_is_not_in_the_package_touches_nothing():
    assert touched(["tests/test_docs.py", "docs/index.md"]) == set()


@pytest.mark.parametrize(
    ("module", "tests"),
    [
        ("solvers/exact.py", "tests/solvers/test_exact.py"),
        ("solvers/no_such_module.py", None),
    ],
)
def test_a_test_file_has_the_name_of_its_module(module, tests):
    assert named_test(PACKAGE / module) == (tests and ROOT / tests)


def test_a_name_that_is_taken_begins_with_its_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("tools.quick.ROOT", tmp_path)
    for name in ("pages/commands/test_claims_terminal.py", "pages/commands/test_commands_solve.py"):
        (tmp_path / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tests" / name).touch()
    commands = tmp_path / "relance" / "pages" / "commands"
    assert named_test(commands / "claims" / "terminal.py").name == "test_claims_terminal.py"
    assert named_test(commands / "solve.py").name == "test_commands_solve.py"
    assert named_test(commands / "words" / "terminal.py") is None
