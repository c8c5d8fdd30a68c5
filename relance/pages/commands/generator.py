"""Makes a command from a function: its signature gives arguments, options and types, its docstring their help.

    @command(score_agent)
    def score(game: Game | GameTree, agent: Player, json_file: JSON = None, **options: Any) -> None:
        '''Score an agent that plays both seats: its NashConv, and what best responses earn against it.

        Args:
            agent: who plays.

        Examples:
            relance score one_card_poker uniform
        '''
        show_result(called(score_agent, game, agent, **options), json_file)

The command has the arguments of `score_agent` too, with their help, as far as they can be typed; `options` holds those that were given.
A parameter without a default, or before a `/`, is an argument, and the others are options; a sequence is an option in the singular that
may be repeated. Text in `Annotated` gives an option another name, a `Kind` says how it is typed, and a range is checked.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, get_type_hints

import typer
from typer.core import TyperCommand

from relance.pages.commands.shared import SETTINGS, add_here, check_paths, progress_bar, remember_run
from relance.pages.commands.typed import KINDS, Item, Told


def items_of(function: Callable[..., Any], *others: Callable[..., Any]) -> list[Item]:
    """The parameters of `function` and of `others`, to which it passes arguments on, that a command line can give, each as an `Item`."""
    found: dict[str, Item] = {}
    mine, theirs = Told(function).arguments, {k: v for one in reversed(others) for k, v in Told(one).arguments.items()}
    for one in (function, *others):
        hints = get_type_hints(one.__init__ if isinstance(one, type) else one, include_extras=True)  # type: ignore[misc]
        for name, parameter in inspect.signature(one).parameters.items():
            if name in found or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            item = Item(parameter, hints[name], mine.get(name, ""), theirs.get(name, ""))
            if item.kind is None:
                import relance.pages.commands.agents  # noqa: F401 - it adds games and players to `KINDS`

                item.kind = KINDS.get(item.type)
            if item.kind is not None:
                found[name] = item
            elif one is function:
                raise TypeError(
                    f"{function.__name__}: no command can read {name}: `KINDS` has no reader for {hints[name]}"
                )
    return list(found.values())


def command(*others: Callable[..., Any], without: Sequence[str] = ()) -> Callable[[Callable[..., None]], typer.Typer]:
    """Return a decorator that makes a command of a function; see the top of this file.

    Args:
        others: functions to which the function passes arguments on; the command takes their arguments too.
        without: arguments of `others` that the command does not take.
    """

    def made(function: Callable[..., None]) -> typer.Typer:
        alone = typer.Typer(add_completion=False, **SETTINGS)
        add_command(alone, function, *others, without=without)
        return alone

    return made


def group(function: Callable[[], None]) -> typer.Typer:
    """Make a group of commands, such as `relance plot`, with the function's docstring as help; it has no command yet."""
    told = Told(function)
    made = typer.Typer(add_completion=False, no_args_is_help=True, epilog=_examples(told.examples), **SETTINGS)
    made.callback(help=told.text)(function)
    return made


def add_command(
    app: typer.Typer,
    function: Callable[..., None],
    *others: Callable[..., Any],
    name: str | None = None,
    example: str = "",
    without: Sequence[str] = (),
    **settings: Any,
) -> None:
    """Add to an application a command made of a function, as by `command`.

    The help of the command is the docstring of `function`, or if that has no text, the first docstring among `others` that has some.

    Args:
        app: the application.
        function: what the command does.
        others: as for `command`.
        name: the name of the command.
        example: a command line that the help shows if no docstring has examples.
        without: as for `command`.
        **settings: passed on to `typer.Typer.command`.
    """
    items = [item for item in items_of(function, *others) if item.name not in without]

    def run(**typed: Any) -> None:
        given = {item.name: typed[item.name] for item in items if item.was_given(typed[item.name])}
        known = [item for item in items if item.name in given]
        check_paths(given)
        for item in known:
            item.check_written(given)
        typed_codes = (given[item.name] for item in known if item.kind and item.kind.is_code)
        codes = [text for one in typed_codes for text in (one if isinstance(one, list) else [one])]
        add_here()
        with errors_of(codes):
            values: dict[str, Any] = {}
            for item in sorted(known, key=lambda item: item.is_late):
                with progress_bar() if item.is_late else nullcontext():
                    values[item.name] = item.read(given[item.name], values)
            remember_run(
                options={item.name: given.get(item.name, item.default) for item in items if item.is_setting},
                values={**values},
            )
            first = [values.pop(item.name, item.default) for item in items if item.by_place]
            function(*first, **values)

    vars(run).update(__annotations__={}, sources=(function, *others))
    run.__signature__ = inspect.Signature([item.parameter for item in items])  # type: ignore[attr-defined]  # as typer reads it
    told = [Told(one) for one in (function, *others)]
    text = next((one.text for one in told if one.text), "")
    lines = next((one.examples for one in told if one.examples), [example])
    listed = {item.kind.title: item.kind.words for item in items if item.kind and item.kind.title}
    cls = type("Listing", (_Listing,), {"listed": listed})
    app.command(name, cls=cls, help=text, epilog=_examples(lines), **settings)(run)


class _Listing(TyperCommand):
    """A command whose help ends with what may be typed for some arguments, which is looked up only for that."""

    listed: Mapping[str, Callable[[], Iterable[tuple[str, str]]]] = {}

    def format_help(self, ctx: Any, formatter: Any) -> None:
        for title, words in self.listed.items():
            self.epilog = "\n\n".join((self.epilog or "", f"{title}:", *(doc for _, doc in words())))
        super().format_help(ctx, formatter)


def _examples(lines: Sequence[str]) -> str:
    """The end of a command's help."""
    return "\n\n".join((f"Example{'s' * (len(lines) > 1)}:", *lines)) if lines else ""


@contextmanager
def errors_of(codes: Sequence[Any]) -> Iterator[None]:
    """A context that turns an error of the user's own code, such as an agent, into a ValueError that names this code.

    `codes` are the texts by which the command line named such code, for example "my_module:agent". A call of sys.exit() in the code counts
    as an error; only then the message does not name the code.
    """
    try:
        yield
    except SystemExit as end:  # `relance` would end as if all were well
        if isinstance(end.__context__, BrokenPipeError):  # rich: who reads the pipe has enough
            raise
        raise ValueError(f"an agent or a module called sys.exit({end.code!r})") from end
    except Exception as error:
        from relance.pages.commands.agents import check_whose

        check_whose(error, codes)
        raise
