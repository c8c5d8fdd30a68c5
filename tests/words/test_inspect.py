"""Inspect: every game is a task, scripted models play it, and their logs score as they should. `make words` runs this."""

import asyncio
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import relance
from relance.play.agents import strategy
from relance.play.exact_score import earned
from relance.play.rules import rules
from relance.words.log_rows import decision_row, parse_rows

pytest.importorskip("inspect_ai", reason="Inspect is in an environment of its own: make words")
pytestmark = pytest.mark.filterwarnings("default")  # the frameworks' own

from inspect_ai import eval as run  # noqa: E402
from inspect_ai import eval_retry, score  # noqa: E402
from inspect_ai._util.error import EvalError  # noqa: E402
from inspect_ai.log import (  # noqa: E402
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSample,
    EvalSpec,
    read_eval_log,
    write_eval_log,
)
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402
from inspect_ai.model._providers.mockllm import MockLLM  # noqa: E402

from relance.words.inspect import TASKS, referee  # noqa: E402

KUHN = "relance/one_card_poker"
SLOW = {"five_card"}
"""Thousands of hands; tried smaller."""


def last(text):
    """The last action listed: what the opponent `aggressive` plays."""
    return re.findall(r"^\[.+?\]", text, re.MULTILINE)[-1]


def scripted(reply, stop="stop"):
    """A model that answers `reply(text of the last message)`, and why it stopped."""

    def answer(messages, tools, choice, config):
        output = ModelOutput.from_content("scripted", reply(messages[-1].text), stop)
        output.usage = ModelUsage(
            input_tokens=1, output_tokens=1, total_tokens=2
        )  # else it would be counted by a tokeniser
        return output

    return get_model("mockllm/model", custom_outputs=answer, memoize=False)


@pytest.fixture
def play(tmp_path):
    def play(task, reply=last, stop="stop", **options):
        arguments = {
            key: options.pop(key)
            for key in ("model_roles", "fail_on_error", "retry_on_error", "token_limit")
            if key in options
        }
        (log,) = run(
            task, model=scripted(reply, stop), task_args=options, log_dir=str(tmp_path), display="none", **arguments
        )
        return log

    return play


def figures(log):
    """{what: value} of all metrics; means are under the name of what they are the mean of."""
    out = {}
    for part in log.results.scores:
        for name, found in part.metrics.items():
            out[part.name if name == "mean" else f"{part.name}_{name}" if name == "stderr" else name] = found.value
    return out


def rows_of(log):
    return [row for sample in log.samples for row in sample.store["Decisions:rows"]]


def test_every_game_is_a_task(tmp_path):
    assert list(TASKS) == relance.games()
    names = [f"relance/{name}" for name in relance.games() if name not in SLOW]
    logs = run(names, model=scripted(last), task_args={"deals": 2}, log_dir=str(tmp_path), display="none")
    assert [log.status for log in logs] == ["success"] * len(names)
    for log in logs:
        rows = rows_of(log)
        assert parse_rows((str(place), row) for place, row in enumerate(rows)).faults == ()
        assert {row["game"] for row in rows} == {str(relance.make(log.eval.task.partition("/")[2]))}
        assert {"chips", "adjusted", "loss", "illegal"} <= set(figures(log))


def test_real_cards_are_shown(play):
    log = play("relance/five_card", deals=1, ranks=5, opponent="uniform", reference_opponent="uniform")
    assert re.search(r"Your hand: (\w+ ){5}\(", log.samples[0].messages[0].text)


def test_parameters_of_the_game_are_those_of_the_task(play):
    log = play("relance/von_neumann", deals=1, bet=1.5, opponent="perturbed(0.1)", seat=1, seed=7)
    assert {row["game"] for row in rows_of(log)} == {"von_neumann(ante=1, bet=3/2, deal=uniform)"}
    assert [sample.metadata["seats"] for sample in log.samples] == [[1]]


def test_chips_against_exact_arithmetic(play):
    """Without luck they are what the agent earns; with luck they are within four standard errors of it."""
    game = relance.make("one_card_poker", raises=0)
    found = figures(play(KUHN, raises=0, deals=50))
    exact = sum(float(earned(game, "aggressive", seat, "equilibrium").value) for seat in (0, 1)) / 2
    assert abs(found["chips"] - exact) <= 4 * found["chips_stderr"]
    assert abs(found["adjusted"] - exact) <= 4 * found["adjusted_stderr"] < found["chips_stderr"]
    assert found["illegal"] == found["illegal_rate"] == 0


