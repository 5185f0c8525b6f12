# Everything starts here; each target first sets up .venv, which needs Python 3.11 and a C++ compiler only.
#   make demo    solve something, watch it, check the certificate
#   make test    all tests                  make lint    ruff, mypy, clang-format
#   make test-browser  the viewer's page in Chromium, which is installed if it is missing
#   make bench   figures, not tests         make fuzz    1,200,000 random graphs, 10,000 problems, 100,000 forgeries
#   make wheel   a wheel in dist/           make clean   forget all of it
PYTHON ?= python3
WORKERS ?= 2
ARGS ?=

BIN := .venv/bin
TOOLS := .venv/tools.stamp
INSTALLED := .venv/installed.stamp
NATIVE := CMakeLists.txt pyproject.toml $(shell find core checker cmake -type f 2>/dev/null)
CXX_FILES = $(shell find core checker tests docs bench -name '*.hpp' -o -name '*.cpp' -o -name '*.c' -o -name '*.h')
DEMO := build/demo.andorra

.PHONY: demo test test-browser bench fuzz lint wheel clean
.DELETE_ON_ERROR:

demo: $(INSTALLED)
	@mkdir -p build
	$(BIN)/andorra solve connect4:5x5 --value --certificate $(DEMO)
	$(BIN)/andorra check --both $(DEMO)
	$(BIN)/andorra show $(DEMO)

test: $(INSTALLED)
	$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

test-browser: $(INSTALLED)
	@command -v chromium || command -v chromium-browser || command -v google-chrome || \
	  { apt-get update && apt-get install --yes chromium fonts-noto-cjk; } || \
	  { echo "error: no Chromium, and it cannot be installed here: apt-get install chromium" >&2; exit 1; }
	ANDORRA_BROWSER=1 $(BIN)/python -m pytest -n $(WORKERS) tests/test_viewer_browser.py $(ARGS)

bench: $(INSTALLED)
	$(BIN)/python -m bench $(ARGS)

fuzz: $(INSTALLED)
	$(BIN)/python tests/fuzz.py --jobs $(WORKERS) $(ARGS)
	$(BIN)/python tests/fuzz.py --jobs $(WORKERS) --algorithm pairs --graphs 1000000 $(ARGS)
	$(BIN)/python tests/fuzz.py --jobs $(WORKERS) --algorithm teams --graphs 100000 $(ARGS)
	$(BIN)/python tests/fuzz_tsume.py --jobs $(WORKERS)
	$(BIN)/python tests/forger.py --jobs $(WORKERS)

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict src tests bench
	$(BIN)/clang-format --dry-run -Werror $(CXX_FILES)

wheel: $(TOOLS)
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Tools first, with the build requirements among them: the build below then needs no isolation,
# finds the same paths every time, and compiles only what changed.
$(TOOLS): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  "Andorra needs Python 3.11 or newer, not " + sys.version.split()[0] + ": make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

# Editable: Python files are used in place; the core is rebuilt when this stamp is older than it.
$(INSTALLED): $(TOOLS) $(NATIVE)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
