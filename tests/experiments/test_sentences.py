"""The experiment of sentences: its noise, its scores by slow twins and by hand, and all tasks on a toy language."""

from __future__ import annotations

import lzma
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts import Aligner
from cepts.corpus import encode_lines
from cepts.errors import InputError
from huerta import cleaning, figure, human_or_machine, material, measuring, noise, retrieval
from huerta.figures import block_means, placements
from huerta.language import Fluency, TagClassifier, counts
from huerta.material import Judged
from huerta.results import Sheet
from huerta.rows import (
    BY_PLACE,
    HELD_OUT,
    JUDGED_OWN,
    NEWS,
    OWN,
    RANDOM,
    SHARES,
    TATOEBA,
    TATOEBA_DEV,
    TOGETHER,
    WMT12,
    rows_of,
)
from huerta.tfidf import TranslatedTfidf, sentences_with

if TYPE_CHECKING:
    from pathlib import Path

SCORES = st.lists(st.integers(0, 5), min_size=1, max_size=12)


# Scores


@given(SCORES, SCORES)
def test_the_area_is_the_share_of_pairs_in_order(bad: list[int], good: list[int]) -> None:
    won = sum((b < g) + (b == g) / 2 for b in bad for g in good) / (len(bad) * len(good))
    assert placements(bad, good).mean() == pytest.approx(won)


def test_blocks_keep_the_mean() -> None:
    values = np.random.default_rng(4).random(500)
    assert np.mean(block_means(values)) == pytest.approx(values.mean(), abs=1e-5)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=20))
def test_correlation(pairs: list[tuple[int, int]]) -> None:
    ones, others = np.array(pairs, np.float64).T
    expected = 0.0
    if np.ptp(ones) and np.ptp(others):
        expected = float(np.corrcoef(ones, others)[0, 1])
    assert retrieval.pearson(ones, others) == pytest.approx(expected, abs=1e-9)


def test_the_interval_of_a_correlation() -> None:
    random = np.random.default_rng(6)
    gold = random.random(300)
    found, low, high = retrieval.correlation(gold + random.normal(0, 0.3, 300), gold)
    assert found - 0.15 < low < found < high < found + 0.15
    assert retrieval.correlation(gold, gold) == pytest.approx((1, 1, 1))


def test_ranks_are_those_of_a_sorted_list() -> None:
    scores = np.random.default_rng(8).integers(0, 4, (9, 9)).astype(np.float64)
    for number, rank in enumerate(retrieval.right_ranks(scores)):
        others = [scores[number, k] for k in range(9) if k != number]
        assert rank == 1 + sum(other >= scores[number, number] for other in others)


# Figure 1


def test_a_curve_falls_to_what_can_be_explained() -> None:
    row = BY_PLACE["figure", "k-4"]
    made = figure.measure_curve(replace(row, options=row.options | {"iterations": 12}), 1)
    data = np.hstack(figure.random_matrices())
    singular = np.linalg.svd(data, compute_uv=False)
    bound = np.sqrt(np.sum(singular[4:] ** 2))  # no product of rank 4 is nearer (Eckart and Young)
    assert len(made["curve"]) == 13
    assert made["curve"] == sorted(made["curve"], reverse=True)
    assert bound < made["curve"][-1] < 1.1 * bound
    assert made["unit"] == "norm"


def test_the_divergence_is_not_told_as_a_norm() -> None:
    row = BY_PLACE["figure", "kl-4"]
    made = figure.measure_curve(replace(row, options=row.options | {"iterations": 3}), 1)
    assert made["unit"] == "divergence"
    assert made["curve"][-1] > 5000  # half a million cells would have a norm of about 90


# Noise


def made_up(count: int, seed: int = 5) -> list[noise.Pair]:
    """Pairs of 1 to 12 words, of which target words rhyme with the source's."""
    random = np.random.default_rng(seed)
    pairs = []
    for _ in range(count):
        numbers = random.zipf(1.6, size=random.integers(1, 13)) % 60
        pairs.append(([f"w{number}" for number in numbers], [f"V{number}" for number in numbers]))
    return pairs


