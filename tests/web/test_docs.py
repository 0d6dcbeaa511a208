"""What docs/serve.md shows is what is answered."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cepts.web.limits import USUAL
from tests.docs.pages import ROOT, fences, read

if TYPE_CHECKING:
    from tests.web.asking import Asking

PAGE = read(ROOT / "docs" / "serve.md")
SHOWN = re.compile(r"```sh\n(curl [^`]*?)```\n\n```json\n(.*?)```", re.DOTALL)


def asked(command: str) -> tuple[str, str]:
    """Return path and body of a call of curl."""
    words = shlex.split(command)
    path = next(word for word in words if word.startswith("localhost"))
    return path.removeprefix("localhost:8765"), words[words.index("-d") + 1]


def compare(found: Any, shown: Any) -> None:
    """Compare answers; numbers may differ in the last digits, by processor."""
    if isinstance(shown, float):
        np.testing.assert_allclose(found, shown, atol=2e-3)
    elif isinstance(shown, dict):
        assert list(found) == list(shown)
        for name, value in shown.items():
            compare(found[name], value)
    elif isinstance(shown, list):
        assert len(found) == len(shown)
        for one, two in zip(found, shown, strict=True):
            compare(one, two)
    else:
        assert found == shown


@pytest.mark.parametrize(("command", "answer"), SHOWN.findall(PAGE))
def test_answers(ask: Asking, command: str, answer: str) -> None:
    compare(ask.post(*asked(command)), json.loads(answer))


def test_some_answers_are_shown() -> None:
    assert len(SHOWN.findall(PAGE)) == 2


def test_every_call_can_be_made(ask_all: Asking) -> None:
    for fence in fences(PAGE, "sh"):
        for call in re.findall(r"curl (?:[^\n]|\\\n)*", fence.text.replace("\\\n", "")):
            if " -d " in call:
                path, body = asked(call)
                ask_all.post(path, body, 404 if path.endswith("nearest") else 200)


def test_lines(ask: Asking) -> None:
    answer = ask.request(
        "POST", "/api/align/text", content=b"le chat ||| the cat\nle chat noir ||| the black cat\n"
    )
    assert f"```text\n{answer.text}```" in PAGE


def test_the_limits_are_those_that_are_kept() -> None:
    assert f"a body of more than {USUAL.body_bytes:,} bytes" in PAGE
    assert (
        f"more than {USUAL.pairs:,} pairs or names, {USUAL.words} words or {USUAL.characters:,} characters of a "
        f"sentence, {USUAL.name_characters} of a name, or {USUAL.cells:,} possible links in all"
    ) in PAGE
    assert f"longer than {USUAL.body_seconds:g} seconds" in PAGE
    assert f"{USUAL.waiting} more wait" in PAGE
    assert f"up to {USUAL.pairs:,} pairs" in PAGE


def test_python_is_python() -> None:
    for fence in fences(PAGE, "python"):
        compile(fence.text, "docs/serve.md", "exec")
