"""Logarithms of estimates, many at a time.

`log_estimates` works on numbers that stand side by side, without branches or calls, so that the compiler makes vector
operations of it: a few nanoseconds a number, with the precision of float32. `log_estimate` is for single ones, in
float64.
"""

import math

import numpy as np

from cepts.running.kernel import helper

ONE, TWO, THREE, SIX = np.float32(1), np.float32(2), np.float32(3), np.float32(6)
LOG_OF_TWO = np.float32(math.log(2))
ROOT_OF_HALF = np.int32(0x3F3504F3)  # the bits of sqrt(1/2)
FRACTION = np.int32(23)  # bits of a float32 behind its exponent
SMALLEST = np.float32(2**-126)  # below, a float32 has another form, and counts as nothing
NOTHING = np.float32(-np.inf)
# log(m) = 2 atanh((m - 1) / (m + 1)): odd powers of that, as far as float32 sees them.
THIRD, FIFTH, SEVENTH, NINTH = np.float32(1 / 3), np.float32(1 / 5), np.float32(1 / 7), np.float32(1 / 9)
# exp(digamma(y + 1/2)) = y + FIRST / y - SECOND / y^3 + THIRD_TERM / y^5, for y of 2.5 and more.
HIGHER = np.float32(2.5)
FIRST, SECOND, THIRD_TERM = np.float32(1 / 24), np.float32(37 / 5760), np.float32(10313 / 2903040)


@helper
def log_estimate(count, prior):
    """The logarithm of a count, or digamma of it and its prior; as `lexicon_kernels.estimate`, without the norm."""
    if prior <= 0.0:
        return math.log(count) if count > 0.0 else -np.inf
    x = count + prior
    if x > 20.0:
        return math.log(x - 0.5 + 1.0 / (24.0 * (x - 0.5)))
    y = x + 2.5
    series = y + 1.0 / (24.0 * y) - 37.0 / (5760.0 * y * y * y) + 10313.0 / (2903040.0 * y**5)
    return math.log(series) - (3.0 * x * x + 6.0 * x + 2.0) / (x * (x + 1.0) * (x + 2.0))


@helper
def log_of(x):
    """The logarithm of a float32: of its exponent, and of what is left, which is between sqrt(1/2) and sqrt(2)."""
    bits = np.float32(x).view(np.int32)
    exponent = (bits - ROOT_OF_HALF) >> FRACTION
    rest = np.int32(bits - (exponent << FRACTION)).view(np.float32)
    s = (rest - ONE) / (rest + ONE)
    z = s * s
    series = ONE + z * (THIRD + z * (FIFTH + z * (SEVENTH + z * NINTH)))
    found = TWO * s * series + np.float32(exponent) * LOG_OF_TWO
    return found if x >= SMALLEST else NOTHING


@helper
def log_estimates(numbers, count, prior):
    """Put in the place of each of the first `count` float32 what `log_estimate` makes of it and its prior."""
    if prior <= 0.0:
        for n in range(count):
            numbers[n] = log_of(numbers[n])
        return
    more = np.float32(prior)
    for n in range(count):
        x = numbers[n] + more
        y = x + HIGHER
        r = ONE / y
        z = r * r
        series = y + r * (FIRST - z * (SECOND - z * THIRD_TERM))
        numbers[n] = log_of(series) - (THREE * x * x + SIX * x + TWO) / (x * (x + ONE) * (x + TWO))
