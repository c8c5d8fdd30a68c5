"""A fault that was planted by hand is replayed where its text stands once, and counted by room."""

from planted import PLANTED, ROOT, Fault, end_of, planted, table

TEXT = """
[[room]]
name = "sums"
file = "relance/sums.py"
tests = ["test_sums.py"]

[[room.fault]]
before = "a + b"
after = "a - b"
gives = "differences"

[[room.fault]]
file = "relance/other.py"
before = "1"
after = "2"
gives = "two"
harmless = "nobody counts"
"""


def test_faults_have_the_file_and_the_tests_of_their_room():
    first, second = planted(TEXT)
    assert first == Fault("sums", "relance/sums.py", "a + b", "a - b", "differences", ("test_sums.py",))
    assert (second.file, second.room, second.harmless) == ("relance/other.py", "sums", "nobody counts")


def test_a_fault_is_planted_tested_and_taken_out(tmp_path):
    (tmp_path / "Makefile").write_text('\ntest: style\n\tpython -m pytest -n auto -m "not slow"\n')
    (tmp_path / "sums.py").write_text("def add(a, b):\n    return a + b\n")
    (tmp_path / "test_sums.py").write_text("import sums\n\n\ndef test_add():\n    assert sums.add(2, 2) == 4\n")

    def end(before, after, harmless=""):
        return end_of(tmp_path, Fault("sums", "sums.py", before, after, "", ("test_sums.py",), harmless))

    assert end("a + b", "a - b") == ("killed", "FAILED test_sums.py::test_add")
    assert end("a + b", "a * b") == ("survived", "")
    assert end("a + b", "a * b", "nobody adds but 2") == ("harmless", "nobody adds but 2")
    assert end("a", "b") == ("out of date", "the text stands there 3 times")
    assert (tmp_path / "sums.py").read_text() == "def add(a, b):\n    return a + b\n"


def test_a_table_by_room():
    assert table([("one", "killed"), ("one", "survived"), ("two", "killed")]).splitlines() == [
        "room                planted      killed       survived",
        "one                 2            1            1",
        "two                 1            1            0",
        "all                 3            2            1",
    ]


def test_the_text_of_every_fault_stands_once_in_its_file():
    """A change of the code that moves such a text takes the fault with it."""
    faults = planted(PLANTED.read_text(encoding="utf-8"))
    stale = [fault for fault in faults if (ROOT / fault.file).read_text(encoding="utf-8").count(fault.before) != 1]
    assert not stale
