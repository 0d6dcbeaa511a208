"""Loops that find phrase pairs: boxes of source and target words that no sure link leaves.

What is known of the pair at hand is a `frame`, the rows of one array: each array that one kernel hands to another
costs time, as its references are counted. Row by row, with a column for each word (or link):

- SOURCE_LOW, SOURCE_HIGH: the sure links of source word i reach from this target word to that; HIGH is -1 without one.
- TARGET_LOW, TARGET_HIGH: the same of target words.
- SOURCE_ROWS, BY_SOURCE: the links of source word i lead to BY_SOURCE[SOURCE_ROWS[i]] up to SOURCE_ROWS[i + 1].
- TARGET_ROWS, BY_TARGET: the same of target words.
- FREE_BEFORE, FREE_AFTER: how many words directly before and behind target word j a box can be extended over.
- MARKS: room for the target words that possible links lead to.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cepts.running.kernel import helper, kernel

EDGES, INSIDE, NEVER = 0, 1, 2  # where words without a link may stand in a box
SOURCE_LOW, SOURCE_HIGH, TARGET_LOW, TARGET_HIGH = 0, 1, 2, 3
SOURCE_ROWS, TARGET_ROWS, BY_SOURCE, BY_TARGET = 4, 5, 6, 7
FREE_BEFORE, FREE_AFTER, MARKS = 8, 9, 10
FRAME_ROWS = 11

Frame = NDArray[np.int32]
Boxes = NDArray[np.int32]
Offsets = NDArray[np.int64]


class Corpus(NamedTuple):
    """The links of all pairs, and where the words of each pair begin."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    sure: NDArray[np.bool_]
    link_offsets: Offsets
    source_offsets: Offsets
    target_offsets: Offsets


class Shape(NamedTuple):
    """The lengths of a pair, the longest phrase, and the rule for words without a link."""

    sources: int
    targets: int
    longest: int
    rule: int


class Box(NamedTuple):
    """A phrase pair: source words `first` to `last`, target words `low` to `high`, all of them included."""

    first: int
    last: int
    low: int
    high: int


@kernel
def find_boxes(
    corpus: Corpus,
    frame: Frame,
    begin: int,
    end: int,
    pair: int,
    longest: int,
    rule: int,
    counts: Offsets,
    boxes: Boxes,
    owners: Offsets,
) -> None:
    """Find the boxes that begin with source words `begin` to `end`, counted over the corpus, the first in `pair`.

    `counts`, zeros at first, takes how many begin with each word. Where there is room, the columns of `boxes` take the
    boxes themselves (first and end source word, first and end target word), and `owners` the numbers of their pairs.
    """
    place, words_before = 0, begin
    while begin < end:
        words = corpus.source_offsets[pair]
        if corpus.link_offsets[pair] < corpus.link_offsets[pair + 1]:
            shape = frame_pair(corpus, frame, pair, longest, rule)
            first = place
            for i in range(begin - words, min(shape.sources, end - words)):
                before = place
                place = put_boxes_from(frame, shape, i, boxes, place)
                counts[words + i - words_before] = place - before
            owners[first:place] = pair
        pair += 1
        begin = corpus.source_offsets[pair]


