"""Games of your own: by name in every framework, and by import path on the command line, without changes to the package."""

from __future__ import annotations

import re
import sys
from importlib import import_module

from relance.envs.catalogue import add
from relance.model.arguments import checked
from relance.model.blueprint import Blueprint
from relance.model.numbers import short
from relance.registration.on_import import ADAPTERS

PATH = re.compile(r"\s*(?!openspiel:)([A-Za-z_][\w.]*):([A-Za-z_]\w*)\s*(\(.*)?", re.DOTALL)
"""An import path module:NAME, perhaps with parameters; `openspiel:` marks a game of OpenSpiel."""


@checked
def register(blueprint: Blueprint) -> Blueprint:
    """Register a game of your own by its name, as if it came with Relance: in `relance.make` and in every framework.

    Frameworks imported later know it too. Other processes know it only once they have registered it, so call this in the module
    that defines the game. A blueprint with the same name and module is replaced, so you can run a notebook cell again.

    Returns:
        The blueprint.

    Raises:
        TypeError: `blueprint` is not a Blueprint.
        ValueError: its name is taken or not like `my_game`; or, at its defaults or one of its samples, the game cannot be made,
            its tree, its distribution of hands or its printed strategies are wrong (`relance.model.game_check`), or these strategies are no
            equilibrium. The message names the place and what is allowed; nothing has changed.
    """
    add(blueprint)
    for framework, adapter in ADAPTERS.items():
        if framework in sys.modules and (register_all := getattr(import_module(adapter), "register", None)):
            register_all()
    return blueprint


def own(text: str) -> str:
    """Register a Blueprint of your own given as `module:NAME` in the text of a game, and return the text with its name instead.

    This runs the module. So use it only for text that a user types, never for text from a file or an address.

    Raises:
        ValueError: there is no such Blueprint, or it cannot be registered.
    """
    path = PATH.fullmatch(text)
    if path is None:
        return text
    module, name, rest = path.groups("")
    try:
        found = getattr(import_module(module), name)
    except (ModuleNotFoundError, AttributeError) as error:
        raise ValueError(f"there is no game {short(text)}: {error}") from None
    except (Exception, SystemExit) as error:
        raise ValueError(f"{module} cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(found, Blueprint):
        raise ValueError(f"{module}:{name} is not a game: it must be a Blueprint, not {type(found).__name__}")
    return register(found).name + rest
