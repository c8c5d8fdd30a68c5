"""Logs: rows of every game come back as they were written, and each kind of bad input is counted and named."""

import numpy as np
import pytest

import relance
from relance.model.files import json_line
from relance.model.tree import CHANCE, OVER
from relance.words import read_games
from relance.words.kept_files import LogWriter
from relance.words.log_rows import decision_row, hand_index, logged_hand, parse_row, parse_rows, terminal_row

KUHN = relance.make("one_card_poker(raises=0)")

GOOD = {
    "version": 1, "game": str(KUHN), "seed": 3, "episode": 0, "seat": 0, "agent": "me", "opponent": "uniform",
    "hand": "Q", "node": "check-bet", "legal": ["fold", "call"], "action": "fold", "raw": "I [fold]",
}  # fmt: skip

END = {"version": 1, "game": str(KUHN), "seed": 3, "episode": 0, "seat": 0, "hand": "Q", "node": "check-bet-fold"}


def lines(*items):
    return "".join(map(json_line, items))


@pytest.mark.parametrize("name", relance.games())
def test_rows_of_every_node_come_back(name, tmp_path):
    game, rows = relance.make(name), []
    tree = game.tree.table
    for node, player in enumerate(tree.player.tolist()):
        possible = (
            [np.flatnonzero(game.deal.floats.in_case(tree.cases[node]).prior(seat)) for seat in (0, 1)]
            if game.deal.is_finite
            else []
        )
        hands = [int(which[0]) for which in possible] or [0.25, 0.25]
        about = {"seed": 1, "episode": node, "agent": "me", "opponent": "published"}
        if player == CHANCE:  # nobody acts, so no row tells of it
            continue
        if player == OVER:
            rows += [
                terminal_row(game, seat, hands[seat], node, (1 - 2 * seat) * tree.constant[node], **about)
                for seat in (0, 1)
            ]
        else:
            rows.append(
                decision_row(
                    game, player, hands[player], node, game.actions[tree.legal_ids[node][0]], raw="é\n", **about
                )
            )
    with LogWriter(tmp_path / "log.jsonl", game) as log:
        log.write(*rows)
    assert read_games(tmp_path / "log.jsonl", game).rows == tuple(rows)
    assert read_games(tmp_path / "log.jsonl").faults == ()


def test_a_row_that_names_ten_million_hands_is_refused_at_once(tmp_path, monkeypatch):
    """No hand is named; where the user names the game, its size is the user's matter."""
    game, path = relance.make("von_neumann(hands=10000000)"), tmp_path / "log.jsonl"
    row = GOOD | {"game": str(game), "node": "", "legal": ["check", "bet"], "action": "bet"}
    path.write_text(lines(row))

    def named(*given):
        raise AssertionError("hands were named")

    monkeypatch.setattr("relance.words.log_rows._hands", named)
    with pytest.raises(ValueError, match="20,000,000 information sets; give the game, or take a log of games with at"):
        read_games(path)
    with pytest.raises(ValueError, match="this is a row of von_neumann"):
        read_games(path, KUHN)
    with pytest.raises(AssertionError, match="hands were named"):
        read_games(path, game)


@pytest.mark.parametrize("name", relance.games())
def test_hands_have_names(name):
    game = relance.make(name)
    for seat in (0, 1):
        hands = np.flatnonzero(game.deal.floats.prior(seat)).tolist() if game.deal.is_finite else [0.0, 0.1234567890123]
        assert [hand_index(game, seat, logged_hand(game, seat, hand)) for hand in hands] == hands


BAD = {
    "damaged lines": [
        {},
        {"seat": 2},
        {"seat": True},
        {"seed": -1},
        {"episode": "0"},
        {"legal": "fold"},
        {"action": 3},
        {"raw": None},
    ],
    "other versions": [{"version": 2}, {"version": None}],
    "rows of other games": [
        {"game": "one_card_poker(raises=1)"},
        {"game": "whist"},
        {"game": "one_card_poker(antes=2)"},
    ],
    "impossible hands": [{"hand": "J"}, {"hand": 0}, {"hand": 0.5}],
    "impossible nodes": [{"node": "bet"}, {"node": "bet-bet"}, {"node": "check-bet-fold"}],
    "other legal actions": [{"legal": ["fold", "call", "raise"]}, {"legal": []}, {"legal": [1, 2]}],
}


@pytest.mark.parametrize(("kind", "change"), [(kind, change) for kind, changes in BAD.items() for change in changes])
def test_bad_rows_are_named(kind, change, tmp_path):
    bad = GOOD | change if change else {"game": str(KUHN)}
    path = tmp_path / "log.jsonl"
    path.write_text(lines(GOOD, bad, GOOD | {"episode": 1}))
    log = read_games(path, KUHN)
    assert log.counts == {kind: 1}
    assert len(log.rows) == 2
    assert str(log.faults[0]).startswith("line 2: ")
    path.write_text(lines(bad))
    with pytest.raises(ValueError, match=r"nothing in .* can be used: line 1: "):
        read_games(path, KUHN)


@pytest.mark.parametrize(
    ("change", "fine"),
    [
        ({"chips": -1}, True),
        ({"chips": 1}, False),
        ({"chips": float("nan")}, False),
        ({"chips": 10**400}, False),
        ({"node": "check-bet-call", "chips": -2}, True),
        ({"node": "check-bet-call", "chips": -3}, False),
        ({"node": "check-bet", "chips": -2}, True),  # a forfeit
        ({"node": "check-bet", "chips": 2}, False),
        ({"node": "bet", "chips": 2}, True),  # the opponent's forfeit
    ],
)
def test_terminals_pay_what_the_game_pays(change, fine):
    log = parse_rows([("line 1", END | change)], KUHN)
    assert log.counts == ({} if fine else {"impossible chips": 1})


def test_a_showdown_that_is_never_certain_never_pays_all():
    """In the endgame with a draw the stake is 3 chips, and a hand wins with a probability of at most 9/10: 2.4 on average."""
    game = relance.make("endgame_draw")
    row = END | {"game": str(game), "hand": game.deal.labels[0][0], "node": "bet-call"}
    for chips, fine in ((2.4, True), (-2.4, True), (2.5, False), (-3, False)):
        log = parse_rows([("line 1", row | {"chips": chips})], game)
        assert log.counts == ({} if fine else {"impossible chips": 1})


def test_illegal_answers_are_rows():
    answers = [None, "raise", "FOLD", "fold"]
    rows = [parse_row(GOOD | {"action": action}, KUHN) for action in answers]
    assert [row.is_illegal for row in rows] == [True, True, True, False]
    again = parse_rows([("", GOOD | {"action": action}) for action in answers], KUHN)
    assert len(again.rows) == 4  # asked again until the answer was legal


def test_rows_written_twice_count_once():
    log = parse_rows([("line 1", GOOD), ("line 2", GOOD), ("line 3", GOOD | {"seed": 4})], KUHN)
    assert (len(log.rows), log.counts) == (2, {"repeated rows": 1})
