"""OpenEnv: a server and clients in one process play hands as the rules say. `make words` runs this."""

import contextlib
import importlib
import json
import re
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import relance
from relance.play.exact_score import earned
from relance.play.rules import rules
from relance.words.log_rows import parse_rows

pytest.importorskip("openenv", reason="OpenEnv is in an environment of its own: make words")
pytestmark = pytest.mark.filterwarnings("default")  # the frameworks' own

import httpx  # noqa: E402
import uvicorn  # noqa: E402
from openenv.cli._cli_utils import validate_env_structure  # noqa: E402
from openenv.cli._validation import validate_running_environment  # noqa: E402
from websockets.exceptions import InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from relance.words.openenv import GAME, OF_ONE, RelanceEnv, Reply, openenv_app  # noqa: E402

PACKAGE = Path(__file__).parents[2] / "integrations" / "openenv_relance"


@pytest.fixture(scope="module")
def address():
    """A server on a free port, in a thread of this process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(openenv_app(), log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [free]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{free.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture
def env(address):
    with RelanceEnv(address).sync() as env:
        yield env


def played(env, reply=lambda seen: f"[{seen.legal[-1]}]", **options):
    """The end of a hand, and what the decisions lost."""
    result, losses = env.reset(**options), []
    while not result.done:
        result = env.step(Reply(text=reply(result.observation)))
        losses.append(result.observation.loss)
    return result, losses


@pytest.mark.parametrize("name", [name for name in relance.games() if name != "five_card"])
def test_every_game(env, name):
    for seed in range(3):
        result, _ = played(env, game=name, seed=seed, seat=seed % 2)
        state = env.state()
        log = parse_rows((str(place), row) for place, row in enumerate(state.rows))
        assert log.faults == ()
        assert log.rows[-1].chips == result.reward
        assert abs(result.reward) <= max(rules(relance.make(name)).worst)
        assert state.game == str(relance.make(name))
        assert (state.seed, state.seat) == (seed, seed % 2)


@pytest.mark.parametrize("seat", [0, 1])
def test_chips_against_exact_arithmetic(env, seat):
    """What the best decisions earn less what these lost is, on average, what the agent earns."""
    game = relance.make(GAME)
    best = float(earned(game, "aggressive", seat, "published").best)
    luckless = [best - sum(played(env, seed=seed, seat=seat)[1]) for seed in range(150)]
    mean = sum(luckless) / len(luckless)
    error = (sum((chips - mean) ** 2 for chips in luckless)) ** 0.5 / len(luckless)
    assert abs(mean - float(earned(game, "aggressive", seat, "published").value)) <= 4 * error + 1e-9


def test_the_question_is_a_conversation(env):
    result = env.reset(seed=3)
    (message,) = result.observation.messages
    assert message["role"] == "user"
    assert "You are player 0." in message["content"]
    assert result.observation.legal == ["check", "bet"]
    assert (result.reward, result.observation.loss, result.done) == (0, None, False)


def test_the_same_seed_deals_the_same(env):
    first, second = (played(env, seed=5, opponent="uniform") for _ in range(2))
    assert first == second


def test_an_answer_without_an_action_forfeits(env):
    result, losses = played(env, lambda seen: "hm", seed=0)
    assert result.reward == -2
    assert len(losses) == 1
    result, losses = played(env, lambda seen: "hm", seed=0, retries=1)
    assert (result.reward, losses[0], len(losses)) == (-2, 0, 2)


def test_renamings(env):
    assert not set(env.reset(seed=0, renaming=2).observation.legal) & {"check", "bet"}
    result, _ = played(env, seed=0, renaming=2)
    assert result.done


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "one_card_pokr"}, "there is no game 'one_card_pokr'"),
        ({"game": "one_card_poker(raises=-1)"}, "raises=-1"),
        ({"opponent": "nobody"}, "there is no opponent 'nobody'"),
        ({"opponent": "/dev/zero/mine.json"}, "opponent '/dev/zero/mine.json' cannot be read; write a name such as"),
        ({"reference_opponent": "mine.npz"}, "opponent 'mine.npz' cannot be read; write a name such as"),
        ({"seat": 2}, "seat=2 must be 0 or 1"),
        ({"seed": -1}, "seed=-1 must be a whole number at least 0"),
        ({"renaming": -1}, "renaming=-1 must be a whole number at least 0"),
        ({"game": 5}, "game=5 must be text"),
        ({"opponent": ["uniform"]}, "opponent=['uniform'] must be text"),
        ({"seat": "0"}, "seat='0' must be"),
        ({"seed": 1.5}, "seed=1.5 must be a whole number"),
        ({"retries": 2}, "retries=2 must be 0 or 1"),
        ({"reward": None}, "reward=None must be text"),
        ({"oponent": "uniform"}, "reset() has no argument 'oponent'"),
    ],
)
def test_bad_arguments_are_named_and_the_hand_goes_on(env, options, message):
    before = env.reset(seed=0)
    with pytest.raises(RuntimeError, match="Server error") as error:
        env.reset(**options)
    assert message in str(error.value)
    result = env.step(Reply(text=f"[{before.observation.legal[0]}]"))
    assert result.observation.loss is not None
    while not result.done:
        result = env.step(Reply(text="hm"))
    assert env.state().seed == 0


def test_a_finished_hand_takes_no_more_replies(env):
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        env.step(Reply(text="[check]"))
    played(env, seed=0)
    with pytest.raises(RuntimeError, match="the hand is over"):
        env.step(Reply(text="[check]"))


def test_clients_do_not_disturb_each_other(address):
    def rewards(offset):
        with RelanceEnv(address).sync() as env:
            return [played(env, seed=seed, opponent="uniform")[0].reward for seed in range(10)]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(rewards, range(4)))
    assert found == [found[0]] * 4


def test_openenv_finds_the_server_and_the_package_valid(address):
    assert validate_running_environment(address)["passed"]
    told = subprocess.run(
        [str(Path(sys.executable).with_name("openenv")), "validate", "--level", "static", str(PACKAGE)],
        capture_output=True,
        text=True,
    )
    assert "Verdict: PASS" in told.stdout, told.stdout + told.stderr


def test_the_package_says_what_the_server_is(monkeypatch):
    yaml = pytest.importorskip("yaml", reason="it comes with OpenEnv")
    manifest = yaml.safe_load((PACKAGE / "openenv.yaml").read_text())
    worst = max(max(rules(relance.make(name)).worst) for name in relance.games())
    assert manifest["validation"]["reward"]["range"] == [-worst, worst]
    monkeypatch.syspath_prepend(str(PACKAGE))
    module, _, name = manifest["app"].partition(":")
    assert getattr(importlib.import_module(module), name).title
    command = json.loads(re.search("^CMD (.*)$", (PACKAGE / "Dockerfile").read_text(), re.MULTILINE)[1])
    assert command[:2] == ["uvicorn", manifest["app"]]
    assert command[-2:] == ["--port", str(manifest["port"])]


def test_the_package_has_the_form_that_the_hub_takes(monkeypatch):
    """The hub builds the folder alone: nothing outside it is copied, and what it installs is in its `pyproject.toml`."""
    assert validate_env_structure(PACKAGE) == ["Recommended directory missing: outputs/"]
    assert re.findall("^COPY (.*)$", (PACKAGE / "Dockerfile").read_text(), re.MULTILINE) == [". ."]
    assert (PACKAGE / "README.md").read_text().startswith("---\ntitle: Relance\n")
    monkeypatch.syspath_prepend(str(PACKAGE))
    assert importlib.import_module("client").RelanceEnv is RelanceEnv


def test_a_learner_is_paid_for_each_reply(env):
    """The reward of a reply is what its action is paid against the policy that all replies of this learner tell."""
    from relance.play.rewards import Rewards

    told = Rewards(GAME, "advantage")
    for seed in range(6):
        result = env.reset(game=GAME, reward="advantage", learner="test", seed=seed)
        card = "QKA".index(re.search(r"Your hand: (\w)", result.observation.messages[-1]["content"])[1])
        result = env.step(Reply(text="[bet]"))
        assert result.done
        assert result.reward == pytest.approx(told.paid(0, card, 1))
    assert env.state().opponent == "learner"
    with pytest.raises(RuntimeError, match="no reward 'advantag'"):
        env.reset(game=GAME, reward="advantag")


def test_nothing_that_is_shown_in_a_hand_tells_the_cards(env):
    """Neither a seed that is drawn nor one that is given, in any field; at the end both are told, and deal the same hand again."""
    shown = 0
    for number in range(40):
        given = {"seed": 10**9 + number} if number % 2 else {}
        result = env.reset(game="one_card_poker(raises=1)", opponent="uniform", **given)
        seen = []
        while not result.done:
            seen.append(env.state())
            result = env.step(Reply(text=f"[{result.observation.legal[0]}]"))
        end = env.state()
        shown += len(seen)
        assert {row["seed"] for row in end.rows} == {end.seed}
        assert end.seed == given.get("seed", end.seed)
        for state in seen:
            assert state.seed is None
            assert not any("seed" in row for row in state.rows)
            assert str(end.seed) not in state.model_dump_json()
        again = env.reset(game="one_card_poker(raises=1)", opponent="uniform", seed=end.seed)
        while not again.done:
            again = env.step(Reply(text=f"[{again.observation.legal[0]}]"))
        assert env.state().rows == end.rows
    assert shown > 40


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"game": 5}, "game=5 must be text"),
        ({"game": "nosuch"}, "there is no game 'nosuch'"),
        ({"game": "von_neumann(hands=10000000)"}, "this server plays games of at most"),
        ({"seat": 2}, "seat=2 must be 0 or 1"),
        ({"nosuch": 1}, "reset() has no argument 'nosuch'"),
    ],
)
def test_over_http_a_refused_reset_is_an_error_of_the_client_with_a_sentence(address, data, says):
    answer = httpx.post(f"{address}/reset", json=data)
    assert answer.status_code == 400
    assert says in answer.json()["detail"]
    assert httpx.post(f"{address}/reset", json={}).status_code == 200
    lonely = httpx.post(f"{address}/step", json={"action": {"text": "[check]"}})
    assert (lonely.status_code, lonely.json()) == (400, {"detail": "no hand has been dealt; call reset() first"})


def socket_of(address, origin=None):
    return connect(address.replace("http", "ws", 1) + "/ws", origin=origin)


def test_pages_of_others_are_refused(address):
    own = {"origin": address}
    assert httpx.post(f"{address}/reset", json={}, headers=own).status_code == 200
    with socket_of(address, address):
        pass
    for origin in ("http://evil.example", "null", address.replace("127.0.0.1", "localhost")):
        assert httpx.post(f"{address}/reset", json={}, headers={"origin": origin}).status_code == 403
        with pytest.raises(InvalidStatus), socket_of(address, origin):
            pass


def test_one_address_does_not_hold_all_sessions(address):
    """Nor does it open sessions that no connection holds, by OpenEnv's way for tools."""
    with contextlib.ExitStack() as held:
        for _ in range(OF_ONE):
            held.enter_context(socket_of(address))
        with pytest.raises(InvalidStatus), socket_of(address):
            pass
        made = {"jsonrpc": "2.0", "id": 1, "method": "openenv/session/create"}
        assert "no tools" in httpx.post(f"{address}/mcp", json=made).json()["error"]["message"]
    for _ in range(100):
        with contextlib.suppress(InvalidStatus), socket_of(address):
            break
        time.sleep(0.05)
    else:
        raise AssertionError("the places are not free again")
