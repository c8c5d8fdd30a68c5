"""The checker of certificates accepts what Relance writes, and rejects an error planted in any part of it."""

import ast
import copy
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import relance
from relance.claims.certificates import certificate
from relance.claims.proof import region
from relance.claims.schemes import better, greatest_product, higher, root
from relance.claims.trace import Trace
from relance.model.blueprint import Blueprint, Source
from relance.model.distributions import uniform
from relance.model.game import Game
from relance.model.interval import DensityDeal
from relance.model.matrix_deal import MatrixDeal
from relance.model.piecewise import Piecewise
from relance.model.ranked_deal import RankedDeal
from relance.model.tree import BettingTree, Leaf, decision, reveal
from relance.solvers.exact import falls_short, nash_conv
from relance.solvers.watcher import watched_by
from tools import check_certificates as checker

SCRIPT = Path(checker.__file__)
ASK = checker.solver("z3")
B = region("B", "B > 0")
PAB = region("P, a, b", "0 < P", "P < 1", "a > 0", "b > 0", "P*(2*a + 2*b) < 2*a + b")


def revealing(deal):
    """A game in which an event turns up after a bet, and a call may be decided by another contest."""
    last = {"contest": "low"} if deal.events["up"].contests else {}
    calls = {event: decision(1, fold=Leaf(1), call=Leaf(0, 2, None, **last)) for event in ("up", "down")}
    tree = BettingTree(decision(0, check=Leaf(0), bet=reveal(**calls)))
    source = Source("own", "nobody", "a game of a test", 2026, "")
    game = Game(Blueprint("own", "a game of a test", source, {}, lambda: (tree, deal)), {}, tree, deal)
    return game, game.profile({"": {"bet": 1}, "bet-up": {"call": 1}, "bet-down": {"call": 0}})


def two_hands(p):
    """Player 0 has a low or a high hand; "up" turns up with probability p after a high hand, and 1 - p after a low one."""
    names, half = (["low", "high"], ["hand"]), Fraction(1, 2)
    edges = np.array([[Fraction(-1)], [Fraction(1)]], object)

    def distribution(low, high):
        joint = np.array([[half * low], [half * high]], object)
        return MatrixDeal(names, joint, edges).with_contests({"low": MatrixDeal(names, joint, -edges)})

    whole = MatrixDeal(names, np.array([[half], [half]], object), edges)
    return whole.with_events({"up": distribution(1 - p, p), "down": distribution(p, 1 - p)})


def signal():
    """Hands on [0, 1]; "up" turns up with probability 2/3 if player 0's hand is above 1/2, and 1/3 if below."""
    one, half, third = Piecewise.constant(1), Fraction(1, 2), Fraction(1, 3)
    chances = {"up": (third, 2 * third), "down": (2 * third, third)}
    distributions = {
        event: Piecewise.steps([(0, half, low), (half, 1, high)]) for event, (low, high) in chances.items()
    }
    return uniform().with_events({event: DensityDeal([(chance, one)]) for event, chance in distributions.items()})


P = region("p", "1/2 < p", "p < 3/4")
REVEALING = {"events": revealing(two_hands(Fraction(2, 3))), "events, symbols": revealing(two_hands(P["p"]))}
REVEALING["events, interval"] = revealing(signal())
GAMES = {
    "cards": relance.make("one_card_poker"),
    "interval": relance.make("von_neumann", bet=2),
    "interval, symbols": relance.make("von_neumann", bet=B["B"]),
    "hands, symbols": relance.make("endgame", p=PAB["P"], ante=PAB["a"], bets=[PAB["b"]]),
}
RAISED = ("actions", "bet", "actions", "raise", "actions", "call")
HARMLESS = [  # in "cards" nobody calls a raise, nobody holds the same card twice, and the worst card does not meet the best at a showdown
    *(("tree", *path, key) for path in (RAISED, ("actions", "check", *RAISED)) for key in ("pays", "stake")),
    *(("hands", "edge", *pair) for pair in ((0, 0), (1, 1), (2, 2), (0, 2))),
]


def written(game, profile=None):
    """The certificate of a profile, as it is read from a file."""
    with watched_by(trace := Trace()):
        nash_conv(game, profile or game.published())
    return json.loads(json.dumps(certificate("paper/claim", "a statement", trace)))


