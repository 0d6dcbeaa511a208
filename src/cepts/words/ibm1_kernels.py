"""The loops of IBM Model 1, on a batch of `LANES` pairs."""

import numpy as np

from cepts.running.kernel import kernel
from cepts.words.lane_kernels import LANES, load_batch, new_buffers, store_counts


@kernel
def ibm1_direction(view, null, share, total):
    """Posteriors of one direction of a batch; `share` and `total` are scratch. Returns the log likelihood."""
    for lane in range(LANES):
        share[lane] = (np.float32(1) - null) / max(view.state_lengths[lane], 1)
    likelihood = 0.0
    for t in range(view.steps):
        at_null = t * LANES
        for lane in range(LANES):
            total[lane] = np.float32(0)
        for s in range(view.states):
            cell = (t * view.states + s) * LANES
            for lane in range(LANES):
                total[lane] += view.emission[cell + lane]
        for lane in range(LANES):
            to_null = null * view.null_emission[at_null + lane]
            mass = total[lane] * share[lane] + to_null
            total[lane] = np.float32(1) / mass if mass > 0 else np.float32(0)
            view.null_posterior[at_null + lane] = to_null * total[lane]
            if t < view.step_lengths[lane]:
                likelihood -= np.log(np.float64(total[lane])) if mass > 0 else 690.0
            total[lane] *= share[lane]
        for s in range(view.states):
            cell = (t * view.states + s) * LANES
            for lane in range(LANES):
                view.posterior[cell + lane] = view.emission[cell + lane] * total[lane]
    return likelihood


@kernel
def ibm1_expectation(chunk, values, counts, null, directions, agreeing):
    """E step of IBM-1 on a chunk: add expected counts, return both directions' log likelihoods."""
    buffers = new_buffers(chunk)
    share, total = np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    likelihoods = np.zeros(2)
    for b in range(len(chunk.shapes)):
        views = load_batch(chunk, b, values, buffers)
        for way in range(2):
            if directions[way]:
                likelihoods[way] += ibm1_direction(views[way], null[way], share, total)
        store_counts(chunk, b, views[0], views[1], counts, agreeing)
    return likelihoods
