"""What a bitext without one pair says about the words of that pair.

A pair that taught the counts must not be judged by what it taught: before its words are looked up, its own words,
links and neighbours are taken out of the counts, and afterwards they are put back. Counts are whole numbers, so that
nothing is lost on the way.
"""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel

LINK = 1024  # what a link of confidence 1 counts, and a letter that is linked for sure
NULL = 0.1  # the probability that a word has no counterpart
HALF = 0.5  # of an occurrence is added to what was seen, so that what is rare proves little
FEW = 0.02  # the same, for neighbours
ASSUMED = (
    2.0  # occurrences of each word, beside what was seen, that are as long over there as a word usually is
)


class Words(NamedTuple):
    """Sentence pairs as flat ids with offsets."""

    source_ids: np.ndarray
    source_offsets: np.ndarray
    target_ids: np.ndarray
    target_offsets: np.ndarray


class LinkCounts(NamedTuple):
    """How often words are linked, row by row of source words with columns that rise, and how often they occur.

    `twins` has for each source word the target word of the same spelling, or -1; the last two say which words hold a
    digit.
    """

    row_offsets: np.ndarray
    columns: np.ndarray
    counts: np.ndarray
    source_totals: np.ndarray
    target_totals: np.ndarray
    twins: np.ndarray
    source_numbers: np.ndarray
    target_numbers: np.ndarray


class OwnLinks(NamedTuple):
    """The links that were counted, pair by pair."""

    source: np.ndarray
    target: np.ndarray
    counts: np.ndarray
    offsets: np.ndarray


class NeighbourCounts(NamedTuple):
    """How often words of one language follow each other, and how often they occur.

    One id more than there are words stands for the border of a sentence, on either end.
    """

    row_offsets: np.ndarray
    columns: np.ndarray
    counts: np.ndarray
    totals: np.ndarray


class LetterCounts(NamedTuple):
    """How often the words of one side occur, the letters that are linked to them, and how many they have themselves."""

    totals: np.ndarray
    linked: np.ndarray
    lengths: np.ndarray


class OwnLetters(NamedTuple):
    """The letters that were counted, pair by pair: the place of a word, and what a link of it brings."""

    places: np.ndarray
    letters: np.ndarray
    offsets: np.ndarray


class Scale(NamedTuple):
    """Where levels of a ratio and classes of frequency begin; a bucket is level * classes + class."""

    ratios: np.ndarray
    frequencies: np.ndarray


@helper
def entry_of(row_offsets, columns, row, column):
    """Find an entry in a row whose columns rise, -1 where there is none."""
    low, end = row_offsets[row], row_offsets[row + 1]
    high = end
    while low < high:
        middle = (low + high) // 2
        if columns[middle] < column:
            low = middle + 1
        else:
            high = middle
    return low if low < end and columns[low] == column else np.int64(-1)


@helper
def bucket_of(scale, ratio, frequency, level):
    """Number the bucket of a ratio, or of a `level` that is given (from 0), and a frequency."""
    if level < 0:
        level = 0
        while level < len(scale.ratios) and ratio > scale.ratios[level]:
            level += 1
    kind = 0
    while kind < len(scale.frequencies) and frequency > scale.frequencies[kind]:
        kind += 1
    return level * (len(scale.frequencies) + 1) + kind


@helper
def move_links(counted, corpus, links, pair, sign):
    """Take what a pair has counted out of the counts (sign -1), or put it back (1)."""
    source_begin, target_begin = corpus.source_offsets[pair], corpus.target_offsets[pair]
    for n in range(links.offsets[pair], links.offsets[pair + 1]):
        source = corpus.source_ids[source_begin + links.source[n]]
        target = corpus.target_ids[target_begin + links.target[n]]
        entry = entry_of(counted.row_offsets, counted.columns, source, target)
        counted.counts[entry] += sign * links.counts[n]
    for i in range(source_begin, corpus.source_offsets[pair + 1]):
        counted.source_totals[corpus.source_ids[i]] += sign
    for j in range(target_begin, corpus.target_offsets[pair + 1]):
        counted.target_totals[corpus.target_ids[j]] += sign


@helper
def level_of(scale, ratio, twin, number):
    """The level of a word with a twin over there, or of a number without anything; -1: that of the ratio."""
    if twin:
        return len(scale.ratios) + 1
    return len(scale.ratios) + 2 if number and ratio <= scale.ratios[0] else -1


