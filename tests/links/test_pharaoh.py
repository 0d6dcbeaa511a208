"""Writing Pharaoh: exact text, and what is written is read again."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.links import Link, Links, format_pharaoh, pharaoh, read_links, write_pharaoh

positions = st.integers(0, 30)
confidences = st.integers(0, 10_000).map(lambda step: float(np.float32(step / 10_000)))
rows = st.lists(st.builds(Link, positions, positions, confidences, st.booleans()), max_size=8)
scored_pairs = st.lists(st.tuples(rows, st.integers(-99_999, 0).map(lambda step: step / 10_000)), max_size=12)


def build(scored):
    plain = Links.from_pairs([pair for pair, _ in scored])
    columns = plain.source, plain.target, plain.confidence, plain.sure, plain.offsets
    return Links(*columns, np.array([score for _, score in scored], np.float64))


def written(links, **options):
    stream = io.StringIO()
    write_pharaoh(links, stream, **options)
    return stream.getvalue()


GOLDEN = build(
    [([], -0.5), ([Link(0, 0), Link(2, 1, 0.97, False), Link(10, 3, 0.03125)], -2.34567), ([], -1.0)]
)


def test_plain_text():
    assert written(GOLDEN) == "\n0-0 2?1 10-3\n\n"


def test_text_with_scores():
    # 0.03125 lies between 0.0312 and 0.0313 and goes to the even one, as Python rounds
    assert written(GOLDEN, scores=True) == "\t-0.5000\n0-0:1 2?1:0.97 10-3:0.0312\t-2.3457\n\t-1.0000\n"


def test_scores_of_links_without_scores_are_left_out():
    assert written(Links.from_pairs([[(0, 0, 0.5)], []]), scores=True) == "0-0:0.5\n\n"
    unknown = build([([Link(0, 0, 0.5)], float("nan"))])
    assert written(unknown, scores=True) == "0-0:0.5\n" == format_pharaoh(unknown[0], float("nan")) + "\n"


@pytest.mark.parametrize("pairs", [[], [[]], [[], []]])
def test_nothing_to_write(pairs):
    assert written(Links.from_pairs(pairs)) == "\n" * len(pairs)


@given(scored_pairs, st.booleans(), st.integers(1, 4))
def test_blocks_equal_single_lines(scored, scores, block):
    links = build(scored)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pharaoh, "BLOCK", block)
        text = written(links, scores=scores)
    lines = [format_pharaoh(links[k], links.scores[k] if scores else None) for k in range(len(links))]
    assert text == "".join(f"{line}\n" for line in lines)


@given(scored_pairs)
def test_what_is_written_is_read_again(scored):
    links = build(scored)
    back = read_links(io.StringIO(written(links, scores=True)))
    assert list(back) == list(links)
    assert (back.scores is None) == (len(links) == 0)
    assert len(links) == 0 or back.scores.tolist() == links.scores.tolist()
    certain = [[link._replace(confidence=1.0) for link in pair] for pair in links]
    assert list(read_links(io.StringIO(written(links)))) == certain
