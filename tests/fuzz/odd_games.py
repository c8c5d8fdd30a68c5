"""Games of one's own with odd numbers and names: `relance.register` refuses each in a sentence, or all of the package takes it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.model.blueprint import Blueprint, Source
from relance.model.distributions import cards, distribution, independent, joint_distribution
from relance.model.game import Game, build
from relance.model.matrix_deal import MatrixDeal
from relance.model.parameters import ANTE
from relance.model.quadratic import square_root
from relance.model.tree import BettingTree, Decision, Leaf, Reveal, facing_a_bet, showdown
from relance.registration.gymnasium import SeatEnv

GOOD: tuple[Any, ...] = (0, 1, 2, 3, -1, Fraction(2, 3), Fraction(1, 2), 7)
WRITTEN: tuple[Any, ...] = (0.5, 1.5, 0.1, 1 / 3, -0.0, 2.0, np.float64(1.5), np.float32(0.1), np.int64(2), np.uint8(3))
"""Numbers as people write them."""

ODD: tuple[Any, ...] = ("1", "1/2", None, float("nan"), float("inf"), True, 1j, Decimal("1.5"), 10**400, 1e300, 1e-300)
ODD += (np.float64("nan"), np.array(1.5), np.longdouble(1.5), square_root(2), object(), [], np.bool_(True), b"1")

NAMES: tuple[Any, ...] = ("check", "bet", "fold", "call", "raise", "go", "J", "Q", "K", "A")
ODD_NAMES: tuple[Any, ...] = ("Bet", "BET", "b\net", "\x1b[2J", "", "a-b", "é", 5, None, "[x]", "a  b", "a b", " ", "-")
ODD_NAMES += ("\u2028", "\ud800", "x" * 300, "check-bet", "Q check", "1", "True", "\x00", "<script>", "{0}", "%s", '"')

NUMBER = itertools.count()


def number(dice: random.Random) -> Any:
    """A number, or what is none."""
    return dice.choice(dice.choices((GOOD, WRITTEN, ODD), (12, 12, 1))[0])


def name(dice: random.Random) -> Any:
    """A name, or what is none."""
    return dice.choice(dice.choices((NAMES, ODD_NAMES), (20, 1))[0])


def node(dice: random.Random, depth: int = 3) -> Any:
    """A tree or a terminal node."""
    kind = dice.choices(("decision", "leaf", "showdown", "bet", "reveal", "none"), (8, 4, 6, 3, 0.2, 0.1))[0]
    if kind == "decision" and depth:
        names = [name(dice) for _ in range(dice.choice((1, 2, 2, 2, 3)))]
        player = dice.choices((0, 1, 2, None, "0", np.int64(1), True), (40, 40, 1, 1, 1, 1, 1))[0]
        return Decision(player, tuple(names), tuple(node(dice, depth - 1) for _ in names))
    if kind == "reveal" and depth:
        return Reveal(("a", "b"), (node(dice, depth - 1), node(dice, depth - 1)))
    if kind == "bet":
        return facing_a_bet(dice.choice((0, 1)), number(dice), [number(dice) for _ in range(dice.choice((1, 1, 2, 3)))])
    if kind == "showdown":
        return showdown(number(dice), *dice.choices(((), (dice.choice((0.1, "1/4", Fraction(1, 3), 2)),)), (9, 1))[0])
    if kind == "none":
        return dice.choice((None, 5, "leaf", ()))
    return Leaf(*[number(dice) for _ in range(dice.choice((1, 1, 1, 2, 3)))])


def probabilities(dice: random.Random, count: int) -> list[Any]:
    """Some that sum to 1, exact or in floats, or that do not."""
    weights = [dice.choice((0, 1, 1, 2, 3)) for _ in range(count)]
    total = sum(weights) or 1
    exact = [Fraction(weight, total) for weight in weights]
    kind = dice.choices(("exact", "float", "float32", "odd"), (4, 4, 1, 1))[0]
    if kind == "odd":
        exact[dice.randrange(count)] = number(dice)
    return {"float": [weight / total for weight in weights], "float32": [np.float32(w / total) for w in weights]}.get(
        kind, exact
    )


def deal(dice: random.Random) -> Any:
    """A distribution of two hands."""
    kind = dice.choices(("cards", "joint", "independent", "named", "matrix", "none"), (4, 6, 4, 2, 1, 0.3))[0]
    hands = [name(dice) if dice.random() < 0.1 else f"{'JQKA'[k]}" for k in range(dice.choice((2, 2, 3, 4)))]
    if kind == "cards":
        return cards(hands)
    if kind in ("joint", "matrix"):
        flat, size = probabilities(dice, len(hands) ** 2), len(hands)
        edges = [[dice.choice((-1, 0, 1, 0.5, -0.25, np.float64(1), number(dice))) for _ in hands] for _ in hands]
        joint = [flat[k * size : (k + 1) * size] for k in range(size)]
        if kind == "matrix":
            return MatrixDeal((hands, hands), np.array(joint, object), np.array(edges, object))
        return joint_distribution(hands, hands, joint, edges)
    if kind == "independent":
        sides = [zip(probabilities(dice, len(hands)), range(len(hands)), strict=True) for _ in (0, 1)]
        return independent(*(dict(zip(hands, side, strict=True)) for side in sides))
    return (
        distribution(dice.choice(("uniform", "fgm:1/2", "cards:3", "power:2:1")))
        if kind == "named"
        else dice.choice((None, 5))
    )


def odd_blueprint(dice: random.Random) -> Blueprint:
    """A game of one's own. What is odd is drawn when it is built, each time the same."""
    seed = dice.getrandbits(64)

    def made(ante: Any) -> Any:
        again = random.Random(seed)
        root = node(again)
        while not isinstance(root, Decision) and again.random() < 0.95:
            root = node(again)
        return BettingTree(root), deal(again)

    about = Source("me", "A. Author", "Notes", 2026, "1")
    return Blueprint(name=f"odd_{next(NUMBER)}", title="Odd", source=about, parameters={"ante": ANTE}, build=made)


