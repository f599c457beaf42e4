# The same commands for people and for CI. `make` alone lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Small matrices: threads of the linear algebra wait for each other longer than they compute.
export OPENBLAS_NUM_THREADS ?= 1

PYTHON ?= python3
# The run time and what tests need; holds no torch.
VENV ?= .venv
# The training workshop; an environment that already has torch can be named here.
TRAIN_VENV ?= .venv-train
# Practice recordings with truth, for `make acceptance`.
RECORDINGS ?= ../shared/recordings

BIN := $(VENV)/bin
TRAIN_BIN := $(TRAIN_VENV)/bin
# pip, telling which package it is at, and nothing else.
SHOW := awk '/^(Collecting|Downloading|Installing)/ { printf "  %s %s\n", $$1, $$2; fflush() }'

.PHONY: help demo test test-system test-train lint audit acceptance bench clean

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.has-runtime  ## watch the sample recording: rulings, annotated video, JSONL, then its page
	@$(BIN)/table-referee demo $(ARGS)

test: lint  ## lint, types, import contracts and tests (no torch, no network)
	$(BIN)/pytest

test-system: $(VENV)/.has-dev  ## test what needs PostgreSQL, Chromium or long time (apt-get install postgresql chromium)
	@$(BIN)/python -m tests.system.needs
	$(BIN)/pytest -m system

test-train: $(TRAIN_VENV)/.has-train  ## test the training workshop with ultralytics and torch
	$(TRAIN_BIN)/python -m pytest -m train

lint: $(VENV)/.has-dev  ## formatting, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

audit: $(VENV)/.has-dev  ## look up known vulnerabilities of what is installed (asks pypi.org)
	$(call make_venv,.venv-audit)
	@.venv-audit/bin/python -m pip install --disable-pip-version-check pip-audit | $(SHOW)
	.venv-audit/bin/pip-audit --path "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" $(ARGS)

acceptance: $(VENV)/.has-dev  ## run everything in RECORDINGS against its truth and the thresholds
	@$(BIN)/python -m tests.acceptance "$(RECORDINGS)"

bench: $(VENV)/.has-dev  ## speed, memory, time to the first ruling, share of time by stage
	@$(BIN)/python -m tests.benchmarks

clean:  ## remove what these commands made, environments included
	rm -rf .venv .venv-train .venv-audit out build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

# ---- environments; a stamp says what is installed, and pyproject.toml makes it stale ----

define make_venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "table-referee needs Python 3.11 or newer, but '$(PYTHON)' is missing or older; name another: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(1)/bin/python || $(PYTHON) -m venv $(1) || { \
	  echo "could not make the environment $(1); on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
endef

$(VENV)/.has-runtime: pyproject.toml
	$(call make_venv,$(VENV))
	@echo "Installing the run time into $(VENV) (about 450 MB, once, no torch)"
	@$(BIN)/python -m pip install --disable-pip-version-check -e . | $(SHOW)
	@touch $@

$(VENV)/.has-dev: $(VENV)/.has-runtime
	@echo "Installing what tests need into $(VENV)"
	@$(BIN)/python -m pip install --disable-pip-version-check -e '.[dev]' | $(SHOW)
	@touch $@

$(TRAIN_VENV)/.has-train: pyproject.toml
	$(call make_venv,$(TRAIN_VENV))
	@echo "Installing the training workshop into $(TRAIN_VENV) (torch: several GB, once)"
	@$(TRAIN_BIN)/python -m pip install --disable-pip-version-check -e '.[dev,train]' | $(SHOW)
	@touch $@
