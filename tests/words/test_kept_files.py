"""Files of answers and logs: what is refused, kept and continued after a stop."""

import json
import re

import pytest
from test_log_rows import GOOD, KUHN, lines
from test_sampled_score import Drawing

import relance
from relance.words import read_games
from relance.words.kept_files import LogWriter
from relance.words.log_rows import parse_row


@pytest.mark.parametrize("tail", ["{", '{"version": 1, "ga', '{"version": 1, "raw": "\xe9'])
def test_a_stopped_run_is_read_and_continued(tail, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(GOOD).encode() + tail.encode("latin-1"))
    assert read_games(path, KUHN).counts == {"unfinished last lines": 1}
    with LogWriter(path, KUHN) as log:
        assert log.rows == (parse_row(GOOD),)
        log.write(parse_row(GOOD | {"episode": 1}))
    assert path.read_text() == lines(GOOD, GOOD | {"episode": 1})


def test_a_whole_last_line_without_an_end_is_kept(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(lines(GOOD).rstrip())
    with LogWriter(path, KUHN) as log:
        log.write(parse_row(GOOD | {"episode": 1}))
    assert path.read_text() == lines(GOOD, GOOD | {"episode": 1})


@pytest.mark.parametrize(
    "text", ["no log\n", "[1]\n", lines(GOOD | {"version": 2}), lines(GOOD) + "{\n", lines(GOOD | {"hand": "J"})]
)
def test_no_other_file_is_written_to(text, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"log\.jsonl"):
        LogWriter(path, KUHN)
    assert path.read_text() == text


def test_files_that_are_none(tmp_path):
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(ValueError, match="it is empty"):
        read_games(tmp_path / "empty.jsonl")
    with pytest.raises(OSError, match="it is a folder"):
        read_games(tmp_path)
    with pytest.raises(OSError, match="No such file"):
        read_games(tmp_path / "none.jsonl")


def test_files_of_something_else_are_refused(tmp_path):
    path = tmp_path / "answers.jsonl"
    relance.words.score(KUHN, Drawing(), answers=2, answers_file=path)
    kept = path.read_text()
    for game, agent, says in (
        (relance.make("one_card_poker"), Drawing(), "has answers for game=.*raises=0"),
        (KUHN, "uniform", "has answers for agents="),
        (KUHN, relance.words.TextAgent(lambda messages: "[bet]"), "has answers for agents="),
    ):
        with pytest.raises(ValueError, match=says):
            relance.words.score(game, agent, answers=2, answers_file=path)
    first, second, *rest = kept.splitlines(keepends=True)
    for text, says in (
        (first + '{"seat": 0}\n' + "".join(rest), "line 2 is not an answer in "),
        (first + second.replace('"Q"', '"7"'), "line 2 is not an answer in "),
        (first + "bet\n" + second, "line 2 is not an answer"),
        (second, "is not a file of answers"),
        ("what?\n", "line 1"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=says):
            relance.words.score(KUHN, Drawing(), answers=2, answers_file=path)
        assert path.read_text() == text
    with pytest.raises(ValueError, match="is a folder"):
        relance.words.score(KUHN, Drawing(), answers=2, answers_file=tmp_path)


@pytest.mark.parametrize("text", ["\u2028[check]", "\x85[check]", "\ud800[check]", "\x00[check]\r\n"])
def test_answers_of_any_text_are_kept_and_continued(tmp_path, text):
    path, agent = tmp_path / "answers.jsonl", relance.words.TextAgent(lambda messages: text)
    for answers in (1, 2):
        relance.words.score(KUHN, agent, answers=answers, answers_file=path, name="talker")
    assert len(path.read_bytes().split(b"\n")) == 1 + 24 + 1
    assert b"\r" not in path.read_bytes()


def test_two_runs_at_once_do_not_ask_twice(tmp_path):
    """The second is refused before it asks anything, while the first is asking."""
    path, asked = tmp_path / "answers.jsonl", []

    def reply(messages):
        asked.append(1)
        if len(asked) == 5:
            other = relance.words.TextAgent(reply)
            with pytest.raises(ValueError, match=r"answers\.jsonl is being written to by another run"):
                relance.words.score(KUHN, other, answers=2, answers_file=path)
        return "[check]"

    relance.words.score(KUHN, relance.words.TextAgent(reply), answers=2, answers_file=path)
    assert len(asked) == 24


def answered(tmp_path, agent, **named):
    path = tmp_path / "answers.jsonl"
    relance.words.score(KUHN, agent, answers=3, answers_file=path, **named)
    return path


def test_a_line_that_stands_twice_is_named(tmp_path):
    path = answered(tmp_path, Drawing())
    whole = path.read_text().splitlines(keepends=True)
    path.write_text("".join(whole[:20] + whole[14:17] + whole[20:]))
    with pytest.raises(
        ValueError, match=r"answers\.jsonl, line 21: the answer has `number` \d, but \d comes next at this"
    ):
        answered(tmp_path, Drawing())


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"action":', '"acti on":', "has unknown keys: 'acti on'"),
        ('"number":1', '"number":1,"why":2', "has unknown keys: 'why'"),
        ('"number":1', '"number":7', "the answer has `number` 7, but 1 comes next at this"),
        ('"number":1', '"number":null', "the answer has `number` None, but 1 comes next at this"),
        ('"number":1', '"number":1,"fault":"\\u001b[2J"', "is not an answer in "),
    ],
)
def test_a_key_or_a_fault_that_is_none_is_named(tmp_path, old, new, says):
    path = answered(tmp_path, Drawing())
    head, line, *rest = path.read_text().splitlines(keepends=True)
    assert old in line
    path.write_text(head + line.replace(old, new) + "".join(rest))
    with pytest.raises(ValueError, match=r"line 2") as error:
        answered(tmp_path, Drawing())
    assert says in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("said", ['"action":null', '"chances":{}'])
