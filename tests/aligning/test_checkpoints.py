"""Runs that are stopped anywhere and go on: the links are the same to the last bit."""

import json
import shutil

import numpy as np
import pytest

from cepts import Aligner
from cepts.aligning import checkpoints
from cepts.errors import ModelError, OptionError, OutputError
from cepts.links import Links
from tests.aligning.contract import assert_same_links, fitted, sample

KINDS = [
    {},
    {"model_type": "ibm1", "regularity": 0.5, "training": "independent"},
    {"model_type": "ibm4", "classes": 4},
    {
        "model_type": "ibm4",
        "classes": 4,
        "ibm1_iterations": 1,
        "hmm_iterations": 2,
        "ibm3_iterations": 2,
        "ibm4_iterations": 2,
    },
    {"model_type": "bihmm", "ibm1_iterations": 2, "hmm_iterations": 2},
    {"optimizer": "pgd", "training": "independent", "ibm1_iterations": 2, "hmm_iterations": 3},
    {"prune": 1e-3, "model_type": "ibm4", "classes": 4},
]


class StopError(Exception):
    pass


class Stopping:
    """A watcher that ends the run when so many iterations are over."""

    def __init__(self, after):
        self.left = after

    def __call__(self, step):
        first = step.direction != "reverse"  # directions that report alone do so side by side
        if step.objective is not None and step.stage != "classes" and first:
            if not self.left:
                raise StopError
            self.left -= 1


def stopped(folder, options, after, text=None):
    """Train until so many iterations are over; returns whether the run came to its end before."""
    try:
        Aligner(monitor=Stopping(after), **options).fit(text or sample(), checkpoint=folder, resume=True)
    except StopError:
        return False
    return True


@pytest.mark.parametrize("options", KINDS, ids=lambda options: "-".join(map(str, options.values())) or "best")
def test_a_run_that_is_stopped_again_and_again_ends_with_the_same_links(options, tmp_path):
    ends = [stopped(tmp_path / "run", options, after=1) for _ in range(12)]
    assert 1 < ends.index(True) < 12
    resumed = Aligner(**options).fit(sample(), checkpoint=tmp_path / "run", resume=True)
    assert_same_links(resumed.align(sample()), fitted(options).align(sample()))
    assert [entry.name[:5] for entry in (tmp_path / "run").iterdir()] == ["step-"]


def test_a_finished_run_is_not_trained_again(tmp_path):
    steps = []
    Aligner(monitor=steps.append).fit(sample(), checkpoint=tmp_path / "run")
    assert {step.stage for step in steps} == {"ibm1", "classes", "hmm"}
    again = []
    Aligner(monitor=again.append).fit(sample(), checkpoint=tmp_path / "run", resume=True)
    assert {step.stage for step in again} == {"classes"}, "which follow from the text"


def test_a_checkpoint_is_not_written_over(tmp_path):
    stopped(tmp_path / "run", {}, after=2)
    with pytest.raises(
        OptionError, match=r"run holds a checkpoint: add resume=True to go on from there, or name"
    ):
        Aligner().fit(sample(), checkpoint=tmp_path / "run")


@pytest.mark.parametrize(
    ("options", "given", "text", "what"),
    [
        ({"hmm_prior": 0.2}, {}, sample(), "another recipe"),
        ({}, {}, sample().part(0, 50), "another text"),
        ({}, {"lexicon": [("chat", "cat")]}, sample(), "other known links or another lexicon"),
        (
            {},
            {"known_links": Links.from_pairs([[(0, 0)], *[[]] * (len(sample()) - 1)])},
            sample(),
            "other known links or another lexicon",
        ),
    ],
)
def test_the_checkpoint_of_another_run_is_refused(options, given, text, what, tmp_path):
    stopped(tmp_path / "run", {}, after=2)
    with pytest.raises(OptionError, match=f"run is the checkpoint of a run with {what}: resume that one, or"):
        Aligner(**options).fit(text, checkpoint=tmp_path / "run", resume=True, **given)


