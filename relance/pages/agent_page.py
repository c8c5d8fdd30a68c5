"""An HTML page about one agent, from the score of its logged games: where it bluffs too little, and what that costs."""

from __future__ import annotations

from html import escape
from xml.etree.ElementTree import Element

from relance.model.provenance import about
from relance.pages.plots.elements import captioned, h, page, table, terms
from relance.pages.plots.style import where
from relance.solvers.deviations import SAME, Deviation
from relance.words.games_score import GamesScore

MOST = 30
"""The most information sets in the table of differences."""

LEAST, SURPRISING = 0.5e-3, 0.05
"""Sentences name differences that cost at least LEAST chips and have a probability of at most SURPRISING by chance."""


def agent_page(score: GamesScore) -> tuple[str, str]:
    """Return the HTML page about the agent that `score` scores, which needs no other file; and why it has no pictures ("" if it has)."""
    drawn: list[tuple[str, bytes]] = []
    note = ""
    try:
        drawn = _pictures(score)
    except ImportError as error:
        note = f"The page has no pictures: {error}"
    title = escape(f"{score.agent or 'An agent'} in {score.game}")
    main = [*_chips(score), *_policy(score, drawn), *_rest(score)]
    return page("agent.html", title=title, lead=_lead(score), main=main, foot=_foot(note)), note


def _lead(score: GamesScore) -> list[Element]:
    hands = sum(one.hands for one in score.against)
    share = f" ({score.illegal / score.answers:.1%})" if score.illegal else ""
    counted = f"{hands} hands, {score.answers} answers, {score.illegal} of them illegal{share}."
    return [h("p", counted, class_="dim"), *(h("p", line) for line in sentences(score.deviations, score))]


def sentences(found: list[Deviation], score: GamesScore) -> list[str]:
    """Up to five sentences on the agent's costliest differences from published play, without those that may be chance."""
    out: list[str] = []
    for one in found:
        if one.cost < LEAST or len(out) >= 5:
            break
        if by_chance(score, one):
            continue
        hand = score.game.finite_deal().label(one.player, one.hand)
        much = "too little" if one.played < one.reference else "too often"
        what = {"bluff": "bluffs", "value bet": "bets for value", "": f"chooses {one.action}"}[one.kind]
        detail = f" with {one.action}" if one.kind and one.action != "bet" else ""
        out.append(
            f"As player {one.player}, {where(one.node)}, with {hand}, it {what}{detail} {much}: {one.played:.0%} of the time, where "
            f"{one.reference:.0%} is published. That costs {one.cost:.3f} chips of NashConv."
        )
    return out


def by_chance(score: GamesScore, one: Deviation) -> bool:
    """True if `one` may be chance: an agent that plays as published would differ as much with a probability above `SURPRISING`."""
    from scipy.stats import binomtest

    answers = round(float(score.counts[one.node][one.hand].sum()))
    chance: float = binomtest(round(one.played * answers), answers, min(max(one.reference, 0.0), 1.0)).pvalue
    return chance > SURPRISING


def _chips(score: GamesScore) -> list[Element]:
    rows = [
        [
            one.opponent or "unknown",
            str(one.seat),
            str(one.hands),
            *("" if mean is None else str(mean) for mean in (one.chips, one.adjusted)),
            "" if one.best is None else f"{one.best:z.4f}",
            "" if one.lost is None else f"{one.lost:.4f} against {one.reference_opponent}",
        ]
        for one in score.against
    ]
    head = ["opponent", "seat", "hands", "chips a hand", "without luck", "a best response", "regret per decision"]
    return [
        h("h2", "What it earns, and how far it is exploitable"),
        table(head, rows, "Chips by opponent and seat"),
        h("p", "In chips; in brackets 95% intervals, which are valid for any number of hands.", class_="dim"),
        terms(score.exploited().items()),
    ]


def _policy(score: GamesScore, drawn: list[tuple[str, bytes]]) -> list[Element]:
    figures = (captioned(svg, f"picture-{i}", caption) for i, (caption, svg) in enumerate(drawn))
    out = [h("h2", "How it plays"), *figures]
    if score.published is None:
        return [*out, h("p", f"There is nothing to compare with: {score.why_not}.")]
    shown = score.deviations[:MOST]
    if not shown:
        return [*out, h("p", "It plays exactly what is published wherever the log has answers.")]
    head = ["where", "hand", "action", "plays", "published", "answers", "costs"]
    rows = map(score.columns, shown)
    note = (
        "What a difference costs is by how much NashConv would fall if the agent played there, and only there, what is published. "
        "Frequencies of few answers differ by chance; the sentences above leave out what differs no more than that."
    )
    return [*out, table(head, rows, "Differences from the published strategies"), h("p", note, class_="dim")]


def _rest(score: GamesScore) -> list[Element]:
    lines = score.left_out()
    if score.unfinished:
        lines = [f"games without a terminal node: {score.unfinished}; their answers count", *lines]
    if not lines:
        return []
    return [h("h2", "Left out"), h("ul", *(h("li", line) for line in lines))]


def _pictures(score: GamesScore) -> list[tuple[str, bytes]]:
    from relance.pages.plots.bars import strategy_bars
    from relance.pages.plots.mistakes import cost_bars
    from relance.pages.plots.style import render

    layers = {} if score.published is None else {"published": score.published}
    out = [
        (
            "How often each action is taken, by hand",
            render(strategy_bars(score.game, layers | {"played": score.frequencies})),
        )
    ]
    if any(one.cost > SAME for one in score.deviations):
        out.insert(0, ("What each difference costs", render(cost_bars(score.game, score.deviations))))
    return out


def _foot(note: str) -> list[Element]:
    run = about()
    made = f"Made on {run['date']} by relance score-games, relance {run['versions'].get('relance', '')}."
    return [h("p", made), *([h("p", note, id="note")] if note else [])]