@helper
def frame_pair(corpus: Corpus, frame: Frame, pair: int, longest: int, rule: int) -> Shape:
    """Fill the frame for one pair, whose links are sorted by source, then target word; return its shape."""
    sources = corpus.source_offsets[pair + 1] - corpus.source_offsets[pair]
    targets = corpus.target_offsets[pair + 1] - corpus.target_offsets[pair]
    shape = Shape(sources, targets, longest, rule)
    frame[SOURCE_LOW, :sources], frame[SOURCE_HIGH, :sources] = targets, -1
    frame[TARGET_LOW, :targets], frame[TARGET_HIGH, :targets] = sources, -1
    frame[SOURCE_ROWS, : sources + 1], frame[TARGET_ROWS, : targets + 1] = 0, 0
    begin, end = corpus.link_offsets[pair], corpus.link_offsets[pair + 1]
    for row in range(begin, end):
        i, j = corpus.source[row], corpus.target[row]
        frame[BY_SOURCE, row - begin] = j
        frame[SOURCE_ROWS, i + 1] += 1
        frame[TARGET_ROWS, j + 1] += 1
        if corpus.sure[row]:
            frame[SOURCE_LOW, i] = min(frame[SOURCE_LOW, i], j)
            frame[SOURCE_HIGH, i] = max(frame[SOURCE_HIGH, i], j)
            frame[TARGET_LOW, j] = min(frame[TARGET_LOW, j], i)
            frame[TARGET_HIGH, j] = max(frame[TARGET_HIGH, j], i)
    for i in range(sources):
        frame[SOURCE_ROWS, i + 1] += frame[SOURCE_ROWS, i]
    for j in range(targets):
        frame[TARGET_ROWS, j + 1] += frame[TARGET_ROWS, j]
    sort_by_target(frame, shape)
    measure_free_runs(frame, shape)
    return shape


@helper
def sort_by_target(frame: Frame, shape: Shape) -> None:
    """Fill BY_TARGET; links come by source word, so that those of each target word are in order too."""
    for i in range(shape.sources):
        for row in range(frame[SOURCE_ROWS, i], frame[SOURCE_ROWS, i + 1]):
            j = frame[BY_SOURCE, row]
            frame[BY_TARGET, frame[TARGET_ROWS, j]] = i
            frame[TARGET_ROWS, j] += 1  # the begin of a target word's links serves as a cursor ...
    for j in range(shape.targets, 0, -1):  # ... that ends where those of the next word begin
        frame[TARGET_ROWS, j] = frame[TARGET_ROWS, j - 1]
    frame[TARGET_ROWS, 0] = 0


@helper
def measure_free_runs(frame: Frame, shape: Shape) -> None:
    """Count, before and behind each target word, the words that a box can be extended over."""
    run = 0
    for j in range(shape.targets):
        frame[FREE_BEFORE, j] = run
        run = run + 1 if is_free(frame, j, shape.rule) else 0
    run = 0
    for j in range(shape.targets - 1, -1, -1):
        frame[FREE_AFTER, j] = run
        run = run + 1 if is_free(frame, j, shape.rule) else 0


@helper
def is_free(frame: Frame, j: int, rule: int) -> bool:
    """Tell whether a target word has no sure link, and may stand in a box for all that is known."""
    return frame[TARGET_HIGH, j] < 0 and (rule != NEVER or has_link(frame, TARGET_ROWS, j))


@helper
def has_link(frame: Frame, rows: int, word: int) -> bool:
    """Tell whether a source word (by SOURCE_ROWS) or a target word (by TARGET_ROWS) has any link."""
    return bool(frame[rows, word + 1] > frame[rows, word])


@helper
def put_boxes_from(frame: Frame, shape: Shape, first: int, boxes: Boxes, place: int) -> int:
    """Add the boxes whose source words begin with `first`, in order; return the next free place."""
    low, high = shape.targets, -1  # what the sure links of the source words lead to
    back_low, back_high = shape.sources, -1  # and what those target words' sure links lead back to
    marks = 0
    if shape.rule != EDGES and not has_link(frame, SOURCE_ROWS, first):
        return place
    for last in range(first, min(first + shape.longest, shape.sources)):
        linked = shape.rule == EDGES or has_link(frame, SOURCE_ROWS, last)
        if shape.rule == NEVER and not linked:
            break
        if frame[SOURCE_HIGH, last] >= 0:
            old_low, old_high = low, high
            low, high = min(low, frame[SOURCE_LOW, last]), max(high, frame[SOURCE_HIGH, last])
            if high - low >= shape.longest:
                break
            for begin, end in ((low, min(old_low, high + 1)), (max(old_high + 1, low), high + 1)):
                for j in range(begin, end):  # each target word once, as it comes in
                    back_low = min(back_low, frame[TARGET_LOW, j])
                    back_high = max(back_high, frame[TARGET_HIGH, j])
            if back_low < first:  # more source words at the end cannot cure that
                break
        elif high < 0:
            marks = mark(frame, last, marks)
        if linked and back_high <= last:
            if high < 0:
                place = put_marked(frame, shape, first, last, marks, boxes, place)
            else:
                place = put_around(frame, shape, Box(first, last, low, high), boxes, place)
    return place


