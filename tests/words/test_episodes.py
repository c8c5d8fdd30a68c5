"""Games are assembled from rows: what does not fit together is named, what is unfinished counts its answers."""

import pytest
from test_games_score import KUHN, played

import relance
from relance.words.log_rows import decision_row, terminal_row


def broken(**change):
    about = {"seed": 0, "episode": 9, "agent": "me", "opponent": "uniform"}
    names = KUHN.tree.table.names
    answer = {"hand": 0, "node": names.index("check-bet"), "action": "call"} | change
    rows = [decision_row(KUHN, 0, 0, 0, "check", **about)]
    rows.append(decision_row(KUHN, 0, answer["hand"], answer["node"], answer["action"], **about))
    return [*rows, terminal_row(KUHN, 0, 0, names.index("check-bet-call"), -2, **about)]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (broken()[1:], "the answer at '' is not the one"),
        (broken(action="fold"), "the answer at 'check-bet' is not the one"),
        (broken(hand=1), "the hand is Q and then K"),
        (broken(action=None), "the answer at 'check-bet' is not the one"),
        ([*broken(), *broken()[2:]], "it ends twice"),
    ],
)
def test_games_that_do_not_fit_together_are_named(rows, why):
    good = played(KUHN, "published", "uniform", 4)
    score = relance.words.score_games(KUHN, [*good, *rows])
    assert [fault.kind for fault in score.faults] == ["games that do not fit together"]
    assert score.faults[0].why.startswith(why)
    assert sum(one.hands for one in score.against) == 8
    assert "left out: games that do not fit together: 1, the first in seed 0, episode 9" in str(score)


def test_unfinished_games_count_their_answers_only():
    score = relance.words.score_games(KUHN, broken()[:2])
    assert (score.unfinished, score.answers, score.against[0].hands) == (1, 2, 0)
    assert score.counts["check-bet"].sum() == 1
