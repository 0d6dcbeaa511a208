"""A judge as one folder, with what it needs of a model and an aligner, and back; every array is checked at load."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts._version import __version__
from cepts.aligning.aligner import Aligner
from cepts.aligning.saving import KIND as ALIGNER
from cepts.corpus import TextOptions
from cepts.errors import ModelError, OptionError
from cepts.quality.judge import KIND, KINDS, Judge
from cepts.quality.saving import packed_similarity, unpacked_similarity
from cepts.quality.similar import Similarity
from cepts.sentences import SentenceModel
from cepts.sentences.classifiers import LVQ, BestDimension, Perceptron, Regression
from cepts.storage import load_folder, save_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cepts.sentences.classifiers import Classifier
    from cepts.storage import ModelFolder

MODEL, OF_ALIGNER, OF_CLASSIFIER = "model_", "aligner_", "classifier_"
CLASSIFIERS: dict[str, type[Regression | Perceptron | LVQ | BestDimension]] = {
    "everything": Regression,
    "shared": Regression,
    "perceptron": Perceptron,
    "lvq": LVQ,
    "dimension": BestDimension,
}


def save_judge(folder: str | os.PathLike[str], judge: Judge) -> None:
    """Write a judge and all that it needs."""
    if isinstance(judge.model, Similarity):
        model, arrays, texts = packed_similarity(judge.model, MODEL)
    else:
        model, arrays, texts = judge.model.packed(MODEL)
    meta: dict[str, Any] = {"kind": judge.kind, "text": judge.text.described(), "model": model}
    arrays |= {**judge.classifier.packed(OF_CLASSIFIER), "shared": judge.shared}
    if judge.aligner is None:
        save_folder(Path(folder), KIND, {**meta, "cepts": __version__}, arrays, texts)
        return
    with tempfile.TemporaryDirectory(prefix="cepts-", ignore_cleanup_errors=True) as place:
        judge.aligner.save(Path(place) / "aligner")
        packed = load_folder(Path(place) / "aligner", ALIGNER)
        arrays |= {OF_ALIGNER + name: array for name, array in packed.arrays.items()}
        texts |= {OF_ALIGNER + name: lines for name, lines in packed.texts.items()}
        meta["aligner"] = packed.meta
        save_folder(Path(folder), KIND, {**meta, "cepts": __version__}, arrays, texts)


def load_judge(folder: str | os.PathLike[str], threads: int = 1) -> Judge:
    """Read a judge; refuse one that does not hold together."""
    packed = load_folder(Path(folder), KIND)
    try:
        kind = str(packed.meta["kind"])
        if kind not in KINDS:
            raise ValueError(f"it is of kind {kind!r}")
        text = TextOptions.of_description(packed.meta["text"])
        aligner = _aligner(packed, threads) if "aligner" in packed.meta else None
        classifier: Classifier = CLASSIFIERS[kind].unpacked(packed.arrays, OF_CLASSIFIER)
        model = _model(packed, kind, threads)
        shared = _checked_shared(packed.arrays["shared"], model, kind)
        judge = Judge(kind, model, classifier, aligner, shared, text, threads)
        if classifier.width != len(judge.columns):
            raise ValueError("its classifier does not fit its model")
        return judge
    except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
        raise ModelError(f"{folder} is no judge that this version can use: {error}; train it again") from None


def _model(packed: ModelFolder, kind: str, threads: int) -> Similarity | SentenceModel:
    """Make the model again that a kind of judge needs."""
    parts = packed.meta["model"], packed.arrays, packed.texts, MODEL
    model = unpacked_similarity(*parts) if kind == "everything" else SentenceModel.unpacked(*parts)
    factors = model.factors if isinstance(model, Similarity) else model
    factors.factorisation.threads = threads
    return model


def _checked_shared(shared: NDArray[Any], model: Similarity | SentenceModel, kind: str) -> NDArray[np.int32]:
    """Refuse shared features that the model does not have."""
    if (
        shared.dtype != np.int32
        or shared.ndim != 2
        or len(shared) != 2
        or (shared.size > 0) != (kind == "shared")
    ):
        raise ValueError("its shared features are none")
    if isinstance(model, SentenceModel):
        widths = np.array([[space.width] for space in model.spaces])
        if not np.all((shared >= 0) & (shared < widths)):
            raise ValueError("its shared features are not those of its model")
    return np.array(shared)


def _aligner(packed: ModelFolder, threads: int) -> Aligner:
    """Make the folder of the aligner again, and let it load itself."""
    arrays, texts = _own(packed.arrays), _own(packed.texts)
    with tempfile.TemporaryDirectory(prefix="cepts-", ignore_cleanup_errors=True) as place:
        save_folder(Path(place) / "aligner", ALIGNER, packed.meta["aligner"], arrays, texts)
        return Aligner.load(Path(place) / "aligner", threads=threads)


def _own(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of the aligner, by the names that it gave them."""
    return {
        name.removeprefix(OF_ALIGNER): part for name, part in parts.items() if name.startswith(OF_ALIGNER)
    }
