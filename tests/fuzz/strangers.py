"""Bad inputs from outside: games of one's own, stakes of any size, long texts, forged logs and servers that misbehave."""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from fuzz.judge import Case, Traceback, command

import relance
from relance.model.blueprint import Blueprint, Source
from relance.model.distributions import cards, distinct_cards, independent, joint_distribution
from relance.model.parameters import ANTE
from relance.model.tree import BettingTree, Decision, Leaf, decision, facing_a_bet, showdown
from relance.words.log_rows import decision_row, terminal_row

Cases = Iterator[Case]
KUHN = relance.make("one_card_poker(raises=0)")
HALF, NAN = Fraction(1, 2), float("nan")


def _cycle() -> Decision:
    children: list[Any] = [Leaf(1)]
    children.append(Decision(1, ("again", "stop"), children))  # type: ignore[arg-type]
    return Decision(0, ("stop", "go"), children)  # type: ignore[arg-type]


def _table(joint: Any = ((HALF, 0), (0, HALF)), edge: Any = ((0, -1), (1, 0))) -> Any:
    return joint_distribution(["a", "b"], ["a", "b"], joint, edge)


TREES: tuple[Callable[[], Any], ...] = (
    _cycle,
    lambda: decision(0),
    lambda: decision(2, go=Leaf(1)),
    lambda: decision(0, go=decision(-1, go=Leaf(1))),
    lambda: decision(0, go=Leaf(NAN)),
    lambda: decision(0, go=Leaf(0, float("inf"))),
    lambda: decision(0, go=Leaf("x")),
    lambda: decision(0, go=Leaf(None)),  # type: ignore[arg-type]
    lambda: decision(0, go=Leaf(1, None)),  # type: ignore[arg-type]
    lambda: decision(0, Bet=Leaf(1), bet=Leaf(2)),
    lambda: Decision(0, ("go\n",), (Leaf(1),)),
    lambda: decision(0, go=None),  # type: ignore[arg-type]
    lambda: Decision(0, ("go", "go"), (Leaf(1), Leaf(2))),
    lambda: Decision(0, ("go",), (Leaf(1), Leaf(2))),
    lambda: showdown(1, flip=2),
    lambda: facing_a_bet(1, 1, []),
    lambda: Leaf(1),
)
DISTRIBUTIONS: tuple[Callable[[], Any], ...] = (
    lambda: _table(((1, 0), (0, 1))),
    lambda: _table(((HALF / 2, 0), (0, HALF / 2))),
    lambda: _table(((-HALF, 1), (HALF, 0))),
    lambda: _table(((NAN, HALF), (HALF, 0))),
    lambda: _table(edge=((5, 0), (0, 0))),
    lambda: _table(edge=((NAN, 0), (0, 0))),
    lambda: _table(((HALF,), (HALF,))),
    lambda: independent({"x": (1, 1), "y": (1, 0)}, {"z": (1, 0)}),
    lambda: independent({"x": (1, NAN)}, {"z": (1, 0)}),  # type: ignore[dict-item]
    lambda: independent({}, {}),
    lambda: distinct_cards(-1),
    lambda: cards(["Q", "Q"]),
    lambda: cards("Q"),
    lambda: None,
)


def own_games(dice: random.Random) -> Cases:
    """Games of one's own whose tree or distribution is wrong; and games of any stakes that are right, and must be solved."""
    tree, distribution = dice.choice(TREES), dice.choice(DISTRIBUTIONS)
    right = (lambda: decision(0, go=Leaf(1), stay=showdown(1))), (lambda: cards(["Q", "K"]))
    for number, (of, hands) in enumerate(((tree, right[1]), (right[0], distribution))):
        name = f"own_{dice.randrange(10**9)}"

        def run(_: Path, name: str = name, of: Any = of, hands: Any = hands) -> object:
            return relance.register(
                Blueprint(
                    name=name,
                    title="One's own",
                    source=Source("me", "A. Author", "Notes", 2026, "1"),
                    parameters={"ante": ANTE},
                    build=lambda ante: (BettingTree(of()), hands()),
                )
            )

        which = TREES.index(tree) if number == 0 else DISTRIBUTIONS.index(distribution)
        yield Case(f"own game with {('tree', 'distribution')[number]} {which}", run)


