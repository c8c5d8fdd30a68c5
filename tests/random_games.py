"""Random games with events in several places and two contests, each with its distribution as plain tables; and random profiles."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from relance.model.blueprint import Blueprint, Source
from relance.model.game import Game
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode, TreeNode
from relance.model.interval import DensityDeal
from relance.model.matrix_deal import MatrixDeal
from relance.model.piecewise import Piecewise
from relance.model.tree import BettingTree, Decision, Leaf, Node, Reveal, decision, reveal, showdown

F = Fraction


def own_game(tree: BettingTree, deal) -> Game:
    source = Source("own", "N. N.", "A game of a test", 2026, "")
    return Game(Blueprint("own", "A game of a test", source, {}, lambda: (tree, deal)), {}, tree, deal)


@dataclass
class Random:
    """A random game, and its distribution as plain tables: the chance of each pair, of an event given a pair, and the edge in each case."""

    game: Game
    pairs: dict
    chance: dict  # of (events so far, pair): {event: probability}
    edges: dict  # of (events, contest, pair)


def random_game(seed: int) -> Random:
    draw = random.Random(seed)
    sizes = draw.randint(1, 3), draw.randint(2, 4)
    hands = list(product(range(sizes[0]), range(sizes[1])))
    weights = [draw.randint(0, 4) for _ in hands]
    weights[0] += 1
    pairs = {pair: F(w, sum(weights)) for pair, w in zip(hands, weights, strict=True)}
    chance, edges = {}, {}

    def distribution(events: tuple, left: int) -> dict:
        """The chance of each pair together with these events."""
        table = pairs
        for k, event in enumerate(events):
            table = {pair: p * chance[events[:k], pair][event] for pair, p in table.items()}
        return table

    def deal(events: tuple, left: int) -> MatrixDeal:
        for contest in ("", "low"):
            for pair in hands:
                edges[events, contest, pair] = F(draw.randint(-2, 2), 2)

        def matrix(contest: str) -> MatrixDeal:
            joint = np.array([distribution(events, left)[pair] for pair in hands], object).reshape(sizes)
            edge = np.array([edges[events, contest, pair] for pair in hands], object).reshape(sizes)
            return MatrixDeal(tuple([f"{p}{h}" for h in range(size)] for p, size in enumerate(sizes)), joint, edge)

        made = matrix("").with_contests({"low": matrix("low")})
        if not left:
            return made
        for pair in hands:  # the last event is impossible with some pairs
            shares = [draw.randint(1, 3), draw.randint(0, 3), draw.randint(0, 1) * draw.randint(0, 3)]
            chance[events, pair] = {e: F(s, sum(shares)) for e, s in zip("xyz", shares, strict=True)}
        return made.with_events({e: deal((*events, e), left - 1) for e in "xyz"})

    root = deal((), 2)

    def node(left: int, depth: int) -> Node:
        if depth == 0 or (depth < 3 and draw.random() < 0.4):
            if left and draw.random() < 0.7:
                return Reveal(("x", "y", "z"), tuple(node(left - 1, 2) for _ in "xyz"))
            contest = draw.choice(["", "low"])
            return Leaf(F(draw.randint(-3, 3)), F(draw.randint(0, 2)), 1, contest)
        names = ("a", "b", "c")[: draw.randint(1, 3)]
        return Decision(draw.randint(0, 1), names, tuple(node(left, depth - 1) for _ in names))

    tree = BettingTree(
        Decision(seed % 2, ("a", "b"), (node(2, 2), Reveal(("x", "y", "z"), tuple(node(1, 2) for _ in "xyz"))))
    )
    return Random(own_game(tree, root), pairs, chance, edges)


def random_profile(game: Game, seed: int):
    draw = random.Random(seed)
    plan = {}
    for name, node in game.tree.decisions.items():
        rows = [[draw.randint(0, 3) for _ in node.actions] for _ in range(game.deal.size(node.player))]
        rows = [row if sum(row) else [1] * len(row) for row in rows]
        plan[name] = {a: [F(row[i], sum(row)) for row in rows] for i, a in enumerate(node.actions)}
    return game.profile(plan)


def signal() -> Game:
    """Hands on [0, 1], independent and uniform; "good" turns up with the probability that player 0's hand is, else "bad"."""
    one = Piecewise.constant(1)
    good, bad = DensityDeal([(Piecewise((0, 1), ((0, 1),)), one)]), DensityDeal([(Piecewise((0, 1), ((1, -1),)), one)])
    deal = DensityDeal([(one, one)]).with_events({"good": good, "bad": bad})
    after = {event: decision(1, fold=Leaf(1), call=showdown(2)) for event in ("good", "bad")}
    return own_game(BettingTree(decision(0, check=Leaf(0), bet=reveal(**after))), deal)


def random_tree(seed: int) -> GameTree:
    """A random game of two players, zero sum and perfect recall, in which players see some of what happens."""
    draw = random.Random(seed)

    def node(depth: int, seen: tuple[str, str]) -> TreeNode:
        if not depth or draw.random() < 0.1:
            return TerminalNode(draw.randint(-3, 3))

        def after(name: str, mover: int) -> TreeNode:
            """Each sees their own action, and another one if they have seen an odd number of letters."""
            more = (name.upper() if i == mover else name if len(s) % 2 else "?" for i, s in enumerate(seen))
            return node(depth - 1, tuple(s + symbol for s, symbol in zip(seen, more, strict=True)))

        if draw.random() < 0.2:
            return ChanceNode({name: (F(1, 2), after(name, 2)) for name in "cd"})
        mover = draw.randrange(2)
        actions = "ab" if len(seen[mover]) % 2 else "abe"
        return DecisionNode(mover, f"{mover} {seen[mover]}", {a: after(a, mover) for a in actions})

    return GameTree(node(4, ("", "")))