def test_noise_by_kind() -> None:
    pairs = made_up(3000)
    machines = [[word.lower() + "x" for word in target] for _, target in pairs]
    noisy = noise.spoil(pairs, 0.4, 3, machines)
    assert noisy == noise.spoil(pairs, 0.4, 3, machines)
    assert noisy != noise.spoil(pairs, 0.4, 4, machines)
    targets = {tuple(target) for _, target in pairs}
    for (source, target), (old_source, old_target), kind in zip(noisy.pairs, pairs, noisy.kinds, strict=True):
        if kind == noise.CLEAN:
            assert (source, target) == (old_source, old_target)
        elif kind == noise.TRUNCATED:
            longer, shorter = (old_source, source) if target == old_target else (old_target, target)
            assert (source == old_source) != (target == old_target)
            assert len(longer) / 2 - 1 <= len(shorter) <= len(longer) * 2 / 3 + 1.5
            assert [*shorter[:-1], longer[-1]] == [*longer[: len(shorter) - 1], longer[-1]]
        else:
            assert source == old_source
            assert len(target) == len(old_target)
            changed = sum(one != other for one, other in zip(target, old_target, strict=True))
            assert changed > 0
            if kind == noise.SHUFFLED:
                assert tuple(target) in targets
            elif kind == noise.MISTRANSLATED:
                assert changed <= round(0.5 * len(target))
            else:
                assert target[0].endswith("x")
    shares = {kind: noisy.kinds.count(kind) / 3000 for kind in {*noisy.kinds}}
    assert shares[noise.MACHINE] == pytest.approx(0.1)
    assert all(0.05 < shares[kind] <= 0.1 for kind in noise.KINDS)  # short ones could not be spoiled


def test_what_cannot_be_spoiled_stays_clean() -> None:
    noisy = noise.spoil([(["a"], ["b"]), (["a", "c"], ["b", "d"])], 1.0, 1)
    assert noisy.kinds == [noise.CLEAN, noise.CLEAN]


def test_wrong_words_are_about_as_frequent() -> None:
    pairs: list[noise.Pair] = [(["x"], [f"v{k}"] * (k + 1)) for k in range(100)]
    wrong = noise.Mistranslation(pairs)
    draw = np.random.default_rng(2)
    found = {wrong.another("v50", draw) for _ in range(300)}
    assert found == {f"v{k}" for k in range(45, 56)}  # 5 % of all words up and down
    assert {wrong.another("v99", draw) for _ in range(200)} == {f"v{k}" for k in range(94, 100)}


# A toy language: content words have one translation each, tags follow from the words


NOUNS, VERBS = [f"n{k}" for k in range(12)], [f"v{k}" for k in range(8)]


def toy_lines(count: int, seed: int) -> tuple[list[str], list[str], list[str]]:
    """Tagged English, Spanish, and a machine's Spanish, which has no article and repeats the verb."""
    random = np.random.default_rng(seed)
    english, spanish, machine = [], [], []
    for _ in range(count):
        one, other = random.choice(NOUNS, 2)
        verb, adjective = random.choice(VERBS), f"a{random.integers(6)}"
        english.append(f"the_DET {adjective}_ADJ {one}_NOUN {verb}_VERB the_DET {other}_NOUN ._PUNCT")
        spanish.append(f"el_DET {one}o_NOUN {adjective}o_ADJ {verb}ar_VERB el_DET {other}o_NOUN ._PUNCT")
        machine.append(f"{adjective}o_ADJ {one}o_NOUN {verb}ar_VERB {verb}ar_VERB {other}o_NOUN ._PUNCT")
    return english, spanish, machine


