"""What is computed of Cutler's game with real cards, on small decks."""

from dataclasses import replace

import numpy as np
import pytest

import relance
from relance.envs.cutler_cards import by_class
from relance.model.playing_cards.classes import deck
from studies import five_card_numbers as five_card


def test_three_rows_are_far_from_their_thresholds():
    found = five_card.rows_against_thresholds()
    assert len(found) == 29
    assert [row.row for row in found if not row.agrees] == ["B9", "B10", "B11"]
    assert [round(row.below - row.threshold) for row in found if not row.agrees] == [-62, 81, 77]


@pytest.mark.parametrize("raises", [1, 6])
def test_the_game_is_solved_to_the_tolerance(raises, tmp_path):
    game = relance.make("five_card", raises=raises, ranks=3)
    checkpoint = tmp_path / "here" / "file.npz"
    solver = five_card.solve(game, 1e-4, lambda text: None, checkpoint)
    profile = solver.average()
    assert relance.exploitability(game, profile) <= 1e-4
    if raises == 1:
        best = relance.value(game, relance.solve(game, method="lp", tolerance=1e-9))
        assert relance.value(game, profile) == pytest.approx(best, abs=2e-4)
    again = five_card.solve(game, 1e-4, lambda text: None, checkpoint)
    assert again.iteration == solver.iteration


def test_ties_cost_next_to_nothing():
    """A class that holds a threshold is split by plans: split node by node, ties seemed to cost .0026."""
    game = relance.make("five_card", raises=8, removal=False)
    classes = by_class(relance.make("pot_limit", raises=8).published(), floats=True)
    assert relance.exploitability(game, replace(classes, game=game.name)) == pytest.approx(6.85e-8, rel=1e-2)


def test_procedures_are_in_his_words():
    game = relance.make("five_card", raises=3)
    profile = game.published().as_float()
    first, second = five_card.procedures(game, profile, 0), five_card.procedures(game, profile, 1)
    assert first[deck().find("22Q43")] == "check, call"
    assert first[deck().find("99778")] == "bet, reraise, fold"
    assert second[deck().find("JJJ87")] == "raise, fold — bet"
    every = five_card.runs(game, profile, 0)
    assert sum(run.share for run in every) == pytest.approx(1)
    assert (every[0].first, every[-1].last) == ("75432", "A high straight flush")


def test_parnes():
    """Section 6: a better hand may be worth less; of the eight changes of kind six are falls of the showdown."""
    edge = np.array([0.0, 0.2, 0.1, 0.1, 0.3])
    assert five_card.falls(edge) == [1]
    assert five_card.falls(edge, 0.2) == []
    changes = dict(five_card.changes_of_kind())
    assert deck().names[changes["bust to one pair"]] == "AKQJ9"
    assert len(changes) == 8
