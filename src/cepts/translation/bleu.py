"""BLEU of tokens (Papineni et al., 2002), from statistics that can be added up.

A row of statistics has the n-grams of a translation that its reference has too, for n from 1 to 4, then how many
n-grams it has, then its length and that of the reference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.float64]

ORDER = 4
LENGTH, REFERENCE = 2 * ORDER, 2 * ORDER + 1  # columns
COLUMNS = 2 * ORDER + 2


def bleu(statistics: Rows) -> Rows:
    """Return the BLEU of each row of statistics, from 0 to 100; 0 where no n-gram of some length is right.

    >>> bleu(statistics([list("abcdef")], list("abcdef"))).tolist()
    [100.0]
    """
    return _geometric(statistics[..., :ORDER], statistics[..., ORDER:LENGTH]) * _brevity(statistics)


def smoothed_bleu(statistics: Rows) -> Rows:
    """Return the BLEU of single sentences, with one n-gram more that is right, for n from 2 (Lin and Och, 2004)."""
    matches, totals = statistics[..., :ORDER].copy(), statistics[..., ORDER:LENGTH].copy()
    matches[..., 1:] += 1.0
    totals[..., 1:] += 1.0
    return _geometric(matches, totals) * _brevity(statistics)


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
    right = np.array([numbers.setdefault(token, len(numbers)) for token in reference], np.int64)
    lengths = np.array([len(translation) for translation in translations], np.int64)
    flat = [numbers.setdefault(token, len(numbers)) for translation in translations for token in translation]
    rows = np.zeros((len(lengths), COLUMNS))
    rows[:, LENGTH], rows[:, REFERENCE] = lengths, len(right)
    owners = np.repeat(np.arange(len(lengths)), lengths)
    left = np.cumsum(lengths)[owners] - np.arange(
        len(owners)
    )  # tokens from here to the end of the translation
    tokens = np.array(flat, np.int64)
    for n in range(1, ORDER + 1):
        rows[:, ORDER + n - 1] = np.maximum(lengths - n + 1, 0)
        rows[:, n - 1] = _matches(tokens, owners, left >= n, right, n, len(lengths))
    return rows


def _matches(
    tokens: NDArray[np.int64],
    owners: NDArray[np.int64],
    whole: NDArray[np.bool_],
    right: NDArray[np.int64],
    n: int,
    count: int,
) -> NDArray[np.float64]:
    """Count the n-grams of each translation that the reference has, each at most as often as the reference."""
    if len(right) < n or not whole.any():
        return np.zeros(count)
    width = max(int(tokens.max()), int(right.max())) + 1
    known, allowed = np.unique(_grams(right, np.arange(len(right) - n + 1), n, width), return_counts=True)
    begins = np.flatnonzero(whole)
    grams = _grams(tokens, begins, n, width)
    place = np.minimum(np.searchsorted(known, grams), len(known) - 1)
    hit = known[place] == grams
    pairs, used = np.unique(owners[begins[hit]] * len(known) + place[hit], return_counts=True)
    clipped = np.minimum(used, allowed[pairs % len(known)]).astype(np.float64)
    return np.bincount(pairs // len(known), clipped, count).astype(np.float64)


def _grams(tokens: NDArray[np.int64], begins: NDArray[np.int64], n: int, width: int) -> NDArray[np.int64]:
    """Return the number of each n-gram; n-grams of more than 50,000 different tokens may share one."""
    grams = tokens[begins]
    for k in range(1, n):
        grams = grams * width + tokens[begins + k]
    return grams


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
