"""The experiment of schoenemann-2011: rows, runs, results, report and plots of `experiments/regularised.py`."""
