"""Text that is added to a model: close to one training on all of it, nothing lost, nothing walked over twice."""

import shutil

import numpy as np
import pytest

from cepts import Aligner, Links, sample_bitext
from cepts.corpus import bitext_from_pairs
from cepts.errors import ModelError, OptionError
from cepts.words.past import grown_index, grown_text
from tests.aligning.contract import assert_same_links, fitted, sample
from tests.aligning.forging import KIND, RANGE, SHAPE, assert_unusable, changed, describe, forge
from tests.reference import updating as reference
from tests.words.corpora import context

OLD, NEW = sample().part(0, 160), sample().part(160, 240)
EMPTY = bitext_from_pairs([("", "the cat"), ("le chat", "")])
KINDS = [{}, {"method": "fast"}, {"model_type": "ibm1"}, {"method": "denero-2011"}]


def name_of(options):
    return "-".join(options.values()) or "best"


@pytest.fixture(scope="module")
def old():
    return Aligner().fit(OLD)


@pytest.fixture(scope="module")
def saved(old, tmp_path_factory):
    folder = tmp_path_factory.mktemp("updating") / "model"
    old.save(folder)
    return folder


def links_in(links):
    pairs = np.repeat(np.arange(len(links)), np.diff(links.offsets))
    return {*zip(pairs.tolist(), links.source.tolist(), links.target.tolist(), strict=True)}


def likeness(links, others):
    one, other = links_in(links), links_in(others)
    return 2 * len(one & other) / (len(one) + len(other))


@pytest.mark.parametrize("options", KINDS, ids=name_of)
def test_text_in_two_parts_is_nearly_text_in_one(options):
    whole = fitted(options).align(sample())
    first = Aligner(**options).fit(OLD)
    both = first.updated(NEW)
    assert likeness(both.align(sample()), whole) > 0.93
    assert likeness(both.align(sample()), whole) > likeness(first.align(sample()), whole)


def test_a_text_in_many_parts_is_nearly_text_in_one(old):
    more = old
    for first in range(160, 240, 20):
        more = more.updated(sample().part(first, first + 20))
    assert likeness(more.align(sample()), fitted({}).align(sample())) > 0.95


def test_a_saved_model_is_added_to_as_one_that_was_not(old, saved, tmp_path):
    directly, later = old.updated(NEW), Aligner.load(saved).updated(NEW)
    assert_same_links(directly.align(sample()), later.align(sample()))
    later.save(tmp_path / "later")
    opened = Aligner.load(tmp_path / "later")
    assert_same_links(opened.align(sample()), later.align(sample()))
    assert_same_links(
        opened.updated(NEW).align(sample()), directly.updated(NEW).align(sample())
    )  # which has been kept, too


def test_a_text_without_words_changes_nothing(old, saved, tmp_path):
    for aligner in (old, Aligner.load(saved)):
        assert_same_links(aligner.updated(EMPTY).align(sample()), old.align(sample()))
    Aligner.load(saved).updated(EMPTY).save(tmp_path / "same")
    for file in saved.iterdir():
        assert (tmp_path / "same" / file.name).read_bytes() == file.read_bytes()


def test_the_model_that_is_added_to_stays_as_it_was(old):
    before = old.align(sample())
    more = old.updated(NEW)
    assert more is not old
    assert_same_links(old.align(sample()), before)


def test_only_new_text_is_walked_over_and_pairs_are_counted(tmp_path):
    steps = []
    aligner = Aligner(monitor=steps.append).fit(OLD)
    steps.clear()
    aligner.updated(NEW).save(tmp_path / "model")
    assert {step.stage for step in steps} == {"ibm1", "hmm"}
    assert Aligner.load(tmp_path / "model")._pairs == 240


def test_words_of_both_texts_are_known(old):
    more = old.updated(bitext_from_pairs([("le xyzzy dort", "the plugh sleeps")] * 5))
    assert [link[:2] for link in more.align(("un xyzzy", "a plugh"))] == [(0, 0), (1, 1)]
    assert [link[:2] for link in more.align(("le chat noir .", "the black cat ."))] == [
        (0, 0),
        (1, 2),
        (2, 1),
        (3, 3),
    ]


