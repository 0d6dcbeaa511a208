"""The HMM of denero-2011: one NULL state, which forgets where the last word was aligned.

A path comes to NULL with the probability of NULL, stays there with probability 1e-4, and goes back to a word near
the diagonal (the paper's footnote 2). Where NULL is improbable, as it is there, this hardly differs from a NULL that
remembers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from cepts.words.forgetful_kernels import forgetful_likelihoods, forgetful_paths, forgetful_posteriors
from cepts.words.hmm import Hmm, Loops


@dataclass(frozen=True, eq=False)
class ForgetfulHmm(Hmm):
    """The HMM with one NULL state in each direction."""

    remembers: ClassVar[bool] = False
    loops: ClassVar[Loops] = Loops(forgetful_posteriors, forgetful_paths, forgetful_likelihoods)
