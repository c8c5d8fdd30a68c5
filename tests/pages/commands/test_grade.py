"""`relance grade`, as a user meets it."""

import json

from conftest import called

import relance

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
