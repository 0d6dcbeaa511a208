"""What is known beforehand, links and words, in every aligner: laws, and texts that only knowledge can decide."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts import Aligner, Links, bitext_from_pairs
from cepts.aligning import COMBINERS, MODEL_TYPES
from cepts.aligning.priors import LexiconUse
from cepts.errors import CeptsError, InputError, OptionError
from tests.aligning.contract import TRAINED, assert_proper, assert_same_links, name_of, places, sample
from tests.words.corpora import bitext_of, random_pairs
from tests.words.test_known import drawn_links

SMALL = 30
BEST_PATHS = [
    {"model_type": model, "direction": way} for model in MODEL_TYPES for way in ("forward", "reverse")
]
LINKED = [
    *(
        {"model_type": model, "combine": combine}
        for model in MODEL_TYPES
        for combine in COMBINERS
        if combine != "dual" or model == "hmm"
    ),
    *BEST_PATHS,
    *({"model_type": model, "training": "independent"} for model in ("ibm1", "hmm", "ibm3", "ibm4")),
    {"method": "denero-2011"},
    {"min_confidence": 0.9},
]


def small_sample():
    return sample().part(0, SMALL)


@pytest.mark.parametrize("options", LINKED, ids=name_of)
@settings(max_examples=3)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_known_links_are_in_the_output_and_nothing_contradicts_a_complete_pair(options, seed, complete):
    pairs = random_pairs(seed, count=6)
    bitext, known = bitext_of(pairs), drawn_links(pairs, seed)
    aligner = Aligner(**options).fit(bitext, known_links=Links.from_pairs(known), known_complete=complete)
    links = aligner.align(bitext)
    assert_proper(links, bitext, "ibm4")  # a link that the other direction knows to be none has confidence 0
    for found, given_links in zip(links, known, strict=True):
        sure = {link[:2] for link in given_links if link[3]}
        assert sure <= {link[:2] for link in found if link.sure and link.confidence == 1}
        if complete and given_links:
            assert {link[:2] for link in found} <= {link[:2] for link in given_links}


@pytest.mark.parametrize("options", TRAINED, ids=name_of)
def test_nothing_known_changes_nothing(options):
    text = small_sample()
    before = Aligner(**options).fit(text).align(text)
    nothing = Links.from_pairs([[]] * len(text))
    after = Aligner(**options).fit(text, lexicon=[], known_links=nothing, known_complete=True).align(text)
    assert_same_links(after, before)


def turned(known_lines):
    """Twenty pairs whose words always meet: nothing but the diagonal tells which belong together, and it errs."""
    bitext = bitext_from_pairs([("a b", "x y")] * 20)
    known = Links.from_pairs([[(0, 1), (1, 0)] if k < known_lines else [] for k in range(20)])
    return bitext, known


@pytest.mark.parametrize("options", TRAINED, ids=name_of)
def test_what_is_known_of_some_pairs_is_learned_for_the_others(options):
    bitext, known = turned(10)
    assert places(Aligner(**options, combine="intersection").fit(bitext, known_links=known).align(bitext))[
        -1
    ] == {(0, 1), (1, 0)}
    assert places(Aligner(**options, combine="intersection").fit(bitext).align(bitext))[-1] != {
        (0, 1),
        (1, 0),
    }


@pytest.mark.parametrize("options", TRAINED, ids=name_of)
def test_a_lexicon_decides_what_the_text_leaves_open(options):
    bitext, _ = turned(0)
    aligner = Aligner(**options, combine="intersection", lexicon_weight=10.0).fit(
        bitext, lexicon=[("A", "Y"), ("b", "x", 1.0)]
    )
    assert places(aligner.align(bitext))[-1] == {(0, 1), (1, 0)}
    assert aligner.lexicon_use == LexiconUse(2, 0, 0, 0)


def probability(aligner, source, target):
    """Look up p(target | source) of a trained aligner."""
    table, words = aligner.lexicon()
    row, column = words.source.index(source) + 1, words.target.index(target) + 1
    found = slice(*table.row_offsets[row : row + 2])
    return float(table.values[found, 0][table.columns[found] == column].sum())


def test_a_lexicon_fades_as_the_text_grows():
    """The same wrong entry is believed in a short text, and hardly in a long one that says otherwise."""
    believed = []
    for times in (1, 100):
        text = bitext_from_pairs([("a b", "x y"), ("a", "x"), ("b", "y")] * times)
        believed.append(probability(Aligner().fit(text, lexicon=[("a", "y")]), "a", "y"))
    assert believed[0] > 0.2
    assert believed[1] < 0.1


def test_weights_and_several_words_by_hand():
    """An entry of two words and one shares its count; of a pair in two entries the larger count holds."""
    from cepts.aligning.priors import lexicon_counts
    from cepts.words import index_bitext

    bitext = bitext_from_pairs([("ice cream please", "eis bitte"), ("snow", "schnee")])
    indexed = index_bitext(bitext)
    entries = [
        ("Ice cream", "Eis", 0.5),
        ("cream", "eis", 0.1),
        ("please", "bitte"),
        ("please", "schnee"),
        ("sun", "sonne"),
        ("sun please", "bitte", 2.0),
        ("x " * 11, "y"),
        ("snow", "schnee", 0.0),
    ]
    counts, use = lexicon_counts(entries, bitext, indexed, 2.0)
    assert sorted(counts.counts.tolist()) == pytest.approx([0.5, 0.5, 2.0])
    assert use == LexiconUse(8, 1, 1, 1)


def test_a_fitted_text_keeps_its_known_links_until_others_are_given():
    bitext, known = turned(10)
    aligner = Aligner().fit(bitext, known_links=known, known_complete=True)
    links = aligner.align(bitext)
    assert_same_links(aligner.align(bitext, known_links=known, known_complete=True), links)
    other = Links.from_pairs([[(0, 0)], *[[]] * 19])
    assert places(aligner.align(bitext, known_links=other, known_complete=True))[0] == {(0, 0)}
    assert aligner.align(("a b", "x y"), known_links=Links.from_pairs([[(0, 0)]]))[0][:3] == (0, 0, 1.0)


@pytest.mark.parametrize("model_type", MODEL_TYPES)
def test_a_saved_aligner_and_threads_make_the_same_links_of_known_ones(model_type, tmp_path):
    text = small_sample()
    known = Links.from_pairs([[(0, 0), (1, 2)] if k % 3 == 0 else [] for k in range(SMALL)])
    aligner = Aligner(model_type=model_type).fit(text, known_links=known)
    links = aligner.align(text)
    aligner.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model", threads=2)
    assert_same_links(loaded.align(text, known_links=known), links)
    again = Aligner(model_type=model_type, threads=2).fit(text, known_links=known)
    assert_same_links(again.align(text), links)


def test_lists_have_the_known_links():
    bitext, known = turned(10)
    aligner = Aligner().fit(bitext, known_links=known)
    for lists in (
        aligner.best_lists(bitext, 5, "forward"),
        aligner.best_lists(bitext.part(0, 20), 5, "forward", known_links=known),
    ):
        assert [[link[:2] for link in links] for links, _ in lists.of(0)] == [[(0, 1), (1, 0)]]
        assert len(lists.of(19)) == 5


def test_a_pair_with_an_empty_side_has_nothing_to_be_known():
    bitext = bitext_from_pairs([("a b", "x y"), ("", "x"), ("a", "x")])
    aligner = Aligner().fit(bitext, known_links=Links.from_pairs([[], [], [(0, 0)]]), known_complete=True)
    assert places(aligner.align(bitext))[1:] == [set(), {(0, 0)}]


def fit(**given_things):
    Aligner().fit(bitext_from_pairs([("a b", "x y"), ("a", "x")]), **given_things)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ([[(0, 0)]], r"known links: links of 1 pairs, but the text has 2 pairs, expected as many"),
        (
            [[], [(1, 0)]],
            r"known links, pair 2: link 1-0 \(from 0\) is outside of its pair, which has 1 source and 1",
        ),
    ],
)
def test_links_of_another_text_are_refused(known, message):
    with pytest.raises(InputError, match=message):
        fit(known_links=Links.from_pairs(known))


def test_complete_without_links_is_refused():
    with pytest.raises(OptionError, match="known_complete needs known_links; add that, or drop it"):
        fit(known_complete=True)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            ("a",),
            r"lexicon, entry 1: got \('a',\), expected \(source, target\) or \(source, target, weight\)",
        ),
        (("a", " "), r"lexicon, entry 1: got \('a', ' '\), expected"),
        (("a", "x", -0.5), r"lexicon, entry 1: weight -0.5, expected a number from 0 to 1e\+06"),
        (("a", "x", float("nan")), r"fit: lexicon\[0\]\[2\] must be text or a number, got nan"),
        (("a", "x", "heavy"), r"lexicon, entry 1: weight heavy, expected"),
    ],
)
def test_entries_that_are_none_are_refused(entry, message):
    with pytest.raises(CeptsError, match=message):
        fit(lexicon=[entry])


def test_an_absurd_lexicon_weight_is_refused():
    with pytest.raises(OptionError, match=r"lexicon_weight=-1.0: expected a number from 0 to 1e\+06"):
        Aligner(lexicon_weight=-1.0)
