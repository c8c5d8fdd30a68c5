"""Random play: batches against pgx, PettingZoo's interface against its other games, OpenSpiel's states."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import relance
from benchmarks import peers
from benchmarks.harness import Bench, Call, Row, Settings, Work, best, compare, module, side_by_side
from relance.model.game import Game
from relance.play.batch import Batch

GAMES = 65_536
KUHN, LEDUC = relance.make("one_card_poker", raises=0), relance.make("leduc")


def batch_rules(compiled: bool | None, steps: int) -> Work:
    """Our batch plays `steps` random actions at every table in one call, and shows nothing."""

    def prepare() -> Call:
        batch = Batch(KUHN, GAMES, 1, compiled=compiled)
        return lambda: batch.play_random(steps)

    return Work(prepare, GAMES * steps)


def batch_seen(compiled: bool | None, game: Game = KUHN) -> Work:
    """Our batch makes what pgx's step makes: the state after random actions, with observations, masks and rewards."""

    def prepare() -> Call:
        batch = Batch(game, GAMES, 1, compiled=compiled)

        def call() -> Any:
            batch.step(batch.random_actions())
            return batch.observe(), batch.mask(), batch.rewards

        return call

    return Work(prepare, GAMES)


def of_two(jax: Any, key: Any, legal: Any) -> Any:
    """One of two actions at every table, where two are always legal; ours numbers those after a bet 2 and 3, pgx 0 and 1."""
    actions = jax.random.bernoulli(key, shape=legal.shape[:1]).astype("int32")
    return actions + legal.argmax(axis=1) if legal.shape[1] > 2 else actions


def of_all(jax: Any, key: Any, legal: Any) -> Any:
    """A legal action at every table."""
    return jax.random.categorical(key, jax.numpy.log(legal.astype("float32")))


def jax_play(
    load: Call, steps: int, seen: bool = True, pick: Any = of_two, games: int = GAMES, platform: str | None = "cpu"
) -> Work:
    """An environment for JAX, with automatic restarts; `steps` random actions in one compiled call.

    If no platform is named, JAX takes a graphics card where it can. If nothing is `seen`, observations and masks are dropped after
    each step, so the compiler leaves out the work for them.
    """

    def prepare() -> Call:
        jax, wrappers = module("jax"), module("pgx.experimental.wrappers")
        if platform:
            jax.config.update("jax_platforms", platform)
        env: Any = load()
        init = jax.jit(jax.vmap(env.init))
        restart = jax.vmap(wrappers.auto_reset(env.step, env.init))
        first = init(jax.random.split(jax.random.PRNGKey(0), games))

        def one(carry: Any, _: Any) -> Any:
            state, key = carry
            key, draw, deal = jax.random.split(key, 3)
            actions = pick(jax, draw, state.legal_action_mask)
            state = restart(state, actions, jax.random.split(deal, games))
            if not seen:
                state = state.replace(observation=first.observation, legal_action_mask=first.legal_action_mask)
            return (state, key), None

        play = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=steps)[0])
        holder = [(first, jax.random.PRNGKey(1))]

        def call() -> None:
            holder[0] = jax.block_until_ready(play(holder[0]))

        return call

    return Work(prepare, games * steps)


IN_JAX: dict[str, tuple[Game, str, Any]] = {
    "Kuhn": (KUHN, "kuhn_poker", of_two),
    "Leduc": (LEDUC, "leduc_holdem", of_all),
}
"""Games that pgx has too: ours, the name of its own, and how a random action is picked."""


def in_jax(what: str, steps: int, **options: Any) -> dict[str, Work]:
    """A game of ours, "jax", and pgx's, "pgx", by `jax_play`; each also with `steps` in a call, " scan"."""
    ours, theirs, pick = IN_JAX[what]
    loads: dict[str, Call] = {
        "jax": lambda: module("relance.registration.jax").jax_env(ours),
        "pgx": lambda: module("pgx").make(theirs),
    }
    return {
        name + scan: jax_play(load, count, pick=pick, **options)
        for name, load in loads.items()
        for scan, count in (("", 1), (" scan", steps))
    }


