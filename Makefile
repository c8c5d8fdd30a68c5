# Two commands are enough on a fresh machine with Python 3.11 or newer: `make verify` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: verify test check playthroughs clean help

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

clean: ## remove the environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist

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
