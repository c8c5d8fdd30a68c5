"""Files of answers and logs: what is refused, kept and continued after a stop."""

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
        (first + '{"seat": 0}\n' + "".join(rest), "line 2 is not an answer here"),
        (first + second.replace('"Q"', '"7"'), "line 2 is not an answer here"),
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
        relance.words.score(KUHN, agent, answers=answers, answers_file=path)
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
