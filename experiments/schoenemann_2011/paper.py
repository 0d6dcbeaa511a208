"""The paper's own figures: weighted F (alpha 0.1) in percent.

T. Schoenemann: Regularizing Mono- and Bi-Word Models for Word Alignment. IJCNLP 2011, tables 2 and 3.
"""

from __future__ import annotations

from schoenemann_2011.rows import COLUMNS

CITATION = (
    "T. Schoenemann: *Regularizing Mono- and Bi-Word Models for Word Alignment*. IJCNLP 2011, section 6"
)

# In the order of the columns: Es|En, En|Es, De|En, En|De, Fr|En, En|Fr.
PRINTED = {
    "large": {
        "ibm1-em": (64.0, 64.6, 68.5, 71.5, 82.7, 83.3),
        "ibm1-em-reg": (64.5, 64.9, 68.6, 72.0, 83.1, 83.5),
        "ibm1-pgd": (63.5, 63.6, 67.0, 71.0, 82.6, 82.3),
        "ibm1-pgd-reg": (63.8, 64.1, 66.9, 71.8, 83.3, 81.8),
        "hmm-renormalised": (75.0, 74.2, 72.5, 75.3, 91.4, 90.8),
        "hmm-em": (77.4, 76.1, 73.2, 77.8, 89.6, 90.3),
        "hmm-em-reg": (77.7, 76.3, 73.1, 78.2, 90.3, 90.6),
        "hmm-pgd": (75.3, 73.5, 70.9, 75.3, 89.2, 88.8),
        "hmm-pgd-reg": (74.9, 73.8, 72.2, 75.7, 89.3, 88.7),
        "ibm4": (79.6, 80.0, 76.8, 80.5, 92.3, 93.2),
    },
    "small": {
        "ibm1-em": (54.5, 56.0, 59.0, 63.6, 77.1, 79.2),
        "ibm1-em-reg": (56.0, 57.2, 60.4, 64.5, 78.7, 79.5),
        "ibm1-pgd": (50.6, 56.0, 59.2, 63.1, 76.6, 79.3),
        "ibm1-pgd-reg": (55.8, 56.9, 60.0, 63.5, 78.0, 79.4),
        "hmm-renormalised": (68.0, 66.9, 65.7, 67.9, 82.8, 84.9),
        "hmm-em": (69.3, 68.9, 65.0, 70.2, 80.9, 86.9),
        "hmm-em-reg": (72.2, 72.0, 68.0, 71.8, 83.5, 87.7),
        "hmm-pgd": (68.0, 68.9, 57.9, 68.7, 79.3, 85.6),
        "hmm-pgd-reg": (68.0, 71.0, 61.0, 69.4, 82.1, 86.1),
        "ibm4": (72.5, 72.3, 76.8, 73.0, 86.4, 89.0),
        "bi1-em": (52.0, 54.7, 57.8, 63.8, 74.2, 77.3),
        "bi1-em-reg": (54.2, 55.8, 59.3, 64.3, 76.8, 78.8),
        "bi1-pgd": (52.8, 55.2, 58.0, 64.0, 75.0, 77.8),
        "bi1-pgd-reg": (53.7, 56.0, 59.1, 63.8, 75.7, 77.8),
        "bihmm-em": (66.2, 68.5, 64.4, 67.2, 79.6, 82.2),
        "bihmm-em-reg": (70.8, 71.2, 66.0, 70.8, 80.5, 86.8),
        "bihmm-pgd": (68.4, 68.2, 71.5, 68.0, 78.2, 84.3),
        "bihmm-pgd-reg": (69.8, 71.2, 63.5, 68.1, 78.4, 84.1),
    },
}

# Rows of ours that are, to the letter, what the paper says of its own: they stand beside its figures, too.
TO_THE_LETTER = {
    "ibm4-chain": "ibm4",
    "bi1-printed": "bi1-em",
    "bi1-printed-reg": "bi1-em-reg",
    "bihmm-printed": "bihmm-em",
    "bihmm-printed-reg": "bihmm-em-reg",
}


def paper_figures(table: str) -> dict[tuple[str, str], float]:
    """Return the paper's F in percent by row and column.

    >>> paper_figures("small")["hmm-em-reg", "De|En"]
    68.0
    """
    own = PRINTED[table]
    letter = {row: own[other] for row, other in TO_THE_LETTER.items() if other in own}
    return {
        (row, column.name): figure
        for row, figures in (own | letter).items()
        for column, figure in zip(COLUMNS, figures, strict=True)
    }
