"""A small French-English bitext that comes with Cepts, its first lines aligned by hand."""

from cepts.corpus.samples.paths import SamplePaths, sample, sample_bitext

__all__ = ["SamplePaths", "sample", "sample_bitext"]
