"""Parameters of games: what each kind refuses."""

import pytest

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.model.parameters import Amount, Bets, Chips, Distribution, Flag, PotShares, Probability, WholeNumber
from relance.model.playing_cards.parameters import BoardCards, Ranges
from relance.model.tree import MOST_BETS


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_bad_parameters_name_themselves(name):
    spec = BLUEPRINTS[name]
    for parameter, kind in spec.parameters.items():
        bad = {
            Chips: [0, -1, "-1/2"],
            Amount: [-1],
            WholeNumber: [getattr(kind, "least", 0) - 1, 2.5],
            Probability: [-0.1, 1.1],
            Bets: [0, [2, -1], [], "", "2;0"],
            Flag: ["maybe", 2],
            PotShares: [0, [2, 1], [1, 1], [], "", "1;all", "all-in;1", ["1/2", "all-in", "all-in"]],
            BoardCards: ["", "Ks9d7h", "Ks9d7h4cKs", "Ks9d7h4c2s2c", "Kx9d7h4c2s", 7],
            Ranges: ["AA", "AA vs", "AA vs KK vs QQ", "AX vs KK", ["AA"], "AA,AhAd vs KK", "AA:2 vs KK", "AA:0 vs KK"],
            Distribution: ["unifrom", "fgm", "fgm:2", "power:2", "power:1/2:1", "atoms:0", "normal:1", 7],
        }[type(kind)]
        for value in [*bad, "x", float("nan")]:
            with pytest.raises(
                ValueError, match="distribution|power" if isinstance(kind, Distribution) else f"{parameter}="
            ):
                relance.make(name, **{parameter: value})
        with pytest.raises(
            (TypeError, ValueError), match="distribution|power" if isinstance(kind, Distribution) else f"{parameter}="
        ):
            relance.make(name, **{parameter: None})
    with pytest.raises(ValueError, match="has no parameter"):
        relance.make(name, unknown=1)


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_what_would_take_hours_is_refused_at_once(name):
    for parameter, kind in BLUEPRINTS[name].parameters.items():
        if isinstance(kind, (WholeNumber, Bets)):
            many = 10**8 if isinstance(kind, WholeNumber) else [1] * (MOST_BETS + 1)
            with pytest.raises(ValueError, match=rf"{parameter}.* (whole number|from 1) .*to \d+"):
                relance.make(name, **{parameter: many})
        if parameter == "raises":
            with pytest.raises(ValueError, match="raises"):
                relance.make(name, raises=1000)
