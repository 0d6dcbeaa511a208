"""`Side` and `Bitext`: parallel text as flat arrays of word ids."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.checking import check_part, check_position, check_positions, checked
from cepts.corpus.originals import Originals
from cepts.errors import InputError, OptionError, OutputError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cepts.corpus.segmenter import Segmenter

Int32 = np.dtype(np.int32)
Int64 = np.dtype(np.int64)


@checked
@dataclass(frozen=True, eq=False)
class Side:
    """One language of a bitext: sentence k holds the words `ids[offsets[k]:offsets[k + 1]]`.

    `words[id]` is the (lower-cased, unless case was kept) word of an id; ids count from 0 in order of
    first appearance. `spans` holds, where Cepts tokenised the text or its lines were kept, the first and the end
    character of each token in its original line; `originals` are these lines as they were read, where they were kept;
    `segmenter` is how text without spaces was cut, with what was learned.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    words: Sequence[str]
    spans: NDArray[np.int32] | None = None
    segmenter: Segmenter | None = None
    originals: Originals | None = None

    def __len__(self) -> int:
        """Count the sentences."""
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each sentence."""
        return np.diff(self.offsets)

    def sentence(self, k: int) -> list[str]:
        """Return the words of sentence k as they are in the vocabulary."""
        check_position(k, len(self), "sentence")
        k %= len(self)
        return [self.words[i] for i in self.ids[self.offsets[k] : self.offsets[k + 1]]]

    def part(self, first: int, end: int) -> Side:
        """Return the sentences from `first` to `end`, with the same words."""
        check_part(first, end, len(self))
        offsets = self.offsets[first : end + 1]
        rows = slice(int(offsets[0]), int(offsets[-1]))
        spans = None if self.spans is None else self.spans[rows]
        originals = None if self.originals is None else self.originals.part(first, end)
        return Side(self.ids[rows], offsets - offsets[0], self.words, spans, self.segmenter, originals)

    def picked(self, numbers: NDArray[np.int64]) -> Side:
        """Return the sentences with these numbers, in their order, with the same words.

        >>> chosen = side_from_tokens([["a", "b"], [], ["c"]]).picked(np.array([2, 0, 2]))
        >>> [chosen.sentence(k) for k in range(3)]
        [['c'], ['a', 'b'], ['c']]
        """
        check_positions(numbers, len(self), "sentence")
        lengths = self.lengths[numbers]
        offsets = np.zeros(len(numbers) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        places = np.repeat(self.offsets[numbers] - offsets[:-1], lengths) + np.arange(offsets[-1])
        spans = None if self.spans is None else self.spans[places]
        originals = None if self.originals is None else self.originals.picked(numbers)
        return Side(self.ids[places], offsets, self.words, spans, self.segmenter, originals)

    def token_spans(self, k: int) -> NDArray[np.int32] | None:
        """Return where each token of sentence k stands in its original line, where that is known."""
        check_position(k, len(self), "sentence")
        k %= len(self)
        return None if self.spans is None else self.spans[self.offsets[k] : self.offsets[k + 1]]


@checked
@dataclass(frozen=True, eq=False)
class Bitext:
    """Sentence pairs: sentence k of `source` and sentence k of `target` translate each other.

    What is known of the file that they were read from: `units`, for each pair the number of its unit (a TMX `tu`, a PO
    entry, a row), from 1, where pairs are not simply lines; `left_out`, how many units were left out, by reason;
    `languages`, the codes of both sides, where the file has them.
    """

    source: Side
    target: Side
    seconds_to_read: float = field(default=0.0, compare=False)
    units: NDArray[np.int64] | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    languages: tuple[str, str] | None = None

    def __len__(self) -> int:
        """Count the sentence pairs."""
        return len(self.source)

    def part(self, first: int, end: int) -> Bitext:
        """Return the pairs from `first` to `end`, with the same words."""
        check_part(first, end, len(self))
        end = min(end, len(self))
        units = None if self.units is None else self.units[first:end]
        sides = self.source.part(first, end), self.target.part(first, end)
        return Bitext(*sides, units=units, languages=self.languages)

    def picked(self, numbers: NDArray[np.int64]) -> Bitext:
        """Return the pairs with these numbers, in their order, with the same words."""
        check_positions(numbers, len(self), "pair")
        units = None if self.units is None else self.units[numbers]
        sides = self.source.picked(numbers), self.target.picked(numbers)
        return Bitext(*sides, units=units, languages=self.languages)

    def words_of(self, k: int) -> tuple[list[str], list[str]]:
        """Return the source and the target words of pair k as they are in the vocabularies."""
        return self.source.sentence(k), self.target.sentence(k)

    def swapped(self) -> Bitext:
        """Return the same pairs with source and target exchanged."""
        languages = None if self.languages is None else self.languages[::-1]
        return Bitext(self.target, self.source, self.seconds_to_read, self.units, self.left_out, languages)

    @property
    def cells(self) -> int:
        """The number of possible links: source words times target words, over all pairs."""
        return int(np.dot(self.source.lengths, self.target.lengths))

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the pairs into a folder, as arrays that `load` maps into memory."""
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            for name, side in (("source", self.source), ("target", self.target)):
                for part, array in _arrays(side).items():
                    _write_array(Path(folder) / f"{name}-{part}.npy", array)
                _write_json(Path(folder) / f"{name}-words.json", list(side.words))
                known = None if side.segmenter is None else side.segmenter.described()
                _write_json(Path(folder) / f"{name}-segmenter.json", known)
            _write_array(Path(folder) / "units.npy", self.units)
            origin = {"left_out": dict(self.left_out), "languages": self.languages}
            _write_json(Path(folder) / "origin.json", origin)
        except OSError as error:
            raise OutputError(f"cannot write a bitext to {folder}: {error.strerror or error}") from None

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Bitext:
        """Open the pairs that `save` wrote; the arrays stay on disk until they are used."""
        try:
            source, target = (_load_side(Path(folder), name) for name in ("source", "target"))
            units, left_out, languages = _load_origin(Path(folder))
        except (OSError, ValueError, TypeError, LookupError, EOFError, OptionError) as error:
            raise InputError(f"{folder} holds no saved bitext, or a damaged one: {error}") from None
        if len(source) != len(target):
            raise InputError(
                f"{folder}: {len(source)} source but {len(target)} target sentences; save it again"
            )
        return cls(source, target, units=units, left_out=left_out, languages=languages)


