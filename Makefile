# Every check and chore of the project; `make check` is what a change has to pass.
PYTHON ?= python
PROSE = README.md CHANGELOG.md CONTRIBUTING.md docs

.PHONY: setup check check-style test format docs pictures lock clean

setup:  ## install for development, into the environment that is active
	$(PYTHON) -m pip install -e ".[dev]"

check: check-style test  ## everything

check-style:  ## style, types, spelling
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(PYTHON) -m codespell_lib $(PROSE)

test:
	$(PYTHON) -m pytest

format:
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

docs:  ## write the generated page, and the outputs that pages show
	$(PYTHON) -m kg.cli.reference
	$(PYTHON) -m tests.docs

lock:  ## pin what is installed in the active environment
	echo "# The exact versions that continuous integration installs (Python 3.11, Linux): make lock" > requirements/ci.txt
	$(PYTHON) -m pip freeze --exclude-editable >> requirements/ci.txt

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

pictures:  ## draw the README's pictures from a real run
	$(PYTHON) docs/pictures.py
	$(PYTHON) docs/view_pictures.py
