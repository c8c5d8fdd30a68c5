"""Corrupts certificates in each known way, and counts how often `check_certificates.py` notices. A checker that accepts all is none.

    python -m tools.corrupt_certificates FOLDER --claims relance/claims [--each 5]

FOLDER is what `relance verify --certificates FOLDER` wrote. A corrupted file must be wrong: undecided does not count.
"""

import argparse
import copy
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from tools.check_certificates import Claims, Refused, decide, solver

Data: TypeAlias = dict[str, Any]
Corruption: TypeAlias = Callable[[Data, Random, list[Data]], bool]
MOVE = "({}) + 1/1000"
LARGEST = 100_000  # bytes of a certificate that is corrupted; the largest take seconds each


def _move(part: Any, key: Any) -> None:
    part[key] = MOVE.format(part[key]) if not str(part[key]).startswith("#") else "7919/7907"  # no number of a game


def _leaves(node: Data) -> Iterator[Data]:
    for child in (below := node.get("actions") or node.get("events") or {}).values():
        yield from _leaves(child)
    if not below:
        yield node


def _nodes(node: Data) -> Iterator[Data]:
    if "actions" in node:
        yield node
    for child in (node.get("actions") or node.get("events") or {}).values():
        yield from _nodes(child)


def _steps(data: Data, *kinds: str) -> list[Data]:
    return [step for step in data["steps"] if any(kind in step for kind in kinds)]


def _played(data: Data) -> list[Data]:
    """The plays that are scored as a whole."""
    return [data["plays"][step.get("nash", step.get("short"))] for step in _steps(data, "nash", "short")]


def fact_negated(data: Data, draw: Random, _: list[Data]) -> bool:
    """A fact says the opposite."""
    if not (steps := _steps(data, "above", "at least", "signs")):
        return False
    step = draw.choice(steps)
    if "signs" in step:
        step["sign"] = -step["sign"] or 1
        return True
    kind = "above" if "above" in step else "at least"
    number = step.pop(kind)
    if number.startswith("#"):
        data["numbers"].append([step["region"], "-", number])
        step["above"] = f"#{len(data['numbers']) - 1}"
    else:
        step["above"] = f"-({number})"
    return True


def payoff_changed(data: Data, draw: Random, _: list[Data]) -> bool:
    """A terminal node pays more."""
    if not (plays := _played(data)):
        return False
    _move(draw.choice([*_leaves(draw.choice(plays)["tree"])]), draw.choice(["pays", "stake"]))
    return True


def actions_swapped(data: Data, draw: Random, _: list[Data]) -> bool:
    """At a node, two actions swap their probabilities."""
    rows = [
        rows
        for play in _played(data)
        for rows in play["strategies"].values()
        if len({*map(str, rows.values())}) > 1
        and "#" not in str(rows)  # numbers of the program may be equal: 1/2 and 1 - 1/2
    ]
    if not rows:
        return False
    one = draw.choice(rows)
    names = list(one)
    one[names[0]], one[names[1]] = one[names[1]], one[names[0]]
    return True


def hands_swapped(data: Data, draw: Random, _: list[Data]) -> bool:
    """At a node, two hands swap their probabilities."""
    rows = [
        (rows, i)
        for play in _played(data)
        for rows in play["strategies"].values()
        for i in range(len(next(iter(rows.values()))) - 1)
        if any(row[i] != row[i + 1] for row in rows.values())
    ]
    if not rows:
        return False
    one, i = draw.choice(rows)
    for row in one.values():
        row[i], row[i + 1] = row[i + 1], row[i]
    return True


def value_wrong(data: Data, draw: Random, _: list[Data]) -> bool:
    """A value is a little larger."""
    if not (steps := _steps(data, "nash")):
        return False
    _move(draw.choice(steps), "value")
    return True


def gain_wrong(data: Data, draw: Random, _: list[Data]) -> bool:
    """A gain is a little larger."""
    if not (steps := _steps(data, "nash")):
        return False
    _move(draw.choice(steps)["gains"], draw.randrange(2))
    return True


