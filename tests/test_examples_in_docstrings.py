"""The examples in docstrings of public names run, and print what they say."""

import doctest
import inspect

import pytest

import relance

ROOMS = [
    room for name in relance.__all__ if inspect.ismodule(room := getattr(relance, name)) and hasattr(room, "__all__")
]


def examples():
    """The examples of each public function and class, with its methods, by its name."""
    finder, found = doctest.DocTestFinder(), {}
    for room in (relance, *ROOMS):
        for name in room.__all__:
            try:
                item = getattr(room, name)
            except ImportError:  # an extra that is not installed
                continue
            if inspect.isfunction(item) or inspect.isclass(item):
                for test in finder.find(item, f"{item.__module__}.{name}", module=False, globs={"relance": relance}):
                    found[test.name] = test
    return {name: test for name, test in found.items() if test.examples}


EXAMPLES = examples()


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_it_says(name):
    said = []
    failed, tried = doctest.DocTestRunner().run(EXAMPLES[name], out=said.append)
    assert (failed, "".join(said)) == (0, "")
    assert tried


def test_the_main_functions_have_an_example():
    wanted = {"make", "nash_conv", "score", "game_tree", "region"}
    assert wanted <= {name.rpartition(".")[2] for name in EXAMPLES}


def test_a_wrong_example_fails():
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    assert doctest.DocTestRunner().run(wrong, out=lambda text: None).failed == 1
