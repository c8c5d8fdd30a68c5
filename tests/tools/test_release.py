"""What keeps a checkout from being released: each fault, planted in a copy, stops it with a line that says so."""

import json
import re
import subprocess
import sys
import tomllib

import pytest

from tools import metadata
from tools.organisation import PLACEHOLDER, ROOT, organisation, rename
from tools.release import VERSIONED, broken_links, faults

VERSION = metadata.project()["version"]
KEPT = re.compile(r"[^/]+|(docs|integrations|\.github)/.*\.(md|toml|ya?ml)|relance/__init__\.py")
"""What the checks read; the other files are only linked to, and are empty in the copy."""


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    """A copy of the checkout that an organisation could release."""
    root = tmp_path_factory.mktemp("checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes((ROOT / name).read_bytes() if KEPT.fullmatch(name) else b"")
    edit(root / "CHANGELOG.md", *unreleased(root))
    rename("some-poker-lab", root)
    write_metadata(root)
    return root


@pytest.fixture
def checkout(ready):
    """That copy, which is put back as it was after the test."""
    before = {
        path: path.read_bytes()
        for path in ready.rglob("*")
        if KEPT.fullmatch(str(path.relative_to(ready))) and path.is_file()
    }
    yield ready
    for path, text in before.items():
        if path.read_bytes() != text:
            path.write_bytes(text)


def unreleased(root):
    """What stands under "Unreleased" now, and what does when it is released."""
    found = re.search(r"## Unreleased\n.*?(?=## )", (root / "CHANGELOG.md").read_text(), re.DOTALL)
    return (found[0], "") if found else ("# Changelog", "# Changelog")


def write_metadata(root):
    for name in metadata.FILES:
        (root / name).write_text(metadata.text(name, root))


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_checkout_is_ready_but_for_its_organisation():
    """Also: the metadata agree, and no link between the pages of the checkout is broken."""
    found = faults(f"v{VERSION}")
    assert [line for line in found if PLACEHOLDER not in line and "Unreleased" not in line] == []
    assert any("names no organisation" in line for line in found) == (organisation() == PLACEHOLDER)


def test_a_copy_with_an_organisation_is_ready(checkout):
    assert faults(f"v{VERSION}", checkout) == []


PLANTED = {
    "the tag is 'v9.9.9', but pyproject.toml says": lambda root: None,
    "__init__.py names version 9": lambda root: edit(root / "relance/__init__.py", f'"{VERSION}"', '"9"'),
    "CITATION.cff names version 9": lambda root: edit(root / "CITATION.cff", f"version: {VERSION}", "version: 9"),
    "recipe.yaml names version 9": lambda root: edit(
        root / "integrations/conda/recipe.yaml", f'version: "{VERSION}"', 'version: "9"'
    ),
    "no entry under": lambda root: edit(root / "CHANGELOG.md", f"## {VERSION}\n", "## 0.0.1\n"),
    "still has entries under": lambda root: edit(
        root / "CHANGELOG.md", f"## {VERSION}\n", f"## Unreleased\n\n- x\n\n## {VERSION}\n"
    ),
    "pyproject.toml names no organisation": lambda root: rename(PLACEHOLDER, root),
    "SECURITY.md, line 4, names the organisation": lambda root: edit(
        root / "SECURITY.md", "some-poker-lab", PLACEHOLDER
    ),
    "CHANGELOG.md links to docs/nosuch.md": lambda root: edit(
        root / "CHANGELOG.md", "docs/versions.md)", "docs/nosuch.md)"
    ),
    "codemeta.json does not say": lambda root: (root / "codemeta.json").write_text("{}"),
    ".zenodo.json does not say": lambda root: edit(root / ".zenodo.json", "Apache-2.0", "MIT"),
    "CITATION.cff does not say `license": lambda root: edit(
        root / "CITATION.cff", "license: Apache-2.0", "license: MIT"
    ),
    "mkdocs.yml does not say `site_url": lambda root: edit(
        root / "mkdocs.yml", "site_url:", "site_url: https://x.org #"
    ),
}
"""A line of a fault, and what plants it."""


@pytest.mark.parametrize("said", PLANTED)
def test_a_fault_stops_the_release_with_a_line(checkout, said):
    PLANTED[said](checkout)
    found = faults("v9.9.9" if "v9.9.9" in said else f"v{VERSION}", checkout)
    assert [line for line in found if said in line]
    assert all("\n" not in line for line in found)


def test_a_file_that_names_no_version_is_a_fault(checkout):
    for pattern in VERSIONED:
        for path in checkout.glob(pattern):
            before = path.read_text()
            path.write_text(before.replace(VERSION, ""))
            assert any(
                f"{path.relative_to(checkout)} names version" in line for line in faults(f"v{VERSION}", checkout)
            )
            path.write_text(before)


def test_links_to_pages_of_the_built_documentation_are_taken(checkout):
    page = checkout / "docs" / "versions.md"
    page.write_text(
        "[a](games/von_neumann.md) [b](reference/commands.md) `[c](nosuch.md)` [d](https://x.org/y) [e](#f)"
    )
    assert not [line for line in broken_links(checkout) if "versions.md links" in line]
    page.write_text("![a](games/nosuch.svg)")
    assert [line for line in broken_links(checkout) if "versions.md links" in line]


@pytest.mark.parametrize("name", ["", "two words", "-front", "end-", "a--b", "a/b", "x" * 40])
def test_a_name_that_no_host_allows_is_refused_and_nothing_changes(checkout, name):
    with pytest.raises(ValueError, match="no name of an organisation"):
        rename(name, checkout)
    assert faults(f"v{VERSION}", checkout) == []


def test_an_organisation_can_be_renamed_again(checkout):
    changed = rename("another", checkout)
    assert {"pyproject.toml", "mkdocs.yml", "CITATION.cff", "SECURITY.md"} <= {path.name for path in changed}
    assert organisation(checkout) == "another"
    assert (
        json.loads((checkout / "codemeta.json").read_text())["codeRepository"] == "https://github.com/another/relance"
    )
    assert faults(f"v{VERSION}", checkout) == []


def test_the_command_says_so_in_lines_with_status_1():
    out = subprocess.run([sys.executable, "-m", "tools.release", "v9.9.9"], cwd=ROOT, capture_output=True, text=True)
    assert out.returncode == 1
    assert out.stdout.startswith("the tag is 'v9.9.9', but pyproject.toml says version")
    assert not out.stderr


def test_the_workflows_call_targets_of_the_makefile():
    """What is hosted and what is local cannot drift apart: `.ci/run` and the workflows only call make."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    texts = [path.read_text() for path in [ROOT / ".ci" / "run", *(ROOT / ".github" / "workflows").glob("*.yml")]]
    assert {name for text in texts for name in re.findall(r"\bmake ([a-z-]+)", text)} <= targets
    hosted = "\n".join(texts[1:])
    listed = {name for line in re.findall(r"target: \[(.*)\]", hosted) for name in line.split(", ")}
    local = set(re.findall(r"^make ([a-z-]+)", texts[0], re.MULTILINE))
    assert listed <= targets
    assert local <= listed | set(re.findall(r"run: make ([a-z-]+)", hosted))
    assert not re.search(r"secrets\.", hosted)


def test_the_conda_recipe_needs_what_the_package_needs():
    yaml = pytest.importorskip("yaml", reason="needs the extra sweep")
    recipe = yaml.safe_load((ROOT / "integrations" / "conda" / "recipe.yaml").read_text())
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    python, *run = recipe["requirements"]["run"]
    assert [line.replace(" ", "") for line in run] == settings["project"]["dependencies"]
    assert python.replace("${{ python_min }}", recipe["context"]["python_min"]) == (
        f"python {settings['project']['requires-python']}"
    )
    assert [line.replace(" ", "") for line in recipe["requirements"]["host"][2:]] == settings["build-system"][
        "requires"
    ]
    assert recipe["build"]["python"]["entry_points"] == [
        f"{name} = {place}" for name, place in settings["project"]["scripts"].items()
    ]


def test_a_release_is_built_with_what_the_group_names():
    """`make wheel` builds without isolation: what the build needs is in a group, in the same versions."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert settings["build-system"]["requires"] == settings["dependency-groups"]["build"]
