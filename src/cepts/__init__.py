"""Cepts: align parallel text, from the text alone.

>>> import cepts
>>> alignment = cepts.align(["la maison", "la fleur", "une fleur"], ["the house", "the flower", "a flower"])
>>> [(link.source, link.target) for link in alignment[0]]
[(0, 0), (1, 1)]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cepts._version import __version__

if TYPE_CHECKING:
    from cepts.aligning import Aligner, Alignment, Recipe, align
    from cepts.characters import EditModel
    from cepts.corpus import Bitext, as_bitext, bitext_from_pairs, read_bitext, read_lexicon, tokenize
    from cepts.corpus.samples import sample, sample_bitext
    from cepts.errors import CeptsError, InputError, ModelError, OptionError, OutputError
    from cepts.evaluation import Evaluation, evaluate
    from cepts.links import (
        Link,
        Links,
        links_to_subwords,
        links_to_words,
        read_links,
        validate_links,
        write_links,
        write_pharaoh,
    )
    from cepts.quality import Judge, Similarity, filter_bitext
    from cepts.sentences import JointNMF

# Where each public name lives. Looked up when it is first used: `import cepts` alone costs nothing.
_HOMES = {
    "Aligner": "aligning",
    "Alignment": "aligning",
    "Bitext": "corpus",
    "CeptsError": "errors",
    "EditModel": "characters",
    "Evaluation": "evaluation",
    "InputError": "errors",
    "JointNMF": "sentences",
    "Judge": "quality",
    "Link": "links",
    "Links": "links",
    "ModelError": "errors",
    "OptionError": "errors",
    "OutputError": "errors",
    "Recipe": "aligning",
    "Similarity": "quality",
    "align": "aligning",
    "as_bitext": "corpus",
    "bitext_from_pairs": "corpus",
    "evaluate": "evaluation",
    "filter_bitext": "quality",
    "links_to_subwords": "links",
    "links_to_words": "links",
    "read_bitext": "corpus",
    "read_lexicon": "corpus",
    "read_links": "links",
    "sample": "corpus.samples",
    "sample_bitext": "corpus.samples",
    "tokenize": "corpus",
    "validate_links": "links",
    "write_links": "links",
    "write_pharaoh": "links",
}

# Packages that the pages name. They are there after `import cepts`, and imported when they are first used.
_PACKAGES = (
    "aligning",
    "characters",
    "combine",
    "corpus",
    "errors",
    "evaluation",
    "links",
    "names",
    "phrases",
    "quality",
    "sentences",
    "translation",
    "views",
    "web",
)

__all__ = [
    "Aligner",
    "Alignment",
    "Bitext",
    "CeptsError",
    "EditModel",
    "Evaluation",
    "InputError",
    "JointNMF",
    "Judge",
    "Link",
    "Links",
    "ModelError",
    "OptionError",
    "OutputError",
    "Recipe",
    "Similarity",
    "__version__",
    "align",
    "as_bitext",
    "bitext_from_pairs",
    "evaluate",
    "filter_bitext",
    "links_to_subwords",
    "links_to_words",
    "read_bitext",
    "read_lexicon",
    "read_links",
    "sample",
    "sample_bitext",
    "tokenize",
    "validate_links",
    "write_links",
    "write_pharaoh",
]


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"cepts.{name}")
    if name not in _HOMES:
        from cepts.checking import no_attribute

        raise no_attribute("cepts", name, __dir__())
    value = getattr(import_module(f"cepts.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES])
