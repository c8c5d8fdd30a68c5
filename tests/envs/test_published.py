"""Every published strategy is an exact equilibrium, and no nearby one is."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.model.game import Game, build
from relance.model.numbers import formula
from relance.model.piecewise import Piecewise

FAMILY_POINTS = 5


def families(game: Game):
    """Some members of the published family: both ends and points between."""
    printed, _ = game.printed_numbers()
    if not printed.family:
        return [{}]
    ((name, family),) = printed.family.items()
    step = (family.most - family.least) / (FAMILY_POINTS - 1)
    return [{name: family.least + step * i} for i in range(FAMILY_POINTS)]


def test_nash_conv_is_exactly_zero(published_game):
    for member in families(published_game):
        profile = published_game.published(**member)
        gap = relance.nash_conv(published_game, profile)
        assert gap <= published_game.rounding  # 0 unless the thresholds are no fractions
        assert isinstance(gap, (int, Fraction))
        assert relance.exploitability(published_game, profile) == gap / 2


def test_every_member_has_the_same_value(published_game):
    values = {relance.value(published_game, published_game.published(**member)) for member in families(published_game)}
    assert len(values) == 1


def test_best_responses_earn_the_value_and_no_more(published_game):
    profile = published_game.published()
    worth = relance.value(published_game, profile)
    for player, sign in ((0, 1), (1, -1)):
        found = relance.best_response(published_game, profile, player)
        assert abs(found.value - sign * worth) <= published_game.rounding
        assert sign * relance.value(published_game, profile.replace(found.strategy)) == found.value


def moved(game: Game, symbol: str, by: Fraction) -> Fraction | None:
    """NashConv of the published profile with one printed number moved; None if that is no longer a profile."""
    printed, symbols = game.printed_numbers()
    for name, text in printed.formulas(game.parameters).items():
        symbols[name] = formula(text, symbols) if isinstance(text, str) else text
        symbols[name] = symbols[name] + (by if name == symbol else 0)
    try:
        return relance.nash_conv(game, game.profile(printed.plan(symbols, game.tree)))
    except ValueError:
        return None


STEPS = (Fraction(1, 1000), Fraction(-1, 1000))


def test_each_printed_number_moved_by_a_thousandth_gives_a_gain(published_game):
    """Numbers declared free, because they are never reached or not unique, must indeed be free; all others are tight."""
    printed = published_game.printed_numbers()[0]
    for symbol in printed.formulas(published_game.parameters):
        gaps = [moved(published_game, symbol, step) for step in STEPS]
        if symbol in printed.free:
            assert 0 in gaps, symbol
        else:
            assert all(gap is None or gap > published_game.rounding for gap in gaps), symbol


def samples(blueprint):
    deep = [{"raises": k} for k in (4, 5)] if "raises" in blueprint.parameters else []
    games = (build(blueprint, **sample) for sample in [{}, *blueprint.samples, *deep])
    return [game for game in games if game.is_published]


MISPRINTS = list(
    dict.fromkeys(
        (name, symbol, misprint.claim)
        for name, blueprint in BLUEPRINTS.items()
        for game in samples(blueprint)
        for symbol, misprint in game.printed_numbers()[0].wrong(game.parameters).items()
    )
)


@pytest.mark.parametrize(("name", "symbol", "claim"), MISPRINTS)
def test_no_misprint_is_an_equilibrium(name, symbol, claim):
    """With this misprint alone, where the correct profile is an equilibrium, somebody gains."""

    def alone(printed):
        def misprints(parameters):
            wrong = printed.wrong(parameters)
            return {symbol: wrong[symbol]} if symbol in wrong and wrong[symbol].claim == claim else {}

        return replace(printed, misprints=misprints)

    blueprint = BLUEPRINTS[name]
    assert any(map(loses_by_misprint, samples(replace(blueprint, printed=[*map(alone, blueprint.printed)]))))


def loses_by_misprint(game: Game) -> bool:
    """Whether the misprint costs somebody chips, or makes it no profile, where the correct one is optimal.

    Where rounding in print leaves even the correct one short of optimal: whether the misprint changes the profile.
    """
    right = game.published()
    try:
        wrong = game.published(as_printed=True)
    except ValueError:
        return True
    if game.rounding:
        return any(
            np.any(mine != theirs)
            for node in game.tree.decisions
            for mine, theirs in zip(right[node], wrong[node], strict=True)
        )
    return relance.nash_conv(game, right) == 0 < relance.nash_conv(game, wrong)


def test_the_hands_between_thresholds_do_not_matter_for_a_cut():
    game = relance.make("von_neumann", bet=2)
    bet = game.published()[""][1]
    assert isinstance(bet, Piecewise)
    assert bet.integral() == Fraction(1, 9) + Fraction(2, 9)
