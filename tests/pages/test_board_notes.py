"""Notes of a board: games and columns have short names."""

from board_rows import row
from test_leaderboard import table

from relance.pages.board_notes import headings
from relance.pages.leaderboard import (
    leaderboard_page,
)


def test_games_have_short_names_where_these_tell_them_apart():
    texts = ["one_card_poker(raises=0)", "one_card_poker(raises=0, ante=2)", "von_neumann(hands=9)", "von_neumann"]
    assert [headings(texts)[text] for text in texts] == [
        "Kuhn, 3 cards",
        "Kuhn, 3 cards, ante=2",
        "Von Neumann's poker, bet 2, 9 hands",
        "Von Neumann's poker, bet 2",
    ]
    same = ["river", "river(board=Ks9d7h4c2s)"]
    assert headings(same) == dict(zip(same, same, strict=True))


def test_the_columns_are_budgets_that_runs_had():
    short = [row(seconds=30.0, points=[[10.0, 10, 1.0], [30.0, 20, 0.5]])]
    (line,) = table(leaderboard_page(short, {}), "one_card_poker")
    assert [name for name in line if name.startswith("last")] == ["last, 10 s", "last, 30 s"]
    assert (line["last, 10 s"], line["last, 30 s"]) == ("**1**", "**0.5**")
