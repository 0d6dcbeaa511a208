"""The judge: its evidence against slow twins, laws of its margins, saving, and what it refuses."""

import json
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepts
from cepts.corpus import Bitext, side_from_tokens
from cepts.errors import InputError, ModelError, OptionError
from cepts.links import Links
from cepts.quality import judge as judge_module
from cepts.quality import judge_features, judge_kernels
from cepts.quality.judge import KINDS, Judge
from cepts.quality.judge_features import (
    ALIGNMENT,
    LEXICAL,
    SURFACE,
    alignment_columns,
    lexical_columns,
    projected_names,
    projected_rows,
    shared_features,
    surface_columns,
)
from cepts.quality.similar import Similarity
from cepts.sentences import FeatureOptions, SentenceModel
from cepts.sentences.matrices import as_matrix
from cepts.storage import load_folder, save_folder
from tests.quality.overlaps import LEFT, RIGHT, bitext_of, overlap_of, random_gains, random_sentences
from tests.reference import judge as twin
from tests.reference import overlap as overlap_twin

seeds = st.integers(0, 2**32 - 1)
HALF = 150  # of the 200 or so pairs of the sample, to learn from


def machine_of(words, random):
    """Return what a bad machine makes of a sentence: some words are missing, some stand twice."""
    return [word for word in words for _ in range(random.choice([0, 1, 1, 2]))]


@cache
def texts():
    """Return the sample's sources, translations, and those of a bad machine."""
    bitext, random = cepts.sample_bitext(), np.random.default_rng(1)
    machines = [machine_of(bitext.target.sentence(k), random) for k in range(len(bitext))]
    return bitext.source, bitext.target, side_from_tokens(machines)


@cache
def similarity():
    """Return a small model of the sample's first part."""
    return Similarity.fit(cepts.sample_bitext().part(0, HALF), k=6, iterations=20)


@cache
def aligner():
    """Return an aligner of the sample's first part."""
    return cepts.Aligner().fit(cepts.sample_bitext().part(0, HALF))


@cache
def trained(kind, with_aligner=False):
    """Return a judge of the sample's first part."""
    some = (side.part(0, HALF) for side in texts())
    return Judge.fit(similarity(), *some, kind=kind, aligner=aligner() if with_aligner else None, seed=3)


def every_judge():
    """Return all kinds of judges."""
    return [*(trained(kind) for kind in KINDS), trained("everything", True)]


judges = pytest.mark.parametrize("number", range(len(KINDS) + 1), ids=[*KINDS, "aligner"])


def table(columns):
    """Return columns as rows of numbers."""
    return np.stack(list(columns), axis=1)


@given(seeds)
def test_lexical_evidence_is_what_its_twin_counts(seed):
    random = np.random.default_rng(seed)
    gains = random_gains(random)
    sources, targets = (random_sentences(random, letters, 6) for letters in (LEFT, RIGHT))
    alike = overlap_twin.gain(overlap_twin.ALIKE / (overlap_twin.UNSEEN / 10))

    def gained(one, other):
        return alike if one == other == "new" else gains.get((one, other), 0)

    found = table(lexical_columns(bitext_of(sources, targets), overlap_of(gains)))
    expected = [twin.lexical(*pair, gained) for pair in zip(sources, targets, strict=True)]
    assert found == pytest.approx(np.array(expected))
    assert found.shape[1] == len(LEXICAL)


@given(seeds)
def test_surface_evidence_is_what_its_twin_counts(seed):
    random = np.random.default_rng(seed)
    words = ["a", "of", "Prague", "prague", "2013", "the"]
    sources, targets = (
        [list(random.choice(words, random.integers(0, 7))) for _ in range(6)] for _ in range(2)
    )
    found = table(surface_columns(bitext_of(sources, targets)))
    expected = [twin.surface(*pair) for pair in zip(sources, targets, strict=True)]
    assert found == pytest.approx(np.array(expected))
    assert found.shape[1] == len(SURFACE)


@given(seeds)
def test_alignment_evidence_is_what_its_twin_counts(seed):
    random = np.random.default_rng(seed)
    sizes = random.integers(0, 4, (5, 2)).tolist()
    text = bitext_of(*([["w"] * size[side] for size in sizes] for side in (0, 1)))
    cells = [[(i, j) for i in range(s) for j in range(t) if random.random() < 0.4] for s, t in sizes]
    plain = Links.from_pairs(cells)
    confidence = random.random(len(plain.source)).astype(np.float32)
    scores = random.normal(size=5)
    links = Links(plain.source, plain.target, confidence, plain.sure, plain.offsets, scores)
    found = table(alignment_columns(text, links))
    expected = [
        twin.alignment(["w"] * s, ["w"] * t, links[k], scores[k]) for k, (s, t) in enumerate(sizes)
    ]  # a link is (source, target, confidence, sure)
    assert found == pytest.approx(np.array(expected), rel=1e-6)
    assert found.shape[1] == len(ALIGNMENT)