def test_answers_at_every_information_set_give_nash_conv(play):
    game = relance.make("one_card_poker", raises=0)
    exact = float(relance.nash_conv(game, game.together(*(strategy(game, "aggressive", seat) for seat in (0, 1)))))
    log = play(KUHN, raises=0, answers=10)
    found = figures(log)
    assert len(log.samples) == 12 * 10
    assert found["nash_conv_low"] <= exact <= found["nash_conv_high"]
    assert found["nash_conv_high"] - found["nash_conv_low"] < 1
    assert found["nash_conv"] == pytest.approx(exact, abs=1e-6)
    assert "chips" not in found


@pytest.mark.parametrize(
    ("reward", "policy"), [("magnet", "uniform"), ("exploitability_descent", "caller"), ("loss", "")]
)
def test_decisions_are_paid_by_a_reward(play, reward, policy):
    from relance.play.rewards import Rewards

    told = Rewards(relance.make("one_card_poker", raises=0), reward)
    if policy:
        told.refresh(policy)
    names, game = told.game.tree.table.names, told.game
    log = play(KUHN, raises=0, deals=4, reward=reward, policy=policy)
    for sample in log.samples:
        rows = [row for row in sample.store["Decisions:rows"] if row.get("legal")]
        paid = [told.paid(names.index(r["node"]), "QKA".index(r["hand"]), game.action_id(r["action"])) for r in rows]
        assert sample.scores["referee"].value["paid"] == pytest.approx(sum(paid))


def test_numbers_are_asked_in_the_middle_of_cells(play):
    log = play("relance/von_neumann", hands=3, answers=2)
    found = figures(log)
    assert found["nash_conv_low"] <= found["nash_conv"] <= found["nash_conv_high"]
    assert {row["hand"] for row in rows_of(log)} == {1 / 6, 1 / 2, 5 / 6}


@pytest.mark.parametrize(
    ("name", "game"), [("kuhn", "one_card_poker(raises=0)"), ("von_neumann", "von_neumann(bet=2)")]
)
def test_the_package_for_the_register_scores_its_two_tasks(play, monkeypatch, name, game):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "integrations" / "inspect_relance"))
    log = play(getattr(importlib.import_module("relance_inspect"), name)(answers=2))
    assert log.status == "success"
    assert len(log.samples) == 2 * {"kuhn": 12, "von_neumann": 18}[name]
    assert {row["game"].split(",")[0] for row in rows_of(log)} <= {str(relance.make(game)).split(",")[0]}
    assert figures(log)["nash_conv"] > 0


def test_hands_that_leave_sets_unasked_give_no_nash_conv(play):
    assert "nash_conv" not in figures(play(KUHN, raises=0, deals=3))


def test_two_models_play_each_other_in_private(play):
    seen = {0: [], 1: []}

    def seat(own):
        def reply(text):
            seen[own].append(text)
            return f"SECRET{own} {last(text)}"

        return scripted(reply)

    log = play(KUHN, deals=12, opponent="model", model_roles={"player0": seat(0), "player1": seat(1)})
    found = figures(log)
    assert found["chips_player0"] == -found["chips_player1"] != 0
    assert {"loss_per_decision_player0", "loss_per_decision_player1"} <= set(found)
    assert not any("SECRET" in text for texts in seen.values() for text in texts)
    assert all(f"You are player {own}." in text for own, texts in seen.items() for text in texts)


def test_answers_without_an_action_forfeit(play):
    found = figures(play(KUHN, lambda text: "I would rather not.", raises=0, deals=3, seat=0))
    assert found["chips"] == -rules(relance.make("one_card_poker", raises=0)).worst[0] == -2
    assert found["illegal_rate"] == 1


