"""Slow twins of the scores: for each sentence a set of links, of sure and of possible gold links."""


def score(links, sure, possible, alpha=0.1):
    """Return precision, recall, F1, weighted F, AER from lists of sets; possible includes sure."""
    made = sum(len(a) for a in links)
    wanted = sum(len(s) for s in sure)
    allowed = sum(len(p) for p in possible)
    in_sure = sum(len(a & s) for a, s in zip(links, sure, strict=True))
    in_possible = sum(len(a & p) for a, p in zip(links, possible, strict=True))
    precision = in_possible / made if made else (0.0 if allowed else 1.0)
    recall = in_sure / wanted if wanted else (0.0 if made else 1.0)
    return {
        "precision": precision,
        "recall": recall,
        "f1": f_measure(precision, recall, 0.5),
        "weighted_f": f_measure(precision, recall, alpha),
        "aer": 1 - (in_sure + in_possible) / (made + wanted) if made + wanted else 0.0,
        "links": made,
    }


def null_links(cells, source_length, target_length):
    """Return a link to None for each word of a sentence pair that is in none of the cells."""
    sources, targets = {i for i, _ in cells}, {j for _, j in cells}
    return {(i, None) for i in range(source_length) if i not in sources} | {
        (None, j) for j in range(target_length) if j not in targets
    }


def f_measure(precision, recall, alpha):
    """Return the weighted harmonic mean, 0 where it has no value."""
    if precision == 0 or recall == 0:
        return 0.0
    return 1 / (alpha / precision + (1 - alpha) / recall)


def mixed_aers(links, sure, possible):
    """Return the error rate for each way to read the links: (swapped, shift) -> AER."""
    rates = {}
    for swapped in (False, True):
        for shift in (-1, 0, 1):
            moved = [
                {((j, i) if swapped else (i, j)) for i, j in ((i + shift, j + shift) for i, j in pair)}
                for pair in links
            ]
            rates[swapped, shift] = score(moved, sure, possible)["aer"]
    return rates