def spoil(folder):
    file = next(folder.glob("step-*/lexicon.npy"))
    content = bytearray(file.read_bytes())
    content[-3] ^= 1
    file.write_bytes(content)


def test_a_damaged_checkpoint_is_refused_and_an_older_one_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints.shutil, "rmtree", lambda *_, **__: None)  # older steps stay
    stopped(tmp_path / "run", {}, after=3)
    steps = sorted((tmp_path / "run").iterdir())
    assert len(steps) > 1
    for file in ("lexicon.npy", "model.json"):
        content = bytearray((steps[-1] / file).read_bytes())
        content[-9] ^= 1
        (steps[-1] / file).write_bytes(content)
    resumed = Aligner().fit(sample(), checkpoint=tmp_path / "run", resume=True)
    assert_same_links(resumed.align(sample()), fitted({}).align(sample()))


def test_a_checkpoint_that_is_damaged_is_named(tmp_path):
    stopped(tmp_path / "run", {}, after=2)
    spoil(tmp_path / "run")
    with pytest.raises(ModelError, match=r"run/step-[0-9]+.*lexicon"):
        Aligner().fit(sample(), checkpoint=tmp_path / "run", resume=True)


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"run: it holds thesis.txt, which is no checkpoint; name another"):
        Aligner().fit(sample(), checkpoint=tmp_path / "run")
    with pytest.raises(OutputError, match="cannot write"):
        Aligner().fit(sample(), checkpoint=tmp_path / "none" / "run")


def test_a_full_disk_stops_the_run_and_leaves_the_last_step(tmp_path, monkeypatch):
    stopped(tmp_path / "run", {}, after=2)
    before = sorted(entry.name for entry in (tmp_path / "run").iterdir())

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(np.lib.format, "write_array", full)
        with pytest.raises(OutputError, match="No space left on device"):
            Aligner().fit(sample(), checkpoint=tmp_path / "run", resume=True)
    assert sorted(entry.name for entry in (tmp_path / "run").iterdir()) == before
    resumed = Aligner().fit(sample(), checkpoint=tmp_path / "run", resume=True)
    assert_same_links(resumed.align(sample()), fitted({}).align(sample()))


def test_the_checkpoint_of_another_version_is_refused(tmp_path):
    stopped(tmp_path / "run", {}, after=2)
    (step,) = (tmp_path / "run").iterdir()
    described = json.loads((step / "model.json").read_text())
    described["meta"]["position"] = [1, 0, 0.05]
    (step / "model.json").write_text(json.dumps(described))
    with pytest.raises(
        ModelError, match=r"run is the checkpoint of another version of Cepts: resume it with"
    ):
        Aligner().fit(sample(), checkpoint=tmp_path / "run", resume=True)


@pytest.mark.parametrize("resume", [True, False])
def test_what_a_killed_run_left_is_removed(resume, tmp_path):
    folder = tmp_path / "run"
    stopped(folder, {}, after=2)
    (whole,) = folder.iterdir()
    number = int(whole.name[5:])
    unfinished = [folder / f".step-{number + 1:06d}.0a1b2c3d.{ending}" for ending in ("tmp", "old")]
    for left in (
        *unfinished,
        folder / f"step-{number - 1:06d}",
    ):  # the older one was killed while it was removed
        left.mkdir()
        (left / "lexicon.npy").write_bytes(b"half")
    if resume:
        assert not stopped(folder, {}, after=0)
        (step,) = folder.iterdir()
        assert step.name > whole.name
    else:
        for step in folder.glob("step-*"):
            shutil.rmtree(step)
        Aligner().fit(sample(), checkpoint=folder)
        (step,) = folder.iterdir()
        assert step.name.startswith("step-")


def test_leftovers_of_another_run_are_not_touched(tmp_path):
    folder = tmp_path / "run"
    stopped(folder, {}, after=2)
    left = folder / ".step-000009.0a1b2c3d.tmp"
    left.mkdir()
    with pytest.raises(OptionError, match="another recipe"):
        Aligner(hmm_prior=0.2).fit(sample(), checkpoint=folder, resume=True)
    assert left.exists()
