"""Write a golden OpenSpiel playthrough for every registered game that has none."""

from pathlib import Path

from absl import flags
from conftest import walkable
from open_spiel.python.algorithms import generate_playthrough

import relance
from relance.envs.catalogue import BLUEPRINTS
from relance.registration.openspiel import PREFIX

FOLDER = Path(__file__).parent / "playthroughs"

if __name__ == "__main__":
    flags.FLAGS(["playthroughs"])
    for name in BLUEPRINTS:
        target = FOLDER / f"{PREFIX}{name}.txt"
        if not target.exists():
            text = str(relance.openspiel.load(walkable(name, hands=9))).replace("()", "")
            target.write_text(generate_playthrough.playthrough(text, None, seed=1))
            print("wrote", target)
