"""The loops of IBM Model 1, on a batch of `LANES` pairs."""

import numpy as np

from cepts.running.kernel import kernel
from cepts.words.lane_kernels import LANES, load_batch, new_buffers, store_counts


@kernel
def ibm1_direction(view, null, share, total, likelihood):
    """Posteriors of one direction of a batch; adds to each lane's log likelihood. `share`, `total` are scratch."""
    for lane in range(LANES):
        share[lane] = (np.float32(1) - null) / max(view.state_lengths[lane], 1)
    inner = view.states * LANES
    for t in range(view.steps):
        emission = view.emission[t * inner : (t + 1) * inner]
        posterior = view.posterior[t * inner : (t + 1) * inner]
        null_emission = view.null_emission[t * LANES : (t + 1) * LANES]
        null_posterior = view.null_posterior[t * LANES : (t + 1) * LANES]
        total[:] = np.float32(0)
        for s in range(view.states):
            for lane in range(LANES):
                total[lane] += emission[s * LANES + lane]
        for lane in range(LANES):
            to_null = null * null_emission[lane]
            mass = total[lane] * share[lane] + to_null
            scale = np.float32(1) / mass if mass > 0 else np.float32(0)
            null_posterior[lane] = to_null * scale
            total[lane] = share[lane] * scale
            if t < view.step_lengths[lane]:
                likelihood[lane] += np.log(np.float64(mass)) if mass > 0 else -690.0
        for s in range(view.states):
            for lane in range(LANES):
                posterior[s * LANES + lane] = emission[s * LANES + lane] * total[lane]


@kernel
def ibm1_expectation(chunk, values, counts, null, directions, agreeing):
    """E step of IBM-1 on a chunk: add expected counts, return both directions' log likelihoods."""
    buffers = new_buffers(chunk)
    share, total = np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    likelihoods = np.zeros((2, LANES))
    for b in range(len(chunk.shapes)):
        views = load_batch(chunk, b, values, buffers)
        for way in range(2):
            if directions[way]:
                ibm1_direction(views[way], null[way], share, total, likelihoods[way])
        store_counts(chunk, b, views[0], views[1], counts, agreeing)
    return likelihoods.sum(axis=1)
