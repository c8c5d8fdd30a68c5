"""The wheel and the source archive, built and tried: each command in an empty folder, and what it says where its extra is missing.

`make wheel` names the folder of the archives in RELANCE_DIST, and may name other Pythons to try them with in RELANCE_PYTHONS.
"""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import typer

import relance
from relance.pages.commands.main import app

ROOT = Path(relance.__file__).parent.parent
NOT_IN_IT = {"relance/claims/goals.txt"}
"""What only a checkout has: `tools/check_certificates.py` reads it."""
PLAN = "seeds: [0]\nseconds: 1\nruns:\n  - games: [one_card_poker]\n    algorithms: [cfr+]\n"
PYTHONS = os.environ.get("RELANCE_PYTHONS", "").split() or [sys.executable]
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

RUNS = "train cfr+ one_card_poker --seconds 0.2 -o runs.jsonl"

WORKS = {
    "games": "von_neumann",
    "show von_neumann": "value 1/9",
    "solve one_card_poker": "value",
    "export one_card_poker": "EFG 2 R",
    "score one_card_poker uniform": "best responses",
    "grade openspiel:kuhn_poker openspiel:kuhn_poker": "right",
    "play one_card_poker": "0 hands",
    "ask one_card_poker uniform --answers 1": "from 18 answers",
    "match published uniform one_card_poker --log games.jsonl --json match.json": "published wins",
    "tabulate match.json": "| agent | game |",
    "score-games one_card_poker games.jsonl --agent published": "NashConv",
    RUNS: "",
    "sweep plan.yaml --dry-run": "1 run left; at most 1 minute",
}
"""Commands that need no extra, and a part of what they print; `q` ends a session."""

LACKS = {
    "verify": "proof",
    "errata": "proof",
    "plot tree ponssard -o tree.svg": "plot",
    "explore": "explore",
    "train ppo one_card_poker": "torch",
    "train openspiel_nfsp one_card_poker": "torch",
    "sweep plan.yaml -o out.jsonl": "sweep",
    "leaderboard runs.jsonl -o board.md": "plot",
}
"""Commands, and the extra that they ask for."""

CHECKOUT = {"bench"}
"""Commands that run in a checkout only, and say so."""

MODULES = {
    "baselines.frameworks.sb3": "sb3",
    "baselines.frameworks.torchrl": "torchrl",
    "baselines.frameworks.rllib": "torch",
    "registration.jax": "jax",
    "registration.jax_scores": "jax",
    "words.inspect": "inspect",
    "words.openenv": "openenv",
}
"""Adapters, and the extra that they ask for."""


