"""Symbols in Coq, with their conditions."""

from test_coq_folder import von_neumann

from relance.claims.coq.folder import coq_file


def test_symbols_are_written_with_their_conditions():
    text = coq_file("a/b", "for all bets", [von_neumann()])
    assert "Hypothesis h0 : 0 < B." in text
    assert "Definition worth : K := (B / ((B + 1) * (B + whole 4)))." in text
    assert "Theorem holds : equilibrium_on_interval betting 4 mass0 mass1 player0 player1 worth." in text
