"""Opponents by name and object, and mixtures by another route."""

from fractions import Fraction

import numpy as np
import pytest
from conftest import whole_games

import relance
from relance.play.agents import strategy
from relance.play.batch import Batch
from relance.play.call_syntax import parse_call
from relance.play.exact_score import earned
from relance.play.opponents import OPPONENTS
from relance.play.opponents import opponent as named
from relance.play.policies import policy_of
from relance.registration.gymnasium import SeatEnv
from relance.registration.vector import VectorSeatEnv


def names(game):
    return [name for name in OPPONENTS if not game.deal.is_finite or name != "superconservative"]


def ours(game, name):
    return {"mixture": "mixture(uniform, passive)", "renormalised": "renormalised(uniform)"}.get(name, name)


def test_every_name_is_a_strategy_of_every_game(default_game):
    if default_game.name == "five_card":
        pytest.skip("thousands of hands; the other card games show the same")
    for name in names(default_game):
        if name == "published" and not default_game.is_published:
            continue
        halves = [strategy(default_game, ours(default_game, name), seat) for seat in (0, 1)]
        default_game.check(default_game.uniform().replace(halves[0]).replace(halves[1]))


def test_every_opponent_says_what_it_does_and_how_it_is_called():
    for name, entry in OPPONENTS.items():
        assert parse_call(entry.usage).name == name
        assert len(entry.doc) > 5


def test_names_are_the_strategies_that_they_say():
    game = relance.make("one_card_poker")
    for text, profile in [
        ("published(alpha=1/6)", game.published(alpha="1/6")),
        ("published(alpha=0, as_printed=true)", game.published(alpha=0, as_printed=True)),
        ("perturbed(0, published(alpha=1/6))", game.published(alpha="1/6")),
        ("perturbed(epsilon=1)", game.uniform()),
        ("best_response(published)", game.published()),
    ]:
        found = game.together(strategy(game, text, 0), strategy(game, text, 1))
        if text.startswith("best"):
            chips = relance.value(game, found.replace(game.published().strategies[1]))
            assert chips == relance.best_response(game, game.published(), 0).value
        else:
            assert all((a == b).all() for n in profile.nodes() for a, b in zip(found[n], profile[n], strict=True))
    half = strategy(game, "perturbed(1/2, aggressive)", 1).at["bet"]
    assert [row[0] for row in half] == [Fraction(1, 6), Fraction(1, 6), Fraction(2, 3)]
    assert [row[0] for row in strategy(game, "caller", 1).at["bet"]] == [0, 1, 0]
    assert [row[0] for row in strategy(game, "passive", 1).at["bet"]] == [1, 0, 0]


def test_errors_on_a_fine_grid_are_floats():
    found = strategy(relance.make("von_neumann", hands=2500), "perturbed(1/10)", 0)
    assert {row.dtype for rows in found.at.values() for row in rows} == {np.dtype(float)}


def test_cutlers_weak_players():
    """Section 5, with the corrected figures of the ledger for play without end: 0.090 and 0.125."""
    game = relance.make("pot_limit", raises=6)
    published = game.published()
    tame = published.replace(strategy(game, "superconservative", 1))
    wild = published.replace(strategy(game, "super_bluffer", 1))
    assert float(relance.value(game, tame)) == pytest.approx(0.090, abs=5e-4)
    assert float(relance.value(game, wild)) == pytest.approx(0.125, abs=5e-4)
    assert earned(game, "uniform", 0, "super_bluffer").best > earned(game, "uniform", 0, "published").best


def test_against_an_equilibrium_nobody_earns_more_than_the_value(published_game):
    if published_game.rounding or published_game.name == "five_card":
        pytest.skip("published in rounded numbers or approximately")
    value = relance.value(published_game, published_game.published())
    assert [earned(published_game, "uniform", seat, "published").best for seat in (0, 1)] == [value, -value]
    found = earned(published_game, "published", 0, "published")
    assert (found.value, found.best) == (value, value)


def test_the_same_opponent_at_one_table_and_at_many():
    game = relance.make("von_neumann")
    for opponent in ("perturbed(1/4)", {"published": 1, "uniform": 3}, ("uniform", "passive"), game.uniform()):
        expected = relance.value(game, game.published().replace(strategy(game, opponent, 1)))
        tables = VectorSeatEnv(game, 20_000, opponent=opponent, autoreset_mode="Disabled")
        tables.reset(seed=1)
        hands = tables.hands[:, 0]
        bets = (hands < 1 / 9) | (hands > 7 / 9)
        _, rewards, over, _, _ = tables.step(np.where(bets, game.action_id("bet"), game.action_id("check")))
        assert over.all()
        assert abs(rewards.mean() - float(expected)) < 5 * rewards.std() / len(rewards) ** 0.5
        runs = []
        for _ in range(2):
            env = SeatEnv(game, opponent=opponent)
            chips, _ = [], env.reset(seed=3)
            for _ in range(20):
                chips.append(env.step(1)[1])
                env.reset()
            runs.append(chips)
        assert runs[0] == runs[1]


