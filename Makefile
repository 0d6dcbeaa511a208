# The commands of the project. CI runs the same ones.
# PYTHON: the interpreter whose environment has the project and its tools: .venv/bin/python where there is one.
PYTHON ?= $(if $(wildcard .venv/bin/python),.venv/bin/python,python3)
CODE = src tests benchmarks experiments tools
SENTENCE_KERNELS = $(addprefix tests/,sentences/test_factorising.py sentences/test_projection.py sentences/test_classifiers.py \
	quality/test_overlap.py quality/test_retrieval.py quality/test_filter_evidence.py)
TAMPERED = $(addprefix tests/,corpus/test_hostile_bitexts.py aligning/test_hostile_checkpoints.py aligning/test_hostile_models.py)

PAPERS = schoenemann-2011 denero-2011 goutte-2004 freitag-2007 huerta

.PHONY: help check check-format check-lint check-types check-layers test test-bounds fuzz bench tables fix $(addprefix tables-,$(PAPERS))

help:
	@echo "make check        format, lint, types, layers"
	@echo "make test         all tests"
	@echo "make test-bounds  the kernel tests, with the bounds of every array checked"
	@echo "make fuzz         thousands of cases drawn at random, SEED=N (some minutes)"
	@echo "make bench        Cepts and its peers on English-French (needs the data and the extra 'bench')"
	@echo "make tables       the papers' tables, beside theirs (needs the data and the extra 'experiments');"
	@echo "                  of one paper: make $(firstword $(addprefix tables-,$(PAPERS)))"
	@echo "make fix          format, and repair what ruff can repair"

check: check-format check-lint check-types check-layers

check-format:
	$(PYTHON) -m ruff format --check $(CODE)

check-lint:
	$(PYTHON) -m ruff check $(CODE)

check-types:
	$(PYTHON) -m mypy

check-layers:
	$(PYTHON) -c "from importlinter.cli import lint_imports_command; lint_imports_command()"

test:
	$(PYTHON) -m pytest

# A kernel that was compiled without the check would be loaded without it: hence a cache of its own. Most of the time
# goes into compiling: less optimisation takes a quarter less of it, and checks the same bounds.
test-bounds:
	@cache=$$(mktemp -d) && trap 'rm -rf "$$cache"' EXIT && \
	NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 CEPTS_CACHE="$$cache" $(PYTHON) -m pytest tests/words tests/characters tests/combine tests/phrases tests/running/test_vectors.py $(SENTENCE_KERNELS) $(TAMPERED)

SEED ?= 1
fuzz:
	$(PYTHON) benchmarks/fuzz.py --seed $(SEED)

bench:
	$(PYTHON) benchmarks/aligners.py --corpus en-fr-hansards --part test --pairs 50000

# A paper's tables on its small task, on dev: by the CPU seconds of the rows that are kept, none takes 30 minutes of
# one core. Without these options the scripts run all of their rows.
tables: $(addprefix tables-,$(PAPERS))
	$(PYTHON) experiments/paper_claims.py

tables-schoenemann-2011:
	$(PYTHON) experiments/regularised.py --table small --corpora en-fr-hansards --together

tables-denero-2011:
	$(PYTHON) experiments/both_directions.py

tables-goutte-2004:
	$(PYTHON) experiments/cepts.py

tables-freitag-2007:
	$(PYTHON) experiments/names.py --tables consonants,rhymes,transcription

tables-huerta:
	$(PYTHON) experiments/sentences.py

fix:
	$(PYTHON) -m ruff format $(CODE)
	$(PYTHON) -m ruff check --fix $(CODE)
