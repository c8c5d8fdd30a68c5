"""Quantal response equilibria: against Gambit, whole plans one by one, and magnetic mirror descent run to its fixed point."""

import io
import random
from fractions import Fraction as F
from itertools import product
from math import exp, log

import pytest
from tree_walks import together, walked

import relance
from relance.equilibria import certified_roots, maximum_entropy
from relance.equilibria import logit_equilibria as quantal_response
from relance.equilibria.logit_equilibria import quantal_responses
from relance.model.game_tree import ChanceNode, DecisionNode, TerminalNode
from relance.registration.efg_file import write_efg
from relance.solvers.exact_lp import NotCertifiedError
from relance.solvers.information_sets import chance_masses


@pytest.fixture(scope="module")
def tree():
    return relance.game_tree("kuhn_poker")


def floats(found):
    return {name: {a: float(p.middle) for a, p in distribution.items()} for name, distribution in found.at.items()}


def plan(tree, player, distributions):
    out = [0.0] * tree.num_sequences[player]
    out[0] = 1.0
    for s in tree.infosets_of(player):
        for j, a in zip(s.after, s.actions, strict=True):
            out[j] = out[s.before] * distributions[s.name][a]
    return out


def chips_and_reach(tree, player, distributions):
    """What the terminal nodes after each sequence pay by the opponent's play, and how often they come."""
    other = 1 - player
    theirs = plan(tree, other, distributions)
    chips, reach = [0.0] * tree.num_sequences[player], [0.0] * tree.num_sequences[player]
    for key, pays in tree.terminals.items():
        chips[key[player]] += float(pays[player]) * theirs[key[other]]
    for key, mass in chance_masses(tree).items():
        reach[key[player]] += float(mass) * theirs[key[other]]
    return chips, reach


def conditional(tree, player, distributions):
    """The expected chips of each action given that play has come there."""
    chips, reach = chips_and_reach(tree, player, distributions)
    out = {}
    for s in reversed([*tree.infosets_of(player)]):
        out[s.name] = [chips[j] / reach[s.first] for j in s.after]
        chips[s.before] += sum(p * chips[j] for p, j in zip(distributions[s.name].values(), s.after, strict=True))
        reach[s.before] += reach[s.first]
    return out


def softmax(scores):
    odds = [exp(x - max(scores)) for x in scores]
    return [x / sum(odds) for x in odds]


def deep(zero_sum=False):
    """Both act twice in turn, first seen and then unseen by the other, and at the end a coin says what is paid."""
    draw = random.Random(2)

    def coin():
        ends = [[draw.randint(-3, 3) for _ in range(2)] for _ in "ht"]
        ends = [[end[0], -end[0]] if zero_sum else end for end in ends]
        return ChanceNode({"h": ("1/3", TerminalNode(ends[0])), "t": ("2/3", TerminalNode(ends[1]))})

    def node(history):
        player = len(history) % 2
        if len(history) == 4:
            return coin()
        return DecisionNode(player, f"{player} {history[:2]}", {a: node(history + a) for a in "lr"})

    return node("")


@pytest.mark.parametrize(("players", "temperature"), [(2, 1), (2, "1/4"), (2, 1000), (4, 2)])
def test_any_number_of_players_and_sums_and_a_coin_at_the_end(players, temperature):
    """Each chooses by the chips expected there, history by history; also where they act again whatever they do."""
    tree = relance.game_tree(deep() if players == 2 else together(players))
    found, t = quantal_response.quantal_response(tree, temperature), float(F(temperature))
    for name, (_, met, chips) in walked(tree, found.profile()).items():
        distribution = [float(p.middle) for p in found.at[name].values()]
        assert distribution == pytest.approx(softmax([float(c / met) / t for c in chips.values()]), abs=1e-13), name


def test_temperatures_in_any_order():
    tree = relance.game_tree(together(2))
    found = quantal_responses(tree, ["1/5", 1, "1/5"])
    assert [q.temperature for q in found] == [F(1, 5), 1, F(1, 5)]
    for q in found:
        assert q.distance(quantal_response.quantal_response(tree, q.temperature).profile()) < 1e-12


def test_masses_add_up(tree):
    """The chances of all terminal nodes by uniform play sum to 1."""
    plans = [plan(tree, p, tree.uniform()) for p in (0, 1)]
    assert sum(float(m) * plans[0][a] * plans[1][b] for (a, b), m in chance_masses(tree).items()) == pytest.approx(1)


@pytest.mark.parametrize("temperature", [F(1), F(1, 5)])
def test_agents_choose_by_the_chips_expected_there(tree, temperature):
    distributions = floats(quantal_response.quantal_response(tree, temperature))
    for player in (0, 1):
        for name, chips in conditional(tree, player, distributions).items():
            assert [*distributions[name].values()] == pytest.approx(
                softmax([c / float(temperature) for c in chips]), abs=1e-13
            )


