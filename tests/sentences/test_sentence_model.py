"""`SentenceModel`: from text to scores, on disk and back."""

import json

import numpy as np
import pytest

import cepts
from cepts.corpus import bitext_from_pairs
from cepts.errors import InputError, ModelError, OptionError
from cepts.sentences import FeatureOptions, FeatureSpace, JointNMF, SentenceModel
from cepts.sentences import model as model_module
from cepts.storage import describe_folder

ANIMALS = [("the cat", "le chat"), ("the dog", "le chien"), ("the cow", "la vache"), ("a cat", "un chat")]
NUMBERS = [("one two", "un deux"), ("two three", "deux trois"), ("three four", "trois quatre"), ("one", "un")]
PAIRS = [*ANIMALS * 5, *NUMBERS * 5]
EVERYTHING = FeatureOptions(words=1, min_count=1)


def bitext(pairs=PAIRS):
    return bitext_from_pairs(pairs)


def model_of(**options):
    return SentenceModel.fit(bitext(), **({"features": EVERYTHING, "k": 4, "start": "svd"} | options))


def test_translations_are_nearer_than_others():
    model = model_of()
    mixed = [(ANIMALS[i % 4][0], NUMBERS[(i + 1) % 4][1]) for i in range(8)]
    assert model.similarity(bitext()).mean() > 0.9
    assert model.similarity(bitext(mixed)).mean() < 0.5


def test_a_model_is_spaces_and_a_factorisation():
    text = bitext()
    model = model_of(seed=3, start="random", iterations=9, beta=1.0)
    spaces = [FeatureSpace.fit(side, EVERYTHING) for side in (text.source, text.target)]
    rows = [space.encode(side) for space, side in zip(spaces, (text.source, text.target), strict=True)]
    plain = JointNMF(k=4, seed=3, iterations=9, beta=1.0).fit(*rows)
    assert model.factorisation.losses == plain.losses
    np.testing.assert_array_equal(model.factorisation.target_factors, plain.target_factors)
    np.testing.assert_array_equal(model.project(text.target, "target"), plain.transform(rows[1], "target"))
    np.testing.assert_array_equal(model.similarity(text), plain.score(*rows))
    np.testing.assert_array_equal(model.similarity(text, "hellinger"), plain.score(*rows, "hellinger"))


@pytest.mark.parametrize("projection", ["least-squares", "divergence"])
def test_projection_and_measure_are_kept(projection, tmp_path):
    text = bitext()
    model = model_of(projection=projection, measure="euclidean")
    rows = [space.encode(side) for space, side in zip(model.spaces, (text.source, text.target), strict=True)]
    expected = model.factorisation.score(*rows, "euclidean", projection)
    model.save(tmp_path / "model")
    for each in (model, SentenceModel.load(tmp_path / "model")):
        np.testing.assert_array_equal(each.similarity(text), expected)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"features": "words", "beta": 1, "update": "additive", "step": 0.5},
        {"features": FeatureOptions(words=2, min_count=1, weighting="tfidf", norm="length"), "coupling": 0.5},
        {"features": (FeatureOptions(words=0, characters=(2, 3)), EVERYTHING), "beta": 0.5},
        {"batch": 7, "start": "random"},
    ],
)
def test_a_loaded_model_is_the_same(options, tmp_path):
    model = model_of(**options)
    model.save(tmp_path / "model")
    again = SentenceModel.load(tmp_path / "model")
    text = bitext([*PAIRS, ("", ""), ("unheard", "inouï"), ("cat unheard", "")])
    np.testing.assert_array_equal(again.similarity(text), model.similarity(text))
    np.testing.assert_array_equal(again.project(text.source), model.project(text.source))
    assert again.factorisation.losses == model.factorisation.losses
    assert again.factorisation.options == model.factorisation.options
    assert [space.names() for space in again.spaces] == [space.names() for space in model.spaces]
    again.save(tmp_path / "again")
    for file in sorted((tmp_path / "model").iterdir()):
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes(), file.name


def test_a_model_says_what_it_is(tmp_path):
    model_of().save(tmp_path / "model")
    description = describe_folder(tmp_path / "model")
    assert description["kind"] == "sentence-model"
    meta = json.loads((tmp_path / "model" / "model.json").read_text())
    assert cepts.__version__ in json.dumps(meta)


def test_sentences_with_nothing_known_score_0():
    model = model_of()
    strange = [
        ("", ""),
        ("", "le chat"),
        ("the cat", ""),
        ("unheard", "le chat"),
        ("the cat", "inouï"),
        ANIMALS[0],
    ]
    for measure in ("cosine", "dot", "euclidean", "hellinger"):
        scores = model.similarity(bitext(strange), measure)
        assert not scores[:5].any()
        assert scores[5] > 0
    assert not model.project(bitext(strange).source)[[0, 1, 3]].any()


