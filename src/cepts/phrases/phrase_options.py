"""`PhraseOptions`: the phrase pairs of a text in memory, found by their source phrase, as a decoder wants them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts import bounds
from cepts.errors import OptionError
from cepts.phrases.discounts import discounted
from cepts.phrases.extraction import extract
from cepts.phrases.lexical import lexical_tables, lookup
from cepts.phrases.tries import TRIE, Trie, trie_of, writable
from cepts.storage.schema import Field, Schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.links import Links

OPTION_FEATURES = ("phrase", "phrase_reverse", "lexical", "lexical_reverse")
LEAST_LEXICAL = 1e-7  # where links are all that is known, no probability is nought
SMOOTHINGS = ("kneser-ney", "none")
OPTIONS = Schema(
    (
        *TRIE,
        Field("first_option", "int64", ("nodes + 1",), cuts="options"),
        Field("target_offsets", "int64", ("options + 1",), cuts="tokens"),
        Field("target_ids", "int32", ("tokens",), 0, "targets - 1"),
        Field("features", "float32", ("options", len(OPTION_FEATURES)), -1e6, 1e-4),
    )
)


class Extraction(NamedTuple):
    """Which phrase pairs are taken: ids a side, how many for each source phrase, and how counts become probabilities.

    `unaligned` is a rule of `cepts.phrases.extract`.
    """

    max_length: int = 7
    most_options: int = 30
    smoothing: str = "kneser-ney"
    unaligned: str = "edges"


DEFAULT_EXTRACTION = Extraction()


@dataclass(frozen=True, eq=False)
class PhraseOptions:
    """Source phrases are nodes of a trie; node n has the options `first_option[n]` up to `first_option[n + 1]`.

    Option k is the target ids from `target_offsets[k]` to `target_offsets[k + 1]`, and a row of `features`: the
    logarithms of p(target | source), p(source | target) and of both lexical weights.
    """

    trie: Trie
    first_option: NDArray[np.int64]
    target_offsets: NDArray[np.int64]
    target_ids: NDArray[np.int32]
    features: NDArray[np.float32]

    def __len__(self) -> int:
        """Count the options."""
        return len(self.features)

    @property
    def target_lengths(self) -> NDArray[np.int64]:
        """The number of target ids of each option."""
        return np.diff(self.target_offsets)

    @classmethod
    def of(cls, bitext: Bitext, links: Links, chosen: Extraction = DEFAULT_EXTRACTION) -> PhraseOptions:
        """Extract the phrase pairs of a text and its sure links, and weigh them (Koehn, Och and Marcu, 2003).

        A phrase pair has the largest of the lexical weights that its links give it in different places.
        """
        _check(chosen)
        links = links.select(links.sure)
        lengths = bitext.source.lengths, bitext.target.lengths
        found = extract(links, *lengths, chosen.max_length, chosen.unaligned)
        source_begin = bitext.source.offsets[found.pair] + found.source_begin
        target_begin = bitext.target.offsets[found.pair] + found.target_begin
        widths = found.source_end - found.source_begin, found.target_end - found.target_begin
        source, source_ends = trie_of(bitext.source.ids, source_begin, widths[0].astype(np.int64))
        _, target_ends = trie_of(bitext.target.ids, target_begin, widths[1].astype(np.int64))
        weights = _lexical_weights(bitext, links)
        rows = np.stack(
            [
                sums[begin + width] - sums[begin]
                for sums, begin, width in zip(
                    weights, (target_begin, source_begin), widths[::-1], strict=True
                )
            ],
            axis=1,
        )
        counted = _counted(source_ends, target_ends, rows, chosen)
        return cls._sorted(source, counted, bitext.target.ids, target_begin, widths[1])

    @classmethod
    def _sorted(
        cls,
        trie: Trie,
        counted: _Counted,
        ids: NDArray[np.int32],
        begins: NDArray[np.int64],
        widths: NDArray[np.int32],
    ) -> PhraseOptions:
        """Lay out the options that are kept, by source phrase."""
        first = np.searchsorted(counted.source, np.arange(len(trie) + 1)).astype(np.int64)
        lengths = widths[counted.example].astype(np.int64)
        offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
        places = np.arange(offsets[-1]) + np.repeat(begins[counted.example] - offsets[:-1], lengths)
        return cls(trie, first, offsets, ids[places], counted.features)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that the options are, to be saved."""
        return {
            "first_child": self.trie.first_child,
            "ids": self.trie.ids,
            "first_option": self.first_option,
            "target_offsets": self.target_offsets,
            "target_ids": self.target_ids,
            "features": self.features,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], sources: int, targets: int) -> PhraseOptions:
        """Return the options of saved arrays, of so many ids a side; arrays that cannot be raise ValueError."""
        own = {name: writable(array) for name, array in OPTIONS.checked(arrays, {"targets": targets}).items()}
        trie = Trie(own.pop("first_child"), own.pop("ids"))
        if not trie.fits(sources):
            raise ValueError("its phrases are no trie of its words")
        return cls(trie, **own)


