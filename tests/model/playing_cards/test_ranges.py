"""The notation of ranges: counted, read back, and refused where it says nothing."""

import os
import time
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import relance
from relance.model.playing_cards.classes import deck
from relance.model.playing_cards.ranges import (
    EVERY,
    ORDER,
    StartingHand,
    group_of,
    hand_name,
    plain_range,
    read_board,
    read_range,
)


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("AA", 6),
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("ka", 16),
        ("TT+", 30),
        ("AA+", 6),
        ("KTs+", 12),
        ("KQo+", 12),
        ("88-66", 18),
        ("66-88", 18),
        ("A5s-A2s", 16),
        ("T9s-65s", 20),
        ("J8o-96o", 36),
        ("QJ-98", 64),
        ("AhKd", 1),
        ("random", 1326),
        ("22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32", 1326),
        ("AA,KQs:0.5;T9o 88-66\nA5s - A2s : 1/3", 6 + 4 + 12 + 18 + 16),
        ("10h9h, kdKh", 2),
        ("TT+ A9s + : 1/2 KQ", 30 + 20 + 16),
    ],
)
def test_entries_hold_as_many_hands_as_in_poker_books(text, hands):
    assert len(read_range(text)) == hands


def test_a_run_holds_what_it_names():
    assert {group_of(hand).name for hand in read_range("KTs+")} == {"KTs", "KJs", "KQs"}
    assert {group_of(hand).name for hand in read_range("T9s-65s")} == {"T9s", "98s", "87s", "76s", "65s"}
    assert {group_of(hand).name for hand in read_range("A5o-A3o")} == {"A5o", "A4o", "A3o"}
    assert [hand_name(hand) for hand in read_range("kdah")] == ["AhKd"]


def test_groups_are_the_square_of_thirteen():
    groups = {group_of(hand) for hand in EVERY}
    assert len(groups) == 169
    assert sorted(hand for group in groups for hand in group.hands) == sorted(EVERY)
    for group in groups:
        assert read_range(group.name).keys() == set(group.hands)


def test_weights_are_exact_and_zero_leaves_out():
    found = read_range("AA:0.5,KK:1/3,QQ:0,JJ")
    assert {group_of(hand).name: weight for hand, weight in found.items()} == {
        "AA": Fraction(1, 2),
        "KK": Fraction(1, 3),
        "JJ": 1,
    }


def range_or_error(text):
    try:
        return read_range(text)
    except ValueError as error:
        return str(error)


groups = st.sampled_from(sorted({group_of(hand) for hand in EVERY}))
entries = st.one_of(
    groups.map(lambda group: group.name),
    groups.map(lambda group: group.name + "+"),
    st.sampled_from(EVERY).map(hand_name),
    st.tuples(groups, st.integers(0, 12)).map(
        lambda pair: f"{pair[0].name}-{StartingHand(pair[0].high, min(pair[1], pair[0].high), pair[0].kind).name}"
    ),
)


@given(
    st.lists(st.tuples(entries, st.fractions(0, 1, max_denominator=9)), max_size=4),
    st.sampled_from([",", ";", " ", "\n", " , "]),
)
def test_what_is_written_plainly_is_the_same_range(parts, separator):
    text = separator.join(entry if weight == 1 else f"{entry}:{weight}" for entry, weight in parts)
    assert range_or_error(text) == range_or_error(text.replace(separator, ";"))
    found = range_or_error(text)
    if isinstance(found, str):
        assert any(reason in found for reason in ("both hold", "must join", "not a hand"))
        return
    assert read_range(plain_range(text)) == found
    assert plain_range(plain_range(text)) == plain_range(text)
    assert read_range(plain_range(text).lower()) == found


@given(st.text("AKT92shdc+-:/;,. 10random", max_size=12))
@example("-")
@example("AKs-")
@example("+")
@example(":1")
def test_any_text_is_a_range_or_refused(text):
    found = range_or_error(text)
    assert found if isinstance(found, str) else all(0 < weight <= 1 for weight in found.values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AAs", "'AAs' is not a hand of hold'em; write hands such as AA, KQs"),
        ("AX", "'AX' is not a hand"),
        ("AhAh", "'AhAh' has the same card twice"),
        ("AA,AhAs", "'AhAs' and 'AA' both hold AsAh; a hand may be in only one entry"),
        ("AA:2", "the weight of 'AA' is 2; it must be between 0 and 1"),
        ("AA:x", "the weight of 'AA'='x' is not a number"),
        ("KQs-KQo", "'KQs-KQo' must join the ends of a run of hands, such as 88-66, A5s-A2s or T9s-65s"),
        ("88-A2", "'88-A2' must join the ends of a run"),
        ("KTs+-K2s", r"'KTs\+-K2s' is not a hand"),
        ("AK-QT", "'AK-QT' must join the ends of a run"),
        ("AA," * 1400, "1,401 entries are too many; there are 1,326 hands"),
    ],
)
def test_what_is_no_range_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        read_range(text)


def test_boards_are_read_in_any_spacing():
    cards = [deck().card(name) for name in ("10s", "9d", "7h", "4c", "2s")]
    for text in ("Ts9d7h4c2s", "10s9d7h4c2s", "Ts 9d 7h 4c 2s", "ts,9D,7h,4c,2s"):
        assert read_board(text) == tuple(cards)
        assert hand_name(read_board(text)) == "Ts9d7h4c2s"
    assert len(ORDER) == 13


@pytest.mark.parametrize(
    "text", ["AA" + " " * 400_000 + "x", "AA" + " " * 400_000 + "+", "AA\t\n:" + " " * 400_000 + "1/2"]
)
def test_spaces_take_time_in_proportion_to_their_number(text):
    start = time.process_time()
    plain_range(text)
    assert time.process_time() - start < 5


def test_a_range_is_read_from_a_file_only(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "long").write_text(" " * 10**7)
    for name, why in (
        ("pipe", "it is a pipe"),
        (".", "it is a folder"),
        ("long", "it has more than 1,000,000 bytes"),
        ("none", "No such"),
    ):
        with pytest.raises(ValueError, match=f"is not a file that holds a range: .*{why}"):
            relance.make("river", ranges=[tmp_path / name, "AA"])
