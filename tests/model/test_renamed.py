"""Whoever asks for an old name is told the new one."""

import dataclasses

import pytest

from relance.baselines import runs
from relance.baselines.algorithms import algorithms
from relance.baselines.train_best_response import Settings as BestResponse
from relance.model.renamed import RENAMED


def test_an_old_name_is_told_the_new_one():
    """Each old name is a setting of no learner, each new one of some; and where learners differ, each is told its own."""
    fields = {name: {field.name for field in dataclasses.fields(item.Settings)} for name, item in algorithms().items()}
    fields["MaskablePPO"] = {field.name for field in dataclasses.fields(BestResponse)}
    every = set().union(*fields.values())
    for old, new in RENAMED["setting"].items():
        assert old not in every
        assert every.issuperset([new] if isinstance(new, str) else new)
    for name, new in (("nash_pg", "magnet_update_interval"), ("rnad", "entropy_schedule_size")):
        with pytest.raises(ValueError, match=f"^{name} has no setting 'refresh'; it is called '{new}' now$"):
            runs.settings_of(name, {"refresh": 5})
    with pytest.raises(ValueError, match="cfr\\+ has no setting 'refresh'; known: method"):
        runs.settings_of("cfr+", {"refresh": 5})