def batches(settings: Settings) -> Iterator[Row]:
    """65,536 games of Kuhn at once, with what a learner sees made at each step, and by the rules alone."""
    steps = settings.pick(64, 8)
    works = {
        "seen": batch_seen(None),
        "seen numpy": batch_seen(False),
        "rules": batch_rules(None, steps),
        "rules numpy": batch_rules(False, steps),
        **in_jax("Kuhn", steps),
        "pgx rules": jax_play(lambda: module("pgx").make("kuhn_poker"), steps, seen=False),
    }
    timings = side_by_side(works, settings.pick(7, 3))
    one, scan = "pgx, one step a call", f"{steps} steps a call"
    quickest = best(timings["pgx"], {scan: timings["pgx scan"]})
    what = f"random play, Kuhn, {GAMES:,} games at once, per action: "
    seen, rules = "observation, mask and rewards", "rules alone"
    once = "until 2026-11-21 ours made no observation, mask or rewards, which pgx does"
    for name, words, target in (("seen", "", 25), ("seen numpy", ", without numba", 10)):
        front = f"{GAMES:,} games of Kuhn's, an action, with observations" if name == "seen" else ""
        yield compare(
            "batch", what + seen + words, timings[name], one, timings["pgx"], target, once, None, quickest, front
        )
    ours = best(timings["jax"], {scan: timings["jax scan"]})
    yield compare("batch", what + seen + ", in JAX", timings["jax"], one, timings["pgx"], 1, "", ours, quickest)
    once = "until 2026-11-21 pgx made observations here"
    for name, words, target in (("rules", "", 50), ("rules numpy", ", without numba", 10)):
        yield compare("batch", what + rules + words, timings[name], f"pgx, {scan}", timings["pgx rules"], target, once)


def aec(make: Any, games: int) -> Work:
    """Random games through PettingZoo's AEC interface: `last`, a random legal action, `step`; counts the real actions.

    Only the first game is seeded: to seed each one would time the making of random streams, which some peers do slowly.
    """

    def prepare() -> Call:
        env = make()
        env.reset(seed=1)
        pick = random.Random(1)

        def call() -> int:
            count = 0
            for _ in range(games):
                env.reset()
                while env.agents:
                    observation, _, terminated, truncated, info = env.last()
                    if terminated or truncated:
                        env.step(None)
                        continue
                    mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
                    env.step(pick.choice(mask.nonzero()[0].tolist()))
                    count += 1
            return count

        return call

    return Work(prepare, units=None)


