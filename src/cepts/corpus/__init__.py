"""Parallel text: reading, tokenising, encoding."""

from cepts.corpus.bitext import Bitext, Side, side_from_tokens

__all__ = ["Bitext", "Side", "side_from_tokens"]
