"""Checks of claims on von Neumann's poker in which the lower hand wins with a known probability."""

from __future__ import annotations

from functools import partial
from operator import gt, lt

from relance.claims.checks import equal, nash, symbolic, together, true_for
from relance.claims.finding import Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.envs.flip import flip_plan
from relance.model.game import Game
from relance.model.numbers import Number
from relance.solvers.exact import value
from relance.solvers.proof import Region, region

FOLDS, NEVER = "2*q*(B + 1) < B", "2*q*(B + 1) >= B"
"""Player 1 folds her worst hands, or none."""


def _where(*more: str, names: str = "a, B, q") -> Region:
    positive = [f"{name} > 0" for name in names.split(", ") if name != "q"]
    return region(names, *positive, "q >= 0", "2*q < 1", *more)


def _game(where: Region) -> Game:
    """The game with an ante of a and a bet of B antes."""
    return make("flipped_von_neumann", ante=where["a"], bet=where["a"] * where["B"], flip=where["q"])


def solution(n: Numbers) -> Finding:
    """Both cases, for any bet and flip."""
    folds, never = _where(FOLDS), _where(NEVER)
    first, second = n.at(**folds), n.at(**never)
    game, other = _game(folds), _game(never)
    plans = [
        flip_plan({**first, "a": first["bluff"]}, game.tree),
        flip_plan({"a": 0, "b": second["half"], "c": 0}, other.tree),
    ]
    return together([nash(game, plans[0], folds, first["V"]), nash(other, plans[1], never, second["V never"])])


def _worth(where: Region) -> Number:
    game = _game(where)
    return value(game, game.published())


def gains(n: Numbers) -> Finding:
    """The value rises with the flip up to the printed border, and falls beyond it."""
    found = []
    for border, case, relation in (("<", FOLDS, gt), (">", NEVER, lt)):
        where = _where(case, f"q {border} {n.texts['border']}")
        slope = symbolic(_worth(where)).derivative("q")
        found.append(
            true_for(where, partial(relation, slope, 0), "the value rises with q up to the border, and falls beyond it")
        )
    return together([*found, _at_border(n)])


def _at_border(n: Numbers) -> Finding:
    """The value at the border, and the one without flips."""
    where = region("a, B", "a > 0", "B > 0")
    a, B = where.values()
    v = n.at(**where)
    game, plain = (make("flipped_von_neumann", ante=a, bet=a * B, flip=q) for q in (v["border"], 0))
    worths = {"most": value(game, game.published()), "without": value(plain, plain.published())}
    return equal(worths, {name: v[name] for name in worths}, where)


def ends(n: Numbers) -> Finding:
    """The value without flips, and where the hands do not matter."""
    where = region("a, B", "a > 0", "B > 0")
    a, B = where.values()
    v = n.at(**where)
    plain, even = (make("flipped_von_neumann", ante=a, bet=a * B, flip=q) for q in ("0", "1/2"))
    worths = {"V0": value(plain, plain.published()), "V half": value(even, even.published())}
    found = [
        equal(worths, {name: v[name] for name in worths}, where),
        true_for(where, partial(gt, v["V0"], 0), "V0 is above 0"),
    ]
    return together([*found, *(nash(game, game.published().plan(), where) for game in (plain, even))])
