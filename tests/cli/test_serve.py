"""`cepts serve` where it must not begin."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cepts.web.serving import open_port
from tests.cli.command import refused

if TYPE_CHECKING:
    from pathlib import Path


def test_no_model(tmp_path: Path) -> None:
    assert str(tmp_path) in refused("serve", tmp_path, "--port", "0")


def test_port_in_use(model: Path) -> None:
    with closing(open_port("127.0.0.1", 0)) as listener:
        listener.listen()
        port = str(listener.getsockname()[1])
        assert refused("serve", model, "--port", port) == (
            f"cannot serve on 127.0.0.1:{port}: address already in use; give another --port, or 0 for a free one"
        )


@pytest.mark.parametrize("token", ["", " x", "é", "a\nb"])
def test_tokens_that_no_header_holds(model: Path, token: str) -> None:
    assert refused("serve", model, "--token", token).startswith("--token: expected letters, digits")


def test_a_text_that_is_not_there(model: Path) -> None:
    assert refused("serve", model, "--gold", "gold.txt").startswith("--gold belongs to a text")


@pytest.mark.parametrize("package", ["fastapi", "uvicorn"])
def test_a_missing_extra(model: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    assert refused("serve", model) == (
        f"cepts serve needs {package}, which is not there: pip install 'cepts[web]'"
    )


def test_help_brings_no_web_server() -> None:
    code = (
        "import sys; from cepts.cli.main import cepts; cepts(['--help'], standalone_mode=False); "
        "cepts(['serve', '--help'], standalone_mode=False); print({'fastapi', 'uvicorn', 'numpy'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.endswith("set()\n")
