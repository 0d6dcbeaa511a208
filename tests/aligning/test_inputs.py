"""Whatever form a text has, an aligner makes the links that it makes of files."""

import pytest

import cepts
from cepts import Aligner, CeptsError, InputError, OptionError
from tests.aligning.contract import assert_same_links
from tests.corpus.forms import NAMED, Table, forms_of

PATHS = cepts.sample()
SOURCE, TARGET = (path.read_text(encoding="utf-8").splitlines()[:60] for path in PATHS[:2])
FORMS = forms_of(SOURCE, TARGET)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name, lines in (("fr", SOURCE), ("en", TARGET)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder / "fr", folder / "en"


@pytest.fixture(scope="module")
def trained(files):
    return Aligner("fast").fit(*files)


@pytest.fixture(scope="module")
def expected(files):
    bitext = cepts.read_bitext(*files)
    return Aligner("fast").fit(bitext).align(bitext)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_aligned_as_files_are(form, expected, trained):
    given, options = FORMS[form]()
    found = cepts.align(*given, **options, method="fast")
    assert_same_links(found, expected)
    assert found.bitext.target.sentence(3) == TARGET[3].lower().split()
    given, options = FORMS[form]()
    assert_same_links(trained.align(*given, **options), expected)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_trained_on_as_files_are(form, files, expected, trained):
    given, options = FORMS[form]()
    aligner = Aligner("fast").fit(*given, **options)
    assert_same_links(aligner.align(*files), expected)
    given, options = FORMS[form]()
    more = trained.updated(*given, **options)
    assert_same_links(more.align(*files), trained.updated(*files).align(*files))


def test_files_by_name(files, expected):
    for one, other in (files, map(str, files)):
        assert_same_links(cepts.align(one, other, method="fast"), expected)


def test_data_frames(expected):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": range(60), "fr": SOURCE, "en": TARGET})
    assert_same_links(cepts.align(frame, **NAMED, method="fast"), expected)


def test_frames_of_polars(expected):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"id": range(60), "fr": SOURCE, "en": TARGET})
    assert_same_links(cepts.align(frame, **NAMED, method="fast"), expected)
    assert_same_links(cepts.align(frame["fr"], frame["en"], method="fast"), expected)


def test_a_tuple_is_one_pair(trained):
    pair = (SOURCE[5], TARGET[5])
    (alone,) = trained.align([pair])
    assert trained.align(pair) == trained.align((SOURCE[5].split(), TARGET[5].split())) == alone
    assert isinstance(trained.align(pair), list)
    with pytest.raises(OptionError, match="a tuple of two is one pair: give a list of pairs"):
        cepts.align(pair)


def test_two_lists_in_a_tuple_are_no_pair(trained):
    with pytest.raises(InputError, match=r"source\[0\]\[0\] must be a token .* two arguments, as in align"):
        trained.align((SOURCE, TARGET))


def test_known_links_and_a_lexicon():
    known = cepts.Links.from_pairs([[(0, 2)], *([[]] * 59)])
    found = cepts.align(
        SOURCE, TARGET, method="fast", known_links=known, known_complete=True, lexicon=[("chat", "cat")]
    )
    assert [link[:3] for link in found[0]] == [(0, 2, 1.0)]
    options = {"known_links": known, "known_complete": True, "lexicon": [("chat", "cat")]}
    bitext = cepts.as_bitext(SOURCE, TARGET)
    assert_same_links(found, Aligner("fast").fit(bitext, **options).align(bitext))


def test_a_generator_that_fails_leaves_the_aligner_as_it_was(expected):
    def breaking():
        yield SOURCE[0], TARGET[0]
        raise RuntimeError("the line is gone")

    aligner = Aligner("fast")
    with pytest.raises(RuntimeError, match="the line is gone"):
        aligner.fit(breaking())
    with pytest.raises(cepts.ModelError, match="has not been trained"):
        aligner.align(SOURCE, TARGET)
    assert_same_links(aligner.fit(SOURCE, TARGET).align(SOURCE, TARGET), expected)


