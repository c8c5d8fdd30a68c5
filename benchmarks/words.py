"""Kuhn's hands in words: processor seconds per decision of each framework, with a scripted model, beside the bare loop.

Each framework is in an environment of its own, so only what is installed is timed: `.venv-inspect/bin/python -m benchmarks words`.
"""

from __future__ import annotations

import json
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.harness import Bench, Missing, Row, Settings, Work, compare, module, side_by_side
from relance.words.spoken_hands import SpokenHand, spoken_game

GAME = "one_card_poker(raises=0)"

Hands = Callable[[int], int]
"""Plays this many deals in both seats against the published opponent, and returns the number of decisions asked."""


def scripted(text: str) -> str:
    """The reply of the scripted model: the last action listed."""
    return str(re.findall(r"^\[.+?\]", text, re.MULTILINE)[-1])


def _used() -> float:
    """Processor seconds of this process and of those that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _timed(play: Hands, few: int, many: int) -> Work:
    """What a decision takes: the difference of two runs, so that starting and stopping do not count."""

    def call() -> dict[str, float]:
        used = [_used()]
        decisions = []
        for deals in (few, many):
            decisions.append(play(deals))
            used.append(_used())
        return {"seconds": (used[2] - used[1] - (used[1] - used[0])) / (decisions[1] - decisions[0])}

    return Work(lambda: call, slow=True, own_figure="seconds")


def bare(deals: int) -> int:
    """No framework."""
    spoken, decisions = spoken_game(GAME), 0
    for deal in range(deals):
        for seat in (0, 1):
            hand = SpokenHand(spoken, 0, deal, (seat,))
            while hand.seat is not None:
                hand.answer(scripted(hand.messages[-1]["content"]))
                decisions += 1
    return decisions


def by_inspect(deals: int) -> int:
    """Inspect with its own mock model."""
    inspect = module("inspect_ai")
    models = module("inspect_ai.model")
    module("relance.words.inspect")

    def answer(messages: Any, *_: Any) -> Any:
        output = models.ModelOutput.from_content("scripted", scripted(messages[-1].text))
        output.usage = models.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = models.get_model("mockllm/model", custom_outputs=answer, memoize=False)
    with tempfile.TemporaryDirectory() as folder:
        (log,) = inspect.eval(
            "relance/one_card_poker",
            model=model,
            task_args={"raises": 0, "deals": deals},
            log_dir=folder,
            display="none",
        )
        rows = [row for sample in log.samples for row in sample.store["Decisions:rows"]]
    return sum("action" in row for row in rows)


def by_openenv(deals: int) -> int:
    """OpenEnv's client and server, in one process."""
    openenv, uvicorn = module("relance.words.openenv"), module("uvicorn")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(openenv.openenv_app(), log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [free]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        decisions = 0
        with openenv.RelanceEnv(f"http://127.0.0.1:{free.getsockname()[1]}").sync() as env:
            for deal in range(deals):
                for seat in (0, 1):
                    result = env.reset(game=GAME, seed=deal, seat=seat)
                    while not result.done:
                        result = env.step(openenv.Reply(text=scripted(result.observation.messages[-1]["content"])))
                        decisions += 1
        server.should_exit = True
        thread.join()
    return decisions


def by_verifiers(deals: int, at_once: int = 8) -> int:
    """`vf-eval`, with a model behind an OpenAI-compatible server in this process."""
    module("relance_verifiers")
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Answer one conversation."""
            told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(told)
            said = {"role": "assistant", "content": scripted(told["messages"][-1]["content"])}
            about = {"id": "scripted", "object": "chat.completion", "created": 0, "model": told["model"]}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            choices = [{"index": 0, "finish_reason": "stop", "message": said}]
            body = json.dumps(about | {"choices": choices, "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is written."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 1024

    with Server(("127.0.0.1", 0), Handler) as server, tempfile.TemporaryDirectory() as folder:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/v1"
        options = {
            "-m": "scripted",
            "--client.base-url": address,
            "--client.api-key-var": "KEY",
            "--output-dir": folder,
        }
        options |= {"--env.taskset.game": GAME, "--env.taskset.deals": str(deals), "-c": str(at_once), "--rich": "None"}
        command = [str(Path(sys.executable).with_name("vf-eval")), "relance-verifiers", "--no-push"]
        command += [part for option in options.items() for part in option]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"KEY": "none"}, check=False)
        server.shutdown()
    if done.returncode:
        raise Missing(f"vf-eval failed: {done.stderr.strip()[-100:]}")
    return len(asked)


def decisions(settings: Settings) -> Iterator[Row]:
    """What a decision costs."""
    frameworks: dict[str, tuple[Hands, int]] = {
        "Inspect": (by_inspect, 200),
        "OpenEnv": (by_openenv, 2000),
        "verifiers": (by_verifiers, 100),
        "verifiers, 1,000 rollouts at once": (partial(by_verifiers, at_once=1000), 500),
    }
    deals = {
        name: (play, settings.pick(most, 20)) for name, (play, most) in {"bare": (bare, 2000), **frameworks}.items()
    }
    works = {name: _timed(play, most // 10, most) for name, (play, most) in deals.items()}
    timings = side_by_side(works, 3)
    for name in frameworks:
        yield compare("words", "a decision in words, bare loop", timings["bare"], name, timings[name])


BENCHES: dict[str, Bench] = {"words": decisions}
