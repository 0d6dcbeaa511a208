"""The loops of lexical overlap: whole gains, added as integers, so that no order of adding changes a sum.

A table of gains is `(row_offsets, columns, gains)`: source word w gains `gains[k]` by target word `columns[k]`, for k
from `row_offsets[w]` to `row_offsets[w + 1]`, the largest gain first. Ids of words are those of the text.
"""

import numpy as np

from cepts.running.kernel import kernel


@kernel
def pair_overlaps(source, target, table, targets, scale, overlaps):
    """Write the overlap of each pair: what its words gain by their best partners, for each word of both sides.

    `source` and `target` are (ids, offsets); there are so many different `targets`.
    """
    source_ids, source_offsets = source
    target_ids, target_offsets = target
    row_offsets, columns, gains = table
    source_counts, target_counts = np.zeros(len(row_offsets) - 1, np.int64), np.zeros(targets, np.int64)
    best = np.zeros(targets, np.int32)
    for pair in range(len(overlaps)):
        first, end = target_offsets[pair], target_offsets[pair + 1]
        begin, finish = source_offsets[pair], source_offsets[pair + 1]
        for k in range(first, end):
            target_counts[target_ids[k]] += 1
        for i in range(begin, finish):
            source_counts[source_ids[i]] += 1
        total = np.int64(0)
        for i in range(begin, finish):
            word = source_ids[i]
            count, largest = source_counts[word], np.int32(0)
            if count == 0:  # an earlier place of the same word has said it all
                continue
            source_counts[word] = 0
            for k in range(row_offsets[word], row_offsets[word + 1]):
                other = columns[k]
                if target_counts[other] > 0:
                    largest = max(largest, gains[k])
                    best[other] = max(best[other], gains[k])
            total += count * largest
        for k in range(first, end):
            word = target_ids[k]
            total += target_counts[word] * best[word]
            target_counts[word] = 0
            best[word] = 0
        words = (end - first) + (finish - begin)
        overlaps[pair] = np.float64(total) / (scale * max(words, 1))


@kernel
def block_overlaps(source, first, table, postings, target_lengths, scale, overlaps):
    """Write the overlaps of the source sentences from `first` on with all target sentences.

    `postings` are (offsets, sentences, counts): target word w stands `counts[k]` times in `sentences[k]`, for k from
    `offsets[w]` to `offsets[w + 1]`. What a target's words gain is added first: each by the best word of the source;
    then what the source's words gain: the partners of a word come with falling gains, so that the first one that a
    target sentence has is its best.
    """
    source_ids, source_offsets = source
    row_offsets, columns, gains = table
    word_offsets, sentences, counts = postings
    source_counts = np.zeros(len(row_offsets) - 1, np.int64)
    best = np.zeros(len(word_offsets) - 1, np.int32)
    touched = np.empty(len(word_offsets) - 1, np.int32)
    totals = np.zeros(len(target_lengths), np.int64)
    marks = np.full(len(target_lengths), -1, np.int64)
    mark = np.int64(0)
    for row in range(len(overlaps)):
        begin, finish = source_offsets[first + row], source_offsets[first + row + 1]
        used = 0
        for i in range(begin, finish):
            word = source_ids[i]
            source_counts[word] += 1
            if source_counts[word] == 1:
                for k in range(row_offsets[word], row_offsets[word + 1]):
                    other = columns[k]
                    if best[other] == 0:
                        touched[used] = other
                        used += 1
                    best[other] = max(best[other], gains[k])
        for n in range(used):
            other = touched[n]
            gain = np.int64(best[other])
            best[other] = 0
            for k in range(word_offsets[other], word_offsets[other + 1]):
                totals[sentences[k]] += gain * counts[k]
        for i in range(begin, finish):
            word = source_ids[i]
            count = source_counts[word]
            if count == 0:
                continue
            source_counts[word] = 0
            for k in range(row_offsets[word], row_offsets[word + 1]):
                gain = count * gains[k]
                for place in range(word_offsets[columns[k]], word_offsets[columns[k] + 1]):
                    sentence = sentences[place]
                    if marks[sentence] != mark:
                        marks[sentence] = mark
                        totals[sentence] += gain
            mark += 1
        length = finish - begin
        for sentence in range(len(target_lengths)):
            words = length + target_lengths[sentence]
            overlaps[row, sentence] = np.float64(totals[sentence]) / (scale * max(words, 1))
            totals[sentence] = 0