def number_wrong(data: Data, draw: Random, _: list[Data]) -> bool:
    """One side of an identity is a little larger."""
    if not (steps := _steps(data, "equal")):
        return False
    _move(draw.choice(steps)["equal"], draw.randrange(2))
    return True


def distribution_changed(data: Data, draw: Random, _: list[Data]) -> bool:
    """A pair of hands, or a hand, is a little likelier."""
    if not (plays := _played(data)):
        return False
    hands = draw.choice(plays)["hands"]
    rows = (
        hands["joint"]
        if "joint" in hands
        else [piece for term in hands["density"] for f in term for piece in f if piece]
    )
    row = draw.choice([row for row in rows if row])
    _move(row, draw.randrange(len(row)))
    return True


def edges_changed(data: Data, draw: Random, _: list[Data]) -> bool:
    """Another hand wins."""
    plays = [play for play in _played(data) if "edge" in play["hands"]]
    pairs = [(row, j) for play in plays for row in play["hands"]["edge"] for j, edge in enumerate(row) if edge != "0"]
    if not pairs:
        return False
    row, j = draw.choice(pairs)
    row[j] = f"-({row[j]})"
    return True


def players_swapped(data: Data, draw: Random, _: list[Data]) -> bool:
    """The other player acts at a node."""
    if not (plays := _played(data)):
        return False
    node = draw.choice([*_nodes(draw.choice(plays)["tree"])])
    node["player"] = 1 - node["player"]
    return True


def condition_dropped(data: Data, draw: Random, _: list[Data]) -> bool:
    """A region loses a condition."""
    regions = [region for region in data["regions"] if region["conditions"]]
    if not regions:
        return False
    conditions = draw.choice(regions)["conditions"]
    conditions.remove(draw.choice(conditions))
    return True


def region_shrunk(data: Data, draw: Random, _: list[Data]) -> bool:
    """A region gains a condition."""
    if not data["regions"]:
        return False
    region = draw.choice(data["regions"])
    region["conditions"].append(f"{draw.choice(region['symbols'])} <= 1/2")
    return True


def step_dropped(data: Data, draw: Random, _: list[Data]) -> bool:
    """A step that is not about a whole play is taken out."""
    steps = _steps(data, "equal", "above", "at least", "signs", "rises", "differ")
    if not steps:
        return False
    data["steps"].remove(draw.choice(steps))
    return True


def play_dropped(data: Data, draw: Random, _: list[Data]) -> bool:
    """An equilibrium, or a play that falls short, is taken out."""
    if not (steps := _steps(data, "nash", "short")):
        return False
    data["steps"].remove(draw.choice(steps))
    return True


def part_dropped(data: Data, draw: Random, _: list[Data]) -> bool:
    """A part of the claim, or one of its cases, is taken out."""
    many = [name for name, scopes in data["parts"].items() if len(scopes) > 1]
    if many:
        scopes = data["parts"][draw.choice(many)]
        scopes.pop(draw.randrange(len(scopes)))
    elif len(data["parts"]) > 1:
        data["parts"].pop(draw.choice([*data["parts"]]))
    return bool(many) or len(data["parts"]) > 1


def equilibrium_made_trivial(data: Data, draw: Random, _: list[Data]) -> bool:
    """In place of an equilibrium: player 0 earns less than the value and 1."""
    if not (steps := _steps(data, "nash")):
        return False
    step = draw.choice(steps)
    place, region = step["nash"], data["plays"][step["nash"]]["region"]
    data["numbers"].append([region, "+", step["value"], "1"])
    step.clear()
    step |= {"short": place, "player": 0, "of": f"#{len(data['numbers']) - 1}"}
    return True


def _short(data: Data, draw: Random, chips: str) -> bool:
    if not (steps := _steps(data, "short")):
        return False
    step = draw.choice(steps)
    data["numbers"].append([data["plays"][step["short"]]["region"], "+", step["of"], chips])
    step["of"] = f"#{len(data['numbers']) - 1}"
    return True


def short_stronger(data: Data, draw: Random, _: list[Data]) -> bool:
    """A player falls short of much less."""
    return _short(data, draw, "-1000")


