"""A translator from bitext to lines: what it writes, what it keeps, what it refuses."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

import cepts
from cepts.corpus import TextOptions, bitext_from_pairs, side_from_tokens
from cepts.errors import InputError, ModelError, OptionError
from cepts.phrases.reordering_kernels import decode_reordered
from cepts.translation import TranslationSettings, Translator, bleu_of
from cepts.translation.training import joined_text, overlap, tuned
from tests.aligning.forging import forge
from tests.translation.systems import SMALL, links, texts, translator


def sentences(side, count=10):
    return [" ".join(side.sentence(k)) for k in range(count)]


def test_tuned_on_dev_it_is_no_worse_than_it_was():
    trained = translator().trained
    assert max(trained["dev_bleu"]) >= trained["dev_bleu"][0] > 0
    assert trained["pairs"] == 200
    assert trained["dev_pairs"] == 40
    assert {"align", "extract", "language_model", "tune"} <= set(trained["seconds"])


def test_the_text_it_has_learned_from_is_translated():
    train, _ = texts()
    found = translator().translate(sentences(train.source, 40))
    assert bleu_of(found, sentences(train.target, 40)) > 50
    assert translator().translate(["Le CHAT noir dort ."])[0].endswith(".")


def test_an_empty_line_stays_one_and_unknown_words_are_copied():
    found = translator().translate(["", "   ", "zzyzx", "le Qwertz dort ."])
    assert found[:3] == ["", "", "zzyzx"]
    assert "qwertz" in found[3].split()
    assert translator().translate([]) == []


def test_threads_and_batches_change_nothing():
    lines = sentences(texts()[1].source, 12)
    alone = [translator().translate([line])[0] for line in lines]
    assert translator().translate(lines, threads=2) == alone


def test_lists_are_different_sorted_and_made_of_their_features():
    (found,) = translator().translate_n_best(sentences(texts()[1].source, 1), 10)
    assert len({one.text for one in found}) == len(found) > 1
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    decoder = translator().decoder
    for one in found:
        assert tuple(one.features) == decoder.features
        assert np.dot(list(one.features.values()), decoder.weights) == pytest.approx(one.score)


def test_reading_in_order_has_no_distortion():
    lines = sentences(texts()[1].source, 10)
    in_order = translator().with_search(distortion_limit=0).translate_n_best(lines, 1)
    freely = translator().with_search(beam=200).translate_n_best(lines, 1)
    assert all(found[0].features["distortion"] == 0 for found in in_order)
    assert any(found[0].features["distortion"] < 0 for found in freely)


def test_two_hundred_words():
    long = " ".join(sentences(texts()[1].source, 40)).split()[:200]
    assert len(translator().translate([" ".join(long)])[0].split()) > 100


class Shouting:
    """Writes names in capitals, and none that begin with q."""

    def transcribe(self, names, n_best=5, *, threads=1):
        assert (n_best, threads) == (1, 1)
        return [[] if name.startswith("q") else [(name.upper() + " two", -1.0)] for name in names]


def test_unknown_words_are_written_by_a_system_of_names():
    found = translator().translate(["zzyzx", "qqq", "le 1999 ."], names=Shouting())
    assert found[:2] == ["ZZYZX_TWO".replace("TWO", "two"), "qqq"]
    assert "1999" in found[2]


def test_saved_and_loaded_it_is_the_same(tmp_path):
    lines = sentences(texts()[1].source)
    translator().save(tmp_path / "model")
    again = Translator.load(tmp_path / "model")
    assert again.translate_n_best(lines, 3) == translator().translate_n_best(lines, 3)
    assert again.trained == json.loads(json.dumps(translator().trained))
    assert again.decoder.search == translator().decoder.search
    assert not again.decoder.options.features.flags.owndata  # but mapped


def test_more_text_makes_more_words_known_to_the_language_model():
    train, _ = texts()
    more = side_from_tokens([["the", "zebra"], ["the", "zebra", "sleeps"]])
    larger = Translator.train(train, links=links(), more_target=more, **SMALL)
    assert len(larger.target_words) > len(train.target.words)
    assert larger.target_words[: len(train.target.words)] == list(train.target.words)
    assert larger.decoder.language_model.size == len(larger.target_words)


def test_joined_text():
    one, two = side_from_tokens([["a", "b"]]), side_from_tokens([["c", "a"], []])
    words, ids, offsets = joined_text(one, two)
    assert words == ["a", "b", "c"]
    assert ids.tolist() == [0, 1, 2, 0]
    assert offsets.tolist() == [0, 2, 4, 4]


def test_without_links_the_words_are_aligned():
    train = texts()[0].part(0, 60)
    made = Translator.train(train, aligner={"method": "fast"}, **SMALL)
    assert "dev_bleu" not in made.trained
    assert made.translate(["le chat noir dort ."])[0]


def test_tokens_and_case_are_as_in_training():
    text = TextOptions(tokenize=True, keep_case=True)
    pairs = [("Das Haus.", "The house."), ("Das Dach.", "The roof."), ("Ein Haus.", "A house.")]
    made = Translator.train(bitext_from_pairs(pairs, **text._asdict()), text=text, aligner={"method": "fast"})
    assert made.translate(["Das Haus."]) == ["The house ."]
    assert made.translate(["das Haus."])[0].startswith("das ")


def test_pairs_of_dev_that_are_known_are_counted():
    train, dev = texts()
    assert overlap(train, train.part(3, 8)) == 5
    assert overlap(train, bitext_from_pairs([("", ""), ("nothing", "alike")])) == 0
    assert translator().trained["overlap"] == overlap(train, dev)


def test_what_cannot_be_is_refused(tmp_path):
    train, _ = texts()
    empty = bitext_from_pairs([("", "a"), ("b", "")])
    with pytest.raises(InputError, match="nothing to learn from: no sentence pair has words on both sides"):
        Translator.train(empty)
    with pytest.raises(
        InputError, match="nothing to tune on: no sentence pair of dev has words on both sides"
    ):
        Translator.train(train, empty, links=links())
    with pytest.raises(OptionError, match=r"unknown option 'bean'; did you mean 'beam'\?"):
        Translator.train(train, bean=3)
    for wrong in (0, 10**9):
        with pytest.raises(OptionError, match=f"n_best={wrong}: expected a number from 1 to 100000"):
            translator().translate_n_best(["a"], wrong)
    with pytest.raises(OptionError, match="distortion_limit=99: expected a number from 0 to 60"):
        translator().with_search(distortion_limit=99)
    with pytest.raises(InputError, match="pair"):
        Translator.train(train.part(0, 50), links=links())
    cepts.Aligner("fast").fit(train).save(tmp_path / "words")
    message = "words is a model of kind 'word-aligner', expected a translator, made by: cepts translate train"
    with pytest.raises(ModelError, match=message):
        Translator.load(tmp_path / "words")


@pytest.mark.parametrize("wrong", [{"dev_bleu": "x"}, {"dev_bleu": [None]}, {"pairs": []}, []])
def test_what_cannot_have_been_trained_is_refused(tmp_path, wrong):
    translator().save(tmp_path / "model")
    place = tmp_path / "model" / "model.json"
    described = json.loads(place.read_text(encoding="utf-8"))
    described["meta"]["trained"] = wrong
    place.write_text(json.dumps(described), encoding="utf-8")
    with pytest.raises(ModelError, match=r"is no translator that this version can use: .*; train it again"):
        Translator.load(tmp_path / "model")


@pytest.mark.parametrize("part", ["weights", "language model", "options"])
def test_parts_that_do_not_fit_are_refused(tmp_path, part):
    whole = translator()
    decoder = whole.decoder
    if part == "weights":
        spoiled = replace(whole, decoder=decoder.with_weights(np.full(9, 1e9)))
    elif part == "language model":
        spoiled = replace(whole, target_words=[*whole.target_words, "more"])
    else:
        spoiled = replace(whole, source_words=whole.source_words[:5])
    spoiled.save(tmp_path / "model")
    with pytest.raises(
        ModelError, match=r"model is no translator that this version can use: .*; train it again"
    ):
        Translator.load(tmp_path / "model")


def test_phrases_in_a_table_are_refused(tmp_path):
    translator().save(tmp_path / "model")
    ids = np.load(tmp_path / "model" / "options_target_ids.npy")
    forge(tmp_path / "model", "options_target_ids", ids.reshape(-1, 1))
    with pytest.raises(
        ModelError, match=r"can use: target_ids has the shape \[[0-9]+, 1\], expected tokens; train"
    ):
        Translator.load(tmp_path / "model")


def test_a_phrase_table_of_another_model_is_refused(tmp_path):
    train, _ = texts()
    translator().save(tmp_path / "one")
    Translator.train(train, links=links(), **SMALL, max_length=2).save(tmp_path / "other")
    for file in (tmp_path / "other").glob("options_*.npy"):
        shutil.copy(file, tmp_path / "one")
    with pytest.raises(
        ModelError, match=r"options_.*npy has .* bytes, expected .*: it is truncated or changed"
    ):
        Translator.load(tmp_path / "one")


def test_runs_of_tuning_start_alike_and_end_near_each_other():
    train, dev = texts()
    untuned, settings = Translator.train(train, links=links(), **SMALL), TranslationSettings(**SMALL)
    runs = tuned(untuned, dev, settings, (1, 2, 3))
    assert len({history[0] for _, history in runs}) == 1
    best = [max(history) for _, history in runs]
    assert max(best) - min(best) < 3
    ((alone, history),) = tuned(untuned, dev, settings, (2,))
    assert history == runs[1][1]
    assert np.array_equal(alone.decoder.weights, runs[1][0].decoder.weights)
    lines, references = sentences(dev.source, len(dev)), sentences(dev.target, len(dev))
    for system, told in runs:
        assert bleu_of(system.translate(lines), references) == pytest.approx(max(told))
        assert max(told) >= bleu_of(untuned.translate(lines), references)


def test_the_kernel_compiles_once():
    translator().translate(["le chat ."])
    assert len(decode_reordered.signatures) == 1
