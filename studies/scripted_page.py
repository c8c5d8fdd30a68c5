"""The page and the picture of the study of scripted baselines; see `studies.scripted_baselines`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import relance
from relance.pages.plots.style import house_style
from relance.words.nash_conv_interval import Figure
from studies.scripted_models import SCRIPTED_BASELINES
from studies.scripted_scores import TITLES, Found, Scores, order, probability_by_set, ranks

GAMES = {
    "one_card_poker(raises=0)": "Kuhn's game",
    "one_card_poker": "Miao's, with a raise",
    "von_neumann(hands=9)": "von Neumann's, nine cells",
}
KUHN = next(iter(GAMES))

NAMES = ("hands won", "probability of the action", "chips a hand", "loss a decision", "NashConv")
"""The columns of the picture."""

SHOWN = ("equilibrium", "noise 1/10", "honest caller", "most probable", "always bets", "at random")
"""The scripted baselines that the picture shows in colour."""

TOLD = (*SHOWN, "always bluffs")
"""The scripted baselines in the table."""


def page(found: Sequence[Found], hearts: Sequence[tuple[str, Scores]]) -> str:
    """The page in Markdown. `hearts`: the scores of the one that knows the game by heart, by wording."""
    kuhn = sorted((one for one in found if one.game == KUHN), key=lambda one: _exact(one).nash_conv or 0)
    scored = [[one.agent, *figures(_exact(one)), interval(one.nash_conv)] for one in kuhn if one.agent in TOLD]
    inside = sum(one.nash_conv.low <= (_exact(one).nash_conv or 0) + 1e-9 <= one.nash_conv.high + 2e-9 for one in found)
    chips = orders(found)[KUHN]["chips"]
    once = {
        name: probability_by_set(relance.make(KUHN), SCRIPTED_BASELINES[name])
        for name in ("equilibrium", "most probable")
    }
    known, *unknown = (f"{scores.nash_conv:.3f}" for _, scores in hearts)
    return f"""# How the usual scores rank simple players

This page tells how well the usual scores of language models rank players. The players here are [scripted baselines](glossary.md),
programs that answer in words by [simple rules](../studies/scripted_models.py), so that their errors are known. Nothing here says how well a
language model plays.

**NashConv** is the true error: it adds up, over both seats, what an opponent who knows the player's strategy could win. The usual scores
are:

