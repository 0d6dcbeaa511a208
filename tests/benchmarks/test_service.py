from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

import service

if TYPE_CHECKING:
    from pathlib import Path

SAID = """
  Requests/sec:	98.2

  50% in 0.0040 secs
  95% in 0.0100 secs
  99% in 0.0205 secs

Status code distribution:
  [200]	97 responses
  [429]	2 responses

Error distribution:
  [3]	Post "http://x/api/align": context deadline exceeded
"""
WRK = '{"seconds": 2.0, "answers": 50, "p50": 10.0, "p99": 20.0, "errors": 0}'


def test_what_hey_says_is_read() -> None:
    assert service.summary(SAID) == {"p50": 4.0, "p99": 20.5, "answers": 97, "errors": 5}


def test_pairs_of_the_wanted_lengths_are_chosen() -> None:
    short, right = " ".join("a" * 17), " ".join("a" * 20)
    found = service.chosen([(short, right), (right, right), (right, short)])
    assert found == [(right, right)] * 2000
    with pytest.raises(SystemExit, match="no pair has 18 to 22 words on both sides"):
        service.chosen([(short, right)])


def tool(folder: Path, name: str, said: str) -> None:
    """Put a program in place of a load tool, which says what that would."""
    path = folder / name
    path.write_text(f"#!/bin/sh\ncat <<'END'\n{said}\nEND\n")
    path.chmod(0o755)


def test_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(tmp_path, "wrk", WRK)
    tool(tmp_path, "hey", SAID)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    clock = iter((1.0, 2.0))
    monkeypatch.setattr(service.Server, "cpu_seconds", lambda _: next(clock))
    server = service.Server(1, "http://localhost:1/")
    pairs = [("a b", "c d")] * 2000
    rows = {row["what"]: row["value"] for row in service.batch_rows(tmp_path, server, pairs, 2)}
    assert rows["batches"] == 100 * 50 / 2
    assert rows["batches, pairs by CPU time"] == 5000
    bodies = (tmp_path / "bodies").read_text().splitlines()
    assert [len(json.loads(body)["pairs"]) for body in bodies] == [100] * 20
    clock = iter((1.0, 2.0))
    rows = {row["what"]: row["value"] for row in service.single_rows(tmp_path, server, pairs, 5)}
    assert rows["errors in single pairs"] == 25
    assert rows["p99 of a single pair"] == 20.5
    assert rows["rate of single pairs"] == 97


def test_a_missing_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service.shutil, "which", lambda _: None)
    with pytest.raises(SystemExit, match="wrk is not installed: apt-get install wrk"):
        service.main([])
