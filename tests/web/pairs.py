"""Sentence pairs with everything that pairs can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.corpus import bitext_from_pairs

if TYPE_CHECKING:
    from cepts.corpus import Bitext

PAIRS = [
    ("La Maison est bleue", "The House is blue"),
    ("le chat", "the cat"),
    ("", "nothing here"),
    ("Le chat dort dans la maison", "the cat sleeps in the house"),
    ("<script>alert(1)</script> & x", "\u202eabc\u202c \"quoted\" 'x'"),
    ("le Chat noir", "the black cat"),
]


def make_bitext() -> Bitext:
    """Encode the pairs, with their text."""
    return bitext_from_pairs(PAIRS, keep_text=True)
