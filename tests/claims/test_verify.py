"""The main job as a whole."""

import random
import signal
import subprocess
import sys
import threading
import time

CHILD = """
from relance.claims.verify import verify
from relance.solvers.proof import region

verify("borel-von-neumann/r-bets")
for _ in range(25):
    try:
        print("ready", flush=True)
        while True:
            region.cache_clear()
            verify("borel-von-neumann")
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


def test_no_control_c_is_lost():
    child = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True)
    wait, watch = random.Random(1), threading.Timer(100, child.kill)
    watch.start()
    try:
        for _ in range(25):
            assert child.stdout.readline() == "ready\n"
            time.sleep(wait.uniform(0.0, 0.2))
            child.send_signal(signal.SIGINT)
            assert child.stdout.readline() == "stopped\n"
        assert child.wait() == 0
    finally:
        watch.cancel()
        child.kill()
        child.stdout.close()
