"""Estimates of agents that are asked: every kind of answer, files that are continued, budgets, and where to ask."""

import itertools
import json
import tempfile

import numpy as np
import pytest

import relance
from relance.play import agents
from relance.play.agents import strategy
from relance.play.exact_score import most_questions
from relance.words.text_agent import CutOff

KUHN = relance.make("one_card_poker", raises=0)


class Drawing:
    """An agent that draws the actions of "perturbed(0.3)", in any form, and can fail."""

    name = "drawing"

    def __init__(self, game=KUHN, form="ids", fails_at=None, seed=0):
        self.rng, self.game, self.form, self.fails_at = np.random.default_rng(seed), game, form, fails_at
        self.asked, self.calls, self.chances = 0, 0, {}
        for seat in (0, 1):
            rows = np.zeros((len(game.tree.of(seat)), len(game.actions), game.deal.size(seat)))
            for at, (name, played) in zip(rows, strategy(game, "perturbed(0.3)", seat).at.items(), strict=True):
                at[[game.action_id(action) for action in game.tree.decisions[name].actions]] = played
            by_set = np.swapaxes(rows, 1, 2).reshape(-1, len(game.actions))
            self.chances |= {seen.tobytes(): p for seen, p in zip(agents.questions(game, seat)[0], by_set, strict=True)}

    def __call__(self, seen, masks):
        self.calls += 1
        if self.calls == self.fails_at:
            raise TimeoutError("no reply within 60 s")
        self.asked += len(seen)
        chances = np.array([self.chances[row.tobytes()] for row in seen])
        if self.form == "probabilities":
            return chances
        ids = (self.rng.random((len(seen), 1)) > chances.cumsum(axis=1)).sum(axis=1)
        if self.form == "ids":
            return ids
        names = np.array(self.game.actions)[ids]
        return names if self.form == "names" else [f"I could [fold]. But no: [{name.upper()}]" for name in names]


def exact(game=KUHN):
    return float(relance.nash_conv(game, game.together(*(strategy(game, "perturbed(0.3)", p) for p in (0, 1)))))


@pytest.mark.parametrize("form", ["ids", "names", "texts", "probabilities"])
def test_every_form_of_answer(form):
    agent = Drawing(form=form)
    found = relance.words.score(KUHN, agent, answers=60)
    assert agent.asked == found.answers == relance.words.cost(KUHN, agent, 60).questions == 12 * 60
    assert found.illegal == 0
    if form == "probabilities":
        assert found.nash_conv == pytest.approx([exact()] * 4)
    else:
        assert found.nash_conv.low <= exact() <= found.nash_conv.high
        assert 0.1 < found.nash_conv.high - found.nash_conv.low < 0.4


def test_a_player_who_never_acts_is_scored():
    """Player 0 of this game has no decision; so has the estimate of its regrets."""
    game = relance.make("force_in(raises=0,hands=4)")
    first = lambda seen, masks: masks.argmax(1)  # noqa: E731
    found = relance.words.score(game, first, answers=3)
    assert (found.answers, found.illegal) == (12, 0)
    assert found.nash_conv.plug_in == pytest.approx(float(relance.score(game, first).nash_conv))
    refused = relance.words.score(game, relance.words.TextAgent(lambda messages: "no"), answers=3)
    assert refused.illegal == refused.answers == 12


@pytest.mark.slow
def test_an_agent_that_draws_once_per_call_is_not_misjudged():
    """It is asked alone, as in play, so that its answers are independent. Asked all at once, a fifth of these intervals missed."""
    rng, missed = np.random.default_rng(0), np.zeros(3)

    def coin(seen, masks):
        return masks.argmax(axis=1) if rng.random() < 0.5 else masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    true = [float(relance.value(KUHN, KUHN.uniform()))]
    true += [float(relance.best_response(KUHN, KUHN.uniform(), player).value) for player in (0, 1)]
    for _ in range(60):
        found = relance.words.score(KUHN, coin, answers=40)
        figures = (found.value, *found.best)
        missed += [not figure.low <= exact <= figure.high for figure, exact in zip(figures, true, strict=True)]
    assert (missed <= 8).all()


def test_an_agent_that_goes_by_the_number_of_the_question_is_not_taken_to_go_by_the_hand():
    """In a fixed order of the six information sets of a seat, every third answer would always be that with the ace."""
    calls = itertools.count()
    found = relance.words.score(
        KUHN,
        lambda seen, masks: (masks * ([1, 2, 1, 2] if next(calls) % 3 else [2, 1, 2, 1])).argmax(axis=1),
        answers=300,
    )
    for name in KUHN.tree.decisions:
        assert found.profile[name][0] == pytest.approx(np.full(3, 1 / 3), abs=0.12)


