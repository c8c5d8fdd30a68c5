"""Reads OpenSpiel's policies and learning agents, in Python and C++, as strategies."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, overload

import numpy as np
import numpy.typing as npt
import pyspiel

from relance.model.arguments import checked
from relance.model.game import Game, as_game, as_profile
from relance.model.game_tree import GameTree, TreeProfile
from relance.model.strategy import Profile
from relance.play.agents import Answer, Reader, questions, read_with
from relance.play.networks import Masks, Observations, network_output, quiet
from relance.registration import openspiel  # as a module: its own `import pyspiel` may be what imports this file
from relance.registration.efg import to_efg
from relance.solvers.tree_values import as_tree_profile


def _has(agent: object, *names: str) -> bool:
    return all(hasattr(agent, name) for name in names)


def _is_policy(agent: object) -> bool:
    """Return True for one of OpenSpiel's policies, in Python or C++; learning agents are not policies."""
    return _has(agent, "action_probabilities") and not _has(agent, "step")


def _is_agent(agent: object) -> bool:
    """Return True for an agent of `rl_environment`."""
    return _has(agent, "step") and (_has(agent, "player_id") or _has(agent, "_player_id"))


def _is_bot(agent: object) -> bool:
    """Return True for a bot, in Python or C++; it draws one action at a time."""
    return isinstance(agent, pyspiel.Bot)


def _is_ppo(agent: object) -> bool:
    """Return True for OpenSpiel's PyTorch PPO."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(agent, torch.nn.Module) and _has(agent, "get_action_and_value", "player_id")


def _ppo(game: Game, agent: Any, seat: int) -> Answer:
    """Read OpenSpiel's PyTorch PPO, which plays all seats and takes batches."""
    import torch

    def answer(seen: Observations, masks: Masks) -> Any:
        legal = torch.tensor(masks)
        return network_output(
            quiet(agent, seen, lambda net, x: net.get_action_and_value(x, legal_actions_mask=legal.to(x.device))[-1])
        )

    return answer


def _spiel_agent(game: Game, agent: Any, seat: int) -> Answer:
    """Read an agent of `rl_environment`, which is asked for one information set at a time."""
    own = getattr(agent, "player_id", getattr(agent, "_player_id", None))
    if own is not None and own != seat:
        raise ValueError(f"the agent plays seat {own}, not {seat}; give a pair (agent of seat 0, agent of seat 1)")

    def answer(seen: Observations, masks: Masks) -> Any:
        out = np.zeros(masks.shape)
        for row, (vector, mask) in enumerate(zip(seen.tolist(), masks, strict=True)):
            chances = asked(agent, seat, vector, np.flatnonzero(mask).tolist())
            if chances.shape != mask.shape:
                raise ValueError(f"the agent answers with {chances.size} probabilities; {game} has {mask.size} actions")
            out[row] = chances
        return out

    return answer


def asked(agent: Any, seat: int, vector: list[float], legal: list[int]) -> npt.NDArray[np.float64]:
    """Return the probabilities of all actions, (A,), with which an agent of OpenSpiel's `rl_environment` that sees `vector` acts."""
    from open_spiel.python.rl_environment import StepType, TimeStep

    shown = {"info_state": [vector] * 2, "legal_actions": [legal] * 2, "current_player": seat, "serialized_state": []}
    moment = TimeStep(shown, [0.0, 0.0], [1.0, 1.0], StepType.MID)
    many = _is_ppo(agent)  # PPO takes and returns lists
    output = agent.step([moment], is_evaluation=True)[0] if many else agent.step(moment, is_evaluation=True)
    return np.asarray(output.probs, float)


def _spiel_bot(game: Game, bot: Any, seat: int) -> Answer:
    """Read a bot, which is asked for one information set at a time, in a state with that hand."""
    states = {
        seen.tobytes(): state for seen, state in zip(questions(game, seat)[0], every_state(game, (seat,)), strict=True)
    }

    def answer(seen: Observations, masks: Masks) -> Any:
        return np.array([bot.step(states[row.tobytes()]) for row in seen], int)

    return answer


