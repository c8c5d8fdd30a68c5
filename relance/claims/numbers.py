"""The printed numbers of a claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from relance.claims.trace import printed
from relance.model.numbers import FieldElement, Number, exact, formula


class Numbers(Mapping[str, Fraction]):
    """The printed numbers of a claim: formulas by letter, evaluated exactly in the field of the letters they contain."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)

    def __getitem__(self, letter: str) -> Fraction:
        """The number `letter`, whose formula must contain no letters."""
        value = formula(self.texts[letter], {})
        number = printed(letter, self.texts[letter], value, {})
        assert isinstance(number, Fraction)
        return number

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def number(self, name: str, known: Mapping[str, Number]) -> Number:
        """One number, evaluated with these letters."""
        return printed(name, self.texts[name], formula(self.texts[name], known), known)

    def at(self, **letters: object) -> dict[str, Number]:
        """All numbers, evaluated with these letters. A number may use those before it."""
        known: dict[str, Number] = {
            name: value if isinstance(value, FieldElement) else exact(value, name) for name, value in letters.items()
        }
        for letter in self.texts:
            known[letter] = self.number(letter, known)
        return {letter: known[letter] for letter in self.texts}
