"""What `align` returns: it has everything that was found, keeps that in parts of it, and leaves the aligner alone."""

import gzip
import io
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from cepts import Aligner, Links, as_bitext, read_links
from cepts.aligning import Alignment
from cepts.aligning.alignment import alignment_of
from cepts.corpus import bitext_from_pairs
from cepts.errors import CeptsError, InputError, ModelError, OptionError, OutputError, PositionError
from tests.aligning.contract import assert_same_links, fitted, sample
from tests.aligning.test_double import long_text

PICKED = np.array([7, 3, 3, 0])


def aligned(**options):
    return fitted(options).align(sample())


def columns(alignment, k):
    """All that is known of pair k."""
    dual, cepts = alignment.dual, alignment.cepts
    return (
        alignment[k],
        alignment.bitext[k],
        alignment.score_of(k),
        None if dual is None else (dual.forward[k], dual.reverse[k], *(column[k] for column in dual[2:])),
        None if cepts is None else (cepts[k], cepts.chosen[k], cepts.noise[k], cepts.log_likelihoods[k]),
    )


@pytest.mark.parametrize("combine", ["posterior", "dual", "cepts", "grow-diag"])
def test_a_part_has_what_was_found_of_its_pairs(combine):
    whole = aligned(combine=combine)
    assert isinstance(whole, Links)
    assert (whole.dual is not None, whole.cepts is not None) == (combine == "dual", combine == "cepts")
    for part, numbers in (
        (whole[2:9], range(2, 9)),
        (whole[-3:], range(len(whole) - 3, len(whole))),
        (whole[9:2:-3], range(9, 2, -3)),
        (whole[5:5], []),
        (whole[5:2], []),
        (whole.part(2, 9), range(2, 9)),
        (whole.head(3), range(3)),
        (whole.picked(PICKED), PICKED.tolist()),
    ):
        assert isinstance(part, Alignment)
        assert len(part) == len(part.bitext) == len(list(part)) == len(numbers)
        for row, k in enumerate(numbers):
            assert columns(part, row) == columns(whole, k)


def test_the_last_pairs_count_from_the_end():
    whole = aligned(combine="cepts")
    assert columns(whole, -1) == columns(whole, len(whole) - 1)
    assert columns(whole.picked(np.array([-2])), 0) == columns(whole, len(whole) - 2)
    with pytest.raises(PositionError, match="there is no pair 240: there are 240"):
        whole[240]
    with pytest.raises(OptionError, match="a slice does not fit"):
        whole["a":]


def test_selected_links_are_of_the_same_text():
    whole = aligned(combine="dual")
    sure = whole.select(whole.confidence > 0.5)
    assert isinstance(sure, Alignment)
    assert (sure.bitext, sure.dual) == (whole.bitext, whole.dual)
    assert 0 < len(sure.source) < len(whole.source)


def test_exchanged_sides():
    swapped = aligned(combine="dual").swapped()
    assert (swapped.dual, swapped.cepts) == (None, None)
    assert swapped.bitext[3] == sample()[3][::-1]
    assert_same_links(swapped.swapped(), aligned(combine="dual"))


def test_pairs_that_are_too_long_are_known_by_their_numbers():
    bitext = long_text(400)
    whole = Aligner("fast", model_type="bihmm", ibm1_iterations=1, hmm_iterations=1).fit(bitext).align(bitext)
    assert whole.oversized.tolist() == [20]
    assert whole[18:].oversized.tolist() == [2]
    assert whole.picked(np.array([20, 1, -1])).oversized.tolist() == [0, 2]
    assert len(whole[:20].oversized) == 0


def test_an_aligner_keeps_nothing_of_what_it_aligns(tmp_path):
    fitted({"combine": "dual"}).save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model")
    before, seconds = dict(vars(loaded)), dict(loaded.stopwatch.seconds)
    loaded.align(sample())
    loaded.align(("le chat", "the cat"))
    loaded.posteriors(sample())
    loaded.scores(sample())
    loaded.best_lists(sample().part(0, 3), 2, "forward")
    assert vars(loaded) == before
    assert loaded.stopwatch.seconds == seconds


@pytest.mark.parametrize(
    "changes", [{"combine": "cepts"}, {"combine": "dual", "rounds": 3}, {"min_confidence": 0.9}]
)
def test_another_recipe_for_one_text(changes, tmp_path):
    aligner = fitted({})
    recipe = replace(aligner.recipe, **changes)
    aligner.save(tmp_path / "model")
    expected = Aligner.load(tmp_path / "model", **changes).align(sample())
    assert_same_links(aligner.align(sample(), recipe=recipe), expected)
    pair = tuple(" ".join(side) for side in sample()[4])
    assert aligner.align(pair, recipe=recipe) == expected[4]


def test_what_was_trained_cannot_be_changed_afterwards():
    aligner = fitted({})
    for changes, said in (
        ({"hmm_iterations": 7}, "recipe: hmm_iterations is 7, but the model was trained with 5"),
        ({"model_type": "ibm1", "jump_classes": 1}, "recipe: model_type is ibm1"),
    ):
        with pytest.raises(OptionError, match=said):
            aligner.align(sample(), recipe=replace(aligner.recipe, **changes))
        with pytest.raises(OptionError, match=said):
            aligner.posteriors(("le chat", "the cat"), recipe=replace(aligner.recipe, **changes))


