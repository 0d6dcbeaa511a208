"""The experiment on translation: what is run, measured and reported."""
