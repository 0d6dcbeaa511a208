"""A small translator of the sample, trained once for all tests that only read it."""

from functools import cache

import cepts
from cepts.translation import Translator

TRAIN, DEV = 200, 40  # pairs of the sample
SMALL = {"beam": 20, "looks": 2, "n_best": 20, "rounds": 2, "order": 3}


@cache
def texts():
    """The sample, in two parts."""
    bitext = cepts.sample_bitext()
    return bitext.part(0, TRAIN), bitext.part(TRAIN, TRAIN + DEV)


@cache
def links():
    """Its links."""
    train, _ = texts()
    return cepts.Aligner("fast").fit(train).align(train)


@cache
def translator():
    """A tuned translator."""
    train, dev = texts()
    return Translator.train(train, dev, links=links(), **SMALL)
