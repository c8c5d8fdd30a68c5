"""Whoever watches sees each call, and nobody sees what is computed on the way."""

from relance.solvers.watcher import kept, watched, watched_by, watcher


class Notes:
    def __init__(self):
        self.seen = []

    def computed(self, function, arguments, result):
        self.seen.append((function, dict(arguments), result))
        return result + 100


@watched
def double(number):
    assert watcher() is None
    return 2 * number


@watched
def quadruple(number, *, more=0):
    return double(double(number)) + more


def test_a_watcher_sees_the_call_and_gives_its_result():
    notes = Notes()
    with watched_by(notes):
        assert watcher() is notes
        assert quadruple(3, more=1) == 113
        with watched_by(None):
            assert quadruple(3) == 12
    assert notes.seen == [("quadruple", {"number": 3, "more": 1}, 13)]
    assert watcher() is None
    assert quadruple(3) == 12


def test_what_is_kept_is_computed_once_and_once_more_for_whoever_watches():
    calls = []

    @kept
    def slow(number):
        calls.append(number)
        return watcher()

    assert slow(1) is slow(1) is None
    assert calls == [1]
    notes = Notes()
    with watched_by(notes):
        assert slow(1) is slow(1) is notes
    assert calls == [1, 1]
    assert slow(1) is None
    assert calls == [1, 1]