CERTIFICATES = {name: written(game) for name, game in GAMES.items()}


def profile_of(certificate):
    """The only play of a certificate, with its region and its step."""
    (play,), (step,) = certificate["plays"], certificate["steps"]
    region = {"symbols": [], "conditions": []} if play["region"] is None else certificate["regions"][play["region"]]
    return {**{key: play[key] for key in ("tree", "hands", "strategies")}, **region, **step}


def alone(profile):
    """A certificate with one play, written by hand."""
    region = {key: profile[key] for key in ("symbols", "conditions")}
    play = {"game": "a game", "region": 0, **{key: profile[key] for key in ("tree", "hands", "strategies")}}
    step = {key: profile[key] for key in ("nash", "short", "value", "gains", "player", "of") if key in profile}
    step = step if "short" in step else {"nash": 0, **step}
    said = {"claim": "paper/claim", "statement": "", "printed": {}, "corrected": {}, "domain": [], "verdict": "exact"}
    rests_on = {"regions": [region], "plays": [play], "numbers": [], "steps": [step], "parts": {}}
    empty = {
        "unproved": "",
        "argument": "",
        "as data": False,
        "about": "games",
        "games": [],
        "rests on": [],
        "counts": [],
        "schemes": {},
    }
    return {**said, **empty, **rests_on}


PROFILES = {name: profile_of(certificate) for name, certificate in CERTIFICATES.items()}


def places(part, path=()):
    """The path to each text in a part of a certificate."""
    if isinstance(part, str):
        yield path
    elif not isinstance(part, int):
        for key, child in part.items() if isinstance(part, dict) else enumerate(part):
            yield from places(child, (*path, key))


def changed(certificate, *path, to):
    """The certificate with one thing in it replaced by a function of it."""
    out = copy.deepcopy(certificate)
    part = out
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to(part.get(path[-1]) if isinstance(part, dict) else part[path[-1]])
    return out


@pytest.mark.parametrize("name", REVEALING)
def test_events_and_contests_are_certified(name):
    data = written(*REVEALING[name])
    assert accepted(data)
    profile = profile_of(data)
    for part in ("hands", "strategies", "value", "gains"):
        moved = [path for path in places(profile[part], (part,)) if "names" not in path]
        assert moved
        for path in moved:
            change = "({})*9/10" if "edge" in path else "({}) + 1/1000"
            wrong = alone(changed(profile, *path, to=change.format))
            unused = "edge" in path and "contests" not in path  # all showdowns are in the contest
            assert accepted(wrong) == unused, path
    call = ("tree", "actions", "bet", "events", "up", "actions", "call")
    for path, to in (
        (("tree", "actions", "bet", "events"), lambda events: {"up": events["up"]}),
        (("hands", "events"), lambda events: {"up": events["up"]}),
        (("hands", "events"), lambda events: {"up": events["down"], "down": events["up"]}),
        ((*call, "contest"), lambda _: "high"),
        ((*call, "stake"), lambda _: "3"),
    ):
        assert not accepted(alone(changed(profile, *path, to=to))), path


def accepted(certificate):
    try:
        checker.decide(certificate, ASK)
    except checker.Refused:
        return False
    return True


@pytest.mark.parametrize("name", CERTIFICATES)
def test_an_equilibrium_is_accepted(name):
    assert PROFILES[name]["gains"] == ["0", "0"]
    assert bool(PROFILES[name]["symbols"]) == ("symbols" in name)
    assert checker.decide(CERTIFICATES[name], ASK)[0] == checker.DECIDES
    assert accepted(alone(PROFILES[name]))


@pytest.mark.parametrize("part", ["tree", "hands", "strategies", "value", "gains"])
@pytest.mark.parametrize("name", CERTIFICATES)
def test_every_number_that_is_moved_is_noticed(name, part):
    moved = [path for path in places(PROFILES[name][part], (part,)) if "names" not in path]
    assert moved
    for path in moved:
        wrong = alone(changed(PROFILES[name], *path, to=lambda text: f"({text}) + 1/1000"))
        assert accepted(wrong) == (name == "cards" and path in HARMLESS), path