def test_agents_whose_probabilities_are_known_are_asked_once():
    """The same agents, read and asked: both agree."""
    for agent in ("perturbed(0.3)", KUHN.uniform(), ("uniform", "published"), [("uniform", 1), ("published", 2)]):
        score = relance.score(KUHN, agent)
        found = relance.words.score(KUHN, agent, answers=1000)
        assert found.answers == 12
        assert found.nash_conv == pytest.approx([float(score.nash_conv)] * 4)
        assert found.value == pytest.approx([float(score.value)] * 4)
    half = relance.words.score(KUHN, (Drawing(), "published"), answers=50)
    assert half.answers == 6 * 50 + 6
    assert half.best[0] == pytest.approx([-1 / 18] * 4)  # what player 0 gets against the published player 1
    assert half.best[1].low < half.best[1].high


def test_bots_of_openspiel():
    import pyspiel

    policy = relance.openspiel.policy(KUHN, KUHN.uniform()).to_tabular()
    bots = [pyspiel.make_policy_bot(relance.openspiel.load(KUHN), seat, seat, policy) for seat in (0, 1)]
    with pytest.raises(
        ValueError, match="a bot of OpenSpiel draws its actions, so its probabilities are not known; estimate it"
    ):
        relance.score(KUHN, bots)
    found = relance.words.score(KUHN, bots, answers=40)
    assert found.answers == relance.words.cost(KUHN, bots, 40).questions == 480
    assert found.nash_conv.low < 11 / 12 < found.nash_conv.high
    with pytest.raises(ValueError, match="use a grid"):
        relance.words.score(relance.make("von_neumann"), bots, answers=2)


def test_agents_that_talk():
    rng = np.random.default_rng(0)

    def reply(messages):
        named = [name for name in KUHN.actions if f"[{name}] " in messages[-1]["content"]]
        return "no idea" if rng.random() < 0.1 else f"Hm. [{rng.choice(named)}]"

    agent = relance.words.TextAgent(reply)
    found = relance.words.score(KUHN, agent, answers=40)
    assert 0.05 < found.illegal / found.answers < 0.15
    assert found.faults == {"no action": found.illegal}
    assert found.illegal_rate.low < 0.1 < found.illegal_rate.high
    legal = relance.score(KUHN, "uniform").nash_conv
    assert found.nash_conv.low > legal - 0.3
    assert found.nash_conv.point > legal  # what illegal answers cost is part of it
    cost = relance.words.cost(KUHN, agent, 40)
    assert cost.questions == 480
    assert 100 * 480 < cost.words < 400 * 480
    assert "biased upward" in str(found)
    assert "no action" in str(found)


def test_log_probabilities_are_used():
    chances = {"bet": 0.25, "check": 0.75, "call": 0.5, "fold": 0.5}

    def reply(messages):
        named = [name for name in chances if f"[{name}] " in messages[-1]["content"]]
        return f"[{named[0]}]", {name: np.log(chances[name]) for name in named}

    found = relance.words.score(KUHN, relance.words.TextAgent(reply), answers=5)
    plan = {name: {action: chances[action] for action in node.actions} for name, node in KUHN.tree.decisions.items()}
    assert found.nash_conv == pytest.approx([relance.nash_conv(KUHN, KUHN.profile(plan))] * 4)


@pytest.mark.parametrize(("known", "used"), [(1.0, True), (0.9, True), (0.89, False), (1.01, False)])
def test_log_probabilities_are_used_if_the_actions_have_nearly_all(known, used):
    def reply(messages):
        legal = [name for name in KUHN.actions if f"[{name}] " in messages[-1]["content"]]
        return f"[{legal[0]}]", dict.fromkeys(legal, np.log(known / 2) + 1e-12)

    found = relance.words.score(KUHN, relance.words.TextAgent(reply), answers=3)
    assert found.profile[""][0].tolist() == pytest.approx([0.5 if used else 1.0] * 3)


def test_illegal_ids_and_texts_are_counted():
    always_check = relance.words.score(KUHN, lambda seen, masks: np.full(len(seen), 0), answers=3)
    assert always_check.illegal == 18  # also where one must fold or call
    assert always_check.faults == {"illegal action": 18}
    wild = relance.words.score(KUHN, lambda seen, masks: ["check, or [bet] [fold] ["] * len(seen), answers=2)
    assert wild.illegal > 0
    with pytest.raises(ValueError, match=r"answered an observation .* of shape \(1, 2\)"):
        relance.words.score(KUHN, lambda seen, masks: np.zeros((len(seen), 2)), answers=2)
    with pytest.raises(ValueError, match="node '.*', hand .*sum to 1"):
        relance.words.score(KUHN, lambda seen, masks: masks * 0.9, answers=2)


