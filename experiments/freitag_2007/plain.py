"""Plain transliteration: each letter becomes what it becomes most often."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from cepts.characters import Candidate
from cepts.names.linked_characters import linked
from cepts.words.training import ignore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cepts.links import Links
    from freitag_2007.material import Pairs


class PlainTransliteration(NamedTuple):
    """What each letter of the source becomes."""

    table: dict[str, str]

    @classmethod
    def fit(cls, pairs: Pairs, threads: int = 1, **options: Any) -> PlainTransliteration:
        """Link the letters of pairs, and take for each what it is linked to most often; `options` are the aligner's."""
        links = linked(pairs, threads, ignore, **options)
        return cls(most_frequent(pairs, links))

    def transcribe(self, names: Iterable[str], n_best: int = 5) -> list[list[Candidate]]:
        """Write names letter by letter; there is one way, however many are asked for."""
        del n_best
        return [
            [Candidate("".join(self.table.get(letter, letter) for letter in name), 0.0)] for name in names
        ]


def most_frequent(pairs: Pairs, links: Links) -> dict[str, str]:
    """Return for each source letter the target letters that it is linked to most often, "" if mostly to none."""
    counts: dict[str, Counter[str]] = {}
    for number, (source, target) in enumerate(pairs):
        partners: dict[int, str] = {}
        for place, other, *_ in sorted(links[number]):
            partners[place] = partners.get(place, "") + target[other]
        for place, letter in enumerate(source):
            counts.setdefault(letter, Counter())[partners.get(place, "")] += 1
    return {letter: max(sorted(found), key=found.__getitem__) for letter, found in counts.items()}