def test_no_sentences_have_no_scores():
    model = model_of()
    nothing = bitext().part(0, 0)
    assert model.project(nothing.source).shape == (0, 4)
    assert model.similarity(nothing).shape == (0,)


def test_blocks_of_sentences_give_the_same(monkeypatch):
    text = bitext()
    whole = model_of()
    expected = whole.project(text.target, "target")
    monkeypatch.setattr(model_module, "BLOCK", 7)
    np.testing.assert_allclose(whole.project(text.target, "target"), expected, rtol=1e-6)
    parts = model_of()
    np.testing.assert_allclose(parts.similarity(text), whole.similarity(text), atol=1e-2)
    np.testing.assert_allclose(parts.factorisation.losses[-1], whole.factorisation.losses[-1], rtol=0.02)


@pytest.mark.parametrize("options", [{}, {"beta": 0.5}, {"start": "random"}, {"projection": "least-squares"}])
def test_threads_give_the_same_bits(options, monkeypatch):
    monkeypatch.setattr(model_module, "BLOCK", 7)
    alone = model_of(**options)
    for threads in (2, 3):
        other = model_of(threads=threads, **options)
        assert other.factorisation.losses == alone.factorisation.losses
        np.testing.assert_array_equal(other.similarity(bitext()), alone.similarity(bitext()))


def test_batches_are_blocks_of_text():
    text = bitext()
    model = model_of(batch=7, epochs=2, start="random")
    sides = (text.source, text.target)
    rows = [space.encode(side) for space, side in zip(model.spaces, sides, strict=True)]
    plain = JointNMF(k=4, batch=7, epochs=2).fit(*rows)
    assert model.factorisation.losses == plain.losses
    assert len(plain.losses) == 2 * 6
    np.testing.assert_array_equal(model.factorisation.source_factors, plain.source_factors)


def test_features_may_be_named():
    named = SentenceModel.fit(bitext(), features="words:2,chars:2-3", k=2, iterations=2)
    spelled = SentenceModel.fit(
        bitext(), features=FeatureOptions(words=2, characters=(2, 3)), k=2, iterations=2
    )
    assert named.spaces[0].names() == spelled.spaces[0].names()
    assert any(name.startswith("chars:") for name in named.spaces[1].names())


def test_progress_is_told():
    told = []
    model_of(iterations=3, tolerance=0, progress=lambda *each: told.append(each))
    assert [number for number, _ in told] == [0, 1, 2]


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: model_of(k=99),
            OptionError,
            r"^k 99 is more than these data allow: 40 pairs of sentences and",
        ),
        (
            lambda: model_of(k=99, batch=5, start="random"),
            OptionError,
            r"^k 99 is more than these data allow: 40 pairs",
        ),
        (lambda: model_of(projection="flat"), OptionError, r"^projection must be one of non-negative, "),
        (lambda: model_of(measure="feet"), OptionError, r"^measure must be one of cosine, "),
        (
            lambda: model_of().project(bitext().source, "left"),
            OptionError,
            r"^side must be source or target, got 'left'$",
        ),
        (lambda: model_of(kk=9), OptionError, r"^unknown option 'kk'; did you mean 'k'\?$"),
        (lambda: model_of(beta=9), OptionError, r"^beta=9: expected a number above -1, up to 4"),
        (lambda: model_of(features="sounds"), OptionError, r"^features 'sounds': 'sounds' is unknown"),
        (lambda: SentenceModel.fit(bitext([("", "x y")] * 5)), InputError, r"^the source text has no words"),
        (lambda: SentenceModel.fit(bitext([("x y", "")] * 5)), InputError, r"^the target text has no words"),
        (lambda: model_of().similarity(bitext(), "feet"), OptionError, r"^measure must be one of cosine, "),
        (lambda: SentenceModel.load("nowhere/at/all"), ModelError, r"nowhere/at/all"),
    ],
)
def test_what_cannot_be_is_refused(call, kind, message):
    with pytest.raises(kind, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_the_sample_is_learned():
    text = cepts.sample_bitext()
    model = SentenceModel.fit(text, k=16, start="svd", iterations=40)
    scores = model.similarity(text)
    turned = model.similarity(
        bitext_from_pairs(
            [
                (" ".join(text.source.sentence(i)), " ".join(text.target.sentence((i + 7) % len(text))))
                for i in range(len(text))
            ]
        )
    )
    assert scores.mean() > turned.mean() + 0.2
