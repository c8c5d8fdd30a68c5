import json
import random
import re
from fractions import Fraction

import numpy as np
import pytest
from conftest import DEFAULTS, random_profile
from hypothesis import example, given
from hypothesis import strategies as st

import relance
from relance.envs.catalogue import read_profile, write_profile
from relance.equilibria.grades import grade_solution
from relance.model.game import as_profile
from relance.model.piecewise import Piecewise
from relance.model.profile_table import LONGEST, MOST_PARTS, MOST_ROWS
from relance.model.quadratic import Quadratic


def same(one, other):
    """Whether two profiles have the same numbers of the same kinds, to the last bit."""
    for name in one.nodes():
        for a, b in zip(one[name], other[name], strict=True):
            if isinstance(a, Piecewise):
                assert (a.cuts, a.pieces) == (b.cuts, b.pieces)
            else:
                assert a.dtype == b.dtype
                assert (a == b).all()
    return list(one.nodes()) == list(other.nodes())


def back(game, profile, folder):
    path = folder / "profile.json"
    write_profile(game, profile, path)
    read_game, found = read_profile(path)
    assert [file.name for file in folder.iterdir()] == ["profile.json"]
    return read_game == game and same(profile, found)


def test_every_published_profile_comes_back(published_game, tmp_path):
    profile = published_game.published()
    assert back(published_game, profile, tmp_path)
    if published_game.deal.is_finite:
        assert back(published_game, profile.as_float(), tmp_path)
    else:
        for cut in (published_game.grid(7), published_game.cells(profile)):
            assert back(cut, cut.published(), tmp_path)
            assert back(cut, cut.published().as_float(), tmp_path)


@given(st.data())
def test_any_profile_of_any_game_comes_back(tmp_path_factory, data):
    game = data.draw(st.sampled_from(DEFAULTS))
    game = game if game.deal.is_finite else game.grid(data.draw(st.integers(2, 5)))
    if game.deal.size(0) < 100:
        profile = random_profile(game, lambda: data.draw(st.integers(1, 9)))
        assert back(game, profile, tmp_path_factory.mktemp("files"))
        assert back(game, profile.as_float(), tmp_path_factory.mktemp("files"))


@example(Fraction(0), Fraction(1, 10), 2)
@given(st.fractions(), st.fractions().filter(bool), st.sampled_from([2, 3, 7]))
def test_square_roots_come_back(rational, root, radicand):
    number = Quadratic(radicand, rational, root)
    assert Quadratic.read(str(number)) == number


def test_thresholds_with_square_roots_come_back(tmp_path):
    game = relance.make("von_neumann")
    line = (Quadratic(7, 0, 1) - 2) / 3
    profile = game.profile({"": {"bet": [(0, line / 2), (line, 1)]}, "bet": {"call": [(line, 1, line)]}})
    assert back(game, profile, tmp_path)
    assert back(game.cells(profile), game.cells(profile).fit(profile), tmp_path)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda text: text[: len(text) // 2], "is no JSON"),
        (lambda text: "", "is no JSON"),
        (lambda text: "[1, 2]", "must hold {information set: {action: probability}}, not"),
        (lambda text: text.replace("strategy 1", "strategy 2"), "'relance strategy 2'"),
        (lambda text: text.replace('"1/9"', '"1/0"'), "as a profile"),
        (lambda text: text.replace('"1/9"', "true"), "as a profile"),
        (lambda text: text.replace('"1/9"', '"8/9"'), "increase from 0 to 1"),
        (lambda text: text.replace('"1/9"', '"one"'), "as a profile"),
        (lambda text: text.replace('["0", "0"]', '["0", "1"]', 1), "sum to"),
        (lambda text: text.replace("von_neumann", "von_newmann"), "did you mean"),
        (lambda text: text.replace("bet=2", "bet=-2"), "bet=-2"),
        (lambda text: text.replace('"call"', '"raise"'), "no action 'raise'"),
        (lambda text: text.replace('"strategy": {', '"plan": {'), "lacks 'strategy'"),
        (lambda text: json.dumps({**json.loads(text), "strategy": []}), "lacks 'strategy'"),
        (lambda text: json.dumps({**json.loads(text), "cuts": ["0", "1/2"]}), "cannot be read as a profile"),
    ],
)
def test_damaged_and_foreign_files_are_refused(tmp_path, change, wrong):
    game, path = relance.make("von_neumann"), tmp_path / "file.json"
    write_profile(game, game.published(), path)
    changed = change(path.read_text())
    assert changed != path.read_text()
    path.write_text(changed)
    with pytest.raises(ValueError, match=wrong) as told:
        read_profile(path)
    assert str(path) in str(told.value)


