"""Figure 1: what is left unexplained of two random matrices, iteration by iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.sentences import JointNMF
from huerta.paper import FEATURES, SENTENCES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from huerta.rows import Row

SEED = 2011


def random_matrices() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw two matrices [sentences, features] evenly from 0 to 1; the paper's have sentences as columns."""
    random = np.random.default_rng(SEED)
    return random.random((SENTENCES, FEATURES)), random.random((SENTENCES, FEATURES))


def measure_curve(row: Row, threads: int) -> dict[str, Any]:
    """Factorise, and keep what the loss was at the start and after each iteration.

    For the squared error it is told as the Frobenius norm of both residuals together, whose square is twice the loss.
    """
    model = JointNMF(**row.options, threads=threads).fit(*random_matrices())
    losses = np.array(model.losses)
    curve = np.sqrt(2 * losses) if row.options["beta"] == 1 else losses
    return {
        "curve": [float(f"{value:.6g}") for value in curve],
        "unit": "norm" if row.options["beta"] == 1 else "divergence",
        "said": f"{curve[0]:.4g} -> {curve[-1]:.4g}",
    }
