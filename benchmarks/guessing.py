"""How often Cepts is right about a text: that it is raw, and that a model is the wrong way round for it.

    python benchmarks/guessing.py

All corpora with hand-made links are looked at as they are, detokenised by the rules of this script, and with their
sides exchanged. Where both languages have spaces, the detokenised text is also aligned, with and without tokens inside,
and links between words that stand between spaces are scored against the gold links, which are carried over from tokens.
The report is `benchmarks/results/guessing.md`, with the same figures as JSON beside it.

The limits were chosen on the training and dev parts; test parts are measured only.
"""

from __future__ import annotations

import argparse
import lzma
import re
from dataclasses import dataclass
from io import StringIO
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from cepts import Aligner, Links, bitext_from_pairs, evaluate, read_links
from cepts.aligning.unknown_words import UnknownWords, unknown_words
from cepts.corpus.raw_text import LOOKED_AT, looks_raw
from cepts.links import links_to_whitespace
from cepts.words import Vocabularies
from corpora import TRAINING_OF, words_folder
from goals import add_output, write_results
from paper_tables.command import positive, say
from paper_tables.markdown import joined, markdown, section
from signature import one_line, signature

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    Pair = tuple[str, str]
    Row = dict[str, Any]

PARTS = ("dev", "test")
MODELS = (1_000, 10_000, None)  # pairs that a model has seen; None: all
UNSPACED = ("zh-en", "zh-en-nist")  # detokenised, a Chinese line is one word: there is nothing to score
OPENING, CLOSING = "([{«“¿¡", ",.;:!?)]}»”%…。、，；：！？"
HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True)
class Line:
    """A detokenised line, and for each token the place of the word that it is part of."""

    text: str
    places: list[int]


def detokenised(line: str) -> Line:
    """Undo what a tokeniser has done: put marks at words, clitics at their heads, and Chinese without spaces.

    >>> detokenised('he said , " it \\'s l\\' eau " .')
    Line(text='he said, "it\\'s l\\'eau".', places=[0, 1, 1, 2, 2, 2, 3, 3, 3, 3])
    >>> detokenised("他 来 了 。").text
    '他来了。'
    """
    pieces, places = list[str](), list[int]()
    quoted = glue = False
    word = -1
    for token in line.split():
        closing = token in CLOSING or token.startswith(("'", "’")) or (token == '"' and quoted)
        unspaced = bool(pieces) and HAN.match(token) is not None and HAN.search(pieces[-1]) is not None
        if pieces and (closing or glue or unspaced):
            pieces.append(token)
        else:
            pieces += [" ", token] if pieces else [token]
            word += 1
        places.append(word)
        glue = token in OPENING or token.endswith(("'", "’")) or (token == '"' and not quoted)
        quoted = quoted != (token == '"')
    return Line("".join(pieces), places)


