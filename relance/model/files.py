"""Reads and writes files: whole ones, replaced in one step or left as they were; JSON lines, with one writer at a time.

Work that is saved along the way goes on if a save fails; see `Saving`.
"""

from __future__ import annotations

import io
import json
import os
import stat
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from relance.model.numbers import short

LARGEST = 2**28
"""The most bytes in a text file that is read whole, and in one line of a file of lines."""

SYNCED = 1.0
"""Seconds: lines are written to the disk itself, not only handed to the system, at least this often and when the file is closed."""

SAVED = 60.0
"""Seconds: long work is saved about this often, so that no more than this is lost if it is killed."""


AGAIN = 5.0
"""Seconds: the shortest wait before a failed save is tried again."""


class SaveWarning(UserWarning):
    """A save during long work failed; the work goes on, and the save is tried again."""


class UnsavedWarning(SaveWarning):
    """The save at the end of long work failed; the result is returned, but it is not saved."""


class FileError(OSError, ValueError):
    """A file that cannot be read or written; the message names it and says why."""


@contextmanager
def _told(path: Path, done: str) -> Iterator[None]:
    """Turn an error of the system into a FileError that names the file and what cannot be `done` with it."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path} cannot be {done}: {error.strerror or error}") from None


def check_kind(path: Path, done: str) -> None:
    """Raise FileError, saying that `path` cannot be `done` (such as "read"), if it is a folder, a pipe or a device."""
    try:
        kind = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:  # ValueError means that no file can have this name
        raise FileError(f"{short(str(path))} cannot be {done}: {getattr(error, 'strerror', error)}") from None
    if not stat.S_ISREG(kind):
        what = "folder" if stat.S_ISDIR(kind) else "pipe" if stat.S_ISFIFO(kind) else "device"
        raise FileError(f"{path} cannot be {done}: it is a {what}, not a file")


def read_json(path: str | os.PathLike[str]) -> Any:
    """Return the value in a JSON file.

    Raises:
        ValueError: the file's text is not JSON.
        OSError: the file cannot be read.
    """
    try:
        return json.loads(read_text(Path(path)))
    except (ValueError, RecursionError) as error:
        if isinstance(error, OSError):
            raise
        raise ValueError(f"{path} is no JSON: {error}") from None


def read_text(path: Path, most: int = LARGEST) -> str:
    """The text of a file of at most `most` bytes.

    Raises:
        FileError: the path cannot be read, is not a file, or the file is larger or not UTF-8.
    """
    check_kind(path, "read")
    with _told(path, "read"), path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise FileError(f"{path} cannot be read: it has more than {most:,} bytes")
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise FileError(f"{path} cannot be read: it is not text in UTF-8") from None


# Whole files


def _beside(path: Path) -> Path:
    """Return a name for a new file in the folder of `path` that no other thread, process or machine uses."""
    import uuid

    return path.with_name(f".relance-{uuid.uuid4().hex}.part")


def _check_place(path: Path) -> None:
    check_kind(path, "written")
    if not path.parent.is_dir():
        raise FileError(f"{path} cannot be written: there is no folder {path.parent}")


def check_writable(path: Path) -> None:
    """Raise FileError if `path` cannot be written, found out by writing and removing another file in its folder."""
    _check_place(path)
    part = _beside(path.resolve())
    with _told(path, "written"):
        part.touch(exist_ok=False)
        part.unlink()


def check_folder(path: Path) -> None:
    """Make this folder, or raise FileError if files cannot be written into it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError(f"files cannot be written into {path}: it exists, but is not a folder") from None
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from None
    except ValueError as error:  # no folder can have this name
        raise FileError(f"{short(str(path))} cannot be written: {error}") from None
    check_writable(path / "new")


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file that replaces `path` when the `with` block ends; after an error in it, `path` is unchanged.

    Raises:
        FileError: the new file cannot be written.
    """
    check_kind(path, "written")
    target = path.resolve()  # a link stays, and its target is replaced
    part = _beside(target)
    with _told(path, "written"):
        try:
            with part.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                part.chmod(stat.S_IMODE(target.stat().st_mode))
            part.replace(target)
        finally:
            with suppress(OSError):
                part.unlink()


def write_bytes(path: Path, data: bytes) -> None:
    """Write `data` to `path` in one step: after an error the old file is unchanged. Raises as `replacing` does."""
    with replacing(path) as file:
        file.write(data)


def write_text(path: Path, text: str) -> None:
    """Write text in UTF-8 by `write_bytes`; half of a surrogate pair has no UTF-8 and is written as, say, \\ud800."""
    write_bytes(path, text.encode(errors="backslashreplace"))


# Saves along the way


class Saving:
    """Saves long work from time to time. A failed save is tried again and never ends the work; the first one warns.

    Args:
        every: seconds between two saves, by default `SAVED`.
    """

    def __init__(self, every: float | None = None) -> None:
        self._every = SAVED if every is None else every
        self._due, self._warned = time.monotonic() + self._every, False

    def __call__(self, save: Callable[[], object]) -> None:
        """Call `save` if it is due."""
        if time.monotonic() < self._due:
            return
        try:
            save()
            self._due = time.monotonic() + self._every
        except OSError as error:
            before, self._warned = self._warned, True
            self._due = time.monotonic() + max(self._every, AGAIN)
            if not before:
                warnings.warn(f"{error}; the work goes on, and the save is tried again", SaveWarning, stacklevel=3)

    def last(self, save: Callable[[], object], stop: BaseException | None = None) -> bool:
        """Call `save` as the work ends. If it fails, return False and warn, or add a note to `stop`, the error that ended the work."""
        try:
            save()
        except OSError as error:
            if stop is None:
                warnings.warn(str(error), UnsavedWarning, stacklevel=3)
            else:
                stop.add_note(str(error))
            return False
        return True


# Lines of JSON


class Line(NamedTuple):
    """One line, not blank, of a file of JSON lines.

    Attributes:
        number: the number of the line in the file, from 1.
        data: the line, with its line end if it has one.
        item: the JSON value of the line; None if the line is not JSON.
        problem: why the line is not JSON; "" if it is.
        start: the offset in the file, in bytes, at which the line starts.
    """

    number: int
    data: bytes
    item: Any
    problem: str
    start: int

    @property
    def end(self) -> int:
        """The offset in the file, in bytes, of the first byte after the line."""
        return self.start + len(self.data)

    @property
    def is_cut(self) -> bool:
        """True if the file ends in the middle of the line, which happens when a run is killed."""
        return bool(self.problem) and not self.data.endswith(b"\n")


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a file of JSON lines, without blank ones.

    Raises:
        FileError: the file cannot be read, or a line has more than `LARGEST` bytes.
    """
    check_kind(path, "read")
    with _told(path, "read"), path.open("rb") as file:
        yield from _lines(file, path)


