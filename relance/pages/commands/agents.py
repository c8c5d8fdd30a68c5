"""Agents on the command line."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from relance.pages.commands.shared import (
    add_here,
)

if TYPE_CHECKING:
    from relance.model.game import Game

STRATEGIES = (
    "An opponent by name (see the list of opponents), or solved; a profile saved by `relance solve -o`; or the import path "
    "module:name of your own agent, in any form that relance.score takes."
)
PLAYERS = f"{STRATEGIES[:-1]}; or URL#NAME, a model behind an OpenAI-compatible server."


class ListsOpponents(TyperCommand):
    """A command whose help ends with all opponents, which are imported only for that."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from relance.play.opponents import OPPONENTS

        listed = (f"{entry.usage}: {entry.doc}" for entry in OPPONENTS.values())
        self.epilog = "\n\n".join((self.epilog or "", "Opponents:", *listed))
        super().format_help(ctx, formatter)


TEMPERATURE = Annotated[
    float | None, typer.Option(help="The temperature of models behind a URL.", metavar="<number>", min=0)
]
MAX_TOKENS = Annotated[
    int | None, typer.Option(help="The most tokens of a reply of models behind a URL.", metavar="<whole>", min=1)
]


def player(
    game: Game, text: str, tick: Callable[[int, float], None] = lambda iteration, left: None, **options: Any
) -> Any:
    """The player that `text` names, see `PLAYERS`, in a form that `relance.score` and a session take.

    `options` are for models behind a URL, such as `temperature`; None leaves one out.

    Raises:
        ValueError: there is no such player, the profile is of another game, or nothing is published for this one.
    """
    if is_url(text):
        from relance.words.endpoint import agent_at

        return agent_at(text, **options)
    from relance.play.agents import from_text
    from relance.play.equilibria import solved

    add_here()
    return from_text(game, text, lambda game: solved(game, tick))


def is_url(text: str) -> bool:
    """True if the text is the address of a model, URL#NAME."""
    return text.startswith(("http://", "https://"))


def for_models(names: Iterable[str], **options: Any) -> dict[str, Any]:
    """These options, which are for models behind a URL.

    Raises:
        ValueError: one is given, and no model is named.
    """
    for key, value in options.items():
        if value is not None and not any(map(is_url, names)):
            raise ValueError(
                f"--{key.replace('_', '-')} {value} is an option for models behind a URL, and none is named"
            )
    return options


@contextmanager
def errors_of(text: str) -> Iterator[None]:
    """Name the user's agent in errors that it raises. Errors of Relance, and of numpy called by Relance, pass unchanged."""
    try:
        yield
    except Exception as error:
        import numpy as np

        from relance.play.agents import is_import_path

        relance, numpy = Path(__file__).parents[2], Path(np.__file__).parent
        theirs = False
        for frame in traceback.extract_tb(error.__traceback__):
            file = Path(frame.filename)
            theirs = not file.is_relative_to(relance) and (theirs or not file.is_relative_to(numpy))
        if not theirs or not is_import_path(text):
            raise
        what = " ".join("; ".join([str(error), *getattr(error, "__notes__", [])]).split())
        raise ValueError(f"agent {text!r} failed: {type(error).__name__}: {what}") from error
