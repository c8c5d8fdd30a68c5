"""The inner loop: which tests a change can touch."""

import pytest

from tools.quick import ROOT, imported_by, touched

ROOMS = {path.parent.name for path in (ROOT / "relance").glob("*/__init__.py")}


@pytest.fixture(scope="module")
def by():
    return imported_by()


def test_a_change_touches_the_rooms_whose_files_import_it(by):
    assert touched(["relance/claims/ledger.py"], by) == {"claims"}
    assert touched(["relance/claims/kuhn/claims.toml"], by) == {"claims"}
    assert {"words"} <= touched(["relance/words/endpoint.py"], by) < ROOMS - {"claims", "baselines"}
    assert touched(["tests/test_docs.py", "docs/index.md"], by) == set()


def test_what_all_is_built_on_touches_all(by):
    for name in ("relance/model/numbers.py", "relance/__init__.py"):
        assert touched([name], by) >= ROOMS