def run(*words, cwd, **options):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, cwd=cwd, env=ENVIRONMENT, **options)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the wheel and the source archive."""
    if "RELANCE_DIST" in os.environ:
        return ROOT / os.environ["RELANCE_DIST"]
    pytest.importorskip("hatchling", reason="needs hatchling, which `make wheel` installs")
    pytest.importorskip("hatch_fancy_pypi_readme", reason="needs hatch-fancy-pypi-readme, which `make wheel` installs")
    folder = tmp_path_factory.mktemp("dist")
    out = run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=ROOT)
    assert out.returncode == 0, out.stderr
    return folder


def environment(python, home, *wanted):
    """The folder of the programs of a new environment with what is wanted."""
    out = run(python, "-m", "venv", home, cwd=home.parent)
    assert out.returncode == 0, out.stderr
    out = run(home / PROGRAMS / "python", "-m", "pip", "install", "--quiet", *wanted, cwd=home)
    assert out.returncode == 0, out.stderr
    return home / PROGRAMS


@pytest.fixture(scope="module", params=PYTHONS, ids=lambda python: Path(python).name)
def installed(request, built, tmp_path_factory):
    """The programs of an environment with the wheel and no extra."""
    (wheel,) = built.glob("*.whl")
    return environment(request.param, tmp_path_factory.mktemp("wheel") / "env", wheel)


@pytest.fixture(scope="module")
def empty(installed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("empty")
    (folder / "plan.yaml").write_text(PLAN)
    return folder


def test_the_source_archive_has_the_checkout_and_makes_the_same_wheel(built, tmp_path):
    (archive,), (wheel,) = built.glob("*.tar.gz"), built.glob("*.whl")
    with tarfile.open(archive) as files:
        files.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    tracked = run("git", "ls-files", "-z", cwd=ROOT)
    if tracked.returncode == 0:
        left = [name for name in tracked.stdout.split("\0") if name and not (folder / name).exists()]
        assert [name for name in left if not name.startswith(".")] == []
    out = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again", cwd=folder)
    assert out.returncode == 0, out.stderr
    (again,) = (tmp_path / "again").glob("*.whl")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert {i.filename: i.CRC for i in one.infolist()} == {i.filename: i.CRC for i in other.infolist()}


ASKED = """
from importlib.metadata import distribution
ours = distribution("relance")
print(*sorted(str(name) for name in ours.files if name.parts[0] == "relance" and "__pycache__" not in name.parts), sep="\\n")
print(*sorted(f"{one.group}: {one.name} = {one.value}" for one in ours.entry_points), sep="\\n")
"""


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_an_archive_brings_every_file_and_entry_point(built, tmp_path, kind):
    """The types (`py.typed`), the data files and both entry points, from the wheel and from the source archive, without the checkout."""
    (archive,) = built.glob(kind)
    programs = environment(sys.executable, tmp_path / "env", "--no-deps", archive)
    said = run(programs / "python", "-c", ASKED, cwd=tmp_path).stdout.splitlines()
    tracked = {*run("git", "ls-files", "relance", cwd=ROOT).stdout.splitlines()} - NOT_IN_IT
    entries = ["console_scripts: relance = relance.__main__:main", "inspect_ai: relance = relance.words.inspect"]
    assert {"relance/py.typed", "relance/__init__.pyi"} <= set(said)
    assert [line.replace(os.sep, "/") for line in said] == sorted(tracked) + entries


def test_the_page_on_the_index_links_to_the_tag(built):
    """The README there lies beside no other file: each of its links leads to the code host."""
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith("/METADATA"))
        text = files.read(name).decode()
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert links
    assert all(link.startswith("https://") for link in links)
    assert any(f"/relance/blob/v{relance.__version__}/docs/" in link for link in links)


def test_every_command_is_tried():
    names = {line.split()[0] for line in (*WORKS, *LACKS)} | CHECKOUT
    assert names == set(typer.main.get_command(app).commands)


def test_the_wheel_is_what_runs(installed, empty):
    out = run(installed / "python", "-c", "import relance; print(relance.__file__)", cwd=empty)
    assert "site-packages" in out.stdout
    said = run(installed / "relance", "--version", cwd=empty).stdout
    assert said.startswith(f"relance {relance.__version__}\n")
    extras = said.splitlines()[-1].removeprefix("of extras: ").split(", ")
    assert not {name.split()[0] for name in extras} & {"numba", "python-flint", "matplotlib", "torch"}


@pytest.mark.parametrize(("line", "said"), WORKS.items())
def test_a_command_works_without_extras(installed, empty, line, said):
    out = run(installed / "relance", *line.split(), cwd=empty, input="q\n")
    assert out.returncode == 0, out.stderr
    assert said in out.stdout


@pytest.mark.parametrize(("line", "extra"), LACKS.items())
def test_a_command_without_its_extra_says_what_to_install(installed, empty, line, extra):
    if "runs.jsonl" in line and not (empty / "runs.jsonl").exists():
        run(installed / "relance", *RUNS.split(), cwd=empty)
    out = run(installed / "relance", *line.split(), cwd=empty)
    assert out.returncode == 2
    assert re.fullmatch(rf"relance: .* needs? .*: pip install 'relance\[{extra}\]'", out.stderr.strip())
    assert not out.stdout.strip()


@pytest.mark.parametrize(("name", "extra"), MODULES.items())
def test_an_adapter_without_its_framework_says_what_to_install(installed, empty, name, extra):
    out = run(installed / "python", "-c", f"import relance.{name}", cwd=empty)
    assert f"pip install 'relance[{extra}]'" in out.stderr.strip().splitlines()[-1]


def test_what_needs_a_checkout_says_so(installed, empty):
    for name in CHECKOUT:
        assert "of a checkout" in run(installed / "relance", name, cwd=empty).stderr
