"""How alike two words are spelled: their longest common subsequence, a bit for each letter."""

import numpy as np

from cepts.running.kernel import helper, kernel

ONE = np.uint64(1)
UNLIKE = 0.3  # a common subsequence that is no longer than this share of the longer word is chance


@helper
def new_masks(source_letters, target_letters):
    """Room for a mask of each letter."""
    most = 0
    for letter in source_letters:
        most = max(most, letter)
    for letter in target_letters:
        most = max(most, letter)
    return np.zeros(most + 1, np.uint64)


@helper
def mark_letters(letters, begin, end, masks):
    """Say in the mask of each letter where a word has it."""
    for i in range(begin, end):
        masks[letters[i]] |= ONE << np.uint64(i - begin)


@helper
def clear_letters(letters, begin, end, masks):
    """Take a word's letters out of the masks again."""
    for i in range(begin, end):
        masks[letters[i]] = np.uint64(0)


@helper
def common_letters(letters, begin, end, masks):
    """The length of the longest common subsequence of a word and the one in the masks (Hyyro 2004).

    One addition for each letter. Words have at most 64 of them.
    """
    unmatched = ~np.uint64(0)
    for j in range(begin, end):
        both = unmatched & masks[letters[j]]
        unmatched = (unmatched + both) | (unmatched - both)
    matched = ~unmatched
    common = 0
    while matched > 0:
        matched &= matched - ONE
        common += 1
    return common


@kernel
def fill_likeness(row_offsets, columns, source_letters, source_offsets, target_letters, target_offsets, out):
    """How alike the words of each entry are spelled, from 0 to 255: their longest common subsequence, over the longer.

    Letters are small numbers; a word without letters is like no other.
    """
    masks = new_masks(source_letters, target_letters)
    for row in range(1, len(row_offsets) - 1):
        begin, end = source_offsets[row - 1], source_offsets[row]
        mark_letters(source_letters, begin, end, masks)
        for k in range(row_offsets[row], row_offsets[row + 1]):
            column = columns[k]
            if column > 0 and end > begin:
                start, stop = target_offsets[column - 1], target_offsets[column]
                common = common_letters(target_letters, start, stop, masks)
                longer = max(end - begin, stop - start)
                out[k] = np.uint8(255.0 * common / longer + 0.5)
        clear_letters(source_letters, begin, end, masks)
