"""What the paper prints."""

CITATION = (
    "J. M. Huerta: *Towards cross-lingual sentence similarity comparison: a generalized non-negative matrix "
    "factorization approach*. IBM Research Report, section 5"
)
FEATURES, SENTENCES = 100, 500  # of each random matrix of figure 1
K = 16
ACCURACY = {"perceptron": 0.73, "lvq": 0.687, "dimension": 0.67}  # share of human translations found
