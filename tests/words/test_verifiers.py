"""verifiers: `vf-eval` plays hands against scripted models behind an OpenAI-compatible server. `make words` runs this."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import relance
from relance.words.log_rows import parse_rows

pytest.importorskip("relance_verifiers", reason="verifiers is in an environment of its own: make words")
pytestmark = pytest.mark.filterwarnings("default")  # the frameworks' own

KUHN = "one_card_poker(raises=0)"


def _load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


serving = _load(Path(__file__).parents[1] / "words" / "endpoint_server.py").serving


def last(messages):
    """The last action listed: what the opponent `aggressive` plays."""
    return re.findall(r"^\[.+?\]", messages[-1]["content"], re.MULTILINE)[-1]


@pytest.fixture
def evaluate(tmp_path):
    def evaluate(reply=last, more=(), tasks=None, check=True, **options):
        """The episodes that `vf-eval` writes."""
        with serving(reply) as (address, asked):
            told = subprocess.run(
                [
                    *(str(Path(sys.executable).with_name("vf-eval")), "relance-verifiers"),
                    *("-m", "scripted", "--client.base-url", address, "--client.api-key-var", "KEY"),
                    *("--output-dir", str(tmp_path), "-c", "4", "--no-push", "--rich", "None", *more),
                    *(() if tasks is None else ("-n", str(tasks))),
                    *(part for name, value in options.items() for part in (f"--env.taskset.{name}", str(value))),
                ],
                capture_output=True,
                text=True,
                env=os.environ | {"KEY": "none", "NO_COLOR": "1"},
            )
        files = list(tmp_path.glob("*/traces.jsonl"))
        assert not check or (told.returncode == 0 and len(files) == 1), told.stdout[-3000:] + told.stderr[-3000:]
        evaluate.file, evaluate.asked, evaluate.told = (files or [None])[0], asked, told.stdout + told.stderr
        return [json.loads(line) for line in files[0].read_text().splitlines()] if files else []

    return evaluate


def rows_of(episodes):
    return [row for episode in episodes for trace in episode["traces"] for row in trace["info"]["rows"]]


def test_decisions_are_rewarded_with_what_they_lose(evaluate):
    episodes = evaluate(game=KUHN, deals=12)
    rows = rows_of(episodes)
    assert parse_rows((str(place), row) for place, row in enumerate(rows)).faults == ()
    assert {(row["agent"], row["opponent"]) for row in rows} == {("scripted", "equilibrium")}
    coaches = [relance.play.coach.Coach(relance.make(KUHN), seat) for seat in (0, 1)]
    losses = 0
    for episode in episodes:
        assert episode["ok"]
        for trace in episode["traces"]:
            row, *end = trace["info"]["rows"]
            chips = dict(
                zip(
                    row["legal"], coaches[row["seat"]].action_values(row["node"], "QKA".index(row["hand"])), strict=True
                )
            )
            loss = float(max(chips.values()) - chips[row["action"]])
            assert trace["rewards"]["loss"]["score"] == pytest.approx(-loss)
            assert (trace["rewards"]["loss"]["weight"], trace["rewards"]["chips"]["weight"]) == (1, 0)
            assert all(trace["rewards"]["chips"]["score"] == terminal["chips"] for terminal in end)
            losses += loss
    assert losses > 0
    read = relance.words.score_games(relance.make(KUHN), relance.words.read_games(evaluate.file))
    assert (read.answers, read.illegal, read.unfinished) == (len(evaluate.asked), 0, 0)
    assert len(evaluate.asked) == sum(len(episode["traces"]) for episode in episodes)
    assert all(len(asked["messages"]) == 1 for _, _, asked in evaluate.asked)


def test_two_models_are_paid_in_chips_and_see_nothing_of_each_other(evaluate):
    def reply(messages):
        return f"SECRET {last(messages)}"

    episodes = evaluate(reply, game="one_card_poker", deals=8, opponent="model", reward="chips")
    for episode in episodes:
        paid = {}
        for trace in episode["traces"]:
            assert trace["rewards"]["chips"]["weight"] == 1 != trace["rewards"]["loss"]["weight"]
            paid.setdefault(trace["agent"]["name"], set()).add(trace["rewards"]["chips"]["score"])
        assert all(len(chips) == 1 for chips in paid.values())
        if len(paid) == 2:
            assert sum(min(chips) for chips in paid.values()) == 0
    assert any(len({trace["agent"]["name"] for trace in episode["traces"]}) == 2 for episode in episodes)
    assert not any("SECRET" in str(asked["messages"]) for _, _, asked in evaluate.asked)


def test_illegal_answers_and_one_more_try(evaluate):
    episodes = evaluate(lambda messages: "no", tasks=2, game=KUHN, seat=0, retries=1, reward="both")
    for episode in episodes:
        (trace,) = episode["traces"]
        assert trace["rewards"]["chips"]["score"] == -2
        assert [row["action"] for row in trace["info"]["rows"][:-1]] == [None, None]
    assert [len(asked["messages"]) for _, _, asked in evaluate.asked].count(3) == 2


def test_a_model_that_used_up_its_limit_has_no_second_try(evaluate):
    """Or it would escape what its first answer cost, and learn to write until the limit."""
    limit = ("--env.player0.max_output_tokens", "1")
    (episode,) = evaluate(lambda messages: "no", limit, tasks=1, game=KUHN, seat=0, retries=1, reward="chips")
    (trace,) = episode["traces"]
    assert (episode["ok"], trace["rewards"]["chips"]["score"]) == (True, -2)
    assert [row["raw"] for row in trace["info"]["rows"][:-1]] == ["no", ""]
    assert len(evaluate.asked) == 1


def test_a_model_that_fails_is_no_forfeit(evaluate):
    """The episode has an error, and no reward is made up; `--resume` plays it again."""
    episodes = evaluate(lambda messages: 400, tasks=2, check=False, game=KUHN, seat=0)
    assert [episode["ok"] for episode in episodes] == [False, False]
    assert not any(trace["rewards"] for episode in episodes for trace in episode["traces"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "one_card_pokr"}, "there is no game 'one_card_pokr'"),
        ({"opponent": "nobody"}, "there is no opponent 'nobody'"),
        ({"reward": "win"}, "there is no reward 'win'; known: advantage, chips"),
        ({"opponent": "learner", "reward": "chips"}, "reward 'chips' brings no opponent 'learner'; name another"),
        ({"opponent": "uniform", "reward": "exploitability_descent"}, "has an opponent of its own"),
    ],
)
def test_bad_arguments_are_named(evaluate, options, message):
    assert evaluate(tasks=1, check=False, **options) == []
    assert message in " ".join(evaluate.told.split())


def test_models_that_play_each_other_are_paid_by_their_own_policy(evaluate):
    """The default reward of two models; before the first estimate the policy is uniform."""
    from relance.play.rewards import Rewards
    from relance.words.spoken_hands import DEFAULT

    told = Rewards(KUHN, DEFAULT)
    names = told.game.tree.table.names
    for episode in evaluate(game=KUHN, deals=6, opponent="model"):
        for trace in episode["traces"]:
            row = trace["info"]["rows"][0]
            paid = told.paid(names.index(row["node"]), "QKA".index(row["hand"]), told.game.action_id(row["action"]))
            assert trace["rewards"]["paid"]["score"] == pytest.approx(paid)
            assert [trace["rewards"][name]["weight"] for name in ("paid", "loss", "chips")] == [1, 0, 0]


@pytest.mark.parametrize(
    ("options", "paid_by", "brings", "called"),
    [
        ({}, "loss", "equilibrium", "equilibrium"),
        ({"reward": "magnet"}, "magnet", "uniform", "learner"),
        ({"reward": "exploitability_descent"}, "exploitability_descent", "best_response(uniform)", "learner"),
        ({"opponent": "learner"}, "exploitability_descent", "best_response(uniform)", "learner"),
        ({"opponent": "caller", "reward": "advantage"}, "advantage", "caller", "caller"),
        ({"opponent": "caller"}, "loss", "caller", "caller"),
    ],
)
def test_the_reward_brings_its_opponent_unless_one_is_named(options, paid_by, brings, called):
    from relance_verifiers import HandsConfig

    from relance.play.agents import strategy
    from relance.play.policies import Sampler, tabulate

    config = HandsConfig(game=KUHN, **options)
    spoken = config.spoken()
    assert (config.paid_by, spoken.called(config.opponent)) == (paid_by, called)
    for seat in (0, 1):
        wanted = Sampler(tabulate(spoken.game, strategy(spoken.game, brings, seat)))
        nodes = [spoken.rules.names.index(n) for n, at in spoken.game.tree.decisions.items() if at.player == seat]
        played = spoken.player(seat)
        assert all(
            played.draw(node, hand, x / 50) == wanted.draw(node, hand, x / 50)
            for node in nodes
            for hand in range(3)
            for x in range(50)
        )
