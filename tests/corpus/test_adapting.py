"""`as_bitext` reads the words that files have, whatever form a text has, and refuses in words what is no text."""

from pathlib import Path

import numpy as np
import pytest

from cepts import as_bitext, bitext_from_pairs, read_bitext, sample_bitext
from cepts.errors import CeptsError, InputError, OptionError
from tests.corpus.forms import NAMED, Column, Table, forms_of

SOURCE = ["La maison", "", "le  chat d'or", "Été\u00a0chaud"]
TARGET = ["The HOUSE", "nothing", "", "hot summer"]
PAIRS = list(zip(SOURCE, TARGET, strict=True))
ROWS = [{"id": k, "fr": one, "en": other} for k, (one, other) in enumerate(PAIRS)]


COLUMNS = {"id": [1, 2, 3, 4], "fr": SOURCE, "en": TARGET}
TWO = {"fr": SOURCE, "en": TARGET}
FORMS = forms_of(SOURCE, TARGET)


@pytest.fixture
def files(tmp_path):
    for name, lines in (("fr", SOURCE), ("en", TARGET)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path / "fr", tmp_path / "en"


def assert_same(one, other):
    for ours, theirs in ((one.source, other.source), (one.target, other.target)):
        assert ours.words == theirs.words
        assert ours.ids.tolist() == theirs.ids.tolist()
        assert ours.offsets.tolist() == theirs.offsets.tolist()


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_words_of_the_files(form, files):
    given, options = FORMS[form]()
    assert_same(as_bitext(*given, **options), read_bitext(*files))


@pytest.mark.parametrize("form", ["lists", "pairs", "a table with two columns", "rows"])
def test_text_is_tokenised_and_keeps_its_case_where_that_is_wanted(form, files):
    options = {"tokenize": True, "keep_case": True, "segmenter": "characters"}
    given, names = FORMS[form]()
    found, expected = as_bitext(*given, **names, **options), read_bitext(*files, **options)
    assert_same(found, expected)
    assert found.source.token_spans(2).tolist() == expected.source.token_spans(2).tolist()
    assert found.source.segmenter == expected.source.segmenter


def test_tokens_are_taken_as_they_are():
    found = as_bitext([["L'", "été!", "a"]], ["so  hot!"], tokenize=True, keep_case=True)
    assert found[0] == (["L'", "été!", "a"], ["so", "hot", "!"])
    assert found.source.originals[0] == "L' été! a"


def test_strings_are_kept_as_they_were_given(files):
    for given in ((SOURCE, TARGET), files):
        found = as_bitext(*given)
        assert ([*found.source.originals], [*found.target.originals]) == (SOURCE, TARGET)
    assert as_bitext(SOURCE, TARGET, keep_text=False).source.originals is None


def test_many_sentences():
    bitext = sample_bitext()
    sides = [
        [" ".join(words) for words in side]
        for side in zip(*(bitext[k % 240] for k in range(20_000)), strict=True)
    ]
    found = as_bitext(*sides)
    assert len(found) == 20_000
    assert found[19_999] == bitext[19_999 % 240]


def test_files(files, tmp_path):
    source, target = files
    expected = read_bitext(source, target)
    assert_same(as_bitext(source, target), expected)
    assert_same(as_bitext(str(source), str(target)), expected)
    both = tmp_path / "both.tsv"
    both.write_text("".join(f"{one}\t{other}\n" for one, other in PAIRS), encoding="utf-8")
    assert_same(as_bitext(both), expected)
    three = tmp_path / "three.jsonl"
    three.write_text('{"translation": {"fr": "un chat", "de": "eine Katze", "en": "a cat"}}\n')
    assert as_bitext(three, source="de", target="en")[0] == (["eine", "katze"], ["a", "cat"])


def test_a_bitext_is_itself():
    bitext = sample_bitext()
    assert as_bitext(bitext) is bitext


def test_no_pairs():
    for given in (([], []), ([],), (iter(()),), ({"fr": [], "en": []},)):
        assert len(as_bitext(*given)) == 0


NAN = float("nan")
ABSENT = type("NAType", (), {"__str__": lambda _: "<NA>"})()
DROP = "drop such pairs first, as with dropna() of a DataFrame"
WRONG = {
    "nothing": ((), {}, "text is missing: expected two lists of sentences"),
    "a number": ((3,), {}, "a Bitext, or paths of files; got int 3"),
    "bytes": ((b"la maison",), {}, "or paths of files; got bytes"),
    "a set": (({"a", "b"},), {}, "or paths of files; got set"),
    "a class": ((Column,), {}, "or paths of files; got the class Column"),
    "an array without a dimension": ((np.array(3),), {}, "or paths of files; got an array of int64"),
    "a string": (
        ("la maison",),
        {},
        "'la maison': no such file; a string alone is a path: sentences go into lists",
    ),
    "two strings": (("la maison", "the house"), {}, "'la maison': no such file"),
    "a path that does not exist": ((Path("nowhere.fr"), Path("nowhere.en")), {}, "nowhere.fr: no such file"),
    "a name that no file can have": (("a\0b", "c"), {}, "'a\\x00b': no such file"),
    "a name that is too long": (("a" * 5000, "c"), {}, "no such file"),
    "one path": (
        (SOURCE, __file__),
        {},
        "target is the path of a file, and the other side is not: give two paths",
    ),
    "a path and a list": ((__file__, TARGET), {}, "source is the path of a file, and the other side is not"),
    "one list": (
        (SOURCE,),
        {},
        "pair 0 must be (source, target), got 'La maison'; two lists are two arguments",
    ),
    "lists in a list": (
        ([SOURCE, TARGET],),
        {},
        "pair 0 must be (source, target), got list of 4; two lists are two",
    ),
    "one pair": ((("la maison", "the house"),), {}, "a tuple of two is one pair: give a list of pairs"),
    "two lists in a tuple": (
        ((SOURCE, TARGET),),
        {},
        "a tuple of two is one pair: give a list of pairs, or two lists",
    ),
    "three in a pair": (
        ([("a", "b"), ("c", "d", "e")],),
        {},
        "pair 1 must be (source, target), got tuple of 3",
    ),
    "fewer sentences": (
        (SOURCE, TARGET[:2]),
        {},
        "source has 4 sentences, target has 2: expected as many of both",
    ),
    "fewer from a generator": ((iter(SOURCE), iter(TARGET[:3])), {}, "source has 4 sentences, target has 3"),
    "one side a number": ((SOURCE, 7), {}, "target must be a list of sentences or of token lists, got int 7"),
    "one side a bitext": (
        (SOURCE, sample_bitext()),
        {},
        "target must be a list of sentences or of token lists, got Bit",
    ),
    "a bitext and more": ((sample_bitext(), TARGET), {}, "a Bitext has both sides: drop source and target"),
    "None in a list": (
        (["a", None], ["b", "c"]),
        {},
        f"source[1] must be text, got a missing value, None; {DROP}",
    ),
    "None first": (([None, "a"], ["b", "c"]), {}, "source[0] must be text, got a missing value, None"),
    "NaN in a pair": (([("a", "b"), ("c", NAN)],), {}, "target[1] must be text, got a missing value, nan"),
    "a number in a list": ((["a", 3], ["b", "c"]), {}, "source[1] must be text, got int 3"),
    "bytes in a list": (([b"a"], ["b"]), {}, "source[0] must be text, got bytes; decode it first"),
    "tokens among text": ((["a", ["b"]], ["b", "c"]), {}, "source[1] must be text, got list"),
    "text among tokens": (([["a"], "b"], ["b", "c"]), {}, "source[1] must be a list of tokens, got 'b'"),
    "a number among tokens": (
        ([["a", 3]], ["b"]),
        {},
        "source[0][1] must be a token without white space, got int 3",
    ),
    "None among tokens": (
        ([["a", None]], ["b"]),
        {},
        "source[0][1] must be a token without white space, got a missing",
    ),
    "an empty token": (([["a", ""]], ["b"]), {}, "source[0][1] must be a token without white space, got ''"),
    "a token of two words": (
        ([["a b"]], ["c"]),
        {},
        "source[0][0] must be a token without white space, got 'a b'",
    ),
    "NUL": ((["a\0b"], ["c"]), {}, "source, line 1: a NUL byte"),
    "a lone surrogate": (
        (
            ["a"],
            ["\udc80"],
        ),
        {},
        "target, line 1: invalid UTF-8",
    ),
    "one column": ((Table({"fr": SOURCE}),), {}, "the table has 1 column, expected one for each language"),
    "no columns": ((Table({}),), {}, "the table has 0 columns, expected one for each language"),
    "three columns": (
        (Table(COLUMNS),),
        {},
        "the table has the columns id, fr, en: name two of them with source= and",
    ),
    "one named": (
        (Table(COLUMNS),),
        {"source": "fr"},
        "target is missing: name both columns, with source= and target=",
    ),
    "the other named": ((Table(COLUMNS),), {"target": "en"}, "source is missing: name both columns"),
    "an unknown column": (
        (Table(COLUMNS),),
        {"source": "fr", "target": "de"},
        "no column 'de': there are id, fr, en",
    ),
    "a number as name": (
        (Table(COLUMNS),),
        {"source": 1, "target": "en"},
        "source must be the name of a column, as a",
    ),
    "a table and a list": ((Table(TWO), TARGET), {}, "source is missing: name both columns"),
    "a list and a table": (
        (SOURCE, Table(TWO)),
        {},
        "target must be a list of sentences or of token lists, got Table",
    ),
    "missing values": (
        (Table({"fr": ["a", "b"], "en": ["c", ABSENT]}),),
        {},
        f"column 'en', row 1 must be text, got a missing value, <NA>; {DROP}",
    ),
    "mixed types": (
        (Table({"fr": ["a", 2.5], "en": ["c", "d"]}),),
        {},
        "column 'fr', row 1 must be text, got 2.5",
    ),
    "dicts without names": (
        (ROWS,),
        {},
        "pair 0 is a dict with id, fr, en: name two of them with source= and target=",
    ),
    "a row without the column": (([{"fr": "a"}],), NAMED, "row 0 has no 'en': it has fr"),
    "a row that is none": (([("a", "b")],), NAMED, "row 0 must be a dict with 'fr', got tuple"),
    "names without a table": ((3,), NAMED, "source names a column, but the text is no table: got int 3"),
    "parts of a data set": (
        ({"train": Table(TWO, "column_names"), "test": Table(TWO, "column_names")},),
        NAMED,
        "the data has parts (train, test): give one of them, as data['train']",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_text_is_refused_in_words(name):
    given, options, said = WRONG[name]
    with pytest.raises(CeptsError) as caught:
        as_bitext(*given, **options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_table_that_has_not_been_computed():
    class LazyFrame(Table):
        def collect(self):
            return Table(self.data)

    with pytest.raises(OptionError, match=r"a LazyFrame has not been computed: call its collect\(\) first"):
        as_bitext(LazyFrame(TWO))
    assert len(as_bitext(LazyFrame(TWO).collect())) == 4


def test_two_columns_of_one_name():
    table = Table(COLUMNS)
    table.columns.append("fr")
    with pytest.raises(OptionError, match="the table has 2 columns 'fr': give each a name of its own"):
        as_bitext(table, **NAMED)


def test_a_column_that_cannot_be_had():
    class Broken(Table):
        def __getitem__(self, name):
            raise TypeError("not\nso")

    with pytest.raises(OptionError, match="column 'fr' does not fit: not so"):
        as_bitext(Broken(TWO))


def test_the_error_of_a_generator_is_its_own():
    def breaking():
        yield "a", "b"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        as_bitext(breaking())
    with pytest.raises(RuntimeError, match="no more"):
        as_bitext((pair[0] for pair in breaking()), ["a", "b"])


def test_data_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS)
    expected = bitext_from_pairs(PAIRS)
    assert_same(as_bitext(frame, **NAMED), expected)
    assert_same(as_bitext(frame[["fr", "en"]]), expected)
    assert_same(as_bitext(frame["fr"], frame["en"].astype("string")), expected)
    assert_same(as_bitext(frame[["fr", "en"]].itertuples(index=False)), expected)
    for missing in (None, NAN, pandas.NA, pandas.NaT):
        with pytest.raises(InputError, match="column 'en', row 2 must be text, got a missing value"):
            as_bitext(frame.assign(en=pandas.Series(["a", "b", missing, "c"], dtype=object)), **NAMED)


def test_arrow_tables():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(COLUMNS)
    assert_same(as_bitext(table, **NAMED), bitext_from_pairs(PAIRS))
    assert_same(as_bitext(table["fr"], table["en"]), bitext_from_pairs(PAIRS))
    with pytest.raises(InputError, match="column 'en', row 1 must be text, got a missing value, None"):
        as_bitext(pyarrow.table({"fr": ["a", "b"], "en": ["c", None]}))
