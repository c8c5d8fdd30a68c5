"""`relance solve`, as a user meets it."""

import pytest
from test_commands import run

import relance
from relance.equilibria import refinement
from relance.model import profile_file
from relance.pages.commands import solve as commands


def test_solve_and_export(tmp_path):
    out = run("solve", "one_card_poker(raises=0)")
    assert "value -1/18 chips to player 0, 17/36 of the pot, exploitability 0" in out.stdout
    target = tmp_path / "game.efg"
    assert run("export", "von_neumann(bet=2,hands=9)", "-o", str(target)).returncode == 0
    assert target.read_text().startswith("EFG 2 R")


def test_faces_are_shown():
    out = run("solve", "--optimal-set", "one_card_poker(raises=0)")
    assert "player 0: many optimal strategies" in out.stdout
    assert "0 to 1/3" in out.stdout
    assert "player 1: one optimal strategy" in out.stdout


def test_a_refined_equilibrium_says_what_to_do_after_mistakes_too(tmp_path, monkeypatch):
    game, file = relance.make("one_card_poker"), tmp_path / "refined.json"
    out = run("solve", "--refined", "one_card_poker", "-o", str(file))
    assert out.returncode == 0, out.stderr
    assert "exploitability 0" in out.stdout
    assert "never bring this hand" not in out.stdout
    assert "refined in about" not in out.stderr
    assert refinement(game, relance.envs.read_profile(file)[1]).quasi_perfect
    monkeypatch.setattr(commands, "LONG", 0)
    out = run("solve", "--refined", "openspiel:kuhn_poker")
    assert "26 sequences of actions are refined in about 0 s" in out.stderr
    out = run("solve", "--refined", "one_card_poker", "--tolerance", "0.1")
    assert out.returncode == 2
    assert "--tolerance 0.1 does not go with --refined, which is exact" in out.stderr


def test_solving_by_cfr_shows_intervals_of_hands():
    out = run("solve", "von_neumann(hands=90)", "--tolerance", "1e-4")
    assert out.returncode == 0, out.stderr
    assert "player 0 to open" in out.stdout
    rows = [line.split() for line in out.stdout.splitlines() if line.startswith("[")]
    assert rows[0][:2] == ["[0,", "1/90]"]
    assert {row[-2] for row in rows} == {"bet", "check", "call", "fold"}


def test_solve_takes_a_backend():
    out = run("solve", "von_neumann(hands=50)", "--tolerance", "1e-3", "--backend", "numba")
    assert out.returncode == 0, out.stderr
    assert "exploitability" in out.stdout
    for options, message in (
        (("--tolerance", "1e-3", "--backend", "jax"), "backend='jax' must be one of numpy, numba, torch"),
        (("--backend", "numba"), "backend=numba is an option of CFR"),
        (("--tolerance", "1e-3", "--device", "cuda"), "device='cuda' of numpy must be None or 'cpu'"),
    ):
        out = run("solve", "von_neumann(hands=50)", *options)
        assert out.returncode == 2
        assert message in out.stderr


def test_a_large_strategy_is_written_as_arrays_alone(tmp_path, monkeypatch):
    """What cannot be written is refused before anything is solved."""
    monkeypatch.setattr(profile_file, "MOST_IN_TEXT", 10)
    text, arrays = tmp_path / "one.json", tmp_path / "one.npz"
    for options in (
        ("--json", "-"),
        ("--json", str(text)),
        ("-o", str(text)),
        ("-o", str(arrays), "--json", str(text)),
    ):
        monkeypatch.setattr(commands, "solve_game", None)
        out = run("solve", "one_card_poker", *options)
        assert out.returncode == 2
        assert (
            "has 18 information sets, and JSON is written for at most 10; write it to a file that ends in .npz"
            in out.stderr
        )
    monkeypatch.undo()
    assert run("solve", "one_card_poker", "--json", str(text)).returncode == 0
    monkeypatch.setattr(profile_file, "MOST_IN_TEXT", 10)
    assert run("solve", "one_card_poker", "-o", str(arrays)).returncode == 0
    game, profile = relance.envs.read_profile(arrays)
    assert relance.nash_conv(game, profile) == 0
    with pytest.raises(ValueError, match="18 information sets"):
        relance.envs.write_profile(game, profile, text)