BAD = {
    "publshed": "did you mean 'published'",
    "published(beta=1)": "no parameter 'beta'",
    "perturbed(2)": "epsilon=2",
    "perturbed(0.1, uniform, 3)": "takes epsilon, of",
    "perturbed(0.1, epsilon=0.2)": "takes epsilon, of",
    "uniform(x=1)": "takes no arguments, each once: .*'x'",
    "best_response(foo)": "no opponent 'foo'",
    "published(": "cannot be read",
    "a + b": "cannot be read",
    "mixture()": "none given",
    "superconservative(call=2)": "call=2",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_names(text):
    with pytest.raises(ValueError, match=BAD[text].replace("(", r"\(")):
        policy_of(relance.make("von_neumann"), text, 1)


def test_bad_opponents():
    game = relance.make("von_neumann")
    with pytest.raises(ValueError, match="profile of 'la_relance'"):
        policy_of(game, relance.make("la_relance").published(), 1)
    with pytest.raises(TypeError, match="int 7 is not an agent"):
        policy_of(game, 7, 1)
    with pytest.raises(ValueError, match="weights of a mixture"):
        policy_of(game, {"uniform": 1, "published": -1}, 1)
    with pytest.raises(ValueError, match="each of the two seats"):
        policy_of(game, ("uniform", "uniform", "uniform"), 1)
    with pytest.raises(ValueError, match=r"hands on \[0, 1\]"):
        policy_of(relance.make("endgame"), "superconservative", 1)
    with pytest.raises(ValueError, match="no parameter"):
        SeatEnv("von_neumann", opponent="published(alpha=1/3)")


def test_opponents_that_have_no_name():
    game = relance.make("von_neumann")
    best = relance.best_response(game, game.uniform(), 1)
    for opponent in (best, best.strategy, named("best_response", game.uniform())):
        assert relance.value(game, game.uniform().replace(strategy(game, opponent, 1))) == -best.value
    with pytest.raises(ValueError, match="a strategy of player 1, not of player 0"):
        strategy(game, best, 0)
    with pytest.raises(ValueError, match="did you mean 'best_response'"):
        named("best_respons")

    def agent(observations, masks):
        return masks / masks.sum(axis=1, keepdims=True)

    found = strategy(game, named("best_response", agent), 1)
    assert float(relance.value(game, game.uniform().replace(found))) == pytest.approx(-float(best.value), abs=1e-3)
    with pytest.raises(ValueError, match="illegal action"):
        strategy(game, lambda o, m: np.full(m.shape, 0.25), 1)
    even = named("renormalised", lambda o, m: np.full(m.shape, 1 / m.shape[1]))
    assert float(relance.value(game, game.uniform().replace(strategy(game, even, 1)))) == pytest.approx(
        float(relance.value(game, game.uniform()))
    )
    assert str(even).startswith("renormalised(")
    assert policy_of(game, "super-bluffer", 1) is not None


def test_one_function_is_an_opponent_everywhere():
    """Probabilities or action ids, at one table, at many, and scored: the same agent."""
    game = relance.make("one_card_poker", raises=0)
    profile = game.published(alpha="1/6")

    def agent(observations, masks):
        out = np.zeros(masks.shape)
        for row, (seen, mask) in enumerate(zip(observations, masks, strict=True)):
            hand = int(seen[2:5].argmax())
            name = "bet" if mask[game.action_id("fold")] else "check"
            for action, p in profile.plan()[name].items():
                out[row, game.action_id(action)] = p[hand]
        return out

    expected = float(relance.value(game, game.uniform().replace(profile.strategies[1])))
    rng = np.random.default_rng(0)
    batch = Batch(game, 20_000, seed=2)
    whole_games(batch, "uniform", agent)
    played = batch.chips
    assert abs(played.mean() - expected) < 5 * played.std() / 20_000**0.5
    env, chips = SeatEnv(game, opponent=agent), []
    env.reset(seed=0)
    for _ in range(3000):
        legal = np.flatnonzero(env.action_masks())
        _, reward, over, _, _ = env.step(int(rng.choice(legal)))
        if over:
            chips.append(reward)
            env.reset()
    assert abs(np.mean(chips) - expected) < 5 * np.std(chips) / len(chips) ** 0.5
    tables = VectorSeatEnv(game, 20_000, opponent=agent, autoreset_mode="Disabled")
    tables.reset(seed=1)
    _, rewards, done, _, _ = tables.step(np.full(20_000, game.action_id("bet")))
    bets = game.profile({"": {"bet": 1}, "check-bet": {"call": 1}, "check": {"bet": 0}, "bet": {"call": 0}})
    wanted = float(relance.value(game, bets.replace(profile.strategies[1])))
    assert done.all()
    assert abs(rewards.mean() - wanted) < 5 * rewards.std() / 20_000**0.5
    with pytest.raises(ValueError, match="table .* sum to 2"):
        whole_games(Batch(game, 4, seed=0), "uniform", lambda o, m: m * 1.0)
    with pytest.raises(ValueError, match="the opponent: .* sum to 2"):
        SeatEnv(game, seat=1, opponent=lambda o, m: m * 1.0).reset(seed=0)


@pytest.mark.parametrize("seat", [True, 1.0, 2, "both"])
def test_what_a_seat_is_not(seat):
    with pytest.raises((TypeError, ValueError), match=f"SeatEnv: seat={seat!r} must be one of 0, 1, 'random'"):
        SeatEnv("one_card_poker", seat=seat)


def test_a_mixture_of_thousands_is_quick_and_right():
    """Members of one name count as often as they are named: a third and two thirds."""
    game = relance.make("one_card_poker(raises=0)")
    many = strategy(game, f"mixture({', '.join(['uniform', 'passive', 'passive'] * 1000)})", 0)
    few = strategy(game, [("uniform", 1), ("passive", 2)], 0)
    assert {name: [list(row) for row in rows] for name, rows in many.at.items()} == {
        name: [list(row) for row in rows] for name, rows in few.at.items()
    }