def _arrays(side: Side) -> dict[str, NDArray[Any] | None]:
    """Name the arrays of a side."""
    kept = None if side.originals is None else side.originals.compact()
    return {
        "ids": side.ids,
        "offsets": side.offsets,
        "spans": side.spans,
        "originals": None if kept is None else kept.text,
        "original-lengths": None if kept is None else kept.end - kept.first,
    }


def _write_array(path: Path, array: NDArray[np.generic] | None) -> None:
    """Write an array, or see that there is no file of it."""
    path.unlink(
        missing_ok=True
    )  # a fresh file: cutting one short that is still mapped would kill the process
    if array is not None:
        np.save(path, array, allow_pickle=False)


def _write_json(path: Path, content: object) -> None:
    """Write what JSON can hold."""
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def _load_side(folder: Path, name: str) -> Side:
    """Open one side of a saved bitext."""
    words = json.loads((folder / f"{name}-words.json").read_text(encoding="utf-8"))
    ids, offsets = (_mapped(folder / f"{name}-{part}.npy") for part in ("ids", "offsets"))
    spans, text, lengths = (
        _mapped(path) if path.exists() else None
        for path in (folder / f"{name}-{part}.npy" for part in ("spans", "originals", "original-lengths"))
    )
    originals = None if text is None or lengths is None else Originals.cut(text, lengths)
    return Side(ids, offsets, words, spans, _segmenter(folder, name), originals)


def _segmenter(folder: Path, name: str) -> Segmenter | None:
    """Open how a side was cut; bitexts of version 0.1 do not say."""
    from cepts.corpus.segmenter import Segmenter

    path = folder / f"{name}-segmenter.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    return None if known is None else Segmenter.of_description(known)


def _load_origin(folder: Path) -> tuple[NDArray[np.int64] | None, dict[str, int], tuple[str, str] | None]:
    """Open what is known of the file that a bitext was read from."""
    units = _mapped(folder / "units.npy") if (folder / "units.npy").exists() else None
    if not (folder / "origin.json").exists():  # saved before there was anything to know
        return units, {}, None
    known = json.loads((folder / "origin.json").read_text(encoding="utf-8"))
    languages = known["languages"]
    return units, known["left_out"], None if languages is None else (languages[0], languages[1])


def _mapped(path: Path) -> NDArray[Any]:
    """Map an array into memory, copied where written: a read-only one would be another type to kernels."""
    array: NDArray[Any] = np.load(path, mmap_mode="c", allow_pickle=False).view(np.ndarray)
    return array


@checked
def side_from_tokens(sentences: Iterable[Sequence[str]]) -> Side:
    """Encode sentences that are already lists of words."""
    table: dict[str, int] = {}
    ids: list[int] = []
    offsets = [0]
    for words in sentences:
        ids.extend(table.setdefault(word, len(table)) for word in words)
        offsets.append(len(ids))
    return Side(np.array(ids, Int32), np.array(offsets, Int64), list(table))
