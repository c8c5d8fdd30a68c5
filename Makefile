# Two commands are enough on a fresh machine with Python 3.11 or newer: `make verify` and `make test`.
PYTHON ?= python3
VENV := .venv
SCRIPTS := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := $(VENV)/$(SCRIPTS)
# $(call install,PYTHON,WHAT); pip knows the groups of pyproject.toml since 25.1.
PIP := -m pip install --quiet --disable-pip-version-check
install = $(1) $(PIP) 'pip>=25.1' && $(1) $(PIP) $(2)
# Installed before what needs it; on a machine without a graphics card name a build for processors only.
TORCH ?= torch==2.13.0
WORDS := inspect openenv verifiers

.PHONY: paper verify test style quick test-all wheel coverage coq test-lowest words mutants fuzz slices numbers goals pictures docs publish-docs release-check playthroughs rllib clean help

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

verify: $(VENV)/.proof ## decide every claim of the papers (the main job)
	@$(BIN)/relance verify $(ARGS)

test: style ## types, style and tests, but for what takes long or is tried on more than eight games
	$(BIN)/python -m pytest -n auto -m "not slow and not long" --games 8

style: $(VENV)/.test ## types and style, of prose and workflows too: what runs before a commit (.pre-commit-config.yaml)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/codespell README.md CONTRIBUTING.md docs paper relance studies tools
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema custom.github-workflows-require-timeout .github/workflows/*.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.citation-file-format CITATION.cff
	@$(BIN)/zizmor --quiet --offline .github

quick: $(VENV)/.test ## types, style, and one case of each test near a change: the inner loop
	@$(BIN)/python -m tools.quick

test-all: .venv-all/.ready .venv-rllib/.ready words wheel ## the tests with everything installed: PyTorch, the frameworks, Ray and Dask; and the wheel
	OMP_NUM_THREADS=1 .venv-all/bin/python -m pytest -n auto
	OMP_NUM_THREADS=1 .venv-rllib/bin/python examples/frameworks/rllib_ppo.py 0 1

wheel: .venv-wheel/.ready ## build the wheel and the source archive into dist/, and try both in empty environments; PYTHONS="python3.12 python3.13"
	rm -rf dist && .venv-wheel/bin/python -m hatchling build
	.venv-wheel/bin/twine check --strict dist/*
	.venv-wheel/bin/check-wheel-contents dist/*.whl
	.venv-wheel/bin/pyroma --min 8 dist/*.tar.gz # 10 once the authors have an address of e-mail
	RELANCE_DIST=dist RELANCE_PYTHONS="$(PYTHONS)" .venv-wheel/bin/python -m pytest --noconftest tests/test_wheel.py

release-check: $(VENV)/.python ## what keeps this checkout from being released under a tag; TAG=v0.1.0
	@$(BIN)/python -m tools.release $(TAG)

coverage: $(VENV)/.test ## which lines the tests run, least covered files first; ARGS="tests/solvers" for some of the tests
	$(BIN)/python -m pytest -n auto --cov --cov-report= $(ARGS)
	@$(BIN)/coverage report --sort=cover

coq: $(VENV)/.proof ## write the equilibria that claims rest on into build/coq and have Coq check them; needs coqc (apt install coq)
	@command -v coqc > /dev/null || (echo "coqc is not installed: apt install coq, or see https://coq.inria.fr" && exit 1)
	@rm -rf build/coq
	$(BIN)/relance verify --coq build/coq $(ARGS)
	$(MAKE) -C build/coq

words: $(WORDS:%=.venv-%/.ready) ## the frameworks of language models, each with scripted models in an environment of its own
	@$(foreach name,$(WORDS),echo "$(name):" && .venv-$(name)/bin/python -m pytest --noconftest -W default --disable-warnings tests/words/test_$(name).py tests/test_docs.py -k 'test_$(name) or what_it_says[$(name)]' &&) true

test-lowest: .venv-lowest/.ready ## the tests with the lowest versions that pyproject.toml allows
	.venv-lowest/bin/python -m pytest -n auto -m "not slow" -W ignore::DeprecationWarning

mutants: .venv-mutants/.ready ## plant faults in the code and list what nothing notices; ARGS="--count 50 --seconds 600"; ARGS=--planted for those by hand
	.venv-mutants/bin/python tests/mutants/run.py $(ARGS)

fuzz: $(VENV)/.test ## give 6,800 bad inputs to the package and list what hangs, breaks or is silently accepted; ARGS="--count 20000 --seed 2"
	$(BIN)/python tests/fuzz/run.py $(ARGS)

slices: $(VENV)/.test ## delete one slice at a time in a copy, and run the tests of the others; ARGS="words" for one, ARGS=--collect to import them only
	$(BIN)/python -m tools.slices $(ARGS)

playthroughs: $(VENV)/.test ## write OpenSpiel playthroughs for games that have none
	$(BIN)/python tests/write_playthroughs.py

numbers: $(VENV)/.test ## fill in what changes with the package: README.md, docs/, CITATION.cff, codemeta.json, .zenodo.json, the lists of games and commands
	$(BIN)/python -m tools.numbers_in_prose
	$(BIN)/python -m tools.metadata

pictures: $(VENV)/.docs ## draw the pictures of docs/pictures.toml into docs/pictures/ again
	$(BIN)/python -m tools.pictures

goals: $(VENV)/.proof ## write the steps that each claim needs into relance/claims/goals.txt; read the difference; ARGS="--paper KEY" for one paper
	rm -rf .goals && $(BIN)/relance verify --certificates .goals $(ARGS) > /dev/null
	$(BIN)/python tools/check_certificates.py .goals --goals relance/claims/goals.txt && rm -r .goals

docs: $(VENV)/.docs ## build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

publish-docs: $(VENV)/.docs ## put the documentation of this version beside the others on the branch gh-pages; REF=main or a tag such as v0.1.0
	@PATH="$(CURDIR)/$(BIN):$$PATH" NO_MKDOCS_2_WARNING=1 mike deploy --push --update-aliases $(if $(filter v%,$(REF)),$(REF:v%=%) latest,dev)
	@$(if $(filter v%,$(REF)),PATH="$(CURDIR)/$(BIN):$$PATH" mike set-default --push latest)

paper: ## build paper/paper.pdf; needs pandoc and LaTeX
	@(command -v pandoc && command -v pdflatex) > /dev/null || (echo "pandoc or LaTeX is missing: apt install pandoc texlive-latex-recommended texlive-fonts-recommended lmodern" && exit 1)
	cd paper && pandoc paper.md --citeproc --variable geometry:margin=1.8cm --variable classoption=twocolumn --variable fontsize=10pt --output paper.pdf

rllib: .venv-rllib/.ready ## RLlib's example, in an environment of its own because of its pins
	.venv-rllib/bin/python examples/frameworks/rllib_ppo.py

.venv-lowest/.ready: pyproject.toml
	@echo "Installing the lowest versions in .venv-lowest ..."
	@$(PYTHON) -m venv .venv-lowest
	@$(call install,.venv-lowest/bin/python,uv)
	@.venv-lowest/bin/uv pip install --quiet --python .venv-lowest/bin/python --resolution lowest-direct --editable . --group test
	@touch $@

.venv-%/.ready: pyproject.toml
	@echo "Installing Relance and the group $* in .venv-$* ..."
	@$(PYTHON) -m venv .venv-$*
	@$(if $(filter all bench rllib,$*),$(call install,.venv-$*/bin/python,$(TORCH)))
	@$(call install,.venv-$*/bin/python,--editable . $(or $(PACKAGES),--group $*))
	@touch $@

.venv-verifiers/.ready: PACKAGES = --editable integrations/verifiers_relance pytest

clean: ## remove the environments and caches
	rm -rf $(VENV) .venv-* .mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist site

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || (echo "Python 3.11 or newer is needed; set PYTHON=..." && exit 1)
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.proof: $(VENV)/.python pyproject.toml
	@echo "Installing relance[proof] ..."
	@$(call install,$(BIN)/python,--editable '.[proof]')
	@touch $@

$(VENV)/.test: $(VENV)/.python pyproject.toml
	@echo "Installing Relance and the group test ..."
	@$(call install,$(BIN)/python,--editable . --group test)
	@touch $@ $(VENV)/.proof

$(VENV)/.docs: $(VENV)/.python pyproject.toml
	@echo "Installing Relance and the group docs ..."
	@$(call install,$(BIN)/python,--editable . --group docs)
	@touch $@
