"""Without its framework, an adapter for language models says which extra brings it."""

from importlib import import_module
from importlib.util import find_spec

import pytest


@pytest.mark.parametrize(("adapter", "framework"), [("inspect", "inspect_ai"), ("openenv", "openenv")])
def test_it_names_its_extra(adapter, framework):
    if find_spec(framework):
        pytest.skip(f"{framework} is installed")
    with pytest.raises(ImportError, match=rf"pip install 'relance\[{adapter}\]'"):
        import_module(f"relance.words.{adapter}")