@pytest.mark.parametrize("retries", [0, 1])
def test_a_model_at_its_limit_forfeits(play, retries):
    """The second answer of a hand is one too many: that hand is scored, and so is the log, with and without other hands."""

    def checks(text):
        return "[check]" if "[check]" in text else "[fold]"

    log = play(KUHN, checks, raises=0, deals=20, seat=0, opponent="aggressive", retries=retries, token_limit=3)
    assert log.status == "success"
    assert {sample.limit.type for sample in log.samples} == {"token"}
    found = figures(log)
    assert (found["chips"], found["illegal"]) == (-2, 1 + retries)
    assert found["loss_per_decision"] > 0
    every = [row["node"] for row in rows_of(log)]
    assert every == ["", *["check-bet"] * (2 + retries)] * 20
    some = play(KUHN, checks, raises=0, deals=40, seat=0, opponent="uniform", retries=retries, token_limit=3)
    assert some.status == "success"
    assert {sample.limit is None for sample in some.samples} == {True, False}
    asked = play(KUHN, raises=0, answers=1, token_limit=1)
    assert figures(asked)["illegal_rate"] == 1


def waiting(first=lambda: None):
    """A model that checks at once, and does not answer the next question."""

    async def answer(messages, tools, choice, config):
        if "[fold]" in messages[-1].text:
            first()
            await asyncio.sleep(60)
        output = ModelOutput.from_content("scripted", "[check]")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=answer, memoize=False)


@pytest.mark.parametrize("limit", ["time_limit", "working_limit"])
def test_a_model_that_is_out_of_time_forfeits(limit, tmp_path):
    arguments = {"raises": 0, "deals": 3, "seat": 0, "opponent": "aggressive"}
    (log,) = run(KUHN, waiting(), task_args=arguments, log_dir=str(tmp_path), display="none", **{limit: 1})
    assert log.status == "success"
    assert {sample.limit.type for sample in log.samples} == {limit.removesuffix("_limit")}
    assert (figures(log)["chips"], figures(log)["illegal"]) == (-2, 1)


def test_a_run_that_is_stopped_makes_nobody_forfeit(tmp_path):
    code = (
        "import signal, test_inspect as t; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "t.run(t.KUHN, t.waiting(lambda: signal.raise_signal(signal.SIGINT)), "
        "task_args=dict(raises=0, deals=3, seat=0, opponent='aggressive'), log_dir='.', display='none', time_limit=60)"
    )
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, check=False, capture_output=True)
    (file,) = tmp_path.glob("*.eval")
    log = read_eval_log(str(file))
    assert (log.status, len(log.samples)) == ("cancelled", 3)
    assert not any(sample.store.get("Decisions:rows") for sample in log.samples)


def test_one_more_try(play):
    log = play(
        KUHN, lambda text: "What?" if "Pot:" in text else "[check] or [fold]", raises=0, deals=3, seat=0, retries=1
    )
    assert figures(log)["illegal_rate"] == 1
    assert [message.role for message in log.samples[0].messages] == ["user", "assistant"] * 2


def test_relance_reads_the_log(play):
    """`relance score-games` finds the same chips, losses and NashConv."""
    game = relance.make("one_card_poker", raises=0)
    log = play(KUHN, raises=0, deals=5)
    against = relance.words.score_games(game, relance.words.read_games(log.location)).against
    found = figures(log)
    assert sum(one.chips.mean for one in against) / 2 == pytest.approx(found["chips"])
    asked = play(KUHN, raises=0, answers=4)
    score = relance.words.score_games(game, relance.words.read_games(asked.location))
    assert score.nash_conv.low <= figures(asked)["nash_conv"] <= score.nash_conv.high


def test_a_log_is_scored_again(play):
    """With the reference opponent that played, and with another, as if it had been the opponent."""
    log = play(KUHN, deals=5, opponent="uniform")
    assert "adjusted" not in figures(log)
    again = score(read_eval_log(log.location), referee("uniform"), action="overwrite", display="none")
    live = figures(play(KUHN, deals=5, opponent="uniform", reference_opponent="uniform"))
    assert figures(again) == live
    assert "adjusted" in live


@pytest.mark.parametrize("retry", [0, 1])
def test_a_model_that_fails_is_no_forfeit(play, retry):
    """The hand has an error and no score; when Inspect tries again, the figures are as if nothing had happened."""
    asked = []

    def reply(text):
        asked.append(text)
        if len(asked) == 5:
            raise ConnectionError("the model is gone")
        return last(text)

    log = play(KUHN, reply, raises=0, deals=6, seat=0, fail_on_error=False, retry_on_error=retry)
    failed = [sample for sample in log.samples if sample.error]
    assert len(failed) == 1 - retry
    assert not any(sample.scores for sample in failed)
    assert (figures(log) == figures(play(KUHN, raises=0, deals=6, seat=0))) is bool(retry)


