"""Draw the pictures of the pages that are kept: `make pictures` writes docs/pictures/ as docs/pictures.toml says."""

from __future__ import annotations

import shlex
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from relance.envs.catalogue import make
from relance.pages.commands.baselines.strategy_files import strategy_files
from relance.pages.plots.picture import pictures
from relance.pages.plots.style import Figure, save

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pictures"


def plan() -> dict[str, str]:
    """The command of each picture, by the name of its file without ".svg"."""
    known: dict[str, str] = tomllib.loads((ROOT / "docs" / "pictures.toml").read_text(encoding="utf-8"))
    return known


def notebook(name: str) -> Any:
    """A notebook as a module: its `draw` and `said` at each of its `STOPS`."""
    spec = spec_from_file_location(name, ROOT / "notebooks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(command: str) -> Figure:
    """The picture that a command of the plan draws."""
    kind, what, *learned = shlex.split(command)
    if kind == "notebook":
        of = notebook(what)
        of_class: Figure = of.draw(of.START)
        return of_class
    game = make(what)
    given = {"learned": strategy_files(game, [ROOT / path for path in learned[1:]])} if learned else {}
    return pictures()[kind].draw(game, **given)


def main() -> None:
    """Draw them all."""
    for name, command in plan().items():
        save(drawn(command), FOLDER / f"{name}.svg")
        print(f"docs/pictures/{name}.svg")


if __name__ == "__main__":
    main()
