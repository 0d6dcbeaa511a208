"""The contract of every aligner: each model, each training, each way to combine, each direction."""

import functools
import tracemalloc

import numpy as np
import pytest

from cepts import Aligner, sample_bitext
from cepts.aligning import COMBINERS
from cepts.corpus import Bitext, bitext_from_pairs, side_from_tokens
from cepts.errors import InputError, ModelError, OptionError
from cepts.words import index_bitext
from cepts.words import indexed as indexed_module
from cepts.words.layout import plan_chunks
from tests.words.corpora import bitext_of, random_pairs

MODELS = ("ibm1", "hmm")
ALIGNERS = [
    *({"model_type": model, "combine": combine} for model in MODELS for combine in COMBINERS),
    *({"model_type": model, "training": "independent", "combine": "grow-diag"} for model in MODELS),
    *({"model_type": model, "training": "independent"} for model in MODELS),
    *(
        {"model_type": model, "training": training, "direction": direction}
        for model in MODELS
        for training in ("agreement", "independent")
        for direction in ("forward", "reverse")
    ),
    {"model_type": "hmm", "jump_band": 1, "hmm_prior": 0.01, "ibm1_prior": 0.01, "min_confidence": 0.3},
    {
        "model_type": "hmm",
        "ibm1_agreement": "mean",
        "hmm_agreement": "product",
        "doubt": 2.0,
        "same_spelling": 0.0,
    },
]


def name_of(options):
    return "-".join(str(value) for value in options.values())


every_aligner = pytest.mark.parametrize("options", ALIGNERS, ids=name_of)
every_model = pytest.mark.parametrize("model_type", MODELS)


@functools.cache
def sample():
    return sample_bitext()


@functools.cache
def _fitted(options):
    return Aligner(**dict(options)).fit(sample())


def fitted(options):
    """An aligner of the built-in sample, trained once for all tests."""
    return _fitted(tuple(options.items()))


def lines(bitext, k):
    return " ".join(bitext.source.sentence(k)), " ".join(bitext.target.sentence(k))


def assert_same_links(first, second):
    for name in ("source", "target", "confidence", "sure", "offsets", "scores"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)


def assert_proper(links, bitext):
    """Links in range, sorted, unique, with probabilities; a finite score for each pair that has words."""
    assert len(links) == len(bitext)
    lengths = bitext.source.lengths, bitext.target.lengths
    for k, pair in enumerate(links):
        places = [(link.source, link.target) for link in pair]
        assert places == sorted(set(places))
        assert all(0 <= i < lengths[0][k] and 0 <= j < lengths[1][k] for i, j in places)
        assert all(0 < link.confidence <= 1 for link in pair)
        if lengths[0][k] and lengths[1][k]:
            assert np.isfinite(links.scores[k])
            assert links.scores[k] <= 0
        else:
            assert pair == []
            assert np.isnan(links.scores[k])


@every_aligner
def test_links_are_proper_and_most_pairs_have_some(options):
    links = fitted(options).align(sample())
    assert_proper(links, sample())
    assert (np.diff(links.offsets) > 0).mean() > 0.95


UNKNOWN_TEXT = [
    ("le chat noir dort .", "the black cat sleeps ."),
    ("zorglub mange 1,000 pommes", "zorglub eats 1.000 apples"),
    ("", "nothing"),
    ("rien", ""),
    ("", ""),
    ("qwxz", "zxwq"),
    ("le", "the"),
    ("le le le le le le", "the"),
]


@every_aligner
def test_batch_equals_single(options):
    aligner = fitted(options)
    pairs = [lines(sample(), k) for k in range(0, len(sample()), 9)] + UNKNOWN_TEXT
    bitext = bitext_from_pairs(pairs)
    together = aligner.align(bitext)
    assert_proper(together, bitext)
    for k, pair in enumerate(pairs):
        alone = aligner.align(bitext_from_pairs([pair]))
        assert together[k] == alone[0] == aligner.align(pair)
        np.testing.assert_array_equal(together.scores[k], alone.scores[0])


@every_aligner
def test_a_saved_aligner_makes_the_same_links(options, tmp_path):
    aligner = fitted(options)
    aligner.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model")
    assert loaded.recipe == aligner.recipe
    before = aligner.align(sample())
    assert_same_links(loaded.align(sample()), before)
    assert_same_links(loaded.align(sample_bitext()), before)  # the same text, read again
    assert_same_links(aligner.align(sample_bitext()), before)
    other = bitext_from_pairs(UNKNOWN_TEXT)
    assert_same_links(loaded.align(other), aligner.align(other))


