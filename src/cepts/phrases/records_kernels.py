"""Loops that make records (see `sorting_kernels`) of phrase pairs, and draw them together.

At first a record's body is: target phrase, END, source phrase, END, links, END, count; words are ids. In order, the
records of a target phrase stand together, and among them those of a phrase pair. Then it is: source phrase, bar,
target phrase, bar, links, END, the target phrase's count, count; words are ranks by the alphabet, and so is the bar
that follows a phrase.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cepts.phrases.sorting_kernels import COUNT, Records, count_of, put_count
from cepts.running.kernel import helper, kernel

Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]

END = np.int32(-1)
LINK_BITS = 15  # of a position within a phrase; a link is its source position, then its target position
LONGEST = (1 << LINK_BITS) - 1  # words of a phrase


class Text(NamedTuple):
    """Word ids and links of some sentence pairs, flat, and where those of each pair begin."""

    source_ids: Ids
    target_ids: Ids
    source_offsets: Offsets
    target_offsets: Offsets
    link_source: Ids
    link_target: Ids
    link_offsets: Offsets


class Boxes(NamedTuple):
    """Phrase pairs, by pair and first source word: the rows of `PhrasePairs`."""

    pair: Offsets
    source_begin: Ids
    source_end: Ids
    target_begin: Ids
    target_end: Ids


@kernel
def compose(text: Text, boxes: Boxes, k: int, out: Records, used: int) -> tuple[int, int, int]:
    """Write records of phrase pairs, from number k, to `out[used:]` while there is room.

    Returns the number of the next one, how much is used, and the size of the record that found no room (0: none).
    """
    pair, row, end = np.int64(-1), np.int64(0), np.int64(0)
    while k < len(boxes.pair):
        if boxes.pair[k] != pair:
            pair = boxes.pair[k]
            row, end = text.link_offsets[pair], text.link_offsets[pair + 1]
        source_begin, source_end = boxes.source_begin[k], boxes.source_end[k]
        target_begin, target_end = boxes.target_begin[k], boxes.target_end[k]
        while row < end and text.link_source[row] < source_begin:
            row += 1
        links, after = count_links(
            text.link_source, text.link_target, row, end, source_end, target_begin, target_end
        )
        size = 1 + (target_end - target_begin) + (source_end - source_begin) + links + 3 + COUNT
        if used + size > len(out):
            return k, used, size
        out[used] = size
        words = text.target_offsets[pair]
        place = put_words(text.target_ids, words + target_begin, words + target_end, out, used + 1)
        words = text.source_offsets[pair]
        place = put_words(text.source_ids, words + source_begin, words + source_end, out, place)
        for link in range(row, after):
            i, j = text.link_source[link] - source_begin, text.link_target[link] - target_begin
            if 0 <= j < target_end - target_begin:
                out[place] = (i << LINK_BITS) | j
                place += 1
        out[place] = END
        used += size
        put_count(out, used, 1)
        k += 1
    return k, used, 0


@helper
def count_links(
    source: Ids, target: Ids, row: int, end: int, source_end: int, target_begin: int, target_end: int
) -> tuple[int, int]:
    """Count the links of a box, whose source words' links begin at `row`; return also where those end."""
    links = 0
    while row < end and source[row] < source_end:
        links += target_begin <= target[row] < target_end
        row += 1
    return links, row


@helper
def put_words(ids: Ids, begin: int, end: int, out: Records, place: int) -> int:
    """Write a phrase and END; return the place behind."""
    for k in range(begin, end):
        out[place] = ids[k]
        place += 1
    out[place] = END
    return place + 1


