"""Links between tokens become links between the words that stand between spaces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs
from cepts.corpus.encoding import WORD
from cepts.errors import InputError
from cepts.links import Link, Links, links_to_whitespace

NO_BREAK = "\u00a0"


def positions(links: Links) -> list[list[tuple[int, int]]]:
    return [[link[:2] for link in pair] for pair in links]


def test_tokens_of_one_word_share_their_links() -> None:
    bitext = bitext_from_pairs([("(Oui, oui!)", "Yes, yes!")], tokenize=True, to_whitespace=True)
    assert bitext.source.sentence(0) == ["(", "oui", ",", "oui", "!", ")"]
    links = Links.from_pairs([[(1, 0, 0.5, False), (2, 1, 0.75), (3, 2, 0.25), (4, 3, 0.5)]])
    assert links_to_whitespace(links, bitext)[0] == [Link(0, 0, 0.75, True), Link(1, 1, 0.5, True)]


def test_words_are_those_between_ascii_spaces() -> None:
    """A no-break space separates tokens but stands within a word; a word may hold no token at all."""
    pair = (f"Bonjour{NO_BREAK}! \u200b oui", "Hello! yes")
    bitext = bitext_from_pairs([("", ""), pair], tokenize=True, to_whitespace=True)
    assert bitext.source.sentence(1) == ["bonjour", "!", "oui"]
    links = Links.from_pairs([[], [(0, 0), (1, 1), (2, 2)]])
    assert positions(links_to_whitespace(links, bitext)) == [[], [(0, 0), (2, 1)]]


def test_scores_stay() -> None:
    bitext = bitext_from_pairs([("a,", "b,")], tokenize=True, to_whitespace=True)
    links = Links([0], [0], [1.0], [True], [0, 1], scores=np.array([-2.5]))
    assert links_to_whitespace(links, bitext).scores is not None


@given(st.lists(st.text("ab ,.'-\t\u00a0\u3000家।", max_size=20), min_size=1, max_size=4))
def test_each_token_is_part_of_its_word(lines: list[str]) -> None:
    bitext = bitext_from_pairs(
        [(line, line) for line in lines], tokenize=True, to_whitespace=True, keep_case=True
    )
    every = Links.from_pairs([[(i, i) for i in range(n)] for n in bitext.source.lengths.tolist()])
    for line, pair in zip(lines, positions(links_to_whitespace(every, bitext)), strict=True):
        words = WORD.findall(line)
        held = [k for k, word in enumerate(words) if word.strip("\u00a0\u3000")]
        assert pair == [(k, k) for k in held]


def test_what_is_refused() -> None:
    links = Links.from_pairs([[(0, 0)]])
    with pytest.raises(InputError, match="does not say where its tokens stood"):
        links_to_whitespace(links, bitext_from_pairs([("a", "b")]))
    with pytest.raises(InputError, match="is outside of its pair"):
        links_to_whitespace(
            Links.from_pairs([[(5, 0)]]), bitext_from_pairs([("a", "b")], tokenize=True, to_whitespace=True)
        )