def _lines(file: IO[bytes], path: Path) -> Iterator[Line]:
    start = number = 0
    while data := file.readline(LARGEST + 1):
        number += 1
        if len(data) > LARGEST:
            raise FileError(f"{path} cannot be read: line {number} has more than {LARGEST:,} bytes")
        if data.strip():
            item, problem = None, ""
            try:
                item = json.loads(data.decode())
            except (ValueError, RecursionError) as error:
                problem = short(str(error))
            yield Line(number, data, item, problem, start)
        start += len(data)


def json_line(item: object) -> str:
    """Write a value as a line of JSON in ASCII, so that no reader mistakes a character in a text for the end of a line."""
    return json.dumps(item, ensure_ascii=True, allow_nan=False, separators=(",", ":")) + "\n"


class LineFile:
    """A file of JSON lines to append to; a context manager. Only one run can append to it at a time.

    A new file that stays empty is removed. If lines cannot be written, a `SaveWarning` says so, and they are written later. If they
    cannot be written at the end either, an `UnsavedWarning` names the temporary file that has them.

    Args:
        path: the file, which is created if it does not exist; None creates a temporary file.
        called: a part of the temporary file's name.

    Attributes:
        path: the file.

    Raises:
        FileError: the file cannot be written, or another run is writing to it.
    """

    def __init__(self, path: Path | None, called: str = "lines") -> None:
        path = _temporary(called) if path is None else path
        _check_place(path)
        self.path, self._is_new, self._synced = path, not path.exists(), time.monotonic()
        with _told(path, "written"):
            self._file = path.open("a+b", buffering=0)
        try:
            self._unlock = self._locked()
        except BaseException:
            self._file.close()
            raise
        self._saving, self._lines, self._in_file, self._is_torn = Saving(0.0), bytearray(), 0, False
        self._end = os.fstat(self._file.fileno()).st_size
        # `_lines` are those from the byte `_end` on, which may not be on the disk yet; the file has the first `_in_file` bytes of them

    def _locked(self) -> Callable[[], object]:
        """Lock the file; return what unlocks it. On a disk without locks, such as some network disks, a file beside it is the lock."""
        from filelock import SoftFileLock, Timeout, lock_descriptor

        said = f"{self.path} is being written to by another run; wait until it ends, or name another file"
        try:
            locked = lock_descriptor(self._file.fileno(), blocking=False)
            if locked and os.path.samestat(os.fstat(self._file.fileno()), self.path.stat()):
                return lambda: None  # closing the file unlocks it
        except FileNotFoundError:  # another run just removed it
            pass
        except OSError:
            mark = SoftFileLock(f"{self.path.resolve()}.lock", blocking=False, thread_local=False)
            with _told(Path(mark.lock_file), "written"):
                try:
                    mark.acquire()
                    return mark.release
                except Timeout:
                    said += f". If there is no other run, remove {mark.lock_file}, the lock that a killed run has left"
        raise FileError(said)

    def lines(self) -> list[Line]:
        """Read the lines that are in the file, but for blank ones; raises as `read_lines` does."""
        self._file.seek(0)
        reader = io.BufferedReader(self._file)
        try:
            return list(_lines(reader, self.path))
        finally:
            reader.detach()

    def end_at(self, size: int) -> None:
        """Cut the file to its first `size` bytes, and add a line end if the last line lacks one."""
        with _told(self.path, "written"):
            self._file.truncate(size)
            self._file.seek(max(size - 1, 0))
            if size and self._file.read(1) != b"\n":
                self._file.write(b"\n")
        self._end = os.fstat(self._file.fileno()).st_size

    def add(self, *items: object) -> None:
        """Append a line for each item.

        Raises:
            ValueError, TypeError: an item cannot be written as JSON.
        """
        self._lines += "".join(map(json_line, items)).encode()
        self._saving(self._write)

    def _write(self, at_once: bool = False) -> None:
        """Write the lines that the file lacks. Now and then, or `at_once`, wait for the disk: some say only then that they are full."""
        with _told(self.path, "written"):
            if self._is_torn:
                self._file.truncate(self._end + self._in_file)
            self._is_torn, left = True, bytes(self._lines[self._in_file :])
            while left:
                left = left[self._file.write(left) :]
            if at_once or time.monotonic() - self._synced > SYNCED:
                self._in_file, end = 0, self._end + len(self._lines)
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()
                none = bytearray()
                self._end, self._lines = end, none  # no Ctrl-C comes between the two
            self._is_torn, self._in_file = False, len(self._lines)

    def close(self) -> None:
        """Close the file, and let others write to it."""
        if self._file.closed:
            return
        try:
            self._saving.last(self._finish)
        finally:
            with suppress(OSError):
                if self._is_new and not os.fstat(self._file.fileno()).st_size:
                    self.path.unlink()
            self._file.close()
            self._unlock()

    def _finish(self) -> None:
        try:
            self._write(at_once=True)
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end + self._in_file)
            rest, other = bytes(self._lines[self._in_file :]), _temporary("rest")
            other.write_bytes(rest)
            count = len(rest.splitlines())
            raise FileError(f"{error}; the {count} lines that were not written are in {other}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _temporary(called: str) -> Path:
    """A new temporary file of JSON lines."""
    import tempfile

    handle, name = tempfile.mkstemp(".jsonl", f"relance-{called}-")
    os.close(handle)
    return Path(name)