def check_plans(tree, distributions, temperature):
    """Each player's plans, an action at each information set, by the logit rule; plans that agree on what they reach count once."""
    for player in (0, 1):
        sets, (chips, _) = [*tree.infosets_of(player)], chips_and_reach(tree, player, distributions)
        reduced = {}
        for choice in product(*(range(len(s.actions)) for s in sets)):
            reached = {0}
            for s, i in zip(sets, choice, strict=True):
                if s.before in reached:
                    reached.add(s.first + i)
            reduced[frozenset(reached)] = exp(sum(chips[j] for j in reached) / float(temperature))
        total, at = sum(reduced.values()), plan(tree, player, distributions)
        for j, weight in enumerate(at):
            assert sum(odds for reached, odds in reduced.items() if j in reached) / total == pytest.approx(
                weight, abs=1e-12
            )


@pytest.mark.parametrize("temperature", [F(1), F(1, 10)])
def test_whole_plans_one_by_one(tree, temperature):
    check_plans(tree, floats(quantal_response.quantal_response(tree, temperature, "normal")), temperature)


def test_magnetic_mirror_descent_in_behavioural_form_goes_there(tree):
    rate, pull = 0.1, 0.2
    distributions = {s.name: dict.fromkeys(s.actions, 1 / len(s.actions)) for s in tree.infosets}
    for _ in range(1500):
        new = {}
        for player in (0, 1):
            for name, chips in conditional(tree, player, distributions).items():
                scores = [
                    (log(p) + rate * c) / (1 + rate * pull)
                    for p, c in zip(distributions[name].values(), chips, strict=True)
                ]
                new[name] = dict(zip(distributions[name], softmax(scores), strict=True))
        distributions = new
    found = quantal_response.quantal_response(tree, "1/5")
    assert (
        found.distance(
            {
                n: {a: F(p) / sum(map(F, distribution.values())) for a, p in distribution.items()}
                for n, distribution in distributions.items()
            }
        )
        < 1e-9
    )


def test_magnetic_mirror_descent_on_sequences_goes_there(tree):
    """With the dilated entropy; the step has a closed form from the last information sets to the first."""
    rate, pull = 0.2, 0.1
    distributions = {s.name: dict.fromkeys(s.actions, 1 / len(s.actions)) for s in tree.infosets}
    heat = pull + 1 / rate
    for _ in range(1500):
        new = {}
        for player in (0, 1):
            chips, sets = chips_and_reach(tree, player, distributions)[0], [*tree.infosets_of(player)]
            follow = [sum(s.before == j for s in sets) for j in range(tree.num_sequences[player])]
            for s in sets:
                for j, p in zip(s.after, distributions[s.name].values(), strict=True):
                    chips[j] += (log(p) + 1 - follow[j]) / rate
            for s in reversed(sets):
                here = [chips[j] for j in s.after]
                new[s.name] = dict(zip(s.actions, softmax([c / heat for c in here]), strict=True))
                chips[s.before] += max(here) + heat * log(sum(exp((c - max(here)) / heat) for c in here))
        distributions = new
    found = quantal_response.quantal_response(tree, "1/10", "normal")
    assert (
        found.distance(
            {
                n: {a: F(p) / sum(map(F, distribution.values())) for a, p in distribution.items()}
                for n, distribution in distributions.items()
            }
        )
        < 1e-9
    )


def in_fractions(distributions):
    return {
        n: {a: F(p) / sum(map(F, distribution.values())) for a, p in distribution.items()}
        for n, distribution in distributions.items()
    }


def test_magnetic_mirror_descent_goes_to_the_point_of_its_magnet(tree):
    rate, pull = 0.1, 0.2
    magnet = {s.name: {"Pass": 0.3 + 0.03 * i, "Bet": 0.7 - 0.03 * i} for i, s in enumerate(tree.infosets)}
    distributions = magnet
    for _ in range(1500):
        new = {}
        for player in (0, 1):
            for name, chips in conditional(tree, player, distributions).items():
                scores = [
                    (log(p) + rate * (c + pull * log(m))) / (1 + rate * pull)
                    for p, c, m in zip(distributions[name].values(), chips, magnet[name].values(), strict=True)
                ]
                new[name] = dict(zip(distributions[name], softmax(scores), strict=True))
        distributions = new
    found = quantal_response.quantal_response(tree, "1/5", magnet=in_fractions(magnet))
    assert found.distance(in_fractions(distributions)) < 1e-9
    assert found.distance(quantal_response.quantal_response(tree, "1/5").profile()) > 0.01