def test_a_direction_that_was_not_trained():
    aligner = fitted({"training": "independent", "direction": "forward"})
    with pytest.raises(OptionError, match="the aligner was trained in direction forward alone"):
        aligner.align(sample(), recipe=replace(aligner.recipe, direction="both"))


def test_a_second_fit_is_refused(tmp_path):
    aligner = Aligner("fast")
    with pytest.raises(InputError, match="nothing to learn from"):
        aligner.fit(bitext_from_pairs([("", "")]))
    aligner.fit(sample())
    aligner.save(tmp_path / "model")
    for trained in (aligner, Aligner.load(tmp_path / "model"), aligner.updated(sample())):
        with pytest.raises(ModelError, match=r"trained already: make a new Aligner .* updated\(\.\.\.\)"):
            trained.fit(sample())


@pytest.mark.parametrize("combine", ["posterior", "dual", "cepts"])
def test_threads_share_an_aligner(combine, tmp_path):
    fitted({"combine": combine}).save(tmp_path / "model")
    aligner = Aligner.load(tmp_path / "model")
    parts = [sample()[first : first + 40] for first in range(0, 240, 40)] * 3
    expected = [aligner.align(part) for part in parts]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(aligner.align, parts))
    for one, other in zip(found, expected, strict=True):
        assert_same_links(one, other)
        for k in (0, 39):
            assert columns(one, k) == columns(other, k)


TABLE = [
    (0, 0, 0, "La", "The"),
    (0, 1, 1, "maison", "House"),
    (2, 0, 0, "Une", "A"),
    (2, 1, 2, "maison", "house"),
    (2, 2, 1, "bleue", "blue"),
]


@pytest.fixture
def small():
    bitext = as_bitext(["La maison", "", "Une maison  bleue"], ["The House", "x", "A blue house"])
    links = Links.from_pairs([[(0, 0), (1, 1, 0.5)], [], [(0, 0), (1, 2, 0.25), (2, 1)]])
    return alignment_of(replace(links, scores=[-1.0, float("nan"), -2.5]), bitext=bitext)


def test_tables_have_a_row_for_each_link(small):
    pyarrow = pytest.importorskip("pyarrow")
    table = small.to_arrow()
    names = ["pair", "source", "target", "source_word", "target_word", "probability"]
    assert table.column_names == names
    assert isinstance(table, pyarrow.Table)
    assert [tuple(row[name] for name in names[:-1]) for row in table.to_pylist()] == TABLE
    assert table["probability"].to_pylist() == small.confidence.tolist()
    assert len(small[1:2].to_arrow()) == 0
    assert small[2:].to_arrow()["source_word"].to_pylist() == ["Une", "maison", "bleue"]


def test_data_frames(small):
    pytest.importorskip("pandas")
    frame = small.to_pandas()
    assert [tuple(row)[:-1] for row in frame.itertuples(index=False)] == TABLE
    assert frame["probability"].tolist() == small.confidence.tolist()


def test_words_of_a_text_whose_lines_were_not_kept():
    pytest.importorskip("pyarrow")
    words = replace(aligned()[:3], bitext=sample()[:3]).to_arrow().to_pylist()
    assert words[0]["source_word"] == sample()[0][0][0]


@pytest.mark.parametrize(("package", "method"), [("pandas", "to_pandas"), ("pyarrow", "to_arrow")])
def test_a_package_that_is_missing(package, method, small, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(CeptsError, match=f"this needs {package}: pip install {package}") as caught:
        getattr(small, method)()
    assert isinstance(caught.value, ImportError)


def test_links_are_written_as_the_name_of_the_file_says(small, tmp_path):
    for name, begin in (
        ("links", "0-0 1-1\n\n0-0 1-2 2-1\n"),
        ("links.txt", "0-0 1-1\n"),
        (
            "links.tsv",
            "pair\tsource\ttarget\tsource_word\ttarget_word\tprobability\tkind\n0\t0\t0\tLa\tThe\t1\tS\n",
        ),
        ("links.jsonl", '{"source": "La maison"'),
        ("links.tmx", '<?xml version="1.0" encoding="UTF-8"?>\n<tmx'),
        ("links.xlf", '<?xml version="1.0" encoding="UTF-8"?>\n<xliff'),
    ):
        small.write(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)
        assert len(read_links(tmp_path / name, pairs=3)) == 3
    small.write(str(tmp_path / "naacl.tsv.gz"), format="naacl")
    assert gzip.decompress((tmp_path / "naacl.tsv.gz").read_bytes()).startswith(b"1 1 1 S\n1 2 2 S 0.5\n")
    stream = io.StringIO()
    small.write(stream)
    assert stream.getvalue() == (tmp_path / "links").read_text()


def test_what_cannot_be_written(small, tmp_path):
    with pytest.raises(OptionError, match="no link format 'csv'; there are pharaoh"):
        small.write(tmp_path / "links", format="csv")
    assert not (tmp_path / "links").exists()
    with pytest.raises(OutputError, match=r"cannot write .*links: No such file or directory"):
        small.write(tmp_path / "nowhere" / "links")
    with pytest.raises(OptionError, match="path must be a path or a stream to write text to, got int 3"):
        small.write(3)
