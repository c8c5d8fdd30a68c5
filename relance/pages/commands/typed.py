"""How the parameters of a function are typed on the command line, by their annotations and what docstrings say of them."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Optional, Union, get_args, get_origin

import typer

from relance.pages.commands.shared import check_file, pairs, whole_number

SECTIONS = re.compile(r"^(Args|Examples|Raises|Returns|Yields):\n", re.MULTILINE)
DEEPER = re.compile(r"[;,] see `relance\.[\w.]+`")
ENTRY = re.compile(r"^    (\w[\w, ]*): (.*(?:\n {6,}.*)*)", re.MULTILINE)


class Told:
    """What a docstring says: its text, its arguments by name, and its examples, without references to modules."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.text, *parts = SECTIONS.split(inspect.getdoc(function) or "")
        sections = dict(zip(parts[::2], parts[1::2], strict=True))
        self.examples = [line.strip() for line in sections.get("Examples", "").splitlines() if line.strip()]
        entries = ENTRY.findall(sections.get("Args", ""))
        texts = [(names, DEEPER.sub("", " ".join(text.split()))) for names, text in entries]
        self.arguments = {name.strip(): text for names, text in texts for name in names.split(",")}


@dataclass(frozen=True)
class Kind:
    """How a value is typed on the command line.

    Attributes:
        read: makes the value from the text, or from the text and the values of other arguments; its docstring is in the help.
        words: the texts that the shell offers for completion, each with its meaning.
        title: the help ends with what the words mean, under this title.
        typed: the type of what `read` is given; if it is a list, `read` is given all texts of a repeated option at once.
        is_code: True if the text may name code of the user; errors in that code then name it.
    """

    read: Callable[..., Any] = lambda typed: typed
    words: Callable[[], Iterable[tuple[str, str]]] | None = None
    title: str = ""
    typed: Any = str
    is_code: bool = False


@dataclass(frozen=True)
class WrittenPath:
    """Marks the path of a file to write, or of a folder if `is_folder(typed arguments)`; the path is checked before any work."""

    or_stdout: bool = False
    is_folder: Callable[[Mapping[str, Any]], bool] = lambda typed: False


def json_file(path: Path) -> Path:
    """Write the result to this file as JSON; - for standard output."""
    return path


OUTPUT = Annotated[Path | None, "--output", "-o", WrittenPath()]
JSON = Annotated[Path | None, "--json", WrittenPath(or_stdout=True), Kind(json_file, typed=Path)]
FILE = Annotated[Path | None, WrittenPath()]
FOLDER = Annotated[Path | None, WrittenPath(is_folder=lambda typed: True)]

KINDS: dict[Any, Kind] = {kind: Kind(typed=kind) for kind in (str, bool, float, int, Path)}
KINDS[os.PathLike[str]] = KINDS[Path]
"""By type, how values are typed: `relance.pages.commands.agents` and `relance.pages.commands.plot` add theirs."""