def short_weaker(data: Data, draw: Random, _: list[Data]) -> bool:
    """A player falls short of a little more."""
    return _short(data, draw, "1/1000")


def claim_swapped(data: Data, draw: Random, others: list[Data]) -> bool:
    """What another claim rests on, in the name of this one."""
    other = copy.deepcopy(draw.choice(others))
    for key in ("parts", "steps", "regions", "plays", "numbers"):
        data[key] = other[key]
    return True


def certificate_swapped(data: Data, draw: Random, others: list[Data]) -> bool:
    """The certificate of another claim, by the id of this one."""
    other, name = copy.deepcopy(draw.choice(others)), data["claim"]
    data.clear()
    data |= {**other, "claim": name}
    return True


def statement_swapped(data: Data, draw: Random, others: list[Data]) -> bool:
    """The statement of another claim."""
    data["statement"] = draw.choice(others)["statement"]
    return True


def printed_moved(data: Data, draw: Random, _: list[Data]) -> bool:
    """A printed number is a little larger."""
    table = data["corrected"] or data["printed"]
    if table:
        _move(table, draw.choice([*table]))
    return bool(table)


def domain_changed(data: Data, draw: Random, _: list[Data]) -> bool:
    """The domain gains a condition, or another part."""
    if isinstance(data["domain"], list):
        data["domain"].append("0 < 1")
    else:
        data["domain"]["another part"] = []
    return True


def argument_changed(data: Data, draw: Random, _: list[Data]) -> bool:
    """Something else was argued."""
    data["argument"] = data["argument"] and "This is clear."
    return bool(data["argument"])


def plans_changed(data: Data, draw: Random, _: list[Data]) -> bool:
    """A mixture that dominates a plan, the beliefs that it is a reply to, or what is left of the plans, loses a member."""
    listed = [
        step[key]
        for step in _steps(data, "dominated", "left", "moves")
        for key in ("by", "beliefs", "are")
        if step.get(key)
    ]
    if not listed:
        return False
    one = draw.choice(listed)
    one.pop(draw.choice([*one]) if isinstance(one, dict) else draw.randrange(len(one)))
    return True


def scheme_changed(data: Data, draw: Random, _: list[Data]) -> bool:
    """Two actions are compared the other way round or when nobody answers so, or a number is said to vanish or to be greatest elsewhere."""
    if not (steps := _steps(data, "higher", "better", "root", "product")):
        return False
    step = draw.choice(steps)
    if "between" in step:
        step["between"].reverse()
    elif "symbol" in step:
        step["symbol"] += "!"
    elif draw.randrange(2):
        step["action"], step["over"] = step["over"], step["action"]
    else:
        step["when"] = {"nowhere": step["action"]}
    return True


def mark_removed(data: Data, draw: Random, _: list[Data]) -> bool:
    """What shows that the print is wrong no longer says so."""
    steps = [step for step in data["steps"] if step.get("wrong")]
    if steps:
        draw.choice(steps).pop("wrong")
    return bool(steps)


def digits_changed(data: Data, draw: Random, _: list[Data]) -> bool:
    """A number is compared with other digits, or with more room."""
    if not (steps := _steps(data, "rounds")):
        return False
    step = draw.choice(steps)
    if draw.randrange(2):
        step["unit"] = f"2*({step['unit']})"
    else:
        _move(step["rounds"], 1)
    return True


def symbol_called_whole(data: Data, draw: Random, _: list[Data]) -> bool:
    """One more symbol stands for whole numbers only."""
    symbols = {symbol for said in data["regions"] for symbol in said["symbols"]} - {*data["counts"]}
    data["counts"] += sorted(symbols)[:1]
    return bool(symbols)


def amount_added(data: Data, draw: Random, _: list[Data]) -> bool:
    """A number that need not be whole is called an amount of things."""
    regions = [said for said in data["regions"] if {*said["symbols"]} - {*data["counts"]}]
    for said in regions[:1]:
        said["amounts"] = [min({*said["symbols"]} - {*data["counts"]})]
    return bool(regions)