OLD = """{"format": "relance profile 1", "game": "one_card_poker(raises=0)", "cuts": null, "nodes": {
"": {"check": ["5/6", "1", "1/2"], "bet": ["1/6", "0", "1/2"]}, "check": {"check": ["2/3", "1", "0"], "bet": ["1/3", "0", "1"]},
"check-bet": {"fold": ["1", "1/2", "0"], "call": ["0", "1/2", "1"]}, "bet": {"fold": ["1", "2/3", "0"], "call": ["0", "1/3", "1"]}}}"""
BY_HAND = """{"Q": {"check": "5/6", "bet": "1/6"}, "K": {"check": 1}, "A": [0.5, 0.5], "Q check": {"0": "2/3", "1": "1/3"},
"K check": {"check": 1}, "A check": {"bet": 1}, "Q check-bet": {"fold": 1}, "K check-bet": {"fold": 0.5, "call": "1/2"},
"A check-bet": {"call": "1"}, "Q bet": {"fold": 1}, "K bet": {"call": 0.3333333333333333, "fold": 0.6666666666666667},
"A bet": {"call": 1}}"""


@pytest.mark.parametrize("text", [OLD, BY_HAND], ids=["by node, as once", "by hand"])
def test_other_forms_are_read_too(text, tmp_path):
    """What older versions wrote; and a table alone, with numbers of any kind, names or numbers of actions, or their order."""
    path, game = tmp_path / "other.json", relance.make("one_card_poker", raises=0)
    path.write_text(text)
    for file in (str(path), path):
        for source in (game, relance.game_tree(game)):
            assert (relance.nash_conv(source, file), relance.value(source, file)) == (0, Fraction(-1, 18))
    if text is OLD:
        assert same(read_profile(path)[1], game.published())
    else:
        with pytest.raises(ValueError, match="the file names no game"):
            read_profile(path)
        assert same(read_profile(path, game)[1], as_profile(game, json.loads(BY_HAND)))
        path.write_text('{"game": "EFG 2 R ...", "profile": ' + text + "}")  # as a solver of trees writes it
        assert relance.nash_conv(relance.game_tree(game), path) == 0


@pytest.mark.parametrize("number", [Fraction, float])
@pytest.mark.parametrize("made", ["leduc", "von_neumann(hands=1000)", "one_card_poker(cards=5)"])
def test_arrays_come_back_to_the_last_bit(made, number, tmp_path):
    """A file .npz says hands and actions by name, so that others can read it with numpy alone."""
    game, path, draw = relance.make(made), tmp_path / "profile.npz", random.Random(1)
    profile = random_profile(game, lambda: draw.randint(1, 9))
    profile = profile.as_float() if number is float else profile
    write_profile(game, profile, path)
    read_game, found = read_profile(path)
    assert read_game == game
    assert same(found, profile)
    assert relance.value(game, str(path)) == relance.value(game, profile)
    with np.load(path) as archive:
        told = json.loads(str(archive["head"]))["players"][1]
        rows = iter(archive["player 1"])
    assert told["hands"] == [str(label) for label in game.deal.labels[1]]
    for name, actions in told["nodes"].items():
        for action in actions:
            assert list(map(number, next(rows))) == list(profile.plan()[name][action])


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (None, "no such file"),
        (b"PK", "is damaged"),
        ({}, "is damaged: 'head"),
        ({"head": np.array('{"players": [{"nodes": {}}]}')}, "is damaged: 'player 0"),
        ({"head": np.array('{"players": [{"nodes": {"": ["a"]}}]}'), "player 0": np.zeros((0, 3))}, "is damaged"),
        ({"head": np.array([1, 2], object)}, "is damaged: Object arrays"),
    ],
    ids=["none", "cut", "empty", "no rows", "few rows", "pickled"],
)
def test_damaged_arrays_are_refused(arrays, message, tmp_path):
    path = tmp_path / "x.npz"
    if isinstance(arrays, bytes):
        path.write_bytes(arrays)
    elif arrays is not None:
        np.savez(path, allow_pickle=True, **arrays)
    with pytest.raises(ValueError, match=message) as told:
        read_profile(path)
    assert str(path) in str(told.value)


def test_a_path_is_a_file_whatever_it_ends_in(tmp_path):
    game, path = relance.make("kuhn"), tmp_path / "file.strategy"
    write_profile(game, game.published(), path)
    for file in (path, str(path)):
        for source in (game, relance.game_tree(game)):
            assert relance.nash_conv(source, file) == 0
        assert grade_solution(relance.game_tree(game), file).right
    with pytest.raises(ValueError, match=r"none\.strategy cannot be read"):
        relance.nash_conv(game, tmp_path / "none.strategy")


def test_a_file_of_another_game_is_refused_on_the_tree_too(tmp_path):
    game, other, path = relance.make("kuhn"), relance.make("kuhn", bet=2), tmp_path / "file.json"
    write_profile(other, other.published(), path)
    for source in (game, relance.game_tree(game)):
        with pytest.raises(ValueError, match=rf"file\.json is a profile of {re.escape(str(other))}, not of"):
            relance.nash_conv(source, path)