def used(game: Game) -> Iterator[tuple[str, object]]:
    """Do with a game what users do; yields what was done, and what is wrong with it if anything is."""
    cut = game if game.deal.is_finite else game.grid(4)
    if cut.deal.is_exact:
        exact = relance.solve(cut)
        yield "solve", relance.nash_conv(cut, exact) != 0
    else:
        exact = relance.solve(cut, tolerance=1e-6 * cut.max_chips)
        yield "solve", relance.nash_conv(cut, exact) > 2e-6 * cut.max_chips
    yield "score", relance.score(game, "uniform").nash_conv < 0
    yield "value", float(relance.value(cut, exact)) != float(relance.value(cut, exact))
    tree = relance.game_tree(relance.to_efg(cut))
    yield "to_efg", abs(float(relance.value(cut, "uniform") - relance.value(tree, "uniform"))) > 1e-9 * cut.max_chips
    state, draw = relance.openspiel.load(cut).new_initial_state(), random.Random(0)
    while not state.is_terminal():
        state.information_state_string(0)
        state.apply_action(draw.choice(state.legal_actions()))
    yield "OpenSpiel", sum(state.returns()) != 0
    seat = SeatEnv(cut)
    seat.reset(seed=0)
    yield "Gymnasium", not seat.step(seat.unwrapped.game.action_id(cut.actions[0]))
    yield "words", relance.words.describe(cut) == ""


def registered_and_used(blueprint: Blueprint) -> str:
    """Register a game and use it: what failed, with the error; "" if nothing did. ValueError if it is refused."""
    relance.register(blueprint)
    try:
        done = "made"
        for done, wrong in used(build(blueprint)):
            if wrong:
                return f"{done} is wrong"
        return ""
    except Exception as error:
        return f"after {done}: {type(error).__name__}: {error}"
    finally:
        BLUEPRINTS.pop(blueprint.name, None)