PRIME = 2**61 - 1
"""A forger adds a multiple of this where numbers are compared modulo it."""


def fact_emptied(data: Data, draw: Random, _: list[Data]) -> bool:
    """A fact says that a number and a very large one are above 0."""
    if not (steps := _steps(data, "above", "at least", "short")):
        return False
    step = draw.choice(steps)
    key = next(key for key in ("above", "at least", "of") if key in step)
    data["numbers"].append([step.get("region"), "+", step[key], str(PRIME)])
    step[key] = f"#{len(data['numbers']) - 1}"
    return True


def terminal_richer(data: Data, draw: Random, _: list[Data]) -> bool:
    """A terminal node pays a very large amount more."""
    if not (plays := data["plays"]):
        return False
    leaf = draw.choice([*_leaves(draw.choice(plays)["tree"])])
    if "pays" not in leaf:
        return False
    leaf["pays"] = f"({leaf['pays']}) + {PRIME}" if not str(leaf["pays"]).startswith("#") else str(PRIME)
    return True


def game_taken_out(data: Data, draw: Random, _: list[Data]) -> bool:
    """The game's side of an identity is the printed number, and 0 times what the game gives."""
    steps = [step for step in _steps(data, "equal") if str(step["equal"][0]).startswith("#")]
    if not steps:
        return False
    step, places = draw.choice(steps), len(data["numbers"])
    region, (game, printed) = step["region"], step["equal"]
    data["numbers"] += [[region, "*", game, "0"], [region, "+", f"#{places}", printed]]
    step["equal"] = [f"#{places + 1}", printed]
    return True


def game_renamed(data: Data, draw: Random, _: list[Data]) -> bool:
    """A play is called another game."""
    if not data["plays"]:
        return False
    draw.choice(data["plays"])["game"] = "another_game(bet=7)"
    return True


def hands_renamed(data: Data, draw: Random, _: list[Data]) -> bool:
    """Two hands exchange their names."""
    named = [play["hands"]["names"] for play in data["plays"] if len(set(map(str, play["hands"].get("names", [])))) > 1]
    if not named:
        return False
    names = draw.choice(named)
    if isinstance(names[0], list):
        names = draw.choice([row for row in names if len(row) > 1] or [[]])
    names.reverse()
    return bool(names)


def actions_renamed(data: Data, draw: Random, _: list[Data]) -> bool:
    """Everywhere, two actions exchange their names."""
    actions = sorted({action for play in data["plays"] for node in _nodes(play["tree"]) for action in node["actions"]})
    if len(actions) < 2 or any("-" in action for action in actions):
        return False
    one, other = draw.sample(actions, 2)
    renamed = {one: other, other: one}

    def walk(part: Any) -> Any:
        if isinstance(part, dict):
            return {
                "-".join(renamed.get(word, word) for word in key.split("-")): walk(value) for key, value in part.items()
            }
        if isinstance(part, list):
            return [walk(item) for item in part]
        return (
            "-".join(renamed.get(word, word) for word in part.split("-"))
            if isinstance(part, str) and " " not in part
            else part
        )

    data["plays"] = [
        {**play, "tree": walk(play["tree"]), "strategies": walk(play["strategies"])} for play in data["plays"]
    ]
    for number in data["numbers"]:
        if number[1] == "play":
            number[5], number[6] = walk(number[5]), walk(number[6])
    return True


def region_told_wider(data: Data, draw: Random, _: list[Data]) -> bool:
    """A part is told for a region that leaves out a condition, and no step is for that."""
    places = [(part, k) for part, scopes in data["parts"].items() for k, at in enumerate(scopes) if isinstance(at, int)]
    places = [(part, k) for part, k in places if len(data["regions"][data["parts"][part][k]]["conditions"]) > 1]
    if not places:
        return False
    part, k = draw.choice(places)
    region = copy.deepcopy(data["regions"][data["parts"][part][k]])
    region["conditions"].pop(draw.randrange(len(region["conditions"])))
    data["regions"].append(region)
    data["parts"][part][k] = len(data["regions"]) - 1
    return True


