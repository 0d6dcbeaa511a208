"""From posteriors and best paths to links, pair by pair."""

import numpy as np

from cepts.running.kernel import kernel
from cepts.words.hmm_kernels import backward_pass, forward_pass, lane_likelihood, new_work
from cepts.words.ibm1_kernels import ibm1_direction
from cepts.words.lane_kernels import LANES, leave_to_null, load_batch, new_buffers


@kernel
def room_for(found, links, more):
    """Make room for `more` links behind the first `found`."""
    if found + more <= len(links):
        return links
    larger = np.empty((max(2 * len(links), found + more), 4), np.float32)
    larger[:found] = links[:found]
    return larger
