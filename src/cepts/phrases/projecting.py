"""From an annotated text, its translation and their links to an annotated translation, in whatever format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING, NamedTuple, TextIO

from cepts import bounds
from cepts.checking import checked
from cepts.corpus.encoding import WORD
from cepts.corpus.files import shown
from cepts.corpus.readers import read_lines
from cepts.errors import InputError, OptionError
from cepts.phrases.projection import MAX_GAP, ROOT
from cepts.phrases.projection_bio import (
    TAG,
    BioSentence,
    Entity,
    parse_bio,
    project_entities,
    write_bio,
)
from cepts.phrases.projection_conllu import (
    COLUMNS,
    ConlluSentence,
    parse_conllu,
    project_conllu,
    write_conllu,
)
from cepts.phrases.projection_markup import Element, MarkedLine, parse_marked, project_markup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath
    from cepts.links import Link, Links
    from cepts.phrases.projection_lines import Line

FORMATS = ("conllu", "bio", "markup")
KINDS = {ConlluSentence: "conllu", BioSentence: "bio", MarkedLine: "markup"}
TAG_NAME = re.compile(r"[^\W\d_][\w:.-]*")

Sentence = ConlluSentence | BioSentence | MarkedLine


@checked
class ProjectionOptions(NamedTuple):
    """What becomes of annotations: the output's format (None: the input's), and the rules."""

    format: str | None = None
    max_gap: int = MAX_GAP
    complete: bool = False
    confidence: bool = False
    surface: bool = False


@checked
@dataclass
class ProjectionCounts:
    """How many sentences there were, without links, and without target words; spans: known, arrived, torn apart."""

    sentences: int = 0
    unlinked: int = 0
    empty: int = 0
    known: int = 0
    arrived: int = 0
    torn: int = 0
    empty_nodes: int = 0


@checked
def read_annotated(
    path: FilePath,
    input_format: str | None = None,
    *,
    errors: Errors = "strict",
    tokenize: bool = False,
    lenient: bool = False,
) -> Sequence[Sentence]:
    """Read sentences with annotations; without `input_format`, their first lines tell which format it is."""
    lines, name = read_lines(path, errors), shown(path)
    if not any(line.strip() for line in lines):
        raise InputError(f"{name} is empty: give a file with annotated sentences")
    kind = input_format or detect_format(lines)
    if kind not in FORMATS:
        raise OptionError(f"input-format {kind!r}: expected one of {', '.join(FORMATS)}")
    if kind == "conllu":
        return parse_conllu(lines, name)
    return parse_bio(lines, name, lenient) if kind == "bio" else parse_marked(lines, name, tokenize)


def detect_format(lines: Sequence[str]) -> str:
    r"""Tell the format from the lines of the first sentence: ten columns, two or more with a BIO tag last, or text.

    >>> detect_format(["# sent_id = 1", "1\tYes\t_\tINTJ\t_\t_\t0\troot\t_\t_"]), detect_format(["Paris B-LOC", ""])
    ('conllu', 'bio')
    >>> detect_format(["I see <b>Paris</b> ."])
    'markup'
    """
    first = list(takewhile(str.strip, dropwhile(lambda line: not line.strip(), lines)))
    words = [line.split("\t") for line in first if not line.startswith("#")]
    if words and len(words[0]) == COLUMNS:
        return "conllu"
    fields = [WORD.findall(line) for line in first]
    return "bio" if all(len(row) > 1 and TAG.fullmatch(row[-1]) for row in fields) else "markup"


def kind_of(sentences: Sequence[Sentence]) -> str:
    """Name the format that sentences were read from."""
    return KINDS[type(sentences[0])]


def source_words(sentence: Sentence, surface: bool = False) -> int:
    """Count the words of a sentence that links can have, with `surface` tokens instead of words."""
    if isinstance(sentence, MarkedLine):
        return len(sentence.line.spans)
    if isinstance(sentence, ConlluSentence) and surface:
        return len(sentence.surface)
    return len(sentence.words)


@checked
def project_annotations(
    sentences: Sequence[Sentence],
    targets: Sequence[Line],
    links: Links,
    stream: TextIO,
    options: ProjectionOptions | None = None,
) -> ProjectionCounts:
    """Write the targets with what their sources' annotations become; all three must have the same length and fit."""
    options = options or ProjectionOptions()
    if not len(sentences) == len(targets) == len(links):
        raise InputError(
            f"{len(sentences)} sentences, {len(targets)} targets and links of {len(links)} pairs, expected as many"
        )
    if not sentences:
        return ProjectionCounts()
    check_formats(sentences, options)
    counts = ProjectionCounts(len(sentences))
    for sentence, target, pairs in zip(sentences, targets, links, strict=True):
        counts.unlinked += not pairs
        counts.empty += not target.spans
        _project(sentence, target, _on_words(sentence, pairs, options.surface), options, stream, counts)
    return counts


def check_formats(sentences: Sequence[Sentence], options: ProjectionOptions) -> None:
    """Refuse options that cannot be, and formats that cannot become each other."""
    bounds.MAX_GAP.check("max_gap", options.max_gap)
    given = kind_of(sentences)
    wanted = options.format or given
    if wanted not in FORMATS:
        raise OptionError(f"format {wanted!r}: expected one of {', '.join(FORMATS)}")
    if (wanted == "conllu") != (given == "conllu"):
        raise OptionError(
            f"format {wanted}: {given} cannot become that; conllu goes with conllu, bio and markup mix"
        )


def _on_words(sentence: Sentence, links: list[Link], surface: bool) -> list[Link]:
    """Return links on words, where they were on surface tokens."""
    if not (surface and isinstance(sentence, ConlluSentence)):
        return links
    tokens = sentence.surface
    return [link._replace(source=word) for link in links for word in range(*tokens[link.source])]


def _project(
    sentence: Sentence,
    target: Line,
    links: list[Link],
    options: ProjectionOptions,
    stream: TextIO,
    counts: ProjectionCounts,
) -> None:
    """Write one target."""
    if isinstance(sentence, ConlluSentence):
        counts.empty_nodes += sentence.empty_nodes
        words = project_conllu(sentence, target, links, options.complete)
        write_conllu(words, target, sentence.identifier, stream)
        return
    if (options.format or KINDS[type(sentence)]) == "bio":
        entities, known, torn = project_entities(_entities(sentence), target, links, options.max_gap)
        write_bio(entities, target, stream)
        arrived = len(entities)
    else:
        made = project_markup(_elements(sentence), target, links, options.max_gap, options.confidence)
        stream.write(made.text + "\n")
        known, arrived, torn = made.known, made.arrived, made.torn
    counts.known += known
    counts.arrived += arrived
    counts.torn += torn


def _entities(sentence: BioSentence | MarkedLine) -> list[Entity]:
    """Return entities; of tags within each other the outermost."""
    if isinstance(sentence, BioSentence):
        return sentence.entities
    return [
        Entity(element.begin, element.end, element.name)
        for element in sentence.elements
        if element.parent == ROOT and not element.empty
    ]


def _elements(sentence: BioSentence | MarkedLine) -> list[Element]:
    """Return tags, named as entities are."""
    if isinstance(sentence, MarkedLine):
        return sentence.elements
    for entity in sentence.entities:
        if not TAG_NAME.fullmatch(entity.kind):
            raise InputError(
                f"entity kind {entity.kind!r} cannot be the name of a tag, expected letters and digits"
            )
    return [Element(entity.kind, "", entity.begin, entity.end) for entity in sentence.entities]
