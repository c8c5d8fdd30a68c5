"""Conversions of a Relance game for each peer. Peers are imported on use, and reported if missing."""

from __future__ import annotations

import contextlib
import io
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import relance
from benchmarks.harness import Call, module
from relance.model.game import Game
from relance.model.tree import Decision, Leaf, Node


@cache
def efg(game: Game) -> Any:
    """The game in OpenSpiel's C++, read from the .efg text."""
    return module("pyspiel").load_efg_game(relance.to_efg(game))


def spiel(name: str) -> Any:
    """A Relance game as a Python game of OpenSpiel."""
    return module("pyspiel").load_game(f"relance_{name}")


def spiel_cfr(game: Any) -> Call:
    """One iteration of OpenSpiel's CFR+ (C++) on an OpenSpiel game."""
    solver = module("pyspiel").CFRPlusSolver(game)
    call: Call = solver.evaluate_and_update_policy
    return call


def lite_cfr(game: Any) -> Call:
    """One iteration of LiteEFG's CFR+ on an OpenSpiel game."""
    env, graph = module("LiteEFG").OpenSpielEnv(game), module("LiteEFG.baselines.CFRplus").graph()
    env.set_graph(graph)

    def step() -> None:
        graph.update_graph(env)
        env.update_strategy(graph.current_strategy())

    return step


class Lite:
    """LiteEFG on a game of Relance, by one of its algorithms: `step` is an iteration, `score` a NashConv."""

    def __init__(self, game: Game, algorithm: str = "CFRplus") -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.txt"
            path.write_text(lite_text(game), encoding="utf-8")
            self.graph, self.env = lite_graph(path, algorithm)

    def step(self) -> None:
        """One iteration with its linear average."""
        self.graph.update_graph(self.env)
        self.env.update_strategy(self.graph.current_strategy())

    def score(self) -> float:
        """NashConv of the current strategies, which are uniform before the first `step`."""
        return float(sum(self.env.exploitability(self.graph.current_strategy())))


def lite_graph(path: Path, algorithm: str) -> tuple[Any, Any]:
    """A graph and an environment of LiteEFG: an algorithm, and the game in a file."""
    lite, baseline = module("LiteEFG"), module(f"LiteEFG.baselines.{algorithm}")
    with contextlib.redirect_stdout(io.StringIO()):
        graph = baseline.graph()
    env = lite.FileEnv(str(path))
    env.set_graph(graph)
    return graph, env


def lite_text(game: Game) -> str:
    """The game in the text format that LiteEFG reads; the same tree as `relance.to_efg` writes."""
    deal = game.finite_deal()
    joint, edge = deal.joint(), deal.joint_edge()
    lines = ["# a game of Relance", "#", "# Opt {", "#     openspiel,", "#     players: 2,", "# }", "#"]
    sets: dict[tuple[int, int, str], list[str]] = {}

    def visit(node: Node, name: str, path: str, hands: tuple[int, int], edge_here: float) -> None:
        if isinstance(node, Leaf):
            chips = float(node.constant) + float(node.stake) * edge_here
            lines.append(f"node {name} leaf payoffs 1={chips!r} 2={-chips!r}")
            return
        assert isinstance(node, Decision)
        children = [f"{name}_{i}" for i in range(len(node.actions))]
        lines.append(f"node {name} player {node.player + 1} actions {' '.join(children)}")
        sets.setdefault((node.player, hands[node.player], path), []).append(name)
        for i, (child, at) in enumerate(zip(children, node.children, strict=True)):
            visit(at, child, f"{path}_{i}", hands, edge_here)

    pairs = [(h, k) for h in range(deal.size(0)) for k in range(deal.size(1)) if joint[h, k]]
    lines.append("node r chance actions " + " ".join(f"r{h}x{k}={float(joint[h, k])!r}" for h, k in pairs))
    for h, k in pairs:
        visit(game.tree.root, f"r{h}x{k}", "", (h, k), float(edge[h, k] / joint[h, k]))
    for number, ((player, _, _), names) in enumerate(sets.items()):
        lines.append(f"infoset pl{player + 1}_{number} nodes {' '.join(names)}")
    return "\n".join(lines) + "\n"