@every_aligner
def test_words_never_seen_are_linked_by_their_spelling(options):
    source, target = "zorglub voit 1,000 xanadu", "zorglub sees 1.000 xanadu"
    found = {link[:2] for link in fitted(options).align((source, target))}
    assert {(0, 0), (2, 2), (3, 3)} <= found


@every_aligner
def test_one_pair_is_enough_to_learn_from(options):
    bitext = bitext_from_pairs([("un", "one")])
    aligner = Aligner(**options).fit(bitext)
    assert_proper(aligner.align(bitext), bitext)
    assert [link[:2] for link in aligner.align(bitext)[0]] == [(0, 0)]


@pytest.mark.parametrize(
    "way", [{"combine": "posterior"}, {"combine": "grow-diag"}, {"direction": "reverse"}]
)
@every_model
def test_three_hundred_words(model_type, way, seed):
    words = np.random.default_rng(seed).integers(0, 80, 300).tolist()
    bitext = bitext_of([(words, words), ([1, 2], [1, 2])])
    links = Aligner(model_type=model_type, hmm_iterations=2, **way).fit(bitext).align(bitext)
    assert_proper(links, bitext)
    assert model_type == "ibm1" or len(links[0]) > 200, (
        "one pair teaches IBM-1 nothing, but the HMM the diagonal"
    )


@pytest.mark.parametrize("threads", [2, 3])
@every_model
def test_any_number_of_threads_gives_the_same_bits(model_type, threads, monkeypatch, seed, tmp_path):
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    bitext = bitext_of(random_pairs(seed, count=150, words=30))
    assert len(index_bitext(bitext).chunks) > 4
    folders = []
    for count in (1, threads):
        aligner = Aligner(model_type=model_type, threads=count).fit(bitext)
        folders.append(tmp_path / str(count))
        aligner.save(folders[-1])
        links = aligner.align(bitext)
        if count == 1:
            expected = links
    assert_same_links(links, expected)
    for file in sorted(folders[0].iterdir()):
        assert file.read_bytes() == (folders[1] / file.name).read_bytes(), file.name


def planted(seed):
    """200 pairs of distinct words, in which word k translates word k and two neighbours change places; the links."""
    rng = np.random.default_rng(seed)
    pairs, gold = [], []
    for _ in range(200):
        words = rng.choice(60, rng.integers(3, 9), replace=False).tolist()
        order = list(range(len(words)))
        at = int(rng.integers(0, len(order) - 1))
        order[at], order[at + 1] = order[at + 1], order[at]
        pairs.append(([f"s{w}" for w in words], [f"t{words[i]}" for i in order]))
        gold.append({(i, j) for j, i in enumerate(order)})
    return Bitext(*(side_from_tokens([pair[side] for pair in pairs]) for side in (0, 1))), gold


@pytest.mark.parametrize("training", ["agreement", "independent"])
@every_model
def test_a_swapped_bitext_has_swapped_links(model_type, training, seed):
    bitext, _ = planted(seed)  # a word that is repeated would make ties, which either direction may break
    options = {"model_type": model_type, "training": training, "ibm1_iterations": 1, "hmm_iterations": 1}
    forward = Aligner(direction="forward", **options).fit(bitext).align(bitext)
    swapped = bitext.swapped()
    reverse = Aligner(direction="reverse", **options).fit(swapped).align(swapped).swapped()
    for name in ("source", "target", "offsets"):
        np.testing.assert_array_equal(getattr(forward, name), getattr(reverse, name))
    np.testing.assert_allclose(forward.scores, reverse.scores, rtol=1e-4)


@every_model
def test_a_line_of_twenty_thousand_words(model_type, seed):
    words = np.random.default_rng(seed).integers(0, 3_000, 20_000).tolist()
    bitext = bitext_of([(words, [word for k, word in enumerate(words) if k % 4]), ([1, 2], [2, 1])])
    tracemalloc.start()
    links = Aligner(model_type=model_type, ibm1_iterations=2, hmm_iterations=1).fit(bitext).align(bitext)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # All cells at once would be 300 million: 1.2 GB of float32 for a single table.
    assert peak < 400e6
    assert_proper(links, bitext)
    assert len(links[0]) > (10_000 if model_type == "hmm" else 0)


@every_model
@pytest.mark.parametrize("pairs", [[("", "")], [("a", ""), ("", "b")]])
def test_nothing_to_learn_from(model_type, pairs):
    with pytest.raises(
        InputError, match=r"^nothing to learn from: no sentence pair has words on both sides$"
    ):
        Aligner(model_type=model_type).fit(bitext_from_pairs(pairs))


