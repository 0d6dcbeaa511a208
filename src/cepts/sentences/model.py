"""`SentenceModel`: what sentences consist of, in both languages, and the joint factorisation of that."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts._version import __version__
from cepts.checking import checked, refusing
from cepts.errors import ModelError, OptionError
from cepts.sentences.features import FeatureOptions, FeatureSpace, parse_features
from cepts.sentences.joint import SIDES, JointNMF
from cepts.sentences.matrices import row_blocks
from cepts.sentences.projection import PROJECTIONS
from cepts.sentences.similarity import MEASURES, similarities
from cepts.storage import load_folder, save_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side
    from cepts.sentences.matrices import Matrix

KIND = "sentence-model"
BLOCK = 8192  # sentences whose features are counted at once
LARGEST = 1e15  # factor


@checked
class SentenceModel:
    """Sentences of two languages in one space, learned from parallel text.

    >>> import cepts
    >>> bitext = cepts.sample_bitext()
    >>> model = SentenceModel.fit(bitext, k=8)
    >>> scores = model.similarity(bitext)
    >>> len(scores) == len(bitext)
    True

    `projection` and `measure` say how sentences get into the space and how near they are there; see
    `cepts.sentences.project` and `similarities`.
    """

    def __init__(
        self,
        spaces: tuple[FeatureSpace, FeatureSpace],
        factorisation: JointNMF,
        projection: str = "non-negative",
        measure: str = "cosine",
    ) -> None:
        """Hold what was learned; `fit` and `load` make one."""
        self.spaces, self.factorisation = spaces, factorisation
        self.projection, self.measure = projection, measure
        _check_choices(projection, measure)

    @classmethod
    def fit(
        cls,
        bitext: Bitext,
        *,
        features: str | FeatureOptions | tuple[FeatureOptions, FeatureOptions] = "words",
        projection: str = "non-negative",
        measure: str = "cosine",
        threads: int = 1,
        progress: Callable[[int, float], None] | None = None,
        **options: Any,
    ) -> SentenceModel:
        """Learn from parallel text; `features` for both languages, or for each; `options` are those of `JointNMF`.

        A name or list such as `words:2,chars:3-5` stands for features with all else as it is by default.
        """
        _check_choices(projection, measure)
        chosen = _feature_options(features)
        spaces = (
            FeatureSpace.fit(bitext.source, chosen[0], name="the source text"),
            FeatureSpace.fit(bitext.target, chosen[1], name="the target text"),
        )
        joint = JointNMF(threads=threads, progress=progress, **options)
        batch = joint.options.batch
        if batch is None:
            joint.fit_blocks(_blocks(bitext, spaces, BLOCK), (spaces[0].width, spaces[1].width))
        else:
            joint.check_size(len(bitext), (spaces[0].width, spaces[1].width))
            joint.fit_stream(lambda: _blocks(bitext, spaces, batch))
        return cls(spaces, joint, projection, measure)

    def project(self, side: Side, name: str = "source") -> NDArray[np.float32]:
        """Return sentences of one language, `source` or `target`, in the common space [sentences, k]."""
        if name not in SIDES:
            raise OptionError(f"side must be source or target, got {name!r}")
        space = self.spaces[SIDES.index(name)]
        parts = [
            self.factorisation.transform(
                space.encode(side.part(*rows), name=f"the {name} text", lines_before=rows[0]),
                name,
                self.projection,
            )
            for rows in row_blocks(len(side), BLOCK)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, self.factorisation.options.k), np.float32)

    def similarity(self, bitext: Bitext, measure: str | None = None) -> NDArray[np.float32]:
        """Return how near the two sentences of each pair are; 0 where one has nothing that is known."""
        return similarities(
            self.project(bitext.source, "source"),
            self.project(bitext.target, "target"),
            measure or self.measure,
        )

    def packed(
        self, prefix: str = ""
    ) -> tuple[dict[str, Any], dict[str, NDArray[Any]], dict[str, list[str]]]:
        """Return what a model folder needs: a description, arrays and texts, whose names begin with `prefix`."""
        arrays: dict[str, NDArray[Any]] = {}
        texts: dict[str, list[str]] = {}
        meta: dict[str, Any] = {
            "options": asdict(self.factorisation.options),
            "projection": self.projection,
            "measure": self.measure,
            "losses": [float(loss) for loss in self.factorisation.losses],
        }
        for name, space, factors in zip(SIDES, self.spaces, self.factorisation.factors, strict=True):
            meta[f"{name}_features"], more_arrays, more_texts = space.packed(f"{prefix}{name}_")
            arrays = arrays | more_arrays | {f"{prefix}{name}_factors": factors}
            texts |= more_texts
        return meta, arrays, texts

    @classmethod
    def unpacked(
        cls,
        meta: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        texts: Mapping[str, Sequence[str]],
        prefix: str = "",
    ) -> SentenceModel:
        """Make again what was packed; refuse what does not fit."""
        with refusing("a packed sentence model"):
            return cls._unpacked(meta, arrays, texts, prefix)

    @classmethod
    def _unpacked(
        cls,
        meta: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        texts: Mapping[str, Sequence[str]],
        prefix: str,
    ) -> SentenceModel:
        spaces = tuple(
            FeatureSpace._unpacked(meta[f"{name}_features"], arrays, texts, f"{prefix}{name}_")
            for name in SIDES
        )
        joint = JointNMF(**meta["options"])
        joint.losses = [float(loss) for loss in meta["losses"]]
        joint.factors = [
            _checked_factors(
                np.array(arrays[f"{prefix}{name}_factors"], order="C"), space.width, joint.options.k
            )
            for name, space in zip(SIDES, spaces, strict=True)
        ]
        return cls((spaces[0], spaces[1]), joint, str(meta["projection"]), str(meta["measure"]))

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model as a folder, whole or not at all."""
        meta, arrays, texts = self.packed()
        save_folder(Path(folder), KIND, {**meta, "cepts": __version__}, arrays, texts)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> SentenceModel:
        """Read a model; refuse one that does not hold together."""
        meta, arrays, texts = load_folder(Path(folder), KIND)
        try:
            return cls._unpacked(meta, arrays, texts, "")
        except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
            raise ModelError(
                f"{folder} is no sentence model that this version can use: {error}; train it again"
            ) from None


def _check_choices(projection: str, measure: str) -> None:
    for name, value, known in (("projection", projection, PROJECTIONS), ("measure", measure, MEASURES)):
        if value not in known:
            raise OptionError(f"{name} must be one of {', '.join(known)}, got {value!r}")


def _feature_options(
    features: str | FeatureOptions | tuple[FeatureOptions, FeatureOptions],
) -> tuple[FeatureOptions, FeatureOptions]:
    if isinstance(features, str):
        features = FeatureOptions(**parse_features(features))
    return (features, features) if isinstance(features, FeatureOptions) else features


def _blocks(
    bitext: Bitext, spaces: tuple[FeatureSpace, FeatureSpace], size: int
) -> Iterator[tuple[Matrix, Matrix]]:
    for rows in row_blocks(len(bitext), size):
        part = bitext.part(*rows)
        yield spaces[0].encode(part.source), spaces[1].encode(part.target)


def _checked_factors(factors: NDArray[Any], width: int, k: int) -> NDArray[np.float32]:
    if factors.dtype != np.float32 or factors.shape != (width, k):
        raise ValueError("its factors have another shape than its features")
    if not (np.all(factors >= 0) and np.all(factors <= LARGEST)):
        raise ValueError("its factors are negative, too large or no numbers")
    return factors