- the chips won per hand against the published equilibrium;
- the share of those hands that the player wins, where a tie counts half;
- the loss per decision: its [regret](glossary.md) against the published equilibrium, in chips;
- the probability that the published equilibrium gives to the chosen action, which was [proposed as a
  reward](https://github.com/PrimeIntellect-ai/community-environments/pull/725).

An illegal answer ends the hand with the largest possible loss.

## In Kuhn's game

The table shows {len(scored)} of the {len(SCRIPTED_BASELINES)} baselines. The last column estimates NashConv from {found[0].answers} answers
at each information set, as one must for a language model. For all baselines in {len(GAMES)} games, {inside} of the {len(found)}
intervals of 95% contain the exact NashConv.

{_table(["scripted baseline", "NashConv", *TITLES.values(), "NashConv from answers"], scored)}

![The scripted baselines in Kuhn's game in the order of each score, the best on top](stand_ins.svg)

- *Honest caller* bets and calls with the ace, calls with the king, and never bluffs. By chips and by loss it is as good as the equilibrium,
  but its NashConv is 1/3.
- *Most probable* always takes the most probable action of the equilibrium. So by the probability of the action it scores higher
  than the equilibrium itself. If every information set has the same weight, it scores
  {once["most probable"]:.3f}, and the equilibrium {once["equilibrium"]:.3f}.
- The share of hands won misleads: *{_top(found, "wins")}* has the highest share. It wins many small pots and loses the large ones.
- *By heart* plays the equilibrium if the game is described in the words of the papers, and at random otherwise. In those words its NashConv
  is {known}; in {len(unknown)} [renamed games](howto/ask_in_words.md#a-renamed-game-that-was-never-printed) it is
  {" and ".join(dict.fromkeys(unknown))}.

## Which orders are wrong

A pair of players is in the wrong order if the score prefers the one with the larger NashConv. A pair is tied if its scores are equal and
its NashConvs differ. Kendall's tau-b is 1 if the score gives the order of NashConv, 0 for no relation, and -1 for the opposite order.

{_orders(found)}

In Kuhn's game the score *chips a hand* puts {chips.wrong} of {chips.pairs} pairs in the wrong order, and ties {chips.tied}. These chips are
exact expected values, not samples, so playing more hands does not help. In von Neumann's game on nine cells most scores do better, because
that game has a pure equilibrium.

## A real model

```console
$ python -m studies.scripted_baselines --url http://localhost:8000/v1 --model NAME --answers-file answers.jsonl --log hands.jsonl
```

The command scores a model at any OpenAI-compatible address, and prints its scores among the scripted baselines'. It reads a key from
`OPENAI_API_KEY`. Without `--model` the command makes this page again, within minutes; with `--page` it only rewrites the page
from `docs/results/stand_ins.jsonl`.
"""


def _exact(one: Found) -> Scores:
    assert one.exact is not None
    return one.exact


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, lines, *rows])


def figures(scores: Scores) -> list[str]:
    """NashConv and the usual scores, in the order of `TITLES`."""
    nash = "" if scores.nash_conv is None else f"{scores.nash_conv:.3f}"
    return [nash, f"{scores.chips:+z.3f}", f"{scores.wins:.3f}", f"{abs(scores.loss):.3f}", f"{scores.probability:.3f}"]


def interval(figure: Figure) -> str:
    """An estimate with the ends of its interval."""
    return f"{figure.point:.3f} ({figure.low:.3f} to {figure.high:.3f})"


def orders(found: Sequence[Found]) -> dict[str, dict[str, Any]]:
    """For each game and score the `Order` of the scripted baselines, without the one that knows it by heart: in plain words it is an
    equilibrium.
    """
    out: dict[str, dict[str, Any]] = {}
    for text in dict.fromkeys(one.game for one in found):
        scores = {
            one.agent: _exact(one) for one in found if one.game == text and not SCRIPTED_BASELINES[one.agent].by_heart
        }
        out[text] = {score: order(scores, score) for score in TITLES}
    return out


def _top(found: Sequence[Found], score: str) -> str:
    return max((one for one in found if one.game == KUHN), key=lambda one: getattr(_exact(one), score)).agent


def _orders(found: Sequence[Found]) -> str:
    """A row for each score: tau-b in each game, and in Kuhn's the pairs in the wrong order, those tied, and an example."""
    by_game = orders(found)
    rows = []
    for score, title in TITLES.items():
        kuhn = by_game[KUHN][score]
        better, worse = kuhn.example
        taus = [f"{by_game[text][score].tau:+.2f}" for text in GAMES]
        rows.append([title, *taus, f"{kuhn.wrong}", f"{kuhn.tied}", f"*{worse}* to *{better}*"])
    heads = [f"tau-b, {name}" for name in GAMES.values()]
    return _table(["score", *heads, "wrong in Kuhn's", "tied in Kuhn's", "for example, it prefers"], rows)


@house_style()
def picture(found: Sequence[Found], path: Path) -> None:
    """Draw the places of the scripted baselines in Kuhn's game by each score: equal ones meet."""
    from relance.pages.plots.style import GRID, INK, add_title, figure, line_styles, save

    kuhn = [one for one in found if one.game == KUHN and not SCRIPTED_BASELINES[one.agent].by_heart]
    scores = [_exact(one) for one in kuhn]
    columns = [
        [-one.wins for one in scores],
        [-one.probability for one in scores],
        [-one.chips for one in scores],
        [one.loss for one in scores],
        [one.nash_conv or 0.0 for one in scores],
    ]
    places = list(zip(*map(ranks, columns), strict=True))
    drawing, ((axes,),) = figure(1, 1, 7.4, 5.2)
    looks: Mapping[str, Mapping[str, Any]] = line_styles(SHOWN)
    right = sorted(range(len(kuhn)), key=lambda i: (places[i][-1], places[i][0]))
    for spot, i in enumerate(right):
        name = kuhn[i].agent
        look = looks.get(name, {"color": "#999999", "marker": "o", "linestyle": "-"})
        width = {"linewidth": 2.0, "zorder": 3} if name in looks else {"linewidth": 1.0}
        axes.plot(range(len(columns)), places[i], markersize=4, **look, **width)
        axes.annotate(
            name,
            (len(columns) - 1, places[i][-1]),
            xytext=(len(columns) - 0.72, spot + 1),
            va="center",
            fontsize=8,
            color=look["color"] if name in looks else INK,
            arrowprops={"arrowstyle": "-", "color": GRID},
        )
    axes.set_xticks(
        range(len(columns)),
        [name.replace(" ", "\n", 1) for name in NAMES],
    )
    axes.set_yticks([1, len(kuhn)], ["best", "worst"])
    axes.invert_yaxis()
    axes.set_xlim(-0.2, len(columns) + 0.5)
    axes.grid(False)
    add_title(drawing, "Kuhn's game", "scripted baselines in the order of each score; equal ones meet")
    save(drawing, path)
