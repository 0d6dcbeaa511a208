"""Cleaning: how well scores tell bad pairs that were put into a text from its own."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts import bounds
from cepts.aligning import Aligner
from cepts.corpus import Bitext, side_from_tokens, tokenize
from cepts.evaluation import estimate
from cepts.quality import Similarity, filter_bitext
from cepts.quality.rules import Rules
from huerta.figures import block_means, placements
from huerta.material import read_tatoeba, read_translated, read_words
from huerta.noise import CLEAN, lowered, spoil
from huerta.rows import PAIRS, SHARES, TATOEBA
from paper_tables.records import rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from huerta.noise import Noisy, Pair, Words
    from huerta.results import Sheet
    from huerta.rows import Row

    Floats = NDArray[np.floating[Any]]

LONGEST_SIDE = 100  # words
SEEDS = {"dev": 11, "test": 23}
# The text holds what rules would drop, such as pairs that are there twice: scores alone are asked.
NO_RULES = Rules(
    max_words=bounds.PAIR_WORDS.most, max_ratio=bounds.PAIR_WORDS.most, identical=False, duplicates=False
)


class Dump:
    """The pairs of a corpus that are spoiled and scored, and others that models may have been trained on.

    Dev takes the first pairs, which choices may have been made on, test the last ones; others come from the middle.
    """

    def __init__(self, corpus: str, sheet: Sheet, threads: int) -> None:
        self.threads, self.seed = threads, SEEDS[sheet.part]
        pairs, machines = read_clean(corpus)
        size = min(sheet.size or PAIRS, len(pairs) // 3)
        first = 0 if sheet.part == "dev" else len(pairs) - size
        middle = (len(pairs) - size) // 2
        self.pairs = pairs[first : first + size]
        self.machines = None if machines is None else machines[first : first + size]
        self.others = bitext_of(pairs[middle : middle + size])

    @cached_property
    def models(self) -> tuple[Aligner, Similarity]:
        """An aligner and a similarity that were trained on other pairs of the corpus."""
        aligner = Aligner(threads=self.threads).fit(self.others)
        return aligner, Similarity.fit(self.others, aligner=aligner, threads=self.threads)

    def spoiled(self, share: int) -> Noisy:
        """Spoil so many percent of the pairs."""
        return spoil(self.pairs, share / 100, self.seed + share, self.machines)


def read_clean(corpus: str) -> tuple[list[Pair], list[Words] | None]:
    """Read the training pairs of a corpus as words, without empty or very long ones, and machine translations."""
    if corpus != TATOEBA:
        pairs = [(source.split(), target.split()) for source, target in read_words(corpus)]
        return [pair for pair in pairs if fits(pair)], None
    lines = zip(read_tatoeba("train"), read_translated(), strict=True)
    made = [((words_of(one), words_of(other)), words_of(machine)) for (one, other), machine in lines]
    kept = [(pair, machine) for pair, machine in made if fits(pair)]
    return [pair for pair, _ in kept], [machine for _, machine in kept]


def words_of(line: str) -> Words:
    """Cut a line into words."""
    return [line[first:end] for first, end in tokenize(line)]


def fits(pair: Pair) -> bool:
    """Tell whether both sides have words, and not too many."""
    return all(0 < len(words) <= LONGEST_SIDE for words in pair)


def bitext_of(pairs: Sequence[Pair]) -> Bitext:
    """Make a bitext of words, lower-cased."""
    sides = zip(*(lowered(pair) for pair in pairs), strict=True)
    source, target = (side_from_tokens(side) for side in sides)
    return Bitext(source, target)


def measure_cleaning(row: Row, dump: Dump) -> dict[str, Any]:
    """Score texts with more and more bad pairs, and return areas under the curve by share and kind of noise."""
    figures: dict[str, Any] = {"pairs": len(dump.pairs), "areas": {}, "blocks": {}, "counts": {}, "found": {}}
    for share in SHARES:
        noisy = dump.spoiled(share)
        scores, threshold = SCORED[row.name](bitext_of(noisy.pairs), dump)
        kinds, key = np.array(noisy.kinds), str(share)
        for name in ("areas", "blocks", "counts", "found"):
            figures[name][key] = {}
        for kind in sorted({*noisy.kinds} - {CLEAN}):
            placed = placements(scores[kinds == kind], scores[kinds == CLEAN])
            figures["areas"][key][kind] = rounded(estimate(placed))
            figures["blocks"][key][kind] = block_means(placed)
        for kind in sorted({*noisy.kinds}):
            figures["counts"][key][kind or "clean"] = int(np.sum(kinds == kind))
            if threshold is not None:
                dropped = float(np.mean(scores[kinds == kind] < threshold))
                figures["found"][key][kind or "clean"] = round(dropped, 4)
    figures["said"] = f"areas {areas_text(figures['areas'])}"
    return figures


def areas_text(areas: dict[str, dict[str, list[float]]]) -> str:
    """Write the areas of the middle share."""
    return ", ".join(f"{kind} {value[0]:.3f}" for kind, value in areas[str(SHARES[1])].items())


Scored = tuple[Any, float | None]  # scores, and the threshold that is suggested, if there is one


def word_ratio(text: Bitext, _: Dump) -> Scored:
    """Score by how near the ratio of lengths in words is to the usual one."""
    return -unusual(text.source.lengths, text.target.lengths), None


def letter_ratio(text: Bitext, _: Dump) -> Scored:
    """Score by how near the ratio of lengths in letters is to the usual one."""
    sides = []
    for side in (text.source, text.target):
        letters = np.array([len(word) for word in side.words])[side.ids]
        sides.append(np.add.reduceat(letters, side.offsets[:-1]))
    return -unusual(*sides), None


def unusual(ones: NDArray[Any], others: NDArray[Any]) -> Floats:
    """Return how far the log ratio of two lengths is from its median."""
    ratios = np.log(others / ones)
    return np.abs(ratios - np.median(ratios))


def alignment_score(text: Bitext, dump: Dump) -> Scored:
    """Score by the log probability of a word that an aligner of the text itself gives."""
    return np.asarray(Aligner(threads=dump.threads).fit(text).align(text).scores), None


def similarity(text: Bitext, dump: Dump) -> Scored:
    """Score by the similarity that is learned from the text itself."""
    return Similarity.fit(text, threads=dump.threads).score(text, threads=dump.threads), None


def default_filter(text: Bitext, dump: Dump) -> Scored:
    """Score with the filter, which learns from the text itself."""
    made = filter_bitext(text, rules=NO_RULES, threads=dump.threads)
    return made.scores, made.suggested


def informed_filter(text: Bitext, dump: Dump) -> Scored:
    """Score with the filter and models of other text."""
    aligner, similar = dump.models
    made = filter_bitext(text, rules=NO_RULES, aligner=aligner, similar=similar, threads=dump.threads)
    return made.scores, made.suggested


SCORED = {
    "length-ratio": word_ratio,
    "letter-ratio": letter_ratio,
    "alignment-score": alignment_score,
    "similarity": similarity,
    "filter": default_filter,
    "filter-models": informed_filter,
}