@pytest.mark.parametrize(
    ("name", "dropped"),
    [("interval, symbols", "B > 0"), ("hands, symbols", "P*(2*a + 2*b) < 2*a + b"), ("hands, symbols", "a > 0")],
)
def test_a_condition_that_is_dropped_or_widened_is_noticed(name, dropped):
    profile = PROFILES[name]
    without = changed(profile, "conditions", to=lambda texts: [text for text in texts if text != dropped])
    assert without != profile
    assert not accepted(alone(without))
    wider = changed(profile, "conditions", to=lambda texts: [text.replace("2*a + b", "2*a + 2*b") for text in texts])
    assert accepted(alone(wider)) == (wider == profile)


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("tree", "player"), lambda player: 1 - player),
        (("tree", "player"), lambda player: -1),
        (("tree", "actions", "bet", "player"), lambda player: -1),
        (("tree", "actions"), lambda actions: dict(reversed([*zip(actions, reversed(actions.values()), strict=True)]))),
        (("strategies",), lambda rows: {name: row for name, row in rows.items() if name}),
        (("strategies", "bet"), lambda row: dict(zip(row, reversed(row.values()), strict=True))),
        (("strategies", "", "bet"), lambda row: row[:-1]),
        (("hands", "cuts"), lambda cuts: cuts[::-1]),
        (("hands", "density", 0), lambda term: [term[0], [["2"], ["-1"], ["1"], ["1"]]]),
        (("symbols",), lambda _: ["hand!"]),
        (("symbols",), lambda _: ["B Real) (assert false) (declare-const C"]),
        (("value",), lambda _: "hand"),
        (("value",), lambda text: f"{text} + sqrt(4)"),
        (("value",), lambda _: "#0"),
    ],
)
def test_what_is_malformed_or_rearranged_is_refused(path, to):
    with pytest.raises((checker.Refused, ValueError, IndexError)):
        checker.decide(alone(changed(PROFILES["interval"], *path, to=to)), ASK)


def test_a_region_without_points_proves_nothing():
    empty = changed(PROFILES["interval, symbols"], "conditions", to=lambda texts: [*texts, "B < 0"])
    assert not accepted(alone(empty))


def test_what_can_be_gained_is_certified_too():
    game = GAMES["interval"]
    plan = game.published().plan() | {"bet": {"call": 1}}
    profile = profile_of(written(game, game.profile(plan)))
    assert profile["gains"] != ["0", "0"]
    assert accepted(alone(profile))
    assert not accepted(alone({**profile, "gains": ["0", "0"]}))


def test_a_player_who_falls_short_is_certified_too():
    """The opener who bluffs too often is called."""
    where = region("B, x", "0 < B", "B < 1", "B/(B + 2) < x", "x <= 1")
    game = relance.make("one_card_poker", raises=0, bet=where["B"])
    worth = -(where["B"] ** 2) / (6 * (where["B"] + 2))
    plan = {**game.published().plan(), "": {"bet": [where["x"], 0, 1]}, "bet": {"call": [0, 1, 1]}}
    with watched_by(trace := Trace()):
        assert falls_short(game, game.profile(plan), 0, worth)
        assert not falls_short(game, game.profile(plan), 1, -worth)
    profile = profile_of(json.loads(json.dumps(certificate("paper/claim", "a statement", trace))))
    assert accepted(alone(profile))
    for path, to in (
        (("of",), lambda text: f"({text}) - 1/100"),
        (("player",), lambda _: 1),
        (("player",), lambda _: 2),
        (("strategies", "bet", "call", 1), lambda _: "0"),
        (("conditions",), lambda texts: [text for text in texts if "< x" not in text]),
    ):
        assert not accepted(alone(changed(profile, *path, to=to))), path


def schemes():
    """Steps that say more than they compute: about any answer of the other player, between two values of a symbol, and of any factors."""
    where, line, growth = region("B", "B > 0"), region("a, x", "a > 0", "x > 0"), region("t", "t > 0")
    with watched_by(trace := Trace()):
        game = relance.make("von_neumann", bet=where["B"])
        assert higher(game, where, "bet", "call", "fold", {}, crosses=True).holds
        assert higher(relance.make("la_relance", bet=where["B"]), where, "", "bet", "fold", {"bet": "call"}).holds
        assert better(relance.make("bellman_blackwell", low=0, high=where["B"]), where, "low", "call", "fold", {}).holds
        assert root(line["x"] * line["x"] - line["a"], "x", "a/(a + 1)", "a + 1").holds
        assert greatest_product(2 * growth["t"] / (growth["t"] + 1), "t").holds
    return json.loads(json.dumps(certificate("paper/claim", "a statement", trace)))


