import json
import lzma
import shutil
from itertools import islice

import numpy as np
import pytest

import cepts
from cepts.aligning.aligner import TextOptions
from cepts.corpus import Bitext, bitext_from_pairs, side_from_tokens
from cepts.errors import InputError, ModelError, OptionError
from cepts.quality import Similarity, weighing
from cepts.quality.overlap import LexicalOverlap
from cepts.quality.retrieval import Vectors
from cepts.quality.weighing import USUAL, learned_weights
from cepts.storage import load_folder, save_folder
from tests.quality.overlaps import bitext_of, overlap_of, planted_text

USES = ("both", "factors", "lexicon")


@pytest.fixture(scope="module")
def text():
    return planted_text(900, seed=5)


@pytest.fixture(scope="module")
def model(text):
    return Similarity.fit(text.part(0, 700), k=16, iterations=20, text=TextOptions(tokenize=True))


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    place = tmp_path_factory.mktemp("similar") / "model"
    model.save(place)
    return place


def ranked(model, text, use, **options):
    parts = list(model.rank(text.source, text.target, 3, use=use, **options))
    return [np.concatenate([part[k] for part in parts]).tolist() for k in range(3)]


def test_pairs_score_above_others(model, text):
    new = text.part(700, 800)
    others = Bitext(new.source, new.target.picked(np.roll(np.arange(len(new)), 1)))
    for use in USES:
        assert np.mean(model.score(new, use) > model.score(others, use)) > 0.8
    both = model.score(new)
    assert both.dtype == np.float32
    known = new.target.lengths > 0
    assert ((both[known] > 0) & (both[known] < 1)).all()
    assert (both[~known] == 0).all()


@pytest.mark.parametrize("use", USES)
def test_ranks_by_the_scores_of_pairs(model, text, use):
    new = text.part(700, 740)
    rows, numbers, values = ranked(model, new, use, neighbours=0)
    assert rows == list(range(len(new)))
    for row in range(len(new)):
        beside = Bitext(new.source.picked(np.full(len(new), row)), new.target)
        every = model.score(beside, use)
        best = sorted(range(len(new)), key=lambda n: (-every[n], n))[:3]
        assert numbers[row] == [n if every[n] > 0 else -1 for n in best]
        assert values[row] == every[best].tolist()


@pytest.mark.parametrize("use", USES)
def test_blocks_and_threads_change_nothing(model, text, use):
    new = text.part(700, 760)
    scores, found = model.score(new, use), ranked(model, new, use)
    assert model.score(new, use, threads=2).tolist() == scores.tolist()
    assert ranked(model, new, use, block=7, threads=2) == found
    assert ranked(model, new, use, block=1) == found


def test_neighbours_find_more(model, text):
    new = text.part(700, 900)
    right = [
        sum(best[0] == row for row, best in enumerate(ranked(model, new, "both", neighbours=n)[1]))
        for n in (0, 4)
    ]
    assert right[1] >= right[0] > 100


