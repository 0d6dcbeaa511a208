"""Loops that write the lines of a phrase table, as bytes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cepts.phrases.lexical_kernels import find_entry
from cepts.phrases.records_kernels import END, LINK_BITS, LONGEST
from cepts.phrases.sorting_kernels import COUNT, Records, count_of
from cepts.running.kernel import helper, kernel

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]
Sums = NDArray[np.float64]

SPACE, BAR, DASH, POINT, ZERO, SMALL_E, NEWLINE = 32, 124, 45, 46, 48, 101, 10
DIGITS = 6  # of a probability
ONE = 10 ** (DIGITS - 1)
LINK_BYTES = 12  # of a space and two positions
OTHER_BYTES = 5 * 4 + 4 * 14 + 3 * 20 + 1  # of bars, scores, counts and the line's end
LEAST_FACTOR = 1e-7  # of a lexical weight, so that no weight is 0
LEAST_WEIGHT = 1e-290  # of a whole phrase


class Words(NamedTuple):
    """The words of a side by rank: their bytes, where those of each begin, their ids; and the rank of the bar."""

    text: Bytes
    offsets: Offsets
    ids: Offsets
    bar: int


class Lexical(NamedTuple):
    """How words translate each other, in rows by source word; NULL is row and column 0, word id k is k + 1.

    The values of an entry are p(target | source) and p(source | target); behind the last one are two zeros more.
    """

    rows: Offsets
    columns: NDArray[np.int32]
    values: NDArray[np.float32]


class Parts(NamedTuple):
    """Where the parts of a record begin, and where it ends."""

    source: int
    target: int
    links: int
    end: int


@kernel
def most_bytes(data: Records, source: Words, target: Words) -> int:
    """Return how many bytes the lines of some records have at most."""
    most = place = 0
    while place < len(data):
        parts = find_parts(data, place, source.bar, target.bar)
        most += OTHER_BYTES + LINK_BYTES * (parts.end - parts.links)
        for k in range(parts.source, parts.target):
            most += 1 + source.offsets[data[k] + 1] - source.offsets[data[k]]
        for k in range(parts.target, parts.links):
            most += 1 + target.offsets[data[k] + 1] - target.offsets[data[k]]
        place += data[place]
    return most


@helper
def find_parts(data: Records, place: int, source_bar: int, target_bar: int) -> Parts:
    """Find the parts of the record at `place`."""
    target = place + 1
    while data[target] != source_bar:
        target += 1
    links = target + 1
    while data[links] != target_bar:
        links += 1
    return Parts(place + 1, target + 1, links + 1, place + data[place])


@kernel
def write_lines(
    data: Records,
    totals: Offsets,
    source: Words,
    target: Words,
    lexical: Lexical,
    min_count: int,
    sums: Sums,
    out: Bytes,
) -> tuple[int, int]:
    """Write a line for each record seen often enough; return the number of bytes, and of lines.

    `totals` holds each source phrase's count, by the record's number; `sums` has four rows with room for the words
    of a phrase.
    """
    used = lines = place = number = 0
    while place < len(data):
        parts = find_parts(data, place, source.bar, target.bar)
        place = parts.end
        joint, target_total = count_of(data, parts.end), count_of(data, parts.end - COUNT)
        if joint >= min_count:
            add_links(
                data, parts, source.ids, target.ids, lexical.rows, lexical.columns, lexical.values, sums
            )
            source_weight = weight(sums, 0, parts.target - parts.source - 1)
            target_weight = weight(sums, 2, parts.links - parts.target - 1)
            used = put_phrase(data, parts.source, parts.target, source.text, source.offsets, out, used)
            used = put_phrase(data, parts.target, parts.links, target.text, target.offsets, out, used)
            used = put_score(joint / target_total, out, used)
            used = put_score(source_weight, out, used)
            used = put_score(joint / totals[number], out, used)
            used = put_score(target_weight, out, used)
            used = put_links(data, parts.links, put_bars(out, used), out)
            used = put_counts(target_total, totals[number], joint, out, put_bars(out, used))
            lines += 1
        number += 1
    return used, lines


@helper
def add_links(
    data: Records,
    parts: Parts,
    source_ids: Offsets,
    target_ids: Offsets,
    rows: Offsets,
    columns: NDArray[np.int32],
    values: NDArray[np.float32],
    sums: Sums,
) -> None:
    """Add up what the links of a phrase pair say: p(source | target) of each source word, then how many links it has.

    The next two rows of `sums` are those of target words. A word without a link has one with NULL.
    """
    sources, targets = parts.target - parts.source - 1, parts.links - parts.target - 1
    for i in range(sources):
        sums[0, i], sums[1, i] = 0, 0
    for j in range(targets):
        sums[2, j], sums[3, j] = 0, 0
    k = parts.links
    while data[k] != END:
        i, j = data[k] >> LINK_BITS, data[k] & LONGEST
        row, column = source_ids[data[parts.source + i]] + 1, target_ids[data[parts.target + j]] + 1
        entry = find_entry(rows, columns, row, column)
        sums[0, i] += values[entry, 1]
        sums[1, i] += 1
        sums[2, j] += values[entry, 0]
        sums[3, j] += 1
        k += 1
    for i in range(sources):
        if sums[1, i] == 0:
            entry = find_entry(rows, columns, source_ids[data[parts.source + i]] + 1, 0)
            sums[0, i], sums[1, i] = values[entry, 1], 1
    for j in range(targets):
        if sums[3, j] == 0:
            entry = find_entry(rows, columns, 0, target_ids[data[parts.target + j]] + 1)
            sums[2, j], sums[3, j] = values[entry, 0], 1


@helper
def weight(sums: Sums, first: int, words: int) -> float:
    """Return a phrase's lexical weight (Koehn, Och and Marcu, 2003): the product of its words' mean probabilities."""
    product = 1.0
    for k in range(words):
        product *= max(sums[first, k] / sums[first + 1, k], LEAST_FACTOR)
    return max(product, LEAST_WEIGHT)


@helper
def put_phrase(
    data: Records, begin: int, end: int, text: Bytes, offsets: Offsets, out: Bytes, used: int
) -> int:
    """Write words, the last of them the bar, each with a space behind it; return how much is used."""
    for k in range(begin, end):
        for place in range(offsets[data[k]], offsets[data[k] + 1]):
            out[used] = text[place]
            used += 1
        out[used] = SPACE
        used += 1
    return used


@helper
def put_bars(out: Bytes, used: int) -> int:
    """Write the bars between two fields, behind the space of the field before."""
    out[used : used + 3] = BAR
    out[used + 3] = SPACE
    return used + 4


@helper
def put_links(data: Records, place: int, used: int, out: Bytes) -> int:
    """Write links, each with a space behind it."""
    while data[place] != END:
        used = put_number(data[place] >> LINK_BITS, out, used)
        out[used] = DASH
        used = put_number(data[place] & LONGEST, out, used + 1)
        out[used] = SPACE
        used += 1
        place += 1
    return used


@helper
def put_counts(target: int, source: int, joint: int, out: Bytes, used: int) -> int:
    """Write the three counts and the line's end."""
    used = put_number(target, out, used)
    out[used] = SPACE
    used = put_number(source, out, used + 1)
    out[used] = SPACE
    used = put_number(joint, out, used + 1)
    out[used] = NEWLINE
    return used + 1


