"""Without its framework, an adapter says which extra brings it."""

from importlib import import_module
from importlib.util import find_spec

import pytest

FRAMEWORKS = {"inspect": "inspect_ai", "openenv": "openenv", "rllib": "ray", "sb3": "stable_baselines3"}


@pytest.mark.parametrize(("adapter", "framework"), FRAMEWORKS.items())
def test_it_names_its_extra(adapter, framework):
    if find_spec(framework):
        pytest.skip(f"{framework} is installed")
    with pytest.raises(ImportError, match=rf"pip install 'relance\[{adapter}\]'"):
        import_module(f"relance.registration.{adapter}")
