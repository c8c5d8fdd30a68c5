"""Shared by `relance verify` and `relance errata`: their options, and results as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from relance.pages.commands.shared import write

if TYPE_CHECKING:
    from relance.claims.ledger import Result


def complete_papers() -> list[tuple[str, str]]:
    """The papers, for shell completion; only the heads of their files are read."""
    import tomllib

    heads = [
        tomllib.loads(file.read_text(encoding="utf-8").partition("[[")[0])
        for file in sorted((Path(__file__).parents[3] / "claims").glob("*/claims.toml"))
    ]
    return [(head["key"], head["citation"]) for head in heads]


class ListsPapers(TyperCommand):
    """A command whose help ends with a list of all papers; their files are read only for that."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        listed = (f"{key}: {citation}" for key, citation in complete_papers())
        self.epilog = "\n\n".join((self.epilog or "", "Papers:", *listed))
        super().format_help(ctx, formatter)


PAPERS = Annotated[
    list[str] | None,
    typer.Option(
        "--paper", help="Only this paper, such as miao-2014; may be repeated.", autocompletion=complete_papers
    ),
]
JOBS = Annotated[
    int | None,
    typer.Option(help="How many processes decide claims at the same time; by default one per processor.", min=1),
]
JSON = Annotated[Path | None, typer.Option("--json", help="Write the results to this file; - for standard output.")]


def write_json(path: Path, results: Sequence[Result]) -> None:
    """Write results as JSON; - is standard output."""
    write(path, json.dumps([asdict(result) for result in results], indent=1, ensure_ascii=False) + "\n")
