import json
from itertools import islice
from pathlib import Path

import pytest

import reading


@pytest.mark.parametrize("lxml", [True, False])
def test_everything_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lxml: bool) -> None:
    monkeypatch.setattr(reading, "RUNS", 1)
    monkeypatch.setattr(reading, "WORDS", 50)
    monkeypatch.setattr(reading, "PAIRS_IN_A_MEGABYTE", 1000)
    monkeypatch.setattr(reading, "SMALLER", 100)
    monkeypatch.setattr(reading, "rate", lambda function, amount: (function(), amount)[1])
    monkeypatch.setattr(reading, "parse_with_lxml", lambda _: None)
    monkeypatch.setattr(reading.importlib.util, "find_spec", lambda _: lxml or None)
    monkeypatch.setattr(reading, "measure", lambda _: type("Used", (), {"peak_mb": 7.0}))
    reading.main(["--megabytes", "1", "--output", str(tmp_path)])
    rows = json.loads((tmp_path / "reading.json").read_text())["rows"]
    theirs = ["TMX, plain streaming parse by lxml", "lxml's CPU seconds by ours"] if lxml else []
    assert [row["what"] for row in rows] == [
        "TMX, read and encoded",
        *theirs,
        "peak memory, 1 MB of TMX",
        "two plain files",
        "source ||| target",
        "JSONL",
        "XLIFF",
        "PO",
    ]
    assert rows[0]["goal"] == pytest.approx(rows[1]["value"] if lxml else 50.0)
    assert "| TMX, read and encoded: " in (tmp_path / "reading.md").read_text()


def test_the_text_is_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WORDS", 50)
    one, other = (list(islice(reading.sentences(marked=True), 200)) for _ in range(2))
    assert one == other
    assert 0 < sum("<bpt" in text for pair in one for text in pair) < 60