@helper
def put_number(number: int, out: Bytes, used: int) -> int:
    """Write a number from 0."""
    end = used + 1
    rest = number // 10
    while rest > 0:
        end += 1
        rest //= 10
    for place in range(end - 1, used - 1, -1):
        out[place] = ZERO + number % 10
        number //= 10
    return end


@kernel
def put_score(score: float, out: Bytes, used: int) -> int:
    """Write a number above 0 and up to 1 with six digits, as C's %g does, and a space."""
    exponent = 0
    while score < 1:
        score *= 10
        exponent -= 1
    number = np.int64(np.rint(score * ONE))
    if number == 10 * ONE:  # rounded up to the next power of ten
        number = ONE
        exponent += 1
    digits = DIGITS
    while digits > 1 and number % 10 == 0:
        number //= 10
        digits -= 1
    if exponent < -4:
        used = put_scientific(number, digits, exponent, out, used)
    elif exponent < 0:
        out[used], out[used + 1] = ZERO, POINT
        out[used + 2 : used + 1 - exponent] = ZERO
        used = put_number(number, out, used + 1 - exponent)
    else:
        used = put_number(number, out, used)
    out[used] = SPACE
    return used + 1


@helper
def put_scientific(number: int, digits: int, exponent: int, out: Bytes, used: int) -> int:
    """Write a number of some digits as in 1.25e-07."""
    power = 1
    for _ in range(digits - 1):
        power *= 10
    used = put_number(number // power, out, used)
    if digits > 1:
        put_number(number % power + power, out, used)  # the first digit, a 1, keeps zeros behind it in place
        out[used] = POINT
        used += digits
    out[used], out[used + 1] = SMALL_E, DASH
    used += 2
    if exponent > -10:
        out[used] = ZERO
        used += 1
    return put_number(-exponent, out, used)
