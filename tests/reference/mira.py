"""An epoch of batch MIRA, sentence by sentence, in plain numpy."""

import numpy as np

from cepts.translation.bleu import bleu
from cepts.translation.bleu_kernels import REFERENCE


def slow_epoch(lists, free, step, decay, weights, document):
    """Return weights, document and the sum of all weights on the way."""
    total = np.zeros_like(weights)
    for one in lists:
        together = document + one.statistics
        gains = bleu(together) / 100 * together[:, REFERENCE]
        scores = one.features @ weights
        hope, fear = np.argmax(scores + gains), np.argmax(scores - gains)
        difference = np.where(free, one.features[hope] - one.features[fear], 0.0)
        loss = gains[hope] - gains[fear] - difference @ weights
        size = difference @ difference
        if loss > 0 and size > 0:
            weights = weights + min(step, loss / size) * difference
        document = decay * document + one.statistics[hope]
        total = total + weights
    return weights, document, total