def pettingzoo_play(settings: Settings) -> Iterator[Row]:
    """PettingZoo: ours, a bare one, Shimmy's and RLCard's."""

    def ours() -> Any:
        from relance.registration import pettingzoo

        return getattr(pettingzoo, "raw_env", pettingzoo.env)("one_card_poker", raises=0)

    def bare() -> Any:
        from benchmarks.bare import BareAEC

        return BareAEC()

    def shimmy() -> Any:
        return module("shimmy.openspiel_compatibility").OpenSpielCompatibilityV0(game_name="kuhn_poker")

    def rlcard() -> Any:
        import warnings

        module("rlcard")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return module("pettingzoo.classic.leduc_holdem_v4").raw_env()

    games = settings.pick(200, 50)
    works = {"ours": aec(ours, games), "bare": aec(bare, games), "shimmy": aec(shimmy, games // 10)}
    works["rlcard"] = aec(rlcard, games // 10)
    timings = side_by_side(works, settings.pick(9, 5))
    what = "PettingZoo AEC, Kuhn, random play, per action"
    cut = "Shimmy ends every game after one action; its real actions are counted"
    once = "another game, longer; until 2026-11-21 this was 12x, with a seed for every game, which RLCard takes slowly"
    yield compare(
        "pettingzoo",
        what,
        timings["ours"],
        "Shimmy over OpenSpiel, Kuhn",
        timings["shimmy"],
        30,
        cut,
        front="PettingZoo, an action",
    )
    yield compare("pettingzoo", what, timings["ours"], "RLCard, Leduc", timings["rlcard"], 10, once)
    least = "within 2 times of the bare one"
    yield compare("pettingzoo", what, timings["ours"], "bare Kuhn, by hand", timings["bare"], 1 / 2, least)


def seats(make: Any, games: int) -> Work:
    """One seat through Gymnasium's interface, with random legal actions; counts the steps."""

    def prepare() -> Call:
        env = make()
        env.reset(seed=1)
        pick = random.Random(1)

        def call() -> int:
            count = 0
            for _ in range(games):
                _, info = env.reset()
                over = False
                while not over:
                    legal = info["action_mask"].nonzero()[0].tolist()
                    _, _, over, _, info = env.step(pick.choice(legal))
                    count += 1
            return count

        return call

    return Work(prepare, units=None)


def gymnasium_play(settings: Settings) -> Iterator[Row]:
    """Gymnasium: one seat of ours, with losses as well, and a bare one."""

    def ours(**options: Any) -> Any:
        from relance.registration.gymnasium import SeatEnv

        return SeatEnv("one_card_poker", raises=0, **options)

    def bare() -> Any:
        from benchmarks.bare import BareSeat

        return BareSeat()

    games = settings.pick(1000, 100)
    works = {"ours": seats(ours, games), "teach": seats(lambda: ours(teach=True), games), "bare": seats(bare, games)}
    timings = side_by_side(works, settings.pick(9, 5))
    what, least = "Gymnasium, a seat in Kuhn, random play, per step", "within 1.5 times of the bare one"
    yield compare(
        "gymnasium",
        what,
        timings["ours"],
        "bare seat, by hand",
        timings["bare"],
        1 / 1.5,
        least,
        front="Gymnasium, a step",
    )
    yield compare(
        "gymnasium", what + ", with teach=True", timings["teach"], "bare seat, by hand", timings["bare"], None
    )


def states(load: Any, games: int, strings: bool = False) -> Work:
    """Random games through OpenSpiel's states; before each action the information state is read, as a tensor or as a string."""

    def prepare() -> Call:
        game, pick = load(), random.Random(1)

        def call() -> int:
            count = 0
            for _ in range(games):
                state = game.new_initial_state()
                while not state.is_terminal():
                    if state.is_chance_node():
                        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                        state.apply_action(pick.choices(outcomes, weights)[0])
                        continue
                    if strings:
                        state.information_state_string(state.current_player())
                    else:
                        state.information_state_tensor(state.current_player())
                    state.apply_action(pick.choice(state.legal_actions()))
                    count += 1
                state.returns()
            return count

        return call

    return Work(prepare, units=None)


def openspiel_play(settings: Settings) -> Iterator[Row]:
    """OpenSpiel's State interface: Python games with tensors, C++ games with strings, ours and theirs."""
    module("pyspiel")

    def theirs() -> Any:
        module("open_spiel.python.games.kuhn_poker")
        return module("pyspiel").load_game("python_kuhn_poker")

    games = settings.pick(200, 50)
    works = {
        "ours": states(lambda: peers.spiel("one_card_poker(raises=0)"), games),
        "theirs": states(theirs, games),
        "theirs in C++": states(lambda: module("pyspiel").load_game("kuhn_poker"), games, strings=True),
        "efg": states(lambda: peers.efg(relance.make("one_card_poker", raises=0)), games, strings=True),
    }
    timings = side_by_side(works, settings.pick(9, 5))
    yield compare(
        "openspiel", "OpenSpiel State, Kuhn, random play with tensors, per action",
        timings["ours"], "OpenSpiel, python_kuhn_poker", timings["theirs"], 1,
    )  # fmt: skip
    what, note = (
        "OpenSpiel State, Kuhn, in C++, random play with strings, per action",
        "ours is read from .efg, which has no tensors",
    )
    yield compare("openspiel", what, timings["efg"], "OpenSpiel, kuhn_poker", timings["theirs in C++"], 1, note)


BENCHES: dict[str, Bench] = {
    "batch": batches,
    "pettingzoo": pettingzoo_play,
    "gymnasium": gymnasium_play,
    "openspiel": openspiel_play,
}