def test_nothing_known_scores_0_and_has_no_partner(model):
    new = bitext_from_pairs([("", "the house"), ("la maison", ""), ("", ""), ("qqq vvv", "zzz xxx")])
    for use in USES:
        assert model.score(new, use).tolist() == [0.0] * 4
    sources, targets = side_from_tokens([[], ["ka0", "ki2"]]), side_from_tokens([["ti2", "ta0"], []])
    (found,) = model.rank(sources, targets, 2)
    assert found.targets.tolist() == [[-1, -1], [0, -1]]
    (found,) = model.rank(sources, targets, 2, neighbours=0)
    assert found.scores[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("use", USES)
def test_a_saved_model_gives_the_same(model, folder, text, use):
    again = Similarity.load(folder)
    assert again.text == TextOptions(tokenize=True)
    assert again.weights == model.weights
    assert again.score(text, use).tolist() == model.score(text, use).tolist()
    new = text.part(700, 740)
    assert ranked(again, new, use) == ranked(model, new, use)


def test_training_is_the_same_for_any_number_of_threads(text):
    one, two = (Similarity.fit(text.part(0, 600), k=4, iterations=5, threads=n) for n in (1, 2))
    assert one.weights == two.weights != USUAL
    assert one.score(text).tolist() == two.score(text).tolist()


def test_little_text_needs_no_options():
    pairs = [("a b", "w x"), ("a c", "w y"), ("b c", "x y"), ("d", "z")]
    model = Similarity.fit(bitext_from_pairs(pairs * 2))
    assert model.factors.factorisation.options.k == 2
    assert model.weights == USUAL
    assert np.argmax(model.score(bitext_from_pairs([("a", "w"), ("a", "y"), ("a", "z")]))) == 0


def test_a_trained_aligner_is_taken(text):
    aligner = cepts.Aligner(model_type="ibm1").fit(text)
    model = Similarity.fit(text.part(0, 100), aligner=aligner, k=4, iterations=2)
    expected = LexicalOverlap.fit(text.part(0, 100), aligner)
    assert model.score(text, "lexicon").tolist() == expected.score(text).tolist()


def test_refuses_what_cannot_be(model, text):
    with pytest.raises(OptionError, match="use must be one of both, factors, lexicon, got 'all'"):
        model.score(text, "all")
    with pytest.raises(OptionError, match="use must be one of both, factors, lexicon, got 'all'"):
        model.rank(text.source, text.target, use="all")
    with pytest.raises(
        OptionError, match="measure must be one of cosine, hellinger, dot here, got 'euclidean'"
    ):
        Similarity.fit(text, measure="euclidean")
    with pytest.raises(InputError, match="1 source but 2 target sentences, expected as many"):
        model.score(bitext_of([["a"]], [["b"], ["c"]]), "factors")


def test_measures_that_are_products(text):
    for measure in ("cosine", "hellinger", "dot"):
        model = Similarity.fit(text.part(0, 200), k=4, iterations=5, measure=measure)
        expected = model.factors.similarity(text, measure)
        np.testing.assert_allclose(model.score(text, "factors"), expected, rtol=1e-4, atol=1e-5)


def changed(folder, place, name, change):
    """Save a model again with one array changed."""
    meta, arrays, texts = load_folder(folder, "similarity")
    array = np.array(arrays[name])
    save_folder(place, "similarity", meta, {**arrays, name: change(array)}, texts)
    return place


def with_last(value):
    def change(array):
        array[-1] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("overlap_columns", with_last(10**6), r"overlap_columns\[.*, expected a number from 0 to .*"),
        ("overlap_columns", with_last(-1), r"overlap_columns\[.*, expected a number from 0 to .*"),
        (
            "overlap_columns",
            lambda array: array.astype(np.int64),
            "overlap_columns is of <i8, expected int32",
        ),
        ("overlap_columns", lambda array: array[:-1], "overlap_gains has the shape .*"),
        ("overlap_gains", with_last(0), r"overlap_gains\[.* is 0, expected a number from 1 to .*"),
        ("overlap_gains", with_last(10**9), r"overlap_gains\[.*"),
        ("overlap_row_offsets", with_last(3), "overlap_row_offsets does not rise from 0 to .*"),
        ("overlap_row_offsets", lambda array: array[1:], "overlap_row_offsets has the shape .*"),
        ("overlap_source_counts", with_last(-1), r"overlap_source_counts\[.*"),
        ("overlap_target_counts", with_last(701), r"overlap_target_counts\[.*"),
        ("overlap_target_counts", lambda array: array[1:], "overlap_target_counts has the shape .*"),
    ],
)
def test_refuses_a_model_that_points_outside_of_itself(folder, tmp_path, name, change, message):
    place = changed(folder, tmp_path / "changed", name, change)
    with pytest.raises(
        ModelError, match=f"no similarity model that this version can use: {message}; train it"
    ):
        Similarity.load(place)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda meta: meta.update(weights=[0, 1, 1e9]), "its weights are none"),
        (lambda meta: meta.pop("weights"), "'weights'"),
        (
            lambda meta: meta["factors"].update(measure="euclidean"),
            "its measure is euclidean, expected one of cosine",
        ),
        (lambda meta: meta.pop("text"), "'text'"),
    ],
)
def test_refuses_a_model_with_another_description(folder, tmp_path, change, message):
    place = tmp_path / "changed"
    shutil.copytree(folder, place)
    description = json.loads((place / "model.json").read_text("utf-8"))
    change(description["meta"])
    (place / "model.json").write_text(json.dumps(description), "utf-8")
    with pytest.raises(ModelError, match=message):
        Similarity.load(place)


