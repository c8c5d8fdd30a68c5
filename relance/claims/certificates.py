"""Certificates: what a check computed and proved, as data that a program without any code of Relance re-verifies."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from relance.claims.domain import Domain
from relance.claims.dominance import plan_name, remaining, reply_to
from relance.claims.finding import Cases, Scope
from relance.claims.proof import Region
from relance.claims.trace import Origins, Step, Trace, distributions_of, numbers_of, region_of
from relance.claims.traced_numbers import TRACED, Computed, OfGame, PrintedNumber, TracedNumber
from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.interval import DensityDeal
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise, refined
from relance.model.strategy import Profile
from relance.model.tree import Decision, Node, Reveal
from relance.solvers.exact import gains, value
from relance.solvers.watcher import watched_by


def certificate(
    claim: str, statement: str, trace: Trace, domain: Domain = (), verdict: str = "", **more: Any
) -> dict[str, Any]:
    """Return the certificate of a claim, as a dictionary that can be written as JSON.

    Args:
        claim: the claim's id, "paper/claim".
        statement: what the claim says; where that is false, its correction.
        trace: the record of what the claim's check computed and decided.
        domain: the conditions on symbols under which the claim is made.
        verdict: a key of `relance.claims.finding.VERDICT_MEANINGS`.
        more: further entries: a step that the check left "unproved", and a person's "argument" for it; whether the claim is "about" games
            or numbers; the "printed" and the "corrected" numbers, as formulas; whether the claim is data in `claims.toml` ("as data");
            its "games", the claims that it "rests on", and the symbols that stand for whole numbers ("counts").
    """
    writer = _Writer(trace)
    with watched_by(Origins()):
        found = [writer.step(step) for step in trace.steps if step.asked or (verdict == "refuted" and not step.mended)]
        decided = {json.dumps(step): step for step in found if step}
        cases = {name: [writer.scope(scope) for scope in scopes] for name, scopes in trace.parts.items()}
    said: dict[str, Any] = {"claim": claim, "statement": statement, "printed": {}, "corrected": {}}
    said |= {
        "domain": domain,
        "verdict": verdict,
        "about": "games",
        "unproved": "",
        "argument": "",
        "as data": False,
        "games": [],
        "rests on": [],
        "counts": [],
    }
    program = {"regions": writer.regions, "plays": writer.plays, "numbers": writer.numbers}
    steps = [step for step in decided.values() if "wrong" not in step and ("mended" in step) == trace.mended]
    kinds = {(writer.place_of(step), writer.scheme(step)) for step in steps}
    schemes = dict[str, list[str]]()
    for part, places in cases.items():
        if told := [place for place in places if isinstance(place, int)]:
            same = {scheme for place, scheme in kinds if place in told}
            schemes[part] = sorted(same or {scheme for place, scheme in kinds if place is not None})
    return {**said, **more, "parts": cases, "schemes": schemes, "steps": list(decided.values()), **program}


ABOUT_PLAYS = ("nash", "short", "moves", "left", "dominated", "higher", "better")
"""The kinds of steps that refer to a play: a game with a profile."""

SCHEMES = {
    **dict.fromkeys(("nash", "short"), "equilibrium"),
    **dict.fromkeys(("moves", "left", "dominated", "higher", "better"), "plans"),
    "whole": "whole numbers",
    "induction": "induction",
}
"""{kind of a step: its proof scheme}. Steps of other kinds compare "values" that games give, or other "numbers"."""


def _python(text: str) -> str:
    return text.replace("^", "**")


class _Writer:
    """Writes regions, plays and numbers, each once; others name them by their place in the list."""

    def __init__(self, trace: Trace) -> None:
        self._conditions, self._amounts = trace.conditions, trace.amounts
        self.regions: list[dict[str, list[str]]] = []
        self.plays: list[dict[str, Any]] = []
        self.numbers: list[list[Any]] = []
        self._places: dict[str, int] = {}
        self._games: dict[int, bool] = {}
        self._written: dict[int, tuple[object, int]] = {}

    def place_of(self, step: Mapping[str, Any]) -> int | None:
        """The index in `regions` of a step's region; None for a single point or game."""
        play = next((step[kind] for kind in ABOUT_PLAYS if kind in step), None)
        place: int | None = step.get("region") if play is None else self.plays[play]["region"]
        return place

    def scheme(self, step: Mapping[str, Any]) -> str:
        """The proof scheme of a step: one of `SCHEMES`, "values" for numbers of a game, or "numbers"."""
        named = next((scheme for kind, scheme in SCHEMES.items() if kind in step), None)
        return named or ("values" if self._from_game(step) else "numbers")

    def _from_game(self, part: Any) -> bool:
        """Whether a number that is named here comes from a game."""
        return any(self._games[int(place)] for place in re.findall(r'"#(\d+)"', json.dumps(part)))

    def _place(self, entries: list[Any], entry: Any) -> int:
        key = f"{id(entries)} {json.dumps(entry)}"
        if key not in self._places:
            self._places[key] = len(entries)
            entries.append(entry)
        return self._places[key]

    def region(self, region: object) -> int | None:
        """The index of a region in the list `regions`, to which new ones are added; None if it is no `Region`."""
        if not isinstance(region, Region):
            return None
        texts, mended = self._conditions.get(region, (region.conditions, None))
        names = {} if mended is None else {"with": "corrected" if mended else "printed"}
        whole = {"amounts": [_python(str(size)) for size in self._amounts[region]]} if region in self._amounts else {}
        said = {"symbols": list(region.names), "conditions": [*map(_python, texts)], **names, **whole}
        return self._place(self.regions, said)

    def scope(self, scope: Scope) -> Any:
        """The scope of a finding as data: a region's index, the members of a family, or a game or point as text."""
        if isinstance(scope, Region):
            return self.region(scope)
        if isinstance(scope, Cases):
            members = {str(k): [self.scope(one) for one in scopes] for k, scopes in scope.members.items()}
            return {"each": scope.name, "of": members, "and on": scope.closed}
        return {"at": str(scope)}

    def number(self, number: Number) -> str:
        """A number as text. One that remembers its origin becomes "#" and its index in the list `numbers`."""
        if not isinstance(number, TRACED):
            return _python(str(number))
        waiting: list[TracedNumber] = [number]
        while waiting:
            last = waiting[-1]
            before = [one for one in _origins(last) if isinstance(one, TRACED)]
            if id(last) in self._written:
                waiting.pop()
            elif left := [one for one in before if id(one) not in self._written]:
                waiting += left
            else:
                entry = [self.region(getattr(last, "region", None)), *self._origin(last.origin)]
                self._written[id(last)] = last, self._place(self.numbers, entry)
                self._games[self._written[id(last)][1]] = entry[1] == "play" or self._from_game(entry)
        return f"#{self._written[id(number)][1]}"

    def _origin(self, origin: tuple[Any, ...]) -> list[Any]:
        match origin:
            case PrintedNumber(name, text, symbols):
                known = {symbol: self.number(one) for symbol, one in symbols.items() if str(one) != symbol}
                return ["formula", name, text, known]
            case Computed("at", (one, point)):
                return ["at", self.number(one), {symbol: self.number(there) for symbol, there in point.items()}]
            case Computed("slope" | "^" as how, (one, plain)):
                return [how, self.number(one), plain]
            case Computed(how, of):
                return [how, *(self.number(one) for one in of)]
        return ["play", *self._of_game(OfGame(*origin))]

    def _of_game(self, of: OfGame) -> list[Any]:
        against, at = of.against, list(of.at)
        play, cuts = self.play(of.game, of.profile, [] if against is None else [against])
        if of.what == "terminal":
            at = self.row(at)
        elif at and cuts:  # on [0, 1]
            at[0] = next(k for k, cut in enumerate(cuts) if cut == at[0])
        weights = None if against is None else self.row(_cells(against, cuts))
        return [play, of.what, of.player, of.node, of.action, at, weights]

    def row(self, numbers: Iterable[Number]) -> list[str]:
        """Several numbers as texts, see `number`."""
        return [self.number(number) for number in numbers]

    def node(self, node: Node) -> dict[str, Any]:
        """A node of a betting tree and all nodes below it, as nested dictionaries."""
        if isinstance(node, Decision):
            return {
                "player": node.player,
                "actions": {a: self.node(n) for a, n in node.by_action(node.children).items()},
            }
        if isinstance(node, Reveal):
            return {"events": {event: self.node(n) for event, n in zip(node.events, node.children, strict=True)}}
        contest = {"contest": node.contest} if node.contest else {}
        return {"pays": self.number(node.constant), "stake": self.number(node.stake), **contest}

    def play(self, game: Game, profile: Profile, also: Sequence[Any] = ()) -> tuple[int, Sequence[Number]]:
        """The index in `plays` of a game with a profile, and the cuts of [0, 1] where these or `also` change."""
        total = game.deal.total(game.deal.prior(0))
        plan = [(name, action, row) for name, rows in profile.plan().items() for action, row in rows.items()]
        cuts: Sequence[Number] = ()
        if isinstance(game.deal, DensityDeal):
            factors = [
                (f if total == 1 else f * (1 / total), g)
                for distribution in distributions_of(game.deal)
                for f, g in distribution.terms
            ]
            functions = refined([*(f for term in factors for f in term), *(row for *_, row in plan), *also])
            pieces = iter([self.row(piece) for piece in f.pieces] for f in functions[: 2 * len(factors)])
            cuts = functions[0].cuts
            hands = {"cuts": self.row(cuts), **self.densities(game.deal, pieces)}
            rows = [function.values() for function in functions[2 * len(factors) :][: len(plan)]]
        else:
            hands, rows = self.hands(game.finite_deal(), total), [row for *_, row in plan]
        strategies: dict[str, dict[str, list[str]]] = {}
        for (name, action, _), row in zip(plan, rows, strict=True):
            strategies.setdefault(name, {})[action] = self.row(row)
        where = region_of((*numbers_of(game, profile), *cuts))
        body = {"tree": self.node(game.tree.root), "hands": hands, "strategies": strategies}
        scale = {} if total == 1 else {"scale": self.number(total)}
        return self._place(self.plays, {"game": str(game), "region": self.region(where), **body, **scale}), cuts

    def hands(self, deal: FiniteDeal, total: Number) -> dict[str, Any]:
        """A finite deal as data: the probability of each pair of hands, divided by `total`, and its edge."""
        joint = deal.joint() if total == 1 else deal.joint() / total
        edges = [[deal.compare(i, j) if p != 0 else 0 for j, p in enumerate(row)] for i, row in enumerate(joint)]
        names = [list(side) for side in deal.labels]
        more = _more(deal, lambda distribution: self.hands(distribution, total))
        return {"names": names, "joint": [*map(self.row, joint)], "edge": [*map(self.row, edges)], **more}

    def densities(self, deal: DensityDeal, pieces: Iterator[Any]) -> dict[str, Any]:
        """A density of hands on [0, 1], and those after events, as data; `pieces` yields all their factors in order."""
        terms = [(next(pieces), next(pieces)) for _ in deal.terms]
        return {"density": terms, **_more(deal, lambda distribution: self.densities(distribution, pieces))}

    def step(self, step: Step) -> dict[str, Any] | None:
        """A step (a decided fact) as data; None if it rests on gains that were rounded."""
        mended = {key: True for key, said in (("mended", step.mended), ("wrong", not step.asked)) if said}
        match step.kind, step.of:
            case "nash", (Game() as game, Profile() as profile):
                both, total = gains(game, profile), game.deal.total(game.deal.prior(0))
                if sum(both) != 0 and getattr(game.deal, "precision", None) is not None:
                    return None
                worth = {
                    "value": self.number(value(game, profile) / total),
                    "gains": self.row(one / total for one in both),
                }
                return {"nash": self.play(game, profile)[0], **worth, **mended}
            case "short", (Game() as game, Profile() as profile, player, most):
                return {"short": self.play(game, profile)[0], "player": player, "of": self.number(most), **mended}
            case "moves", (Game() as game, dict() as named):
                return {"moves": self.play(game, game.uniform())[0], "are": named, **mended}
            case ("dominated" | "left") as kind, (Game() as game, player, hand, *of):
                return {
                    kind: self.play(game, game.uniform())[0],
                    "player": player,
                    **_of_plans(game, player, hand, *of),
                    **mended,
                }
            case ("signs" | "rises") as kind, (Piecewise() as f, left, right, *sign):
                function = {"cuts": self.row(f.cuts), "pieces": [self.row(piece) for piece in f.pieces]}
                ends = {"from": self.number(left), "to": self.number(right)}
                said = {kind: function, **ends, **({"sign": sign[0]} if sign else {})}
            case "induction", ((holds, first, then, used, before),):
                said = {"induction": list(map(_python, holds)), "before": self.region(before)}
                said |= {
                    key: {x: _python(text) for x, text in of.items()} for key, of in (("first", first), ("then", then))
                }
                said |= {"known": {name: self.number(number) for name, number in used.items()}}
            case ("higher" | "better") as kind, (Game() as game, node, action, over, when, *crosses):
                asked = {"node": node, "action": action, "over": over, "when": when, "crosses": crosses == [True]}
                return {kind: self.play(game, game.uniform())[0], **asked, **mended}
            case "root", (number, symbol, low, high):
                said = {"root": self.number(number), "symbol": symbol, "between": [_python(low), _python(high)]}
            case "product", (number, symbol):
                said = {"product": self.number(number), "symbol": symbol}
            case "whole", (either,):
                said = {"whole": [list(map(_python, case)) for case in either]}
            case "fails", (one, str(relation)):
                said = {"fails": self.number(one), "is": relation}
            case ("equal" | "differ" | "rounds") as kind, (one, other, *unit):
                said = {kind: self.row([one, other]), **({"unit": str(unit[0])} if unit else {})}
            case kind, (one,):
                said = {kind: self.number(one)}
        more = {**({"name": step.name} if step.name else {}), **({"point": dict(step.point)} if step.point else {})}
        return {**said, "region": self.region(step.region), **more, **mended}


