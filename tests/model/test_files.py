"""Whole files that are replaced in one step, and files of lines that one writer at a time adds to."""

import errno
import itertools
import os
import random
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from relance.model import files
from relance.model.files import (
    FileError,
    LineFile,
    SaveWarning,
    Saving,
    UnsavedWarning,
    check_writable,
    read_lines,
    read_text,
    replacing,
    write_text,
)


@pytest.mark.parametrize("made", [False, True])
def test_a_disk_that_fills_up_leaves_the_old_file_or_none(tmp_path, made):
    path = tmp_path / "game.efg"
    if made:
        path.write_text("old")

    def fill():
        with replacing(path) as file:
            file.write(b"new")
            raise OSError(28, "No space left on device")

    with pytest.raises(FileError, match=r"game\.efg cannot be written: No space left"):
        fill()
    assert [p.read_text() for p in tmp_path.iterdir()] == ["old"] * made


def test_a_file_is_replaced_with_its_mode_and_through_a_link(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_text(link, "new")
    assert (read_text(path), path.stat().st_mode & 0o777, link.is_symlink()) == ("new", 0o640, True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "link"]


def test_what_is_no_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, why in (
        (tmp_path / "pipe", "it is a pipe"),
        (tmp_path, "it is a folder"),
        (tmp_path / ("x" * 300), "File name too long"),
    ):
        with pytest.raises(FileError, match=f"cannot be written: {why}"):
            write_text(path, "")
        with pytest.raises(FileError, match=f"cannot be read: {why}"):
            read_text(path)
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(FileError, match="it is not text in UTF-8"):
        read_text(tmp_path / "bytes")


def test_eight_threads_write_4000_files_and_lose_none(tmp_path):
    def write(name):
        path = tmp_path / str(name)
        for number in range(500):
            write_text(path, f"{name} {number}")
            assert read_text(path) == f"{name} {number}"

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))  # raises what a thread raised
    assert sorted(path.name for path in tmp_path.iterdir()) == [str(name) for name in range(8)]


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(40 * 10**9)  # no disk is used
    with pytest.raises(FileError, match="has more than 268,435,456 bytes"):
        read_text(path)
    with pytest.raises(FileError, match="line 1 has more than 268,435,456 bytes"):
        list(read_lines(path))


TEXTS = ["x\u2028y\u2029z\x85", "\ud800", "\x1b[31m", "a\nb\r\nc", "\x00\x1c\x1d\x1e\x0b\x0c"]


def test_every_text_is_one_line_and_comes_back(tmp_path):
    path = tmp_path / "lines.jsonl"
    for text in TEXTS:
        with LineFile(path) as file:
            file.add({"text": text})
    data = path.read_bytes()
    assert data.isascii()
    assert (data.count(b"\n"), b"\r" in data) == (len(TEXTS), False)
    assert [line.item["text"] for line in read_lines(path)] == TEXTS
    write_text(tmp_path / "page", "".join(TEXTS))


def test_lines_are_added_by_one_writer_at_a_time(tmp_path):
    path, link = tmp_path / "lines.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(path)
    with LineFile(path) as file:
        file.add(1)
        for other in (path, link):
            with pytest.raises(FileError, match="is being written to by another run"):
                LineFile(other)
        code = f"from pathlib import Path; from relance.model.files import LineFile; LineFile(Path({str(path)!r}))"
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert "is being written to by another run" in out.stderr
        file.add(2)
    with LineFile(link) as file:
        file.add(3)
    assert path.read_text() == "1\n2\n3\n"
    assert sorted(tmp_path.iterdir()) == sorted([path, link])


@pytest.mark.parametrize("tail", ["", '{"cut', "9" * 3])
def test_a_cut_last_line_is_known_and_dropped(tmp_path, tail):
    path = tmp_path / "lines.jsonl"
    path.write_text("1\n\n[2]" + ("\n" + tail if tail else ""))
    with LineFile(path) as file:
        lines = file.lines()
        assert [line.is_cut for line in lines] == [False, False] + ([tail == '{"cut'] if tail else [])
        file.end_at(lines[1].end)
        file.add(3)
    assert path.read_text() == "1\n\n[2]\n3\n"


