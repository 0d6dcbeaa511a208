"""The experiment of denero-2011: runs, results, claims, report and plot of `experiments/both_directions.py`."""
