"""BLEU of tokens (Papineni et al., 2002), from statistics that can be added up.

A row of statistics has the n-grams of a translation that its reference has too, for n from 1 to 4, then how many
n-grams it has, then its length and that of the reference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.checking import checked
from cepts.errors import InputError, OptionError
from cepts.translation.bleu_kernels import LENGTH, ORDER, REFERENCE, fill_statistics

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.float64]

COLUMNS = 2 * ORDER + 2


@checked
def bleu(statistics: Rows) -> Rows:
    """Return the BLEU of each row of statistics, from 0 to 100; 0 where no n-gram of some length is right.

    >>> bleu(statistics([list("abcdef")], list("abcdef"))).tolist()
    [100.0]
    """
    if not statistics.ndim or statistics.shape[-1] != COLUMNS:
        raise OptionError(f"statistics of shape {statistics.shape}, expected rows of {COLUMNS} numbers")
    return _geometric(statistics[..., :ORDER], statistics[..., ORDER:LENGTH]) * _brevity(statistics)


def smoothed_bleu(statistics: Rows) -> Rows:
    """Return the BLEU of single sentences, with one n-gram more that is right, for n from 2 (Lin and Och, 2004)."""
    matches, totals = statistics[..., :ORDER].copy(), statistics[..., ORDER:LENGTH].copy()
    matches[..., 1:] += 1.0
    totals[..., 1:] += 1.0
    return _geometric(matches, totals) * _brevity(statistics)


@checked
def bleu_of(translations: Sequence[str], references: Sequence[str]) -> float:
    """Return the BLEU of translations whose tokens stand between spaces.

    >>> bleu_of(["the cat sat on the mat", ""], ["the cat sat on the mat", ""])
    100.0
    """
    if len(translations) != len(references):
        raise InputError(
            f"{len(translations)} translations but {len(references)} references, expected as many"
        )
    total = np.zeros(COLUMNS)
    for translation, reference in zip(translations, references, strict=True):
        total += statistics([translation.split()], reference.split())[0]
    return float(bleu(total))


def statistics(translations: Sequence[Sequence[Hashable]], reference: Sequence[Hashable]) -> Rows:
    """Return a row of statistics for each translation of one sentence."""
    numbers: dict[Hashable, int] = {}
    ids = np.array(
        [numbers.setdefault(token, len(numbers)) for translation in translations for token in translation],
        np.int32,
    )
    right = np.array([numbers.setdefault(token, len(numbers)) for token in reference], np.int32)
    lengths = [len(translation) for translation in translations]
    return id_statistics(ids, np.cumsum([0, *lengths], dtype=np.int64), right)


def id_statistics(ids: NDArray[np.int32], offsets: NDArray[np.int64], reference: NDArray[np.int32]) -> Rows:
    """Do so for translations of ids, one behind the other: number k is `ids[offsets[k]:offsets[k + 1]]`."""
    rows = np.empty((len(offsets) - 1, COLUMNS))
    fill_statistics(ids, offsets, reference, rows)
    return rows


def _geometric(matches: Rows, totals: Rows) -> Rows:
    """Return the geometric mean of the precisions, in percent."""
    with np.errstate(divide="ignore"):
        logs = np.log(matches / np.maximum(totals, 1.0))
    means: Rows = 100.0 * np.exp(logs.mean(axis=-1))
    return means


def _brevity(statistics: Rows) -> Rows:
    """Return what translations lose that are shorter than their reference."""
    length, reference = statistics[..., LENGTH], statistics[..., REFERENCE]
    factor: Rows = np.exp(np.minimum(0.0, 1.0 - reference / np.maximum(length, 1.0)))
    return factor
