"""Sweeps: plans, resuming, and killed workers."""

import json
import time

import pytest

from relance.baselines import rows
from relance.baselines.sweep import chosen_runs, read_plan, sweep, tasks

GAME = "one_card_poker(raises=0)"

NAME = "approaching:moving"


def plan(seeds=(0, 1, 2), samples=100, game=GAME, **settings):
    return tasks(
        {"runs": [{"games": [game], "algorithms": [{NAME: settings}], "seeds": list(seeds), "samples": samples}]}
    )


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def starts(folder):
    """How often the run of each seed was started."""
    seeds = [int(path.name.partition("-")[0]) for path in folder.glob("*-started-*")]
    return {seed: seeds.count(seed) for seed in sorted(set(seeds))}


GROUP = {"games": [GAME], "algorithms": ["cfr+"], "seeds": [0], "seconds": 1}


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (None, "the plan must be a mapping with runs"),
        ({}, "runs must be a list with at least one entry"),
        ({"runs": [GROUP], "seed": [0]}, "the plan has an unknown key 'seed'; did you mean 'seeds'"),
        ({"runs": ["cfr+"]}, "group 1 of runs must be a mapping"),
        ({"runs": [GROUP, {**GROUP, "game": "x"}]}, "group 2 of runs has an unknown key 'game'; did you mean 'games'"),
        ({"runs": [{**GROUP, "games": []}]}, "games of group 1 of runs must be a list"),
        ({"runs": [{**GROUP, "games": "von_neumann"}]}, "games of group 1 of runs must be a list"),
        ({"runs": [{**GROUP, "games": ["one_card"]}]}, "did you mean 'one_card_poker'"),
        ({"runs": [{**GROUP, "games": ["one_card_poker(cards=1)"]}]}, "cards=1 must be"),
        ({"runs": [{**GROUP, "games": ["one_card_poker(bet=1,bet=2)"]}]}, "gives 'bet' twice"),
        ({"runs": [{**GROUP, "algorithms": ["cfrplus"]}]}, "there is no algorithm 'cfrplus'"),
        ({"runs": [{**GROUP, "algorithms": [3]}]}, "algorithm 3 must be a name"),
        ({"runs": [{**GROUP, "algorithms": [{"cfr+": {"metod": "cfr"}}]}]}, "did you mean 'method'"),
        ({"runs": [{**GROUP, "algorithms": [{"cfr+": 3}]}]}, "must be a name, or {name: {setting: value}}"),
        ({"runs": [{**GROUP, "seeds": [-1]}]}, "seed=-1 must be a whole number from 0"),
        ({"runs": [{**GROUP, "seeds": [2**31]}]}, "group 1 of runs: seed=2147483648 must be"),
        (
            {"runs": [{**GROUP, "games": ["von_neumann"]}]},
            "group 1 of runs: von_neumann(ante=1, bet=2, deal=uniform) has infinitely",
        ),
        ({"runs": [{**GROUP, "seeds": 3}]}, "seeds of group 1 of runs must be a list"),
        ({"runs": [{**GROUP, "seconds": None}]}, "give a budget"),
        ({"runs": [{**GROUP, "seconds": "long"}]}, "seconds='long' must be a number above 0"),
        (
            {"runs": [{**GROUP, "seeds": [0, 0]}]},
            "cfr+ on one_card_poker(cards=3, raises=0, ante=1, bet=1), seed 0 appears twice",
        ),
        ({"runs": [GROUP, {**GROUP, "algorithms": [{"cfr+": {"method": "cfr+"}}]}]}, "appears twice"),
    ],
)
def test_mistakes_in_a_plan_are_named(mistake, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is looked at below, which is not a pattern
        tasks(mistake)
    assert message in str(caught.value)


def test_a_plan_is_read_from_yaml_with_common_seeds_and_budgets(tmp_path):
    pytest.importorskip("yaml", reason="needs the extra sweep")
    path = tmp_path / "plan.yaml"
    path.write_text(
        "seeds: [0, 1]\nseconds: 5\nruns:\n  - games: [one_card_poker, ponssard]\n    algorithms: [cfr+, {cfr+: {method: dcfr}}]\n"
        "  - {games: [von_neumann(hands=9)], algorithms: [cfr+], seeds: [7], samples: 100}\n"
    )
    found = read_plan(path, tasks)
    assert len(found) == 2 * 2 * 2 + 1
    assert [task.seed for task in found] == [0] * 4 + [1] * 4 + [7]
    assert {(task.seconds, task.samples) for task in found[:-1]} == {(5.0, None)}
    assert (found[-1].seconds, found[-1].samples) == (5.0, 100)
    assert str(found[0].game) == "one_card_poker(cards=3, raises=1, ante=1, bet=1)"
    for text, message in (
        ("runs: [", "is not YAML"),
        ("runs: " + "[" * 5000, "plan.yaml is not a plan: it is nested too deeply"),
        (f"runs: {'9' * 5000}", "plan.yaml: Exceeds the limit"),
        ("runs: []", "plan.yaml: runs must be a list"),
        ("runs: []\nseconds: 3\nseconds: 5", "plan.yaml: line 3: 'seconds' appears twice"),
        ("runs:\n  - {games: [x], games: [y]}", "line 2: 'games' appears twice"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            read_plan(path, tasks)
    with pytest.raises(ValueError, match="cannot be read"):
        read_plan(tmp_path, tasks)


def test_a_game_must_fit_into_this_machine_only_if_it_is_played_there():
    plan = {"runs": [{**GROUP, "games": ["von_neumann(hands=1000000)"], "algorithms": ["openspiel_cfr"]}]}
    with pytest.raises(ValueError, match="group 1 of runs: openspiel_cfr on the whole tree .* GiB of memory"):
        tasks(plan)
    assert len(tasks(plan, here=False)) == 1


def test_keys_tell_runs_apart():
    whole = (
        plan(seeds=[0, 1]) + plan(samples=200, seeds=[0]) + plan(speed=2, seeds=[0]) + plan(game="ponssard", seeds=[0])
    )
    assert len({task.key for task in whole}) == 5
    assert plan(game="one_card_poker(raises = 0, cards=3)")[0].key == plan()[0].key
    assert plan(speed="1")[0].key == plan()[0].key


def test_part_of_a_plan_is_chosen():
    whole = plan() + plan(game="ponssard")
    assert len(chosen_runs(whole, games=["ponssard"], seeds=[1, 2])) == 2
    assert {task.seconds for task in chosen_runs(whole, seconds=3)} == {3.0}
    for wrong in ({"algorithms": ["cfr+"]}, {"games": ["la_relance"]}, {"seeds": [9]}):
        with pytest.raises(ValueError, match="the plan has no"):
            chosen_runs(whole, **wrong)


def test_a_file_that_gets_no_row_goes_again_and_no_other_does(tmp_path):
    path = tmp_path / "results.jsonl"
    with rows.Results(path, print):
        assert path.exists()
    assert not path.exists()
    path.touch()
    with rows.Results(path, print):
        pass
    assert path.exists()


def test_a_sweep_goes_on_where_it_was(tmp_path, notes, joblib):
    path, messages = tmp_path / "results.jsonl", []
    sweep(plan(seeds=[0, 1], notes=str(notes)), path, jobs=1)
    before = path.read_bytes()
    sweep(plan(seeds=[0, 1, 2], notes=str(notes)), path, jobs=1, note=messages.append)
    assert path.read_bytes().startswith(before)
    assert starts(notes) == {0: 1, 1: 1, 2: 1}
    sweep(plan(seeds=[0, 1, 2], notes=str(notes)), path, jobs=1)
    assert len(lines(path)) == 3
    assert messages == []


@pytest.mark.parametrize("cut", [1, 40])
def test_a_last_line_that_was_cut_short_is_dropped_and_its_run_made_again(tmp_path, notes, joblib, cut):
    path, messages = tmp_path / "results.jsonl", []
    sweep(plan(notes=str(notes)), path, jobs=1)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert len(rows.finished(path)) == (3 if cut == 1 else 2)  # without its newline only, the row is whole
    sweep(plan(notes=str(notes)), path, jobs=1, note=messages.append)
    assert len(lines(path)) == 3
    assert path.read_bytes().endswith(b"\n")
    assert starts(notes) == {0: 1, 1: 1, 2: 1 if cut == 1 else 2}
    assert ["cut short" in message for message in messages] == [True] * (cut > 1)


def test_a_broken_line_before_the_last_is_refused_and_nothing_is_changed(tmp_path, joblib):
    path = tmp_path / "results.jsonl"
    sweep(plan(), path, jobs=1)
    first, second, third = path.read_text().splitlines()
    for bad in (second[:-9], "{}", second.replace('"seed":1', '"seed":8')):
        broken = "\n".join([first, bad, third]) + "\n"
        path.write_text(broken)
        with pytest.raises(ValueError, match="line 2 is not the row of a run"):
            sweep(plan(seeds=[5]), path, jobs=1)
        assert path.read_text() == broken


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    for text in ("milk, eggs", '{"milk": 1}', "seeds: [0]\nruns: []\n"):
        path.write_text(text)
        with pytest.raises(ValueError, match="line 1 is not the row of a run"):
            sweep(plan(), path, jobs=1)
        assert path.read_text() == text


def test_two_sweeps_do_not_write_to_one_file(tmp_path, joblib):
    path = tmp_path / "results.jsonl"
    with rows.Results(path, print), pytest.raises(ValueError, match="is being written to by another run"):
        sweep(plan(), path, jobs=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"engine": "spark"}, "engine 'spark' must be one of loky, ray, dask"), ({"jobs": 0}, "jobs=0 must be -1")],
)
def test_bad_options_are_refused_before_anything_is_written(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        sweep(plan(), tmp_path / "results.jsonl", **options)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="cannot be written"):
        sweep(plan(), tmp_path / "nowhere" / "results.jsonl")


def test_a_run_that_fails_has_no_row_and_the_others_do(tmp_path, joblib):
    path = tmp_path / "results.jsonl"
    failures = sweep(plan(fails=1), path, jobs=1)
    assert [(failure.task.seed, failure.error) for failure in failures] == [(1, "ArithmeticError: it diverged")]
    assert sorted(row["seed"] for row in lines(path)) == [0, 2]


@pytest.mark.parametrize("text", ["loud:GAME", "loud:GAME(bet=2)"])
def test_a_plan_imports_no_game(tmp_path, monkeypatch, text):
    (tmp_path / "loud.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="group 1 of runs: "):
        tasks({"runs": [{**GROUP, "games": [text]}]})


@pytest.mark.parametrize("text", ["9" * 10**7, ":".join("1" * 40_000), "0x" + "f" * 10**7])
def test_a_plan_with_an_endless_number_is_refused_at_once(tmp_path, text):
    pytest.importorskip("yaml", reason="needs the extra sweep")
    path, start = tmp_path / "plan.yaml", time.process_time()
    path.write_text(f"seconds: {text}\nruns: []\n")
    with pytest.raises(ValueError, match=r"plan\.yaml"):
        read_plan(path, tasks)
    assert time.process_time() - start < 10