@helper
def judge_side(given, made, cells, twins, scale, words, buckets):
    """Fill the buckets of one side's words: how much more probable than elsewhere the other side makes them.

    `given` and `made` are (ids, first, end, totals, stride of the cells) of the other side and of this one, `made`
    with what says which words hold a digit.
    """
    given_ids, given_first, given_end, given_totals, given_stride = given
    made_ids, made_first, made_end, made_totals, made_stride, numbers = made
    share = (1 - NULL) / max(given_end - given_first, 1) / LINK
    for j in range(made_end - made_first):
        total = 0.0
        twin = False
        for i in range(given_end - given_first):
            cell = i * given_stride + j * made_stride
            twin = twin or twins[cell]
            if cells[cell] > 0:
                total += cells[cell] / (given_totals[given_ids[given_first + i]] + HALF)
        word = made_ids[made_first + j]
        frequency = made_totals[word]
        ratio = NULL + share * total * words / (frequency + HALF)
        level = level_of(scale, ratio, twin, numbers[word])
        buckets[made_first + j] = bucket_of(scale, ratio, frequency, level)


@helper
def fill_cells(counted, text, pair, cells, twins):
    """Look up the link counts of a pair's cells, [source][target], and which of them hold one spelling twice."""
    row_offsets, columns, counts, twin_of = (
        counted.row_offsets,
        counted.columns,
        counted.counts,
        counted.twins,
    )
    source_ids, target_ids = text.source_ids, text.target_ids
    target_first, target_end = text.target_offsets[pair], text.target_offsets[pair + 1]
    cell = 0
    for i in range(text.source_offsets[pair], text.source_offsets[pair + 1]):
        source = source_ids[i]
        begin, end, twin = row_offsets[source], row_offsets[source + 1], twin_of[source]
        for j in range(target_first, target_end):
            target = target_ids[j]
            low, high = begin, end  # as in `entry_of`, whose call would take longer than the search
            while low < high:
                middle = (low + high) >> 1
                if columns[middle] < target:
                    low = middle + 1
                else:
                    high = middle
            cells[cell] = counts[low] if low < end and columns[low] == target else 0
            twins[cell] = twin == target
            cell += 1


@kernel
def judge_words(counted, corpus, links, text, owners, first, end, scale, source_buckets, target_buckets):
    """Fill the buckets of all words of the pairs `first` to `end` of a text, each seen from the other side.

    `corpus` and `links` are what was counted. `owners` [2][pair] are the pairs of the corpus that a pair's words come
    from, -1 for none: what they have counted is left out. The counts are changed meanwhile.
    """
    largest = np.int64(1)
    for pair in range(first, end):
        sources = text.source_offsets[pair + 1] - text.source_offsets[pair]
        largest = max(largest, sources * (text.target_offsets[pair + 1] - text.target_offsets[pair]))
    cells, twins = np.empty(largest, np.int64), np.empty(largest, np.bool_)
    for pair in range(first, end):
        one, other = owners[0, pair], owners[1, pair]
        if one >= 0:
            move_links(counted, corpus, links, one, -1)
        if other >= 0 and other != one:
            move_links(counted, corpus, links, other, -1)
        fill_cells(counted, text, pair, cells, twins)
        source_first, source_end = text.source_offsets[pair], text.source_offsets[pair + 1]
        target_first, target_end = text.target_offsets[pair], text.target_offsets[pair + 1]
        width = target_end - target_first
        source = (text.source_ids, source_first, source_end, counted.source_totals, width)
        target = (text.target_ids, target_first, target_end, counted.target_totals, np.int64(1))
        words = len(corpus.target_ids)
        judge_side(source, (*target, counted.target_numbers), cells, twins, scale, words, target_buckets)
        words = len(corpus.source_ids)
        judge_side(target, (*source, counted.source_numbers), cells, twins, scale, words, source_buckets)
        if one >= 0:
            move_links(counted, corpus, links, one, 1)
        if other >= 0 and other != one:
            move_links(counted, corpus, links, other, 1)


@helper
def move_neighbours(counted, ids, first, end, sign):
    """Take the neighbours of a sentence out of the counts (sign -1), or put them back (1)."""
    border = len(counted.row_offsets) - 2
    before = border
    for i in range(first, end + 1):
        word = ids[i] if i < end else border
        counted.counts[entry_of(counted.row_offsets, counted.columns, before, word)] += sign
        counted.totals[word] += sign
        before = word