@pytest.mark.parametrize(
    "given", [("le chat",), (SOURCE, TARGET[:3]), (Table({"fr": SOURCE}),), ([b"a"], ["b"])]
)
def test_every_door_refuses_what_is_no_text(given, trained):
    for door in (cepts.align, Aligner("fast").fit, trained.align, trained.updated):
        with pytest.raises(CeptsError):
            door(*given)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"thread": 2}, "unknown option 'thread'; did you mean 'threads'?"),
        ({"min_confidense": 0.2}, "unknown option 'min_confidense'; did you mean 'min_confidence'?"),
        ({"tokenise": True}, "unknown option 'tokenise'; did you mean 'tokenize'?"),
        ({"threads": -1}, "threads=-1: expected a number from 1"),
        ({"threads": "two"}, "threads must be a whole number, got 'two'"),
        ({"method": "bst"}, "method='bst': expected one of best, fast"),
        ({"known_links": 3}, "known_links must be a Links, got int 3"),
    ],
)
def test_options_that_are_wrong(options, said):
    with pytest.raises(OptionError) as caught:
        cepts.align(SOURCE, TARGET, **options)
    assert said in str(caught.value)


def test_text_without_words():
    with pytest.raises(InputError, match="nothing to learn from: no sentence pair has words on both sides"):
        cepts.align([], [])
    assert len(Aligner("fast").fit(SOURCE, TARGET).align([], [])) == 0


def raw(lines):
    """Return lines with their punctuation at the words, as people write it."""
    return [
        line.replace(" .", ".").replace(" ,", ",").replace("' ", "'").replace(" ?", "?") for line in lines
    ]


RAW = raw(SOURCE), raw(TARGET)


@pytest.mark.parametrize("combine", ["posterior", "dual", "cepts"])
def test_links_of_raw_strings_are_of_the_words_between_spaces(combine):
    found = cepts.align(*RAW, method="fast", combine=combine)
    tokens = cepts.as_bitext(*RAW)
    assert tokens.found_raw == "text"
    aligner = Aligner("fast", combine=combine).fit(tokens)
    expected = aligner.align(tokens)
    if combine != "cepts":
        expected = expected.between_spaces()
        assert found.bitext[0][0] == RAW[0][0].lower().split()
        assert found.cepts is None
    assert_same_links(found, expected)
    assert_same_links(aligner.align(*RAW), expected)
    assert aligner.align((RAW[0][3], RAW[1][3])) == expected[3]
    if combine == "dual":
        assert_same_links(found.dual.forward, expected.dual.forward)
        assert max(found.dual.forward.source) < max(len(line.split()) for line in RAW[0])
    assert str(found[3])


def test_tokens_of_raw_strings():
    found = cepts.align(*RAW, method="fast", tokenize=True)
    assert found.bitext[0][0] == [RAW[0][0][start:end].lower() for start, end in cepts.tokenize(RAW[0][0])]
    plain = cepts.align(*RAW, method="fast", tokenize=False)
    assert plain.bitext[0][0] == RAW[0][0].lower().split()
    assert len(plain.source) < len(found.source)


def test_token_lists_beside_raw_strings():
    tokens = [line.split() for line in SOURCE]
    found = cepts.align(tokens, RAW[1], method="fast")
    assert found.bitext[0][0] == [word.lower() for word in tokens[0]]
    assert found.bitext[0][1] == RAW[1][0].lower().split()
    (one,) = Aligner("fast").fit(*RAW).align([(tokens[0], RAW[1][0].split())])
    assert max(link.source for link in one) < len(tokens[0])


def test_known_links_of_raw_strings_must_say_of_what():
    known = cepts.Links.from_pairs([[(0, 0)], *([[]] * 59)])
    for door in (cepts.align, Aligner("fast").fit, Aligner("fast").fit(*RAW).align):
        with pytest.raises(
            OptionError, match=r"known_links: this text is raw, .* with tokenize=True \(tokens\) or"
        ):
            door(*RAW, known_links=known)
    assert cepts.align(*RAW, method="fast", tokenize=False, known_links=known)[0][0][:2] == (0, 0)
