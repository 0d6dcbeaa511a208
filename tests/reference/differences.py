"""Numeric derivatives."""


def slopes(function, point, step=1e-5):
    """Return the derivative of a function of a list by each coordinate: central differences of a relative step."""
    result = []
    for k, value in enumerate(point):
        moved = [[*point[:k], value * factor, *point[k + 1 :]] for factor in (1 + step, 1 - step)]
        result.append((function(moved[0]) - function(moved[1])) / (2 * step * value))
    return result
