"""`Past`: what a model keeps of the text that it was trained on, so that more can be added without that text.

EM needs of a text only what it expects of it: how often each word pair is linked, how often jumps of each length are
made. A model that keeps these counts can go on with new text alone: its M steps add them to what the new text gives, as
if the old text had been walked over again with the links that it had (incremental EM, Neal and Hinton 1998).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.running.flow import until_done
from cepts.words.classes import classes_of, usual_class
from cepts.words.families import words_seen
from cepts.words.hmm import joined_jumps
from cepts.words.indexed import Table, merged
from cepts.words.lexicon import Lexicon, Vocabularies
from cepts.words.model import ExtraCounts
from cepts.words.training import Trainer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side
    from cepts.words.classes import Classes
    from cepts.words.families import Seen
    from cepts.words.finished import Finished
    from cepts.words.hmm_kernels import JumpCounts
    from cepts.words.indexed import IndexedBitext
    from cepts.words.jumps import Jumps
    from cepts.words.model import Totals, Training, WordModel

    Both = tuple[JumpCounts, JumpCounts]


LEAST = (
    0.01  # count of a word pair; with fewer it is nothing to begin with: nineteen of twenty pairs, and no AER
)


class Past(NamedTuple):
    """Counts of a finished lexicon's word pairs, of the jumps of both directions, and of both sides' words.

    Directions that agree count the same for a link, so that one number for a pair is enough; a pair with NULL has a
    count in the one direction in which NULL generates the other word.
    """

    counts: NDArray[np.float32]
    jumps: Both | None
    seen: Seen

    def counted(self, lexicon: Lexicon) -> tuple[Lexicon, Past]:
        """Return the word pairs of a finished lexicon that count for something, and the same past for these."""
        kept = self.counts >= LEAST
        kept[0] = True
        places = np.flatnonzero(kept)
        offsets = np.concatenate([[0], np.cumsum(kept)])[lexicon.row_offsets]
        fewer = Lexicon(offsets, lexicon.columns[places], lexicon.values[places])
        return fewer, self._replace(counts=self.counts[places])


class Before(NamedTuple):
    """What is known before a text is added: counts of its table's entries, of jumps and of words, and the jumps.

    `classes` are those of the words that jumps depend on, where they do.
    """

    counts: ExtraCounts
    jump_counts: Both | None
    seen: Seen
    jumps: tuple[Jumps, Jumps] | None
    classes: Classes | None = None


def past_of(
    model: WordModel,
    bitext: Bitext,
    indexed: IndexedBitext,
    training: Training,
    before: Before | None,
    threads: int,
) -> Past:
    """Walk over a text once more, and keep what the model expects of it together with what was known before.

    `training` is that of the last stage, with all counts that were given beforehand.
    """

    def walked() -> tuple[Totals, NDArray[np.float32]]:
        totals = Trainer(model, indexed, threads).expect(training)
        if training.extra is not None and totals.elsewhere is None:
            totals.lexicon[training.extra.entries] += training.extra.counts[:, None]
        return totals, model.lexicon.kept_counts(totals.of_pairs)

    totals, counts = until_done(walked)
    jumps = totals.jumps
    if jumps is not None and before is not None and before.jump_counts is not None:
        forward, reverse = map(joined_jumps, before.jump_counts, jumps)
        jumps = (forward, reverse)
    return Past(counts, jumps, seen_so_far(bitext, before))


def seen_so_far(bitext: Bitext, before: Before | None) -> Seen:
    """Count how often each word of both sides is there, together with what was there before."""
    known = (None, None) if before is None else before.seen
    source, target = map(words_seen, (bitext.source, bitext.target), known)
    return source, target


def seen_of_text(bitext: Bitext, words: Vocabularies, seen: Seen) -> Seen:
    """Look up how often the words of a text were seen, from the counts of other words; new ones never were."""
    maps = words.maps_of(Vocabularies(bitext.source.words, bitext.target.words))
    source, target = (
        np.append(0, counts)[np.maximum(known[1:], 0)] for known, counts in zip(maps, seen, strict=True)
    )
    return source, target


def grown_text(bitext: Bitext, words: Vocabularies) -> Bitext:
    """Return a text whose words have the numbers that a model has for them; new words come behind."""
    source, target = (
        _renumbered(side, known)
        for side, known in ((bitext.source, words.source), (bitext.target, words.target))
    )
    return replace(bitext, source=source, target=target)


def _renumbered(side: Side, known: Sequence[str]) -> Side:
    numbers = {word: number for number, word in enumerate(known)}
    table = np.array([numbers.setdefault(word, len(numbers)) for word in side.words], np.int32)
    ids = table[side.ids] if len(side.ids) else side.ids
    return replace(side, ids=ids, words=list(numbers))


def grown_index(
    indexed: IndexedBitext, lexicon: Lexicon, bitext: Bitext
) -> tuple[IndexedBitext, NDArray[np.int32]]:
    """Add a finished lexicon's word pairs to those of a text; returns also the numbers that they have then."""
    vocabulary = (len(bitext.source.words), len(bitext.target.words))
    own = Table(_rows(indexed.row_offsets), indexed.row_offsets, indexed.columns)
    old = Table(_rows(lexicon.row_offsets), lexicon.row_offsets, lexicon.columns)
    table, (_, new, known) = merged([_null_pairs(vocabulary), own, old], vocabulary, indexed.scratch)
    row_offsets = np.zeros(vocabulary[0] + 2, np.int64)
    row_offsets[table.words + 1] = np.diff(table.offsets)
    return indexed.renumbered(new, np.cumsum(row_offsets), table.columns), known


def _rows(offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    return np.arange(len(offsets) - 1, dtype=np.int32)


def _null_pairs(vocabulary: tuple[int, int]) -> Table:
    """Pair NULL with every word: a finished lexicon has not all of these, and M steps count on them."""
    sources, targets = vocabulary
    columns = np.concatenate([np.arange(targets + 1), np.zeros(sources)]).astype(np.int32)
    offsets = np.concatenate([[0], np.arange(targets + 1, targets + sources + 2)])
    return Table(np.arange(sources + 1, dtype=np.int32), offsets, columns)


def before_text(past: Past, known: NDArray[np.int32], model: Finished, text: Bitext, longest: int) -> Before:
    """Put together what a model knows before a text is added, `grown_text`, with sentences of up to `longest` words."""
    counts = ExtraCounts(known.astype(np.int64), past.counts)
    if model.jumps is None or past.jumps is None:
        return Before(counts, None, past.seen, None)
    longest = max(longest, past.jumps[0].starts.shape[1])
    forward, reverse = (one.reaching(longest) for one in model.jumps)
    classes = None
    if model.classes is not None:
        source, target = map(_grown_classes, (text.source, text.target), model.classes)
        classes = (source, target)
    return Before(counts, past.jumps, past.seen, (forward, reverse), classes)


def _grown_classes(side: Side, classes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Put the words that come behind known ones into a class, too."""
    numbers = np.arange(1, len(side.words) + 1)
    return classes_of(np.where(numbers <= len(classes), numbers, -1), classes, usual_class(classes))
