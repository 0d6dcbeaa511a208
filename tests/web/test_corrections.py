"""Corrections: saved at once, whole at any time, and nobody's lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs
from cepts.errors import InputError, OptionError, OutputError
from cepts.web.corrections import ConflictError, Corrections, NotCorrectedError
from tests.data import ROOT
from tests.web.pairs import PAIRS, make_bitext

if TYPE_CHECKING:
    from pathlib import Path

BITEXT = make_bitext()
KILLS = 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "text.corrections.jsonl"


def saved_lines(path: Path) -> list[str]:
    """Return the corrections in a file, as they stand."""
    return path.read_text(encoding="utf-8").splitlines()[1:]


def test_what_was_saved_is_there_again(path: Path) -> None:
    corrections = Corrections(path, BITEXT)
    assert (len(corrections), corrections.writable, path.exists()) == (0, True, False)
    first = corrections.put(4, [(1, 1, True), (0, 0, False)], 0, by="Ann \u202e\n")
    corrections.put(2, [], 0)
    corrections.put(1, [(0, 0, True)], 0)
    corrections.delete(1, 1)
    corrections.close()
    again = Corrections(path, BITEXT)
    assert again.get(4) == first
    assert first.links == ((0, 0, False), (1, 1, True))
    assert again.get(1) is None
    assert [again.version(line) for line in (1, 2, 3, 4)] == [2, 1, 0, 1]
    assert again.corrected.tolist() == [False, True, False, True, False, False]
    assert [len(pair) for pair in again.links()] == [0, 0, 0, 2, 0, 0]
    assert sorted(os.listdir(path.parent)) == [path.name, f"{path.name}.lock"]
    again.close()
    assert os.listdir(path.parent) == [path.name]


def test_the_file_can_be_read_by_people(path: Path) -> None:
    corrections = Corrections(path, BITEXT)
    corrections.put(2, [(0, 0, True), (1, 1, False)], 0, by="Ann")
    corrections.close()
    head, line = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    assert head == {"corrections": 1, "pairs": len(PAIRS)}
    saved, text = line.pop("saved"), line.pop("text")
    assert line == {"line": 2, "version": 1, "by": "Ann", "links": [[0, 0, "S"], [1, 1, "P"]]}
    assert (len(saved), saved[-1], len(text)) == (20, "Z", 16)


def test_a_version_that_is_gone_is_refused(path: Path) -> None:
    corrections = Corrections(path, BITEXT)
    ours = corrections.put(2, [(0, 0, True)], 0, by="Ann")
    before = path.read_bytes()
    with pytest.raises(ConflictError, match="line 2 has version 1, not 0: Ann corrected it on") as caught:
        corrections.put(2, [(1, 1, True)], 0)
    assert (caught.value.current, caught.value.version) == (ours, 1)
    with pytest.raises(ConflictError, match="not 2"):
        corrections.delete(2, 2)
    with pytest.raises(NotCorrectedError, match="line 1 is not corrected: there is nothing to take back"):
        corrections.delete(1, 0)
    with pytest.raises(OptionError, match="by: half of a character"):
        corrections.put(2, [], 1, by="\ud800")
    assert path.read_bytes() == before
    corrections.close()


def test_of_many_who_save_at_once_one_wins(path: Path) -> None:
    corrections = Corrections(path, BITEXT)
    barrier, outcomes = threading.Barrier(8), list[str]()

    def save(number: int) -> None:
        barrier.wait()
        for version in range(5):
            try:
                corrections.put(4, [(number % 6, 0, True)], version, by=str(number))
                outcomes.append(f"{version} won")
            except ConflictError:
                outcomes.append(f"{version} lost")
            barrier.wait()

    threads = [threading.Thread(target=save, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [outcomes.count(f"{version} won") for version in range(5)] == [1] * 5
    assert len(outcomes) == 40
    kept = corrections.get(4)
    assert kept is not None
    assert saved_lines(path) == [kept.written()]
    corrections.close()


def test_different_lines_saved_at_once_are_all_there(path: Path) -> None:
    corrections = Corrections(path, BITEXT)
    lines = (1, 2, 4, 6)
    threads = [
        threading.Thread(
            target=lambda line=line: [corrections.put(line, [(0, 0, True)], version) for version in range(6)]
        )
        for line in lines
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    corrections.close()
    again = Corrections(path, BITEXT)
    assert [again.version(line) for line in lines] == [6] * 4
    again.close()


changes = st.lists(
    st.tuples(
        st.sampled_from([1, 2, 4]), st.sampled_from(["put", "delete"]), st.integers(0, 3), st.booleans()
    ),
    max_size=12,
)


@given(changes)
@settings(max_examples=25)
def test_the_file_is_what_was_acknowledged(tmp_path_factory: pytest.TempPathFactory, changes: list) -> None:
    path = tmp_path_factory.mktemp("laws") / "c.jsonl"
    corrections = Corrections(path, BITEXT)
    acknowledged: dict[int, tuple[int, bool, list]] = {}
    for line, what, version, sure in changes:
        now, there, _ = acknowledged.get(line, (0, False, []))
        links = [(0, version % 2, sure)]
        try:
            if what == "put":
                corrections.put(line, links, version)
            else:
                corrections.delete(line, version)
        except (ConflictError, NotCorrectedError):
            refused = True
        else:
            refused = False
        assert refused == (version != now or (what == "delete" and not there))
        if not refused:
            acknowledged[line] = (now + 1, what == "put", links if what == "put" else [])
    corrections.close()
    again = Corrections(path, BITEXT)
    for line, (version, there, links) in acknowledged.items():
        kept = again.get(line)
        assert again.version(line) == version
        assert (kept is not None) == there
        assert kept is None or list(kept.links or ()) == links
    again.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_a_process_that_is_killed_leaves_what_it_acknowledged(path: Path) -> None:
    """Killed at many moments of its saves; a save that it had begun is there, whole, or not at all."""
    command = [sys.executable, "-m", "tests.web.killed_while_saving", str(path), str(KILLS)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    answer = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=True)
    rounds = [json.loads(line) for line in answer.stdout.splitlines()]
    assert len(rounds) == KILLS
    versions: dict[int, int] = {}
    for told, kept in (
        ([json.loads(line) for line in each["told"]], [json.loads(line) for line in each["kept"][1:]])
        for each in rounds
    ):
        said = {correction["line"]: correction for correction in told}
        versions |= {line: correction["version"] for line, correction in said.items()}
        there = {correction["line"]: correction for correction in kept}
        newer = [line for line in there if there[line]["version"] != versions.get(line, 0)]
        assert set(versions) <= set(there)
        assert all(there[line] == said[line] for line in said if line not in newer)
        assert len(newer) <= 1  # saved, but killed before that was told
        assert all(there[line]["version"] == versions.get(line, 0) + 1 for line in newer)
        versions |= {line: there[line]["version"] for line in newer}
    assert any(each["begun"] for each in rounds)
    Corrections(path, BITEXT).close()  # the lock went with the last process
    assert os.listdir(path.parent) == [path.name]


def test_a_second_process_is_refused(path: Path) -> None:
    corrections = Corrections(path, BITEXT)
    corrections.put(1, [(0, 0, True)], 0)
    link = path.with_name("other")
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(OutputError, match="another cepts serve is writing it; end that, or name another"):
            Corrections(name, BITEXT)
    with pytest.raises(OutputError, match="another cepts serve"):
        Corrections.beside(str(path).removesuffix(".corrections.jsonl"), BITEXT)
    corrections.put(1, [], 1)
    corrections.close()
    Corrections(link, BITEXT).close()


def test_what_is_closed_saves_no_more(path: Path) -> None:
    corrections = Corrections(path, BITEXT)
    corrections.close()
    with pytest.raises(OptionError, match="corrections cannot be saved here: start with --corrections FILE"):
        corrections.put(1, [], 0)


def head(pairs: int = len(PAIRS)) -> str:
    return json.dumps({"corrections": 1, "pairs": pairs}) + "\n"


def entry(**changed: object) -> str:
    told = {"line": 2, "version": 1, "by": "", "saved": "2026-01-31T12:00:00Z", "text": "?", "links": []}
    return json.dumps(told | changed) + "\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1: not a file of corrections, expected .*; it is left as it is: name another file"),
        ("0-0 1-1\n", "line 1: not a file of corrections"),
        (head()[:20], "line 1: .* is not JSON .*; is the line cut off"),
        (
            '{"corrections": 2, "pairs": 6}\n',
            "line 1: corrections of format 2, expected 1; was it written by",
        ),
        ('{"corrections": 1}\n', 'line 1: "pairs" is null, expected a whole number from 0'),
        (head() + entry()[:30], "line 2: .* is not JSON"),
        (head() + "[]\n", r"line 2: '\[\]' is not an object, expected one for each correction"),
        (head() + entry(line=0), 'line 2: "line" is 0, expected a whole number from 1'),
        (head() + entry(line=7), "line 2: line 7 is corrected, but the text has 6 pairs"),
        (head(9) + entry(line=7), "line 2: line 7 is corrected, but the text has 6 pairs"),
        (head() + entry(version="1"), 'line 2: "version" is "1", expected a whole number from 1'),
        (head() + entry(by=None), 'line 2: "by" is null, expected a string'),
        (head() + entry(by="\ud800"), r'line 2: "by" is "\\ud800", expected a string'),
        (head() + entry(links={}), r'line 2: "links" is \{\}, expected a list or null'),
        (head() + entry(links=[[0, 0]]), r"line 2: \[0, 0\] is not a link, expected"),
        (head() + entry(links=[[0, 0, "S"], [0, 0, "P"]]), r'line 2: \[0, 0, "P"\] is not a link'),
        (head() + entry(colour=1), 'line 2: unknown key "colour", expected line, version'),
        (head() + '{"line": 1}\n', 'line 2: no key "version", expected line, version'),
        (
            head() + entry() + entry(),
            "line 3: line 2 of the text is corrected here and in line 2, expected once",
        ),
        (head() + "\xff\n", "line 2: .* is not JSON"),
        ("\0", "line 1: a NUL byte"),
    ],
)
def test_a_broken_file_is_named_and_left_as_it_is(path: Path, content: str, message: str) -> None:
    path.write_text(content, encoding="utf-8")
    before = path.read_bytes()
    for _ in range(2):  # the lock is free again
        with pytest.raises(InputError, match=f"{path.name}, {message}"):
            Corrections(path, BITEXT)
    assert path.read_bytes() == before


def test_links_that_do_not_fit_are_refused(path: Path) -> None:
    corrections = Corrections(path, BITEXT)
    corrections.put(2, [(0, 0, True)], 0)
    corrections.close()
    path.write_text(path.read_text().replace('[0, 0, "S"]', '[5, 0, "S"]'))
    with pytest.raises(InputError, match="line 2: link 5-0 is outside of line 2, which has 2 source"):
        Corrections(path, BITEXT)


def test_another_text_is_noticed(path: Path) -> None:
    corrections = Corrections(path, BITEXT)
    for line in (1, 2, 4):
        corrections.put(line, [(0, 0, True)], 0)
    corrections.close()
    before = path.read_bytes()
    changed = [("a b", "c d") if number == 3 else pair for number, pair in enumerate(PAIRS)]
    with pytest.raises(
        InputError,
        match=r"of 3 corrected pairs 1 have other words in here \(line 4\); give the text that was",
    ):
        Corrections(path, bitext_from_pairs(changed), "here")
    with pytest.raises(
        InputError, match="none of its 3 corrected pairs has these words in the text; give the"
    ):
        Corrections(path, bitext_from_pairs([("", ""), *PAIRS]))
    assert path.read_bytes() == before


def test_case_and_further_pairs_are_no_other_text(path: Path) -> None:
    corrections = Corrections(path, BITEXT)
    corrections.put(1, [(0, 0, True)], 0)
    corrections.close()
    longer = Corrections(path, bitext_from_pairs([*PAIRS, ("a", "b")], keep_case=True))
    longer.put(7, [(0, 0, True)], 0)
    longer.close()
    assert path.read_text().splitlines()[0] == '{"corrections": 1, "pairs": 7}'


def test_places_that_cannot_be_a_file_of_corrections_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"the file is not compressed; drop \.gz"):
        Corrections(tmp_path / "c.gz", BITEXT)
    with pytest.raises(OutputError, match="it is a folder; name a file"):
        Corrections(tmp_path, BITEXT)
    with pytest.raises(OutputError, match=r"there is no folder .*; create it first"):
        Corrections(tmp_path / "a" / "b", BITEXT)
    with pytest.raises(OptionError, match="not a plain file, expected one that can be replaced"):
        Corrections("/dev/null", BITEXT)


def test_beside_a_text_that_nobody_may_change_they_are_only_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "text"
    corrections = Corrections.beside(source, BITEXT)
    corrections.put(1, [(0, 0, True)], 0)
    corrections.close()

    def refuse(path: Path) -> None:
        raise OutputError(f"cannot write {path}: it is write-protected")

    monkeypatch.setattr(
        "cepts.web.corrections.check_writable", refuse
    )  # as root, who may write anywhere, too
    read_only = Corrections.beside(source, BITEXT)
    assert (len(read_only), read_only.writable) == (1, False)
