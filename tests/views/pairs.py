"""Aligned pairs for tests of drawings: a few by hand, hostile words, and any."""

from __future__ import annotations

from hypothesis import strategies as st

from cepts.links import Link
from cepts.views import AlignedPair

PLAIN = AlignedPair(
    1,
    ["le", "chat", "noir"],
    ["the", "black", "cat"],
    [Link(0, 0, 0.99), Link(1, 2, 0.5), Link(2, 1, sure=False)],
    score=-2.5,
)
COMPARED = AlignedPair(
    2,
    ["le", "chat", "dort"],
    ["the", "cat", "is", "asleep"],
    [Link(0, 0), Link(1, 1, 0.7), Link(2, 3), Link(0, 2, 0.2)],
    [Link(0, 0), Link(1, 1, sure=False), Link(2, 3), Link(2, 2, sure=False), Link(1, 0)],
    error=0.25,
)
DOCUMENTED = AlignedPair(
    1,
    ["Le", "chat", "noir", "ne", "dort", "pas", "."],
    ["The", "black", "cat", "is", "not", "sleeping", "."],
    [
        Link(0, 0, 0.99),
        Link(1, 2, 0.95),
        Link(2, 1, 0.6),
        Link(3, 4, 0.3),
        Link(4, 5, 0.9),
        Link(5, 3, 0.4),
        Link(6, 6),
    ],
    [
        *(Link(0, 0), Link(1, 2), Link(2, 1), Link(3, 4, sure=False), Link(4, 3, sure=False)),
        *(Link(4, 5), Link(5, 4), Link(6, 6)),
    ],
    error=0.154,
)
HOSTILE = [
    "<script>alert(1)</script>",
    "</title><svg onload=alert(1)>",
    '" onmouseover="alert(1)',
    "&amp;",
    "]]>",
    "\u202eevil\u2066",
    "nul\0nul",
    "\ud800",
    "\uffff",
    "--><!--",
    "{data}",
    "",
]

words = st.lists(
    st.one_of(st.sampled_from([*HOSTILE, "学校", "שלום", "école"]), st.text(max_size=5)), max_size=5
)


@st.composite
def pairs(draw: st.DrawFn) -> AlignedPair:
    """Any pair, with gold or without."""
    source, target = draw(words), draw(words)
    found, gold = (_links(draw, source, target) for _ in range(2))
    return AlignedPair(draw(st.integers(1, 99)), source, target, found, draw(st.sampled_from([None, gold])))


def _links(draw: st.DrawFn, source: list[str], target: list[str]) -> list[Link]:
    places = st.tuples(
        st.integers(0, len(source) - 1), st.integers(0, len(target) - 1), st.floats(0, 1), st.booleans()
    )
    found = st.lists(places, unique_by=lambda place: place[:2])
    return [Link(*place) for place in draw(found)] if source and target else []


@st.composite
def aligned(draw: st.DrawFn, least: int = 0) -> tuple[list[str], list[str], list[Link]]:
    """Any words that a terminal shows as they are, at least so many a side, and links of them."""
    shown = st.sampled_from(["a", "école", "学校", "e\u0301", "maison", "한국어"])
    source, target = (draw(st.lists(shown, min_size=least, max_size=8)) for _ in range(2))
    places = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1), st.booleans())
    found = draw(st.lists(places, unique_by=lambda place: place[:2])) if source and target else []
    return source, target, [Link(i, j, 1.0, sure) for i, j, sure in found]