@every_model
def test_a_text_without_words_is_aligned_all_the_same(model_type):
    bitext = bitext_from_pairs([("", ""), ("a", "")])
    links = fitted({"model_type": model_type, "combine": "posterior"}).align(bitext)
    assert_proper(links, bitext)


@every_model
def test_words_without_a_partner_are_no_trouble(model_type, tmp_path):
    bitext = bitext_from_pairs([("", "a b c d e f g h"), ("i j k l m n o", ""), ("un", "one")])
    aligner = Aligner(model_type=model_type).fit(bitext)
    aligner.save(tmp_path / "model")
    links = aligner.align(bitext)
    assert [link[:2] for link in links[2]] == [(0, 0)]
    assert_same_links(Aligner.load(tmp_path / "model").align(bitext), links)


def test_directions_are_joined_by_the_rule():
    by_rule = {
        combine: {
            (k, *link[:2])
            for k, pair in enumerate(fitted({"model_type": "hmm", "combine": combine}).align(sample()))
            for link in pair
        }
        for combine in ("intersection", "grow-diag", "union")
    }
    assert by_rule["intersection"] < by_rule["grow-diag"] < by_rule["union"]


def test_a_higher_confidence_keeps_fewer_links(tmp_path):
    fitted({"model_type": "hmm", "combine": "posterior"}).save(tmp_path / "model")
    before = None
    for least in (0.0, 0.2, 0.6, 0.95):
        links = Aligner.load(tmp_path / "model", min_confidence=least).align(sample())
        assert links.confidence.min() >= np.float32(least)
        found = {(k, *link[:2]) for k, pair in enumerate(links) for link in pair}
        assert before is None or found < before
        before = found


@pytest.mark.parametrize("combine", ["union", "posterior"])
def test_a_loaded_model_can_link_in_another_way(combine, tmp_path):
    fitted({"model_type": "hmm", "combine": "intersection"}).save(tmp_path / "model")
    links = Aligner.load(tmp_path / "model", combine=combine).align(sample())
    assert_same_links(links, fitted({"model_type": "hmm", "combine": combine}).align(sample()))


def test_what_was_trained_cannot_be_changed_at_loading(tmp_path):
    fitted({"model_type": "hmm", "training": "independent", "direction": "forward"}).save(tmp_path / "model")
    with pytest.raises(OptionError, match=r"^hmm_iterations cannot be changed after training: train a model"):
        Aligner.load(tmp_path / "model", hmm_iterations=3)
    with pytest.raises(
        OptionError, match="was trained in direction forward alone: align in that direction, or"
    ):
        Aligner.load(tmp_path / "model", direction="both")
    with pytest.raises(OptionError, match="--combine sum: expected one of"):
        Aligner.load(tmp_path / "model", combine="sum")


def test_an_aligner_that_was_not_trained_says_so(tmp_path):
    message = r"^the aligner has not been trained: call fit\(bitext\)"
    with pytest.raises(ModelError, match=message):
        Aligner().align(("a", "b"))
    with pytest.raises(ModelError, match=message):
        Aligner().save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_text_options_are_saved_with_the_model(tmp_path):
    bitext = bitext_from_pairs(
        [("Le chat.", "The cat."), ("Le chien.", "The dog.")], tokenize=True, keep_case=True
    )
    Aligner(tokenize=True, keep_case=True).fit(bitext).save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model")
    assert loaded.text == (True, True)
    assert [link[:2] for link in loaded.align(("Le chat.", "The cat."))] == [(0, 0), (1, 1), (2, 2)]


def test_the_watcher_hears_of_every_stage():
    steps = []
    Aligner(ibm1_iterations=2, hmm_iterations=3, monitor=steps.append).fit(sample()).align(sample())
    ends = [(step.stage, step.iteration) for step in steps if step.objective is not None]
    assert ends == [("ibm1", 1), ("ibm1", 2), ("hmm", 1), ("hmm", 2), ("hmm", 3)]
    assert steps[-1].stage == "links"
    assert steps[-1].done == 1.0


def test_fitting_again_forgets_the_first_text():
    first, second = bitext_from_pairs([("a b", "x y")]), sample()
    aligner = Aligner().fit(first).fit(second)
    assert_same_links(
        aligner.align(second), fitted({"model_type": "hmm", "combine": "posterior"}).align(second)
    )


def test_a_planted_translation_is_found(seed):
    bitext, gold = planted(seed)
    for model_type in MODELS:
        links = Aligner(model_type=model_type).fit(bitext).align(bitext)
        found = [{link[:2] for link in pair} for pair in links]
        assert found == gold, model_type
