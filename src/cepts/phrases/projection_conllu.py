"""CoNLL-U: reading sentences, and carrying tags and dependencies to their translations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TextIO

from cepts.checking import checked
from cepts.corpus.files import shown
from cepts.corpus.readers import read_lines
from cepts.errors import InputError
from cepts.phrases.projection import ROOT, best_links, complete_heads, project_heads

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath
    from cepts.links import Link
    from cepts.phrases.projection_lines import Line

COLUMNS = 10
NOTHING = "_"
WHOLE = re.compile("[1-9][0-9]{0,8}")
RANGE = re.compile("([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
EMPTY_NODE = re.compile(r"[0-9]{1,9}\.[1-9][0-9]{0,8}")
HEAD = re.compile("0|[1-9][0-9]{0,8}|_")


class ConlluWord(NamedTuple):
    """A word with its annotations; `head` is another word of the sentence, from 0, ROOT, or None if not known."""

    form: str
    upos: str = NOTHING
    xpos: str = NOTHING
    feats: str = NOTHING
    head: int | None = None
    deprel: str = NOTHING
    confidence: float | None = None


@dataclass
class ConlluSentence:
    """The words of a sentence; which words are one surface token, as (first, end); its `sent_id`, if there is one."""

    words: list[ConlluWord] = field(default_factory=list)
    joined: list[tuple[int, int]] = field(default_factory=list)
    identifier: str | None = None
    empty_nodes: int = 0

    @property
    def surface(self) -> list[tuple[int, int]]:
        """The words of each surface token: one, or those of a multiword token.

        >>> ConlluSentence([ConlluWord(form) for form in "abc"], [(0, 2)]).surface
        [(0, 2), (2, 3)]
        """
        ends = dict(self.joined)
        tokens, word = [], 0
        while word < len(self.words):
            tokens.append((word, ends.get(word, word + 1)))
            word = tokens[-1][1]
        return tokens


@checked
def read_conllu(path: FilePath, errors: Errors = "strict") -> list[ConlluSentence]:
    """Read a CoNLL-U file; empty nodes are counted and left out."""
    return parse_conllu(read_lines(path, errors), shown(path))


def parse_conllu(lines: Sequence[str], name: str) -> list[ConlluSentence]:
    """Parse the lines of a file that messages call `name`."""
    sentences: list[ConlluSentence] = []
    some: list[tuple[int, str]] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            some.append((number, line))
        elif some:
            sentences.append(_parsed(some, name))
            some = []
    return sentences


def _parsed(lines: list[tuple[int, str]], name: str) -> ConlluSentence:
    """Parse the lines of a sentence, each with its number."""
    sentence = ConlluSentence()
    numbers: list[int] = []  # of the words' lines
    for number, line in lines:
        try:
            if line.startswith("#"):
                _take_comment(sentence, line)
            elif _take_word(sentence, line.split("\t")):
                numbers.append(number)
        except InputError as error:
            raise InputError(f"{name}, line {number}: {error}") from error
    if not numbers:
        raise InputError(
            f"{name}, line {lines[0][0]}: a sentence without words, expected lines of 10 columns"
        )
    _check_tokens(sentence, name, numbers)
    _check_heads(sentence, name, numbers)
    return sentence


def _take_comment(sentence: ConlluSentence, line: str) -> None:
    """Keep the sentence's identifier."""
    key, _, value = line[1:].partition("=")
    if key.strip() == "sent_id":
        sentence.identifier = value.strip()


def _take_word(sentence: ConlluSentence, columns: list[str]) -> bool:
    """Add what a line of columns says; tell whether it is a word."""
    if len(columns) != COLUMNS:
        raise InputError(f"{len(columns)} columns, expected 10, separated by TAB; is this CoNLL-U?")
    number, form, _, upos, xpos, feats, head, deprel = columns[:8]
    expected = len(sentence.words) + 1
    if EMPTY_NODE.fullmatch(number):
        sentence.empty_nodes += 1
        return False
    if match := RANGE.fullmatch(number):
        first, last = int(match[1]), int(match[2])
        if first != expected or last <= first:
            raise InputError(
                f"multiword token {number}, expected one that begins with word {expected} and ends later"
            )
        sentence.joined.append((first - 1, last))
        return False
    if not WHOLE.fullmatch(number) or int(number) != expected:
        raise InputError(f"ID {number!r}, expected {expected}; IDs count the words of a sentence from 1")
    if not HEAD.fullmatch(head):
        raise InputError(f"HEAD {head!r}, expected the ID of a word, 0 for the root, or _")
    where = None if head == NOTHING else ROOT if head == "0" else int(head) - 1
    sentence.words.append(ConlluWord(form, upos, xpos, feats, where, deprel))
    return True