def symbol_tied(data: Data, draw: Random, _: list[Data]) -> bool:
    """All that is for a region of a part gets one symbol more, which ties a symbol of the part: not for all of it does one exist."""
    places = sorted({at for scopes in data["parts"].values() for at in scopes if isinstance(at, int)})
    named = [k for k in places if any(of.get("region") == k for of in (*data["steps"], *data["plays"]))]
    if not named:
        return False
    k, more = draw.choice(named), len(data["regions"])
    symbols, conditions = data["regions"][k]["symbols"], data["regions"][k]["conditions"]
    tie = ["tied > 0", f"2*tied == {draw.choice(symbols)} - 1"]
    data["regions"].append({**data["regions"][k], "symbols": [*symbols, "tied"], "conditions": [*conditions, *tie]})
    for of in (*data["steps"], *data["plays"]):
        of |= {"region": more} if of.get("region") == k else {}
    return True


def number_read_elsewhere(data: Data, draw: Random, _: list[Data]) -> bool:
    """What a play is worth in its region is read in one without the conditions."""
    worth = [k for k, number in enumerate(data["numbers"]) if number[1] == "play" and number[3] in ("value", "best")]
    worth = [k for k in worth if data["numbers"][k][0] is not None]
    steps = [
        step for step in _steps(data, "equal", "above", "at least") if any(f'"#{k}"' in json.dumps(step) for k in worth)
    ]
    if not steps:
        return False
    step = draw.choice(steps)
    data["regions"].append({**data["regions"][step["region"]], "conditions": []})
    step["region"] = len(data["regions"]) - 1
    return True


KINDS: tuple[Corruption, ...] = (
    fact_emptied,
    terminal_richer,
    game_taken_out,
    game_renamed,
    hands_renamed,
    actions_renamed,
    region_told_wider,
    symbol_tied,
    number_read_elsewhere,
    fact_negated,
    payoff_changed,
    actions_swapped,
    hands_swapped,
    value_wrong,
    gain_wrong,
    number_wrong,
    distribution_changed,
    edges_changed,
    players_swapped,
    short_stronger,
    short_weaker,
    condition_dropped,
    region_shrunk,
    step_dropped,
    play_dropped,
    plans_changed,
    scheme_changed,
    mark_removed,
    digits_changed,
    part_dropped,
    equilibrium_made_trivial,
    claim_swapped,
    certificate_swapped,
    statement_swapped,
    printed_moved,
    domain_changed,
    argument_changed,
    symbol_called_whole,
    amount_added,
)


def corrupted(kind: Corruption, data: Data, draw: Random, others: list[Data]) -> Data | None:
    """A corrupted copy; None where there is nothing of that kind to corrupt."""
    wrong = copy.deepcopy(data)
    return wrong if kind(wrong, draw, others) and wrong != data else None


def rejected(data: Data, ask: Callable[[str], str], claims: Claims | None) -> bool:
    """Whether the checker says that a certificate is wrong, not only that it cannot decide."""
    try:
        decide(data, ask, claims)
    except (Refused, ValueError, KeyError, IndexError, TypeError, ArithmeticError, SyntaxError, AttributeError):
        return True
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--each", type=int, default=5, help="how many certificates of each kind")
    options = parser.parse_args()
    ask, claims, draw = solver("z3"), Claims(options.claims), Random(0)
    files = sorted(options.folder.rglob("*.json"), key=lambda file: file.stat().st_size)
    small = [json.loads(file.read_text(encoding="utf-8")) for file in files if file.stat().st_size < LARGEST]
    small = [data for data in small if data["steps"]]
    missed = 0
    for kind in KINDS:
        found = list[tuple[str, bool]]()
        for data in draw.sample(small, len(small)):
            if len(found) < options.each and (
                wrong := corrupted(kind, data, draw, [o for o in small if o is not data])
            ):
                found.append((data["claim"], rejected(wrong, ask, claims)))
        accepted = [name for name, good in found if not good]
        missed += len(accepted)
        said = f"{len(found) - len(accepted)}/{len(found)}"
        print(f"{kind.__name__.replace('_', ' '):26} {said:>7}  {', '.join(accepted)}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