def test_schemes_are_certified():
    assert accepted(schemes())


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("steps", 0, "action"), lambda _: "fold"),
        (("steps", 0, "over"), lambda _: "call"),
        (("steps", 0, "when"), lambda _: {"": "bet"}),
        (("steps", 0, "node"), lambda _: ""),
        # Then a call always gains.
        (("plays", 0, "tree", "actions", "bet", "actions", "fold", "pays"), lambda _: "-(B + 2)"),
        # The lower hand wins.
        (("plays", 0, "tree", "actions", "bet", "actions", "call", "stake"), lambda _: "-(B + 1)"),
        (("plays", 0, "tree", "actions", "bet", "actions", "fold", "stake"), lambda _: "B + 1"),
        # Hands that may depend on each other.
        (("plays", 0, "hands", "density"), lambda terms: [*terms, [["0"], ["0"]]]),
        (("steps", 1, "when"), lambda _: {"bet": "fold"}),
        (("steps", 1, "when"), lambda _: {"bet": "raise"}),
        (("steps", 1, "over"), lambda _: "bet"),
        (("steps", 2, "over"), lambda _: "call"),
        (("steps", 2, "action"), lambda _: "fold"),
        (("plays", 2, "tree", "actions", "low", "actions", "fold", "pays"), lambda _: "-2"),  # then a fold wins more
        (("steps", 3, "between"), lambda ends: ends[::-1]),
        (("steps", 3, "between"), lambda ends: [ends[1], "a + 2"]),
        (("steps", 3, "between", 0), lambda _: "-a - 1"),  # x is not above 0 there
        (("steps", 3, "symbol"), lambda _: "a"),
        (("steps", 3, "root"), lambda number: f"-({number})"),
        (("regions", 1, "conditions"), lambda texts: [*texts, "x > 1"]),
        (("counts",), lambda _: ["a", "x"]),  # no whole number is the root of 2
        (("steps", 4, "product"), lambda _: "t"),
        (("steps", 4, "product"), lambda _: "t/(t + 1) - 1"),  # below 0
        (("regions", 2, "conditions"), lambda _: ["t > 1"]),
        (("counts",), lambda _: ["t"]),
    ],
)
def test_a_false_scheme_is_refused(path, to):
    data = schemes()
    assert [next(iter(step)) for step in data["steps"]] == ["higher", "higher", "better", "root", "product"]
    assert not accepted(changed(data, *path, to=to))


def test_a_scheme_is_of_the_other_players_answers_alone():
    """After a reraise the player who raised acts again."""
    data = schemes()
    again = relance.make("force_in", raises=2)
    play = written(again)["plays"][0]
    step = {"higher": 0, "node": "", "action": "raise", "over": "fold", "when": {"raise": "call"}, "crosses": False}
    assert not accepted({**data, "plays": [play], "numbers": written(again)["numbers"], "steps": [step], "regions": []})


@pytest.mark.parametrize("player", [0, 1])
def test_what_a_broken_engine_writes_is_refused(monkeypatch, player):
    def first_is_best(deal, values):
        return [deal.constant(0, int(k == 0)) for k in range(len(values))]

    def edge_of_nobody(deal, mine, weight):
        return weight * 0 if mine == player else edge(deal, mine, weight)

    game, edge = GAMES["cards"], RankedDeal.edge
    assert accepted(written(game, game.uniform()))
    with monkeypatch.context() as patch:
        patch.setattr(RankedDeal, "pick_best", first_is_best)
        assert not accepted(written(game, game.uniform()))
    monkeypatch.setattr(RankedDeal, "edge", edge_of_nobody)
    assert not accepted(written(game, game.uniform()))


def leaf(pays, stake="0"):
    return {"pays": pays, "stake": stake}


