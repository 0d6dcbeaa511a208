"""Small samples: a French-English bitext, its first lines aligned by hand; Russian and English names."""

from cepts.corpus.samples.names import NamePaths, sample_names
from cepts.corpus.samples.paths import SamplePaths, sample, sample_bitext

__all__ = ["NamePaths", "SamplePaths", "sample", "sample_bitext", "sample_names"]