@helper
def judge_sentence(counted, ids, first, end, place, scale, words, buckets):
    """Fill the buckets of a sentence's neighbours, from `place` on: one more than it has words."""
    border = len(counted.row_offsets) - 2
    before = border
    for i in range(first, end + 1):
        word = ids[i] if i < end else border
        entry = entry_of(counted.row_offsets, counted.columns, before, word)
        count = counted.counts[entry] if entry >= 0 else 0
        one, other = counted.totals[before], counted.totals[word]
        ratio = (count + FEW) / ((one + HALF) * (other + HALF) / words + FEW)
        buckets[place + i - first] = bucket_of(scale, ratio, min(one, other), -1)
        before = word


@kernel
def judge_neighbours(counted, corpus, text, owners, first, end, scale, buckets):
    """Fill the buckets of all neighbours of the sentences `first` to `end`: how often they stand together.

    `corpus` and `text` are (ids, offsets) of one side. The buckets of sentence k begin at its offset + k.
    """
    ids, offsets = corpus
    words = len(ids) + len(offsets) - 1
    text_ids, text_offsets = text
    for k in range(first, end):
        one, other = owners[0, k], owners[1, k]
        if one >= 0:
            move_neighbours(counted, ids, offsets[one], offsets[one + 1], -1)
        if other >= 0 and other != one:
            move_neighbours(counted, ids, offsets[other], offsets[other + 1], -1)
        begin, place = text_offsets[k], text_offsets[k] + k
        judge_sentence(counted, text_ids, begin, text_offsets[k + 1], place, scale, words, buckets)
        if one >= 0:
            move_neighbours(counted, ids, offsets[one], offsets[one + 1], 1)
        if other >= 0 and other != one:
            move_neighbours(counted, ids, offsets[other], offsets[other + 1], 1)


@helper
def move_letters(counted, ids, offsets, own, pair, sign):
    """Take the letters that a pair has counted out of the counts (sign -1), or put them back (1)."""
    begin = offsets[pair]
    for n in range(own.offsets[pair], own.offsets[pair + 1]):
        counted.linked[ids[begin + own.places[n]]] += sign * own.letters[n]
    for i in range(begin, offsets[pair + 1]):
        counted.totals[ids[i]] += sign


@kernel
def expect_letters(counted, corpus, own, text, owners, ratio, expected):
    """Fill in how many letters the other side of each sentence has as a rule, by its words.

    `corpus` and `text` are (ids, offsets) of one side. `ratio` is how many letters the other side has for one here.
    """
    ids, offsets = corpus
    text_ids, text_offsets = text
    for k in range(len(expected)):
        one, other = owners[0, k], owners[1, k]
        if one >= 0:
            move_letters(counted, ids, offsets, own, one, -1)
        if other >= 0 and other != one:
            move_letters(counted, ids, offsets, own, other, -1)
        total = 0.0
        for i in range(text_offsets[k], text_offsets[k + 1]):
            word = text_ids[i]
            seen = counted.linked[word] / LINK + ASSUMED * ratio * counted.lengths[word]
            total += seen / (counted.totals[word] + ASSUMED)
        expected[k] = total
        if one >= 0:
            move_letters(counted, ids, offsets, own, one, 1)
        if other >= 0 and other != one:
            move_letters(counted, ids, offsets, own, other, 1)


@kernel
def summarise(buckets, offsets, evidence, features):
    """Sum up the evidence of each sentence's buckets, in 10 columns.

    The mean; the total by the root of the length; the worst stretch, whose sum is lowest, as it is and by the root of
    the length; the share of what speaks against; the first, the last and the lowest; the worst beginning and the
    worst end, by the root of the length. Nothing of an empty sentence.
    """
    for k in range(len(offsets) - 1):
        first, end = offsets[k], offsets[k + 1]
        features[k, :] = 0.0
        if first == end:
            continue
        total, stretch, worst, against, lowest = 0.0, 0.0, 0.0, 0, np.inf
        beginning, best = 0.0, 0.0  # of the totals so far
        for n in range(first, end):
            here = evidence[buckets[n]]
            total += here
            beginning, best = min(beginning, total), max(best, total)
            stretch = min(stretch + here, 0.0)
            worst = min(worst, stretch)
            lowest = min(lowest, here)
            against += 1 if here < 0 else 0
        length = np.float64(end - first)
        root = np.sqrt(length)
        features[k, 0], features[k, 1] = total / length, total / root
        features[k, 2], features[k, 3] = worst, worst / root
        features[k, 4], features[k, 5] = against / length, evidence[buckets[first]]
        features[k, 6], features[k, 7] = evidence[buckets[end - 1]], lowest
        features[k, 8], features[k, 9] = beginning / root, (total - best) / root
