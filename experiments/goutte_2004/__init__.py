"""Cepts beside goutte-2004: what `experiments/cepts.py` runs, keeps and writes."""
