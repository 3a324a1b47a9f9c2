# Everything here sets itself up in .venv first: nothing is installed elsewhere, and a second run starts at once.

VENV := .venv
RUN := $(VENV)/bin
READY := $(VENV)/.ready
PYTHONS := python3.13 python3.12 python3.11 python3

# Burnish's own environment has pytest plugins that the sample project does not need.
PLAIN := PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
DEMO_PERFORMANCE := examples/shop/shop/newsletter.py::subscribers
DEMO_READABILITY := examples/shop/shop/newsletter.py::subscribers

.PHONY: help setup test check demo lock

help:
	@echo "make test   every check and test"
	@echo "make check  lint and types only"
	@echo "make demo   refine two functions of examples/, offline"
	@echo "make setup  only set up .venv"
	@echo "make lock   take up new versions of the dependencies"

setup: $(READY)

# The lock names every package; Burnish itself is then linked in without asking for anything more.
$(READY): requirements.lock pyproject.toml
	@$(RUN)/python -c "" 2>/dev/null || { \
	  for python in $(PYTHONS); do \
	    if $$python -c "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; then \
	      echo "Setting up $(VENV) with $$($$python --version)"; \
	      $$python -m venv --clear $(VENV) && exit; \
	    fi; \
	  done; \
	  echo "Burnish needs Python 3.11 or newer with its venv module (on Debian: apt-get install python3-venv)." >&2; \
	  exit 1; \
	}
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

check: setup
	$(RUN)/ruff check
	$(RUN)/ruff format --check
	$(RUN)/mypy

test: check
	$(RUN)/python -m pytest

# The sample project has no environment of its own; Burnish's has the pytest that its tests need.
demo: setup
	$(PLAIN) $(RUN)/burnish refine $(DEMO_PERFORMANCE) --goal performance --interpreter $(RUN)/python
	$(PLAIN) $(RUN)/burnish refine $(DEMO_READABILITY) --goal readability --interpreter $(RUN)/python

lock: setup
	$(RUN)/python -m pip install --quiet --disable-pip-version-check uv
	$(RUN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --group dev \
	  --no-header --no-emit-index-url --output-file requirements.lock pyproject.toml
