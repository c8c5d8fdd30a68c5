"""Readers of typed games and agents. The docstring of each reader is the help of every argument of its type."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from relance.envs.catalogue import BLUEPRINTS, make
from relance.model.blueprint import Blueprint
from relance.model.game import Game
from relance.model.game_tree import GameTree, names_a_tree
from relance.model.profile_file import strategy_path
from relance.model.strategy import Profile
from relance.pages.commands.progress import called
from relance.pages.commands.shared import pairs
from relance.pages.commands.typed import KINDS, Kind
from relance.play.agents import is_import_path
from relance.registration.own_games import own
from relance.solvers.tree_values import as_tree_profile

MODELS = ("temperature", "max_tokens")
"""Options that are for models behind a URL."""


def game_words() -> list[tuple[str, str]]:
    """The games with their titles, for completion in the shell."""
    return [(name, spec.title) for name, spec in BLUEPRINTS.items()]


def algorithm_words() -> list[tuple[str, str]]:
    """The learning algorithms with their sources, for completion in the shell."""
    from relance.baselines.algorithms import algorithms

    return [(name, item.source) for name, item in algorithms().items()]


def _opponent_words() -> list[tuple[str, str]]:
    from relance.play.opponents import OPPONENTS

    told = ((name, f"{entry.usage}: {entry.doc}") for name, entry in OPPONENTS.items())
    return [*told, ("solved", "solved: an equilibrium, computed before play starts")]


def own_game(text: str) -> Game:
    """A game with parameters, such as 'von_neumann(bet=2,hands=9)', or the import path module:NAME of your own Blueprint."""
    return make(own(text))


def source(text: str) -> Game | GameTree:
    """A game of Relance, such as 'von_neumann(bet=2,hands=9)'; openspiel:NAME, a game of OpenSpiel; a Gambit file, FILE.efg or FILE.nfg; or
    module:NAME, your own Blueprint, a Python game of OpenSpiel or a tree.
    """
    given: Any = text
    if not names_a_tree(text):
        given = imported(text.partition("(")[0], "game") if is_import_path(text) else None
        if given is None or isinstance(given, Blueprint):
            return own_game(text)
        given = given() if callable(given) else given
    from relance.registration.game_trees import game_tree  # it imports OpenSpiel

    return called(game_tree, given, kept="nothing was read")


def family_member(texts: Sequence[str]) -> dict[str, str]:
    """A parameter of the published family of strategies, such as alpha=1/3."""
    return pairs("--family", texts)


def imported(text: str, what: str) -> Any:
    """The object at module:name, or the module if the text names only that; errors call the object `what`.

    Raises:
        ValueError: there is no such thing, or its module cannot be imported.
    """
    path, _, name = text.partition(":")
    try:
        module = import_module(path)
        return getattr(module, name) if name else module
    except (ModuleNotFoundError, AttributeError, TypeError) as error:
        raise ValueError(f"there is no {what} {text!r}: {error}") from None
    except (Exception, SystemExit) as error:
        raise ValueError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error


def player(text: str, before: Mapping[str, Any]) -> Any:
    """An opponent by one of the names below, such as 'solved'; a profile saved by `relance solve -o`; or the import path module:name of
    your own agent, in any form that relance.score takes.

    A file, or a table at module:name, holds {information set: {action: probability}}. `before` has the arguments read so far, by name.

    Raises:
        ValueError: there is no such player, the profile is of another game, or nothing is published for this game.
    """
    game = before["game"]
    return _tree_player(text, game) if isinstance(game, GameTree) else _player(text, game, before)


def _player(text: str, game: Game, before: Mapping[str, Any]) -> Any:
    if is_url(text):
        from relance.words.endpoint import agent_at

        return agent_at(text, **{name: before[name] for name in MODELS if name in before})
    from relance.play.agents import from_text
    from relance.play.equilibria import solved

    return from_text(game, text, lambda game: called(solved, game))


def _tree_player(text: str, tree: GameTree) -> Any:
    if text == "solved":
        from relance.solvers.solve import solve

        return called(solve, tree)
    if strategy_path(text) is not None:
        return as_tree_profile(tree, text)
    if is_import_path(text):
        return imported(text, "profile")
    if text != "uniform":
        raise ValueError(
            f"{text!r} is no profile of {tree}; take uniform, solved, a .json file of `relance solve -o`, or module:name"
        )
    return text


def talker(text: str, before: Mapping[str, Any]) -> tuple[str, Any]:
    """An opponent by one of the names below, such as 'solved'; a profile saved by `relance solve -o`; the import path module:name of your
    own agent, in any form that relance.score takes, which may draw its actions; or URL#NAME, a model behind an OpenAI-compatible server.

    Return the agent's name, as results show it, and the agent. `before` has the arguments read so far, by name.
    """
    told = ", ".join(f"{name}={before[name]}" for name in MODELS if name in before)
    return f"{text} ({told})" if told and is_url(text) else text, player(text, before)


def without_models(agents: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options without those for models behind a URL.

    Raises:
        ValueError: there is an option for models, and no agent is a model.
    """
    from relance.words.endpoint import asks_a_model

    for name in MODELS:
        if name in options and not any(map(asks_a_model, agents)):
            what = f"--{name.replace('_', '-')} {options[name]}"
            raise ValueError(f"{what} is an option for language models at a URL, but no agent here is one")
    return {name: value for name, value in options.items() if name not in MODELS}


def is_url(text: str) -> bool:
    """True if the text is the address of a model, URL#NAME."""
    return text.startswith(("http://", "https://"))


def check_whose(error: Exception, texts: Sequence[str]) -> None:
    """Raise ValueError with the agent's name, one of `texts` as the user typed them, if `error` arose in the agent's own code.

    Errors that arose in Relance, or in numpy when Relance called it, are passed over.
    """
    import numpy as np

    ours, numpy = Path(__file__).parents[2], Path(np.__file__).parent
    theirs = False
    for frame in traceback.extract_tb(error.__traceback__):
        file = Path(frame.filename)
        theirs = not file.is_relative_to(ours) and (theirs or not file.is_relative_to(numpy))
    if theirs and (mine := " or ".join(text for text in texts if is_import_path(text) and not is_url(text))):
        what = " ".join("; ".join([str(error), *getattr(error, "__notes__", [])]).split())
        raise ValueError(f"agent {mine!r} failed: {type(error).__name__}: {what}") from error


IMPORTED = Annotated[Sequence[str], "--import", Kind(lambda text: imported(text, "module").__name__)]
NAMED_GAME = Kind(lambda text: own(text), game_words)  # without the help of `own`
PLAYER = Kind(player, _opponent_words, "Opponents", is_code=True)
TALKER = replace(PLAYER, read=talker)
KINDS[Mapping[str, str]] = Kind(family_member, typed=list[str])
KINDS[Mapping[str, object] | Profile] = Kind()
KINDS[Game] = Kind(own_game, game_words)
KINDS[Game | GameTree] = Kind(source, game_words)
KINDS[object] = KINDS[object | Mapping[str, Any]] = PLAYER
