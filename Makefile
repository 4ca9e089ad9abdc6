# Every target sets up what it needs: a virtual environment in .venv with the versions of constraints.txt.
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help demo serve test test-long lint type imports bench session calls mutants size scale paper paper-tables paper-quick theory networks quality encoder decisions clean suite speed start fuzz review asreview web screenshots

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/ready: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "keysift needs Python 3.11 or later; install it or say make PYTHON=/path/to/python"; exit 2; }
	@echo "Setting up .venv (once, some minutes) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,neural,encoder,bench]'
	@touch .venv/ready

demo: .venv/ready ## Find one subpackage's docstrings among thousands, from three keywords
	@$(BIN)/keysift demo

serve: .venv/ready ## Open the page in the browser, on the demonstration's documents
	@$(BIN)/keysift serve --sample --project .data/workbench $(ARGS)

test: lint type imports ## Lint, types, import contract, unit tests, doctests, end-to-end tests
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadscope

test-long: .venv/ready ## The tests that make test leaves out because they take long, and every property on ten times the examples
	@OMP_NUM_THREADS=1 HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n 2 --dist loadscope -m "long or hypothesis" tests

lint: .venv/ready ## ruff: style and format
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

type: .venv/ready ## mypy, strict
	@$(BIN)/mypy

imports: .venv/ready ## The import contract: each module imports only from the stages before it
	@$(BIN)/lint-imports --no-logo

bench: .venv/ready ## Every figure of the README: name, value, yardstick, ratio
	@$(BIN)/python -m benchmarks $(ARGS)

session: .venv/ready ## What other keywords cost on a prepared corpus, beside the first fit; two minutes
	@$(BIN)/python -m benchmarks.speed.session

speed: .venv/ready ## keysift beside other tokenizers, pipelines and rankings: docs/speed.md; goes on where it was stopped
	@$(BIN)/python -m benchmarks.speed $(ARGS)

start: .venv/ready ## What it takes to start: import keysift, --help, decide, compare; a minute
	@$(BIN)/python -m benchmarks.speed.start

calls: .venv/ready ## How often the same work is asked for in one `keysift rank`
	@$(BIN)/python -m benchmarks.speed.calls

mutants: .venv/ready ## Change some tuned numbers, one at a time: which tests notice?
	@$(BIN)/python -m benchmarks.mutants

fuzz: .venv/ready ## A million damaged model files: refused with a sentence or as before; an hour, goes on where it was stopped
	@OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.fuzz $(ARGS)

scale: .venv/ready ## Corpora larger than memory: docs/scale.md; an hour, and resumable
	@$(BIN)/python -m benchmarks.speed.scale $(ARGS)
	@$(BIN)/python -m benchmarks.speed.scale_page

size: .venv/ready ## Lines, files, the longest file and the public names of the package
	@$(BIN)/python -m benchmarks.size

paper: .venv/ready ## Every experiment and table of the paper; goes on where it was stopped, FRESH=1 starts from nothing
	@$(if $(FRESH),rm -f benchmarks/paper/results.jsonl benchmarks/paper/readings.jsonl benchmarks/paper/exact.jsonl benchmarks/paper/variants.jsonl)
	@$(BIN)/python -m benchmarks.paper.runner $(ARGS)
	@$(BIN)/python -m benchmarks.paper.exact
	@$(BIN)/python -m benchmarks.paper.readings
	@$(BIN)/python -m benchmarks.paper.tables

paper-tables: .venv/ready ## Only RESULTS.md and the plots, from the results that are there
	@$(BIN)/python -m benchmarks.paper.tables

paper-quick: .venv/ready ## Three trials, no networks on 20NG, apart from the full results; within 15 minutes
	@rm -f .data/paper-quick.jsonl
	@$(BIN)/python -m benchmarks.paper.runner --quick --results .data/paper-quick.jsonl $(ARGS)
	@$(BIN)/python -m benchmarks.paper.tables --results .data/paper-quick.jsonl --summary

theory: .venv/ready ## The pictures and measured parts of docs/theory.md; a minute
	@$(BIN)/python -m benchmarks.theory

networks: .venv/ready ## The measured part of docs/networks.md; goes on where it was stopped
	@$(BIN)/python -m benchmarks.networks

quality: .venv/ready ## Rankings against peers and with each ingredient off: docs/quality.md; goes on where it was stopped
	@HF_HUB_OFFLINE=1 $(BIN)/python -m benchmarks.quality $(ARGS)
	@$(BIN)/python -m benchmarks.quality.page

encoder: .venv/ready ## Convert MiniLM's weights again and compare speed and vectors with the original
	@$(BIN)/python -m benchmarks.encoder.convert
	@HF_HUB_OFFLINE=1 $(BIN)/python -m benchmarks.encoder

suite: .venv/ready ## keysift and simple rankings on corpora that had no say in it: docs/quality.md; goes on where it was stopped
	@status=0; $(BIN)/python -m benchmarks.suite $(ARGS) || status=$$?; $(BIN)/python -m benchmarks.suite.page; exit $$status

review: .venv/ready ## Reviews with few relevant documents, read again: docs/review.md; goes on where it was stopped
	@status=0; $(BIN)/python -m benchmarks.review $(ARGS) || status=$$?; $(BIN)/python -m benchmarks.review.learning || status=$$?; $(BIN)/python -m benchmarks.review.stopping || status=$$?; $(BIN)/python -m benchmarks.review.page; exit $$status

asreview: .venv/ready ## ASReview on the same records, if KEYSIFT_ASREVIEW names its command or it is on the PATH: docs/review.md
	@status=0; $(BIN)/python -m benchmarks.review.asreview $(ARGS) || status=$$?; $(BIN)/python -m benchmarks.review.page; exit $$status

web: .venv/ready ## What the page takes, in Chromium: docs/web.md; a quarter of an hour, ARGS="--only hands" for a part
	@$(BIN)/python -m benchmarks.web $(ARGS)

screenshots: .venv/ready ## Every screen of the page, wide and narrow, light and dark, into .data/screenshots
	@$(BIN)/python -m tests.web.browser.screenshots .data/screenshots $(ARGS)

decisions: .venv/ready ## The prior, the audit and what labels add: docs/decisions.md; goes on where it was stopped
	@$(BIN)/python -m benchmarks.decisions

clean: ## Remove the virtual environment and all caches
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist
