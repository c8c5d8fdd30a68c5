"""`relance score` and `relance grade`, as a user meets them."""

import json

from conftest import called
from test_commands import run

import relance
from relance.envs.catalogue import read_profile, write_profile
from relance.model.texts import READ


def test_a_solution_is_saved_exactly_and_scored(tmp_path):
    target = tmp_path / "profile.json"
    assert str(target) in run("solve", "one_card_poker(raises=0)", "-o", str(target)).stdout
    game, profile = read_profile(target)
    assert relance.nash_conv(game, profile) == 0
    out = run("score", "one_card_poker(raises=0)", str(target))
    assert "NashConv           0.000000 (0)" in out.stdout
    assert "(-1/18)" in out.stdout
    other = run("score", "one_card_poker(cards=4)", str(target))
    assert other.returncode == 2
    assert "is a profile of one_card_poker(cards=3, raises=0" in other.stderr


def test_a_profile_on_the_whole_interval_is_scored_on_cells_of_it(tmp_path):
    game = relance.make("von_neumann")
    write_profile(game, game.published(), tmp_path / "profile.json")
    for text in ("von_neumann", "von_neumann(hands=9)"):
        assert "NashConv           0.000000 (0)" in run("score", text, "profile.json", cwd=tmp_path).stdout


def test_agents_are_scored_by_name_and_by_import_path(tmp_path):
    (tmp_path / "mine.py").write_text("def even(seen, masks):\n    return masks / masks.sum(axis=1, keepdims=True)\n")
    shown = [run("score", "one_card_poker", agent, cwd=tmp_path).stdout for agent in ("uniform", "mine:even")]
    conv = [text.splitlines()[1].split()[1] for text in shown]
    assert conv[0] == conv[1] != "0.000000"


def test_a_member_of_the_published_family_is_compared_with_by_its_name():
    member = "published(alpha=1/3)"
    assert "published(alpha=...)" in run("score", "one_card_poker", "uniform").stdout
    shown = run("score", "one_card_poker", "uniform", "--published", member).stdout
    exact = relance.score("one_card_poker", "uniform", published=member)
    assert exact == relance.score("one_card_poker", "uniform", published={"alpha": "1/3"})
    assert shown == f"{exact}\n"
    assert "against reference" in shown
    assert "known: alpha" in called("score", "one_card_poker", "uniform", "--published", "published(beta=1)").stderr


def test_hands_on_the_interval_are_cut_and_answers_that_are_not_unique_say_so(tmp_path):
    out = run("solve", "von_neumann", "--json", "solved.json", cwd=tmp_path)
    assert "hands=9): value 1/9 chips" in out.stdout
    assert "on all of [0, 1] the exploitability is " in out.stderr
    assert "player 1: one of many optimal strategies" in out.stderr
    told = json.loads((tmp_path / "solved.json").read_text())
    assert (told["value"], told["exploitability"], told["solved_by"]) == ("1/9", "0", "an exact linear program")
    game, profile = read_profile(tmp_path / "solved.json")
    assert relance.nash_conv(game, profile) == 0
    assert f"is {relance.exploitability('von_neumann', game.on_interval(profile))}\n" in out.stderr
    only = run("solve", "endgame", "--json", "-")
    assert json.loads(only.stdout)["value"] == str(relance.value("endgame", relance.make("endgame").published()))
    assert "many" not in only.stderr


UPSIDE_DOWN = """
import relance
from relance.model.game_tree import ChanceNode, DecisionNode, TerminalNode


def turned(node):
    if isinstance(node, TerminalNode):
        return TerminalNode(tuple(-x for x in node.payoffs()))
    if isinstance(node, ChanceNode):
        return ChanceNode({n: (p, turned(c)) for n, (p, c) in node.outcomes.items()})
    return DecisionNode(node.player, node.information_set, {n: turned(c) for n, c in node.actions.items()})


def kuhn():
    return turned(relance.game_tree("kuhn_poker").root)
"""


def test_grade(here):
    (here / "upside_down.py").write_text(UPSIDE_DOWN)
    out = called("grade", "openspiel:kuhn_poker", "openspiel:python_kuhn_poker")
    assert (out.returncode, out.stdout.strip()) == (0, "kuhn_poker() against python_kuhn_poker(): right")
    out = called("grade", "upside_down:kuhn", "openspiel:kuhn_poker")
    assert out.returncode == 1
    assert "all payoffs are the reference's times -1" in out.stdout
    uniform = relance.game_tree("kuhn_poker").uniform().texts()
    (here / "theirs.json").write_text(json.dumps({"profile": uniform, "exploitability": 0}))
    out = called("grade", "theirs.json", "openspiel:kuhn_poker")
    assert out.returncode == 1
    assert "exploitability: it claims 0; it is 11/24" in out.stdout
    assert called("grade", "theirs.json", "openspiel:kuhn_poker", "--tolerance", "1").returncode == 0
    assert called("solve", "openspiel:kuhn_poker", "-o", "kuhn.json").returncode == 0
    assert called("grade", "kuhn.json", "openspiel:kuhn_poker").returncode == 0
    assert called("grade", "nosuch:game", "openspiel:kuhn_poker").returncode == 2
    assert called("grade", "one_card_poker(cards=3)", "one_card_poker(cards=4)").returncode == 1
    assert called("grade", "one_card_poker", "one_card_poker").returncode == 0


def test_a_solution_of_a_game_of_ours_is_graded_without_its_tree(here, monkeypatch):
    monkeypatch.setitem(READ, "tree", None)
    assert called("solve", "turn", "--tolerance", "0.01", "-o", "turn.json").returncode == 0
    out = called("grade", "turn.json", "turn", "--tolerance", "0.02")
    assert out.returncode == 0
    assert "turn(board=Ks9d7h4c" in out.stdout
    out = called("grade", "turn.json", "turn", "--tolerance", "1e-9")
    assert out.returncode == 1
    assert "no equilibrium: NashConv is 0.0" in out.stdout
