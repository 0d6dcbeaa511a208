"""`BestLists`: the most probable alignments of each pair, and the file that they are written in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TextIO

import numpy as np

from cepts.links.links import Link, Links
from cepts.links.pharaoh import BLOCK, format_block

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


class BestLists(NamedTuple):
    """The n best alignments of a direction: each is a pair of `links`, belongs to sentence pair `owner`, best first.

    Log probabilities are natural, of an alignment together with the words that it generates.
    """

    links: Links
    owner: NDArray[np.int64]
    log_probability: NDArray[np.float64]

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
