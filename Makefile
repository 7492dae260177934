# Everything a developer needs; each target does its own set-up and a second run reuses it.
#
#   make demo          run a lift on a real package (simplejson 3.20.1, fetched by pip)
#   make demo-prose    the same against requirements in prose, without a single example
#   make demo-model    the same with agents that ask a model, replayed from a recording
#   make test          lint, types, the tests, and the tests again on the oldest pytest
#   make oldest-all  the acceptance tests on the oldest pytest, before a release and each week
#   make attack        hostile tests against every tier of the jail that works here
#   make bench-NAME    one benchmark of benchmarks/NAME.py: a table, then one JSON line; exit code
#                      1 where a bar is missed (KEEP=1 keeps the result in benchmarks/)
#   make layout        the shape of the source tree, in figures
#   make bench         the last result of each that was kept
#   make self          mutants of the package's own spine against its own tests; before a release
#   make self-sample   about 35 of them, always the same ones
#   make slow          the tests that `make test` leaves out, being slow
#   make explore       property-based tests with fresh examples (`make test` has fixed ones)
#   make docs          the docs as a site, in dist/site; a broken link is an error
#   make package       wheel and sdist, in dist; the wheel is tried in an environment of its own
#   make format        rewrite the sources as `make test` wants them
#   make clean         remove what the targets above made

PYTHON ?= python3
VENV := .venv
OLDEST := .venv-oldest
PACKAGE := .venv-package
BIN := $(VENV)/bin
# One more than cores: most tests wait for a process that they started, or for a time to be over.
WORKERS ?= $(shell $(PYTHON) -c "import os; print(len(os.sched_getaffinity(0)) + 1)" 2>/dev/null || echo auto)
ROUNDS ?= 5
OLDEST_PINS := "pytest==8.0.*" "pytest-cov==5.0.*" "coverage==7.6.1"
# A plugin that would cost every session of the tests; the one test of it finds it there.
APART := "pytest-html>=4.1" pytest-metadata
ON_OLDEST := $(addprefix tests/,test_help.py test_run_suite.py test_run_suite_world.py test_recorder.py test_bytecode.py test_measuring.py) \
	$(addprefix tests/acceptance/test_,dormant.py pytest_html.py) \
	tests/acceptance/test_sessions.py::test_src_layout_installed_nowhere_with_addopts_and_ini \
	tests/acceptance/test_reports.py::test_the_trace_is_that_of_the_marks_and_properties
NO_VENV := "cannot make a virtual environment: install Python 3.11 or newer with its venv module (Debian: python3-venv), or name one with PYTHON=..."

.PHONY: demo demo-prose demo-model test lint check slow explore oldest oldest-all attack layout bench self self-sample docs package format clean

demo: $(VENV)/.core
	$(BIN)/python examples/simplejson/demo.py

demo-prose: $(VENV)/.core
	$(BIN)/python examples/simplejson/demo.py --prose

demo-model: $(VENV)/.dev
	$(BIN)/python examples/hashids/demo.py

test: lint check oldest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q -m "not slow and not package"

slow: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q -m slow

explore: $(VENV)/.dev
	for round in $$(seq $(ROUNDS)); do HYPOTHESIS_PROFILE=explore \
		$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q -m "hypothesis and not slow" || exit 1; done

oldest: $(OLDEST)/.core
	$(OLDEST)/bin/python -m pytest -n $(WORKERS) --dist worksteal -q -m "not slow and not package" $(ON_OLDEST)

oldest-all: $(OLDEST)/.dev
	$(OLDEST)/bin/python -m pytest -n $(WORKERS) --dist worksteal -q -m "not slow and not package" tests/acceptance $(ON_OLDEST)

attack: $(VENV)/.dev
	@$(BIN)/python benchmarks/run.py attack

layout: $(VENV)/.dev
	@$(BIN)/python benchmarks/run.py layout

bench-%: $(VENV)/.dev
	@$(BIN)/python benchmarks/run.py $* $(if $(SEED),--seed $(SEED)) $(ARGS)

self: $(VENV)/.dev
	@$(BIN)/python benchmarks/run.py spine $(ARGS)

self-sample: $(VENV)/.dev
	@$(BIN)/python benchmarks/run.py spine --sample

bench: $(VENV)/.dev
	@$(BIN)/python benchmarks/run.py

docs: $(VENV)/.dev
	$(BIN)/python -m mkdocs build -q --strict --config-file website/mkdocs.yml

package: $(VENV)/.dev $(PACKAGE)/.core
	rm -rf dist/*.whl dist/*.tar.gz
	$(BIN)/python -m build -q --no-isolation --outdir dist .
	$(PACKAGE)/bin/python -m pip install -q --disable-pip-version-check --force-reinstall --no-deps "$$(ls dist/*.whl)"
	$(BIN)/python -m pytest -q -m package

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/.core: pyproject.toml
	@$(PYTHON) -m venv $(VENV) || { echo $(NO_VENV) >&2; exit 1; }
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[mutation]"
	@touch $@

$(VENV)/.dev: pyproject.toml
	@$(PYTHON) -m venv $(VENV) || { echo $(NO_VENV) >&2; exit 1; }
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[dev,docs]"
	$(BIN)/python -m pip install -q --disable-pip-version-check --upgrade --no-deps --target $(VENV)/pytest-html $(APART)
	@touch $(VENV)/.core $@

# The tests of `make oldest` need little; those of `make oldest-all` a browser and much more.
$(OLDEST)/.core: pyproject.toml
	@$(PYTHON) -m venv $(OLDEST) || { echo $(NO_VENV) >&2; exit 1; }
	$(OLDEST)/bin/python -m pip install -q --disable-pip-version-check -e ".[tests]" $(OLDEST_PINS)
	@touch $@

$(OLDEST)/.dev: $(OLDEST)/.core
	$(OLDEST)/bin/python -m pip install -q --disable-pip-version-check -e ".[dev]" $(OLDEST_PINS)
	@touch $@

# What the wheel depends on, without the wheel: `make package` has that built first.
$(PACKAGE)/.core: pyproject.toml
	$(PYTHON) -m venv --clear $(PACKAGE)
	$(PACKAGE)/bin/python -m pip install -q --disable-pip-version-check .
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) $(PACKAGE) .demo .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
