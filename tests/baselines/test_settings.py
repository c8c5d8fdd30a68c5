"""Settings: read as their types, documented, and refused out of range."""

import dataclasses
import re
from dataclasses import dataclass
from typing import Literal

import pytest

from relance.baselines import runs
from relance.baselines.algorithms import algorithms
from relance.baselines.settings import read_settings


@dataclass(frozen=True)
class Kinds:
    games: int = 3
    rate: float = 0.1
    shared: bool = True
    clip: float | None = None
    layers: tuple[int, ...] = (64, 64)
    span: tuple[float, float] = (0.0, 1.0)
    method: Literal["cfr", "cfr+"] = "cfr"
    note: str = ""


@pytest.mark.parametrize(
    ("name", "given", "read"),
    [
        ("games", "12", 12),
        ("games", "1e6", 1_000_000),
        ("games", 2.0, 2),
        ("rate", "1e-3", 0.001),
        ("rate", 1, 1.0),
        ("shared", "false", False),
        ("shared", True, True),
        ("clip", "none", None),
        ("clip", None, None),
        ("clip", "0.5", 0.5),
        ("layers", "128,32", (128, 32)),
        ("layers", [7], (7,)),
        ("layers", "", ()),
        ("span", "(1, 2)", (1.0, 2.0)),
        ("method", "cfr+", "cfr+"),
        ("note", "12", "12"),
    ],
)
def test_settings_are_read_as_their_types(name, given, read):
    value = getattr(read_settings(Kinds, {name: given}, "x"), name)
    assert value == read
    assert type(value) is type(read)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("gamse", 1, "x has no setting 'gamse'; did you mean 'games'"),
        ("zzz", 1, "known: clip, games"),
        ("games", "many", "games='many' of x must be a whole number"),
        ("games", 1.5, "must be a whole number"),
        ("games", True, "must be a whole number"),
        ("games", "inf", "must be a whole number"),
        ("rate", "nan", "must be a number"),
        ("rate", True, "must be a number"),
        ("rate", None, "must be a number"),
        ("shared", "maybe", "must be True or False"),
        ("shared", 1, "must be True or False"),
        ("clip", "much", "must be a number or None"),
        ("layers", "a,b", "must be a list, each a whole number"),
        ("layers", 3, "must be a list"),
        ("span", "1", "must be a list of 2: a number, a number"),
        ("method", "lp", "must be 'cfr' or 'cfr+'"),
        ("note", 3, "must be text"),
    ],
)
def test_wrong_settings_are_named(name, given, message):
    with pytest.raises(ValueError, match="setting|must be") as caught:
        read_settings(Kinds, {name: given}, "x")
    assert message in str(caught.value)


@pytest.mark.parametrize("name", algorithms())
def test_every_algorithm_has_documented_settings(name):
    chosen = runs.algorithm(name)
    said = "\n".join(kind.__doc__ or "" for kind in chosen.Settings.__mro__ if dataclasses.is_dataclass(kind))
    for field in dataclasses.fields(chosen.Settings):
        assert re.search(rf"^ +(\w+, )*{field.name}(, \w+)*: .", said, re.MULTILINE), field.name
    assert chosen.Settings() == read_settings(chosen.Settings, dataclasses.asdict(chosen.Settings()), name)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("mmd", {"learning_rate": 0}, "learning_rate=0.0 must be a number above 0"),
        ("mmd", {"average_power": "-1"}, "average_power=-1.0 must be a number at least 0"),
        ("mmd", {"knots": 1}, "knots=1 must be a whole number at least 2"),
        ("ppo", {"ent_coef": -1}, "ent_coef=-1.0 must be a number at least 0"),
        ("openspiel_nfsp", {"anticipatory_param": 1.5}, "anticipatory_param=1.5 must be a number between 0 and 1"),
        ("openspiel_deep_cfr", {"batch_size": 0}, "batch_size=0 must be a whole number at least 1"),
        ("openspiel_q_learning", {"epsilon": "inf"}, "epsilon=inf must be a number between 0 and 1"),
        ("openspiel_q_learning", {"step_size": "inf"}, "step_size=inf must be a number above 0"),
    ],
)
def test_settings_out_of_range_are_refused_without_the_extra(name, given, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        runs.settings_of(name, given)
