"""Lines in many scripts with links between their words, for tests of formats."""

from hypothesis import strategies as st

from cepts.corpus.encoding import WORD
from cepts.links import Link

# Combining marks, right-to-left letters and their controls, emoji with joiners and skin tones, a no-break space,
# characters beyond 16 bits, what other formats use as signs, and plain letters.
PIECES = [
    "a", "B", "é", "e\u0301", "ע", "ب", "\u200f", "👩\u200d🔬", "👍🏽", "🇫🇷", "\u00a0", "𐍈", "漢", "ก็", "\u2028",
    "-", ":", "?", "|||", "({", "})", "{", '"', "\\", "<", "&", "]]>", "1", "NULL", "##", "@@", "▁", "Ġ", "'", ".",
    "\u0085",
]  # fmt: skip
SPACES = [" ", "  ", "\t"]
lines = st.lists(st.sampled_from([*PIECES, *SPACES, *SPACES]), max_size=12).map("".join)


@st.composite
def linked(draw, spaces=lines):
    """Draw some pairs of lines, and links between their words."""
    pairs = draw(st.lists(st.tuples(spaces, spaces), min_size=1, max_size=4))
    links = []
    for source, target in pairs:
        rows, columns = (len(WORD.findall(line)) for line in (source, target))
        links.append(draw(links_within(rows, columns)))
    return [source for source, _ in pairs], [target for _, target in pairs], links


def links_within(rows, columns):
    """Draw links of a pair with so many words, with confidences that have four decimals."""
    if not rows or not columns:
        return st.just([])
    confidences = st.integers(0, 10_000).map(lambda step: step / 10_000) | st.just(1.0)
    places = st.integers(0, rows - 1), st.integers(0, columns - 1)
    one = st.builds(Link, *places, confidences, st.booleans())
    return st.lists(one, max_size=6, unique_by=lambda link: link[:2])
