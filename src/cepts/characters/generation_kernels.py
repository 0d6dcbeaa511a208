"""Strings that are generated: as answers, and as decoys to learn from."""

import numpy as np

from cepts.characters.affinity_kernels import align, longest_of, new_desk, new_source_scores, take_source
from cepts.characters.best_kernels import best_strings, completions, spell
from cepts.characters.lattice_kernels import INSERTIONS, LAYERS, log_add, search
from cepts.characters.learning_kernels import change, change_path, is_full
from cepts.running.kernel import helper, kernel


@kernel
def generate(table, order, sources, begin, width, margin, lattice, agenda, scores_out, lengths, letters_out):
    """The best target strings of each source string from `begin` on, [string][rank]; a length of -1: no more.

    Returns the next string: not the last one if the lattice or the agenda is too small for it.
    """
    longest = longest_of(sources)
    scores = new_source_scores(longest, table.plain.shape[1], order)
    wanted = scores_out.shape[1]
    after, found = np.empty(len(lattice.tails), np.float32), np.zeros(wanted, np.int64)
    for k in range(begin, len(sources.offsets) - 1):
        first = sources.offsets[k]
        length = sources.offsets[k + 1] - first
        take_source(table, sources.letters, first, length, order, scores)
        if not search(table, sources.letters, first, length, order, scores, width, margin, False, lattice):
            return k
        completions(lattice, length, False, after)
        count = best_strings(lattice, length, after, wanted, agenda, found)
        if count < 0:
            return k
        for rank in range(wanted):
            lengths[k, rank] = -1
            if rank < count:
                scores_out[k, rank] = agenda.scores[found[rank]]
                lengths[k, rank] = spell(agenda, found[rank], letters_out[k, rank])
    return len(sources.offsets) - 1


@helper
def change_by_arcs(table, sums, letters, first, length, source_grams, order, lattice, after, rate, moment):
    """Take from all edits of a lattice what is expected of them: their posterior probabilities times `rate`.

    `after` are the logs of the sums of all completions.
    """
    total = after[0]
    for i in range(length + 1):
        begin, end = lattice.layers[i * LAYERS], lattice.layers[(i + 1) * LAYERS]
        row = i * 2 * order
        for state in range(begin, end):
            before = lattice.totals[state] - total
            for inserts in range(2):
                letter = np.int32(0) if inserts or i == length else letters[first + i]
                for arc in range(
                    lattice.first_arcs[2 * state + inserts], lattice.last_arcs[2 * state + inserts]
                ):
                    log_share = before + lattice.scores[arc] + after[lattice.ends[arc]]
                    if log_share > np.float32(-7):
                        share, mark = -rate * np.float32(np.exp(log_share)), lattice.marks[arc]
                        table.plain[letter, mark] += share
                        sums.plain[letter, mark] += moment * share
                        change(table, sums, letter, mark, source_grams, row, row + 2 * order, share, moment)
                        grams = state * order
                        change(table, sums, letter, mark, lattice.grams, grams, grams + order, share, moment)


@kernel
def train_generating(
    table, sums, order, sources, targets, examples, width, margin, lattice, agenda, begin, moment
):
    """Present examples (rows of a source and a target) from `begin` on; the decoy is the best string that is generated.

    If it scores no less than the true target, the weights of its edits fall and those of the true one's rise. Stops
    when a table is full; returns the next example, and how many were mistaken.
    """
    longest = longest_of(sources)
    most = max(longest_of(targets), longest * (INSERTIONS + 1) + INSERTIONS)
    scores = new_source_scores(longest, table.plain.shape[1], order)
    true, rival = new_desk(longest, longest_of(targets), order), new_desk(longest, most, order)
    after, found, decoy = (
        np.empty(len(lattice.tails), np.float32),
        np.zeros(1, np.int64),
        np.zeros(most, np.int32),
    )
    letters, marks, mistakes = sources.letters, targets.letters, 0
    for n in range(begin, len(examples)):
        first, start = sources.offsets[examples[n, 0]], targets.offsets[examples[n, 1]]
        length, size = (
            sources.offsets[examples[n, 0] + 1] - first,
            targets.offsets[examples[n, 1] + 1] - start,
        )
        take_source(table, letters, first, length, order, scores)
        if is_full(table, (longest + most) * 6 * order):
            return n, mistakes
        if not search(table, letters, first, length, order, scores, width, margin, False, lattice):
            return n, mistakes
        completions(lattice, length, False, after)
        if best_strings(lattice, length, after, 1, agenda, found) < 0:
            return n, mistakes
        other = spell(agenda, found[0], decoy)
        if is_same(marks, start, size, decoy, other):
            continue
        score = align(table, letters, first, length, scores, marks, start, size, order, true)
        if align(table, letters, first, length, scores, decoy, 0, other, order, rival) < score:
            continue
        mistakes += 1
        grams, one = scores.grams, np.float32(1)
        change_path(
            table, sums, letters, first, length, grams, marks, start, size, order, true, one, moment + n
        )
        change_path(
            table, sums, letters, first, length, grams, decoy, 0, other, order, rival, -one, moment + n
        )
    return len(examples), mistakes


@helper
def is_same(marks, start, size, decoy, other):
    """Whether a target string and a decoy are the same."""
    if size != other:
        return False
    for at in range(size):
        if marks[start + at] != decoy[at]:
            return False
    return True


@kernel
def train_expecting(
    table, sums, order, sources, targets, examples, width, margin, lattice, rate, begin, moment
):
    """Present examples (rows of a source and a target) from `begin` on; all strings of the lattice are decoys.

    The edits of the true target's best path rise, and all edits of the lattice fall as probable as they are, the
    probability of a path being proportional to the exponential of its score. That is the gradient of the log of the
    true path's probability among itself and all paths of the lattice (in which it need not be). Stops when a table is
    full; returns the next example, and the sum of the logs of 1 / that probability.
    """
    longest, most = longest_of(sources), longest_of(targets)
    scores = new_source_scores(longest, table.plain.shape[1], order)
    desk, after = new_desk(longest, most, order), np.empty(len(lattice.tails), np.float32)
    letters, marks, surprise = sources.letters, targets.letters, np.float64(0)
    for n in range(begin, len(examples)):
        first, start = sources.offsets[examples[n, 0]], targets.offsets[examples[n, 1]]
        length, size = (
            sources.offsets[examples[n, 0] + 1] - first,
            targets.offsets[examples[n, 1] + 1] - start,
        )
        take_source(table, letters, first, length, order, scores)
        if not search(table, letters, first, length, order, scores, width, margin, True, lattice):
            return n, surprise
        if is_full(table, (lattice.counts[1] + longest + most) * 3 * order):
            return n, surprise
        completions(lattice, length, True, after)
        score = align(table, letters, first, length, scores, marks, start, size, order, desk)
        total = log_add(after[0], score)
        surprise += total - score
        share, grams = np.float32(rate * np.exp(after[0] - total)), scores.grams
        change_by_arcs(table, sums, letters, first, length, grams, order, lattice, after, share, moment + n)
        change_path(
            table, sums, letters, first, length, grams, marks, start, size, order, desk, share, moment + n
        )
    return len(examples), surprise
