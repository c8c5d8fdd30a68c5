# Two commands are enough on a fresh machine with Python 3.11 or newer: `make verify` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: verify test check playthroughs rllib clean help

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

verify: $(VENV)/.proof ## decide every claim of the papers (the main job)
	@$(BIN)/relance verify $(ARGS)

test: $(VENV)/.test ## types, style and tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto

playthroughs: $(VENV)/.test ## write OpenSpiel playthroughs for games that have none
	$(BIN)/python tests/write_playthroughs.py

rllib: .venv-rllib/.ready ## RLlib's example, in an environment of its own because of its pins
	.venv-rllib/bin/python examples/frameworks/rllib_ppo.py

.venv-rllib/.ready: pyproject.toml
	@echo "Installing relance[rllib] in .venv-rllib ..."
	@$(PYTHON) -m venv .venv-rllib
	@.venv-rllib/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[rllib]'
	@touch $@

clean: ## remove the environment and caches
	rm -rf $(VENV) .venv-rllib .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || (echo "Python 3.11 or newer is needed; set PYTHON=..." && exit 1)
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.proof: $(VENV)/.python pyproject.toml
	@echo "Installing relance[proof,cards] ..."
	@$(PIP) --editable '.[proof,cards]'
	@touch $@

$(VENV)/.test: $(VENV)/.python pyproject.toml
	@echo "Installing relance[test] ..."
	@$(PIP) --editable '.[test]'
	@touch $@ $(VENV)/.proof
