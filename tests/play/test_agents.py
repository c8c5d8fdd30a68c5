"""Who an agent is: kinds of agents, texts, and pairs; the strategies themselves are tested with the score and the opponents."""

import sys

import numpy as np
import pytest

import relance
from relance.model.profile_file import write_profile
from relance.play import agents
from relance.play.agents import Reader, from_text, in_seat, is_drawn, is_function, reader_of, strategy
from relance.play.opponents import opponent

KUHN = relance.make("one_card_poker(raises=0)")


def plays(seen, masks):
    return masks / masks.sum(axis=1, keepdims=True)


class Box:
    """An agent of a framework that nobody knows yet."""

    def __call__(self, seen, masks):
        return plays(seen, masks)


@pytest.fixture
def box(monkeypatch):
    """A reader of boxes."""
    monkeypatch.setattr(agents, "_READERS", [*agents._READERS])
    reader = Reader("a box", lambda agent: isinstance(agent, Box), lambda game, agent, seat: agent, one_seat=True)
    agents.read_with(reader)
    return reader


@pytest.mark.parametrize(
    "agent",
    ["uniform", KUHN.published(), opponent("uniform"), [plays], {"uniform": 1}, (plays, plays), Box, 3, None],
    ids=lambda agent: type(agent).__name__,
)
def test_what_is_not_asked_has_no_reader(agent):
    assert reader_of(agent) is None
    assert not is_function(agent)
    assert not is_drawn(agent)


def test_who_is_not_known_is_a_function_if_it_can_be_called(box):
    for agent in (plays, lambda seen, masks: 0, np.argmax, "".join):
        assert is_function(agent)
        assert is_drawn(agent)
    assert reader_of(Box()) is box
    assert not is_function(Box())
    assert not is_drawn(Box())
    known, asked = (strategy(KUHN, agent, 0).at for agent in ("uniform", Box()))
    assert all(np.allclose(np.array(known[name], float), asked[name]) for name in known)


def test_a_list_is_a_pair_only_of_agents_that_play_one_seat(box):
    first, second = Box(), Box()
    assert in_seat([first, second], 1) is second
    assert in_seat([first, plays], 1) == [first, plays]
    assert in_seat(("uniform", plays), 0) == "uniform"
    with pytest.raises(ValueError, match="a pair has an agent for each of the two seats, not 3"):
        in_seat([first] * 3, 0)


def test_the_error_names_all_kinds(box):
    with pytest.raises(TypeError, match="int 3 is not an agent; an agent is a torch module, .*a box, a Profile"):
        strategy(KUHN, 3, 0)


def test_finitely_many_hands_are_asked_for():
    reader = Reader("a box", lambda agent: False, lambda game, agent, seat: agent, finite_hands=True)
    reader.check_hands(KUHN)
    with pytest.raises(
        ValueError, match="a box needs finitely many hands; use a grid, such as von_neumann with hands=9"
    ):
        reader.check_hands(relance.make("von_neumann"))


def test_a_text_names_a_player(tmp_path, monkeypatch):
    solved = KUHN.uniform()
    assert from_text(KUHN, "published(alpha=1/6)") == "published(alpha=1/6)"
    assert from_text(KUHN, "solved", lambda game: solved) is solved
    unpublished = relance.make("one_card_poker(cards=5, raises=2)")
    assert from_text(unpublished, "equilibrium", lambda game: game) is unpublished
    file = str(tmp_path / "mine.json")
    write_profile(KUHN, "published(alpha=1/6)", file)
    game = relance.make("one_card_poker(raises=0)")
    assert str(from_text(game, file)) == str(KUHN.published(alpha="1/6"))
    with pytest.raises(ValueError, match="is a profile of one_card_poker.*, not of leduc"):
        from_text(relance.make("leduc"), file)
    (tmp_path / "my_agents.py").write_text("def calm(seen, masks): return masks.argmax(axis=1)\n")
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("my_agents", None)  # another test's
    assert from_text(KUHN, "my_agents:calm").__name__ == "calm"
    sys.modules.pop("my_agents")
    for text in ("my_agents:nobody", "no_such_module_here:calm"):
        with pytest.raises(ValueError, match=f"there is no player '{text}'"):
            from_text(KUHN, text)
    with pytest.raises(ValueError, match=r"no strategy is published.*try 'equilibrium', which is then solved first"):
        from_text(unpublished, "published")
    with pytest.raises(ValueError, match="did you mean 'uniform'"):
        from_text(unpublished, "uniforn")
