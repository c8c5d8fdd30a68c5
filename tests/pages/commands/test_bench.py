"""`relance bench`, as a user meets it."""

from pathlib import Path

from test_commands import run


def test_benchmarks_need_a_checkout(tmp_path):
    out = run("bench", cwd=tmp_path)
    assert out.returncode == 2
    assert "checkout" in out.stderr
    root = Path(__file__).parents[3]
    assert "scoring" in run("bench", "nothing-of-the-kind", cwd=root).stderr