def gains_with_costs(tree, distributions, regular, eta):
    """R-NaD's game by hand: every history is walked, and an action costs its player and pays the other.

    Returns what each action gains at each information set, its own cost included, given that play has come there.
    """
    out = {}

    def walk(node, reach):
        """The value to player 0 from here, costs included; adds up what each action earns where, weighted by chance and the other."""
        if hasattr(node, "pays"):
            return float(node.payoffs()[0])
        if hasattr(node, "outcomes"):
            return sum(
                float(F(p)) * walk(child, [r * float(F(p)) for r in reach]) for p, child in node.outcomes.values()
            )
        name, sign = tree.name_of(node.player, node.information_set), 1 if node.player == 0 else -1
        distribution, total = distributions[name], 0.0
        for action, child in node.actions.items():
            after = list(reach)
            after[1 - node.player] *= distribution[action]
            worth = walk(child, after)
            earned = out.setdefault(name, {}).setdefault(action, [0.0, 0.0])
            earned[0] += reach[node.player] * sign * worth
            earned[1] += reach[node.player]
            total += distribution[action] * (worth - sign * eta * log(distribution[action] / regular[name][action]))
        return total

    walk(tree.root, [1.0, 1.0])
    return {
        name: {
            a: worth / weight - eta * log(distributions[name][a] / regular[name][a])
            for a, (worth, weight) in rows.items()
        }
        for name, rows in out.items()
    }


def test_in_the_game_with_costs_no_action_gains_more_than_another():
    """At its equilibrium, in a game in which both act twice, and a coin follows the last move."""
    tree, eta = relance.game_tree(deep(zero_sum=True)), F(3, 10)
    regular = {s.name: {"l": F(1, 3), "r": F(2, 3)} for s in tree.infosets}
    distributions = floats(quantal_response.quantal_response(tree, eta, "transformed", magnet=regular))
    for gains in gains_with_costs(tree, distributions, regular, float(eta)).values():
        assert gains["l"] == pytest.approx(gains["r"], abs=1e-12)


def test_replicator_dynamics_with_costs_go_to_the_point_of_their_policy(tree):
    eta, rate = 0.3, 0.5
    regular = {s.name: {"Pass": 0.6 - 0.02 * i, "Bet": 0.4 + 0.02 * i} for i, s in enumerate(tree.infosets)}
    distributions = {name: dict(distribution) for name, distribution in regular.items()}
    for _ in range(400):
        for name, gain in gains_with_costs(tree, distributions, regular, eta).items():
            scores = softmax([log(p) + rate * gain[a] for a, p in distributions[name].items()])
            distributions[name] = dict(zip(gain, scores, strict=True))
    found = quantal_response.quantal_response(tree, "3/10", "transformed", magnet=in_fractions(regular))
    assert found.distance(in_fractions(distributions)) < 1e-9
    assert (
        found.distance(quantal_response.quantal_response(tree, "3/10", magnet=in_fractions(regular)).profile()) > 0.01
    )


@pytest.mark.parametrize(
    ("kind", "magnet", "message"),
    [
        ("normal", {"Pass": "1/3", "Bet": "2/3"}, "uniform magnet"),
        ("agent", {"Pass": 1, "Bet": 0}, "must be above 0"),
        ("nonsense", None, "kind"),
    ],
)
def test_what_a_magnet_may_be(tree, kind, magnet, message):
    given = {s.name: magnet for s in tree.infosets} if magnet else "uniform"
    with pytest.raises((TypeError, ValueError), match=message):
        quantal_response.quantal_response(tree, 1, kind, magnet=given)


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "tiny_hanabi"])
def test_the_transformed_game_is_for_two_players_and_zero_sum(name):
    with pytest.raises(ValueError, match="two players and zero sum"):
        quantal_response.quantal_response(relance.game_tree(name), 1, "transformed")


def test_gambit_traces_the_same(tree):
    pygambit = pytest.importorskip("pygambit", reason="needs the group gambit")
    game = pygambit.read_efg(io.StringIO(write_efg(tree)))
    for precision in (1, 10):
        theirs = pygambit.qre.logit_solve_lambda(game, float(precision))[0]
        ours, k = quantal_response.quantal_response(tree, F(1, precision)), 0
        for player in game.players:
            for s in player.infosets:
                for action in s.actions:
                    assert float(ours.at[s.label][action.label].middle) == pytest.approx(theirs[k], abs=1e-9)
                    k += 1


def test_the_path_falls_to_an_equilibrium(tree):
    for kind in ("agent", "normal"):
        gaps = [relance.nash_conv(tree, q.profile()) for q in quantal_responses(tree, ["1", "1/10", "1/100"], kind)]
        assert gaps[0] > gaps[1] > gaps[2] > 0
        assert gaps[2] < F(1, 100)