def test_probabilities_follow_from_old_counts_and_new_ones():
    """One iteration of IBM-1 on each text, against a slow twin that knows nothing of tables."""
    old_text = [("a b", "x y"), ("a", "x"), ("b c", "y z"), ("c a", "z x")]
    new_text = [("a d", "x w"), ("d", "w"), ("b", "y")]
    options = {"model_type": "ibm1", "families": "off", "spelling": 0.0, "same_spelling": 0.0}
    plain = {"confidence": "product", "ibm1_iterations": 1}
    aligner = Aligner(**options, **plain).fit(bitext_from_pairs(old_text))
    lexicon, words = aligner.updated(bitext_from_pairs(new_text)).lexicon()
    expected = reference.updated(old_text, new_text)
    names = [None, *words.source], [None, *words.target]
    found = {}
    for row in range(len(names[0])):
        for k in range(lexicon.row_offsets[row], lexicon.row_offsets[row + 1]):
            found[names[0][row], names[1][lexicon.columns[k]]] = lexicon.values[k]
    for pair, values in expected.items():
        if max(values) > 1e-6:
            np.testing.assert_allclose(found[pair], values, rtol=1e-4, err_msg=str(pair))
    assert {pair for pair in found if pair != (None, None)} <= {*expected}


def test_a_table_holds_old_and_new_word_pairs_once(old):
    lexicon, words = old.lexicon()
    text = grown_text(NEW, words)
    assert list(text.source.words[: len(words.source)]) == list(words.source)
    assert [text.source.sentence(k) for k in range(len(NEW))] == [
        NEW.source.sentence(k) for k in range(len(NEW))
    ]
    own = old._indexed(text)
    grown, entries = grown_index(own, lexicon, text)
    rows = np.repeat(np.arange(len(grown.row_offsets) - 1), np.diff(grown.row_offsets))
    pairs = [*zip(rows.tolist(), grown.columns.tolist(), strict=True)]
    assert len({*pairs}) == len(pairs)
    old_rows = np.repeat(np.arange(len(lexicon.row_offsets) - 1), np.diff(lexicon.row_offsets))
    assert [pairs[k] for k in entries] == [*zip(old_rows.tolist(), lexicon.columns.tolist(), strict=True)]
    assert pairs[: len(text.target.words) + 1] == [(0, k) for k in range(len(text.target.words) + 1)]
    assert {(row, 0) for row in range(len(text.source.words) + 1)} <= {*pairs}
    for chunk, before in zip(grown.chunks, own.chunks, strict=True):
        own_rows = np.repeat(np.arange(len(own.row_offsets) - 1), np.diff(own.row_offsets))
        assert [pairs[k] for k in chunk.entries] == [(own_rows[k], own.columns[k]) for k in before.entries]


def test_an_update_goes_on_where_it_was_stopped(old, saved, tmp_path):
    class StopError(Exception):
        pass

    def stop(step):
        if step.stage == "hmm" and step.iteration == 2:
            raise StopError

    run = {"checkpoint": tmp_path / "run", "resume": True}
    with pytest.raises(StopError):
        Aligner.load(saved, monitor=stop).updated(NEW, **run)
    assert_same_links(
        Aligner.load(saved).updated(NEW, **run).align(sample()), old.updated(NEW).align(sample())
    )
    with pytest.raises(OptionError, match="a run with another model to begin with: resume that one"):
        old.updated(NEW).updated(NEW, **run)
    with pytest.raises(OptionError, match="a run with another text"):
        old.updated(OLD, **run)


def test_dictionaries_and_known_links_count_in_new_text(old):
    text = bitext_from_pairs([("xyzzy grue", "plugh frotz")] * 2)
    plain = value_of(old.updated(text), "xyzzy", "frotz")
    assert value_of(old.updated(text, lexicon=[("xyzzy", "frotz")]), "xyzzy", "frotz") > plain
    known = Links.from_pairs([[(0, 1)], [(0, 1)]])
    assert value_of(old.updated(text, known_links=known), "xyzzy", "frotz") > plain