def test_evidence_by_hand():
    text = bitext_of([["we", "saw", "Prague"]], [["Prague", "Prague", "vimos"]])
    found = dict(zip(SURFACE, table(surface_columns(text))[0].tolist(), strict=True))
    assert found == {
        "words": 3.0,
        "log length ratio": 0.0,
        "difference from equal length": 0.0,
        "letters of a word": pytest.approx(17 / 3),
        "copied words: number": 2.0,
        "copied words: share": pytest.approx(2 / 3),
        "repeated words: number": 1.0,
        "repeated words: share": pytest.approx(1 / 3),
        "doubled words: number": 1.0,
        "doubled words: share": pytest.approx(1 / 3),
    }


@judges
def test_new_sentences_are_judged_better_than_by_chance(number):
    new = [side.part(HALF, len(texts()[0])) for side in texts()]
    margins = every_judge()[number].margins(*new)
    assert margins.dtype == np.float32
    right = np.mean(margins > 0) + np.mean(margins == 0) / 2
    # a single dimension of six, and rough factors of 150 pairs, know little; doubled words give the machine away
    assert right > {"everything": 0.95, "dimension": 0.55, "shared": 0.6}.get(
        every_judge()[number].kind, 0.65
    )


@judges
@given(seeds)
def test_exchanged_candidates_have_opposite_margins(number, seed):
    random = np.random.default_rng(seed)
    words = [*texts()[1].words[:40], "unheard", "of"]
    sources, ones, others = (
        side_from_tokens([list(random.choice(pool, random.integers(0, 6))) for _ in range(4)])
        for pool in (texts()[0].words[:40], words, words)
    )
    judge = every_judge()[number]
    margins = judge.margins(sources, ones, others)
    assert np.isfinite(margins).all()
    assert judge.margins(sources, others, ones).tolist() == (-margins).tolist()


@judges
def test_candidates_that_are_the_same_have_no_margin(number):
    source, target, _ = texts()
    assert not every_judge()[number].margins(source, target, target).any()
    empty = side_from_tokens([[], ["le"]])
    assert every_judge()[number].margins(
        empty, side_from_tokens([[], []]), side_from_tokens([[], []])
    ).tolist() == [
        0.0,
        0.0,
    ]


@pytest.mark.parametrize("kind", ["perceptron", "lvq", "dimension"])
def test_words_that_the_factors_do_not_know_have_no_margin(kind):
    source = side_from_tokens([["le"], ["unheard"]])
    ones, others = side_from_tokens([["zxq"], ["zxq", "qxz"]]), side_from_tokens([["vbn"], []])
    assert trained(kind).margins(source, ones, others).tolist() == [0.0, 0.0]


