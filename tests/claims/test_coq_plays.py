"""Games as Coq's plays, written from their rules."""

from test_coq_folder import KUHN

import relance
from relance.claims.coq.folder import coq_file


def test_a_game_is_written_from_its_rules():
    text = coq_file("kuhn/value", "The value is -1/18.", [(KUHN, KUHN.published())])
    assert "(* kuhn/value: The value is -1/18. *)" in text
    assert "Definition probability : nat -> nat -> Q := fun i j => if Nat.eqb i j then 0 else (1 # 6)." in text
    assert "Definition wins : nat -> nat -> Q := qhigher." in text
    assert "(* call *) Terminal 0 2" in text
    assert "Definition worth : Q := (-1 # 18)." in text
    assert text.count("Print Assumptions") == 1


def test_sure_hands_have_probability_one():
    game = relance.make("endgame", p=1)
    text = coq_file("endgame/sure", "I always holds a winner.", [(game, game.published())])
    assert "Definition probability : nat -> nat -> Q := fun i j => if Nat.eqb i j then 0 else 1." in text
