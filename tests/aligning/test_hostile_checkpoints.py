"""Checkpoints by strangers: a run goes on from one that makes sense, and from any other there is a message."""

import shutil

import numpy as np
import pytest

from cepts import Aligner
from cepts.errors import ModelError
from tests.aligning.contract import sample
from tests.aligning.forging import changed, describe, forge, set_meta
from tests.aligning.test_checkpoints import stopped
from tests.storage.tampering import believed, sign, tamper

TEXT = sample().part(0, 12)
CASES = 60  # of each kind
KINDS = {
    "hmm": ({"jump_classes": 3, "prune": 1e-3}, 6),
    "ibm4": ({"model_type": "ibm4", "classes": 3}, 9),
    "bihmm": ({"model_type": "bihmm", "ibm1_iterations": 2, "hmm_iterations": 2}, 3),
    "pgd": ({"optimizer": "pgd", "training": "independent", "ibm1_iterations": 2, "hmm_iterations": 3}, 3),
}  # fmt: skip


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """A checkpoint of each kind of run, stopped in its last stage."""
    folder = tmp_path_factory.mktemp("runs")
    for name, (options, after) in KINDS.items():
        assert not stopped(folder / name, options, after, TEXT)
    return folder


@pytest.fixture
def run(honest, tmp_path):
    """Copies, by name: the folder of the run and that of its step."""

    def copied(name):
        folder = shutil.copytree(honest / name, tmp_path / "run")
        (step,) = folder.iterdir()
        return folder, step

    return copied


def resumed(name, folder):
    aligner = Aligner(**KINDS[name][0]).fit(TEXT, checkpoint=folder, resume=True)
    links = aligner.align(TEXT)
    assert len(links) == len(TEXT)
    assert np.isfinite(links.confidence).all()


def refusal(name, folder):
    with pytest.raises(ModelError) as error:
        resumed(name, folder)
    return str(error.value)


@pytest.mark.parametrize("name", KINDS)
def test_tampered_checkpoints_are_refused_or_harmless(name, honest, tmp_path):
    done = []
    for seed in range(CASES):
        folder = shutil.copytree(honest / name, tmp_path / str(seed))
        (step,) = folder.iterdir()
        rng = np.random.default_rng(seed)
        what = tamper(step, rng)
        if seed % 2:
            sign(step)
        if believed(lambda folder=folder: resumed(name, folder), seed, what):
            done.append(what)
    assert len(done) < CASES // 2, done


def zeroed(array):
    return np.zeros_like(array)