def test_nothing_is_lost_when_an_agent_fails(tmp_path):
    path = tmp_path / "answers.jsonl"
    with pytest.raises(TimeoutError) as stopped:
        relance.words.score(KUHN, Drawing(fails_at=175), answers=40, answers_file=path)
    assert f"174 answers are kept in {path}" in stopped.value.__notes__[0]
    path.write_text(path.read_text() + '{"seat": 0, "no')  # as if the machine had been switched off
    agent = Drawing(seed=1)
    found = relance.words.score(KUHN, agent, answers=40, answers_file=path)
    assert found.answers == 480
    assert agent.asked == 480 - 174
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == 481
    again = relance.words.score(KUHN, Drawing(fails_at=1), answers=40, answers_file=path)  # nothing is left to ask
    assert again.nash_conv == found.nash_conv
    more = Drawing(seed=2)
    assert relance.words.score(KUHN, more, answers=50, answers_file=path).answers == 600
    assert more.asked == 120


@pytest.mark.parametrize("batched", [True, False])
def test_the_rest_of_a_batch_is_kept_when_one_of_it_fails(batched, tmp_path):
    path, asked = tmp_path / "answers.jsonl", []

    def reply(messages):
        asked.append(messages)
        if len(asked) == 20:
            raise TimeoutError("no reply")
        return "[check]" if "[check]" in messages[0]["content"] else "[fold]"

    def replies(conversations):
        for one in conversations:
            try:
                yield reply(one)
            except TimeoutError as error:
                yield error

    agent = relance.words.TextAgent(replies if batched else reply, batched=batched)
    with pytest.raises(TimeoutError) as stopped:
        relance.words.score(KUHN, agent, answers=3, answers_file=path)
    kept = 23 if batched else 19  # the second batch of player 1 has six questions, of which one fails
    assert f"{kept} answers are kept in" in stopped.value.__notes__[0]
    asked.clear()
    asked += range(100)
    assert relance.words.score(KUHN, agent, answers=3, answers_file=path, name=agent.reply.__qualname__).answers == 36
    assert len(asked) == 100 + 36 - kept


