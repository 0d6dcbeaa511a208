import json
import lzma
import sys
import types

import numpy as np
import pytest

import sentence_speed
from cepts.corpus import bitext_from_pairs
from sentence_speed_report import report
from tests.benchmarks.made import MADE


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Pairs of made-up sentences: each word has one translation."""
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path))
    folder = tmp_path / "sentences/tatoeba_enes"
    folder.mkdir(parents=True)
    random = np.random.default_rng(3)
    lines = []
    for _ in range(700):
        words = random.integers(0, 40, random.integers(3, 9))
        lines.append(" ".join(f"a{k}" for k in words) + "\t" + " ".join(f"o{k}" for k in words) + "\n")
    (folder / "train.tsv.xz").write_bytes(lzma.compress("".join(lines).encode()))


@pytest.mark.usefixtures("data")
def test_everything_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(sentence_speed, "RUNS", 1)
    monkeypatch.setattr(sentence_speed, "iteration", lambda factorise: (factorise(2) and 0.3, 0.2))
    monkeypatch.setattr(sentence_speed.importlib.util, "find_spec", lambda _: None)
    sentence_speed.main(["--pairs", "600", "--sentences", "50", "--output", str(tmp_path / "out")])
    rows = json.loads((tmp_path / "out/sentences-600.json").read_text())["rows"]
    named = [row["what"] for row in rows]
    assert [name.split(",")[0] for name in named] == [
        *["one iteration"] * 8,
        "peak memory",
        "reading and factorising 600 pairs",
        *["cepts similar train"] * 3,
        *["retrieval"] * 6,
        "filter",
    ]
    assert "one iteration, KL, 600 pairs, words, 40 + 40 features" in named
    assert all(row["value"] > 0 for row in rows)
    assert rows[0]["met"] is True
    shares = [row["value"] for row in rows if row["unit"] == "%"]
    assert len(shares) == 2
    assert min(shares) > 90
    assert (
        "| filter, 600 pairs: 120.0 CPU s on one thread |" in (tmp_path / "out/sentences-600.md").read_text()
    )


def test_an_iteration_is_the_difference_of_runs(monkeypatch):
    clock = {"now": 0.0}
    monkeypatch.setattr(sentence_speed.time, "perf_counter", lambda: clock["now"])
    monkeypatch.setattr(sentence_speed.time, "process_time", lambda: 2 * clock["now"])

    def factorise(count):
        clock["now"] += 5 + 0.25 * count

    assert sentence_speed.iteration(factorise) == (0.25, 0.5)


class FakeNMF:
    """Notes how it was asked."""

    asked: list = []  # noqa: RUF012

    def __init__(self, k, **options):
        self.options = {"k": k, **options}

    def fit(self, matrix):
        self.asked.append((self.options, matrix))


def test_scikit_learn_factorises_each_language(monkeypatch):
    sparse, decomposition, pool = (types.ModuleType(name) for name in ("a", "b", "c"))
    sparse.csr_matrix = lambda _, shape: shape
    decomposition.NMF = FakeNMF
    limits = []

    class Limits:
        def __init__(self, threads):
            limits.append(threads)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    pool.threadpool_limits = Limits
    for name, module in (
        ("scipy", types.ModuleType("scipy")),
        ("scipy.sparse", sparse),
        ("sklearn", types.ModuleType("sklearn")),
        ("sklearn.decomposition", decomposition),
        ("threadpoolctl", pool),
    ):
        monkeypatch.setitem(sys.modules, name, module)
    bitext = bitext_from_pairs([("a b", "c"), ("a", "c c")])
    sentence_speed.their_factorising(sentence_speed.encode(bitext, 1), "squared error", 2)(7)
    assert [matrix for _, matrix in FakeNMF.asked] == [(2, 1), (2, 1)]
    options = FakeNMF.asked[0][0]
    assert (options["k"], options["max_iter"], options["tol"]) == (16, 7, 0.0)
    assert (options["solver"], options["beta_loss"]) == ("mu", "frobenius")
    assert limits == [2]


def test_report():
    rows = [
        sentence_speed.row("one iteration", 0.3004, "s on two threads", at_most=0.5),
        sentence_speed.row("ratio", 4.0, "times as fast", at_least=5.0),
        sentence_speed.row("retrieval", 1234.5, "CPU s"),
    ]
    text = report({"rows": rows, "signature": MADE})
    assert "| one iteration: 0.500 s on two threads | **yes** | 0.300 s on two threads |" in text
    assert "| ratio: 5.000 times as fast | **no** | 4.000 times as fast |" in text
    assert "| retrieval | 1,234 CPU s |" in text


def test_no_data(tmp_path, monkeypatch):
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path))
    with pytest.raises(SystemExit, match="set CEPTS_DATA to the folder that holds sentences/"):
        sentence_speed.write_text(tmp_path, None)
