"""A slow twin of the n-gram model: dictionaries of tuples, the equations of Chen and Goodman (1998) word for word."""

from collections import Counter
from functools import cache

BEGIN, END, UNKNOWN = "begin", "end", "unknown"


class LanguageModel:
    """Interpolated modified Kneser-Ney over sequences of ids below `size`."""

    def __init__(self, sequences, size, order):
        self.size, self.order = size, order
        self.occurrences = Counter()
        for sequence in sequences:
            marked = (BEGIN, *sequence, END)
            for n in range(1, order + 1):
                self.occurrences.update(marked[k : k + n] for k in range(len(marked) - n + 1))
        self.counts = {gram: self.count(gram) for gram in self.occurrences if gram != (BEGIN,)}
        self.discounts = {n: self.discount(n) for n in range(1, order + 1)}
        self.probability = cache(self.probability)

    def count(self, gram):
        """Count the occurrences of the longest n-grams and initial ones, else the different ids before them."""
        if len(gram) == self.order or gram[0] == BEGIN:
            return self.occurrences[gram]
        return sum(len(other) == len(gram) + 1 and other[1:] == gram for other in self.occurrences)

    def discount(self, n):
        """Return the discounts of counts of 1, 2 and 3 or more; the usual ones where they cannot be estimated."""
        of = Counter(count for gram, count in self.counts.items() if len(gram) == n)
        found = {0: 0.0, 1: 0.5, 2: 1.0, 3: 1.5}
        if of[1] and of[2]:
            share = of[1] / (of[1] + 2 * of[2])
            more = {k: of[k] if k < 5 else 0 for k in range(5)}
            for k in (1, 2, 3):
                if more[k] and more[k + 1]:
                    taken = k - (k + 1) * share * more[k + 1] / more[k]
                    if 0 < taken < k:
                        found[k] = taken
        return found

    def probability(self, wanted, context):
        """Return p(wanted | context); None stands for a context shorter than the empty one: all is equal there."""
        if context is None:
            return 1 / (self.size + 2)
        shorter = context[1:] if context else None
        behind = {gram: n for gram, n in self.counts.items() if gram[:-1] == context}
        total = sum(behind.values())
        if not total:
            return self.probability(wanted, shorter)
        taken = {gram: self.discounts[len(gram)][min(n, 3)] for gram, n in behind.items()}
        gram = (*context, wanted)
        own = (behind[gram] - taken[gram]) / total if gram in behind else 0.0
        return own + sum(taken.values()) / total * self.probability(wanted, shorter)

    def next(self, wanted, before):
        """Return the probability of an id, END or UNKNOWN behind the beginning of a sequence."""
        known = [one if isinstance(one, int) and 0 <= one < self.size else UNKNOWN for one in before]
        context = (BEGIN, *known)
        return self.probability(wanted, context[max(len(context) - self.order + 1, 0) :])