@judges
def test_a_line_is_judged_without_the_others(number, monkeypatch):
    sides = [side.part(HALF, HALF + 20) for side in texts()]
    judge = every_judge()[number]
    whole = judge.margins(*sides)
    single = np.concatenate([judge.margins(*(side.part(k, k + 1) for side in sides)) for k in range(20)])
    assert single == pytest.approx(whole, rel=1e-4, abs=1e-5)
    monkeypatch.setattr(judge_module, "BLOCK", 7)
    assert judge.margins(*sides) == pytest.approx(whole, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_one_line_is_enough_to_learn_from(kind):
    sides = [side.part(0, 1) for side in texts()]
    judge = Judge.fit(similarity(), *sides, kind=kind)
    margins = judge.margins(*texts())
    assert np.isfinite(margins).all()
    assert margins[0] > 0


def test_a_sentence_model_is_enough_for_its_factors():
    sides = [side.part(0, HALF) for side in texts()]
    one = Judge.fit(similarity().factors, *sides, kind="lvq", seed=3)
    assert one.margins(*sides).tolist() == trained("lvq").margins(*sides).tolist()
    assert one.columns == projected_names(6)


@cache
def tagged():
    """Return sources, translations and a machine's of made-up tagged text, and a model of its tags."""
    random = np.random.default_rng(7)
    sources = [[f"s_{tag}" for tag in random.choice(["N", "V", "D"], 6)] for _ in range(60)]
    humans = [[f"t_{word[2]}" for word in random.permutation(words)] for words in sources]
    machines = [[f"t_{word[2]}" for word in words] for words in sources]
    sides = tuple(side_from_tokens(some) for some in (sources, humans, machines))
    options = FeatureOptions(words=0, tags=2, min_count=1)
    return sides, SentenceModel.fit(Bitext(*sides[:2]), features=options, k=2, iterations=5)


def test_shared_features_are_compared_by_their_names():
    sides, model = tagged()
    judge = Judge.fit(model, *sides, kind="shared")
    names = judge.columns[:12]
    assert judge.columns[12:] == [f"distance of {name}" for name in names]
    assert sorted(names) == sorted(
        f"tags:{name}" for name in [*"NVD", *(f"{a} {b}" for a in "NVD" for b in "NVD")]
    )

    def grams(side, k):
        tags = [word[2:] for word in side.sentence(k)]
        return [f"tags:{name}" for name in (*tags, *map(" ".join, pairwise(tags)))]

    found = judge._differences(*sides)
    for k in range(3):
        ones, others = (
            np.array(twin.shared(grams(sides[0], k), grams(side, k), names)) for side in sides[1:]
        )
        assert found[k].tolist() == (ones - others).tolist()
    # a machine that translates word by word has exactly the source's tags; the human's order is another one
    margins = judge.margins(*sides)
    assert np.mean(margins > 0) > 0.85
    assert np.mean(margins < 0) < 0.05
    assert judge.margins(sides[0], sides[2], sides[1]).tolist() == (-margins).tolist()


def test_the_most_frequent_shared_features_are_taken(monkeypatch):
    sources = as_matrix(np.array([[1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 1, 1]]))  # a b c d in 3 2 3 2 sentences
    targets = as_matrix(np.array([[1, 1, 1], [2, 1, 1], [0, 0, 1]]))  # c b x in 2 2 3 sentences
    names = ["a", "b", "c", "d"], ["c", "b", "x"]
    assert shared_features(sources, targets, names).tolist() == [[1, 2], [1, 0]]
    assert shared_features(sources, targets.part(2, 3), names).tolist() == [[], []]
    monkeypatch.setattr(judge_features, "MOST_SHARED", 1)
    assert shared_features(sources, targets, names).tolist() == [[1], [1]]


@pytest.mark.parametrize(
    ("shared", "words"),
    [
        (np.zeros((2, 0), np.int32), "its shared features are none"),
        (np.zeros((2, 12), np.int64), "its shared features are none"),
        (np.zeros((1, 12), np.int32), "its shared features are none"),
        (np.full((2, 12), 12, np.int32), "its shared features are not those of its model"),
        (np.full((2, 12), -1, np.int32), "its shared features are not those of its model"),
        (np.zeros((2, 3), np.int32), "its classifier does not fit its model"),
    ],
)
def test_shared_features_survive_saving_and_others_are_refused(shared, words, tmp_path):
    sides, model = tagged()
    judge = Judge.fit(model, *sides, kind="shared")
    judge.save(tmp_path / "judge")
    assert Judge.load(tmp_path / "judge").margins(*sides).tolist() == judge.margins(*sides).tolist()
    spoil(tmp_path / "judge", arrays={"shared": shared})
    with pytest.raises(ModelError, match=words):
        Judge.load(tmp_path / "judge")


def test_languages_that_share_nothing_are_refused():
    sides = [side_from_tokens([[letter] * 3] * 2) for letter in "abc"]
    model = SentenceModel.fit(Bitext(*sides[:2]), k=1, iterations=2)
    with pytest.raises(
        InputError, match=r"^the two languages share no features that are in the text: .* tags:2 "
    ):
        Judge.fit(model, *sides, kind="shared")


def test_projected_rows_compare_with_the_source():
    rows = projected_rows(np.array([[1, 2]], np.float32), np.array([[3, -1]], np.float32))
    named = dict(zip(projected_names(2), rows[0].tolist(), strict=True))
    assert named == {
        "value 1": 3,
        "value 2": -1,
        "distance 1": 2,
        "distance 2": 3,
        "product 1": 3,
        "product 2": -2,
    }


@judges
def test_a_loaded_judge_is_the_saved_one(number, tmp_path):
    judge = every_judge()[number]
    judge.save(tmp_path / "judge")
    loaded = Judge.load(tmp_path / "judge", threads=2)
    assert loaded.margins(*texts()).tolist() == judge.margins(*texts()).tolist()
    assert (loaded.kind, loaded.text, loaded.columns) == (judge.kind, judge.text, judge.columns)
    assert (loaded.aligner is None) == (judge.aligner is None)
    loaded.save(tmp_path / "again")
    first, again = (
        {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("judge", "again")
    )
    assert first == again


def test_the_same_seed_gives_the_same_judge():
    sides = [side.part(0, HALF) for side in texts()]
    same = Judge.fit(similarity(), *sides, kind="perceptron", seed=3)
    other = Judge.fit(similarity(), *sides, kind="perceptron", seed=4)
    assert same.margins(*sides).tolist() == trained("perceptron").margins(*sides).tolist()
    assert other.margins(*sides).tolist() != same.margins(*sides).tolist()


def spoil(folder, *, described=None, arrays=None):
    """Save a judge again with other values in its description or its arrays; None takes one away."""
    meta, own, words = load_folder(folder, "judge")
    own = {name: np.array(array) for name, array in own.items()}
    for parts, changes in ((meta, described), (own, arrays)):
        for name, value in (changes or {}).items():
            parts[name] = value
            if value is None:
                del parts[name]
    save_folder(folder, "judge", meta, own, words)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"described": {"kind": "oracle"}}, "it is of kind 'oracle'"),
        ({"described": {"kind": "lvq"}}, "'classifier_spread'"),
        ({"described": {"text": None}}, "'text'"),
        (
            {"arrays": {"classifier_weights": np.full(19, np.nan)}},
            "its classifier holds something else where numbers are expected",
        ),
        ({"arrays": {"classifier_weights": np.zeros(18)}}, "its classifier does not fit its model"),
        (
            {"arrays": {"model_source_factors": None}},
            "a packed sentence model does not fit: 'model_source_factors'",
        ),
    ],
)
def test_a_judge_that_does_not_hold_together_is_refused(changes, words, tmp_path):
    trained("perceptron").save(tmp_path / "judge")
    spoil(tmp_path / "judge", **changes)
    message = f"judge is no judge that this version can use: {words}; train it again$"
    with pytest.raises(ModelError, match=message):
        Judge.load(tmp_path / "judge")