def test_without_a_file_answers_are_kept_where_the_note_says(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    relance.words.score(KUHN, Drawing(), answers=2)
    assert not list(tmp_path.iterdir())
    with pytest.raises(TimeoutError) as stopped:
        relance.words.score(KUHN, Drawing(fails_at=3), answers=2)
    (path,) = tmp_path.iterdir()
    assert str(path) in stopped.value.__notes__[0]
    assert relance.words.score(KUHN, Drawing(), answers=2, answers_file=path).answers == 24
    with pytest.raises(TimeoutError) as stopped:
        relance.words.score(KUHN, Drawing(fails_at=1), answers=2)  # nothing came, so nothing is kept
    assert not getattr(stopped.value, "__notes__", [])
    assert list(tmp_path.iterdir()) == [path]


def test_budgets():
    agent = Drawing()
    with pytest.raises(
        ValueError, match=r"12,000,000 questions; 10,000,000 are allowed without a budget.*budget=12000000"
    ):
        relance.words.score(KUHN, agent, answers=10**6)
    with pytest.raises(ValueError, match="600 questions; 599 are in the budget"):
        relance.words.score(KUHN, agent, answers=50, budget=599)
    assert relance.words.score(KUHN, Drawing(), answers=50, budget=600).answers == 600
    with pytest.raises(ValueError, match="120,000 questions of .* words in all; 100,000"):
        relance.words.score(KUHN, relance.words.TextAgent(lambda messages: "[bet]"), answers=10_000)
    assert agent.asked == 0
    for bad, says in (
        ({"answers": 10**5000}, r"answers=\(a number of more than 4300 digits\) must be a whole number at least 1"),
        ({"answers": 0}, "answers=0 must be a whole number at least 1"),
        ({"answers": 5, "hands": 1}, "hands=1 must be at least 2"),
        ({"answers": 5, "hands": 4}, "more than the 3 hands"),
        ({"answers": 5, "budget": -1}, "budget=-1"),
        ({"answers": 5, "illegal": "renormalise"}, "no argument 'illegal'"),
        ({"answers_file": "x.jsonl"}, "score needs answers"),
    ):
        with pytest.raises((ValueError, TypeError), match=says):
            relance.words.score(KUHN, agent, **bad)


def test_exact_scores_count_their_questions():
    game, asked = relance.make("von_neumann"), []

    def agent(seen, masks):
        asked.append(len(seen))
        return (seen[:, 2] > 0.7).astype(int) + np.where(masks[:, 0], 0, masks.argmax(axis=1))

    full = relance.score(game, agent)
    assert full.asked <= sum(asked) <= full.asked * 1.2  # a few answers are asked twice
    assert full.asked <= most_questions(game, agent) == 515_088
    asked.clear()
    with pytest.warns(UserWarning, match="still moved"):
        small = relance.score(game, agent, tolerance=1e-9, budget=20_000)
    assert small.asked <= 20_000
    assert f"{small.asked:,} questions" in str(small)
    with pytest.raises(ValueError, match="budget=100: .* at 3,024 information sets or more"):
        relance.score(game, agent, budget=100)
    with pytest.raises(ValueError, match="budget=100: .* at 200 information sets"):
        relance.score(game, agent, hands=100, budget=100)
    assert most_questions(game, agent, hands=100) == 200
    assert most_questions(game, ("uniform", agent), hands=100) == 100


@pytest.mark.parametrize(("told", "counts"), [(800.0, False), (float("nan"), False), (0.0, True)])
def test_log_probabilities_that_are_none_do_not_count(tmp_path, told, counts):
    agent = relance.words.TextAgent(lambda messages: ("[check]", {"check": told}))
    relance.words.score(KUHN, agent, answers=1, answers_file=tmp_path / "answers.jsonl")
    assert ('"chances"' in (tmp_path / "answers.jsonl").read_text()) == counts


def test_log_probabilities_that_are_no_numbers_are_an_error():
    with pytest.raises(TypeError, match="log-probabilities must be numbers, not 'x'"):
        relance.words.score(KUHN, relance.words.TextAgent(lambda messages: ("[check]", {"fold": "x"})), answers=1)


@pytest.mark.parametrize("retries", [0, 1])
@pytest.mark.parametrize("batched", [True, False])
@pytest.mark.parametrize("budget", [36, 50, 71, 72, 100])
def test_a_budget_counts_what_is_asked_again_and_is_never_exceeded(retries, batched, budget, tmp_path):
    """12 information sets, 3 answers: 36 questions, or 72 if none is answered with an action and each is asked again."""
    asked, path = [], tmp_path / "answers.jsonl"

    def reply(messages):
        asked.append(messages)
        return "hm"

    agent = relance.words.TextAgent(
        (lambda many: [reply(one) for one in many]) if batched else reply, retries, batched=batched
    )
    found = relance.words.score(KUHN, agent, answers=3, budget=budget, answers_file=path)
    whole = 36 * (1 + retries)
    assert found.spent.sent == len(asked) <= budget
    assert found.answers == min(budget, whole) // (1 + retries) == path.read_text().count("\n") - 1
    assert found.spent.cut == (budget < whole)
    assert ("the budget of" in str(found)) == found.spent.cut
    assert found.as_dict()["cut"] == found.spent.cut


def test_a_budget_that_is_reached_too_early_gives_no_estimate_but_keeps_the_answers(tmp_path):
    path, agent = tmp_path / "answers.jsonl", relance.words.TextAgent(lambda messages: "hm", retries=1)
    with pytest.raises(
        ValueError, match="budget of 12 questions was spent before each information set had an answer"
    ) as cut:
        relance.words.score(KUHN, agent, answers=1, budget=12, answers_file=path)
    assert "6 answers are kept in" in cut.value.__notes__[0]
    assert (
        relance.words.score(KUHN, agent, 1, budget=12, answers_file=path, name=agent.reply.__qualname__).answers == 12
    )


def test_without_a_file_what_a_budget_cut_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = relance.words.score(KUHN, relance.words.TextAgent(lambda messages: "hm", 1), answers=2, budget=30)
    (path,) = tmp_path.iterdir()
    assert found.spent.kept == str(path)
    assert str(path) in str(found)
    assert path.read_text().count("\n") == 1 + found.answers == 16


def test_a_reply_that_was_cut_off_is_a_forfeit_that_is_named():
    """Whatever stands in it, also an action."""
    found = relance.words.score(KUHN, relance.words.TextAgent(lambda messages: CutOff("I think [check] th")), answers=2)
    assert found.faults == {"cut off": 24}
    assert found.illegal == found.answers == 24
    assert "24 cut off" in str(found)
