"""The study of scripted baselines: its exact scores by other routes, its orders, its page, and a model behind an address."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from endpoint_server import serving

import relance
from relance.model.tree import Decision
from relance.play.equilibria import equilibrium
from relance.words import read_games
from studies import scripted_baselines
from studies.scripted_models import SCRIPTED_BASELINES
from studies.scripted_page import GAMES, page
from studies.scripted_scores import Scores, exact_scores, measured_scores, order, probability_by_set, ranks, read

KUHN = relance.make("one_card_poker", raises=0)
DOCS = Path(__file__).parents[2] / "docs"
ROWS = [json.loads(line) for line in (DOCS / "results" / "stand_ins.jsonl").read_text().splitlines()]


def by_enumeration(game, one):
    """Chips, hands won, and the probability of the action, hand by hand and play by play."""
    mine, base, deal = one.profile(game), equilibrium(game), game.finite_deal()
    joint = deal.joint()
    chips = wins = decisions = chosen = 0.0

    def visit(node, name, chance, seat, hands):
        nonlocal chips, wins, decisions, chosen
        if not isinstance(node, Decision):
            paid = float(node.constant + node.stake * deal.compare(*hands)) * (1 - 2 * seat)
            chips += chance * paid
            wins += chance * ((paid > 0) + (paid == 0) / 2)
            return
        profile = mine if node.player == seat else base
        for action, child, row, known in zip(node.actions, node.children, profile[name], base[name], strict=True):
            p = float(row[hands[node.player]])
            if node.player == seat:
                decisions += chance * p
                chosen += chance * p * float(known[hands[seat]])
            visit(child, f"{name}-{action}".lstrip("-"), chance * p, seat, hands)

    for seat, *hands in product((0, 1), range(deal.size(0)), range(deal.size(1))):
        visit(game.tree.root, "", float(joint[tuple(hands)]) / 2, seat, hands)
    return chips, wins, chosen / decisions


@pytest.mark.parametrize("name", ["equilibrium", "always bluffs", "at random", "forgets the betting", "never folds"])
@pytest.mark.parametrize("text", ["one_card_poker", "ponssard", "one_card_poker(cards=5,raises=0)"])
def test_exact_scores_by_enumeration(text, name):
    game, one = relance.make(text), SCRIPTED_BASELINES[name]
    found = exact_scores(game, one)
    assert by_enumeration(game, one) == pytest.approx((found.chips, found.wins, found.probability), abs=1e-12)
    assert found.nash_conv == pytest.approx(float(relance.nash_conv(game, one.profile(game))))


def test_scores_in_words_come_near_the_exact_ones():
    """Within four standard errors; an answer without an action forfeits in both."""
    for name in ("noise 3/10", "illegal now and then", "always bets"):
        one, hands = SCRIPTED_BASELINES[name], 400
        exact = exact_scores(KUHN, one)
        found, illegal = measured_scores(KUHN, one.agent(KUHN, seed=3), hands, seed=4)
        error = 4 / (2 * hands) ** 0.5  # of 4 standard errors; the factors below are the largest standard deviations
        assert found.chips == pytest.approx(exact.chips, abs=1.4 * error)
        assert found.wins == pytest.approx(exact.wins, abs=0.5 * error)
        assert found.loss == pytest.approx(exact.loss, abs=0.5 * error)
        assert found.probability == pytest.approx(exact.probability, abs=0.5 * error)
        assert illegal == pytest.approx(float(one.illegal), abs=0.5 * error)


def test_what_the_page_says_of_single_players():
    """Level with the equilibrium in chips and losses, or above it in the reward, and far from it in NashConv."""
    best, caller, likely = (
        exact_scores(KUHN, SCRIPTED_BASELINES[name]) for name in ("equilibrium", "honest caller", "most probable")
    )
    assert caller.chips == pytest.approx(best.chips, abs=1e-12)
    assert caller.loss == pytest.approx(0, abs=1e-12)
    assert caller.nash_conv == pytest.approx(1 / 3)
    assert likely.probability > best.probability + 0.03
    assert likely.nash_conv == pytest.approx(1 / 3)
    once = [probability_by_set(KUHN, SCRIPTED_BASELINES[name]) for name in ("equilibrium", "most probable")]
    assert once == pytest.approx([59 / 72, 61 / 72])
    wins = {one.name: exact_scores(KUHN, one).wins for one in SCRIPTED_BASELINES.values()}
    assert max(wins, key=wins.get) == "always bets"


def test_orders():
    agents = {
        name: Scores(chips, 0.5, -chips, 0.5, nash)
        for name, chips, nash in [("a", 3, 0), ("b", 1, 1), ("c", 2, 2), ("d", 2, 3)]
    }
    found = order(agents, "chips")
    assert (found.wrong, found.tied, found.pairs, found.example) == (2, 1, 6, ("b", "d"))
    assert found == order(agents, "loss")
    assert found.tau == pytest.approx((3 - 2) / (5 * 6) ** 0.5)
    assert np.isnan(order(agents, "wins").tau)
    assert order(agents, "wins").tied == 6
    assert ranks([0.3, 0.1, 0.3]) == [2.5, 1, 2.5]


def test_the_page_is_made_from_the_results_and_they_are_right():
    assert [(row["game"], row["agent"]) for row in ROWS] == list(product(GAMES, SCRIPTED_BASELINES))
    for row in ROWS:
        exact = exact_scores(relance.make(row["game"]), SCRIPTED_BASELINES[row["agent"]])
        assert row["exact"] == pytest.approx(exact._asdict(), abs=1e-9)
    kept = DOCS / "results" / "stand_ins.jsonl"
    assert [one.row() for one in read(kept)] == ROWS
    assert (DOCS / "stand_ins.md").read_text() == page(read(kept), scripted_baselines.hearts())


def test_a_model_behind_an_address_is_shown_among_the_scripted_baselines(tmp_path, capsys):
    pytest.importorskip("httpx2", reason="needs the extra words")
    voice = SCRIPTED_BASELINES["honest caller"].agent(KUHN).reply
    kept, results = tmp_path / "answers.jsonl", tmp_path / "results.jsonl"
    with serving(voice) as (url, seen):
        options = [
            "--url",
            url,
            "--model",
            "tiny",
            "--hands",
            "10",
            "--answers",
            "3",
            "--answers-file",
            str(kept),
            "--log",
            str(tmp_path / "hands.jsonl"),
            "-o",
            str(results),
        ]
        assert scripted_baselines.main(options) == 0
        first = len(seen)
        assert scripted_baselines.main(options) == 0
        assert len(seen) == first > 36 + 20  # answers and hands are kept
        assert (
            scripted_baselines.main([*options[:3], "other", *options[4:]]) == 2
        )  # another model does not go on with its answers
    said = capsys.readouterr()
    assert "not for agents=['TextAgent of other at http" in said.err
    lines = said.out.splitlines()
    assert any(line.startswith("> tiny") for line in lines)
    assert any("36 questions, then 20 hands" in line for line in lines)
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert [row["agent"] for row in rows] == ["tiny", "tiny"]
    low, high = rows[0]["measured"]["nash_conv"][1:3]
    assert low <= 1 / 3 <= high


def test_a_model_that_fails_is_named_and_its_answers_are_kept(tmp_path, capsys):
    pytest.importorskip("httpx2", reason="needs the extra words")
    voice, said = SCRIPTED_BASELINES["equilibrium"].agent(KUHN).reply, []

    def fails(messages):
        said.append(1)
        return voice(messages) if len(said) <= 20 else 401

    kept = tmp_path / "answers.jsonl"
    with serving(fails) as (url, _):
        options = ["--url", url, "--model", "tiny", "--answers", "5", "--answers-file", str(kept)]
        assert scripted_baselines.main(options) == 2
        assert "status 401" in capsys.readouterr().err
        assert len(kept.read_text().splitlines()) == 21
        said.clear()
        options += ["--hands", "20", "--log", str(tmp_path / "hands.jsonl")]
        assert scripted_baselines.main([*options, "--answers", "1"]) == 2  # answered; now it fails as it plays
        assert "what was played is kept in" in capsys.readouterr().err
        rows = read_games(tmp_path / "hands.jsonl", KUHN).rows
        assert sum(row.agent != "equilibrium" and not row.is_terminal for row in rows) == 20


def test_mistakes_are_one_line(capsys):
    with pytest.raises(SystemExit):
        scripted_baselines.main(["--url", "http://localhost"])
    assert "--url and --model go together" in capsys.readouterr().err
    assert scripted_baselines.main(["--url", "localhost", "--model", "m"]) == 2
    assert "url='localhost' must be an address" in capsys.readouterr().err