def test_a_judge_with_half_an_aligner_is_refused(tmp_path):
    trained("everything", True).save(tmp_path / "judge")
    spoil(tmp_path / "judge", arrays={"aligner_columns": None})
    with pytest.raises(ModelError, match=r"columns is missing; train it again$"):
        Judge.load(tmp_path / "judge")


def test_another_model_is_no_judge(tmp_path):
    similarity().save(tmp_path / "model")
    assert json.loads((tmp_path / "model" / "model.json").read_text())["kind"] != "judge"
    with pytest.raises(ModelError, match="similarity"):
        Judge.load(tmp_path / "model")


def test_what_cannot_be_judged_is_refused():
    source, target, machine = texts()
    with pytest.raises(
        InputError, match=r"^3 source sentences with 3 and 2 translations: expected as many of each"
    ):
        trained("lvq").margins(source.part(0, 3), target.part(0, 3), machine.part(0, 2))
    with pytest.raises(InputError, match=r"^the text to judge is empty: give at least one sentence$"):
        trained("lvq").margins(*(side.part(0, 0) for side in texts()))
    with pytest.raises(
        InputError, match=r"^nothing to learn from: in no line do the human's and the machine's"
    ):
        Judge.fit(similarity(), source, target, target)


def test_options_that_cannot_be_used():
    with pytest.raises(OptionError, match=r"^kind must be one of everything, .*, got 'oracle'$"):
        Judge.fit(similarity(), *texts(), kind="oracle")
    with pytest.raises(
        OptionError, match=r"^a judge of kind 'everything' needs a Similarity, got a SentenceModel;"
    ):
        Judge.fit(similarity().factors, *texts())
    with pytest.raises(OptionError, match=r"^a judge of kind 'lvq' has no use for an aligner: leave it out$"):
        Judge.fit(similarity(), *texts(), kind="lvq", aligner=aligner())


def test_the_kernel_compiles_once():
    for part in (slice(0, 3), slice(3, 9)):
        text = Bitext(*(side.part(part.start, part.stop) for side in texts()[:2]))
        assert len(list(lexical_columns(text, similarity().overlap))) == 6
    assert len(judge_kernels.token_gains.signatures) == 1
