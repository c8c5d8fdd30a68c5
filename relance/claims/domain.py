"""Domains of claims: the parameters for which a claim is made, which the regions of its check's finding must cover."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from relance.claims.finding import Cases, Finding, Scope, listed

if TYPE_CHECKING:
    from relance.claims.proof import Region

Domain: TypeAlias = Sequence[str] | Mapping[str, Sequence[str]]
"""For which parameters a claim is made: conditions on symbols, such as "B > 0", or {part of a claim: such conditions}.

The name "cards = 3 to 8" stands for six parts, "cards = 3" to "cards = 8"; in the conditions of a part, `cards` is its number. The name
"cards = 3 to 8 and on" stands for all whole numbers from 3: a check decides those up to 8, and a person's argument the others. The name
"cards = 3 to 8, play" stands for the parts "cards = 3, play" to "cards = 8, play".
"""


def names_in(*conditions: str) -> list[str]:
    """Return the symbols of some conditions, in order of appearance."""
    return list(dict.fromkeys(name for text in conditions for name in re.findall(r"[A-Za-z_]\w*", text)))


def spelled(condition: str, texts: Mapping[str, str]) -> str:
    """Return the text of a condition with each printed number's name replaced by its formula; `texts` is {name: formula}."""
    if not any(name in texts for name in names_in(condition)):
        return condition

    class Spell(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> Any:
            return self.visit(ast.parse(texts[node.id], mode="eval").body) if node.id in texts else node

    return ast.unparse(Spell().visit(ast.parse(condition, mode="eval")))


def undecided(finding: Finding, domain: Domain) -> str:
    """A part or a point of a domain that a finding leaves undecided, such as "q = 1/2, B = 1"; empty if there is none.

    Raises:
        UndecidedError: the prover cannot tell whether the finding covers the domain.
    """
    table = domain if isinstance(domain, Mapping) else {"": domain}
    wanted = {name: texts for part, conditions in table.items() for name, texts in _members(part, conditions)}
    for name, conditions in wanted.items():
        if name not in finding.cases:
            return name or "any part of the domain"
        left = _left(finding.cases[name], conditions)
        if left:
            return f"{name}, {left}" if name else left
    for part in table:
        family = FAMILY.fullmatch(part)
        closed = family and any(isinstance(s, Cases) and s.name == family[1] and s.closed for s in finding.where)
        if family and family[4] and not closed:
            return f"{part}: no argument says so"
    unknown = [name for name in finding.cases if name not in wanted]
    return f"{unknown[0]}: the domain does not say where" if unknown else ""


FAMILY = re.compile(r"(\w+) = (\d+) to (\d+)( and on)?(, .*)?")


def _members(part: str, conditions: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The parts that a name stands for, each with its conditions, in which the name of the family is its number."""
    family = FAMILY.fullmatch(part)
    if family is None:
        yield part, list(conditions)
        return
    for k in range(int(family[2]), int(family[3]) + 1):
        yield f"{family[1]} = {k}{family[5] or ''}", [re.sub(rf"\b{family[1]}\b", str(k), text) for text in conditions]


def _left(scopes: Sequence[Scope], conditions: Sequence[str]) -> str:
    """A point that satisfies the conditions and lies in none of the regions, as text. Other symbols of the regions take all values."""
    from relance.claims.proof import Region

    regions = [scope for scope in scopes if isinstance(scope, Region)]
    if not conditions and len(regions) < max(len(scopes), 1):
        return "" if scopes else "all"
    return _outside(tuple(conditions), tuple(regions))


@lru_cache(maxsize=1000)
def _outside(conditions: tuple[str, ...], regions: tuple[Region, ...]) -> str:
    """As `_left`. Cached, since a claim without one of its cases leaves all other parts as they are."""
    from relance.claims.proof import region

    symbols = dict.fromkeys([*names_in(*conditions), *(name for each in regions for name in each.names)])
    point = region(", ".join(symbols), *conditions).outside(regions)
    return "" if point is None else listed(point)


def with_one_less(finding: Finding) -> Iterator[tuple[str, Finding]]:
    """Yield each case (a region, game or point) of a finding by name, with the finding without this case; a single case is not yielded."""
    parts = finding.cases
    if sum(map(len, parts.values())) < 2:
        return
    for name, scopes in parts.items():
        for k, scope in enumerate(scopes):
            rest = (*scopes[:k], *scopes[k + 1 :])
            left = {part: rest if part == name else others for part, others in parts.items() if part != name or rest}
            yield ": ".join(filter(None, [name, str(scope)])), replace(finding, parts=left)
