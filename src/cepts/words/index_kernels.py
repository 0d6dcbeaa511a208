"""From word ids to lexicon entries: which one each cell of a chunk uses.

Word ids count from 1 here; 0 is the NULL word of either side. Entry (0, 0) comes first and stands for padding.
A batch of S x T padded words owns (S * T + T + S) * LANES index places: its cells [target][source][lane], the
cells of the source NULL [target][lane], and those of the target NULL [source][lane].
"""

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES


@helper
def sort_tokens(lanes, source_lengths, source_start, source_ids, vocabulary):
    """List a chunk's source tokens (batch, lane, position), grouped by word: a counting sort."""
    first = np.zeros(vocabulary + 2, np.int64)
    for b in range(lanes.shape[0]):
        for lane in range(LANES):
            for i in range(source_lengths[b, lane]):
                first[source_ids[source_start[lanes[b, lane]] + i] + 2] += 1
    for word in range(vocabulary + 1):
        first[word + 1] += first[word]
    tokens = np.empty((first[vocabulary + 1], 3), np.int32)
    for b in range(lanes.shape[0]):
        for lane in range(LANES):
            for i in range(source_lengths[b, lane]):
                word = source_ids[source_start[lanes[b, lane]] + i]
                place = first[word + 1]
                first[word + 1] += 1
                tokens[place, 0], tokens[place, 1], tokens[place, 2] = b, lane, i
    return tokens, first


@kernel
def index_chunk(plan, starts, source_ids, target_ids, vocabulary):
    """Number the distinct word pairs of a chunk, row by row, and write each cell's number.

    `plan` is a ChunkPlan, `starts` the pieces' first words on both sides, `vocabulary` both vocabularies' sizes.
    Returns the index, the rows' words and offsets, and the pairs' target words.
    """
    lanes, shapes, offsets = plan.pieces, plan.shapes, plan.offsets
    source_lengths, target_lengths = plan.source_lengths, plan.target_lengths
    source_start, target_start = starts
    source_words, target_words = vocabulary
    index = np.zeros(offsets[-1], np.int32)
    stamp = np.full(target_words + 1, -1, np.int32)  # the last row in which a target word was seen
    number = np.zeros(target_words + 1, np.int32)  # and its number there
    columns = np.empty(offsets[-1] + 1, np.int32)
    columns[0] = 0
    count = 1
    for b in range(lanes.shape[0]):  # row 0: NULL with each target word
        states, steps = shapes[b, 0], shapes[b, 1]
        null = offsets[b] + states * steps * LANES
        for lane in range(LANES):
            for j in range(target_lengths[b, lane]):
                word = target_ids[target_start[lanes[b, lane]] + j] + 1
                if stamp[word] != 0:
                    stamp[word], number[word], columns[count] = 0, count, word
                    count += 1
                index[null + j * LANES + lane] = number[word]
    tokens, first = sort_tokens(lanes, source_lengths, source_start, source_ids, source_words)
    row_words = np.zeros(source_words + 1, np.int32)
    row_offsets = np.zeros(source_words + 2, np.int64)
    rows = 1
    row_offsets[1] = count
    begin = np.int64(0)
    for source_word in range(source_words):
        end = first[source_word + 1]
        if end == begin:
            continue
        row_words[rows] = source_word + 1
        columns[count] = 0  # the source word with the target NULL
        null_number = count
        count += 1
        for token in range(begin, end):
            b, lane, i = tokens[token, 0], tokens[token, 1], tokens[token, 2]
            states, steps = shapes[b, 0], shapes[b, 1]
            index[offsets[b] + (states * steps + steps + i) * LANES + lane] = null_number
            place = offsets[b] + i * LANES + lane
            start = target_start[lanes[b, lane]]
            for j in range(target_lengths[b, lane]):
                word = target_ids[start + j] + 1
                if stamp[word] != rows:
                    stamp[word], number[word], columns[count] = rows, count, word
                    count += 1
                index[place] = number[word]
                place += states * LANES
        rows += 1
        row_offsets[rows] = count
        begin = end
    return index, row_words[:rows].copy(), row_offsets[: rows + 1].copy(), columns[:count].copy()


@kernel
def merge_rows(order, first, words, starts, ends, columns, seen, all_columns, offsets):
    """Number the distinct word pairs of the rows of some words in all tables; `columns` becomes the pairs' numbers.

    The rows of all tables are concatenated; those of source word w are `order[first[w]:first[w + 1]]`. `words` is
    (first word, its end, pairs before), `seen` [2][target word] the last word in whose row a target word was seen,
    and its number there. Writes the columns and offsets of these words' rows; returns the pairs up to here.
    """
    count = words[2]
    for word in range(words[0], words[1]):
        for o in range(first[word], first[word + 1]):
            r = order[o]
            for k in range(starts[r], ends[r]):
                column = columns[k]
                if seen[0, column] != word:
                    seen[0, column], seen[1, column], all_columns[count] = word, count, column
                    count += 1
                columns[k] = seen[1, column]
        offsets[word + 1] = count
    return count
