"""When, where and with which versions something was computed."""

import platform
import re
from datetime import UTC, datetime
from importlib.metadata import version

from relance.model import provenance
from relance.model.provenance import about, commit


def test_the_date_the_machine_and_versions_that_are_installed():
    before = datetime.now(UTC).date()
    found = about(["numpy", "no-such-package"])
    assert before.isoformat() <= found["date"] <= datetime.now(UTC).date().isoformat()
    assert found["versions"] == {"python": platform.python_version(), "numpy": version("numpy")}
    assert found["machine"].keys() == provenance.Machine.__annotations__.keys()
    assert found["machine"]["cpu"]


def test_a_checkout_has_a_commit_and_an_installed_package_has_none(tmp_path, monkeypatch):
    commit.cache_clear()
    assert re.fullmatch(r"([0-9a-f]{12}(-dirty)?)?", commit())
    commit.cache_clear()
    monkeypatch.setattr(provenance, "__file__", str(tmp_path / "site-packages" / "relance" / "model" / "provenance.py"))
    assert commit() == ""
    commit.cache_clear()
