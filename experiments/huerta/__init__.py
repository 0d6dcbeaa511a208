"""Figure and tasks of huerta (joint non-negative factorisation for sentence similarity), and ours beside them."""
