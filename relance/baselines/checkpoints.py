"""Checkpoints: a training run in a file, from which it goes on with bit for bit the same results.

A learner names in `changes` the attributes that change as it learns, and so do the objects that it consists of. Such an attribute is a
number, array, tensor, random generator, list, an object of PyTorch with a `state_dict`, a `relance.play.batch.Batch`, or an object with
`changes` itself. The file is the .npz file of the policy (`relance.model.profile_file`) with one entry more: `run`, JSON text in which
{"array": 3} stands for the array "3". The file holds no code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from relance.baselines.algorithms import Lazy, Learner, code_of
from relance.baselines.averages import Average, profile_of_tables
from relance.baselines.openspiel_games import AnyGame, OpenSpielGame
from relance.model.arrays import Array, host, without_interrupt
from relance.model.files import check_kind, check_writable, replacing
from relance.model.game import as_profile
from relance.model.limits import check_memory
from relance.model.profile_file import arrays_of
from relance.play.batch import Batch

torch = Lazy("torch")


def state_of(thing: Any, arrays: list[Array]) -> Any:
    """Return the state of an object for JSON, and add its arrays to `arrays`; raise TypeError if it has a part of an unknown kind."""
    if thing is None or isinstance(thing, (bool, int, float, str)):
        return thing
    if isinstance(thing, np.ndarray) or hasattr(thing, "detach"):
        arrays.append(host(thing))
        return {"array" if isinstance(thing, np.ndarray) else "tensor": len(arrays) - 1}
    if isinstance(thing, Mapping):
        return {"map": [[key, state_of(value, arrays)] for key, value in thing.items()]}
    if isinstance(thing, (list, tuple)):
        return [state_of(part, arrays) for part in thing]
    if isinstance(thing, np.random.Generator):
        return state_of(thing.bit_generator.state, arrays)
    if isinstance(thing, Batch):
        return state_of(thing.running.state, arrays)
    if names := getattr(thing, "changes", None):
        return state_of({name: getattr(thing, name) for name in names}, arrays)
    for name in ("state_dict", "get_state"):  # of a network or optimiser; and of PyTorch's generator
        if hasattr(thing, name):
            return state_of(getattr(thing, name)(), arrays)
    raise TypeError(f"a checkpoint cannot save {type(thing).__name__}; an object needs the attribute `changes`")


def built(state: Any, arrays: Mapping[str, Array]) -> Any:
    """Return what `state_of` saved as `state`: a number, text, array, tensor, list or dict. `arrays`: {index as text: saved array}."""
    if isinstance(state, list):
        return [built(part, arrays) for part in state]
    if not isinstance(state, dict):
        return state
    ((kind, value),) = state.items()
    if kind == "map":
        return {key: built(part, arrays) for key, part in value}
    return torch.from_numpy(arrays[str(value)]) if kind == "tensor" else arrays[str(value)]


def restored(thing: Any, state: Any, arrays: Mapping[str, Array]) -> Any:
    """Give a fresh object the saved state, and return it: the same object, changed in place, wherever that is possible."""
    if isinstance(thing, np.ndarray):
        saved = built(state, arrays)
        if (saved.shape, saved.dtype) != (thing.shape, thing.dtype):
            raise ValueError(
                f"a saved array is {saved.dtype} of shape {saved.shape}, but the learner needs {thing.dtype} of shape {thing.shape}; "
                "begin the run again with another checkpoint file"
            )
        thing[...] = saved
    elif isinstance(thing, np.random.Generator):
        thing.bit_generator.state = built(state, arrays)
    elif isinstance(thing, Batch):
        restored(thing.running.state, state, arrays)
    elif names := getattr(thing, "changes", None):
        states = dict(state["map"])
        for name in names:
            before = getattr(thing, name)
            if (after := restored(before, states[name], arrays)) is not before:
                setattr(thing, name, after)
    elif hasattr(thing, "load_state_dict"):
        thing.load_state_dict(built(state, arrays))
    elif hasattr(thing, "set_state"):
        thing.set_state(built(state, arrays))
    elif isinstance(thing, (list, tuple)) and len(thing) == len(state):
        parts = [restored(part, one, arrays) for part, one in zip(thing, state, strict=True)]
        return thing if all(a is b for a, b in zip(parts, thing, strict=True)) else type(thing)(parts)
    else:
        return built(state, arrays)
    return thing


class Checkpoint:
    """The checkpoint file of one run.

    Args:
        path: the file, .npz.
        about: the game, algorithm, settings and seed of the run.
        game: the game.
        learner: the learner, which has just been started.
        average: the average of the learner's policies, if one is kept.

    Attributes:
        resumes: False if the learner's state cannot be saved; the file then has the policy only.

    Raises:
        ValueError: the path does not end in .npz or cannot be written, or the game is one of OpenSpiel's.
    """

    def __init__(
        self, path: Path, about: Mapping[str, Any], game: AnyGame, learner: Learner, average: Average | None
    ) -> None:
        if path.suffix != ".npz":
            raise ValueError(f"checkpoint {path} must end in .npz")
        if isinstance(game, OpenSpielGame):
            raise ValueError(f"checkpoint {path}: learners in games of OpenSpiel, such as {game}, cannot be saved")
        check_writable(path)
        self.path, self._game, self._learner, self._average = path, game, learner, average
        self._about = {**about, "code": code_of(about["algorithm"])}
        self._is_finite = game.deal.is_finite
        try:
            state_of([learner] if self._is_finite or average is None else [learner, learner.agent()], [])
            self.resumes = True
        except TypeError:
            self.resumes = False

    def save(self, **progress: Any) -> None:
        """Write the file; it is replaced only once it is complete.

        Raises:
            FileError: it cannot be written.
        """
        arrays: list[Array] = []
        run: dict[str, Any] = {"about": self._about, "progress": progress}
        if self.resumes:
            run["learner"] = state_of(self._learner, arrays)
            run["average"] = state_of(self._average and self._average.state(), arrays)
        policy = arrays_of(self._game, as_profile(self._game, self._learner.agent()))

        more: dict[str, Any] = {str(number): array for number, array in enumerate(arrays)}

        def write() -> None:
            with replacing(self.path) as file:
                np.savez(file, run=np.array(json.dumps(run)), **policy, **more)

        without_interrupt(write)

    def load(self) -> dict[str, Any]:
        """Restore the learner's state from the file; return the progress that was saved with it, empty if there is no file.

        Raises:
            ValueError: the file is damaged or of another run.
        """
        if not self.path.exists():
            return {}
        check_kind(self.path, "read")
        try:
            with self.path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
                check_memory(sum(item.file_size for item in archive.zip.infolist()), f"reading {self.path}")
                arrays = dict(archive)
            run = json.loads(str(arrays["run"]))
            about, progress = dict(run["about"]), dict(run["progress"])
        except Exception as error:  # numpy and zip files have many
            raise ValueError(f"checkpoint {self.path} is damaged or is not a checkpoint: {error}") from None
        for name, value in self._about.items():
            if about.get(name) != value:
                raise ValueError(f"checkpoint {self.path} is of another run: {name}={about.get(name)!r}, not {value!r}")
        if not self.resumes:
            return {}

        def agent(saved: Any) -> Any:
            if self._is_finite:
                return profile_of_tables(self._game, built(saved, arrays))
            return restored(self._learner.agent(), saved, arrays)

        try:
            restored(self._learner, run["learner"], arrays)
            if self._average:
                self._average.restore(run["average"], agent)
        except Exception as error:  # PyTorch's are many too
            raise ValueError(f"checkpoint {self.path} is damaged: {error}") from None
        return progress
