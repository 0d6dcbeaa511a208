"""`cepts train --from`: text is added to a saved model."""

import pytest

import cepts
from cepts import Aligner
from tests.cli.command import refused, run, succeed


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """The sample cut in two, a model of the first part, and one of both; tests only read them."""
    folder = tmp_path_factory.mktemp("from")
    for path, side in zip(cepts.sample()[:2], ("source", "target"), strict=True):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / f"old-{side}").write_text("".join(lines[:160]), encoding="utf-8")
        (folder / f"new-{side}").write_text("".join(lines[160:]), encoding="utf-8")
    succeed("train", folder / "old-source", folder / "old-target", "--output", folder / "old")
    succeed("train", *new_text(folder), "--from", folder / "old", "--output", folder / "both")
    return folder


def new_text(folder):
    return folder / "new-source", folder / "new-target"


def test_a_model_is_added_to_as_in_python(texts):
    bitext = cepts.read_bitext(*new_text(texts))
    links = Aligner.load(texts / "old").updated(bitext).align(bitext)
    expected = [" ".join(f"{i}-{j}" for i, j, *_ in pair) for pair in links]
    assert succeed("align", *new_text(texts), "--model", texts / "both").splitlines() == expected
    assert "trained on           240 pairs" in succeed("info", texts / "both")


def test_a_model_may_be_written_over_and_memory_and_threads_change_nothing(texts, tmp_path):
    old, other = (texts / "old-source", texts / "old-target"), tmp_path / "model"
    succeed("train", *old, "--output", other)
    more = ("train", *new_text(texts), "--from", other, "--output", other)
    assert "memory: 250 MB" in run(*more, "--threads", "2", "--memory", "250M").err
    for file in (texts / "both").iterdir():
        if file.name != "model.json":
            assert (other / file.name).read_bytes() == file.read_bytes()


def test_a_checkpoint_of_an_update_is_resumed(texts, tmp_path):
    more = ("train", *new_text(texts), "--from", texts / "old", "--checkpoint", tmp_path / "run", "--resume")
    for name in ("one", "two"):
        succeed(*more, "--output", tmp_path / name)
    assert (tmp_path / "one" / "values.npy").read_bytes() == (tmp_path / "two" / "values.npy").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--method", "fast"), "--method cannot change a model that is trained; drop it, or --from"),
        (("--iterations", "hmm=2"), "--iterations cannot change a model that is trained"),
        (("--tokenize",), "--tokenize was not used when the model was trained; train one with it"),
        (("--keep-case",), "--keep-case was not used when the model was trained"),
    ],
)
def test_options_that_contradict_the_model_are_refused(options, message, texts, tmp_path):
    more = ("train", *new_text(texts), "--from", texts / "old", "--output", tmp_path / "model")
    assert message in refused(*more, *options)
    assert not (tmp_path / "model").exists()


def test_what_cannot_be_added_to_is_refused_before_text_is_read(texts, tmp_path):
    fast = ("--model-type", "ibm1", "--training", "independent", "--iterations", "ibm1=1")
    succeed("train", *new_text(texts), "--output", tmp_path / "alone", *fast)
    more = ("train", tmp_path / "missing", "--output", tmp_path / "model", "--from")
    assert "not to one of --training independent: train it again on all text" in refused(
        *more, tmp_path / "alone"
    )
    assert "there is no model" in refused(*more, tmp_path / "nowhere")
