"""The loops of IBM Model 1, on a batch of `LANES` pairs."""

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES, everywhere, put, row
from cepts.words.lane_kernels import view


@helper
def ibm1_direction(view, null, share, nulls, total, likelihood):
    """Posteriors of one direction of a batch; adds to each lane's log likelihood. The vectors are scratch.

    A `null` below zero stands for NULL as one more word of the sentence.
    """
    for lane in range(LANES):
        words = max(view.state_lengths[lane], 1)
        nulls[lane] = null if null >= 0 else np.float32(1) / (words + 1)
        share[lane] = (np.float32(1) - nulls[lane]) / words
    inner = view.states * LANES
    for t in range(view.steps):
        null_emission = view.null_emission[t * LANES : (t + 1) * LANES]
        null_posterior = view.null_posterior[t * LANES : (t + 1) * LANES]
        sums = everywhere(0.0)
        for k in range(t * inner, (t + 1) * inner, LANES):
            sums = sums + row(view.emission, k)
        put(total, 0, sums)
        for lane in range(LANES):
            to_null = nulls[lane] * null_emission[lane]
            mass = total[lane] * share[lane] + to_null
            scale = np.float32(1) / mass if mass > 0 else np.float32(0)
            null_posterior[lane] = to_null * scale
            total[lane] = share[lane] * scale
            if t < view.step_lengths[lane]:
                likelihood[lane] += np.log(np.float64(mass)) if mass > 0 else -690.0
        factor = row(total, 0)
        for k in range(t * inner, (t + 1) * inner, LANES):
            put(view.posterior, k, row(view.emission, k) * factor)


@kernel
def ibm1_posteriors(chunk, first, end, way, null, emission, posterior, likelihoods):
    """Posteriors and log likelihoods [batch][lane] of one direction of the batches `first` to `end`."""
    share, nulls, total = np.empty((3, LANES), np.float32)
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, posterior)
        ibm1_direction(seen, null, share, nulls, total, likelihoods[b - first])


@kernel
def ibm1_paths(chunk, first, end, way, emission, posterior, paths):
    """The best state of each step, or -1 for NULL, where words are aligned on their own: the best posterior."""
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, posterior)
        path = view(chunk, b, first, way, paths, paths).null_posterior
        for t in range(seen.steps):
            for lane in range(LANES):
                best, place = seen.null_posterior[t * LANES + lane], -1
                for s in range(seen.state_lengths[lane]):
                    here = seen.posterior[(t * seen.states + s) * LANES + lane]
                    if here > best:
                        best, place = here, s
                path[t * LANES + lane] = place
