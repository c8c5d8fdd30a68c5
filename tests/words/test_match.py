"""Matches: the luck-adjusted mean is the exact difference, its interval covers it, and a match that failed goes on from its log."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import called, one_each
from endpoint_server import serving

import relance
from relance.play.agents import strategy
from relance.play.coach import Coach
from relance.words import read_games
from relance.words.duel import Duel, duplicate_tables, seated
from relance.words.match import _raw_hands, match_questions
from relance.words.spent import BudgetReached
from relance.words.text_agent import CutOff, TextAgent
from studies.answers_numbers import Drawing

KUHN = relance.make("one_card_poker(raises=0)")


def talker(said="[bet]", every=1, retries=0, batched=False, fail_at=None):
    """Says `said` at every so manieth question, else the first of its actions, and fails at one of them."""
    count = [0]

    def reply(conversation):
        count[0] += 1
        if count[0] == fail_at:
            raise TimeoutError("the model does not answer")
        actions = conversation[0]["content"].rpartition("Your actions:\n")[2]
        return said if count[0] % every == 0 else "I think [so]. [" + actions[1 : actions.index("]")] + "]"

    agent = TextAgent((lambda many: [reply(one) for one in many]) if batched else reply, retries, batched=batched)
    return agent, count


def drawing(seen, masks, rng=np.random.default_rng(5)):  # noqa: B008 - one stream for all calls
    return (masks * rng.random(masks.shape)).argmax(axis=1)


PAIRS = [("published", "uniform"), ("perturbed(0.2)", "passive"), ("uniform", drawing), (drawing, "caller")]


GAMES = ["one_card_poker(raises=0)", "endgame", "von_neumann", "ponssard"]


def named(value):
    return value if isinstance(value, str) else " against ".join(getattr(agent, "__name__", agent) for agent in value)


@pytest.mark.parametrize(("name", "agents"), one_each(GAMES, PAIRS), ids=named)
def test_the_mean_is_the_exact_difference(name, agents):
    a, b = agents
    game = relance.make(name)
    result = relance.match(game, a, b, 4000, seed=3, within=1e-9)
    a_plays, b_plays = ("uniform" if player is drawing else player for player in (a, b))
    first = relance.value(game, game.together(strategy(game, a_plays, 0), strategy(game, b_plays, 1)))
    exact = (first - relance.value(game, game.together(strategy(game, b_plays, 0), strategy(game, a_plays, 1)))) / 2
    assert result.hands == 4000
    assert result.low <= exact <= result.high
    assert abs(result.mean - exact) < 0.05
    assert (result.exact == exact) if a is not drawing and b is not drawing else result.exact is None


def test_intervals_cover_and_stop_when_decided():
    missed, hands = 0, []
    for seed in range(60):
        result = relance.match(KUHN, "perturbed(0.3)", "uniform", 2000, seed=seed)
        missed += not result.low <= result.exact <= result.high
        hands.append(result.hands)
        assert result.winner in (None, "perturbed(0.3)")
    assert missed <= 5
    assert max(hands) < 2000


def test_equal_agents_are_not_told_apart():
    result = relance.match(KUHN, "published", "published", 1000)
    assert (result.winner, result.exact, result.hands) == (None, 0, 1000)
    assert "no: the interval holds 0" in str(result)


def test_a_bound_on_the_difference_decides_nothing_but_a_mistake_does():
    """Whoever plays an equilibrium cannot lose on average, which is no evidence that they win; a mistake of the other is."""
    result = relance.match(KUHN, "published", Drawing(KUHN, KUHN.published()), 400)
    assert (result.winner, result.hands, result.adjusted) == (None, 400, (False, True))
    assert result.low == pytest.approx(0, abs=1e-12)
    result = relance.match("von_neumann(hands=9)", "published", drawing, 40)
    assert (result.winner, result.hands) == ("published", 20)


@pytest.mark.parametrize(
    ("low", "high", "winner"), [(0.0, 1.0, None), (-1.0, 0.0, None), (1e-6, 1.0, "a"), (-1.0, -1e-6, "b")]
)
def test_an_interval_that_holds_0_decides_nothing(low, high, winner):
    result = replace(relance.match(KUHN, "uniform", "uniform", 2), names=("a", "b"), low=low, high=high)
    assert result.winner == winner


def test_it_plays_to_the_width_asked_for_and_no_further():
    widths = {}
    for within in (0.1, 0.05):
        result = relance.match(KUHN, "published", "uniform", 10_000, within=within)
        widths[result.hands] = (result.high - result.low) / 2
        assert 0.8 * within < widths[result.hands] <= within  # it looks whenever there are a fifth more deals
    assert len(widths) == 2


@pytest.mark.parametrize("other", ["published", drawing, lambda seen, masks: np.full(len(seen), 9)])
def test_the_worst_and_the_best_results_are_within_the_bounds(other):
    """An agent whose answers are all illegal always gets the same, whoever sits opposite; where both are such, player 0 is."""
    result = relance.match(KUHN, lambda seen, masks: np.full(len(seen), 9), other, 400, within=1e-9)
    assert result.low <= result.mean <= result.high
    turned = relance.match(KUHN, other, lambda seen, masks: np.full(len(seen), 9), 400, within=1e-9)
    assert turned.low <= turned.mean <= turned.high
    assert result.mean < -1 or other not in ("published", drawing)


def test_hands_with_luck_are_as_many_as_give_the_same_deviation():
    rng = np.random.default_rng(0)
    adjusted, paid = rng.normal(0, 1, 4000), rng.normal(0, 3, (4000, 2))
    hands = _raw_hands(adjusted, paid)
    assert hands is not None
    assert 9 / hands == pytest.approx(1 / 4000, rel=0.1)  # the variance of both means


def test_each_deal_is_played_from_both_seats():
    tables = duplicate_tables(KUHN, 1, 5, 100)
    assert (tables.hands[::2] == tables.hands[1::2]).all()
    whole = duplicate_tables(KUHN, 1, 0, 105)
    assert (whole.hands[10:] == tables.hands).all()
    pairs = tables.hands[::2, 0] * 3 + tables.hands[::2, 1]
    assert set(pairs.tolist()) == {1, 2, 3, 5, 6, 7}


@pytest.mark.parametrize("name", ["one_card_poker(raises=1)", "sized_endgame", "von_neumann", "ponssard"])
def test_losses_of_a_deal_reach_their_bound_and_no_more(name):
    """Uniform play makes every mistake there is, some of them illegal."""
    game, count = relance.make(name), [0]

    def careless(seen, masks):
        count[0] += 1
        ids = np.array([np.flatnonzero(mask)[count[0] * 7 % mask.sum()] for mask in masks])
        return np.where((np.arange(len(ids)) + count[0]) % 3, ids, len(game.actions))

    for forfeits, player in ((False, "uniform"), (True, careless)):
        for seat in (0, 1):
            coach = Coach(game, seat, "published", exact=False)
            players = [[seated(game, who, place) for place in (0, 1)] for who in (player, "published")]
            _, lost = Duel(game, players, [{seat: coach}, {}], 0, ("a", "b")).play(0, 2000)
            most = coach.max_loss(forfeits)
            assert lost[0].max() <= most + 1e-9
            assert not lost[1].any()
            if game.deal.is_finite and not forfeits:
                assert lost[0].max() == pytest.approx(most)


def test_what_a_failing_model_answered_is_not_asked_again(tmp_path):
    log = tmp_path / "log.jsonl"
    whole, asked = talker(every=3)
    expected = relance.match(KUHN, whole, "uniform", 40, names=("talker", "uniform"))
    broken, before = talker(every=3, fail_at=25)
    with pytest.raises(TimeoutError):
        relance.match(KUHN, broken, "uniform", 40, names=("talker", "uniform"), log=log)
    rest, after = talker(every=3)
    after[0] = 24  # as many as were answered
    with log.open("a") as file:
        file.write('{"version": 1, "ga')
    assert relance.match(KUHN, rest, "uniform", 40, names=("talker", "uniform"), log=log) == expected
    assert before[0] == 25
    assert after[0] == asked[0]
    text = log.read_text()
    assert relance.match(KUHN, rest, "uniform", 40, names=("talker", "uniform"), log=log) == expected
    assert (log.read_text(), after[0]) == (text, asked[0])
    rows = read_games(log, KUHN).rows
    assert sum(row.is_terminal for row in rows) == 2 * expected.hands
    with pytest.raises(ValueError, match=r"the log holds another match: .* seed 0, not of .* seed 1") as refused:
        relance.match(KUHN, rest, "uniform", 40, names=("talker", "uniform"), log=log, seed=1)
    assert not getattr(refused.value, "__notes__", [])  # it is not a log to go on from
    with pytest.raises(ValueError, match="of 'talker' against 'uniform' with seed 0, not of 'talker' against 'caller'"):
        relance.match(KUHN, rest, "caller", 40, names=("talker", "caller"), log=log)
    assert log.read_text() == text


def _gone(messages):
    raise TimeoutError("no reply")


def test_without_a_log_answers_are_kept_when_a_model_fails(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(TimeoutError) as failed:
        relance.match(KUHN, TextAgent(_gone), TextAgent(_gone), 40)
    assert not getattr(failed.value, "__notes__", [])
    assert not list(tmp_path.iterdir())  # nothing came, so nothing is kept
    broken, _ = talker(fail_at=25)
    with pytest.raises(TimeoutError) as failed:
        relance.match(KUHN, broken, "uniform", 40)
    (kept,) = tmp_path.iterdir()
    assert failed.value.__notes__ == [
        f"what was played is kept in {kept}; the same match with this log continues from there"
    ]
    rest, asked = talker()
    asked[0] = 24
    assert relance.match(KUHN, rest, "uniform", 40, log=kept, names=("a", "uniform")) == relance.match(
        KUHN, talker()[0], "uniform", 40
    )
    assert list(tmp_path.iterdir()) == [kept]


@pytest.mark.parametrize("said", ["", "I bet", "[raise]", "[check] [bet call]", "[2]", "x" * 100_001, "[bet"])
@pytest.mark.parametrize("batched", [False, True])
def test_answers_without_a_legal_action_are_counted_and_forfeit(said, batched, tmp_path):
    agent, _ = talker(said, every=2, batched=batched)
    result = relance.match(KUHN, agent, "uniform", 20, log=tmp_path / "log.jsonl")
    rows = read_games(tmp_path / "log.jsonl", KUHN).rows
    mine = [row for row in rows if row.agent == "a" and not row.is_terminal]
    assert result.illegal == (sum(row.is_illegal for row in mine), 0)
    assert result.illegal[0] == result.answers[0] // 2
    lost = [row.chips for row in rows if row.agent == "a" and row.is_terminal and row.node in KUHN.tree.decisions]
    assert lost == [-2.0] * result.illegal[0]


def test_a_retry_is_an_answer_of_its_own(tmp_path):
    agent, _ = talker("[fly]", every=2, retries=1)
    result = relance.match(KUHN, agent, "uniform", 20, log=tmp_path / "log.jsonl")
    assert 0 < result.illegal[0] < result.answers[0]
    assert not [
        row for row in read_games(tmp_path / "log.jsonl").rows if row.is_terminal and row.node in KUHN.tree.decisions
    ]
    assert relance.match(KUHN, agent, "uniform", 20, log=tmp_path / "log.jsonl", names=("a", "uniform")) == result


def test_two_who_answer_in_words():
    first, second = talker("[bet]")[0], talker("[fold]", every=2)[0]
    result = relance.match(KUHN, first, second, 100)
    assert result.adjusted == (False, False)
    assert "chips as paid" in str(result)


def test_real_cards_are_told_and_the_same_in_both_games():
    game, heard = relance.make("five_card"), []

    def reply(conversation):
        heard.append(conversation[0]["content"])
        return "[check]"

    relance.match(game, TextAgent(reply), TextAgent(reply), 2)
    hands = [text.partition("Your hand: ")[2].splitlines()[0] for text in heard if "Your hand: " in text]
    assert len(set(hands)) == 2
    assert len(hands) >= 4


def test_all_against_all():
    agents = {"a": "published", "b": "uniform", "c": "passive"}
    results = relance.words.matches(KUHN, agents, 200)
    assert [result.names for result in results] == [("a", "b"), ("a", "c"), ("b", "c")]
    with pytest.raises(ValueError, match="at least two agents"):
        relance.words.matches(KUHN, {"a": "published"})


def test_a_table_of_matches_goes_on_from_its_logs(tmp_path):
    folder = tmp_path / "logs"

    def played(fail_at=None):
        (first, one), (second, two) = talker(every=3), talker(fail_at=fail_at)
        agents = {"first": first, "uniform": "uniform", "second": second}
        try:
            return relance.words.matches(KUHN, agents, 20, log=folder), one[0] + two[0]
        except TimeoutError:
            return None, one[0] + two[0]

    failed, before = played(fail_at=12)
    assert failed is None
    assert sorted(path.name for path in folder.iterdir()) == ["1-2.jsonl", "1-3.jsonl"]
    results, after = played()
    assert [result.names for result in results] == [("first", "uniform"), ("first", "second"), ("uniform", "second")]
    assert played() == (results, 0)
    asked = sum(result.answers[k] for result in results for k in (0, 1) if result.names[k] != "uniform")
    assert asked == before - 1 + after  # only the answer that never came was asked for again


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"hands": 0}, "hands=0"),
        ({"hands": 2**31 + 1}, "hands=2147483649"),
        ({"seed": -1}, "seed=-1"),
        ({"within": 0}, "within=0"),
        ({"hands": 2.5}, "hands=2.5"),
    ],
)
def test_wrong_arguments(wrong, message):
    with pytest.raises(ValueError, match=message):
        relance.match(KUHN, "published", "uniform", **wrong)


def test_two_matches_do_not_write_to_one_log(tmp_path):
    log, answered = tmp_path / "log.jsonl", []

    def reply(messages):
        answered.append(1)
        if len(answered) == 3:
            with pytest.raises(ValueError, match=r"log\.jsonl is being written to by another run"):
                relance.match(KUHN, TextAgent(reply), "uniform", 20, log=log)
        return "[check]"

    relance.match(KUHN, TextAgent(reply), "uniform", 20, log=log)
    assert read_games(log, KUHN).faults == ()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are listed by Linux")
def test_a_match_closes_its_files():
    agent, before = talker()[0], len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        relance.match(KUHN, agent, "uniform", 20)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_budget_is_kept():
    """The match is cut to the hands that the budget surely allows, and never asks more; strategies cost nothing."""
    asked = []

    def reply(messages):
        asked.append(1)
        return "[check]"

    game = KUHN
    agent = TextAgent(reply)
    assert (
        match_questions(game, "published", agent, hands=100) == 150
    )  # a deal: one decision as player 1, two as player 0
    assert match_questions(game, "published", "uniform") == 0
    assert match_questions(game, "published", TextAgent(reply, retries=1), hands=100) == 300
    result = relance.match(game, "published", agent, 1000, within=1e-9, budget=50)
    assert result.hands == 2 * (50 // 3)
    assert len(asked) <= 50
    with pytest.raises(
        ValueError,
        match="budget=2 must be at least 3, the most questions that one deal, played from both seats, can need",
    ):
        relance.match(game, "published", agent, budget=2)
    told = result.as_dict()
    assert json.loads(json.dumps(told)) == told | {"names": list(told["names"])} | {
        name: list(told[name]) for name in ("adjusted", "answers", "illegal")
    }


def test_an_endpoint_is_asked_only_within_a_budget(tmp_path, monkeypatch):
    """`relance match` says how many questions it will ask, and asks none before it is allowed to; options reach the model."""
    pytest.importorskip("httpx2", reason="needs the extra words")
    monkeypatch.chdir(tmp_path)
    with serving(lambda messages: "[check]") as (address, asked):
        model = f"{address}#scripted"
        refused = called("match", "published", model, "one_card_poker", "--hands", "10")
        assert refused.returncode == 2
        assert (
            "this command asks a model up to 20 questions; allow them with --budget 20, or allow fewer, after which the match ends early"
            in refused.stderr
        )
        refused = called("match", "published", "uniform", model, "one_card_poker", "--hands", "10")
        assert (
            "this command asks a model up to 20 questions in a match and 40 in all; allow them with --budget 20"
            in refused.stderr
        )
        own = f"from relance.words import Endpoint, TextAgent\nmodel = TextAgent(Endpoint({address!r}, 'x'), batched=True)\n"
        (tmp_path / "own_model.py").write_text(own)
        refused = called("match", "published", "own_model:model", "one_card_poker", "--hands", "10")
        assert "this command asks a model up to 20 questions; allow" in refused.stderr
        assert asked == []
        file = tmp_path / "match.json"
        options = ("--hands", "40", "--budget", "30", "--temperature", "0.5", "--max-tokens", "64", "--json", str(file))
        done = called("match", "published", model, "one_card_poker", *options)
        assert done.returncode == 0, done.stderr
        assert 0 < len(asked) <= 30
        assert {(sent["temperature"], sent["max_tokens"]) for _, _, sent in asked} == {(0.5, 64)}
    (told,) = json.loads(file.read_text())["matches"]
    assert told["names"] == ["published", f"{model} (temperature=0.5, max_tokens=64)"]
    assert told["low"] <= told["mean"] <= told["high"]


def test_every_score_is_written_as_json(tmp_path):
    file = tmp_path / "score.json"
    assert called("score", "one_card_poker(raises=0)", "uniform", "--json", str(file)).returncode == 0
    told = json.loads(file.read_text())
    assert told["exact"]["nash_conv"] == "11/12"
    assert told["nash_conv"] == pytest.approx(11 / 12)
    assert called("ask", "one_card_poker(raises=0)", "uniform", "--answers", "3", "--json", str(file)).returncode == 0
    told = json.loads(file.read_text())
    assert told["nash_conv"]["point"] == pytest.approx(11 / 12)
    printed = called("score", "one_card_poker(raises=0)", "uniform", "--json", "-")
    assert json.loads(printed.stdout)["value"] == pytest.approx(1 / 8)


@pytest.mark.parametrize("budget", [30, 60, 75, 89])
def test_a_match_that_fails_and_tries_again_keeps_its_budget(budget, tmp_path):
    """What is sent again counts. Deals that were paid for whole count: 30 are played at a time, and a deal takes at most 3 questions."""

    class Flaky:
        counts_requests = True  # as an endpoint does: every request is sent twice

        def __init__(self):
            self.sent = 0

        def __call__(self, conversations, spent):
            for _ in conversations:
                try:
                    spent.take(2)
                except BudgetReached as error:
                    yield error
                    continue
                self.sent += 2
                yield "[check] [fold]"

    flaky, log, names = Flaky(), tmp_path / "log.jsonl", ("flaky", "uniform")
    whole = relance.match(KUHN, TextAgent(Flaky(), batched=True), "uniform", 2 * (budget // 3), within=1e-9)
    options = {"within": 1e-9, "log": log, "names": names, "budget": budget}
    total = runs = 0
    while True:
        try:
            result = relance.match(KUHN, TextAgent(flaky, batched=True), "uniform", 1000, **options)
        except ValueError as error:
            assert "not all of the first 10 deals" in str(error)  # noqa: PT017
            result = None
        assert flaky.sent - total <= budget
        total, runs = flaky.sent, runs + 1
        if result is not None:
            assert result.spent.sent <= budget
            if not result.spent.cut:
                break
            assert "the budget of" in str(result)
    assert runs > 1
    assert (result.mean, result.hands) == (whole.mean, whole.hands)


def test_replies_that_were_cut_off_are_counted_by_name(tmp_path):
    path = tmp_path / "log.jsonl"
    agent = TextAgent(lambda messages: CutOff("[check] and") if "Your hand: A" in messages[0]["content"] else "[fold]")
    result = relance.match(KUHN, agent, "uniform", 40, within=1e-9, log=path, names=("me", "uniform"))
    cut = result.faults[0]["cut off"]
    assert 0 < cut < result.illegal[0]
    assert f"{cut} cut off" in str(result)
    score = relance.words.score_games(KUHN, relance.words.read_games(path, KUHN), "me")
    assert score.why_illegal == result.faults[0]
    assert f"{cut} cut off" in str(score)


def test_the_two_have_names_that_tell_them_apart():
    with pytest.raises(ValueError, match="names=.* the two must differ, so that the winner can be told"):
        relance.match(KUHN, "uniform", "published", 2, names=("a", "a"))
    assert relance.match(KUHN, "uniform", "uniform", 2).winner is None