def _check_tokens(sentence: ConlluSentence, name: str, numbers: list[int]) -> None:
    """Refuse multiword tokens that overlap or go on behind the sentence."""
    before = 0
    for first, end in sentence.joined:
        if first < before or end > len(sentence.words):
            raise InputError(
                f"{name}, line {numbers[min(first, len(numbers) - 1)]}: multiword token {first + 1}-{end} overlaps"
                f" another one, or goes beyond the last word, {len(sentence.words)}; correct it"
            )
        before = end


def _check_heads(sentence: ConlluSentence, name: str, numbers: list[int]) -> None:
    """Refuse heads that are not there, and words that are above themselves."""
    heads = [word.head for word in sentence.words]
    safe: set[int] = set()  # words whose heads lead to a root
    for word, head in enumerate(heads):
        if head is not None and head >= len(heads):
            raise InputError(
                f"{name}, line {numbers[word]}: HEAD {head + 1}, but the sentence has {len(heads)} words; correct it"
            )
    for word in range(len(heads)):
        path: dict[int, None] = {}  # in its order
        here: int | None = word
        while here is not None and here != ROOT and here not in safe:
            if here in path:
                way = [*path]
                cycle = " -> ".join(str(k + 1) for k in [*way[way.index(here) :], here])
                raise InputError(
                    f"{name}, line {numbers[here]}: the heads make a cycle, {cycle}; expected a tree"
                )
            path[here] = None
            here = heads[here]
        safe.update(path)


@checked
def project_conllu(
    sentence: ConlluSentence, target: Line, links: Iterable[Link], complete: bool = False
) -> list[ConlluWord]:
    """Carry tags, features and dependencies to the words of a translation; lemmas stay behind.

    A dependency arrives where both words are linked; with `complete`, all others are put in as `dep`, so that the
    words are one tree.
    """
    best = best_links(links, len(target.spans))
    heads = [word.head for word in sentence.words]
    found = project_heads(heads, best)
    ends = complete_heads(heads, best, found) if complete else found
    words = []
    for form, link, head, known in zip(target.words, best, ends, found, strict=True):
        source = sentence.words[link.source] if link else ConlluWord(form)
        deprel = (
            NOTHING if head is None else source.deprel if head == known else "root" if head == ROOT else "dep"
        )
        confidence = link.confidence if link else None
        words.append(ConlluWord(form, source.upos, source.xpos, source.feats, head, deprel, confidence))
    return words


def write_conllu(words: list[ConlluWord], target: Line, identifier: str | None, stream: TextIO) -> None:
    """Write one sentence, with each link's confidence in the last column; nothing for one without words."""
    if not words:
        return
    if identifier is not None:
        stream.write(f"# sent_id = {identifier}\n")
    stream.write(f"# text = {' '.join(target.text.split())}\n")
    for number, word in enumerate(words):
        head = NOTHING if word.head is None else str(word.head + 1)
        columns = (str(number + 1), word.form, NOTHING, word.upos, word.xpos, word.feats, head, word.deprel)
        stream.write("\t".join((*columns, NOTHING, _misc(word, target, number))) + "\n")
    stream.write("\n")


def _misc(word: ConlluWord, target: Line, number: int) -> str:
    """Return the last column."""
    parts = [] if word.confidence is None else [f"Confidence={word.confidence:.2f}"]
    if number + 1 < len(target.spans) and target.spans[number][1] == target.spans[number + 1][0]:
        parts.append("SpaceAfter=No")
    return "|".join(parts) or NOTHING