def write_lines(path: Path, lines: list[str], packed: bool = False) -> None:
    text = "".join(f"{line}\n" for line in lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    if packed:
        path.with_name(f"{path.name}.xz").write_bytes(lzma.compress(text.encode(), preset=0))
    else:
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def toy_data(toy_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the toy language be the data."""
    monkeypatch.setenv("CEPTS_DATA", str(toy_folder))


@pytest.fixture(scope="module")
def toy_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All data of the experiment, in a toy language."""
    folder = tmp_path_factory.mktemp("data")
    write_toys(folder)
    return folder


def write_toys(folder: Path) -> None:
    home = folder / "sentences"
    for part, count, seed in (("train", 900, 1), ("dev", 60, 2), ("test", 50, 3)):
        english, spanish, machine = toy_lines(count, seed)
        pairs = zip(material.without_tags(english), material.without_tags(spanish), strict=True)
        own = home / "tatoeba_enes"
        write_lines(own / f"{part}.tsv", ["\t".join(pair) for pair in pairs], part == "train")
        for name, lines in (("eng.pos", english), ("spa.pos", spanish), ("apertium.spa.pos", machine)):
            write_lines(own / f"{part}.{name}", lines, part == "train")
        write_lines(own / f"{part}.apertium.spa", material.without_tags(machine), part == "train")
    for number, name in enumerate(NEWS):
        for suffix, lines in zip(("eng", "spa", "apertium.spa"), toy_lines(40, 10 + number), strict=True):
            write_lines(home / "newstest_enes" / f"{name}.{suffix}.pos", lines, packed=True)
    for part, count in (("train", 91), ("test", 30)):
        for suffix, lines in zip(("source", "reference", "mt"), toy_lines(count, count), strict=True):
            write_lines(home / "wmt12qe_enes" / f"{part}.{suffix}.pos", lines)
    english, spanish, _ = (material.without_tags(lines) for lines in toy_lines(40, 50))
    pairs = [(f"{k % 6}", one, spanish[k if k % 6 > 2 else k - 1]) for k, one in enumerate(english)]
    sts = home / "sts2017"
    write_lines(sts / "track4a.es-en.tsv", [f"{score}\t{two}\t{one}" for score, one, two in pairs])
    write_lines(sts / "track4b.es-en.tsv", [f"{score}\t{one}\t{two}" for score, one, two in pairs])
    for name, seed in (("de-en", 7), ("en-es", 8), ("en-fr-hansards", 9)):
        english, spanish, _ = (material.without_tags(lines) for lines in toy_lines(900, seed))
        write_lines(folder / "words" / name / "train.src", english, packed=True)
        write_lines(folder / "words" / name / "train.tgt", spanish, packed=True)


@pytest.mark.usefixtures("toy_data")
def test_data_is_read() -> None:
    assert len(material.read_tatoeba("train")) == len(material.read_translated()) == 900
    pairs, scores = material.read_similar("4a")
    assert (pairs, scores) == material.read_similar("4b")
    assert pairs[0][0].startswith("the ")
    assert scores[:3] == [0.0, 1.0, 2.0]
    source, target = material.read_words("de-en")[0]
    assert (source[:4], target[:3]) == ("the ", "el ")
    news = material.read_news(NEWS[0])
    assert [len(lines) for lines in news + news] == [80, 80, 80]
    assert material.only_tags(news.machines[:1]) == ["ADJ NOUN VERB VERB NOUN PUNCT"]


def test_without_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"no data in .*; set CEPTS_DATA to the folder that holds words/xx/"):
        material.read_words("xx")


def run(table: str, sheet: Sheet, names: tuple[str, ...], corpora: tuple[str, ...]) -> dict[Any, Any]:
    todo = [
        (row, corpus)
        for row in rows_of(table)
        if row.name in names
        for corpus in row.corpora
        if corpus in corpora
    ]
    return {(one["row"], one["corpus"]): one for one in measuring.MEASURED[table](sheet, todo, 1)}


@pytest.mark.usefixtures("toy_data")
def test_translations_are_found() -> None:
    names = ("printed-16", "tfidf", "lexicon", "both", "both-usual")
    made = run("retrieval", Sheet("test", 600), names, (TATOEBA,))
    assert [name for name, _ in made] == list(names)
    for (name, _), record in made.items():
        assert record["candidates"] == len(record["ranks"]) == 50
        assert record["training"] == 600
        assert record["accuracy"][0] == pytest.approx(record["ranks"].count(1) / 50)
        assert ("sts 4a" in record) == (name != "both-usual")
    assert made["lexicon", TATOEBA]["accuracy"][0] > 0.9
    assert made["both", TATOEBA]["sts 4a"][0] > 0.5  # pairs with high scores are the right ones
    assert made["both", TATOEBA]["sts 4a"] == made["both", TATOEBA]["sts 4b"]


@pytest.mark.usefixtures("toy_data")
def test_choices_see_no_scores_of_people() -> None:
    made = run("retrieval", Sheet("dev", 400), ("lexicon",), (TATOEBA,))
    assert not any(name.startswith("sts") for name in made["lexicon", TATOEBA])


def test_tfidf_by_hand() -> None:
    meanings = {"cat": [("gato", 0.5), ("gata", 0.5)], "the": [("el", 1.0)]}
    tfidf = TranslatedTfidf(meanings, {"gato": 2.0, "gata": 2.0, "el": 0.5}, 4.0)
    sources, targets = encode_lines(["the cat", "Oslo", ""]), encode_lines(["el gato", "oslo", "x"])
    ours, theirs = tfidf.vectors(sources, targets)
    # the first: el 1 * 0.5 and gato 0.5 * 2 against el 0.5 and gato 2; a gata is not in the text
    expected = (0.5 * 0.5 + 1 * 2) / np.sqrt((0.5**2 + 1**2) * (0.5**2 + 2**2))
    assert (ours @ theirs.T)[0].tolist() == pytest.approx([expected, 0, 0])
    assert (ours @ theirs.T)[1].tolist() == [0, 1, 0]  # a new word translates itself
    assert not ours[2].any()
    assert sentences_with(targets).tolist() == [1, 1, 1, 1]


@pytest.mark.usefixtures("toy_data")
def test_tfidf_takes_the_lexicon() -> None:
    text = material.encoded(material.read_tatoeba("train")[:300], tokenize=True)
    tfidf = TranslatedTfidf.fit(Aligner("fast").fit(text), text)
    assert max(tfidf.meanings["n3"], key=lambda one: one[1])[0] == "n3o"
    assert tfidf.worth["el"] == pytest.approx(np.log(301 / 301))


@pytest.mark.usefixtures("toy_data")
def test_bad_pairs_are_found() -> None:
    names = ("length-ratio", "letter-ratio", "alignment-score", "filter")
    made = run("cleaning", Sheet("dev", 300), names, (TATOEBA, "de-en"))
    kinds = {"tatoeba": {*noise.KINDS, noise.MACHINE}, "de-en": {*noise.KINDS}}
    for (name, corpus), record in made.items():
        assert record["pairs"] == 300
        assert {*record["areas"]} == {str(share) for share in SHARES}
        for share in map(str, SHARES):
            assert {*record["areas"][share]} == kinds[corpus]
            assert sum(record["counts"][share].values()) == 300
            # equal up to the rounding of what is kept, and to blocks of different sizes
            for kind, blocks in record["blocks"][share].items():
                assert np.mean(blocks) == pytest.approx(record["areas"][share][kind][0], abs=0.05)
            assert bool(record["found"][share]) == (name == "filter")
    assert made["filter", "de-en"]["areas"]["20"]["shuffled"][0] > 0.9
    assert made["length-ratio", "de-en"]["areas"]["20"]["shuffled"] == [0.5, 0.5, 0.5]
    assert made["length-ratio", "de-en"]["areas"]["20"]["truncated"][0] == 1.0
    assert made["letter-ratio", "de-en"]["areas"]["20"]["truncated"][0] > 0.9


@pytest.mark.usefixtures("toy_data")
def test_dev_and_test_clean_different_pairs() -> None:
    dev, test = (cleaning.Dump("de-en", Sheet(part, 300), 1) for part in ("dev", "test"))
    every = cleaning.read_clean("de-en")[0]
    assert (dev.pairs, test.pairs) == (every[:300], every[-300:])
    assert [dev.others.source.sentence(k) for k in range(300)] == [pair[0] for pair in every[300:600]]
    assert dev.spoiled(20).kinds != test.spoiled(20).kinds


def test_ratios_by_hand() -> None:
    text = cleaning.bitext_of([(["a"], ["aa"]), (["b", "b"], ["cc", "cc"]), (["Ab"], ["x", "y"])])
    words, _ = cleaning.word_ratio(text, None)  # type: ignore[arg-type]
    letters, _ = cleaning.letter_ratio(text, None)  # type: ignore[arg-type]
    assert words.tolist() == pytest.approx([0, 0, -np.log(2)])
    assert letters.tolist() == pytest.approx([0, 0, -np.log(2)])
    assert text.source.words == ["a", "b", "ab"]


# Human or machine


@pytest.mark.usefixtures("toy_data")
def test_no_judge_sees_what_is_scored() -> None:
    for part, learned, scored in (("dev", 61, 30), ("test", 91, 30)):
        court = human_or_machine.Court(Sheet(part, 500), 1)
        assert len(court.scored.sources) == scored
        assert len(court.learned(WMT12).sources) == learned
        assert len(court.learned(TOGETHER).sources) == learned + 3 * 40
    court = human_or_machine.Court(Sheet("dev", 500), 1)
    whole = material.read_wmt12("train")
    assert court.learned(WMT12) + court.scored == whole


@pytest.mark.usefixtures("toy_data")
def test_judges_of_a_toy_language() -> None:
    names = (
        "perceptron",
        "lvq",
        "dimension",
        "words",
        "tag-classifier",
        "model-of-tags",
        "nearer",
        "less-literal",
        "everything",
        "stacked",
    )
    made = run("judge", Sheet("test", 400), names, (WMT12, "none"))
    assert {name for name, _ in made} == {*names}
    for record in made.values():
        assert record["scored"] == len(record["right"]) == 30
        assert record["accuracy"][0] == pytest.approx(np.mean(record["right"]), abs=1e-5)
    for name in ("model-of-tags", "nearer", "less-literal"):
        assert made[name, "none"]["learned"] == 0
    assert (
        made["nearer", "none"]["accuracy"][0] > 0.9
    )  # this machine leaves words out, and is nobody's literal one
    assert made["less-literal", "none"]["accuracy"][0] < 0.5
    for name in ("perceptron", "tag-classifier", "everything", "stacked"):
        assert made[name, WMT12]["accuracy"][0] == 1.0


@pytest.mark.usefixtures("toy_data")
def test_no_judge_of_tatoeba_sees_what_is_scored_or_factorised() -> None:
    train = material.read_tatoeba_judged("train")
    for part, learned, scored in (("dev", 40, 20), ("test", 60, 50)):
        court, held_out = (
            human_or_machine.OwnCourt(Sheet(part), 1, held_out=held_out) for held_out in (False, True)
        )
        assert len(court.scored.sources) == scored
        assert len(court.learned(TATOEBA_DEV).sources) == learned
        assert len(court.tatoeba) == 900
        assert held_out.scored == court.scored
        assert held_out.learned(HELD_OUT) == train.part(600, None)
        assert held_out.tatoeba == list(zip(train.sources[:600], train.humans[:600], strict=True))
    court = human_or_machine.OwnCourt(Sheet("dev"), 1, held_out=False)
    assert court.learned(TATOEBA_DEV) + court.scored == material.read_tatoeba_judged("dev")


@pytest.mark.usefixtures("toy_data")
def test_judges_of_the_corpus_that_is_factorised(monkeypatch: pytest.MonkeyPatch) -> None:
    factorised = []
    fit = human_or_machine.SentenceModel.fit

    def telling(bitext: Any, **options: Any) -> Any:
        factorised.append((options["features"], len(bitext)))
        return fit(bitext, **options)

    monkeypatch.setattr(human_or_machine.SentenceModel, "fit", telling)
    made = run(OWN, Sheet("test"), ("perceptron", "words", "model-of-tags", "nearer"), (*JUDGED_OWN, "none"))
    assert {*made} == {
        *((name, corpus) for name in ("perceptron", "words") for corpus in JUDGED_OWN),
        ("model-of-tags", "none"),
        ("nearer", "none"),
    }
    assert {one["learned"] for (_, corpus), one in made.items() if corpus == HELD_OUT} == {300}
    assert factorised == [("tags:3", 900), ("words", 900), ("tags:3", 600), ("words", 600)]
    assert all(
        one["scored"] == one["plain"] == 50 for one in made.values()
    )  # a language without inverted marks
    assert made["perceptron", TATOEBA_DEV]["accuracy"][0] == 1.0


def test_sentences_that_inverted_marks_tell_apart_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    scored = Judged(["a"] * 4, ["¿_PUNCT b", "b", "¡_PUNCT b", "b"], ["c", "c", "¿_PUNCT c", "¡_PUNCT c"])
    court = human_or_machine.Court(Sheet("test"), 1)
    monkeypatch.setattr(human_or_machine.Court, "scored", scored)
    monkeypatch.setitem(human_or_machine.MARGINS, "language", lambda *_: np.array([2.0, 3.0, -1.0, 4.0]))
    made = human_or_machine.measure_judge(BY_PLACE["judge", "model-of-tags"], "none", court)
    assert (made["accuracy"][0], made["plain accuracy"][0], made["plain"]) == (0.75, 0.5, 2)


def test_folds_hold_each_line_out_once() -> None:
    lines = [str(k) for k in range(13)]
    held = []
    for known, asked in human_or_machine.cuts(Judged(lines, lines, lines)):
        assert sorted([*known.sources, *asked.sources]) == sorted(lines)
        held += asked.humans
    assert held == lines


def test_equal_margins_are_half_right(monkeypatch: pytest.MonkeyPatch) -> None:
    scored = Judged(["a"] * 3, ["b"] * 3, ["c"] * 3)
    court = human_or_machine.Court(Sheet("test"), 1)
    monkeypatch.setattr(human_or_machine.Court, "scored", scored)
    monkeypatch.setitem(human_or_machine.MARGINS, "language", lambda *_: np.array([2.0, 0.0, -1.0]))
    made = human_or_machine.measure_judge(BY_PLACE["judge", "model-of-tags"], "none", court)
    assert made["right"] == [1.0, 0.5, 0.0]


def test_fluency_is_a_mean_over_words_and_the_end() -> None:
    fluency = Fluency.fit(encode_lines(["a b", "a b", "a c"]), 2)
    asked = encode_lines(["b zzz a", "a b", ""])
    ids = [[1, -1, 0], [0, 1], []]
    for score, sentence in zip(fluency.scores(asked), ids, strict=True):
        steps = [*sentence, fluency.model.end]
        logs = [fluency.model.next_logs(sentence[:k], [step])[0] for k, step in enumerate(steps)]
        assert score == pytest.approx(np.mean(logs), abs=1e-5)


@pytest.mark.usefixtures("toy_data")
def test_a_tag_classifier_sees_tags_alone() -> None:
    court = human_or_machine.Court(Sheet("test", 300), 1)
    known = human_or_machine.case_of(court.learned(WMT12), "tagged")
    classifier = TagClassifier.fit(court.ngrams, known.humans, known.machines)
    one, other = (encode_lines([line]) for line in ("x_DET y_NOUN", "y_NOUN x_NOUN"))
    renamed = encode_lines(["u_DET v_NOUN"])
    assert classifier.margins(one, other) > 0
    assert classifier.margins(one, other) == classifier.margins(renamed, other)
    assert counts(court.ngrams, one).sum() == 3  # two tags and a 2-gram


def test_random_matrices_are_those_of_the_paper() -> None:
    one, other = figure.random_matrices()
    assert one.shape == other.shape == (500, 100)
    assert 0 < one.min() < one.max() < 1
    assert not np.array_equal(one, other)
    assert {row.corpora for row in rows_of("figure")} == {(RANDOM,)}
