"""Pictures: `relance plot`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from relance.commands.shared import GAME, command, console_of, progress_bar
from relance.envs import make
from relance.model.game import Game, build
from relance.model.numbers import did_you_mean
from relance.model.strategy import Profile

Tick = Callable[..., None]


@command("relance plot strategy 'von_neumann(bet=2)' -o strategy.svg")
def plot(
    kind: Annotated[
        str,
        typer.Argument(
            help="tree, strategy, chips, value, square, convergence or face.", autocompletion=lambda: list(KINDS)
        ),
    ],
    game: GAME,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="An .svg, .pdf or .png file; - for SVG on standard output.")
    ],
    learned: Annotated[
        list[Path] | None,
        typer.Option(help="strategy: results of `relance train --json` or of a sweep, drawn beneath; may be repeated."),
    ] = None,
    solved: Annotated[
        bool, typer.Option("--solved", help="strategy, chips: solve the game; on [0, 1] it needs hands=n.")
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="A parameter of the published family, such as alpha=1/3; may be repeated."),
    ] = None,
    along: Annotated[
        list[str] | None, typer.Option(help="value, square: the parameter along an axis; for square, twice.")
    ] = None,
    low: Annotated[str | None, typer.Option("--from", help="value: where the axis begins.")] = None,
    high: Annotated[str | None, typer.Option("--to", help="value: where the axis ends.")] = None,
    iterations: Annotated[int | None, typer.Option(help="convergence: how many; by default 1000.")] = None,
    methods: Annotated[
        list[str] | None, typer.Option("--method", help="convergence: cfr, cfr+, dcfr or pcfr+; may be repeated.")
    ] = None,
) -> None:
    """Draw a picture of a game: its tree, strategies, expected chips, values, convergence or all its optimal strategies."""
    if kind not in KINDS:
        raise ValueError(f"there is no picture {kind!r}" + did_you_mean(kind, KINDS))
    from relance.plots.style import file_format, save

    file_format(output)
    if str(output) != "-" and not output.parent.is_dir():
        raise ValueError(f"{output} cannot be written: there is no folder {output.parent}")
    options = {
        "learned": learned or [],
        "solved": solved,
        "family": dict(_pair(text) for text in settings or ()),
        "along": along or [],
        "ends": (low, high),
        "iterations": iterations,
        "methods": methods or [],
    }
    made = make(game)
    _refuse(kind, options)
    with progress_bar(Console(stderr=True), "no picture was written") as progress:
        task = progress.add_task(kind, total=None)

        def tick(advance: int = 1, total: int | None = None) -> None:
            progress.update(task, advance=advance, total=total)

        drawing = KINDS[kind](made, options, tick)
        save(drawing, output)
    if str(output) != "-":
        console_of().print(str(output), highlight=False, markup=False, soft_wrap=True)


USED = {
    "learned": ("strategy",),
    "solved": ("strategy", "chips"),
    "family": ("strategy", "chips"),
    "along": ("value", "square"),
    "ends": ("value",),
    "iterations": ("convergence",),
    "methods": ("convergence",),
}
NAMES = {"family": "set", "ends": "from and --to", "methods": "method"}


def _refuse(kind: str, options: Mapping[str, Any]) -> None:
    """Options that a picture does not know are refused, not ignored."""
    for name, kinds in USED.items():
        given = options[name] not in (None, [], {}, (None, None)) and options[name] is not False
        if given and kind not in kinds:
            raise ValueError(f"--{NAMES.get(name, name)} is for {' and '.join(kinds)}, not for {kind}")


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--set {text} must be name=value")
    return name.strip(), value.strip()


def _tree(game: Game, options: Mapping[str, Any], tick: Tick) -> Any:
    from relance.plots.trees import betting_tree

    return betting_tree(game)


def _strategy(game: Game, options: Mapping[str, Any], tick: Tick) -> Any:
    from relance.plots.bars import strategy_bars

    layers: dict[str, Any] = {}
    whole = build(game.blueprint, **game.parameters)
    if whole.is_published or not (options["solved"] or options["learned"]):
        layers["published"] = whole.published(**options["family"])
    if options["solved"]:
        layers["solved"] = _solved(game, tick)
    return strategy_bars(game, layers | _learned(game, options["learned"]))


def _learned(game: Game, results: Sequence[Path]) -> dict[str, Any]:
    """The policies of the game in these files, by algorithm and, where there are several, seed."""
    from relance.reports.leaderboard import gathered, labels

    if not results:
        return {}
    rows = gathered(results)
    names = labels(rows)
    there = sorted({row["game"] for row in rows})
    mine = [row for row in rows if _same(make(row["game"]), game)]
    if not mine:
        raise ValueError(f"there is no run on {game} in {', '.join(map(str, results))}; they are on {'; '.join(there)}")
    mine = [row for row in mine if row["policy"]]
    if not mine:
        raise ValueError(
            f"the runs on {game} in {', '.join(map(str, results))} were interrupted: they hold no strategy"
        )
    several = len({names[row["key"]] for row in mine}) < len(mine)
    return {names[row["key"]] + (f", seed {row['seed']}" if several else ""): row["policy"] for row in mine}


def _same(one: Game, other: Game) -> bool:
    """Whether two games differ at most in how finely [0, 1] is cut."""
    return (one.name, dict(one.parameters)) == (other.name, dict(other.parameters))


def _solved(game: Game, tick: Tick) -> Profile:
    from relance.solvers.solve import solve

    deal = game.finite_deal()
    exactly = max(deal.size(0), deal.size(1)) <= 20 and deal.is_exact
    return solve(game, tolerance=None if exactly else 1e-5, tick=lambda *_: tick())


def _chips(game: Game, options: Mapping[str, Any], tick: Tick) -> Any:
    from relance.plots.chips import action_chips

    profile = _solved(game, tick) if options["solved"] else game.published(**options["family"])
    return action_chips(game, profile)


def _value(game: Game, options: Mapping[str, Any], tick: Tick) -> Any:
    from relance.plots.values import POINTS, axis, first_axes, value_curve

    spec, (low, high) = game.blueprint, options["ends"]
    names = options["along"] or first_axes(spec, 1)
    if len(names) > 1:
        raise ValueError("value is drawn along one parameter; `relance plot square` takes two")
    others = {name: value for name, value in game.parameters.items() if name != names[0]}
    return value_curve(spec, names[0], others, axis(spec, names[0], low, high), lambda: tick(1, POINTS))


def _square(game: Game, options: Mapping[str, Any], tick: Tick) -> Any:
    from relance.plots.values import SIDE, axis, first_axes, value_square

    spec = game.blueprint
    names = options["along"] or first_axes(spec, 2)
    if len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"a square needs two parameters, not {', '.join(names)}")
    others = {name: value for name, value in game.parameters.items() if name not in names}
    return value_square(spec, names, others, [axis(spec, name) for name in names], lambda: tick(1, SIDE))


def _convergence(game: Game, options: Mapping[str, Any], tick: Tick) -> Any:
    from relance.plots.convergence import convergence, histories
    from relance.solvers.methods import METHODS

    methods, count = options["methods"] or list(METHODS), options["iterations"]
    count = 1000 if count is None else count
    found = histories(game, count, methods, lambda made: tick(made, len(methods) * count))
    return convergence(game, found)


def _face(game: Game, options: Mapping[str, Any], tick: Tick) -> Any:
    from relance.plots.faces import optimal_faces
    from relance.solvers.lp import optimal_face

    deal = game.finite_deal()
    programs = sum(len(node.actions) * deal.size(node.player) for node in game.tree.decisions.values())
    return optimal_faces(game, [optimal_face(game, player, lambda: tick(1, programs)) for player in (0, 1)])


KINDS: dict[str, Callable[[Game, Mapping[str, Any], Tick], Any]] = {
    "tree": _tree,
    "strategy": _strategy,
    "chips": _chips,
    "value": _value,
    "square": _square,
    "convergence": _convergence,
    "face": _face,
}
