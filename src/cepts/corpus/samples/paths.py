"""Where the files of the built-in sample are."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cepts.checking import checked
from cepts.corpus.readers import read_bitext

if TYPE_CHECKING:
    from cepts.corpus.bitext import Bitext


class SamplePaths(NamedTuple):
    """The sample's French side, its English side, and hand-made links for the first lines of both."""

    source: Path
    target: Path
    gold: Path


@checked
def sample() -> SamplePaths:
    """Return the files of the sample: tokenised, one sentence per line, links in Pharaoh format.

    >>> sample().target.read_text(encoding="utf-8").splitlines()[0]
    'The black cat is sleeping in front of the school .'
    """
    folder = Path(str(files("cepts.corpus.samples")))
    return SamplePaths(folder / "fr-en.fr", folder / "fr-en.en", folder / "fr-en.gold")


@checked
def sample_bitext() -> Bitext:
    """Return the sample as a bitext.

    >>> len(sample_bitext())
    240
    """
    return read_bitext(*sample()[:2])
