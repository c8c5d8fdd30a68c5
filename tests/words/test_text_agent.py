"""Agents that answer in words: what they are asked, what counts, and what is asked again."""

import pytest

import relance
from relance.words.renamings import renamed_wording
from relance.words.text_agent import LONGEST, Question, ReplyFault, TextAgent, parse_reply, talk

KUHN = relance.make("one_card_poker", raises=0)
ASKED = Question(1, 2, "bet")


def saying(*texts):
    """A reply function that says these texts in turn, and the conversations it was shown."""
    shown, left = [], list(texts)

    def reply(messages):
        shown.append(messages)
        return left.pop(0)

    return reply, shown


def test_one_question_holds_the_rules_the_hand_and_the_actions():
    reply, shown = saying("I have the best card. [call]")
    answer = TextAgent(reply).answer(KUHN, ASKED)
    assert (answer.action, answer.fault, answer.raw) == ("call", None, ("I have the best card. [call]",))
    (messages,) = shown
    assert [message["role"] for message in messages] == ["user"]
    assert all(part in messages[0]["content"] for part in ("From weakest", "Your hand: A", "[fold]", "[call]"))


def test_a_bad_reply_forfeits_or_is_asked_once_more():
    reply, _ = saying("hm")
    answer = TextAgent(reply).answer(KUHN, ASKED)
    assert (answer.action, answer.fault, answer.faults) == (None, ReplyFault.NO_ACTION, (ReplyFault.NO_ACTION,))
    reply, shown = saying("[check]", "[call]")
    answer = TextAgent(reply, retries=1).answer(KUHN, ASKED)
    assert (answer.action, answer.fault, answer.faults) == ("call", None, (ReplyFault.ILLEGAL,))
    assert [message["role"] for message in shown[1]] == ["user", "assistant", "user"]
    assert "illegal action" in shown[1][2]["content"]
    assert "[fold] or [call]" in shown[1][2]["content"]
    reply, _ = saying("[check]", None)
    answer = TextAgent(reply, retries=1).answer(KUHN, ASKED)
    assert (answer.action, answer.fault, answer.faults) == (
        None,
        ReplyFault.EMPTY,
        (ReplyFault.ILLEGAL, ReplyFault.EMPTY),
    )
    assert answer.replies == [
        {"action": None, "raw": "[check]", "fault": "illegal action"},
        {"action": None, "raw": "", "fault": "empty"},
    ]


def test_many_at_once_ask_again_only_who_must():
    sizes = []

    def replies(conversations):
        sizes.append(len(conversations))
        return ["[call]" if "Your hand: A" in c[0]["content"] or len(c) > 1 else "no" for c in conversations]

    agent = TextAgent(replies, retries=1, batched=True)
    answers = agent.answers(KUHN, [Question(1, hand, "bet") for hand in (2, 0, 2)])
    assert [answer.action for answer in answers] == ["call"] * 3
    assert [len(answer.raw) for answer in answers] == [1, 2, 1]
    assert sizes == [3, 1]
    for given in (5, "[check]", {"a": 1}):
        with pytest.raises(TypeError, match="a batched agent must return a list of replies, not "):
            TextAgent(lambda conversations, given=given: given, batched=True).answer(KUHN, Question(0, 0, ""))
    with pytest.raises(ValueError, match="1 replies to 2 conversations"):
        TextAgent(lambda conversations: ["[call]"], batched=True).answers(KUHN, [ASKED, ASKED])
    with pytest.raises(ValueError, match="shorter"):
        TextAgent(lambda conversations: iter(["[call]"]), batched=True).answers(KUHN, [ASKED, ASKED])


def test_one_reply_that_fails_leaves_the_others():
    agent = TextAgent(lambda conversations: ["[call]", TimeoutError("no reply"), "[fold]"], batched=True)
    came = []
    with pytest.raises(TimeoutError, match="no reply"):
        came.extend(agent.answered(KUHN, [ASKED] * 3))
    assert [(place, answer.action) for place, answer in came] == [(0, "call"), (2, "fold")]


def test_renamed_names_and_log_probabilities_come_back_as_the_games_own():
    wording = relance.words.renamed_wording(KUHN, 3)
    told = {wording.action("call"): -0.1, wording.action("fold"): -2.3, "other": -9.0}
    agent = TextAgent(lambda messages: (f"[{wording.action('call')}]", told), wording=wording)
    answer = agent.answer(KUHN, ASKED)
    assert answer.action == "call"
    assert answer.logprobs == {"call": -0.1, "fold": -2.3}


def test_frameworks_carry_the_messages_themselves():
    """As an asynchronous framework does: `next`, then `send` each reply."""
    asking = talk(KUHN, ASKED, retries=1)
    assert len(next(asking)) == 1
    assert len(asking.send("?")) == 3
    with pytest.raises(StopIteration) as end:
        asking.send("[fold]")
    assert end.value.value.action == "fold"


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="retries=2 must be 0 or 1"):
        TextAgent(print, retries=2)
    with pytest.raises(TypeError, match="reply='gpt' must be a function"):
        TextAgent("gpt")
    with pytest.raises(TypeError, match="a reply must be text"):
        TextAgent(lambda messages: 3).answer(KUHN, ASKED)
    with pytest.raises(ValueError, match="answers=100"):
        relance.score(KUHN, TextAgent(print))
    with pytest.raises(RuntimeError, match="no connection"):
        TextAgent(_failing).answer(KUHN, ASKED)


def _failing(messages):
    raise RuntimeError("no connection")


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


def test_a_renaming_is_read_in_its_own_names_only():
    game = relance.make("one_card_poker", raises=0)
    wording = renamed_wording(game, 3)
    assert parse_reply("[bet]", ("check", "bet"), wording).fault == ReplyFault.ILLEGAL
    for name in ("check", "bet"):
        assert parse_reply(f"[{wording.action(name)}]", ("check", "bet"), wording).action == name