@kernel
def choose_links(data: Records, rest: int, is_last: bool, out: Records) -> tuple[int, int, int, int]:
    """Make one record of all with the same phrases: with their most frequent links, and the sum of all counts.

    Of links that are equally frequent, the first ones are taken. The records of the last phrases may go on in the
    next block. Unless `is_last`, those with the best and with the last links, each with its count so far, are kept for
    it; the sum of the others' counts is `rest` there. Returns how much of `out` is used, the places of the two (-1:
    none, or the same), and the rest.
    """
    used = place = 0
    while place < len(data):
        best, best_count, total = place, 0, rest
        following = place
        while following < len(data) and have_same_phrases(data, place, following):
            current = following
            count = 0
            while following < len(data) and have_same_body(data, current, following):
                following += data[following]
                count += count_of(data, following)
            put_count(data, current + data[current], count)
            total += count
            if count > best_count:
                best, best_count = current, count
        if following == len(data) and not is_last:
            if best == current:
                return used, best, -1, total - best_count
            return used, best, current, total - best_count - count
        size = data[best]
        out[used : used + size] = data[best : best + size]
        used += size
        put_count(out, used, total)
        place, rest = following, 0
    return used, -1, -1, 0


@helper
def have_same_phrases(data: Records, one: int, other: int) -> bool:
    """Tell whether two records have the same first two phrases."""
    ends = 0
    k = 1
    while ends < 2:
        if data[one + k] != data[other + k]:
            return False
        ends += data[one + k] == END
        k += 1
    return True


@helper
def have_same_body(data: Records, one: int, other: int) -> bool:
    """Tell whether two records are the same but for the count."""
    if data[one] != data[other]:
        return False
    for k in range(1, data[one] - COUNT):
        if data[one + k] != data[other + k]:
            return False
    return True


@kernel
def find_groups(data: Records, before: Records, bar: int, begins: NDArray[np.bool_], counts: Offsets) -> int:
    """Say of each record whether its first phrase, up to `bar`, is another than the one before, and its count.

    `before` is the last record of the block before, or empty. Returns the place of the last record.
    """
    number = place = last = 0
    while place < len(data):
        if number == 0:
            begins[0] = len(before) == 0 or not have_same_first(before, 0, data, 0, bar)
        else:
            begins[number] = not have_same_first(data, last, data, place, bar)
        last = place
        place += data[place]
        counts[number] = count_of(data, place)
        number += 1
    return last


@helper
def have_same_first(data: Records, one: int, others: Records, other: int, bar: int) -> bool:
    """Tell whether two records have the same first phrase."""
    k = 1
    while data[one + k] == others[other + k]:
        if data[one + k] == bar:
            return True
        k += 1
    return False


@kernel
def turn_round(
    data: Records,
    place: int,
    totals: Offsets,
    number: int,
    source_ranks: Ids,
    target_ranks: Ids,
    out: Records,
    used: int,
) -> tuple[int, int, int, int]:
    """Write records of the second kind to `out[used:]`, from the one at `place`, while there is room.

    `totals` holds each target phrase's count, by the record's number. The last rank of a side is its bar's. Returns
    place and number of the next record, how much is used, and the size of the record that found no room (0: none).
    """
    while place < len(data):
        size = data[place] + COUNT
        if used + size > len(out):
            return place, number, used, size
        target = place + 1
        source = target
        while data[source] != END:
            source += 1
        source += 1
        out[used] = size
        links, here = put_ranks(data, source, source_ranks, out, used + 1)
        _, here = put_ranks(data, target, target_ranks, out, here)
        for k in range(links, place + data[place] - COUNT):
            out[here] = data[k]
            here += 1
        put_count(out, here + COUNT, totals[number])
        place += data[place]
        used += size
        put_count(out, used, count_of(data, place))
        number += 1
    return place, number, used, 0


@helper
def put_ranks(data: Records, place: int, ranks: Ids, out: Records, here: int) -> tuple[int, int]:
    """Write the ranks of a phrase and the bar; return the places behind it in both."""
    while data[place] != END:
        out[here] = ranks[data[place]]
        place += 1
        here += 1
    out[here] = ranks[len(ranks) - 1]
    return place + 1, here + 1
