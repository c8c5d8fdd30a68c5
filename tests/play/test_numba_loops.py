"""Compiled loops: how many threads they use."""

import pytest

from relance.model.arrays import in_shares


@pytest.mark.parametrize("threads", [1, 3])
def test_large_batches_use_as_many_threads_as_they_may(threads, monkeypatch):
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    from relance.play import numba_loops

    monkeypatch.setenv("NUMBA_NUM_THREADS", str(threads))
    parts = []
    in_shares(lambda *part: parts.append(part), 10, numba_loops.threads(10, numba_loops.THREADED_FROM))
    assert sorted(parts) == [(10 * i // threads, 10 * (i + 1) // threads) for i in range(threads)]
