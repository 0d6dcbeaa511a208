"""Slow twins of the heuristics: sets of (source, target) for one sentence pair."""

AROUND = [(di, dj) for di in (-1, 0, 1) for dj in (-1, 0, 1) if (di, dj) != (0, 0)]


def combine(forward, reverse, method):
    """Combine two sets of points by name."""
    if method == "union":
        return forward | reverse
    if method == "intersection":
        return forward & reverse
    points = grow_diag(forward, reverse)
    if method == "grow-diag-final":
        points = final(points, forward, any)
        points = final(points, reverse, any)
    if method == "grow-diag-final-and":
        points = final(points, forward, all)
        points = final(points, reverse, all)
    return points


def grow_diag(forward, reverse):
    """Grow from the intersection, sweep after sweep."""
    points = forward & reverse
    while True:
        before = len(points)
        for i, j in sorted(forward | reverse):
            near = any((i + di, j + dj) in points for di, dj in AROUND)
            if (i, j) not in points and near and any(free_words(points, i, j)):
                points = points | {(i, j)}
        if len(points) == before:
            return points


def final(points, direction, enough):
    """Add the points of a direction whose words, any or all of the two, are free."""
    for i, j in sorted(direction):
        if enough(free_words(points, i, j)):
            points = points | {(i, j)}
    return points


def free_words(points, i, j):
    """Tell for source word i and for target word j whether no point covers it."""
    return i not in {source for source, _ in points}, j not in {target for _, target in points}
