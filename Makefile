# Needs Python 3.11 or later and make; everything else comes with pip into $(VENV).
.DEFAULT_GOAL := help
.PHONY: help demo test coverage deep bench lint lint-text lint-mypy lint-pyright run-tests fmt quick pictures weights site vsix dist compiled clean

VENV ?= .venv
PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 10

demo: $(VENV)/.installed ## check the shipped games, then watch bots play one
	@games=$$($(BIN)/rulewright list) && \
	for game in $$(echo "$$games" | cut -d ' ' -f 1); do \
		echo "rulewright check $$game"; $(BIN)/rulewright check $$game || exit 1; done
	$(BIN)/rulewright play ginkgopolis --players 3 --seed 7 \
		--seat 1=greedy --seat 2=greedy --seat 3=random
	@echo
	@echo "To see it in the browser: $(BIN)/pip install '.[web]' && $(BIN)/rulewright serve"

# Tests wait for browsers and servers; meanwhile the type checkers run.
test: lint-text ## everything continuous integration runs
	@$(MAKE) --no-print-directory --jobs 3 VENV=$(VENV) lint-mypy lint-pyright run-tests

# Three workers on two cores: one of them has the pages, and waits for its browser most of the time.
run-tests: $(VENV)/.browser
	$(BIN)/pytest -n 3 --dist worksteal -m "not deep"

quick: $(VENV)/.developer ## the tests that are fast enough to run on every save
	$(BIN)/pytest -n 2 -m "not slow and not deep"

coverage: $(VENV)/.developer ## which lines and branches of the code the fast tests reach (three times as slow)
	$(BIN)/pytest -n 2 -m "not slow and not whole and not deep" --cov --cov-report=term

deep: $(VENV)/.browser ## every test, with the long counts and many more examples (pictures need chromium)
	$(PIP) install --group cluster
	$(BIN)/pytest -n 2 -m "" --hypothesis-profile=deep

bench: $(VENV)/.bench ## speed and size, as ratios
	$(BIN)/python -m bench

# The two type checkers take longest, and have nothing to do with each other.
lint: $(VENV)/.developer ## formatting, mistakes, types, import contracts
	@$(MAKE) --no-print-directory --jobs 2 VENV=$(VENV) lint-text lint-mypy lint-pyright

lint-text: $(VENV)/.developer
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache

lint-mypy: $(VENV)/.developer
	$(BIN)/mypy
	$(BIN)/mypy tests

lint-pyright: $(VENV)/.developer
	$(BIN)/pyright --pythonpath $(BIN)/python

fmt: $(VENV)/.developer ## put the code and the games into their layout
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/rulewright fmt games tests/corpus/probes

pictures: $(VENV)/.developer ## screenshots of all games into build/pictures (needs chromium)
	$(BIN)/python -m tests.pictures.screens build/pictures

weights: $(VENV)/.developer ## the worth of things and patterns, learned for some games (up to half an hour each)
	$(BIN)/rulewright train connect_four --games 1200000
	for game in ginkgopolis endeavor equilibris colonial through_the_ages; do \
		$(BIN)/rulewright train $$game || exit 1; done

site: compiled ## the documents with all shipped games and the playground, in build/site
	$(BIN)/python -m docs.site.build build/site

vsix: $(VENV)/.developer ## the package for Visual Studio Code, in dist
	$(BIN)/python -m editors.vsix dist

dist: compiled ## wheels, sources and the package for Visual Studio Code, tried in a fresh environment
	rm -rf dist browser/build
	$(PIP) install --group release
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m build --wheel --no-isolation --outdir dist browser
	$(MAKE) --no-print-directory vsix VENV=$(VENV)
	$(BIN)/python -m twine check --strict dist/*.whl dist/*.tar.gz
	$(BIN)/python -m tests.packaging.release dist

compiled: $(VENV)/.browser # Rulewright of today for browsers
	$(BIN)/python browser/build.py --compile
	$(PIP) install --no-deps --no-build-isolation --force-reinstall ./browser

clean: ## remove what the other targets made
	rm -rf browser/node_modules browser/build browser/rulewright_browser/files
	rm -rf editors/vscode/node_modules
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* .hypothesis .import_linter_cache
	rm -rf .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Rulewright needs Python 3.11 or later" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(PIP) install --editable .
	@touch $@

# pip knows dependency groups since 25.1.
$(VENV)/.developer: pyproject.toml | $(BIN)/python
	$(PIP) install --upgrade "pip>=25.1"
	$(PIP) install --editable . --group dev
	@touch $(VENV)/.installed $@

# Python for browsers and the text editor, from npm packages with pinned hashes; npm comes with the developer's tools.
$(VENV)/.browser: browser/package-lock.json browser/build.py browser/compile.mjs browser/compiling.py browser/editor.mjs | $(VENV)/.developer
	$(BIN)/python browser/build.py
	$(PIP) install --no-deps --no-build-isolation ./browser
	@touch $@

$(VENV)/.bench: $(VENV)/.developer
	$(PIP) install --group bench
	@touch $@