def _amount(dice: random.Random) -> str:
    digits = dice.choice((1, 3, 8, 40, 250))
    top = dice.randrange(1, 10**digits)
    return str(Fraction(top, dice.randrange(1, 10 ** dice.choice((1, 3, 40)))) if dice.random() < 0.5 else top)


STAKES = (
    lambda d: f"endgame(p={d.randrange(1, 99)}/100,ante={_amount(d)},bets={_amount(d)})",
    lambda d: f"one_card_poker(cards=3,raises=1,ante={_amount(d)},bet={_amount(d)})",
    lambda d: f"von_neumann(bet={_amount(d)},ante={_amount(d)},hands={d.randrange(2, 9)})",
    lambda d: f"la_relance(bet={_amount(d)},hands={d.randrange(2, 9)})",
    lambda d: f"bellman_blackwell(ante={_amount(d)},low=0,high={_amount(d)},hands=4)",
    lambda d: f"force_in(raises={d.randrange(3)},hands=5)",
)


def stakes(dice: random.Random) -> Cases:
    """Small games at stakes of any size are solved to their tolerance, or refused in words: never wrong, never slow."""
    text, share = dice.choice(STAKES)(dice), dice.choice((Fraction(1, 100), Fraction(1, 10**6)))

    def run(_: Path) -> None:
        game = relance.make(text)
        tree = game.tree.table
        most = max(map(abs, (*tree.constant, *tree.stake)))
        left = relance.exploitability(game, relance.solve(game, tolerance=most * share))
        if not left <= most * share * (1 + Fraction(1, 10**9)):
            raise Traceback(f"{text} to {most * share}: {left} is left")

    yield Case(f"solve {text[:150]} to {share}", run, bad=False)


def texts(dice: random.Random) -> Cases:
    """Texts that are long or deep: ranges, formulas, mixtures, boards."""
    many = dice.choice((5_000, 49_000, 400_000))
    entry = dice.choice((" ", ",", ";", "AA,", "AKs:1/2 ", "A", "22+", "AhKd,", ":", "-", "AA:"))
    text = entry * many
    yield Case(
        f"range of {many} {entry!r}", lambda _: relance.make("river", ranges=f"{text} vs AA", raises=1), bad=False
    )
    device = dice.choice((Path("/dev/zero"), Path("/dev/null"), Path("/"), b"AA", 5, None))
    yield Case(f"ranges from {device!r}", lambda _: relance.make("river", ranges=[device, "AA"]))
    depth = dice.choice((3, 60, 3000))
    formula = "(" * depth + "2" + dice.choice(("**100)", "*9)", "+1)", "/7)")) * depth
    yield Case(f"formula {formula[:9]} of depth {depth}", lambda _: relance.make("von_neumann", bet=formula), bad=False)
    power = "(" * 5 + "2" + "**100)" * 5
    yield Case("powers of powers in a region", lambda _: relance.region("B", f"B < {power}"))
    count = dice.choice((50, 2000))
    names = dice.choice((", ".join(["uniform"] * count), "mixture(" * count + "uniform" + ")" * count))
    yield Case(f"mixture of {count}", lambda _: relance.score(KUHN, f"mixture({names})"), bad=False)
    board = dice.choice(("Ah" * 5, "AhKhQhJh", "A" * 50_000, "🂡" * 5, " " * 40_000))
    yield Case(f"board {board[:10]!r}", lambda _: relance.make("river", board=board))


