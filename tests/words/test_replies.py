"""Replies are read strictly: the last brackets name the action, and nothing is guessed."""

import pytest

import relance
from relance.words.dresses import redressed
from relance.words.replies import LONGEST, ReplyFault, parse_reply

LEGAL = ("fold", "call", "bet 1", "bet 10")


@pytest.mark.parametrize(
    ("reply", "action", "fault"),
    [
        ("[call]", "call", None),
        ("[fold]? No: [ Call ]", "call", None),
        ("<think>[fold]</think> so [bet  10].", "bet 10", None),
        ("[[call]]", "call", None),
        ("**[call]**", "call", None),
        ("", None, ReplyFault.EMPTY),
        (" \n", None, ReplyFault.EMPTY),
        ("call", None, ReplyFault.NO_ACTION),
        ("[call", None, ReplyFault.NO_ACTION),
        ("[call] or rather [fo", None, ReplyFault.NO_ACTION),
        ("[]", None, ReplyFault.NO_ACTION),
        ("[fold or call]", None, ReplyFault.SEVERAL),
        ("[bet 1, bet 10]", None, ReplyFault.SEVERAL),
        ("[raise]", None, ReplyFault.ILLEGAL),
        ("[1]", None, ReplyFault.ILLEGAL),
        ("[bet]", None, ReplyFault.ILLEGAL),
        ("[bet 11]", None, ReplyFault.ILLEGAL),
        ("[I call]", None, ReplyFault.ILLEGAL),
        ("[call] [2]", None, ReplyFault.ILLEGAL),
        ("x" * LONGEST + "[call]", None, ReplyFault.TOO_LONG),
    ],
)
def test_replies_are_read_strictly(reply, action, fault):
    assert parse_reply(reply, LEGAL) == (action, fault)


def test_a_dress_is_read_in_its_own_names_only():
    game = relance.make("one_card_poker", raises=0)
    wording = redressed(game, 3)
    assert parse_reply("[bet]", ("check", "bet"), wording).fault == ReplyFault.ILLEGAL
    for name in ("check", "bet"):
        assert parse_reply(f"[{wording.action(name)}]", ("check", "bet"), wording).action == name