def la_relance(cuts, first, second, bets, calls, value, bet="2"):
    """A profile written by hand: player 0 folds or bets, player 1 folds or calls, with antes of 1."""
    facing = {"player": 1, "actions": {"fold": leaf("1"), "call": leaf("0", f"1 + {bet}")}}
    rows = {"": ("fold", "bet", bets), "bet": ("fold", "call", calls)}
    return {
        "symbols": [],
        "conditions": [],
        "tree": {"player": 0, "actions": {"fold": leaf("-1"), "bet": facing}},
        "hands": {"cuts": cuts, "density": [[[first] * len(bets), [second] * len(bets)]]},
        "strategies": {node: {no: [f"1 - {p}" for p in row], yes: row} for node, (no, yes, row) in rows.items()},
        "value": value,
        "gains": ["0", "0"],
    }


def test_square_roots_and_densities_that_are_not_constant():
    # Hands with distribution x^2 are uniform hands in disguise: thresholds 1/4 and 1/2 become 1/2 and sqrt(1/2).
    cuts, bets, calls = ["0", "1/2", "sqrt(2)/2", "1"], ["0", "1", "1"], ["0", "0", "1"]
    good = la_relance(cuts, ["0", "2"], ["0", "2"], bets, calls, "-1/4")
    assert accepted(alone(la_relance(["0", "1/4", "1/2", "1"], ["1"], ["1"], bets, calls, "-1/4")))
    assert accepted(alone(good))
    assert not accepted(alone(changed(good, "hands", "cuts", 2, to=lambda _: "sqrt(2)/2 + 1/1000")))
    assert not accepted(alone(changed(good, "hands", "density", 0, 0, 1, to=lambda _: ["1", "1"])))
    assert not accepted(alone(changed(good, "value", to=lambda _: "-sqrt(2)/6")))


def test_the_profile_of_the_documentation_is_right():
    page = (SCRIPT.parents[1] / "docs" / "howto" / "check_a_proof.md").read_text(encoding="utf-8")
    profile = json.loads(page.partition("```json")[2].partition("```")[0])
    assert accepted(alone({**profile, "symbols": [], "conditions": [], "value": "1/9", "gains": ["0", "0"]}))


def test_two_nodes_of_one_name_are_refused():
    inner = {"player": 1, "actions": {"yes": leaf("1")}}
    outer = {"player": 0, "actions": {"bet-raise": inner, "bet": {"player": 0, "actions": {"raise": inner}}}}
    strategies = {"": {"bet-raise": ["1"], "bet": ["0"]}, "bet": {"raise": ["1"]}, "bet-raise": {"yes": ["1"]}}
    hands = {"joint": [["1"]], "edge": [["0"]]}
    profile = {"symbols": [], "conditions": [], "tree": outer, "hands": hands, "strategies": strategies}
    assert not accepted(alone({**profile, "value": "1", "gains": ["0", "0"]}))


def test_dependent_hands():
    # Density 2/3 (2x) + 1/3 (2y): player 0 wins with probability 2/3 of 2/3 plus 1/3 of 1/3, which is an edge of 1/9.
    tree = {"player": 0, "actions": {"stop": leaf("0"), "go": leaf("10", "9")}}
    strategies = {"": {"stop": ["0"], "go": ["1"]}}
    density = [[[["0", "4/3"]], [["1"]]], [[["2/3"]], [["0", "1"]]]]
    profile = {
        "symbols": [],
        "conditions": [],
        "tree": tree,
        "strategies": strategies,
        "value": "11",
        "gains": ["0", "0"],
    }
    good = {**profile, "hands": {"cuts": ["0", "1"], "density": density}}
    assert accepted(alone(good))
    assert not accepted(alone(changed(good, "value", to=lambda _: "10")))
    assert not accepted(alone(changed(good, "hands", "density", 0, 0, 0, to=lambda _: ["-1/6", "5/3"])))


def test_the_script_needs_nothing_of_ours():
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    named = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    named += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {name.partition(".")[0] for name in named} - sys.stdlib_module_names == {"z3", "cvc5"}