def test_which_kind_goes_to_the_greatest_entropy(tree):
    """Extrapolated to temperature 0, all are optimal; only whole plans go to the optimal strategy of greatest entropy."""
    most, off = float(maximum_entropy(tree, 0).at["0"]["Bet"].middle), {}
    for kind in ("normal", "agent", "transformed"):
        hot, cold = (floats(q) for q in quantal_responses(tree, ["1/2000", "1/4000"], kind))
        jack, king = (2 * cold[card]["Bet"] - hot[card]["Bet"] for card in "02")
        assert king == pytest.approx(3 * jack, abs=1e-4)
        off[kind] = abs(jack - most)
    assert off["normal"] < 1e-5
    assert min(off["agent"], off["transformed"]) > 5e-4


def test_general_sums_and_three_players():
    """In Matching Pennies with a doubled payoff, only the other player's odds move; three players are taken too."""
    for name in ("tiny_hanabi", "turn_based_simultaneous_game(game=matching_pennies_3p())"):
        found = quantal_response.quantal_response(name, 1)
        assert all(
            sum(float(p.middle) for p in distribution.values()) == pytest.approx(1)
            for distribution in found.at.values()
        )


def pennies(name, rows):
    """Both choose at once, player 0 between "a" and "b", and player 1 between "x" and "y"."""
    columns = [DecisionNode(1, f"c{name}", dict(zip("xy", map(TerminalNode, row), strict=True))) for row in rows]
    return DecisionNode(0, f"r{name}", dict(zip("ab", columns, strict=True)))


def beside(never):
    """Matching pennies, beside a branch of probability 0."""
    return relance.game_tree(ChanceNode({"a": (1, pennies(1, [[2, -1], [-1, 1]])), "b": (0, never)}))


NEVER = DecisionNode(0, "often", {"out": TerminalNode(1), "in": pennies(2, [[3, -1], [-1, 1]])})


@pytest.mark.parametrize("kind", ["agent", "transformed"])
def test_where_chance_never_leads_agents_play_as_the_magnet(kind):
    """Nothing is believed there; so play is uniform, and elsewhere the branch changes nothing."""
    tree, alone = beside(NEVER), relance.game_tree(pennies(1, [[2, -1], [-1, 1]]))
    found, of_alone = (floats(quantal_response.quantal_response(game, "1/2", kind)) for game in (tree, alone))
    for name, distribution in found.items():
        assert distribution == pytest.approx(
            of_alone[name] if name in of_alone else dict.fromkeys(distribution, 0.5), abs=1e-12
        )
    magnet = {name: dict(zip(distribution, (F(1, 3), F(2, 3)), strict=True)) for name, distribution in found.items()}
    pulled = floats(quantal_response.quantal_response(tree, "1/2", kind, magnet=magnet))
    assert pulled["often"] == pytest.approx({"out": 1 / 3, "in": 2 / 3}, abs=1e-12)


def test_where_chance_never_leads_whole_plans_are_alike():
    """Of the three plans from "often" on, two begin with "in"."""
    tree = beside(NEVER)
    distributions = floats(quantal_response.quantal_response(tree, "1/2", "normal"))
    check_plans(tree, distributions, F(1, 2))
    assert distributions["often"] == pytest.approx({"out": 1 / 3, "in": 2 / 3}, abs=1e-12)
    assert distributions["r2"] == pytest.approx({"a": 0.5, "b": 0.5}, abs=1e-12)


def test_digits_are_certain(tree):
    rough, fine = (quantal_response.quantal_response(tree, "1/5", digits=d) for d in (10, 40))
    for name, distribution in fine.at.items():
        for action, p in distribution.items():
            outer = rough.at[name][action]
            assert outer.low <= p.low <= p.high <= outer.high
            assert p.high - p.low < F(1, 10**40)


def test_a_planted_error_is_found(tree, monkeypatch):
    """Newton's method that stops too early is not believed."""
    monkeypatch.setattr(certified_roots, "STEPS", 1)
    with pytest.raises(NotCertifiedError):
        quantal_response.quantal_response(tree, "1/5")


def test_arguments(tree):
    with pytest.raises(ValueError, match="temperature=0 must be above 0"):
        quantal_response.quantal_response(tree, 0)
    with pytest.raises(ValueError, match="kind='mixed' must be one of 'agent', 'normal', 'transformed'"):
        quantal_response.quantal_response(tree, 1, "mixed")
    with pytest.raises(ValueError, match="up to 300 are solved with certified digits"):
        quantal_response.quantal_response("leduc_poker", 1)


def test_cold_equilibria_can_be_shown(tree):
    """Their probabilities have more digits than Python prints."""
    (found,) = quantal_responses(tree, [F(1, 10**6)])
    assert "temperature=Fraction(1, 1000000)" in repr(found)