def test_a_strategy_plays_no_illegal_action(tmp_path, said):
    path = answered(tmp_path, "uniform")
    head, line, *rest = path.read_text().splitlines(keepends=True)
    path.write_text(head + re.sub(r'"chances":\{[^}]*\}', said, line) + "".join(rest))
    with pytest.raises(ValueError, match="line 2: player 0 is a strategy, but this answer is illegal"):
        answered(tmp_path, "uniform")


def test_one_function_does_not_go_on_for_another(tmp_path):
    """A file is continued for an agent with a name, or under the name that is given; each kind that has none."""
    other = tmp_path / "model.jsonl"
    path = answered(tmp_path, relance.words.TextAgent(lambda messages: "[check]"))
    for agent in (relance.words.TextAgent(lambda messages: "[bet]"), KUHN.published(), lambda seen, masks: masks):
        with pytest.raises(ValueError, match=r"answers\.jsonl has answers"):
            answered(tmp_path, agent)
        with pytest.raises(ValueError, match="has answers for agents="):
            answered(tmp_path, agent, name="me")
    with pytest.raises(ValueError, match=r"without a name of its own, kept as .*lambda>'"):
        answered(tmp_path, relance.words.TextAgent(lambda messages: "[bet]"))
    path.replace(other)
    for word in ("[check]", "[bet]"):
        answered(tmp_path, relance.words.TextAgent(lambda messages, word=word: word), name="me")
    for endpoint in ("http://localhost/v1", "http://localhost/v2"):
        named = relance.words.TextAgent(relance.words.Endpoint(endpoint, "m"), batched=True)
        with pytest.raises(ValueError, match="has answers for agents="):
            answered(tmp_path, named, name="me")


GAME = ("published", "uniform")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda rows: rows[0].update({"acti on": rows[0].pop("action")}),
            "line 1: the row has unknown keys: 'acti on'",
        ),
        (lambda rows: rows[0].pop("action"), "line 1: the row has neither an action nor chips"),
        (
            lambda rows: rows[0].update(action=None),
            "line 1: 'published' is a strategy, but this answer is illegal",
        ),
        (
            lambda rows: rows[0].update(fault="cut off"),
            "line 1: fault='cut off' must be one of cut off, ",
        ),
        (lambda rows: rows[0].update(action=None, fault="\x1b[2J"), "line 1: fault="),
        (lambda rows: rows.insert(2, rows[0]), "line 3: seed 0, episode 0, seat 0 has another row at '', in line 1"),
    ],
)
def test_a_log_that_no_match_writes_is_refused_by_line(tmp_path, change, says):
    path = tmp_path / "log.jsonl"
    relance.match(KUHN, *GAME, 20, within=1e-9, log=path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert rows[0]["agent"] == "published"
    change(rows)
    path.write_text(lines(*rows))
    with pytest.raises(ValueError, match=re.escape(says)):
        relance.match(KUHN, *GAME, 20, within=1e-9, log=path)


def test_an_answer_twice_is_no_retry_where_none_is_allowed(tmp_path):
    path, agent = tmp_path / "log.jsonl", relance.words.TextAgent(lambda messages: "hm")
    names = ("talker", "uniform")
    relance.match(KUHN, agent, "uniform", 20, within=1e-9, log=path, names=names)
    first, *rest = path.read_text().splitlines(keepends=True)
    path.write_text(first + first + "".join(rest))
    with pytest.raises(ValueError, match="line 2 repeats line 1: both have the same episode, player and node"):
        relance.match(KUHN, agent, "uniform", 20, within=1e-9, log=path, names=names)


def test_a_match_goes_on_only_for_those_who_are_named(tmp_path):
    path, agent = tmp_path / "log.jsonl", relance.words.TextAgent(lambda messages: "[check] [fold]")
    first = relance.match(KUHN, agent, "uniform", 20, within=1e-9, log=path)
    with pytest.raises(ValueError, match=r"holds a match already; to continue it, .* names=\('a', 'uniform'\)"):
        relance.match(KUHN, agent, "uniform", 20, within=1e-9, log=path)
    assert relance.match(KUHN, agent, "uniform", 20, within=1e-9, log=path, names=("a", "uniform")) == first
