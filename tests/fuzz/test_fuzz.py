"""A few hundred bad inputs, everywhere: each is refused in words, none hangs, and none is silently accepted. `make fuzz` has more."""

from itertools import islice

import pytest
from conftest import marked
from fuzz.inputs import KINDS, NONSENSE, cases
from fuzz.judge import Case, Hang, Traceback, judged

import relance


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", marked(range(3), bool))
def test_bad_inputs_are_refused(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bad = []
    for number, case in enumerate(islice(cases(seed), 8 * len(KINDS))):
        folder = tmp_path / str(number)
        folder.mkdir()
        if ":" in (result := judged(case, folder)):
            bad.append(result)
    assert bad == []


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_refused(name, tmp_path):
    assert judged(Case(name, lambda _: NONSENSE[name]()), tmp_path) == "refused"


def fail(error):
    raise error


@pytest.mark.parametrize(
    ("run", "result"),
    [
        (lambda _: relance.make("von_neumann(bet=-1)"), "refused"),
        (lambda _: 1, "accepted: this"),
        (lambda _: {}["x"], "traceback: this: KeyError: 'x'"),
        (lambda _: 1 / 0, "traceback: this: ZeroDivisionError: division by zero"),
        (lambda _: int("x"), "raw: this: ValueError: invalid literal for int() with base 10: 'x'"),
        (lambda _: fail(Traceback("status 1")), "traceback: this: Traceback: status 1"),
        (lambda _: fail(Hang()), "hang: this"),
        (lambda _: fail(ValueError()), "traceback: this: ValueError: "),
    ],
)
def test_the_judge_knows_what_it_sees(run, result, tmp_path):
    assert judged(Case("this", run), tmp_path) == result
