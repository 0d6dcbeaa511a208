"""The parts of `benchmarks/fuzz.py`."""
