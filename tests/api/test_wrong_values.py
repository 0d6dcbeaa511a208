"""Whatever Python callers give a public function, what is refused is refused with a `CeptsError`."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.api.calls import Public, public, wrong_calls
from tests.api.valid import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ALL = list(public())


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with closing(World(tmp_path_factory.mktemp("world"))) as made:
        yield made


def test_the_walk_finds_the_interface() -> None:
    names = {one.name for one in ALL}
    assert len(names) > 300
    assert names >= {
        "cepts.read_bitext",
        "cepts.Aligner.fit",
        "cepts.Links.__getitem__",
        "cepts.phrases.read_bio",
    }


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_wrong_arguments_are_refused_by_errors_of_ours(
    one: Public, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # texts are names of files, too
    foreign = {said: repr(error) for said, error in wrong_calls(one, world) if error is not None}
    assert foreign == {}