def _spiel_policy(game: Game, source: Any, seat: int) -> Answer:
    """Read a policy of OpenSpiel on the game or on its .efg, state by state; hands never dealt play at random."""
    made_for, ours = getattr(source, "game", None), openspiel.load(game)
    on_efg = made_for is not None and made_for.get_type().short_name == "efg_game"
    if made_for is not None and not on_efg and str(made_for) != str(ours):
        raise ValueError(f"this is a policy of {made_for}, not of {ours}")
    if made_for is None:  # a policy of C++ does not say: it knows the first state of one of the two
        first = next(state for state in every_state(game, (0, 1)) if state is not None)
        on_efg = not _knows(source, first) and _knows(source, next(_efg_states(game, (0, 1)))[0])
    states: Iterator[Any] = _efg_states(game, (seat,)) if on_efg else ((s, None) for s in every_state(game, (seat,)))

    def answer(seen: Observations, masks: Masks) -> Any:
        out = np.zeros(masks.shape)
        for row, (mask, (state, ids)) in enumerate(zip(masks, states, strict=False)):
            if state is None:
                out[row] = mask / mask.sum()
                continue
            try:
                chances = dict(source.action_probabilities(state))
            except (pyspiel.SpielError, KeyError) as error:
                raise ValueError(f"the policy does not fit {ours}: {error}") from error
            chances = chances if ids is None else {ids[action]: p for action, p in chances.items()}
            for action, probability in chances.items():
                if not 0 <= action < mask.size:
                    raise ValueError(
                        f"the policy gives probability {probability} to the illegal action {action} of {game}"
                    )
                out[row, action] = probability
        return out

    return answer


def _knows(source: Any, state: Any) -> bool:
    """Whether a policy of C++ says what it does in this state."""
    try:
        return bool(sum(source.action_probabilities(state).values()))
    except pyspiel.SpielError:
        return False


def _efg_states(game: Game, seats: tuple[int, ...]) -> Iterator[tuple[Any, dict[int, int] | None]]:
    """The states of the game's .efg in OpenSpiel like `every_state`, each with our number of each of its actions."""
    start = pyspiel.load_efg_game(to_efg(game)).new_initial_state()
    known: dict[str, Any] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if not state.is_chance_node() and not state.is_terminal():
            known.setdefault(state.information_state_string().split("-", 3)[3], state)
        waiting += [state.child(action) for action in state.legal_actions()] if not state.is_terminal() else []
    table = game.tree.table
    for name, player in zip(table.names, table.player.tolist(), strict=True):
        for hand in range(game.finite_deal().size(player)) if player in seats else ():
            found = known.get(game.information_set(name, hand))
            if found is None:
                yield None, None
            else:
                yield found, {a: game.action_id(found.action_to_string(a)) for a in found.legal_actions()}


@checked
def information_states(game: Game | str) -> list[openspiel.RelanceState]:
    """Return one OpenSpiel state for each information set that can occur, nodes depth first, then hands ascending."""
    return [state for state in every_state(as_game(game), (0, 1)) if state is not None]


def every_state(game: Game, seats: tuple[int, ...]) -> Iterator[openspiel.RelanceState | None]:
    """Yield a state for each information set of these seats, as `information_states` does; None if it cannot occur."""
    start, table = openspiel.load(game).new_initial_state(), game.tree.table
    possible = {
        case: np.asarray(game.finite_deal().in_case(case).joint() > 0, bool)
        for case, player in zip(table.cases, table.player, strict=True)
        if player in (0, 1)
    }
    for player, case, path in zip(table.player.tolist(), table.cases, table.path, strict=True):
        if player not in seats:
            continue
        for hand, others in enumerate(possible[case] if player == 0 else possible[case].T):
            if not others.any():
                yield None
                continue
            state, other = start.clone(), int(others.argmax())
            for action in [*((hand, other) if player == 0 else (other, hand)), *path]:
                state.apply_action(action)
            yield state


@overload
def from_policy(game: GameTree, source: object) -> TreeProfile: ...
@overload
def from_policy(game: Game | str, source: object) -> Profile: ...
@checked
def from_policy(game: Game | GameTree | str, source: object) -> Profile | TreeProfile:
    """Return the Relance profile of an OpenSpiel policy on `relance.openspiel.load(game)`, or on the game that a tree was read from.

    `source` may also be anything that `relance.score` takes, such as "published" or "uniform".

    Examples:
        >>> relance.from_policy("kuhn", relance.openspiel.policy("kuhn", "published"))
        <relance profile of one_card_poker at 4 nodes>

    Raises:
        ValueError: a probability is NaN, negative or of an illegal action, or the probabilities do not sum to 1; the message says where.
    """
    if isinstance(game, GameTree):
        return as_tree_profile(game, source)
    return as_profile(as_game(game), source)


read_with(
    Reader("a bot of OpenSpiel", _is_bot, _spiel_bot, one_seat=True, finite_hands=True, draws=True),
    Reader("an OpenSpiel policy", _is_policy, _spiel_policy, finite_hands=True),
    Reader("a PPO agent of OpenSpiel", _is_ppo, _ppo, one_seat=True),
    Reader("an agent of OpenSpiel's rl_environment", _is_agent, _spiel_agent, one_seat=True),
)


def register() -> None:
    """Register every game with OpenSpiel, those of `relance.register` too."""
    openspiel.register_games()
