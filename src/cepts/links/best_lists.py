"""`BestLists`: the most probable alignments of each pair, and the file that they are written in and read from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TextIO

import numpy as np

from cepts.checking import checked
from cepts.errors import InputError, OptionError
from cepts.links.fields import parse_position, parse_score
from cepts.links.links import Link, Links, row_keys, widths
from cepts.links.pharaoh import BLOCK, format_block, pharaoh_rows
from cepts.showing import line_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

NO_PAIRS = np.empty(0, np.int64)
LIST_LINE = re.compile(r"([^|]*)\|\|\|([^|]*)\|\|\|([^|]*)")


@checked
class BestLists(NamedTuple):
    """The n best alignments of a direction: each is a pair of `links`, belongs to sentence pair `owner`, best first.

    Log probabilities are natural, of an alignment together with the words that it generates. `oversized` has the
    numbers of the pairs that were too long for the model.
    """

    links: Links
    owner: NDArray[np.int64]
    log_probability: NDArray[np.float64]
    oversized: NDArray[np.int64] = NO_PAIRS

    def __repr__(self) -> str:
        """Return how many alignments there are."""
        return line_of(self, {"pairs": len(np.unique(self.owner)), "alignments": len(self.owner)})

    def of(self, pair: int) -> list[tuple[list[Link], float]]:
        """Return a pair's alignments with their log probabilities, best first.

        >>> links = Links.from_pairs([[(0, 0)], [(0, 1)], []])
        >>> [log for _, log in BestLists(links, np.array([0, 0, 3]), np.array([-1.0, -2.5, -3.0])).of(0)]
        [-1.0, -2.5]
        """
        first, end = np.searchsorted(self.owner, [pair, pair + 1]).tolist()
        return [(self.links[row], float(self.log_probability[row])) for row in range(first, end)]

    def replaced(self, lists: Mapping[int, list[tuple[float, list[Link]]]]) -> BestLists:
        """Return the same lists with other ones, of log probabilities and links, for some pairs."""
        entries = [
            (owner, log, self.links[row])
            for row, (owner, log) in enumerate(
                zip(self.owner.tolist(), self.log_probability.tolist(), strict=True)
            )
            if owner not in lists
        ]
        entries += [(owner, log, links) for owner, found in lists.items() for log, links in found]
        entries.sort(key=lambda entry: entry[0])  # stable: each list stays in its order
        return BestLists(
            Links.from_pairs(links for _, _, links in entries),
            np.array([owner for owner, _, _ in entries], np.int64),
            np.array([log for _, log, _ in entries], np.float64),
        )

    def shares(self, pairs: int) -> Links:
        """Make one alignment of each list: a link's confidence is the probability of the alignments that have it.

        >>> lists = BestLists(Links.from_pairs([[(0, 0)], [(0, 0), (1, 1)]]), np.array([0, 0]), np.log([0.6, 0.2]))
        >>> [(link.target, round(link.confidence, 2)) for link in lists.shares(1)[0]]
        [(0, 1.0), (1, 0.25)]
        """
        if pairs <= self.owner.max(initial=-1):
            raise OptionError(f"{pairs} pairs, but there are lists of {int(self.owner.max()) + 1}")
        row, links = self.links.row_pairs(), self.links
        owner, shape = self.owner[row], widths(links.source, links.target)
        keys = row_keys(owner, links.source, links.target, shape, pairs)
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        share = np.minimum(np.bincount(place, self._weights()[row], len(first)), 1.0).astype(np.float32)
        offsets = np.zeros(pairs + 1, np.int64)
        np.cumsum(np.bincount(owner[first], minlength=pairs), out=offsets[1:])
        return Links(links.source[first], links.target[first], share, links.sure[first], offsets)

    def _weights(self) -> NDArray[np.float64]:
        """Return the probability of each alignment within its list."""
        best = np.full(int(self.owner.max(initial=-1)) + 1, -np.inf)
        np.maximum.at(best, self.owner, self.log_probability)
        weights = np.exp(self.log_probability - best[self.owner])
        normalised: NDArray[np.float64] = weights / np.bincount(self.owner, weights)[self.owner]
        return normalised


@checked
def write_best_lists(lists: BestLists, stream: TextIO, first: int = 0) -> None:
    """Write a line for each alignment: `line ||| links ||| log probability`; pairs count from `first`."""
    owners, logs = (first + lists.owner).tolist(), lists.log_probability.tolist()
    for begin in range(0, len(owners), BLOCK):
        end = min(begin + BLOCK, len(owners))
        heads = [f"{owner} ||| " for owner in owners[begin:end]]
        # What ends a line goes on with the head of the next one.
        ends = [
            f" ||| {log:.4f}\n{head}" for log, head in zip(logs[begin:end], [*heads[1:], ""], strict=True)
        ]
        stream.write(heads[0] + format_block(lists.links, begin, end, ends, None))


def is_list(lines: Sequence[str]) -> bool:
    """Tell n-best lists by their first line with text.

    >>> is_list(["0 ||| 0-0 1-1 ||| -3.5"]), is_list(["0-0 1-1 ||| -3.5"])
    (True, False)
    """
    match = LIST_LINE.fullmatch(next((line for line in lines if line.strip()), ""))
    return match is not None and match[1].strip().isdecimal()


def parse_best_lists(lines: Sequence[str], name: str) -> BestLists:
    """Parse lines of `line ||| links ||| log probability`; alignments of a pair stay in their order."""
    owners, texts, logs = [], [], []
    for number, line in enumerate(lines, 1):
        match = LIST_LINE.fullmatch(line)
        try:
            if match is None:
                raise InputError("expected `line ||| links ||| log probability`")
            owners.append(parse_position(match[1].strip(), 0))
            logs.append(_log_probability(match[3].strip()))
        except InputError as error:
            raise InputError(f"{name}, line {number}: {error}") from None
        texts.append(match[2])
    links = pharaoh_rows(texts, name).links()
    order = np.argsort(np.array(owners, np.int64), kind="stable")
    return BestLists(
        links.picked(order), np.array(owners, np.int64)[order], np.array(logs, np.float64)[order]
    )


def _log_probability(text: str) -> float:
    """Read a logarithm that can be compared."""
    value = parse_score(text)
    if not np.isfinite(value):
        raise InputError(f"log probability {text}, expected a finite number")
    return value
