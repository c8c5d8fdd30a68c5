"""Logs of other frameworks: each is read as the same rows, and what is wrong with it is counted or named."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import relance
from relance.words.game_logs import read_all
from relance.words.log_rows import decision_row, terminal_row

KUHN = relance.make("one_card_poker(raises=0)")
REPLAYS = Path(__file__).parent / "replays"


def hand(episode=0, **about):
    about = {"seed": 1, "episode": episode, "agent": "m", "opponent": "uniform"} | about
    rows = [decision_row(KUHN, 0, 2, 0, "bet", raw="[bet]", **about)]
    return rows, [
        row.to_dict() for row in (*rows, terminal_row(KUHN, 0, 2, KUHN.tree.table.names.index("bet-fold"), 1, **about))
    ]


def test_kaggle_replays_are_both_seats_answers():
    """The file was written by Kaggle's environments 1.33.2, on the game that is registered with OpenSpiel; observations are cut."""
    log = relance.words.read_games(REPLAYS / "kaggle.json", KUHN)
    assert not log.faults
    assert [(row.seat, row.hand, row.node, row.action, row.chips) for row in log.rows] == [
        (0, "K", "", "check", None),
        (1, "A", "check", "check", None),
        (0, "K", "check-check", None, -1),
        (1, "A", "check-check", None, 1),
    ]
    assert {(row.seed, row.agent, row.opponent) for row in log.rows} == {
        (1, "agent 0", "agent 1"),
        (1, "agent 1", "agent 0"),
    }
    assert json.loads(log.rows[0].raw)["thoughts"] == "so be it"


def test_an_illegal_move_forfeits_more_than_kaggle_says():
    log = relance.words.read_games(REPLAYS / "kaggle_illegal.json", KUHN)
    assert log.rows[0].is_illegal
    assert [row.chips for row in log.rows if row.is_terminal] == [-2, 2]


def test_a_replay_of_a_game_where_a_card_turns_up(tmp_path):
    game = relance.make("leduc")
    state = relance.openspiel.load(str(game)).new_initial_state()
    steps = []
    while not state.is_terminal():
        player, action = state.current_player(), state.legal_actions()[0]
        if player >= 0:
            told = [{"action": {"submission": -1}, "info": {}}, {"action": {"submission": -1}, "info": {}}]
            told[player] = {"action": {"submission": action}, "info": {"actionSubmitted": action}}
            steps.append(told)
        state.apply_action(action)
    replay = json.loads((REPLAYS / "kaggle.json").read_text())
    replay["info"] |= {
        "openSpielGameStringResolved": str(state.get_game()),
        "actionHistory": list(map(str, state.history())),
    }
    replay |= {"steps": steps, "rewards": state.returns()}
    (tmp_path / "replay.json").write_text(json.dumps(replay))
    log = relance.words.read_games(tmp_path / "replay.json", game)
    assert log.faults == ()
    assert [row.chips for row in log.rows if row.is_terminal] == state.returns()
    assert len(log.rows) == len(steps) + 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"info": {}}, "it lacks 'openSpielGameStringResolved'"),
        ({"steps": 3}, "damaged"),
        ({"id": "x"}, "damaged"),
        ({"info": {"openSpielGameStringResolved": "tic_tac_toe()", "actionHistory": []}}, "not a game of Relance"),
        (
            {"info": {"openSpielGameStringResolved": "relance_whist", "actionHistory": []}},
            "OpenSpiel has no game .relance_whist.",
        ),
        (
            {
                "info": {
                    "openSpielGameStringResolved": "relance_von_neumann(hands=2000000000)",
                    "actionHistory": ["0", "0"],
                }
            },
            "a player has 2,000,000,000 hands, at most 1,000,000",
        ),
        (
            {
                "info": {
                    "openSpielGameStringResolved": "relance_von_neumann(hands=100000)",
                    "actionHistory": ["0", "0"],
                }
            },
            "has 200,000 information sets; give the game, or take a log of games with at most 50,000",
        ),
    ],
)
def test_other_replays_are_refused(change, message, tmp_path):
    replay = json.loads((REPLAYS / "kaggle.json").read_text()) | change
    (tmp_path / "replay.json").write_text(json.dumps(replay))
    with pytest.raises(ValueError, match=message):
        relance.words.read_games(tmp_path / "replay.json")


def test_several_files_are_one_log(tmp_path):
    (tmp_path / "bad.json").write_text("{}")
    log = read_all([REPLAYS / "kaggle.json", REPLAYS / "kaggle_illegal.json", tmp_path / "bad.json"], KUHN)
    assert len(log.rows) == 7
    assert log.counts == {"files without games": 1}
    twice = read_all([REPLAYS / "kaggle.json"] * 2, KUHN)
    assert (len(twice.rows), twice.counts) == (4, {"repeated rows": 4})
    with pytest.raises(OSError, match="none.json cannot be read: No such file"):
        read_all([REPLAYS / "kaggle.json", tmp_path / "none.json"])


def test_traces_of_verifiers(tmp_path):
    path, rows = tmp_path / "traces.jsonl", hand(agent="")[1]
    trace = {"agent": {"config": {"model": "some-model"}}, "info": {"rows": rows}}
    episodes = [{"traces": [trace]}, {"traces": [{"info": {}}]}, {"traces": []}]
    path.write_text("".join(json.dumps(episode) + "\n" for episode in episodes) + '{"traces": [')
    log = relance.words.read_games(path, KUHN)
    assert [(row.agent, row.chips) for row in log.rows] == [("some-model", None), ("some-model", 1)]
    assert log.counts == {"games without rows": 1, "unfinished last lines": 1}


@pytest.mark.parametrize("text", ["[]", "{", '{"steps": {}}', '{"a": 1}'])
def test_documents_that_are_no_logs(text, tmp_path):
    (tmp_path / "log.json").write_text(text)
    with pytest.raises(ValueError, match="damaged|neither a log of Inspect nor a replay"):
        relance.words.read_games(tmp_path / "log.json")


@pytest.mark.parametrize(
    "game", ["hanabi(players=99)", "kuhn_poker()", "relance_one_card_poker(cards=hanabi(players=99))", 5, "relance_"]
)
def test_a_replay_of_another_game_does_not_reach_its_loader(game, tmp_path):
    """OpenSpiel ends the whole process for some games."""
    path = tmp_path / "replay.json"
    path.write_text(json.dumps({"steps": [], "info": {"openSpielGameStringResolved": game, "actionHistory": []}}))
    code = f"from relance.words.game_logs import read_games; read_games({str(path)!r})"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert out.returncode == 1
    assert "ValueError: the replay is damaged, or not of a game of relance" in out.stderr
    assert "Available games" not in out.stderr  # OpenSpiel lists 150
