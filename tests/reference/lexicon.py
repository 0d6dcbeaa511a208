"""Slow twins of the lexicon's M step: counts {(given word, generated word): count}; word 0 is NULL."""

import math

from tests.reference.regularity import maximised_row


def maximised(counts, prior=0.0, floor=0.0):
    """Turn expected counts into p(generated | given): maximum likelihood, or the variational mean."""
    generated = {}
    for given, word in counts:
        generated.setdefault(given, []).append(word)
    probability = {}
    for given, words in generated.items():
        total = sum(counts[given, word] for word in words)
        for word in words:
            if prior > 0:
                share = math.exp(digamma(counts[given, word] + prior) - digamma(total + prior * len(words)))
            else:
                share = counts[given, word] / total if total > 0 else 0.0
            probability[given, word] = max(floor, share)
    return probability


def regularised(counts, weights, floor=0.0):
    """Turn expected counts into p(generated | given) where a unit of an entry's probability has a price."""
    generated = {}
    for given, word in counts:
        generated.setdefault(given, []).append((given, word))
    probability = {}
    for keys in generated.values():
        shares = maximised_row([counts[key] for key in keys], [weights[key] for key in keys])
        probability.update((key, max(floor, share)) for key, share in zip(keys, shares, strict=True))
    return probability


def digamma(x):
    """Climb by digamma(x) = digamma(x + 1) - 1/x to where five terms of the asymptotic series are plenty."""
    value = 0.0
    while x < 30:
        value -= 1 / x
        x += 1
    series = 1 / 12 - (1 / 120 - (1 / 252 - (1 / 240 - 1 / (132 * x**2)) / x**2) / x**2) / x**2
    return value + math.log(x) - 1 / (2 * x) - series / x**2


def add(total, part):
    """Add counts to counts."""
    for key, count in part.items():
        total[key] = total.get(key, 0.0) + count


def agreed(own, other, rule, doubt):
    """Join one direction's posteriors [step][state] of a pair with those of the other, [state][step]."""
    return [[joined(p, other[i][j], rule, doubt) for i, p in enumerate(row)] for j, row in enumerate(own)]


def joined(p, q, rule, doubt):
    """Return what is counted for a link that one direction believes in with p, the other with q."""
    if rule == "PRODUCT":
        return p * q
    if rule == "ODDS":
        odds = p / (1 - p) * q / (1 - q) / doubt if max(p, q) < 1 else math.inf
        return odds / (1 + odds) if odds < math.inf else 1.0
    return (p + q) / 2 if rule == "MEAN" else p


def link_counts(states, steps, posterior, null_posterior):
    """Count the links of one pair: `posterior` is [step][state], `null_posterior` [step]."""
    counts = {}
    for j, word in enumerate(steps):
        add(counts, {(0, word): null_posterior[j]})
        for i, given in enumerate(states):
            add(counts, {(given, word): posterior[j][i]})
    return counts
