"""Searches for settings: mistakes in them, what they find, and how they go on after an interrupt."""

from collections import Counter
from pathlib import Path

import pytest

from relance.baselines.algorithms import algorithms
from relance.baselines.search import Interval, Search, check_untouched, search_of
from relance.baselines.sweep import tasks

NAME, OTHER = "approaching:moving", "approaching"

FAMILY = {
    "algorithms": [NAME, OTHER],
    "settings": {"speed": {"low": "1e-2", "high": 1, "log": True}, "nap": [0.0, 0.001]},
}

GIVEN = {"games": ["one_card_poker(raises=0)"], "seeds": [100, 101], "samples": 50, "trials": 4, "families": [FAMILY]}


def searched(**changes):
    found = search_of({"search": {**GIVEN, **changes}})
    assert isinstance(found, Search)
    return found


def of(**settings):
    return {"families": [{"algorithms": [NAME], "settings": settings}]}


def test_a_plan_without_a_search():
    assert search_of({"runs": []}) is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": ["one_card"]}, "did you mean 'one_card_poker'"),
        ({"games": []}, "games of search must be a list with at least one entry"),
        ({"games": ["ponssard", "ponssard(pot=1)"]}, "search: the games ponssard(pot=1"),
        ({"games": ["openspiel:turn_based_simultaneous_game(game=matrix_rps())"]}, "uniform play is an equilibrium of openspiel:turn"),
        ({"seeds": []}, "seeds of search must be a list with at least one entry"),
        ({"seeds": [1, 1]}, "the seeds 1, 1 are not all different"),
        ({"seeds": [-1]}, "seed=-1 must be"),
        ({"trials": 0}, "trials of family 1 of search must be a whole number of at least 1, not 0"),
        ({"trials": True}, "trials of family 1 of search must be"),
        ({"families": [{**FAMILY, "trials": 0.5}]}, "trials of family 1 of search must be a whole number of at least 1, not 0.5"),
        ({"samples": None}, "give a budget"),
        ({"second": 3}, "search has an unknown key 'second'; did you mean 'seconds'"),
        ({"families": [{**FAMILY, "algorithm": []}]}, "family 1 of search has an unknown key 'algorithm'"),
        ({"families": [{"algorithms": ["cfrplus"], "settings": {}}]}, "family 1 of search: there is no algorithm 'cfrplus'"),
        ({"families": [FAMILY, FAMILY]}, "family 2 of search: approaching:moving appears twice"),
        ({"families": [{"algorithms": [NAME]}]}, "settings of family 1 of search must be a mapping, which may be empty"),
        (of(sped=[1.0]), "approaching:moving has no setting 'sped'; did you mean 'speed'"),
        (of(speed=["fast"]), "speed='fast' of approaching:moving must be a number"),
        (of(speed=[]), "speed of approaching:moving must be a list with at least one entry"),
        (of(speed=3), "speed of approaching:moving must be a list of values, or must be a mapping with low, high, log"),
        (of(speed={"low": 1}), "speed of approaching:moving needs low and high; it has no high"),
        (of(speed={"low": 2, "high": 1}), "speed of approaching:moving: low=2.0 must be below high=1.0"),
        (of(speed={"low": 0, "high": 1, "log": True}), "low=0.0 must be below high=1.0, and above 0 as log is true"),
        (of(speed={"low": 0, "high": 1, "log": "yes"}), "low and high must be numbers, and log='yes' true or false"),
        ({"families": [{"algorithms": ["openspiel_q_learning"], "settings": {"epsilon": [0, 2]}}]}, "epsilon=2.0 must be"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(changes, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the message is compared below, with its brackets
        searched(**changes)
    assert message in str(error.value)


def test_runs_need_other_games_and_seeds_than_the_search():
    group = {"games": ["ponssard"], "algorithms": [NAME], "seeds": [0], "samples": 10}
    check_untouched(searched(), tasks({"runs": [group]}))
    with pytest.raises(ValueError, match="the seed 100 is also in the search"):
        check_untouched(searched(), tasks({"runs": [{**group, "seeds": [100]}]}))
    with pytest.raises(ValueError, match=r"the game one_card_poker\(.*\) is also in the search"):
        check_untouched(searched(), tasks({"runs": [{**group, "games": GIVEN["games"]}]}))
    check_untouched(searched(), tasks({"runs": [{**group, "games": GIVEN["games"], "algorithms": ["cfr+"]}]}))


def test_whole_numbers_stay_whole():
    space = searched(
        families=[{"algorithms": ["openspiel_q_learning"], "settings": {"games_per_step": {"low": 2, "high": 9}}}]
    ).spaces
    assert space["openspiel_q_learning"]["games_per_step"] == Interval(2, 9, log=False, whole=True)


SLOW = {"openspiel_nfsp", "openspiel_psro", "openspiel_escher", "openspiel_deep_cfr"}
"""Fifty trials of 100,000 samples would take ten processor hours of each; the plan says where their settings are from."""
FIXED = {"openspiel_q_learning", "openspiel_ppo", "openspiel_policy_gradient"}
"""Not in the plan: the policy of the first is deterministic, and the others play OpenSpiel's own games only."""


def test_the_plan_of_the_field_is_sound():
    """All learners that sample are searched, networks with half as many trials, and then play games and seeds of their own."""
    yaml = pytest.importorskip("yaml", reason="needs the extra sweep")
    plan = yaml.safe_load((Path(__file__).parents[2] / "studies" / "board.yaml").read_text())
    search, runs = search_of(plan, here=False), tasks(plan, here=False)
    check_untouched(search, runs)
    samplers = {name for name, item in algorithms().items() if item.sees == "samples"}
    assert samplers - FIXED - SLOW <= set(search.spaces)
    assert {run.algorithm for run in runs} == {*search.spaces, *SLOW, "openspiel_mccfr", "cfr+"}
    assert len(search.games) >= 2
    assert len(search.seeds) >= 3
    without_networks = {"mmd", "mmd_sampled", "mmd_tabular"}
    assert all(count >= (50 if name in without_networks else 25) for name, count in search.trials.items())
    assert search.samples in {run.samples for run in runs}  # the horizon of samples that is ranked
    counts = Counter(
        (run.algorithm, str(run.game), run.samples, str(run.settings)) for run in runs if run.algorithm != "cfr+"
    )
    assert min(counts.values()) >= 5
