"""Results of models as one table: `relance tabulate`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from relance.model.files import read_json
from relance.pages.commands.generator import command

HEAD = "| agent | game | temperature | wording | retries | answers | illegal | NashConv | chips a hand | tokens in, out | prompt |"


@command()
def tabulate(files: list[Path], /) -> None:
    """Print one Markdown table of results that ask, match and score-games wrote with --json, with the intervals in these files.

    Args:
        files: the results, in the order of their rows.

    Examples:
        relance tabulate asked.json played.json
    """
    rows = [row for file in files for row in _rows(file)]
    print(HEAD, "|" + " --- |" * (HEAD.count("|") - 1), sep="\n")
    for row in rows:
        print(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |")


def _rows(file: Path) -> Iterator[list[str]]:
    """The rows of a file; ValueError if it is none of these results."""
    data = read_json(file)
    try:
        about, results = data["about"], data.get("matches", [data])
        models = about.get("models", [])
        for found in results:
            names = found.get("names") or [found.get("agent") or about["options"]["agent"]]
            asked = [one for one in models if len(results) == 1 or any(_is_named(one, name) for name in names)]
            yield _row(" against ".join(names), asked, found)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{file} is no result of ask, match or score-games with --json: {error}") from None


def _is_named(model: Mapping[str, Any], name: str) -> bool:
    """Whether the command line names the model so."""
    return name.startswith(f"{model.get('server')}#{model.get('model')}")


def _row(name: str, models: Sequence[Mapping[str, Any]], found: Mapping[str, Any]) -> list[str]:
    """The cells of one result."""

    def each(key: str, most: int | None = None) -> str:
        return ", ".join("default" if one[key] is None else str(one[key])[:most] for one in models if key in one)

    answers, illegal = (
        sum(count) if isinstance(count, list) else count for count in (found["answers"], found["illegal"])
    )
    conv, bounds = found.get("nash_conv"), found.get("nash_conv_bounds")
    open_to = f"{bounds[0]:.4f} to {bounds[1]:.4f}" if bounds else ""  # of a log that lacks answers
    chips = _interval(found["mean"], found) if "mean" in found else ""
    tokens = f"{found['tokens_read']:,}, {found['tokens_written']:,}" if found.get("tokens_read") else ""
    score = _interval(conv["point"], conv) if conv else open_to
    share = f"{illegal / max(answers, 1):.1%}"
    settings = (each(key) for key in ("temperature", "wording", "retries"))
    return [name, found["game"], *settings, f"{answers:,}", share, score, chips, tokens, each("prompt_sha256", 8)]


def _interval(point: float, ends: Mapping[str, Any]) -> str:
    return f"{point:z.4f} [{ends['low']:z.4f}, {ends['high']:z.4f}]"
