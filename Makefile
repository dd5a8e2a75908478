# `make demo` and `make test` need nothing but Python 3.10 or later with venv; both set up .venv on their first run.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test slow lint check docs grade conformance benchmarks clean

demo: .venv/ready
	$(BIN)/python examples/demo

# Tests start many processes, which need not compile minits' files over again.
test: .venv/ready
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n auto

slow: .venv/ready
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n auto -m slow

lint: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test

# mkdocs and its theme announce their successors on each run.
docs: .venv/docs-ready
	DISABLE_MKDOCS_2_WARNING=true NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# An exercise of docs/course/: make grade EXERCISE=double-not PASS=mypass.py
grade: .venv/ready
	$(BIN)/python -m examples.course.grade $(EXERCISE) $(PASS)

conformance: .venv/ready
	$(BIN)/python -m conformance run --impl torch
	$(BIN)/python -m conformance run

benchmarks: .venv/ready
	$(BIN)/python -m benchmarks compile
	$(BIN)/python -m benchmarks calls
	$(BIN)/python -m benchmarks arguments
	$(BIN)/python -m benchmarks modules
	$(BIN)/python -m benchmarks plain
	$(BIN)/python -m benchmarks native
	$(BIN)/python -m benchmarks dispatcher
	$(BIN)/python -m benchmarks native_build
	$(BIN)/python -m benchmarks parse
	$(BIN)/python -m benchmarks cpu
	$(BIN)/python -m benchmarks accuracy
	$(BIN)/python -m benchmarks first-calls
	$(BIN)/python -m benchmarks growth
	$(BIN)/python -m benchmarks cliffs
	$(BIN)/python -m benchmarks memory
	$(BIN)/python -m benchmarks tasks
	$(BIN)/python -m benchmarks archives
	$(BIN)/python -m benchmarks pages

.venv/ready: pyproject.toml constraints.txt
	@echo "Setting up .venv, once: torch is large, so this takes a few minutes."
	test -d .venv || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --progress-bar on -c constraints.txt -e '.[test]'
	touch $@

.venv/docs-ready: .venv/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[docs]'
	touch $@

clean:
	rm -rf .venv build dist
