"""`relance plot`, with a sub-command for each picture of `relance.pages.plots`, built from its function's arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from relance.model.game import Game
from relance.pages.commands.shared import (
    GAME,
    check_file,
    command,
    console_of,
    examples,
    pairs,
    progress_bar,
    typed_game,
)
from relance.pages.plots import pictures
from relance.pages.plots.picture import Layers, NumberTexts, Tick

HERE = Path(__file__).parent

PICTURE = Annotated[
    Path, typer.Option("--output", "-o", help="An .svg, .pdf or .png file; - for SVG on standard output.")
]


@command("relance plot strategy 'von_neumann(bet=2)' -o strategy.svg", "relance plot value --help", group=True)
def plot() -> None:
    """Draw a picture of a game: its tree, strategies, expected chips, values, convergence or all its optimal strategies."""


READERS = "*/strategy_files.py"
"""The files in which slices add strategies to draw: `strategies` reads the files that `is_mine` accepts, or all."""

TYPES: Mapping[Any, tuple[Any, Callable[[Parameter, Any, Game], Any]]] = {
    Sequence[str]: (list[str], lambda item, texts, game: texts),
    NumberTexts: (list[str], lambda item, texts, game: pairs(_flag(item), texts)),
    Layers: (list[Path], lambda item, paths, game: _learned(game, paths)),
}
"""Arguments of pictures that may be repeated: their type on the command line, and how they are parsed."""


OLDER = {"set": "family"}
"""Options of 0.1.0 that have a new name; the old one still works."""


def _add(name: str, draw: Callable[..., Any]) -> None:
    """Add a picture as a sub-command."""
    arguments = list(signature(draw, eval_str=True).parameters.values())[1:]
    options = [item for item in arguments if item.annotation is not Tick]

    def run(game: str, output: Path, **given: Any) -> None:
        from relance.pages.plots.style import file_format, save

        file_format(output)
        check_file(output, or_stdout=True)
        played = typed_game(game)
        read = {item.name: _read(item, given[item.name], played) for item in options}
        with progress_bar("no picture was written") as progress:
            task = progress.add_task(name, total=None)

            def tick(advance: int = 1, total: int | None = None) -> None:
                progress.update(task, advance=advance, total=total)

            ticks = {item.name: tick for item in arguments if item.annotation is Tick}
            save(draw(played, **read, **ticks), output)
        if str(output) != "-":
            console_of().print(str(output), highlight=False, markup=False, soft_wrap=True)

    common = {"game": GAME, "output": PICTURE}
    run.__annotations__ = {}
    run.__signature__ = Signature(  # type: ignore[attr-defined]  # as typer reads it
        [Parameter(key, Parameter.KEYWORD_ONLY, annotation=kind) for key, kind in common.items()]
        + [_option(item) for item in options]
    )
    help_text = " ".join((draw.__doc__ or "").partition("\n\n")[0].split())
    older = {"token_normalize_func": lambda option: OLDER.get(option, option)}
    example = examples(f"relance plot {name} ponssard -o {name}.svg")
    plot.command(name, help=help_text, epilog=example, context_settings=older)(run)


def _flag(item: Parameter) -> str:
    return item.annotation.__metadata__[0].name or f"--{item.name}"


def _option(item: Parameter) -> Parameter:
    """An argument of a picture as a typer option."""
    kind, option = get_args(item.annotation)
    default = item.default
    if kind in TYPES:
        kind, default = TYPES[kind][0] | None, None
    return Parameter(
        item.name,
        Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, typer.Option(_flag(item), help=option.help)],
    )


def _read(item: Parameter, given: Any, game: Game) -> Any:
    """A value from the command line, in the form that the picture expects."""
    kind = get_args(item.annotation)[0]
    return TYPES[kind][1](item, given or (), game) if kind in TYPES else given


def _learned(game: Game, files: Sequence[Path]) -> dict[str, Any]:
    """The strategies in these files, read by the slice that knows the format; a slice without `is_mine` reads all the rest."""
    left, found = list(files), dict[str, Any]()
    readers = [import_module(f"{__package__}.{path.parts[-2]}.strategy_files") for path in sorted(HERE.glob(READERS))]
    for reader in sorted(readers, key=lambda reader: not hasattr(reader, "is_mine")):
        mine = [path for path in left if reader.is_mine(path)] if hasattr(reader, "is_mine") else left
        left = [path for path in left if path not in mine]
        found |= reader.strategy_files(game, mine) if mine else {}
    if left:
        raise ValueError(f"{left[0]} holds no strategies that Relance knows")
    return found


for _name, _entry in pictures().items():
    _add(_name, _entry.draw)
