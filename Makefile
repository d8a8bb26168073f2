# One screen: make demo, make test. Everything else is what these two are made of.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -q

.DEFAULT_GOAL := help
.PHONY: help demo test lint unit setup setup-dev format clean

help:  ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: setup  ## set up and run the main job on the sample documents
	@$(BIN)/builder demo

test: setup-dev lint unit  ## set up and run the whole suite

lint: setup-dev  ## style, types, import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

unit: setup-dev  ## tests alone
	@$(BIN)/pytest -n 2 --dist loadfile

setup: $(VENV)/.installed  ## the program with what it needs

setup-dev: $(VENV)/.installed-dev  ## the program with what its tests need

$(VENV)/.installed: pyproject.toml constraints.txt
	@sh scripts/setup.sh $(PYTHON) $(VENV)
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(PIP) install -c constraints.txt -e '.[rapidocr,postgres,office]' --group dev
	@touch $@

format: setup-dev  ## mend what can be mended by a program
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

clean:  ## take away what was made here
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
