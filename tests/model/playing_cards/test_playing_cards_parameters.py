"""Parameters of games with real cards."""

import pytest

from relance.model.playing_cards.parameters import BoardCards, Ranges


def test_cards_on_the_table_have_one_text():
    assert BoardCards("", "").read("board", "9d Ks 7h,4c 2s") == BoardCards("", "").read("board", "9dKs7h4c2s")
    assert BoardCards("", "", 4).read("board", "Ks9d7h4c") == "Ks9d7h4c"


@pytest.mark.parametrize(
    ("size", "value", "message"),
    [
        (5, 7, "board=7 must be five different cards, such as 'Ks9d7h4c2s'"),
        (4, "Ks9d7h4c2s", "board='Ks9d7h4c2s' must be four different cards, such as 'Ks9d7h4c'"),
        (5, "Ks9d7h4cKs", "must be five different cards.*Ks"),
    ],
)
def test_other_cards_are_refused(size, value, message):
    with pytest.raises(ValueError, match=message):
        BoardCards("", "", size).read("board", value)


def test_ranges_are_text_or_files(tmp_path):
    kind, path = Ranges("", ""), tmp_path / "mine.txt"
    path.write_text("AA\nKQs:1/2\n")
    read = kind.read("ranges", "AA;KQs:1/2 vs QQ")
    assert kind.read("ranges", ["AA,KQs:1/2", "QQ"]) == kind.read("ranges", [path, "QQ"]) == read
    assert kind.read("ranges", kind.text(read)) == read


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (7, "ranges=7 must be two ranges"),
        ("AA", "ranges='AA' has 1 ranges; it must be two ranges"),
        (["AA", "KX"], "ranges='KX' of player 1: "),
        (["", "AA"], "ranges='' of player 0: the range has no hands"),
    ],
)
def test_what_is_no_range_is_named(value, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        Ranges("", "").read("ranges", value)
    with pytest.raises(ValueError, match="of player 1 is not a file that holds a range"):
        Ranges("", "").read("ranges", ["AA", tmp_path / "none.txt"])