def test_evidence_that_counts_against_pairs_is_left_out(seed):
    random = np.random.default_rng(seed)
    every = np.ones((30, 30), bool)
    helpful, harmful = (np.eye(30) * sign + random.random((30, 30)) for sign in (1, -1))
    slopes = weighing._slopes(np.stack([helpful, helpful.T], axis=2), every)
    assert (slopes > 0).all()
    slopes = weighing._slopes(np.stack([helpful, harmful], axis=2), every)
    assert slopes[0] > 0 == slopes[1]
    slopes = weighing._slopes(np.stack([harmful, helpful], axis=2), every)
    assert slopes[1] > 0 == slopes[0]
    assert weighing._slopes(np.stack([harmful, harmful], axis=2), every).tolist() == list(USUAL[1:])


def test_equal_sentences_are_no_rivals():
    bitext = bitext_of([["a"], ["b"], ["a"]], [["w"], ["w"], ["x"]])
    assert weighing._rivals(bitext).tolist() == [
        [True, False, False],
        [False, True, True],
        [False, True, True],
    ]


def test_weights_make_the_right_partner_most_probable():
    # By hand: one kind of evidence, right pairs 1, others 0, and among three rivals p = e^w / (e^w + 2). The slope of
    # the log likelihood of 3 rows and 3 columns, less a ridge of 0.001 * 3 * w, is 6 (1 - p) - 0.003 w.
    weight = weighing._most_probable(np.eye(3)[:, :, None], np.ones((3, 3), bool))[0]
    share = np.exp(weight) / (np.exp(weight) + 2)
    assert abs(6 * (1 - share) - 0.003 * weight) < 1e-6


def test_too_few_pairs_leave_the_usual_weights():
    bitext = bitext_of([["a"]] * 19, [["w"]] * 19)
    vectors = Vectors(np.ones((19, 1), np.float32), np.ones((19, 1), np.float32))
    assert learned_weights(bitext, overlap_of({("a", "w"): 1}), vectors) == USUAL
    # Nothing to be learned from pairs that are all the same, either.
    bitext, vectors = bitext_of([["a"]] * 60, [["w"]] * 60), Vectors(*(np.ones((60, 1), np.float32),) * 2)
    assert learned_weights(bitext, overlap_of({("a", "w"): 1}), vectors) == USUAL


def test_weights_are_learned_from_text(model):
    assert model.weights != USUAL
    assert model.weights.overlap > 0


def test_on_real_text_both_kinds_of_evidence_find_no_less_than_either(data_folder):
    place = data_folder / "sentences" / "tatoeba_enes"
    with lzma.open(place / "train.tsv.xz", "rt", encoding="utf-8") as stream:
        pairs = [tuple(line.rstrip("\n").split("\t")[:2]) for line in islice(stream, 6000)]
    model = Similarity.fit(bitext_from_pairs(pairs, tokenize=True), k=48, iterations=25)
    with (place / "dev.tsv").open(encoding="utf-8") as stream:
        new = bitext_from_pairs(
            [tuple(line.rstrip("\n").split("\t")[:2]) for line in islice(stream, 500)], tokenize=True
        )
    factors, lexicon, both = (
        np.mean(np.array(ranked(model, new, use, neighbours=0)[1])[:, 0] == np.arange(len(new)))
        for use in ("factors", "lexicon", "both")
    )
    assert both >= lexicon > factors > 0.3
    assert both > 0.9