@helper
def put_around(frame: Frame, shape: Shape, core: Box, boxes: Boxes, place: int) -> int:
    """Add the boxes that have the target words of `core`, which hold a link, and free words around them."""
    room = shape.longest - (core.high - core.low + 1)
    for low in range(core.low - min(frame[FREE_BEFORE, core.low], room), core.low + 1):
        end = min(core.high + frame[FREE_AFTER, core.high], low + shape.longest - 1)
        place = put_row(frame, shape, Box(core.first, core.last, low, core.high), end, boxes, place)
    return place


@helper
def mark(frame: Frame, i: int, count: int) -> int:
    """Insert where source word i's possible links lead, unless to words with a sure link, into the sorted marks."""
    for row in range(frame[SOURCE_ROWS, i], frame[SOURCE_ROWS, i + 1]):
        j = frame[BY_SOURCE, row]
        if frame[TARGET_HIGH, j] >= 0:
            continue
        place = count
        while place > 0 and frame[MARKS, place - 1] > j:
            place -= 1
        if place > 0 and frame[MARKS, place - 1] == j:
            continue
        for k in range(count, place, -1):
            frame[MARKS, k] = frame[MARKS, k - 1]
        frame[MARKS, place] = j
        count += 1
    return count


@helper
def put_marked(
    frame: Frame, shape: Shape, first: int, last: int, count: int, boxes: Boxes, place: int
) -> int:
    """Add the boxes of free words that hold one of `count` marks, each mark with the boxes that it is the first in."""
    previous = -1
    for k in range(count):
        j = frame[MARKS, k]
        begin = max(previous + 1, j - frame[FREE_BEFORE, j], j - shape.longest + 1)
        for low in range(begin, j + 1):
            end = min(j + frame[FREE_AFTER, j], low + shape.longest - 1)
            place = put_row(frame, shape, Box(first, last, low, j), end, boxes, place)
        previous = j
    return place


@helper
def put_row(frame: Frame, shape: Shape, box: Box, end: int, boxes: Boxes, place: int) -> int:
    """Add the boxes that end with target words `box.high` to `end`, as far as they obey the rule."""
    if shape.rule != EDGES and not has_link(frame, TARGET_ROWS, box.low):
        return place
    for high in range(box.high, end + 1):
        if shape.rule == EDGES or obeys_rule(frame, shape.rule, Box(box.first, box.last, box.low, high)):
            if place < boxes.shape[1]:  # without room boxes are only counted
                boxes[0, place], boxes[1, place] = box.first, box.last + 1
                boxes[2, place], boxes[3, place] = box.low, high + 1
            place += 1
    return place


@helper
def obeys_rule(frame: Frame, rule: int, box: Box) -> bool:
    """Tell whether words without a link inside the box stand only where the rule allows them."""
    step = max(box.last - box.first, 1) if rule == INSIDE else 1
    for i in range(box.first, box.last + 1, step):
        if not is_linked_inside(frame, SOURCE_HIGH, SOURCE_ROWS, BY_SOURCE, i, box.low, box.high):
            return False
    step = max(box.high - box.low, 1) if rule == INSIDE else 1
    for j in range(box.low, box.high + 1, step):
        if not is_linked_inside(frame, TARGET_HIGH, TARGET_ROWS, BY_TARGET, j, box.first, box.last):
            return False
    return True


@helper
def is_linked_inside(frame: Frame, highs: int, rows: int, links: int, word: int, low: int, high: int) -> bool:
    """Tell whether a word of a box has a link to one of its words `low` to `high` on the other side.

    `highs`, `rows` and `links` are the frame's rows of the word's side.
    """
    if frame[highs, word] >= 0:  # sure links do not leave the box
        return True
    for row in range(frame[rows, word], frame[rows, word + 1]):
        if low <= frame[links, row] <= high:
            return True
    return False