def test_a_run_that_stopped_plays_only_what_is_missing(tmp_path, monkeypatch):
    asked = []

    def outputs(messages, *_):
        asked.append(messages)
        if len(asked) == 5:
            raise ConnectionError("the model is gone")
        output = ModelOutput.from_content("scripted", last(messages[-1].text))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    made = MockLLM.__init__  # the model is made again by its name
    monkeypatch.setattr(MockLLM, "__init__", lambda *a, **k: made(*a, **k | {"custom_outputs": outputs}))
    options = {"log_dir": str(tmp_path), "display": "none", "max_samples": 1}
    task = {"raises": 0, "deals": 6, "seat": 0}
    (log,) = run(KUHN, model="mockllm/model", task_args=task, **options)
    assert log.status == "error"
    (again,) = eval_retry(log, **options)
    (whole,) = run(KUHN, model="mockllm/model", task_args=task, **options)
    assert figures(again) == figures(whole)
    stopped, rows = 5, len([row for row in rows_of(whole) if "action" in row])
    assert len(asked) == stopped + (rows - 4) + rows


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, "seat=2 must be one of 0, 1, 'both'"),
        ({"deals": 0}, "deals=0 must be a whole number of at least 1"),
        ({"opponent": "nobody"}, "there is no opponent 'nobody'"),
        ({"rises": 1}, "has no parameter 'rises'; did you mean 'raises'"),
        ({"renaming": "x"}, "renaming='x' must be a whole number or None"),
        (
            {"reward": "chips"},
            "reward 'chips' is paid when the hand ends; choose a reward paid at each decision",
        ),
        ({"reward": "magnet"}, "reward 'magnet' depends on the learner's policy: give policy=FILE"),
        ({"reward": "magent"}, "there is no reward 'magent'; did you mean 'magnet'"),
        ({"reward": "magnet", "policy": "nobody"}, "there is no opponent 'nobody'"),
    ],
)
def test_bad_arguments_are_named(options, message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        TASKS["one_card_poker"](**options)


def test_logs_are_read_as_games(play):
    log = play(KUHN, raises=0, deals=6)
    game = relance.make("one_card_poker(raises=0)")
    games = relance.words.read_games(log.location, game)
    assert not games.faults
    score = relance.words.score_games(game, games)
    assert (score.agent, score.illegal, sum(one.hands for one in score.against)) == ("mockllm/model", 0, 12)
    assert all(one.adjusted is not None for one in score.against)
    assert score.profile.row("", "bet").tolist() == [1, 1, 1]


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_failed_and_empty_samples_are_counted(suffix, tmp_path):
    game = relance.make("one_card_poker(raises=0)")
    rows = [
        decision_row(
            game, 0, 2, 0, "bet", raw="[bet]", seed=1, episode=episode, agent="m", opponent="uniform"
        ).to_dict()
        for episode in (0, 1)
    ]
    failure = EvalError(message="no reply", traceback="", traceback_ansi="")
    samples = [
        EvalSample(id=name, epoch=1, input="", target="", store=store, error=error)
        for name, store, error in (
            ("good", {"Decisions:rows": rows[:1]}, None),
            ("empty", {}, None),
            ("half", {"Decisions:rows": rows[1:]}, failure),
        )
    ]
    about = {"created": "2026-01-01T00:00:00+00:00", "task": KUHN, "model": "m"}
    spec = EvalSpec(dataset=EvalDataset(), config=EvalConfig(), **about)
    write_eval_log(EvalLog(eval=spec, samples=samples), str(tmp_path / f"log{suffix}"))
    log = relance.words.read_games(tmp_path / f"log{suffix}", game)
    assert [row.episode for row in log.rows] == [0, 1]
    assert log.counts == {"games without rows": 1, "games that failed": 1}


@pytest.mark.parametrize("stop", ["max_tokens", "model_length"])
def test_a_reply_that_was_cut_off_is_a_forfeit_whatever_stands_in_it(play, stop):
    log = play(TASKS["one_card_poker"](raises=0, deals=3, seat=0), stop=stop)
    rows = [row for sample in log.samples for row in sample.store["Decisions:rows"] if "action" in row]
    assert len(rows) == 3
    assert {(row["action"], row["fault"]) for row in rows} == {(None, "cut off")}
