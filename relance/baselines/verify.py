"""The main job: decide every recorded claim of the papers, and, on request, ask OpenSpiel about the same profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from relance.claims import papers
from relance.claims.ledger import Claim, Paper, Planted, Result, decide, plant
from relance.envs import BLUEPRINTS
from relance.model.game import Game, build
from relance.model.numbers import did_you_mean, show
from relance.solve.exact import nash_conv, value

if TYPE_CHECKING:
    from relance.solve.proof import Obligation


def selected(keys: Sequence[str] = ()) -> list[tuple[Paper, Claim]]:
    """Return the claims of the papers with these keys, all by default. Raises ValueError for an unknown key."""
    known = papers()
    for key in keys:
        if key not in known:
            raise ValueError(f"there is no paper {key!r}" + did_you_mean(key, known))
    return [(paper, claim) for key, paper in known.items() if not keys or key in keys for claim in paper.claims]


Tick: TypeAlias = Callable[[Result], None]


def verify(keys: Sequence[str] = (), tick: Tick = lambda result: None, smtlib: Path | None = None) -> list[Result]:
    """Decide the claims of the papers with these keys, all by default; `tick` hears of each result.

    With `smtlib`, write the facts that each proof rests on into that folder, one SMT-LIB file each: `paper/claim-1.smt2`.
    """
    from relance.solve.proof import obligations

    results = []
    for paper, claim in selected(keys):
        with obligations() as used:
            results.append(decide(paper, claim))
        if smtlib is not None:
            _write_obligations(smtlib, results[-1], list(used.values()))
        tick(results[-1])
    return results


def _write_obligations(folder: Path, result: Result, used: Sequence[Obligation]) -> None:
    """The solver that reads a file must answer "unsat"."""
    try:
        (folder / result.paper).mkdir(parents=True, exist_ok=True)
        for k, fact in enumerate(used, 1):
            heading = f"(set-logic QF_NRA)\n; {result.id}: {result.statement}\n; {fact.statement}\n; The answer must be unsat.\n"
            (folder / f"{result.id}-{k}.smt2").write_text(heading + fact.smtlib, encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{error.filename} cannot be written: {error.strerror}") from None


def errata(keys: Sequence[str] = (), tick: Tick = lambda result: None) -> list[Result]:
    """Decide the claims that are false as printed, and those that the transcription garbled and that are true as restored."""
    results = []
    for paper, claim in listed(keys):
        results.append(decide(paper, claim))
        tick(results[-1])
    return results


def listed(keys: Sequence[str] = ()) -> list[tuple[Paper, Claim]]:
    """The claims that `errata` decides."""
    return [(paper, claim) for paper, claim in selected(keys) if claim.correction or claim.restored]


def planted(keys: Sequence[str] = ()) -> Iterator[tuple[Claim, list[Planted]]]:
    """Move each printed number of each claim by 1/1000, up and down, and yield what the checks made of it."""
    for paper, claim in selected(keys):
        yield claim, list(plant(paper, claim))


def as_json(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The results as plain data."""
    return [asdict(result) for result in results]


@dataclass(frozen=True)
class Confirmation:
    """What OpenSpiel says of a published profile. All amounts in chips of the game.

    Attributes:
        game: the game, on a grid whose borders are its thresholds.
        value, ours: the published value and NashConv by Relance, exact.
        theirs: NashConv by OpenSpiel on the game as registered with it; None for cells of unequal weight
            and for fine grids.
        native: NashConv by OpenSpiel on the exported .efg file.
        responses: what each player gains by OpenSpiel's best response on that file.
        iterations, cfr_value, cfr_nash_conv: of the average policy of its CFR+, from scratch.
        agrees: everything is as it must be.
    """

    game: str
    value: str
    ours: str
    theirs: float | None
    native: float
    responses: tuple[float, float]
    iterations: int
    cfr_value: float
    cfr_nash_conv: float
    agrees: bool


PYTHON_CELLS = 24
"""Grids of more cells go to OpenSpiel as .efg files only; it walks python games a thousand times slower."""

NASH_TOLERANCE = 1e-12
"""How far OpenSpiel's NashConv and gains at a published profile may be from 0, in antes: rounding of its sums, no more."""

CFR_TOLERANCE = 2e-3
"""The NashConv, as a part of the most that can be lost, that CFR+ must reach."""


def samples() -> list[Game]:
    """Every registered game at its sample parameters that has a published strategy, on a grid aligned with its thresholds."""
    made = [build(spec, **parameters) for spec in BLUEPRINTS.values() for parameters in spec.samples]
    return [game.aligned() for game in made if game.is_published]


def confirm(game: Game, most: int = 3000) -> Confirmation:
    """Ask OpenSpiel about the published profile of a finite game: NashConv, best responses, and CFR+ from scratch.

    CFR+ runs for hundreds of iterations until it is near enough, at `most` that many.
    """
    import pyspiel

    from relance.registration.efg import efg_policy, to_efg
    from relance.registration.openspiel import chip_scale
    from relance.registration.policies import policy

    profile, theirs = game.published(), None
    if not game.cuts or (game.hands and game.hands <= PYTHON_CELLS):
        found = policy(game, profile)
        theirs = pyspiel.nash_conv(found.game, found.to_tabular()) / chip_scale(game)

    native = pyspiel.load_efg_game(to_efg(game))
    table = efg_policy(game, profile)
    start = native.new_initial_state()
    on_policy = pyspiel.expected_returns(start, table, -1, True)
    gains = [
        pyspiel.TabularBestResponse(native, player, table).value_from_state(start) - on_policy[player]
        for player in (0, 1)
    ]

    solver = pyspiel.CFRPlusSolver(native)
    iterations, left, average = 0, float("inf"), None
    while left > CFR_TOLERANCE * native.max_utility() and iterations < most:
        for _ in range(100):
            solver.evaluate_and_update_policy()
        iterations, average = iterations + 100, solver.tabular_average_policy()
        left = pyspiel.nash_conv(native, average)
    reached = pyspiel.expected_returns(start, average, -1, True)[0]

    ours, worth, ante = nash_conv(game, profile), value(game, profile), float(game.parameters.get("ante", 1))
    checked, rounded = pyspiel.nash_conv(native, table), game.rounding
    agrees = (
        abs(ours) <= rounded * Fraction(ante)
        and all(abs(x) <= (NASH_TOLERANCE + float(rounded)) * ante for x in (theirs or 0.0, checked, *gains))
        and abs(reached - float(worth)) <= left + (NASH_TOLERANCE + float(rounded)) * ante
        and left <= CFR_TOLERANCE * native.max_utility()
    )
    shown = show(ours) if ours == 0 else show(float(ours))
    response = (gains[0], gains[1])
    return Confirmation(
        str(game),
        show(float(worth)) if rounded else show(worth),
        shown,
        theirs,
        checked,
        response,
        iterations,
        reached,
        left,
        agrees,
    )