def run(*arguments, alone=False):
    command = [sys.executable, *(["-I", "-S"] if alone else []), str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_script_runs_alone_and_its_exit_status_tells(tmp_path):
    good, symbols = tmp_path / "claim.json", tmp_path / "symbols" / "claim.json"
    symbols.parent.mkdir()
    good.write_text(json.dumps(CERTIFICATES["cards"]))
    symbols.write_text(json.dumps(CERTIFICATES["hands, symbols"]))
    done = run(good, alone=True)
    assert done.returncode == 0
    assert "1 claims: 1 decides the claim;" in done.stdout
    done = run(symbols, alone=True)
    assert done.returncode == 1
    assert "undecided: it needs a solver" in done.stdout
    assert "1 claims: 1 undecided;" in done.stdout
    assert run(symbols, "--solver", "z3").returncode == 0
    good.write_text(json.dumps(changed(CERTIFICATES["cards"], "steps", 0, "value", to=lambda text: f"-({text})")))
    done = run(tmp_path, "--solver", "z3")
    assert done.returncode == 1
    assert "WRONG: a value of one_card_poker" in done.stdout
    assert "is -1/18, not 1/18: the difference is -1/9" in done.stdout
    assert "2 claims: 1 decides the claim, 1 WRONG;" in done.stdout
    (tmp_path / "empty").mkdir()
    assert run(tmp_path / "empty").returncode == 1


@pytest.mark.parametrize(
    "ask", [checker.solver(""), checker.solver("no-such-program"), lambda script: "unknown", lambda script: ""]
)
def test_a_solver_that_is_missing_or_gives_up_leaves_a_certificate_undecided(ask):
    with pytest.raises(checker.Undecided):
        checker.decide(CERTIFICATES["hands, symbols"], ask)


def test_what_is_wrong_is_said_also_where_another_step_needs_a_solver():
    """Without a solver a true claim with symbols is undecided, and a wrong one is wrong."""
    data = CERTIFICATES["hands, symbols"]
    with pytest.raises(checker.Undecided):
        checker.decide(data, checker.solver(""))
    wrong = {**data, "steps": [*data["steps"], {"equal": ["1", "2"], "region": None}]}
    with pytest.raises(checker.Refused, match="the first of two numbers is 1, not 2: the difference is -1"):
        checker.decide(wrong, checker.solver(""))


@pytest.mark.parametrize(
    ("either", "counts", "said"),
    [
        ([["p + 1 <= q"]], ["p", "q"], checker.DECIDES),  # between real numbers it is not so
        ([["q == p + 1"], ["q > p + 1"]], ["p", "q"], checker.DECIDES),
        ([["q == p + 1"], ["q > p + 2"]], ["p", "q"], "not all whole numbers"),
        ([["p + 2 <= q"]], ["p", "q"], "not all whole numbers"),
        ([["p + 1 <= q"]], ["p"], "no whole number"),
    ],
)
def test_whole_numbers_have_nothing_between_them(either, counts, said):
    where = region("p, q", "p < q")
    trace = Trace()
    trace.add("whole", either, where=where)
    trace.parts = {"": (where,)}
    data = certificate("own/whole", "", trace, ["p < q"], "proved", counts=counts, about="numbers")
    if said == checker.DECIDES:
        assert checker.decide(data, ASK)[0] == said
        return
    with pytest.raises(checker.Refused, match=said):
        checker.decide(data, ASK)


@pytest.mark.parametrize(
    ("amounts", "counts", "why"),
    [
        (["k"], ["k"], ""),
        ([], ["k"], "is not at least 0"),
        (["k"], [], "need not be a whole number"),
        (["k/2"], ["k"], "need not be a whole number"),
        (["k*x"], ["k"], "need not be a whole number"),
        (["k/(k + 1)"], ["k"], "need not be a whole number"),
    ],
)
def test_there_are_no_fewer_than_0_pairs_of_different_things(amounts, counts, why):
    where = region("k, x", "k >= 0", "x >= 0")
    trace = Trace()
    trace.add("at least", where["k"] * (where["k"] - 1), where=where)
    trace.parts = {"": (where,)}
    data = certificate("own/pairs", "", trace, ["k >= 0", "x >= 0"], "proved", counts=counts, about="numbers")
    data["regions"][0]["amounts"] = amounts
    if not why:
        assert checker.decide(data, ASK)[0] == checker.DECIDES
        return
    with pytest.raises(checker.Refused, match=why):
        checker.decide(data, ASK)


@pytest.mark.parametrize(("point", "good"), [("1", True), ("1/2", False)])
def test_a_point_at_which_a_count_is_no_whole_number_refutes_nothing(point, good):
    where = region("k", "k > 0")
    trace = Trace()
    trace.add("fails", where["k"] - 2, "above", where=where, point={"k": point})
    trace.parts = {"": (where,)}
    data = certificate("own/point", "", trace, ["k > 0"], "proved", counts=["k"], about="numbers")
    if good:
        assert checker.decide(data, ASK)[0] == checker.DECIDES
        return
    with pytest.raises(checker.Refused, match="no whole numbers"):
        checker.decide(data, ASK)


def test_a_path_that_is_not_there_is_named_in_one_line(tmp_path):
    done = subprocess.run([sys.executable, str(SCRIPT), str(tmp_path / "none")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"there is no file or folder {tmp_path / 'none'}\n"


def test_goals_are_written_for_all_claims_or_not_at_all(tmp_path):
    """`goals.txt` is kept if there is no certificate, or one that is not right, or if a claim beside it has neither that nor a line."""
    folder, goals = tmp_path / "proofs", tmp_path / "claims" / "goals.txt"
    for path in (folder, goals.parent / "new"):
        path.mkdir(parents=True)
    goals.write_text("paper/claim\n    01234567\n")

    def refused(*more):
        done = run(folder, "--solver", "z3", "--goals", goals, *more)
        assert (done.returncode, goals.read_text()) == (1, "paper/claim\n    01234567\n")
        return done.stderr

    assert refused() == f"{goals} is not written: there are no certificates\n"
    data = {**CERTIFICATES["hands, symbols"], "claim": "paper/claim"}
    (folder / "claim.json").write_text(json.dumps(data))
    assert refused("--solver", "") == f"{goals} is not written: 1 certificates are not right\n"  # undecided
    claims = goals.parent / "new" / "claims.toml"
    claims.write_text('key = "paper"\n[[claim]]\nid = "claim"\n[[claim]]\nid = "other"\n')
    assert refused() == f"{goals} is not written: paper/other has no certificate\n"
    claims.write_text(claims.read_text().replace('[[claim]]\nid = "other"\n', ""))
    assert run(folder, "--solver", "z3", "--goals", goals).returncode == 0
    written = "\n    ".join(["paper/claim", *sorted(checker.decide(data, ASK)[1])]) + "\n"
    assert goals.read_text() == written

    claims.write_text(claims.read_text() + '[[claim]]\nid = "other"\n')
    goals.write_text("paper/claim\n    01234567\n\npaper/gone\n    01234567\n\npaper/other\n    89abcdef\n")
    assert run(folder, "--solver", "z3", "--goals", goals).returncode == 0
    assert (
        goals.read_text() == written + "\npaper/other\n    89abcdef\n"
    )  # a claim that was not decided today keeps its line


def test_claims_that_are_not_there_are_named_in_one_line(tmp_path):
    done = run(tmp_path, "--claims", tmp_path / "none")
    assert (done.returncode, done.stderr) == (2, f"there are no claims in {tmp_path / 'none'}\n")


def test_a_claim_is_decided_as_far_as_what_it_rests_on(tmp_path):
    """Its file may be read before theirs. Claims that rest on each other show nothing."""

    def written_as(name, *grounds, **changes):
        data = {**CERTIFICATES["cards"], "claim": f"paper/{name}", "rests on": [f"paper/{x}" for x in grounds]}
        (tmp_path / f"{name}.json").write_text(json.dumps({**data, **changes}))

    written_as("a", "b")
    written_as("b", "c", "elsewhere")
    written_as("c")
    assert "3 claims: 3 decides the claim;" in run(tmp_path).stdout
    written_as("c", steps=[])
    lines = run(tmp_path).stdout.splitlines()
    assert lines[:3] == [
        "paper/c: partially verified: no step was recorded",
        "paper/b: partially verified: it rests on paper/c, which is partially verified",
        "paper/a: partially verified: it rests on paper/b, which is partially verified",
    ]
    written_as("c", "a")
    done = run(tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("claims rest on each other: ")


@pytest.mark.parametrize("text", ["[" * 3_000, '{"a":' * 3_000, "[1]", "5", ""], ids=lambda text: text[:5])
def test_a_file_that_is_no_certificate_has_a_verdict(text, tmp_path):
    (tmp_path / "deep.json").write_text(text)
    out = subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], capture_output=True, text=True)
    assert "WRONG" in out.stdout
    assert (out.returncode, out.stderr) == (1, "")
