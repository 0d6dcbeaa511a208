"""`benchmarks/guessing.py` undoes a tokeniser, carries gold links over, and reports what was guessed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import guessing
from cepts import Links

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("the house , the garden .", "the house, the garden."),
        ('" yes " , he ( she ) said', '"yes", he (she) said'),
        ("¿ dónde está el gato ?", "¿dónde está el gato?"),
        ("l' homme n' est pas d' ici", "l'homme n'est pas d'ici"),
        ("他 来 了 , 我们 走 。", "他来了, 我们走。"),
        ("", ""),
    ],
)
def test_a_line_is_detokenised(line: str, text: str) -> None:
    made = guessing.detokenised(line)
    assert made.text == text
    assert len(made.places) == len(line.split())
    words = text.split()
    assert set(made.places) == set(range(len(words)))
    for token, place in zip(line.split(), made.places, strict=True):
        assert token in words[place]


def test_links_are_carried_over() -> None:
    pair = (guessing.detokenised("oui , oui !"), guessing.detokenised("yes , yes !"))
    links = Links.from_pairs([[(0, 0), (1, 1, 1.0, False), (2, 2, 1.0, False), (3, 3, 1.0, False)]])
    assert [(link.source, link.target, link.sure) for link in guessing.carried(links, [pair])[0]] == [
        (0, 0, True),
        (1, 1, False),
    ]


def test_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "words"
    pairs = [(f"mot{k} , le chat .", f"word{k} , the cat .") for k in range(30)]
    for name, sides in (("fr-en", pairs), ("en-fr", [pair[::-1] for pair in pairs])):
        (home / name).mkdir(parents=True)
        for part in ("train", "dev"):
            for side, ending in enumerate(("src", "tgt")):
                (home / name / f"{part}.{ending}").write_text("".join(f"{pair[side]}\n" for pair in sides))
        (home / name / "dev.gold").write_text("0-0 2-2 3-3\n" * 30)
    monkeypatch.setattr(guessing, "words_folder", lambda: home)
    monkeypatch.setattr(guessing, "MODELS", (None,))
    guessing.main(["--pairs", "20", "--output", str(tmp_path)])
    found = json.loads((tmp_path / "guessing.json").read_text())
    assert found["raw"][0] == {"corpus": "en-fr", "texts": 2, "as it is": 0, "detokenised": 2}
    assert [(row["alarm"], row["warned"], row["caught"]) for row in found["direction"]] == [
        (False, False, True)
    ] * 2
    assert [row["noticed"] for row in found["foreign"]] == [
        True,
        True,
    ]  # the same languages the wrong way round
    assert {row["part"] for row in found["links"]} == {"dev"}
    page = (tmp_path / "guessing.md").read_text()
    assert "- Of 4 texts 0 are taken for raw as they are, 4 detokenised." in page
    assert "| en-fr | all | 0 / 0 | 100 / 100 | no word | yes | yes |" in page
