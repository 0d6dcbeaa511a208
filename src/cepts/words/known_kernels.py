"""Emissions of words whose partners are known: nothing else may generate them."""

import numpy as np

from cepts.running.kernel import kernel
from cepts.running.vector_kernels import LANES
from cepts.words.lane_kernels import view


@kernel
def clamp_steps(chunk, first, way, steps, offsets, states, emission):
    """Set what may not generate a step to zero, for some steps of the block that begins with the batch `first`.

    A row of `steps` is (batch, lane, step, whether NULL may generate it); `states` from `offsets[n]` up to
    `offsets[n + 1]`, sorted, are those that may.
    """
    for n in range(len(steps)):
        b, lane, t = steps[n, 0], steps[n, 1], steps[n, 2]
        seen = view(chunk, b, first, way, emission, emission)
        if steps[n, 3] == 0:
            seen.null_emission[t * LANES + lane] = np.float32(0)
        row, place = t * seen.states * LANES + lane, offsets[n]
        for s in range(seen.states):
            if place < offsets[n + 1] and states[place] == s:
                place += 1
            else:
                seen.emission[row + s * LANES] = np.float32(0)
