"""How Chinese, and text of syllables, should be cut before it is aligned: links scored on the words of the gold.

    python experiments/segmentation.py --part test

The Chinese of zh-en is joined without spaces and cut by each segmenter, aligned with English, and each link of a piece
is counted for the words that hold its characters. There is no gold for a language of syllables, so Italian stands
in: spaces are taken out, and each syllable becomes a sign of Hiragana, a rare one two. The table goes to
`experiments/results/segmentation-PART.md`. Choices are made on dev; test is for the figures that are reported.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))
from corpora import read_pairs, words_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.links import Link

    Span = tuple[int, int]

RESULTS = Path(__file__).resolve().parent / "results"
VOWELS = "aeiouyàèéìíòóùúâêîôûáäëïöü"
SYLLABLE = re.compile(rf"[^\W\d_{VOWELS}]*[{VOWELS}]|[^\W\d_]+|.")
FIRSTS = 20  # signs that begin the pairs of signs that stand for rare syllables
SIGNS = [chr(code) for code in (*range(0x3042, 0x3095), *range(0x1B002, 0x1B11F))]
SEGMENTERS = {
    "zh-en": ("words", "characters", "learned", "jieba"),
    "it-en, as syllables": ("words", "signs", "learned"),
}


@dataclass(frozen=True)
class Text:
    """Words of both sides, the scored pairs first, and the sure and possible links of these."""

    sources: list[list[str]]
    targets: list[list[str]]
    gold: list[tuple[set[Span], set[Span]]]


def read_text(name: str, part: str, pairs: int | None) -> Text:
    """Read the part and the training text behind it."""
    home = words_folder() / name
    scored = list(read_pairs(home, part, ""))
    training = [pair for pair in read_pairs(home, "train", ".xz") if all(pair)][:pairs]
    lines = (home / f"{part}.gold").read_text("utf-8").splitlines()
    sides = zip(*(pair for pair in scored + training), strict=True)
    sources, targets = ([line.split() for line in side] for side in sides)
    return Text(sources, targets, [parse_gold(line) for line in lines])


def parse_gold(line: str) -> tuple[set[Span], set[Span]]:
    """Return the sure links, and all.

    >>> parse_gold("0-1 2?3")[0]
    {(0, 1)}
    """
    links = [re.split("([-?])", link) for link in line.split()]
    sure = {(int(i), int(j)) for i, kind, j in links if kind == "-"}
    return sure, {(int(i), int(j)) for i, _, j in links}


def swapped(text: Text) -> Text:
    """Exchange source and target."""
    gold = [({(j, i) for i, j in sure}, {(j, i) for i, j in every}) for sure, every in text.gold]
    return Text(text.targets, text.sources, gold)


def as_syllables(text: Text) -> Text:
    """Write the words of the source with a sign for each syllable; other tokens stay."""
    found = Counter(syllable for words in text.sources for word in words for syllable in syllables(word))
    table: dict[str, str] = {}
    for number, (syllable, _) in enumerate(found.most_common()):
        high, low = divmod(number, len(SIGNS) - FIRSTS)
        table[syllable] = SIGNS[low] if high == 0 else SIGNS[-high] + SIGNS[low]
    sources = [
        ["".join(table.get(one, one) for one in syllables(word)) or word for word in words]
        for words in text.sources
    ]
    return Text(sources, text.targets, text.gold)


def syllables(word: str) -> list[str]:
    """Cut a word of letters into syllables of consonants and a vowel.

    >>> syllables("programma"), syllables("3,5")
    (['pro', 'gra', 'mma'], [])
    """
    return SYLLABLE.findall(word) if word.isalpha() else []


def joined(words: Sequence[str]) -> tuple[str, list[Span]]:
    """Join words without spaces, but where two of Latin letters meet, and say where each stands.

    >>> joined(["我", "用", "windows", "xp"])
    ('我用windows xp', [(0, 1), (1, 2), (2, 9), (10, 12)])
    """
    line, spans = "", []
    for word in words:
        latin = line[-1:].isascii() and line[-1:].isalnum() and word[0].isascii() and word[0].isalnum()
        line += " " if latin else ""
        spans.append((len(line), len(line) + len(word)))
        line += word
    return line, spans


def on_words(links: Iterable[Link], pieces: Sequence[Span], words: Sequence[Span]) -> set[Span]:
    """Return the links of words: of all that share a character with a piece that is linked.

    >>> sorted(on_words([(0, 5)], [(0, 3)], [(0, 2), (2, 4), (4, 5)]))
    [(0, 5), (1, 5)]
    """
    found = set()
    for link in links:
        start, end = pieces[link[0]]
        found |= {(k, link[1]) for k, (first, last) in enumerate(words) if first < end and start < last}
    return found


def rates(found: Sequence[set[Span]], gold: Sequence[tuple[set[Span], set[Span]]]) -> list[float]:
    """Return alignment error rate, precision and recall, in percent."""
    made = sum(map(len, found))
    sure = sum(len(one) for one, _ in gold)
    right = sum(len(links & every) for links, (_, every) in zip(found, gold, strict=True))
    got = sum(len(links & one) for links, (one, _) in zip(found, gold, strict=True))
    return [100 * (1 - (right + got) / (made + sure)), 100 * right / made, 100 * got / sure]


def measure(text: Text, segmenter: str) -> list[str]:
    """Cut, align and score; return the cells of a row."""
    from cepts import Aligner, Bitext
    from cepts.corpus import Segmenter, encode_lines, side_from_tokens
    from cepts.corpus.pieces import Pieces

    lines = [joined(words) for words in text.sources]
    target = side_from_tokens(text.targets)
    begin = time.process_time()
    if segmenter == "words":
        source = side_from_tokens(text.sources)
    else:
        name, raw = ("learned" if segmenter == "signs" else segmenter), [line for line, _ in lines]
        chosen = Segmenter(name, Pieces({})) if segmenter == "signs" else Segmenter(name)
        source = encode_lines(raw, tokenize=True, segmenter=chosen)
    cut = time.process_time()
    bitext = Bitext(source, target)
    links = Aligner().fit(bitext).align(bitext)
    aligned = time.process_time()
    found = []
    for k, (_, words) in enumerate(lines[: len(text.gold)]):
        spans = source.token_spans(k)
        found.append(on_words(links[k], words if spans is None else spans.tolist(), words))
    shown = [f"{rate:.1f}" for rate in rates(found, text.gold)]
    return [
        *shown,
        f"{len(source.ids):,}",
        f"{len(source.words):,}",
        f"{cut - begin:.1f}",
        f"{aligned - cut:.1f}",
    ]


def texts(part: str, pairs: int | None) -> dict[str, Text]:
    """Read the two texts."""
    return {
        "zh-en": read_text("zh-en", part, pairs),
        "it-en, as syllables": as_syllables(swapped(read_text("en-it", part, min(pairs or 20_000, 20_000)))),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure all, and write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=["dev", "test"], default="dev")
    parser.add_argument("--pairs", type=int, help="training pairs (default: all of zh-en, 20,000 of en-it)")
    parser.add_argument("--output", type=Path, help="the table's file")
    options = parser.parse_args(arguments)
    rows = [
        "| text | segmenter | AER | precision | recall | tokens | types | CPU s to cut | CPU s to align |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, text in texts(options.part, options.pairs).items():
        for segmenter in SEGMENTERS[name]:
            rows.append(f"| {' | '.join([name, segmenter, *measure(text, segmenter)])} |")
            print(rows[-1], flush=True)
    path = options.output or RESULTS / f"segmentation-{options.part}.md"
    path.write_text("\n".join([f"# Segmentation, {options.part}", "", *rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