def value_of(aligner, source, target):
    """How probable it is that a source word generates a target word."""
    lexicon, words = aligner.lexicon()
    row = words.source.index(source) + 1
    columns = lexicon.columns[lexicon.row_offsets[row] : lexicon.row_offsets[row + 1]].tolist()
    return lexicon.values[lexicon.row_offsets[row] + columns.index(words.target.index(target) + 1), 0]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"model_type": "ibm4"}, "model_type='ibm4'"),
        ({"model_type": "bi1"}, "model_type='bi1'"),
        ({"training": "independent"}, "training='independent'"),
        ({"regularity": 0.5}, "regularity=0.5"),
    ],
)
def test_models_that_keep_no_counts_are_not_added_to(options, what, tmp_path):
    aligner = fitted(options)
    with pytest.raises(OptionError, match=f"text can be added to models of .*, not to one of {what}: train"):
        aligner.updated(NEW)
    aligner.save(tmp_path / "model")
    assert not (tmp_path / "model" / "counts.npy").exists()


def test_a_model_of_an_older_version_aligns_and_is_not_added_to(old, saved, tmp_path):
    model = shutil.copytree(saved, tmp_path / "model")
    describe(model, lambda description: drop_past(description["arrays"]))
    loaded = Aligner.load(model)
    found, expected = loaded.align(sample()), old.align(sample())
    for name in ("source", "target", "offsets", "scores"):  # probabilities ask how often words were seen
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    np.testing.assert_array_equal(found.confidence > 0.5, expected.confidence > 0.5)
    with pytest.raises(ModelError, match="the model does not keep what it expects of its text"):
        loaded.updated(NEW)
    loaded.save(tmp_path / "again")


def test_counts_of_the_older_way_are_read(tmp_path):
    aligner = Aligner("fast").fit(sample())
    aligner.save(tmp_path / "model")
    for way, jumps in zip(("forward", "reverse"), aligner._model.jumps, strict=True):
        names = [f"{way}_counted_{name}" for name in ("jumps", "departures", "starts")]
        counted, left, starts = (np.load(tmp_path / "model" / f"{name}.npy") for name in names)
        forge(tmp_path / "model", names[0], counted[:, 0])
        forge(tmp_path / "model", names[1], by_length_and_position(left[:, 0], starts.shape[1], jumps.band))
    loaded = Aligner.load(tmp_path / "model")
    assert_same_links(loaded.updated(NEW).align(NEW), aligner.updated(NEW).align(NEW))
    forge(tmp_path / "model", "reverse_counted_departures", np.full_like(starts, -1.0))
    assert_unusable(
        tmp_path / "model", "reverse_counted_departures[0, 0] is -1.0, expected a number from 0.0"
    )


def by_length_and_position(departures, longest, band):
    """Put departures of each context where a word leaves a sentence from there."""
    table, found = np.zeros((longest + 1, longest)), set()
    for length in range(1, longest + 1):
        for place in range(length):
            number = context(place, length, band)
            if number not in found:
                table[length, place] = departures[number]
                found.add(number)
    assert table.sum() == pytest.approx(departures.sum())
    return table


def drop_past(arrays):
    for name in [name for name in arrays if name == "counts" or "_seen" in name or "_counted_" in name]:
        del arrays[name]


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("counts", lambda a: a[:-1], SHAPE),
        ("counts", lambda a: changed(a, 3, -1), RANGE),
        ("counts", lambda a: changed(a, 3, np.nan), RANGE),
        ("counts", lambda a: a.astype(np.float64), KIND),
        ("source_seen", lambda a: a[:-1], SHAPE),
        ("target_seen", lambda a: changed(a, 0, -1), RANGE),
        ("forward_counted_jumps", lambda a: a[:-1], SHAPE),
        ("forward_counted_starts", lambda a: a[:, :0], SHAPE),
        ("reverse_counted_departures", lambda a: changed(a, (1, 0), np.inf), RANGE),
        ("reverse_counted_departures", lambda a: a.sum(), SHAPE),
        ("reverse_counted_departures", lambda a: a[:, 0], SHAPE),
        ("reverse_counted_departures", lambda a: a[:, :, None], SHAPE),
        ("forward_counted_starts", lambda a: a.sum(), SHAPE),
        ("forward_counted_jumps", lambda a: a[:, 0], SHAPE),
        ("reverse_counted_words", lambda a: a.astype(np.float32), KIND),
    ],
)
def test_counts_of_a_stranger_are_checked(name, change, reason, saved, tmp_path):
    model = shutil.copytree(saved, tmp_path / "model")
    forge(model, name, change(np.load(model / f"{name}.npy")))
    assert_unusable(model, reason)


def test_an_aligner_that_knows_nothing_cannot_be_added_to():
    with pytest.raises(ModelError, match="the aligner has not been trained"):
        Aligner().updated(sample_bitext())
