"""Slow twin of the projection onto the simplex: a quadratic programme, solved by trying every face."""

import itertools


def project(point):
    """Return the nearest of the points that are nearest within a face; up to some six coordinates.

    A face is a choice of coordinates that may differ from zero. Within its plane the nearest point is the
    coordinates moved by one common amount, so that they sum to one; it counts if none is negative.
    """
    best, shortest = None, float("inf")
    places = range(len(point))
    for size in range(1, len(point) + 1):
        for face in itertools.combinations(places, size):
            level = (sum(point[k] for k in face) - 1) / size
            candidate = [point[k] - level if k in face else 0 for k in places]
            distance = sum((a - b) ** 2 for a, b in zip(candidate, point, strict=True))
            if min(candidate) >= 0 and distance < shortest:
                best, shortest = candidate, distance
    return best
