"""Put the name of the organisation on the code host into every file that links there: `python -m tools.organisation NAME`.

The address in `pyproject.toml`, under `[project.urls]`, says which organisation the files name now. Until there is one, that is the
placeholder.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]

PLACEHOLDER = "ORGANISATION"
"""No organisation: a release is refused as long as it stands anywhere."""

NAME = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}")
"""What GitHub allows."""


def organisation(root: Path = ROOT) -> str:
    """The organisation that the files name now."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["urls"]["Repository"]).split("/")[3]


def texts(root: Path = ROOT) -> dict[Path, str]:
    """The texts of the checkout, by their files: those that git knows or, outside a checkout, all. Files that are no text are left out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True
    )
    names = listed.stdout.decode().split("\0") if listed.returncode == 0 else ()
    paths = [root / name for name in names if name] or [path for path in root.rglob("*") if ".git" not in path.parts]
    out = {}
    for path in paths:
        try:
            out[path] = path.read_bytes().decode()
        except (UnicodeDecodeError, IsADirectoryError, FileNotFoundError):
            continue
    return out


def addresses(name: str) -> re.Pattern[str]:
    """Where an organisation is named: in addresses of its repository `relance` and of its pages."""
    return re.compile(
        rf"(?<=github\.com/){name}(?=/relance)|(?<=githubusercontent\.com/){name}(?=/relance)|{name}(?=\.github\.io)"
    )


def rename(new: str, root: Path = ROOT) -> list[Path]:
    """Write another organisation into every address, and say which files changed.

    Raises:
        ValueError: the name is none that the code host allows.
    """
    if not NAME.fullmatch(new):
        raise ValueError(
            f"{new!r} is no name of an organisation: symbols, digits and single hyphens inside, at most 39"
        )
    found, changed = addresses(re.escape(organisation(root))), list[Path]()
    for path, text in texts(root).items():
        if (after := found.sub(new, text)) != text:
            path.write_bytes(after.encode())
            changed.append(path)
    return changed


def main() -> None:
    """Rename, and list the files."""
    if len(sys.argv) != 2:
        sys.exit("python -m tools.organisation NAME")
    try:
        print(*(path.relative_to(ROOT) for path in rename(sys.argv[1])), sep="\n")
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