def _more(deal: Any, write: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """The distributions after each event and in each contest, where there are any."""
    parts = {"events": deal.events, "contests": deal.contests}
    return {
        key: {name: write(distribution) for name, distribution in distributions.items()}
        for key, distributions in parts.items()
        if distributions
    }


def _of_plans(game: Game, player: int, hand: int | str, *more: Any) -> dict[str, Any]:
    """Return a player's plans left with a hand; or for one of them, a mixture that dominates it, or beliefs to which it is a best reply."""
    *of, result = more
    without = of[-1] if of and not isinstance(of[-1], dict) else ()
    said: dict[str, Any] = {"without": [[m.player, m.hand, list(m.nodes), m.action] for m in without]}
    if isinstance(hand, str):
        return {"hand": hand, **said, "are": result}
    plan, label = of[0], game.finite_deal().labels[player][hand]
    if result is None:
        beliefs = [[other, reply, str(chance)] for other, reply, chance in reply_to(game, player, hand, plan, without)]
        return {"hand": label, **said, "plan": plan, "beliefs": beliefs}
    mixture = [
        [one, str(result[plan_name(one)])]
        for one in remaining(game, player, label, without)
        if plan_name(one) in result
    ]
    return {"hand": label, **said, "plan": plan, "by": mixture}


def _origins(number: TracedNumber) -> Iterator[Any]:
    """The numbers that a number is computed from; those of a game are written with it."""
    match number.origin:
        case PrintedNumber(_, _, symbols):
            yield from symbols.values()
        case Computed("at", (one, point)):
            yield from (one, *point.values())
        case Computed(_, of):
            yield from of


def _cells(function: Any, cuts: Sequence[Number]) -> Iterable[Number]:
    if not cuts:
        return list(function)
    return refined([function, Piecewise(cuts, [()] * (len(cuts) - 1))])[0].values()