HOSTILE = {
    "a lexicon of other word pairs": ("hmm", "lexicon", lambda a: a[:-1], "lexicon has the shape"),
    "values that are no numbers": ("hmm", "lexicon", lambda a: changed(a, (3, 0), np.nan), "lexicon[3, 0] is nan"),
    "values that are no probabilities": ("pgd", "lexicon", lambda a: changed(a, (3, 1), 7), "lexicon[3, 1] is 7.0"),
    "negative values": ("bihmm", "lexicon", lambda a: changed(a, (3, 1), -1), "lexicon[3, 1] is -1.0"),
    "values of 64 bits": ("ibm4", "lexicon", lambda a: a.astype(float), "lexicon is of <f8, expected float32"),
    "infinite jumps": ("hmm", "jumps_0", lambda a: changed(a, 3, np.inf), "jumps_0[3] is inf"),
    "jumps of no weight": ("hmm", "jumps_1", zeroed, "jumps_1 has no weight"),
    "classes of no weight": ("hmm", "of_class_1", zeroed, "of_class_1 has no weight"),
    "starts of other sentences": ("ibm4", "starts_0", lambda a: a[1:], "starts_0 has the shape"),
    "a NULL that is certain and more": ("hmm", "null_0", lambda a: a + 1, "null_0[0] is 1.1"),
    "fertilities that are no numbers": ("ibm4", "fertility_0", lambda a: a * np.nan, "fertility_0[0, 0] is nan"),
    "fertilities above one": ("ibm4", "fertility_1", lambda a: a + 1, "fertility_1[0, 0] is 1."),
    "negative moves": ("ibm4", "moves_0", lambda a: -a, "moves_0[0, 0] is -"),
    "starts above one": ("bihmm", "starts_1", lambda a: a + 1, "starts_1[0] is 1."),
    "classes that are no probabilities": ("hmm", "of_class_0", lambda a: a + 2, "of_class_0[0, 0] is 2."),
    "moves of other classes": ("ibm4", "moves_1", lambda a: a[1:], "moves_1 has the shape"),
    "a NULL that is impossible": ("ibm4", "brings_null_0", zeroed, "brings_null_0[0] is 0.0"),
    "pairs that are no probabilities": ("bihmm", "pairs_0", lambda a: a + 2, "pairs_0[0] is 2."),
    "distances that are negative": ("bihmm", "distances_1", lambda a: -a, "distances_1[0] is -"),
    "a term that is no number": ("bihmm", "penalty_0", lambda a: a * np.nan, "penalty_0[0] is nan, expected"),
    "word pairs that are too few": ("hmm", "kept", lambda a: a[1:], "kept has the shape"),
    "no word pairs": ("hmm", "kept", zeroed, "kept leaves out word pairs that are needed"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_an_array_of_a_stranger_is_refused(case, run):
    name, array, change, reason = HOSTILE[case]
    folder, step = run(name)
    forge(step, array, change(np.load(step / f"{array}.npy")))
    message = refusal(name, folder)
    assert message.startswith(f"{step} is no checkpoint that this run can go on from: {reason}")
    assert message.endswith("; begin anew in another folder")


@pytest.mark.parametrize("name", KINDS)
def test_arrays_that_are_missing_or_too_many_are_named(name, run):
    folder, step = run(name)
    for file in sorted(step.glob("*.npy")):
        content = (step / "model.json").read_text()
        describe(step, lambda description, file=file: description["arrays"].pop(file.stem))
        assert f"from: {file.stem} is missing; begin anew" in refusal(name, folder)
        (step / "model.json").write_text(content)
    forge(step, "extra", np.ones(3))
    assert "extra is not a part of it" in refusal(name, folder)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda description: description["meta"].pop("identity"), "it does not say of which run it is"),
        (set_meta("identity", []), "it does not say of which run it is"),
        (lambda description: description["meta"].pop("stage"), "it does not say how far the run has come"),
        (set_meta("stage", ["hmm"]), "it does not say how far the run has come"),
        (set_meta("stage", "ibm5"), "it does not say how far the run has come"),
        (lambda description: description["meta"].pop("position"), "it does not say how far the run has come"),
        (set_meta("position", 3), "it does not say how far the run has come"),
        (set_meta("position", ["a", [0.1, 0.1]]), "it does not say how far the run has come"),
        (set_meta("position", [0, [0.1, 0.1]]), "it does not say how far the run has come"),
        (set_meta("position", [99, [0.1, 0.1]]), "it does not say how far the run has come"),
        (set_meta("position", [1, [0.1]]), "it does not say how far the run has come"),
        (set_meta("position", [1, [0.1, None]]), "it does not say how far the run has come"),
        (set_meta("position", [1, [0.1, float("nan")]]), "it does not say how far the run has come"),
    ],
)  # fmt: skip
def test_a_description_of_a_stranger_is_refused(change, reason, run):
    folder, step = run("hmm")
    describe(step, change)
    expected = f"{step} is no checkpoint that this run can go on from: {reason}; begin anew in another folder"
    assert refusal("hmm", folder) == expected


def test_the_arrays_of_another_stage_are_refused(run):
    folder, step = run("hmm")
    describe(step, set_meta("stage", "ibm1"))
    assert " is not a part of it; begin anew in another folder" in refusal("hmm", folder)