def bare(hint: Any) -> tuple[Any, list[Any]]:
    """Return an annotation's type, without None and, in a union with other types, without `str`; and the metadata of its `Annotated`."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        found, marks = bare(inner[0])
        return found, [*marks, *hint.__metadata__]
    if origin in (Union, UnionType):
        left = [one for one in inner if one is not NoneType]
        left = [one for one in left if one is not str] or left
        return bare(left[0]) if len(left) == 1 else (Union[tuple(left)], [])  # noqa: UP007 - made of a list
    return hint, []


class Item:
    """A parameter of a function as an argument or option of a command.

    `kind` is the `Kind` that reads the user's text on the command line, or None if no `Kind` reads values of the parameter's type.

    `mine` describes the parameter in the Args of the command's own function, and `theirs` in the Args of a function to which the command
    passes the parameter on; either may be "". The help is the first paragraph of the docstring of the function that reads the text, then
    `mine`, or `theirs` if `mine` is "". For an argument, unlike an option, `theirs` is left out after such a paragraph.
    """

    def __init__(self, parameter: inspect.Parameter, hint: Any, mine: str, theirs: str) -> None:
        self.name, self.default, self.hint, self.told = parameter.name, parameter.default, hint, (mine, theirs)
        self.needed = self.default is parameter.empty
        self.by_place = parameter.kind is parameter.POSITIONAL_ONLY
        self.is_argument = self.by_place or (self.needed and parameter.kind is not parameter.KEYWORD_ONLY)
        self.type, self.marks = bare(hint)
        self.is_many = get_origin(self.type) in (list, Sequence) or get_args(self.type)[1:] == (...,)
        if self.is_many:
            self.type, more = bare(get_args(self.type)[0])
            self.marks += more
        name = self.name.replace("_", "-")
        name = f"{name}/--no-{name}" if self.default is True else name.removesuffix("s") if self.is_many else name
        self.flags = [mark for mark in self.marks if isinstance(mark, str)] or [f"--{name}"]
        self.kind = next((mark for mark in self.marks if isinstance(mark, Kind)), None) or self._kind()

    def _kind(self) -> Kind | None:
        """The `Kind` that reads values of the parameter's type; None if there is none."""
        if get_origin(self.type) is Literal:
            choices = get_args(self.type)
            return Kind(partial(_choice, self.flags[0], choices), lambda: [(str(choice), "") for choice in choices])
        if self.type == Mapping[str, Any]:
            return Kind(partial(pairs, self.flags[0]), typed=list[str])
        return KINDS.get(self.type)

    @property
    def parameter(self) -> inspect.Parameter:
        """The parameter as typer reads it."""
        assert self.kind is not None
        typed: Any = list[self.kind.typed] if self.is_many else self.kind.typed  # type: ignore[name-defined]  # a variable
        words, is_list = self.kind.words, get_origin(typed) is list
        how = Told(self.kind.read).text if inspect.isfunction(self.kind.read) else ""
        how, (told, theirs) = " ".join(how.partition("\n\n")[0].split()), self.told
        told = told or ("" if self.is_argument and how else theirs)
        told = told and f"{told[0].upper()}{told[1:].removesuffix('.')}."
        again = "May be repeated." * (is_list and not self.is_argument)
        more: dict[str, Any] = {"help": " ".join(filter(None, (how, told, again)))}
        more["autocompletion"] = words and (lambda: list(words()))
        if typed is int:
            more |= {"parser": whole_number, "metavar": "<int>"}
        default = self.default if type(self.default) in (int, float, str) or self.default is True else None
        if self.is_argument:
            marked: Any = typer.Argument(show_default=False, **more)
        else:
            marked = typer.Option(*self.flags, show_default=default not in (None, ""), **more)
        kind: Any = Annotated[typed if self.needed else Optional[typed], marked]  # noqa: UP045 - of a variable
        default = inspect.Parameter.empty if self.needed else default
        return inspect.Parameter(self.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)

    @property
    def is_setting(self) -> bool:
        """True if the result may depend on this parameter: it is neither the game, nor a file that is written."""
        return self.name != "game" and not any(isinstance(mark, WrittenPath) for mark in self.marks)

    def was_given(self, typed: Any) -> bool:
        """True if the user gave a value for this parameter on the command line, and the value `typed` is not the default."""
        return typed is not None and typed != [] and (self.needed or typed != self.default)

    def check_written(self, given: Mapping[str, Any]) -> None:
        """Raise ValueError if this is the path of a file or folder to write, and it cannot be written."""
        for mark in self.marks:
            if isinstance(mark, WrittenPath):
                check_file(given[self.name], self.flags[0], mark.or_stdout, mark.is_folder(given))

    @property
    def is_late(self) -> bool:
        """True if this parameter is read after the other parameters, because the function that reads it needs their values."""
        return self.kind is not None and len(inspect.signature(self.kind.read).parameters) > 1

    def read(self, typed: Any, before: Mapping[str, Any]) -> Any:
        """The value of the text `typed`, checked against its range; `before` has the values of parameters that were read first, by name."""
        assert self.kind is not None
        more = (before,) * self.is_late
        value = [self.kind.read(one, *more) for one in typed] if self.is_many else self.kind.read(typed, *more)
        if any(not isinstance(mark, (str, Kind, WrittenPath)) for mark in self.marks):
            from relance.model.arguments import check

            check(self.name, value, self.hint)
        return value


def _choice(flag: str, choices: Sequence[Any], text: str) -> Any:
    if found := [choice for choice in choices if text == str(choice)]:
        return found[0]
    *others, last = map(str, choices)
    raise ValueError(f"{flag} {text} must be {' or '.join(filter(None, (', '.join(others), last)))}")
