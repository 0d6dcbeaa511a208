"""Links, and every format that they are written in."""

from cepts.links.links import Link, Links

__all__ = ["Link", "Links"]
