"""`relance show`, as a user meets it."""

from test_commands import run


def test_a_game_is_shown_with_its_published_strategies():
    shown = run("show", "one_card_poker", "--family", "alpha=1/3").stdout
    for line in (
        "alpha = 1/3, from 0 to 1",
        "hands: Q, K, A",
        "check  7/9, 1, 1/3",
        "value -1/18 chips to player 0, NashConv 0",
    ):
        assert line in shown
    assert "No strategies are published" in run("show", "one_card_poker(cards=5)").stdout
    printed = run("show", "bellman_blackwell(low=1/5)", "--as-printed").stdout
    assert "NashConv 30976/296595" in printed
    wrong = run("show", "one_card_poker", "--family", "alpha=2")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "alpha=2 must be between 0 and 1" in wrong.stderr
