"""The contract of every aligner: each model, optimiser and training, each way to combine, each direction."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from cepts import Aligner, sample_bitext
from cepts.aligning.recipes import BI_WORD, FERTILE
from cepts.corpus import bitext_from_pairs
from cepts.errors import InputError
from cepts.words import index_bitext
from cepts.words import indexed as indexed_module
from cepts.words import lexicon as lexicon_module
from cepts.words import pairs as pairs_module
from cepts.words.layout import plan_chunks
from tests.aligning.contract import (
    BY_DUAL,
    MONO_WORD,
    TRAINED,
    assert_proper,
    assert_same_links,
    every_aligner,
    every_model,
    every_training,
    fitted,
    lines,
    name_of,
    places,
    planted,
    sample,
)
from tests.words.corpora import bitext_of, random_pairs

WITH_JUMPS = ("hmm", "bihmm", *FERTILE)
UNKNOWN_TEXT = [
    ("le chat noir dort .", "the black cat sleeps ."),
    ("zorglub mange 1,000 pommes", "zorglub eats 1.000 apples"),
    ("", "nothing"),
    ("rien", ""),
    ("", ""),
    ("qwxz", "zxwq"),
    ("le", "the"),
    ("le chat", "the cat"),
    ("le le le le le le", "the"),
    ("le", "the the the the the the"),
]


@every_aligner
def test_links_are_proper_and_most_pairs_have_some(options):
    links = fitted(options).align(sample())
    assert_proper(links, sample(), options.get("model_type"))
    assert (np.diff(links.offsets) > 0).mean() > 0.95


@every_aligner
def test_batch_equals_single(options):
    aligner = fitted(options)
    pairs = [lines(sample(), k) for k in range(0, len(sample()), 25)] + UNKNOWN_TEXT
    bitext = bitext_from_pairs(pairs)
    together = aligner.align(bitext)
    assert_proper(together, bitext, options.get("model_type"))
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
    assert_proper(aligner.align(bitext), bitext, options.get("model_type"))
    found, chosen = places(aligner.align(bitext)), aligner.recipe
    # NULL explains the word as well: for nothing where rare words cost, and as likely where it is one more word.
    costs = chosen.regularity != "off" and not chosen.bi_word
    tied = chosen.model_type == "bi1" or chosen.null_as_word
    assert found == [{(0, 0)}] or ((costs or tied) and found == [set()])


@every_training
def test_three_hundred_words(options, seed):
    check_three_hundred_words(seed, **options)


@pytest.mark.parametrize("way", [{"combine": "grow-diag"}, {"direction": "reverse"}], ids=name_of)
@every_model
def test_three_hundred_words_linked_in_another_way(model_type, way, seed):
    check_three_hundred_words(seed, model_type, **way)


@pytest.mark.parametrize("method", BY_DUAL)
def test_three_hundred_words_linked_by_both_directions_together(method, seed):
    check_three_hundred_words(seed, "hmm", method=method)


def check_three_hundred_words(seed, model_type, **options):
    words = np.random.default_rng(seed).integers(0, 80, 300).tolist()
    bitext = bitext_of([(words, words), ([1, 2], [1, 2])])
    aligner = Aligner(model_type=model_type, hmm_iterations=2, **options).fit(bitext)
    links = aligner.align(bitext)
    assert_proper(links, bitext, model_type)
    assert links.oversized.tolist() == ([0] if model_type in (*BI_WORD, *FERTILE) else [])
    # One pair teaches models without jumps nothing, but those with them the diagonal.
    assert model_type not in WITH_JUMPS or len(links[0]) > 200


@every_training
def test_any_number_of_threads_gives_the_same_bits(options, monkeypatch, seed, tmp_path):
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    for module in (lexicon_module, pairs_module):
        monkeypatch.setattr(module, "ROW_BLOCK", 50)
    bitext = bitext_of(random_pairs(seed, count=150, words=30))
    assert len(index_bitext(bitext).chunks) > 4
    folders, links = [], []
    for threads in (1, 2):
        aligner = Aligner(threads=threads, **options).fit(bitext)
        folders.append(tmp_path / str(threads))
        aligner.save(folders[-1])
        links.append(aligner.align(bitext))
    assert_same_links(*links)
    for file in sorted(folders[0].iterdir()):
        assert file.read_bytes() == (folders[1] / file.name).read_bytes(), file.name


SWAPPED = [*({"model_type": model, "training": "agreement"} for model in MONO_WORD), *TRAINED]


@pytest.mark.parametrize("options", SWAPPED, ids=name_of)
def test_a_swapped_bitext_has_swapped_links(options, seed):
    bitext, _ = planted(seed)  # a word that is repeated would make ties, which either direction may break
    few = {**options, "ibm1_iterations": 1, "hmm_iterations": 1}
    forward = Aligner(direction="forward", **few).fit(bitext).align(bitext)
    swapped = bitext.swapped()
    reverse = Aligner(direction="reverse", **few).fit(swapped).align(swapped).swapped()
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
    # All cells at once would be 300 million: 1.2 GB of float32 for a single table. Bi-word models keep a number for
    # each cell of a piece and each direction.
    assert peak < (500e6 if model_type in BI_WORD else 400e6)
    assert_proper(links, bitext)
    assert len(links[0]) > (10_000 if model_type in WITH_JUMPS else 0)


@every_model
@pytest.mark.parametrize("pairs", [[("", "")], [("a", ""), ("", "b")]])
def test_nothing_to_learn_from(model_type, pairs):
    with pytest.raises(
        InputError, match=r"^nothing to learn from: no sentence pair has words on both sides$"
    ):
        Aligner(model_type=model_type).fit(bitext_from_pairs(pairs))


@every_training
def test_a_text_without_words_is_aligned_all_the_same(options):
    bitext = bitext_from_pairs([("", ""), ("a", "")])
    assert_proper(fitted(options).align(bitext), bitext)


@every_model
def test_words_without_a_partner_are_no_trouble(model_type, tmp_path):
    bitext = bitext_from_pairs([("", "a b c d e f g h"), ("i j k l m n o", ""), ("un", "one")])
    aligner = Aligner(model_type=model_type).fit(bitext)
    aligner.save(tmp_path / "model")
    links = aligner.align(bitext)
    assert [link[:2] for link in links[2]] == [(0, 0)]
    assert_same_links(Aligner.load(tmp_path / "model").align(bitext), links)


def objectives(options):
    """What the watcher of an independent training sees: stage -> a run for each direction that reports alone."""
    seen = []
    training = {"training": "independent", "ibm1_prior": 0.0, "hmm_prior": 0.0}
    many = dict.fromkeys((f"{stage}_iterations" for stage in ("ibm1", "hmm", *FERTILE)), 8)
    Aligner(monitor=seen.append, **many, **training, **options).fit(sample())
    stages = {}
    for step in (step for step in seen if step.objective is not None):
        stages.setdefault(step.stage, {}).setdefault(step.direction, []).append(step.objective)
    return {stage: list(runs.values()) for stage, runs in stages.items()}


@pytest.mark.parametrize(
    "options", [each for each in TRAINED if each["model_type"] not in FERTILE], ids=name_of
)
def test_the_objective_never_rises(options):
    """Independent training has an objective: the watcher sees it fall, stage by stage and direction by direction.

    Counts given beforehand and the term belong to it. The tolerance is for sums in float32.
    """
    stages = objectives(options)
    runs = [run for stage in stages.values() for run in stage]
    assert len(runs) == len(stages) * (2 if options["optimizer"] == "pgd" else 1)
    for run in runs:
        assert len(run) == 8
        assert all(after <= before * (1 + 1e-5) for before, after in pairwise(run)), run
        assert run[-1] < 0.99 * run[0], run


@pytest.mark.parametrize("model_type", FERTILE)
def test_the_objective_of_a_fertility_model_falls_from_its_first_guess(model_type):
    """It need not fall each time: only alignments around a summit are summed, and a new model may climb another one.

    Fertilities and distances are smoothed, too. Before it, IBM-1 and the HMM must fall as ever.
    """
    stages = objectives({"model_type": model_type})
    (run,) = stages[model_type]
    assert len(run) == 8
    assert min(run[1:]) < 0.95 * run[0], run
    assert max(run[1:]) < run[0], run
    for stage in ("ibm1", "hmm"):
        assert all(after <= before * (1 + 1e-5) for before, after in pairwise(stages[stage][0]))
