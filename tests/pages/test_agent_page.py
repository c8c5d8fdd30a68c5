"""The page of one agent: it says where it bluffs too little and what that costs, and stays readable when there is little to say."""

from xml.etree import ElementTree

import pytest

import relance
from relance.pages.agent_page import agent_page, sentences
from relance.words.log_rows import Fault, Log, decision_row

KUHN = relance.make("one_card_poker(raises=0)")


def log(times, agent="<me>", bluffs=0):
    """Answers of an agent that plays as published, but bluffs with the queen after a check this many times of so many."""
    published, rows, episode = KUHN.published(), [], 0
    for name, node in KUHN.tree.decisions.items():
        index = KUHN.tree.table.names.index(name)
        for hand in range(3):
            for k in range(times):
                share = float(published.row(name, node.actions[1])[hand]) * times
                if (name, hand) == ("check", 0):
                    share = bluffs
                about = {"seed": 0, "episode": episode, "agent": agent, "opponent": "uniform"}
                rows.append(decision_row(KUHN, node.player, hand, index, node.actions[k < round(share)], **about))
                episode += 1
    return rows


def body(page):
    """The page as a tree, so that every element is closed."""
    inside = page[page.index("<body>") : page.index("</body>")] + "</body>"
    for void in ("<br>", "<meta"):
        assert void not in inside
    return ElementTree.fromstring(inside)


def test_it_says_where_it_bluffs_too_little():
    score = relance.words.score_games(KUHN, log(60))
    page, note = agent_page(score)
    text = " ".join(body(page).itertext())
    cost = float(score.deviations[0].cost)
    said = f"As player 1, after check, with Q, it bluffs too little: 0% of the time, where 33% is published. That costs {cost:.3f} chips"
    assert said in text
    assert cost == pytest.approx(1 / 9, abs=0.02)
    assert not note
    assert page.count("<svg") == 2
    assert "&lt;me&gt; in one_card_poker" in page
    assert "<me>" not in page
    assert "http" not in page.replace("http://www.w3.org", "").partition("<body>")[2]


def test_what_may_be_chance_is_not_told():
    score = relance.words.score_games(KUHN, log(60, bluffs=15))  # a quarter for a third
    assert score.deviations[0].cost > 0.01
    assert sentences(score.deviations, score) == []


def test_a_page_with_little_to_say(monkeypatch):
    rows = log(1)[:1]
    page, _ = agent_page(
        relance.words.score_games(KUHN, Log(tuple(rows), (Fault("line 2", "damaged lines", "no JSON"),)))
    )
    text = " ".join(body(page).itertext())
    assert "damaged lines: 1, the first in line 2: no JSON" in text
    assert "games without a terminal node: 1" in text
    assert "to collect" in text

    def missing(*_):
        raise ImportError("figures need matplotlib")

    monkeypatch.setattr("relance.pages.agent_page._pictures", missing)
    page, note = agent_page(relance.words.score_games(KUHN, rows))
    assert "figures need matplotlib" in note
    assert note in " ".join(body(page).itertext())


def test_nothing_published():
    game = relance.make("one_card_poker(cards=4)")
    assert not game.is_published
    rows = [decision_row(game, 0, 0, 0, game.actions[0], seed=0, episode=0)]
    page, _ = agent_page(relance.words.score_games(game, rows))
    assert "There is nothing to compare with" in page
