"""Best paths: for each step of each lane the state that generates it, or -1 for NULL."""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES
from cepts.words.hmm_kernels import begin, largest_batch, load_scales, new_work
from cepts.words.lane_kernels import view


class Trail(NamedTuple):
    """What a search remembers, for the largest batch of a block."""

    came_from: np.ndarray  # [step][state][lane]: where the step before was, if this one is at a real state
    is_null: np.ndarray  # [step][state][lane]: whether NULL is the better way to be at this position
    best: np.ndarray  # [state][lane]
    far_best: np.ndarray  # [lane]
    far_place: np.ndarray  # [lane]


@helper
def new_trail(longest, places):
    """Allocate a trail for batches of so many words a side and so many places."""
    return Trail(
        np.empty(places, np.int32),
        np.empty(places, np.bool_),
        np.empty(longest * LANES, np.float32),
        np.empty(LANES, np.float32),
        np.empty(LANES, np.int32),
    )


@helper
def try_distance(weights, before, distance, here, place):
    """Let each state be reached by a jump of `distance`, where that is better than what it has.

    `weights` are those of the jump from each state, `before` how probable that is.
    """
    jump = distance * LANES
    for k in range(max(0, jump), len(here) + min(0, jump)):
        reached = weights[k - jump] * before[k - jump]
        better = reached > here[k]
        here[k] = reached if better else here[k]
        place[k] = k // LANES - distance if better else place[k]


@helper
def reach_near(weights, band, values, states, here, place):
    """The best jump within the band to each state, nearest distances first."""
    inner = states * LANES
    here[:inner] = np.float32(-1)
    for step in range(min(band, states - 1) + 1):
        for distance in (step, -step):
            first = (band + distance) * inner
            try_distance(weights[first : first + inner], values, distance, here[:inner], place)


@helper
def reach_far(band, values, states, here, place, trail):
    """The best jump from beyond the band: running maxima from the left, then from the right."""
    for way in range(2):
        trail.far_best[:] = np.float32(-1)
        for n in range(states - band - 1):
            s = n + band + 1 if way == 0 else states - band - 2 - n
            other = n if way == 0 else states - 1 - n
            for lane in range(LANES):
                if values[other * LANES + lane] > trail.far_best[lane]:
                    trail.far_best[lane] = values[other * LANES + lane]
                    trail.far_place[lane] = other
                if trail.far_best[lane] > here[s * LANES + lane]:
                    here[s * LANES + lane] = trail.far_best[lane]
                    place[s * LANES + lane] = trail.far_place[lane]


@helper
def settle(view, t, null, work, trail, stayed):
    """Choose between a real word and NULL at each position of step t, and rescale by each lane's best."""
    inner = view.states * LANES
    emission = view.emission[t * inner : (t + 1) * inner]
    is_null = trail.is_null[t * inner : (t + 1) * inner]
    null_emission, total = view.null_emission[t * LANES : (t + 1) * LANES], work.total
    total[:] = np.float32(0)
    for s in range(view.states):
        for lane in range(LANES):
            k = s * LANES + lane
            real, nothing = emission[k] * work.summed[k], null * null_emission[lane] * stayed[k]
            is_null[k] = nothing > real
            trail.best[k] = nothing if nothing > real else real
            total[lane] = max(total[lane], trail.best[k])
    for s in range(view.states):
        for lane in range(LANES):
            if total[lane] > 0:
                trail.best[s * LANES + lane] /= total[lane]


@helper
def walk_back(view, trail, lane, path):
    """Follow one lane's best path from its last step to its first."""
    inner, last = view.states * LANES, view.step_lengths[lane] - 1
    place = 0
    for s in range(view.state_lengths[lane]):
        if trail.best[s * LANES + lane] > trail.best[place * LANES + lane]:
            place = s
    for t in range(last, -1, -1):
        k = t * inner + place * LANES + lane
        if trail.is_null[k]:
            path[t * LANES + lane] = -1
        else:
            path[t * LANES + lane] = place
            place = trail.came_from[k]


@helper
def hmm_path(view, transitions, work, trail, path):
    """The most probable alignment of each lane under the HMM."""
    inner, band = view.states * LANES, len(transitions.jumps) // 2
    load_scales(view, transitions, work)
    values, stayed = work.values, work.backward
    begin(view, transitions, work)
    for t in range(view.steps):
        if t > 0:
            place = trail.came_from[t * inner : (t + 1) * inner]
            for k in range(inner):
                stayed[k] = trail.best[k]
                values[k] = trail.best[k] * work.near[k]
            reach_near(work.weights, band, values, view.states, work.summed, place)
            if view.states > band + 1:
                for k in range(inner):
                    values[k] = trail.best[k] * work.far[k]
                reach_far(band, values, view.states, work.summed, place, trail)
        settle(view, t, transitions.null, work, trail, stayed)
        for lane in range(LANES):
            if t == view.step_lengths[lane] - 1:
                walk_back(view, trail, lane, path)


@kernel
def hmm_paths(chunk, first, end, way, transitions, emission, paths):
    """The best state of each step, or -1 for NULL, of one direction of the batches `first` to `end`.

    A batch's path lies in `paths` where the posteriors of NULL lie in a posterior.
    """
    places, words = largest_batch(chunk, first, end)
    work, trail = new_work(words, places, len(transitions.jumps)), new_trail(words, places)
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, emission)
        path = view(chunk, b, first, way, paths, paths).null_posterior
        hmm_path(seen, transitions, work, trail, path)