class _Counted(NamedTuple):
    """The different phrase pairs by source phrase: its node, a record that shows the target, features."""

    source: NDArray[np.int64]
    example: NDArray[np.int64]
    features: NDArray[np.float32]


def _check(chosen: Extraction) -> None:
    bounds.CANDIDATES.check("most_options", chosen.most_options)
    if chosen.smoothing not in SMOOTHINGS:
        raise OptionError(f"smoothing {chosen.smoothing!r}: expected one of {', '.join(SMOOTHINGS)}")


def _lexical_weights(bitext: Bitext, links: Links) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return running sums of log lexical weights over all target and all source places of the text.

    No link of an id in a phrase pair leaves it, so that an id's weight is the same in all of them.
    """
    there, back = lexical_tables(bitext, links)
    owner = links.row_pairs()
    places = [
        bitext.source.offsets[owner] + links.source,
        bitext.target.offsets[owner] + links.target,
    ]
    ids = bitext.source.ids.astype(np.int64) + 1, bitext.target.ids.astype(np.int64) + 1
    sums = []
    for table, given, generated in ((there, 0, 1), (back, 1, 0)):
        values = lookup(table, ids[given][places[given]], ids[generated][places[generated]])
        total = np.bincount(places[generated], values, minlength=len(ids[generated]))
        number = np.bincount(places[generated], minlength=len(ids[generated]))
        alone = lookup(table, np.zeros_like(ids[generated]), ids[generated])
        mean = np.where(number > 0, total / np.maximum(number, 1), alone)
        logs = np.log(np.maximum(mean, LEAST_LEXICAL))
        sums.append(np.concatenate((np.zeros(1), np.cumsum(logs))))
    return sums[0], sums[1]


def _counted(
    source: NDArray[np.int64], target: NDArray[np.int64], lexical: NDArray[np.float64], chosen: Extraction
) -> _Counted:
    """Count the phrase pairs, weigh them, and keep the most probable of each source phrase."""
    width = int(target.max(initial=0)) + 1
    keys = source * width + target
    order = np.argsort(keys)
    keys = keys[order]
    first = np.flatnonzero(np.concatenate((np.ones(min(len(keys), 1), np.bool_), keys[1:] != keys[:-1])))
    counts = np.diff(first, append=len(keys))
    best = np.maximum.reduceat(lexical[order], first) if len(first) else lexical
    ends = keys[first] // width, keys[first] % width
    there = _probabilities(counts, ends[0], ends[1], chosen.smoothing)
    back = _probabilities(counts, ends[1], ends[0], chosen.smoothing)
    features = np.column_stack((np.log(there), np.log(back), best)).astype(np.float32)
    kept = _most_probable(ends[0], ends[1], features, chosen.most_options)
    return _Counted(ends[0][kept], order[first[kept]], features[kept])


def _most_probable(
    source: NDArray[np.int64], target: NDArray[np.int64], features: NDArray[np.float32], most: int
) -> NDArray[np.int64]:
    """Choose so many phrase pairs of each source phrase; the pairs are sorted by source, then target.

    The lexical weight decides among phrases of one count, then the order of ids: always the same. Only source phrases
    with too many are sorted; the others, nearly all, stay as they are.
    """
    numbers = np.bincount(source)
    many = np.flatnonzero(numbers[source] > most)
    order = many[np.lexsort((target[many], -features[many, 2], -features[many, 0], source[many]))]
    rank = np.arange(len(order)) - np.searchsorted(source[many], source[many])
    chosen = np.ones(len(source), np.bool_)
    chosen[order[rank >= most]] = False
    return np.flatnonzero(chosen)


def _probabilities(
    counts: NDArray[np.int64], given: NDArray[np.int64], generated: NDArray[np.int64], smoothing: str
) -> NDArray[np.float64]:
    """Return p(generated | given) of each phrase pair: its share, or smoothed (Foster, Kuhn and Johnson, 2006)."""
    size = int(given.max(initial=0)) + 1
    if smoothing == "none":
        shares: NDArray[np.float64] = counts / np.bincount(given, counts, minlength=size)[given]
        return shares
    shares, left = discounted(counts, given, size)
    different = np.bincount(generated)
    smoothed: NDArray[np.float64] = shares + left[given] * different[generated] / max(len(counts), 1)
    return smoothed
