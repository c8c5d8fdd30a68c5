"""The page of rewards is made from its rows, a row can be made again, and rows say what the page says."""

from statistics import median

import pytest

from relance.envs.catalogue import make
from relance.play.equilibria import equilibrium
from relance.play.rewards import RAREST, Rewards
from relance.solvers.exact import nash_conv, value
from studies import rewards
from studies.reward_fixed_points import magnets, worst_without_loss


def test_the_page_is_that_of_its_rows():
    found = rewards.page(*map(rewards.read, (rewards.RESULTS, rewards.TEXTS, rewards.FIXED)))
    assert rewards.PAGE.read_text(encoding="utf-8") == found


def test_what_the_page_says():
    """The loss to an equilibrium is small in every row; the magnet has the least NashConv in four games of five."""
    rows = rewards.read(rewards.RESULTS)
    assert {row["game"] for row in rows} == set(rewards.GAMES)
    last = {
        game: {name: median(rewards.ends(rows, game=game, reward=name)) for name in rewards.REWARDS}
        for game in rewards.GAMES
    }
    assert sum(min(by, key=by.get) == "magnet" for by in last.values()) == 4
    assert all(median(row["lost"] for row in rows if row["game"] == game) < 0.01 for game in rewards.GAMES)


@pytest.mark.parametrize("text", rewards.GAMES)
def test_the_worst_optimum_of_the_loss(text):
    """It loses nothing, to the last digit, and its NashConv is that of the row."""
    game = make(text)
    (row,) = (r for r in rewards.read(rewards.FIXED) if (r["game"], r["point"]) == (text, "loss"))
    profile, found = worst_without_loss(game)
    assert (nash_conv(game, profile), str(found)) == (found, row["exact"])
    best = equilibrium(game)
    assert all(value(game, best.replace(seat)) == value(game, best) for seat in profile.strategies)


@pytest.mark.parametrize("text", [*rewards.GAMES[:1], *rewards.GAMES[2:4]])
def test_at_its_fixed_point_the_magnet_pays_nothing(text):
    """The point is that of a quantal response; the reward, which knows nothing of it, pays every action the same there."""
    pytest.importorskip("flint", reason="needs the extra proof")
    game = make(text)
    point, labels, names = next(magnets(game, 0)), game.finite_deal().labels, game.tree.table.names
    plan = {
        name: {
            action: [float(point[f"{label} {name}".strip()][action]) for label in labels[node.player]]
            for action in node.actions
        }
        for name, node in game.tree.decisions.items()
    }
    rewards_of = Rewards(game, "magnet(follow=0)")
    rewards_of.refresh(game.profile(plan))
    for name, node in game.tree.decisions.items():
        for hand in range(len(labels[node.player])):
            for action in node.actions:
                paid = rewards_of.paid(names.index(name), hand, game.action_id(action))
                if plan[name][action][hand] > RAREST:
                    assert paid == pytest.approx(0, abs=RAREST)  # a log counts what is rarer as this
    (row,) = (r for r in rewards.read(rewards.FIXED) if (r["game"], r.get("moved")) == (text, 0))
    assert float(nash_conv(game, game.profile(plan))) == pytest.approx(row["nash_conv"], abs=1e-5)


@pytest.mark.parametrize("reward", rewards.REWARDS)
def test_a_row_can_be_made_again(reward):
    """The first stretch of a run."""
    game, kept = make("endgame"), rewards.read(rewards.RESULTS)
    (row,) = (row for row in kept if (row["game"], row["reward"], row["start"]) == ("endgame", reward, 2))
    *_, (step, policy) = rewards.ascend(game, reward, 2, row["steps"] // rewards.SHOWN)
    assert step == row["steps"] // rewards.SHOWN
    assert float(nash_conv(game, policy)) == pytest.approx(row["nash_conv"][1], abs=1e-5)