def logs(dice: random.Random) -> Cases:
    """Logs of games that cannot have been, and replays of other games: named as faults, or refused."""
    hand, chips = dice.choice((0, 1, 2)), dice.choice((2, -2, 10**9, 0))
    at = KUHN.tree.table.names.index

    def forged(folder: Path) -> None:
        rows = []
        for episode in range(20):
            for seat in (0, 1):
                about = {"seed": 1, "episode": episode, "agent": "ab"[seat], "opponent": "ba"[seat]}
                node = ("", "bet")[seat]
                rows.append(decision_row(KUHN, seat, hand, at(node), ("bet", "call")[seat], **about))
                rows.append(terminal_row(KUHN, seat, hand, at("bet-call"), chips, **about))
        path = folder / "forged.jsonl"
        path.write_text("".join(json.dumps(row.to_dict()) + "\n" for row in rows))
        score = relance.words.score_games(KUHN, relance.words.read_games(path, KUHN), "a")
        if not score.faults:
            raise Traceback("a forged log is taken")
        command("score-games", KUHN, path)

    yield Case(f"both hold card {hand} and get {chips}", forged, bad=False)
    name: object = dice.choice(
        ("hanabi(players=99)", "kuhn_poker()", "relance_", "relance_endgame(p=", 5, None, [], "\x00")
    )
    game = dice.choice(((), (KUHN,)))

    def replay(folder: Path) -> object:
        path = folder / "replay.json"
        about = {"openSpielGameStringResolved": name, "actionHistory": []}
        path.write_text(json.dumps({"steps": [], "info": about}))
        return relance.words.read_games(path, *game)

    yield Case(f"a replay of {name!r}", replay)
    label = dice.choice(("\x1b[2J", "<script>", "\x00", "x" * 10**5, "\u202e"))

    def labelled(folder: Path) -> None:
        path, about = folder / "log.jsonl", {"seed": 1, "episode": 0, "agent": label, "opponent": "b"}
        rows = [
            decision_row(KUHN, 0, 2, at(""), "bet", **about),
            terminal_row(KUHN, 0, 2, at("bet-fold"), 1, **about),
        ]
        path.write_text("".join(json.dumps(row.to_dict()) + "\n" for row in rows))
        command("score-games", KUHN, path)

    yield Case(f"an agent called {label[:20]!r}", labelled, bad=False)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
SAID: dict[str, tuple[bytes, bytes]] = {
    "drips": (HEAD + b"Content-Length: 1000000\r\n\r\n", b" "),
    "streams without end": (HEAD + b"\r\n", b"x" * 2**16),
    "stalls": (HEAD + b"Content-Length: 10\r\n\r\n", b""),
    "stalls after a failure": (b"HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\n", b""),
    "continues for ever": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "nests": (HEAD + b"\r\n" + b"[" * 10**5, b"close"),
    "has a lone surrogate": (HEAD + b'\r\n{"choices": [{"message": {"content": "\\ud800"}}]}', b"close"),
    "says no JSON": (HEAD + b"\r\n<html>", b"close"),
    "says other JSON": (HEAD + b'\r\n{"choices": [{"message": 5}]}', b"close"),
    "hangs up": (b"", b"close"),
    "says no HTTP": (b"220 smtp\r\n", b"close"),
    "has endless headers": (b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
}
"""What a server sends first, and then again and again until it is left."""


@contextmanager
def _server(first: bytes, again: bytes) -> Iterator[str]:
    over = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while not over.is_set():
            try:
                line, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(line,), daemon=True).start()

    def answer(line: socket.socket) -> None:
        with line, suppress(OSError):
            line.settimeout(5)
            line.recv(2**16)
            line.sendall(first)
            while again != b"close" and not over.wait(0.001 if len(again) > 9 else 0.05):
                line.sendall(again)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        over.set()
        listening.close()


def endpoints(dice: random.Random) -> Cases:
    """Servers that misbehave cost the seconds that were given, and end in an error that names the address."""
    name = dice.choice(list(SAID))

    def run(_: Path) -> None:
        with _server(*SAID[name]) as url:
            model = relance.words.Endpoint(url, "m", seconds=0.3, tries=1)
            (said,) = model([[{"role": "user", "content": "hi"}]])
        if isinstance(said, Exception):
            if url not in str(said):
                raise Traceback(f"{name}: {said!r}")
            raise ValueError(str(said))

    yield Case(f"a server that {name}", run, bad=name != "has a lone surrogate")


KINDS = (own_games, stakes, texts, logs, endpoints)