@pytest.fixture
def small_disk(tmp_path):
    """A call that limits the size of every file, as a full disk does."""
    resource = pytest.importorskip("resource", reason="the size of files is limited on POSIX systems only")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda most: resource.setrlimit(resource.RLIMIT_FSIZE, (before[0] if most is None else most, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def at_once(monkeypatch):
    """After a save that failed, the next is tried at once."""
    monkeypatch.setattr(files, "AGAIN", 0.0)


def test_lines_that_do_not_fit_on_the_disk_are_written_when_they_do(tmp_path, small_disk, at_once):
    path = tmp_path / "lines.jsonl"
    with LineFile(path) as file, warnings.catch_warnings(record=True, action="always") as warned:
        file.add("first")
        small_disk(100)
        for number in range(3):
            file.add("x" * 200, number)
        assert path.stat().st_size <= 100
        small_disk(None)
        file.add("last")
        assert [line.item for line in read_lines(path)][-3:] == ["x" * 200, 2, "last"]
    assert len(list(read_lines(path))) == 8
    assert [item.category for item in warned] == [SaveWarning]
    said = f"{path} cannot be written: File too large; the work goes on, and the save is tried again"
    assert str(warned[0].message) == said


def test_lines_that_never_fit_are_somewhere_else(tmp_path, small_disk, at_once, monkeypatch):
    def temporary(called, make=files._temporary):
        small_disk(None)
        return make(called)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(files, "_temporary", temporary)
    path = tmp_path / "lines.jsonl"
    with warnings.catch_warnings(record=True, action="always") as warned, LineFile(path) as file:
        file.add("first")
        small_disk(12)
        file.add("second", 3)
    (rest,) = tmp_path.glob("relance-rest-*.jsonl")
    assert [item.category for item in warned] == [SaveWarning, UnsavedWarning]
    assert str(warned[1].message).endswith(f"the 2 lines that were not written are in {rest}")
    assert path.read_text() + rest.read_text() == '"first"\n"second"\n3\n'


@pytest.mark.parametrize("seed", range(20))
def test_a_disk_that_fails_now_and_then_loses_and_repeats_no_line(tmp_path, monkeypatch, at_once, seed):
    """Also a network disk, which takes what is written and says only when it is asked to keep it that it did not."""
    path, chance, sync = tmp_path / "lines.jsonl", random.Random(seed), os.fsync
    monkeypatch.setattr(files, "SYNCED", 0.0 if seed % 2 else 1e9)

    class Disk:
        def __init__(self, file):
            self.file = file

        def __getattr__(self, name):
            return getattr(self.file, name)

        def write(self, data):
            if chance.random() < 0.2:
                raise OSError(errno.ENOSPC, "No space left on device")
            return self.file.write(data[: chance.randint(1, len(data))])

    def fsync(handle):
        if chance.random() < 0.5:
            os.truncate(path, file._end)  # what was not kept is gone
            raise OSError(errno.EDQUOT, "Disk quota exceeded")
        sync(handle)

    monkeypatch.setattr(files.os, "fsync", fsync)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SaveWarning)
        file = LineFile(path)
        file._file = Disk(file._file)
        for number in range(100):
            file.add(number)
        monkeypatch.undo()
        file._file = file._file.file
        file.close()
    assert [line.item for line in read_lines(path)] == list(range(100))


def test_saves_along_the_way_never_end_the_work(monkeypatch):
    clock = itertools.count(step=2.0)
    monkeypatch.setattr(files.time, "monotonic", lambda: next(clock))
    made = []

    def save():
        made.append(len(made))
        if made[-1] in (1, 2, 4):
            raise OSError(errno.EDQUOT, "Disk quota exceeded")

    saving = Saving(1.0)
    with warnings.catch_warnings(record=True, action="always") as warned:
        for _ in range(20):
            saving(save)
    assert [item.category for item in warned] == [SaveWarning]
    assert len(made) > 5  # those that failed were tried again
    with pytest.raises(ZeroDivisionError):
        saving.last(lambda: 1 / 0)
    stop, made[:] = KeyboardInterrupt(), [0]
    assert not saving.last(save, stop)
    assert stop.__notes__ == ["[Errno 122] Disk quota exceeded"]
    with pytest.warns(UnsavedWarning):
        assert not saving.last(save)
    assert saving.last(save)


def test_a_disk_without_locks_has_a_file_in_their_place(tmp_path, monkeypatch):
    def none(*given, **more):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("filelock.lock_descriptor", none)
    path = tmp_path / "lines.jsonl"
    with LineFile(path) as file:
        file.add(1)
        with pytest.raises(FileError, match=r"by another run; .* remove .*lines\.jsonl\.lock"):
            LineFile(path)
    with LineFile(path) as file:
        file.add(2)
    assert path.read_text() == "1\n2\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_written_to_is_known_before(tmp_path):
    check_writable(tmp_path / "new")
    assert not list(tmp_path.iterdir())
    with pytest.raises(FileError, match="there is no folder"):
        check_writable(tmp_path / "no" / "file")
    with pytest.raises(FileError, match="cannot be written"):
        check_writable(Path("/proc/file"))  # even its owner cannot add a file
