"""The loops of an HMM with one NULL state that forgets the position, on a batch of `LANES` pairs; see `hmm_kernels`."""

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES
from cepts.words.chain_kernels import STAY, diagonal_weight, follow, load_chain, new_chain
from cepts.words.hmm_kernels import (
    add_batch,
    add_jumps,
    arrive,
    begin,
    come_back,
    lane_likelihood,
    largest_batch,
    load_scales,
    new_work,
)
from cepts.words.lane_kernels import leave_to_null, view


@helper
def load_diagonal(view, t, leave):
    """Where NULL goes at step t: probabilities [state][lane], zero beyond a lane's sentence."""
    for lane in range(LANES):
        states, steps = view.state_lengths[lane], view.step_lengths[lane]
        total = np.float32(0)
        for s in range(view.states):
            inside = s < states and t < steps
            leave[s * LANES + lane] = diagonal_weight(s, states, t, steps) if inside else np.float32(0)
            total += leave[s * LANES + lane]
        factor = (np.float32(1) - STAY) / total if total > 0 else np.float32(0)
        for s in range(view.states):
            leave[s * LANES + lane] *= factor


@helper
def emit_beside(view, t, work, null):
    """Multiply what arrives at step t by the emissions, put NULL beside it, and normalise."""
    inner, total = view.states * LANES, work.total
    alpha = view.posterior[t * inner : (t + 1) * inner]
    emission = view.emission[t * inner : (t + 1) * inner]
    reached = work.reached[t * inner : (t + 1) * inner]
    scale = work.scale[t * LANES : (t + 1) * LANES]
    for lane in range(LANES):
        total[lane] = null[lane]
    for s in range(view.states):
        for lane in range(LANES):
            k = s * LANES + lane
            alpha[k] = emission[k] * work.summed[k]
            total[lane] += alpha[k]
    for lane in range(LANES):
        scale[lane] = np.float32(1) / total[lane] if total[lane] > 0 else np.float32(0)
        null[lane] *= scale[lane]
    for s in range(view.states):
        for lane in range(LANES):
            k = s * LANES + lane
            alpha[k] *= scale[lane]
            reached[k] = alpha[k]


@helper
def forward_pass(view, transitions, work, leave, null):
    """Write scaled forward probabilities into the posterior; `null` [lane] is that of NULL at the step before."""
    inner = view.states * LANES
    load_scales(view, transitions, work)
    for t in range(view.steps):
        null_emission = view.null_emission[t * LANES : (t + 1) * LANES]
        if t == 0:
            begin(view, transitions, work)
            for lane in range(LANES):
                null[lane] = transitions.null * null_emission[lane]
        else:
            arrive(view, t, transitions, work)
            load_diagonal(view, t, leave)
            for s in range(view.states):
                for lane in range(LANES):
                    work.summed[s * LANES + lane] += null[lane] * leave[s * LANES + lane]
            work.total[:] = np.float32(0)  # of the real states: one less NULL would lose its digits
            for s in range(view.states):
                for lane in range(LANES):
                    work.total[lane] += work.reached[(t - 1) * inner + s * LANES + lane]
            for lane in range(LANES):
                going = transitions.null * work.total[lane] + STAY * null[lane]
                null[lane] = going * null_emission[lane]
        emit_beside(view, t, work, null)


@helper
def backward_pass(view, transitions, work, leave, null, counted):
    """Turn forward probabilities into posteriors; `null` [lane] is the backward probability of NULL."""
    work.backward[: view.states * LANES] = np.float32(1)
    null[:] = np.float32(1)
    for t in range(view.steps - 1, 0, -1):
        come_back(view, t, transitions, work, counted)
        step_null(view, t, transitions.null, work, leave, null)


@helper
def step_null(view, t, to_null, work, leave, null):
    """The backward probabilities of the step before t, of the real states and of NULL."""
    scale, total = work.scale[t * LANES : (t + 1) * LANES], work.total
    load_diagonal(view, t, leave)
    for lane in range(LANES):
        null[lane] *= view.null_emission[t * LANES + lane] * scale[lane]
        total[lane] = STAY * null[lane]
    for s in range(view.states):
        for lane in range(LANES):
            k = s * LANES + lane
            work.backward[k] = work.summed[k] + to_null * null[lane]
            total[lane] += leave[k] * work.values[k]
    for lane in range(LANES):
        over = t >= view.step_lengths[lane]  # the sentence ends before
        null[lane] = np.float32(1) if over else total[lane]
        if over:
            for s in range(view.states):
                work.backward[s * LANES + lane] = np.float32(1)


@helper
def leave_out_given(view, counts):
    """Take from the words those that follow a NULL: where they come from is given, and tells nothing of p0."""
    for t in range(view.steps - 1):
        for lane in range(LANES):
            if t + 1 < view.step_lengths[lane]:
                counts.words[0] -= view.null_posterior[t * LANES + lane]


@kernel
def forgetful_posteriors(
    chunk, first, end, way, transitions, emission, posterior, likelihoods, counts, counted
):
    """Posteriors and log likelihoods [batch][lane] of one direction of the batches `first` to `end`.

    With `counted`, the expected jumps are added to `counts`.
    """
    places, words = largest_batch(chunk, first, end)
    work = new_work(words, places, len(transitions.jumps))
    leave, null = np.empty(words * LANES, np.float32), np.empty(LANES, np.float32)
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, posterior)
        inner = seen.states * LANES
        work.departures[:inner] = np.float32(0)
        forward_pass(seen, transitions, work, leave, null)
        backward_pass(seen, transitions, work, leave, null, counted)
        for k in range(inner):
            seen.posterior[k] *= work.backward[k]
        leave_to_null(seen)
        if counted:
            add_batch(seen, transitions, work, counts)
            leave_out_given(seen, counts)
        for lane in range(LANES):
            likelihoods[b - first, lane] = lane_likelihood(seen, work, lane)
    if counted and len(transitions.kinds) == 0:
        add_jumps(transitions, work, words, counts)


@kernel
def forgetful_likelihoods(chunk, first, end, way, transitions, emission, posterior, likelihoods):
    """Log likelihoods [batch][lane] of one direction of the batches `first` to `end`; posteriors are overwritten."""
    places, words = largest_batch(chunk, first, end)
    work = new_work(words, places, len(transitions.jumps))
    leave, null = np.empty(words * LANES, np.float32), np.empty(LANES, np.float32)
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, posterior)
        forward_pass(seen, transitions, work, leave, null)
        for lane in range(LANES):
            likelihoods[b - first, lane] = lane_likelihood(seen, work, lane)


@kernel
def forgetful_paths(chunk, first, end, way, transitions, emission, paths):
    """The best state of each step, or -1 for NULL, of one direction of the batches `first` to `end`.

    A batch's path lies in `paths` where the posteriors of NULL lie in a posterior.
    """
    _, words = largest_batch(chunk, first, end)
    chain, changed = new_chain(words, True), np.zeros(words, np.bool_)
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, emission)
        path = view(chunk, b, first, way, paths, paths).null_posterior
        for lane in range(LANES):
            if seen.step_lengths[lane] > 0:
                chain = load_chain(chain, seen, lane, transitions)
                follow(chain, changed, True)
                for t in range(chain.steps):
                    path[t * LANES + lane] = chain.place[t]
