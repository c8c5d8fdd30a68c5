"""Write the lists that `relance games` and `relance --help` show, and what archives read of a release: `codemeta.json` and `.zenodo.json`.

`make numbers` does it. The last two say what `pyproject.toml` says: name, version, licence, keywords and addresses. `CITATION.cff`,
which people read, says it in its own words; `tools.release` checks that it agrees.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from relance.envs import catalogue
from relance.pages.commands import main as commands

ROOT = Path(__file__).parents[1]


def project(root: Path = ROOT) -> dict[str, Any]:
    """The table `[project]` of `pyproject.toml`."""
    found: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def codemeta(about: Mapping[str, Any]) -> dict[str, Any]:
    """What CodeMeta 3.0 asks for."""
    urls = about["urls"]
    return {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": "Relance",
        "version": about["version"],
        "description": about["description"],
        "license": f"https://spdx.org/licenses/{about['license']}",
        "keywords": about["keywords"],
        "author": [{"@type": "Organization", "name": author["name"]} for author in about["authors"]],
        "codeRepository": urls["Repository"],
        "issueTracker": urls["Issues"],
        "softwareHelp": urls["Documentation"],
        "programmingLanguage": "Python",
        "runtimePlatform": f"Python {about['requires-python']}",
        "operatingSystem": ["Linux", "macOS", "Windows"],
        "developmentStatus": "active",
    }


def zenodo(about: Mapping[str, Any]) -> dict[str, Any]:
    """What Zenodo reads of a tagged release."""
    return {
        "upload_type": "software",
        "title": "Relance: ground truth for learning in games of bluffing",
        "version": about["version"],
        "description": about["description"],
        "license": about["license"],
        "keywords": about["keywords"],
        "creators": [{"name": author["name"]} for author in about["authors"]],
        "access_right": "open",
        "related_identifiers": [
            {"identifier": about["urls"]["Repository"], "relation": "isSupplementTo", "scheme": "url"}
        ],
    }


FILES: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {"codemeta.json": codemeta, ".zenodo.json": zenodo}


TABLES: Mapping[Path, Callable[[], object]] = {
    catalogue.TABLE: catalogue.game_rows,
    commands.TABLE: commands.command_table,
}
"""Tables of the package, so that a list imports nothing."""


def as_text(table: object) -> str:
    """What a file of `TABLES` should hold."""
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def text(name: str, root: Path = ROOT) -> str:
    """What a file of `FILES` should hold."""
    return json.dumps(FILES[name](project(root)), indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the files."""
    for path, table in TABLES.items():
        path.write_text(as_text(table()), encoding="utf-8")
    for name in FILES:
        (ROOT / name).write_text(text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
