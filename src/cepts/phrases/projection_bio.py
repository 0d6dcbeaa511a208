"""Entities in BIO: a word on each line with its tag, an empty line behind each sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TextIO

from cepts.checking import checked
from cepts.corpus.encoding import WORD
from cepts.corpus.files import shown
from cepts.corpus.readers import read_lines
from cepts.errors import InputError, said
from cepts.phrases.projection import MAX_GAP, Placed, Span, best_links, project_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath
    from cepts.links import Link
    from cepts.phrases.projection_lines import Line

OUTSIDE = "O"
TAG = re.compile(r"O|[BI]-\S+")


class Entity(NamedTuple):
    """An entity of some kind: words `begin` to `end` of its sentence, the end not included."""

    begin: int
    end: int
    kind: str


class BioSentence(NamedTuple):
    """The words of a sentence, and its entities."""

    words: list[str]
    entities: list[Entity]


class ProjectedEntities(NamedTuple):
    """The entities that arrive, each with where, and how many there were and were torn apart."""

    entities: list[tuple[Entity, Placed]]
    known: int
    torn: int


@checked
def read_bio(path: FilePath, errors: Errors = "strict", lenient: bool = False) -> list[BioSentence]:
    """Read entities: on each line a word, and in the last column O, B-KIND or I-KIND.

    With `lenient`, an I- that continues nothing begins an entity, as in IOB1.
    """
    return parse_bio(read_lines(path, errors), shown(path), lenient)


def parse_bio(lines: Sequence[str], name: str, lenient: bool = False) -> list[BioSentence]:
    """Parse the lines of a file that messages call `name`."""
    sentences: list[BioSentence] = []
    words, tags = list[str](), list[str]()
    for number, line in enumerate([*lines, ""], 1):
        fields = WORD.findall(line)
        if fields:
            _check_fields(fields, tags, name, number, lenient)
            words.append(fields[0])
            tags.append(fields[-1])
        elif words:
            sentences.append(BioSentence(words, entities_of(tags)))
            words, tags = [], []
    return sentences


def _check_fields(fields: list[str], before: list[str], name: str, number: int, lenient: bool) -> None:
    """Refuse a line without a tag, an unknown tag, and an I- that continues nothing."""
    if len(fields) == 1:
        raise InputError(
            f"{name}, line {number}: one column, expected a word and its tag, such as Paris B-LOC"
        )
    tag = fields[-1]
    if not TAG.fullmatch(tag):
        raise InputError(f"{name}, line {number}: tag {tag!r}, expected O, B-KIND or I-KIND, such as B-LOC")
    kind = tag[2:]
    if not lenient and tag.startswith("I-") and (not before or before[-1] not in (f"B-{kind}", f"I-{kind}")):
        last = before[-1] if before else "the beginning of the sentence"
        raise InputError(
            f"{name}, line {number}: {tag} behind {last}, expected B-{kind} or I-{kind} before it; write B-{kind}, or"
            f" use {said('lenient', True)}, which begins an entity here"
        )


def entities_of(tags: Sequence[str]) -> list[Entity]:
    """Return the entities that tags say; an I- that continues nothing begins one.

    >>> entities_of(["B-PER", "I-PER", "O", "B-LOC", "B-LOC"])
    [Entity(begin=0, end=2, kind='PER'), Entity(begin=3, end=4, kind='LOC'), Entity(begin=4, end=5, kind='LOC')]
    """
    found: list[Entity] = []
    for place, tag in enumerate(tags):
        kind = tag[2:]
        if tag.startswith("I-") and found and found[-1][1:] == (place, kind):
            found[-1] = Entity(found[-1].begin, place + 1, kind)
        elif tag != OUTSIDE:
            found.append(Entity(place, place + 1, kind))
    return found


@checked
def project_entities(
    entities: Sequence[Entity], target: Line, links: Iterable[Link], max_gap: int = MAX_GAP
) -> ProjectedEntities:
    """Carry entities to the words of a translation; see `cepts.phrases.projection.project_spans`."""
    best = best_links(links, len(target.spans))
    placed = project_spans([Span(entity.begin, entity.end) for entity in entities], best, max_gap)
    arrived = [(entity, where) for entity, where in zip(entities, placed, strict=True) if where]
    return ProjectedEntities(arrived, len(entities), sum(where.torn for _, where in arrived))


def write_bio(entities: Sequence[tuple[Entity, Placed]], target: Line, stream: TextIO) -> None:
    """Write a sentence: word, tag and the entity's confidence (_ where there is none), separated by TAB."""
    columns = [[word, OUTSIDE, "_"] for word in target.words]
    for entity, where in entities:
        for place in range(where.begin, where.end):
            begin = "B" if place == where.begin else "I"
            columns[place][1:] = [f"{begin}-{entity.kind}", f"{where.confidence:.2f}"]
    stream.writelines("\t".join(row) + "\n" for row in columns)
    if columns:
        stream.write("\n")
