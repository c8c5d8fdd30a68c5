"""Files of logs: read, continued after a stop, and never written over."""

import pytest
from test_log_rows import GOOD, KUHN, lines

from relance.words.log_files import LogWriter, read_log
from relance.words.log_rows import parse_row


@pytest.mark.parametrize("tail", ["{", '{"version": 1, "ga', '{"version": 1, "raw": "\xe9'])
def test_a_stopped_run_is_read_and_continued(tail, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(GOOD).encode() + tail.encode("latin-1"))
    assert read_log(path, KUHN).counts == {"unfinished last lines": 1}
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
        read_log(tmp_path / "empty.jsonl")
    with pytest.raises(OSError, match="it is a folder"):
        read_log(tmp_path)
    with pytest.raises(OSError, match="No such file"):
        read_log(tmp_path / "none.jsonl")
