"""`relance plot`, with a sub-command for each picture of `relance.pages.plots`, made of its function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from relance.model.game import Game
from relance.model.profile_file import FILES
from relance.pages.commands.agents import player
from relance.pages.commands.generator import add_command, group
from relance.pages.commands.progress import BARS, called, some_more
from relance.pages.commands.typed import KINDS, Kind, WrittenPath
from relance.pages.plots.picture import Layers, Strategies, Tick, pictures
from relance.pages.plots.style import file_format, save


@group
def plot() -> None:
    """Draw a picture of a game: its tree, strategies, expected chips, values, convergence or all its optimal strategies.

    Examples:
        relance plot strategy 'von_neumann(bet=2)' -o strategy.svg
        relance plot value --help
    """


def picture_file(path: Path) -> Path:
    """An .svg, .pdf or .png file; - for SVG on standard output."""
    file_format(path)
    return path


def learned(files: Sequence[Path], before: Mapping[str, Any]) -> dict[str, Any]:
    """Results of `relance train -o` or of a sweep, or logs of games.

    Two modules named `strategy_files`, in the folders `baselines` and `words` beside this file, read the files into strategies. The module
    in `words` has a function `is_mine`, and reads the files for which `is_mine` returns True. The other module reads the other files.

    Args:
        files: the files.
        before: the values of the arguments that were read before, by name; "game" is the game.

    Returns:
        {name of a strategy: the strategy as a `Layer`}.

    Raises:
        ValueError: a file is of neither kind.
    """
    left, found = list(files), dict[str, Any]()
    slices = sorted(path.parent.name for path in Path(__file__).parent.glob("*/strategy_files.py"))
    readers = [import_module(f"{__package__}.{name}.strategy_files") for name in slices]
    for reader in sorted(readers, key=lambda reader: not hasattr(reader, "is_mine")):
        mine = [path for path in left if reader.is_mine(path)] if hasattr(reader, "is_mine") else left
        left = [path for path in left if path not in mine]
        found |= reader.strategy_files(before["game"], mine) if mine else {}
    if left:
        raise ValueError(f"{left[0]} has no strategies: it must be a file of training results or a log of games")
    return found


def named_strategies(texts: Sequence[str], before: Mapping[str, Any]) -> dict[str, Any]:
    """Each strategy is a file of `relance solve -o`, an opponent's name, solved (an equilibrium), or module:name, an agent of your own.

    Args:
        texts: a text for each strategy.
        before: the values of the arguments that were read before, by name; "game" is the game.

    Returns:
        {name: strategy}. The name of a strategy is its text; a file is named without its folder, unless two names would then be the same.
    """
    short = [Path(text).name if text.endswith(FILES) else text for text in texts]
    names = short if len(set(short)) == len(short) else texts
    return {name: player(text, before) for name, text in zip(names, texts, strict=True)}


PICTURE = Annotated[Path, "--output", "-o", WrittenPath(or_stdout=True), Kind(picture_file, typed=Path)]
BARS[Tick] = some_more
KINDS[Layers] = Kind(learned, typed=list[Path])
KINDS[Strategies] = Kind(named_strategies, typed=list[str], is_code=True)


def add_picture(name: str, draw: Callable[..., Any]) -> None:
    """Add the picture `name`, drawn by `draw`, as a sub-command of `relance plot`."""

    def drawn(game: Game, /, *strategies: Any, output: PICTURE, **options: Any) -> None:
        save(called(draw, game, *strategies, kept="no picture was written", **options), output)
        if str(output) != "-":
            print(output)

    older = {"token_normalize_func": lambda option: "family" if option == "set" else option}  # as in 0.1.0
    example = f"relance plot {name} ponssard -o {name}.svg"
    add_command(plot, drawn, draw, name=name, example=example, context_settings=older)


for _name, _entry in pictures().items():
    add_picture(_name, _entry.draw)
