"""A folder of Coq files: definitions, a file for each claim that rests on equilibria, and a Makefile to check them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from relance.claims.coq.plays import NotWrittenError, Play, written_play
from relance.claims.coq.terms import computed
from relance.model.files import write_text
from relance.model.game import Game
from relance.model.strategy import Profile

NOT_WRITTEN = "Not written: "
"""Begins a comment of a Coq file that names a profile without a theorem, and the reason."""

LONGEST = 60_000
"""The most characters that a theorem and its proof may have; Coq takes minutes for one of 50,000."""

MAKEFILE = """\
# `make -j 2` has Coq check every file. Each theorem must rest on no axiom.
COQC := coqc -q -Q . Relance
FILES := $(wildcard */*.v)

all: $(FILES:.v=.checked) | Instances.vo
\t@echo "$$(cat $^ | wc -l) equilibria were checked, without axioms."

Relance.vo: Relance.v
\t@$(COQC) $<

Instances.vo: Instances.v Relance.vo
\t@$(COQC) $<

%.checked: %.v Relance.vo
\t@$(COQC) $< > $*.said
\t@test "$$(grep -c '^Print Assumptions' $<)" = "$$(grep -c '^Closed under' $*.said)" || (echo "$<: a theorem rests on an axiom" && exit 1)
\t@grep '^Closed' $*.said > $@

clean:
\trm -f *.vo* *.glob .*.aux */*.vo* */*.glob */.*.aux */*.said */*.checked
"""


@dataclass(frozen=True)
class Written:
    """The contents of a folder of Coq files.

    Attributes:
        equilibria, files: the number of theorems, and of files.
        left_out: for each profile without a theorem its claim, its game and the reason, as text.
    """

    equilibria: int
    files: int
    left_out: tuple[str, ...]


def coq_file(claim: str, statement: str, profiles: Iterable[tuple[Game, Profile]]) -> str:
    """The text of a claim's Coq file: a theorem for each equilibrium of `profiles`. Empty if there are no profiles."""
    modules, seen = list[str](), list[Play]()
    for game, profile in profiles:
        try:
            item = written_play(game, profile)
            if item in seen:
                continue
            seen.append(item)
            body = "\n".join(_body(item))
            if len(body) > LONGEST:
                raise NotWrittenError(f"the theorem with its proof would have more than {LONGEST:,} characters")
        except NotWrittenError as error:
            modules.append(f"(* {NOT_WRITTEN}{game.name}: {_comment(str(error))} *)")
            continue
        name = f"Equilibrium{len(seen)}"
        modules.append(
            f"(* {_comment(item.name)} *)\nModule {name}.\n{body}\nEnd {name}.\nPrint Assumptions {name}.holds."
        )
    head = f"(* {_comment(claim)}: {_comment(statement)} *)\n\nFrom Relance Require Import Relance.\nFrom Coq Require Import QArith."
    return "\n\n".join([head, "Import ListNotations.", *modules]) + "\n" if modules else ""


def _body(item: Play) -> list[str]:
    if not item.symbols:
        return computed(item)
    from relance.claims.coq.symbols import with_symbols

    return with_symbols(item)


def _comment(text: str) -> str:
    """A text that does not end a comment of Coq, and has no quotes, which Coq would pair."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")


def write_common(folder: Path) -> Written:
    """Write the definitions of games and the Makefile into a folder of claims' Coq files; return what it then holds."""
    for name in ("Relance.v", "Instances.v"):
        write_text(folder / name, resources.files("relance.claims.coq").joinpath(name).read_text("utf-8"))
    write_text(folder / "Makefile", MAKEFILE)
    files = sorted(folder.glob("*/*.v"))
    lines = [(file, line) for file in files for line in file.read_text("utf-8").splitlines()]
    left_out = tuple(
        f"{file.parent.name}/{file.stem}: {line.removeprefix(f'(* {NOT_WRITTEN}').removesuffix(' *)')}"
        for file, line in lines
        if line.startswith(f"(* {NOT_WRITTEN}")
    )
    return Written(sum(line.startswith("Print Assumptions") for _, line in lines), len(files), left_out)
