"""Agents on the command line, and `relance score`."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from typer.core import TyperCommand

from relance.commands.shared import (
    GAME,
    add_here,
    asking,
    command,
    complete_opponents,
    console_of,
    game_of,
    progress_bar,
    solving,
    whole_number,
)
from relance.envs import read_profile
from relance.model.game import Game

PLAYERS = (
    "An opponent by name (see the list of opponents), or solved; a profile saved by `relance solve -o`; or the import path "
    "module:name of your own agent, in any form that relance.score takes; or URL#NAME, a model behind an OpenAI-compatible server."
)


class ListsOpponents(TyperCommand):
    """A command whose help ends with all opponents, which are imported only for that."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from relance.agents.opponents import OPPONENTS

        listed = (f"{entry.usage}: {entry.doc}" for entry in OPPONENTS.values())
        self.epilog = "\n\n".join((self.epilog or "", "Opponents:", *listed))
        super().format_help(ctx, formatter)


@command(
    "relance score von_neumann 'perturbed(0.1)'",
    "relance score 'von_neumann(hands=90)' profile.json",
    "relance score one_card_poker my_agents:bluffer",
    "relance score one_card_poker my_agents:model --answers 100 --answers-file model.jsonl",
    "relance score one_card_poker 'http://localhost:8000/v1#NAME' --answers 20 --answers-file model.jsonl",
    "relance score one_card_poker --games games.jsonl --html agent.html",
    cls=ListsOpponents,
)
def score(
    game: GAME,
    agent: Annotated[
        str | None,
        typer.Argument(
            help=f"{PLAYERS} With --games: its name in the log, if the log has several agents.",
            autocompletion=complete_opponents,
        ),
    ] = None,
    answers: Annotated[
        int | None,
        typer.Option(
            help="Estimate an agent that draws its actions, from this many answers at each information set.",
            parser=whole_number,
        ),
    ] = None,
    answers_file: Annotated[
        Path | None, typer.Option(help="Add each answer to this file at once; a file that exists is continued.")
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            help="At how many hands of each player to ask, if there are many or they are on [0, 1].",
            parser=whole_number,
        ),
    ] = None,
    budget: Annotated[int | None, typer.Option(help="The most questions to ask.", parser=whole_number)] = None,
    games: Annotated[
        list[Path] | None,
        typer.Option(
            help="Score the games in this log, of `relance match --log`, Inspect, verifiers, OpenEnv or Kaggle; may be repeated."
        ),
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            help="With --games: who played the other seat, where the log does not say.",
            autocompletion=complete_opponents,
        ),
    ] = None,
    html_file: Annotated[Path | None, typer.Option("--html", help="With --games: write the score as a page.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="With --games: write the score to this file; - for standard output.")
    ] = None,
) -> None:
    """Score an agent that plays both seats: its NashConv, what best responses earn against it, and how far it is from published play.

    With --games, the score comes from games that were played. It also has chips with luck taken out, and what decisions lost.
    """
    if games:
        from relance.commands.logged import score_log

        if answers is not None or answers_file is not None or budget is not None:
            raise ValueError("--games asks nobody, so it takes no --answers, --answers-file or --budget")
        with errors_of(opponent or ""):
            against = player(game_of(game), opponent) if opponent else None
            score_log(game_of(game), games, agent, against, hands, html_file, json_file)
        return
    if agent is None:
        raise ValueError("say which agent to score, or --games and a log")
    if opponent or html_file or json_file:
        raise ValueError("--opponent, --html and --json go with --games")
    from relance.agents.asking import cost
    from relance.agents.score import score as score_agent

    played, stderr = game_of(game), Console(stderr=True)
    with errors_of(agent), progress_bar(stderr, "nothing was scored") as progress:
        found = player(played, agent, solving(progress, "scoring"))
        if answers is None:
            if answers_file is not None:
                raise ValueError("--answers-file needs --answers, how often to ask at each information set")
            if hands is None and not played.deal.is_finite and (most := cost(played, found).questions):
                stderr.print(f"asking {most:,} questions at most; --budget and --hands ask fewer", soft_wrap=True)
            result: object = score_agent(played, found, hands=hands, budget=budget)
        else:
            kept = f", less those answered in {answers_file}" if answers_file and answers_file.exists() else ""
            stderr.print(f"asking {cost(played, found, answers, hands)}{kept}", soft_wrap=True)
            result = score_agent(
                played,
                found,
                answers=answers,
                hands=hands,
                answers_file=answers_file,
                budget=budget,
                tick=asking(progress),
            )
        text = str(result)
    console_of().print(text, markup=False, highlight=False, soft_wrap=True)


def player(game: Game, text: str, tick: Callable[[int, float], None] = lambda iteration, left: None) -> Any:
    """The player that `text` names, see `PLAYERS`, in a form that `relance.score` and a session take.

    Raises:
        ValueError: there is no such player, the profile is of another game, or nothing is published for this one.
    """
    if text == "solved" or (text == "equilibrium" and not game.is_published):
        from relance.agents.equilibria import solved

        return solved(game, tick)
    if text.endswith(".json") or (Path(text).suffix and Path(text).is_file()):
        played, profile = read_profile(text)
        if played not in (game, game.whole):
            raise ValueError(f"{text} is a profile of {played}, not of {game}")
        return profile if played == game else game.fit(profile)
    if text.startswith(("http://", "https://")):
        from relance.agents.endpoint import agent_at

        return agent_at(text)
    if is_path(text):
        module, _, item = text.partition(":")
        add_here()
        try:
            return getattr(import_module(module), item)
        except (ModuleNotFoundError, AttributeError, TypeError) as error:
            raise ValueError(f"there is no player {text!r}: {error}") from None
    from relance.agents.opponents import strategy

    if not game.is_published:  # checked before anything is solved
        try:
            strategy(game, text, 0)
        except ValueError as error:
            hint = "; try 'equilibrium', which is then solved first, or 'uniform', all actions equally likely"
            raise ValueError(f"{error}{hint * str(error).startswith('no strategy is published')}") from None
    return text


def is_path(text: str) -> bool:
    """Whether this is an import path, module:name."""
    module, colon, _ = text.partition(":")
    return bool(colon) and "(" not in module


@contextmanager
def errors_of(text: str) -> Iterator[None]:
    """Name the user's agent in errors that it raises. Errors of Relance, and of numpy called by Relance, pass unchanged."""
    try:
        yield
    except Exception as error:
        relance, numpy = Path(__file__).parents[1], Path(np.__file__).parent
        theirs = False
        for frame in traceback.extract_tb(error.__traceback__):
            file = Path(frame.filename)
            theirs = not file.is_relative_to(relance) and (theirs or not file.is_relative_to(numpy))
        if not theirs or not is_path(text):
            raise
        what = " ".join("; ".join([str(error), *getattr(error, "__notes__", [])]).split())
        raise ValueError(f"agent {text!r} failed: {type(error).__name__}: {what}") from error