def main(arguments: list[str] | None = None) -> None:
    """Measure all, and write the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--pairs",
        type=positive,
        default=10_000,
        help="training pairs that are aligned (default: %(default)s)",
    )
    parser.add_argument("--lines", type=positive, help="training lines that are looked at (default: all)")
    add_output(parser)
    options = parser.parse_args(arguments)
    names = sorted(folder.name for folder in words_folder().iterdir())
    result = {
        "signature": signature(f"best, {options.pairs} training pairs", 1),
        "raw": [look_at(name, options.lines) for name in names],
        "direction": [turn(name, pairs) for name in names for pairs in MODELS],
        "foreign": foreign(names, options.pairs),
        "links": [
            align(name, part, options.pairs)
            for name in names
            for part in PARTS
            if name not in UNSPACED and has(name, part)
        ],
    }
    write_results(options.output, "guessing", result, report(result))


def has(name: str, part: str) -> bool:
    """Tell whether a corpus has a part."""
    return (words_folder() / name / f"{part}.gold").exists()


def pairs_of(name: str, part: str, first: int | None = None) -> list[Pair]:
    """Read the pairs of a part as they are, or the first of them."""
    home = words_folder() / (TRAINING_OF.get(name, name) if part == "train" else name)
    return list(islice(zip(*(lines(home, f"{part}.{side}") for side in ("src", "tgt")), strict=True), first))


def lines(home: Path, name: str) -> Iterator[str]:
    """Yield the lines of a file, compressed or not."""
    packed = home / f"{name}.xz"
    with (
        lzma.open(packed, "rt", encoding="utf-8")
        if packed.exists()
        else (home / name).open(encoding="utf-8") as file
    ):
        for line in file:
            yield line.removesuffix("\n")


def scored(name: str) -> list[Pair]:
    """Read the scored parts of a corpus."""
    return list(chain.from_iterable(pairs_of(name, part) for part in PARTS if has(name, part)))


def look_at(name: str, first: int | None) -> Row:
    """Count the texts that are taken for raw ones: of the first lines of each part, and of all blocks of training."""
    training = pairs_of(name, "train", first) if name not in TRAINING_OF else []
    blocks = [training[k : k + LOOKED_AT] for k in range(0, len(training), LOOKED_AT)]
    blocks += [pairs_of(name, part) for part in PARTS if has(name, part)]
    found = {"as it is": 0, "detokenised": 0}
    for block in blocks:
        found["as it is"] += is_raw(block)
        found["detokenised"] += is_raw(
            [(detokenised(one).text, detokenised(other).text) for one, other in block]
        )
    say(f"{name}: {found} of {len(blocks)} texts are raw")
    return {"corpus": name, "texts": len(blocks), **found}


def is_raw(pairs: Sequence[Pair]) -> bool:
    """Tell whether either side looks raw."""
    return any(looks_raw([pair[side] for pair in pairs]) for side in (0, 1))


def words_known(name: str, pairs: int | None) -> Vocabularies:
    """Return the words of a model that has seen so many training pairs: those that are in them."""
    bitext = bitext_from_pairs(pairs_of(name, "train", pairs))
    return Vocabularies(bitext.source.words, bitext.target.words)


def turn(name: str, pairs: int | None) -> Row:
    """Look up the words of the scored parts, as they are and with their sides exchanged."""
    text, known = scored(name), words_known(name, pairs)
    bitext = bitext_from_pairs(text)
    raw = bitext_from_pairs([(detokenised(one).text, detokenised(other).text) for one, other in text])
    found, turned = unknown_words(bitext, known), unknown_words(bitext.swapped(), known)
    say(f"{name}, {pairs or 'all'} pairs: {found.wrong_way_round}, exchanged {turned.wrong_way_round}")
    return {
        "corpus": name,
        "pairs": pairs,
        "unknown": list(found[:4]),
        "alarm": found.wrong_way_round,
        "warned": found.other_languages or found.raw,
        "caught": turned.wrong_way_round,
        "raw": unknown_words(raw, known).raw,
    }


def foreign(names: Sequence[str], pairs: int) -> list[Row]:
    """Look up the words of each corpus in the model of each corpus of other languages."""
    own = [name for name in names if name not in TRAINING_OF]
    texts = {name: bitext_from_pairs(scored(name)) for name in own}
    rows = []
    for model in own:
        known = words_known(model, pairs)
        rows += [foreign_row(model, text, unknown_words(texts[text], known)) for text in own if text != model]
    return rows


def foreign_row(model: str, text: str, found: UnknownWords) -> Row:
    """Say what was found."""
    noticed = found.wrong_way_round or found.other_languages
    return {"model": model, "text": text, "unknown": list(found[:4]), "noticed": noticed}


def align(name: str, part: str, pairs: int) -> Row:
    """Align the detokenised text, and score links of words between spaces in three ways."""
    tokens = pairs_of(name, part)
    gold_text = (words_folder() / name / f"{part}.gold").read_text(encoding="utf-8")
    both = [(detokenised(one), detokenised(other)) for one, other in tokens]
    gold = carried(read_links(StringIO(gold_text), len(tokens)), both)
    training = pairs_of(name, "train", pairs)
    raw = [(one.text, other.text) for one, other in both]
    raw += [(detokenised(one).text, detokenised(other).text) for one, other in training]
    found = {
        "words": aer(aligned(raw, False), gold),
        "guessed": aer(aligned(raw, "auto"), gold),
        "corpus's tokens": aer(carried(aligned(tokens + training, False).head(len(tokens)), both), gold),
    }
    say(f"{name} {part}: " + ", ".join(f"{what} {value:.1f}" for what, value in found.items()))
    return {"corpus": name, "part": part, "scored": len(tokens), **found}


def aligned(pairs: list[Pair], tokenize: Any) -> Links:
    """Align pairs, and return links of the words between spaces."""
    bitext = bitext_from_pairs(pairs, tokenize=tokenize)
    links: Links = Aligner().fit(bitext).align(bitext)
    return links if bitext.found_raw is None else links_to_whitespace(links, bitext)


def carried(links: Links, pairs: Sequence[tuple[Line, Line]]) -> Links:
    """Carry links of tokens over to the words that these are part of, sure if any of them is."""
    rows = []
    for found, (source, target) in zip(links, pairs, strict=True):
        cells: dict[tuple[int, int], bool] = {}
        for i, j, _, sure in found:
            cell = source.places[i], target.places[j]
            cells[cell] = cells.get(cell, False) or sure
        rows.append([(i, j, 1.0, sure) for (i, j), sure in cells.items()])
    return Links.from_pairs(rows)


def aer(links: Links, gold: Links) -> float:
    """Return the AER in percent of the first pairs."""
    return 100 * evaluate(links.head(len(gold)), gold, resamples=1).aer


def report(result: Row) -> str:
    """Write the report."""
    raw, direction, abroad, links = (result[name] for name in ("raw", "direction", "foreign", "links"))
    counts = [sum(row[name] for row in raw) for name in ("as it is", "detokenised", "texts")]
    better = sum(row["guessed"] < row["words"] for row in links)
    alarms, caught = (sum(row[name] for row in direction) for name in ("alarm", "caught"))
    turned = (
        f"{alarms} are taken for the wrong way round as they are, {caught} with the sides exchanged, and"
        f" {sum(row['warned'] for row in direction)} for models of other languages;"
        f" {sum(row['raw'] for row in direction)} texts are said to be raw for their model when they are detokenised"
    )
    summary = (
        f"- Of {counts[2]:,} texts {counts[0]} are taken for raw as they are, {counts[1]:,} detokenised.",
        f"- Of {len(direction)} models and their texts {turned}.",
        f"- Of {len(abroad)} models and texts of other languages {sum(row['noticed'] for row in abroad)} are noticed.",
        f"- Raw text is aligned better when it is tokenised inside in {better} of {len(links)} cases.",
    )
    return joined(
        [
            "# Guesses: raw text, and models the wrong way round",
            "\n".join(summary),
            section("Raw text", RAW + "\n\n" + raw_table(raw)),
            section("Models the wrong way round", DIRECTION + "\n\n" + direction_table(direction)),
            section("Models of other languages", FOREIGN + "\n\n" + foreign_table(abroad)),
            section("Links between spaces", LINKS + "\n\n" + links_table(links)),
            section("How it was made", one_line(result["signature"])),
        ]
    )


RAW = (
    f"Texts that are taken for raw ones. A text is the first {LOOKED_AT:,} lines of a scored part, or as many of the"
    " training text, which is looked at from its beginning to its end. *Detokenised*: marks stand at words, Chinese has"
    " no spaces."
)
DIRECTION = (
    "Shares of the scored words with letters that a model of the first training pairs does not know, in percent: source"
    " and target, and with the sides exchanged. *As it is* there should be no alarm, *exchanged* there should be one. A"
    " warning says that the model seems to be one of other languages. *Detokenised*, the text should be called raw."
)
FOREIGN = (
    "Models of other languages than the text's (one of both may be the same): for how many of the other corpora it is"
    " said that something is wrong."
)
LINKS = (
    "AER in percent of links between the words of detokenised text, by `--method best`, lower is better: taken as it"
    " stands (`--no-tokenize`), as it is guessed, and from the tokens of the corpus, which no user of raw text has."
    " Gold links are those of tokens, carried over to the words that these are part of, sure if any is."
)


def raw_table(rows: Sequence[Row]) -> str:
    """Write how many texts were taken for raw ones."""
    cells = [
        [row["corpus"], *(f"{row[name]:,}" for name in ("texts", "as it is", "detokenised"))] for row in rows
    ]
    return markdown(["corpus", "texts", "raw as it is", "raw detokenised"], cells)


def direction_table(rows: Sequence[Row]) -> str:
    """Write what is unknown, and what follows."""
    heads = [
        "corpus",
        "training pairs",
        "unknown",
        "exchanged",
        "as it is",
        "exchanged: caught",
        "detokenised: said",
    ]
    cells = []
    for row in rows:
        shares = [f"{100 * share:.0f}" for share in row["unknown"]]
        own = "**alarm**" if row["alarm"] else "warning" if row["warned"] else "no word"
        pairs = "all" if row["pairs"] is None else f"{row['pairs']:,}"
        rest = ["yes" if row[name] else "**no**" for name in ("caught", "raw")]
        cells.append([row["corpus"], pairs, " / ".join(shares[:2]), " / ".join(shares[2:]), own, *rest])
    return markdown(heads, cells)


def foreign_table(rows: Sequence[Row]) -> str:
    """Write for each model how many texts of other languages were noticed, and which were not."""
    cells = []
    for model in dict.fromkeys(row["model"] for row in rows):
        own = [row for row in rows if row["model"] == model]
        missed = ", ".join(row["text"] for row in own if not row["noticed"])
        cells.append([model, f"{sum(row['noticed'] for row in own)} of {len(own)}", missed or "-"])
    return markdown(["model", "noticed", "not noticed"], cells)


def links_table(rows: Sequence[Row]) -> str:
    """Write the error rates."""
    names = ("words", "guessed", "corpus's tokens")
    cells = [
        [row["corpus"], row["part"], str(row["scored"]), *(f"{row[name]:.1f}" for name in names)]
        for row in rows
    ]
    return markdown(["corpus", "part", "pairs", "as it stands", "guessed", "from the corpus's tokens"], cells)


if __name__ == "__main__":
    main()
