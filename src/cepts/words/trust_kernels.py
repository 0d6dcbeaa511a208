"""What the words of links tell about them, link by link."""

import math

from cepts.running.kernel import helper, kernel
from cepts.words.likeness_kernels import UNLIKE, clear_letters, common_letters, mark_letters, new_masks

EVEN = 0.5  # the probability above which a link is more likely right than wrong


@helper
def mean_rarity(side, pair):
    """How rare the words of one side of a pair are on average."""
    total = 0.0
    for k in range(side.offsets[pair], side.offsets[pair + 1]):
        total += side.rarity[side.ids[k]]
    return total / max(1, side.offsets[pair + 1] - side.offsets[pair])


@helper
def likeness_of(source, target, first, second, masks):
    """How alike a source and a target word are spelled, from 0, as by chance, to 1, the same."""
    if source.spellings[first] == target.spellings[second]:
        return 1.0
    begin, end = source.letter_offsets[first], source.letter_offsets[first + 1]
    start, stop = target.letter_offsets[second], target.letter_offsets[second + 1]
    if begin == end or start == stop:
        return 0.0
    mark_letters(source.letters, begin, end, masks)
    common = common_letters(target.letters, start, stop, masks)
    clear_letters(source.letters, begin, end, masks)
    return max(0.0, (common / max(end - begin, stop - start) - UNLIKE) / (1.0 - UNLIKE))


@kernel
def gather_evidence(links, first, end, source, target, out):
    """Fill the rows of evidence of the links of the pairs `first` to `end` that are more likely right than wrong.

    `source` and `target` are `trust.SideWords`, `links` the columns offsets, source, target and confidence; the columns
    of `out` are those of `trust.Trust`. Rows of other links stay as they are.
    """
    offsets, sources, targets, confidence = links
    masks = new_masks(source.letters, target.letters)
    zero = offsets[first]
    for pair in range(first, end):
        probable = 0
        for row in range(offsets[pair], offsets[pair + 1]):
            probable += confidence[row] > EVEN
        if probable == 0:
            continue
        i, j = source.offsets[pair], target.offsets[pair]
        cells = (source.offsets[pair + 1] - i) * (target.offsets[pair + 1] - j)
        rare_pair = mean_rarity(source, pair) + mean_rarity(target, pair)
        linked = probable / math.sqrt(cells)
        for row in range(offsets[pair], offsets[pair + 1]):
            if confidence[row] > EVEN:
                one, other = source.ids[i + sources[row]], target.ids[j + targets[row]]
                likeness = likeness_of(source, target, one, other, masks)
                rarity = max(source.rarity[one], target.rarity[other])
                out[row - zero, 0] = rarity * (1.0 - likeness)
                out[row - zero, 1] = likeness
                out[row - zero, 2] = rare_pair
                out[row - zero, 3] = linked