def test_a_table_of_something_else_says_which_file(tmp_path):
    path = tmp_path / "mine.json"
    for text, message in (
        ("[1, 2]", "must hold {information set: {action: probability}}, not"),
        ('{"K chek": {"check": 1}}', "says nothing of information set"),
    ):
        path.write_text(text)
        for source in (relance.make("kuhn"), relance.game_tree("openspiel:kuhn_poker")):
            with pytest.raises(ValueError, match=rf"mine\.json.*{re.escape(message)}|mine\.json is no strategy"):
                relance.nash_conv(source, path)
        with pytest.raises(ValueError, match=r"mine\.json"):
            grade_solution(relance.game_tree("kuhn"), path)
    path.write_text('{"": {"bet": [0, 1]}, "bet": {"call": 1}}')
    with pytest.raises(ValueError, match=r"\[0, 1\] must be a list of pieces \[from, probability\]"):
        relance.value(relance.make("von_neumann"), path)


def test_a_file_says_hands_and_actions_by_name(tmp_path):
    game, path = relance.make("one_card_poker", raises=0), tmp_path / "kuhn.json"
    write_profile(game, game.published(), path)
    data = json.loads(path.read_text())
    assert data["format"] == "relance strategy 1"
    assert data["game"] == str(game)
    assert data["strategy"]["K check-bet"] == {"fold": "1/2", "call": "1/2"}
    neumann = relance.make("von_neumann")
    write_profile(neumann, neumann.published(), path)
    assert json.loads(path.read_text())["strategy"]["bet"]["call"] == [["0", "0"], ["5/9", "1"]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"K chek": {"check": 1}}, "has no information set 'K chek'; did you mean 'K check'"),
        ({"K": {"chek": 1}}, "'K' has no action 'chek'; did you mean 'check'"),
        ({"K": {"check": "1/2", "bet": "1/3"}}, "'K': probabilities must be at least 0 and sum to 1"),
        ({"K": {"check": 0.5, "bet": 0.4}}, "sum to 1; they are check 0.5, bet 0.4, with sum 0.9"),
        ({"K": [1, 0, 1]}, "'K' has 2 actions, check, bet, but 3 probabilities in the table"),
    ],
)
def test_a_table_that_does_not_fit_says_where(change, message):
    game = relance.make("one_card_poker", raises=0)
    for source in (game, relance.game_tree(game)):
        with pytest.raises(ValueError, match=message):
            relance.nash_conv(source, json.loads(BY_HAND) | change)
    with pytest.raises(ValueError, match="says nothing of information set 'A bet' of player 1"):
        relance.nash_conv(
            game, {name: distribution for name, distribution in json.loads(BY_HAND).items() if name != "A bet"}
        )


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path):
    game, path = relance.make("one_card_poker", raises=0), tmp_path / "file.json"
    write_profile(game, game.published(), path)
    before = path.read_text()
    with pytest.raises(ValueError, match="not of 'endgame'"):
        write_profile(relance.make("endgame"), game.published(), path)
    assert path.read_text() == before
    with pytest.raises(OSError, match="nowhere"):
        write_profile(game, game.published(), tmp_path / "nowhere" / "file.json")
    with pytest.raises(OSError, match="none.json"):
        read_profile(tmp_path / "none.json")
    assert [file.name for file in tmp_path.iterdir()] == ["file.json"]


def test_a_profile_prints_as_a_short_table(published_game):
    text = str(published_game.published())
    lines = text.splitlines()
    assert lines[0] == f"a profile of {published_game.name}"
    assert len(lines) <= MOST_ROWS + 2
    assert max(map(len, lines)) < 60 + MOST_PARTS * (3 * LONGEST + 10)
    assert len(repr(published_game.published())) < 80


def test_the_table_of_hands_and_of_intervals():
    game = relance.make("one_card_poker", raises=0)
    assert str(game.published(alpha="1/6")).splitlines()[1:3] == [
        "player 0 to open          check  5/6, 1, 1/2",
        "                          bet    1/6, 0, 1/2",
    ]
    game = relance.make("von_neumann")
    assert str(game.published()).splitlines()[1].endswith("check  1 on [1/9, 7/9]")
    grid = game.grid(1000)
    row = np.where(np.arange(1000) < 400, 0.25, 1.0)
    shown = str(grid.profile({"": {"bet": row}, "bet": {"call": np.linspace(0, 1, 1000)}})).splitlines()
    assert shown[2].endswith("bet    0.25 x400, 1 x600")
    assert "..." in shown[4]
    assert Fraction(1, 9) == game.published().cuts()[1]
