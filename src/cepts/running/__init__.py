"""Where work runs: kernels compiled once, chunks on one thread or several, the same result."""

from cepts.running.run import run

__all__ = ["run"]
