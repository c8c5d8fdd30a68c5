"""The printed numbers of a claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from relance.claims.trace import printed
from relance.model.numbers import FieldElement, Number, exact, formula


class Numbers(Mapping[str, Fraction]):
    """The printed numbers of a claim, {name: formula}, evaluated exactly with the values of the symbols in them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)

    def __getitem__(self, symbol: str) -> Fraction:
        """The printed number with the name `symbol`, whose formula must contain no symbols."""
        value = formula(self.texts[symbol], {})
        number = printed(symbol, self.texts[symbol], value, {})
        assert isinstance(number, Fraction)
        return number

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def number(self, name: str, known: Mapping[str, Number]) -> Number:
        """The printed number of this name; `known` gives the values of its symbols."""
        return printed(name, self.texts[name], formula(self.texts[name], known), known)

    def at(self, **symbols: object) -> dict[str, Number]:
        """Return all printed numbers by name, with these values of symbols. A formula may name printed numbers before it."""
        known: dict[str, Number] = {
            name: value if isinstance(value, FieldElement) else exact(value, name) for name, value in symbols.items()
        }
        for symbol in self.texts:
            known[symbol] = self.number(symbol, known)
        return {symbol: known[symbol] for symbol in self.texts}
