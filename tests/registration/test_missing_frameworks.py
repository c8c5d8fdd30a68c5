"""Without its framework, an adapter says which extra brings it."""

import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

import relance

FRAMEWORKS = {
    "registration.jax": ("jax", "jax"),
    "registration.jax_scores": ("jax", "jax"),
    "baselines.frameworks.rllib": ("ray", "torch"),
    "baselines.frameworks.sb3": ("stable_baselines3", "sb3"),
    "baselines.frameworks.torchrl": ("torchrl", "torchrl"),
}
"""For each adapter, its framework and the extra that it asks for."""


@pytest.mark.parametrize("adapter", FRAMEWORKS)
def test_it_names_its_extra(adapter):
    framework, extra = FRAMEWORKS[adapter]
    if find_spec(framework):
        pytest.skip(f"{framework} is installed")
    with pytest.raises(ImportError, match=rf"pip install 'relance\[{extra}\]'"):
        import_module(f"relance.{adapter}")


def test_without_pillow_pictures_name_their_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    env = relance.env("von_neumann", render_mode="rgb_array")
    env.reset(seed=0)
    with pytest.raises(ImportError, match=r"pip install 'relance\[plot\]'"):
        env.render()
