"""Whoever asks for an old name is told the new one."""

import dataclasses

import pytest

import relance
from relance.baselines import runs
from relance.baselines.algorithms import algorithms
from relance.baselines.train_best_response import Settings as BestResponse
from relance.model.renamed import RENAMED
from relance.pages.commands.main import command_line
from relance.pages.plots.picture import pictures

ROOMS = ("model", "solvers", "envs", "play", "registration", "equilibria", "claims", "baselines", "words", "pages")


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


@pytest.mark.parametrize("old", RENAMED["name"])
def test_an_old_name_of_a_room_is_told_the_new_one(old):
    """The new name is in a room, and the old one in none."""
    rooms = [room for room in map(relance.__getattr__, ROOMS) if RENAMED["name"][old] in room.__all__]
    assert len(rooms) == 1
    with pytest.raises(AttributeError, match=f"has no '{old}'; it is called '{RENAMED['name'][old]}' now$"):
        getattr(rooms[0], old)
    for room in ROOMS:
        assert old not in getattr(relance, room).__all__


@pytest.mark.parametrize(
    ("use", "old"),
    [
        (relance.equilibria.nearest_size_probs, "menu"),
        (relance.words.question_rows, "dress"),
        (relance.words.spoken_game, "judge"),
        (relance.model.Blueprint, "letters"),
        (relance.envs.read_profile, "of"),
    ],
)
def test_an_old_argument_is_told_the_new_one(use, old):
    with pytest.raises(TypeError, match=f"has no argument '{old}'; it is called '{RENAMED['argument'][old]}' now$"):
        use(**{old: 1})


@pytest.mark.parametrize(
    ("use", "new"),
    [
        (relance.game_tree, "max_histories"),
        (relance.make("kuhn").aligned, "max_cells"),
        (relance.solvers.deviations, "max_deviations"),
        (relance.registration.confirm, "max_iterations"),
    ],
)
def test_an_old_argument_of_several_functions_is_told_the_new_one_of_each(use, new):
    with pytest.raises(TypeError, match=f"has no argument 'most'; it is called '{new}' now$"):
        use(most=1)


@pytest.mark.parametrize(
    ("known", "old"),
    [
        (relance.game_tree("kuhn"), "endings"),
        (relance.game_tree("kuhn"), "with_endings"),
        (relance.make("kuhn").blueprint, "letters"),
        (relance.solvers.optimal_set("kuhn", 0), "weights_at"),
        *((relance.game_tree("kuhn"), old) for old in ("histories", "players", "sets", "sets_of", "sizes", "sum")),
        *((relance.make("kuhn"), old) for old in ("most_chips", "near", "players", "sum")),
        *((relance.make("kuhn").blueprint, old) for old in ("applying", "named")),
        *(
            (relance.solvers.information_sets("kuhn", "uniform")["K"], old)
            for old in ("counterfactual_reach", "distribution", "reach", "values")
        ),
        *((relance.play.Coach(relance.make("kuhn"), 0), old) for old in ("chips", "most_lost")),
        *((relance.play.Batch("kuhn", 1), old) for old in ("held", "lead")),
    ],
)
def test_an_old_attribute_is_told_the_new_one(known, old):
    new = RENAMED["attribute"][old]
    assert hasattr(known, new)
    with pytest.raises(
        AttributeError, match=f"^{type(known).__name__} has no attribute '{old}'; it is called '{new}' now$"
    ):
        getattr(known, old)
    with pytest.raises(AttributeError, match=f"^{type(known).__name__} has no attribute 'nothing'$"):
        _ = known.nothing


def test_an_old_attribute_of_a_row_is_told_the_new_one():
    row = object.__new__(relance.words.LogRow)
    assert hasattr(relance.words.LogRow, RENAMED["attribute"]["is_ending"])
    with pytest.raises(AttributeError, match="^LogRow has no attribute 'is_ending'; it is called 'is_terminal' now$"):
        _ = row.is_ending


def test_an_old_attribute_of_a_claim_is_told_the_new_one():
    claim = relance.claims.papers()["miao-2014"].claims[0]
    with pytest.raises(AttributeError, match="^Claim has no attribute 'confirm'; it is called 'correct_check' now$"):
        _ = claim.confirm


@pytest.mark.parametrize(("old", "new"), RENAMED["picture"].items())
def test_an_old_picture_is_told_the_new_one(old, new, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["relance", "plot", old, "one_card_poker"])
    with pytest.raises(SystemExit):
        command_line()
    assert new in pictures()
    assert capsys.readouterr().err == f"relance: there is no {old}; it is called '{new}' now\n"


@pytest.mark.parametrize(("old", "new"), RENAMED["option"].items())
def test_an_old_option_is_told_the_new_one(old, new, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["relance", "solve", "one_card_poker", old])
    with pytest.raises(SystemExit) as ended:
        command_line()
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"relance: there is no {old}; it is called '{new}' now\n"
