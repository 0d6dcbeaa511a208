from pathlib import Path

import phrases
from corpora import Corpus
from measure import Measurement


def test_table(tmp_path: Path) -> None:
    output = tmp_path / "table"
    output.write_bytes(b"x" * 1_250_000)
    corpus = Corpus("xx-yy", "dev", Path(), Path(), "", 1, 400, 1, 1)
    row = phrases.row_of(corpus, "64M", Measurement(2.0, 1.5, 300.4), output)
    assert phrases.table([row]).splitlines() == [
        "pairs  --memory  table MB  CPU s  wall s  RSS MB",
        "  400       64M       1.2    2.0     1.5     300",
    ]
