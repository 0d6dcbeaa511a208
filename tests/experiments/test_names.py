"""The experiment of names: its tasks by slow twins, its scores by hand, its rivals."""

from __future__ import annotations

import stat
import sys
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.characters import Candidate
from cepts.errors import InputError
from cepts.evaluation import break_even, edit_distance
from cepts.links import Links
from freitag_2007 import consonants, material, measuring, phonetisaurus, rhymes
from freitag_2007.comparing import compare
from freitag_2007.fixed import CommonSuffix, consonant_affinity, levenshtein
from freitag_2007.material import Names
from freitag_2007.plain import PlainTransliteration, most_frequent
from freitag_2007.readings import READINGS
from freitag_2007.results import Sheet
from freitag_2007.rows import BY_PLACE, rows_of
from freitag_2007.scoring import score_lists, score_ranking
from freitag_2007.systems import Workshop

if TYPE_CHECKING:
    from pathlib import Path

BASELINES = ("chance", "levenshtein", "levenshtein-share", "suffix", "suffix-share")
WORDS = st.text("abcdez", max_size=6)
QUICK = Sheet("dev", quick=True)


# The tasks


def kept_consonants(one: str, other: str) -> int:
    """The true affinity, obviously: keep the last letters if they are equal, or give up either."""

    @cache
    def best(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return 0
        letter = one[i - 1]
        worth = 0 if letter in "aeiou" else 5 if letter in "bcdfg" else 1
        kept = best(i - 1, j - 1) + worth if letter == other[j - 1] else 0
        return max(kept, best(i - 1, j), best(i, j - 1))

    return best(len(one), len(other))


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
def test_affinities_that_are_not_learned(pairs: list[tuple[str, str]]) -> None:
    ones, others = zip(*pairs, strict=True)
    words = [*ones, *others, "abcdez"]
    true = consonant_affinity(words).affinities(ones, others)
    assert true.tolist() == [kept_consonants(*pair) for pair in pairs]
    assert (-levenshtein(words).affinities(ones, others)).tolist() == [edit_distance(*pair) for pair in pairs]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=9))
def test_orders_pair_by_pair(items: list[tuple[int, int]]) -> None:
    pairs = [(a, b) for a, b in combinations(items, 2) if a[0] != b[0]]
    right = sum((a[0] < b[0]) == (a[1] < b[1]) for a, b in pairs if a[1] != b[1])
    equal = sum(a[1] == b[1] for a, b in pairs)
    true, scores = np.array(items).T
    assert consonants.count_orders(true, scores.astype(np.float32)) == (right, equal, len(pairs))


def test_examples_have_the_best_word_first() -> None:
    words = ["bob", "bib", "tot", "tat", "aa", "dub", "zed", "cod", "fog", "gift", "oo"]
    rows = list(consonants.examples(words, np.random.default_rng(3)))
    assert 3 * len(words) < len(rows) <= consonants.EPOCHS * len(words)
    for source, better, *worse in rows:
        affinities = [kept_consonants(source, other) for other in worse]
        assert kept_consonants(source, better) > max(affinities)
        assert 1 <= len(worse) < consonants.SAMPLED
    assert {row[0] for row in rows} == set(words) - {"aa", "oo"}  # which have no consonant to keep


def test_a_word_is_not_compared_with_itself() -> None:
    places = np.arange(5)
    drawn = consonants.others_of(places, 5, 200, np.random.default_rng(1))
    assert drawn.shape == (5, 4)  # there are no more others
    assert not np.any(drawn == places[:, None])
    assert {*drawn.ravel().tolist()} == {*range(5)}


def test_folds_hold_each_word_out_once() -> None:
    parts = list(material.folds_of(20))
    assert sorted(n for _, held in parts for n in held.tolist()) == [*range(20)]
    for learned, held in parts:
        assert sorted([*learned.tolist(), *held.tolist()]) == [*range(20)]


def test_common_suffixes() -> None:
    words = ["nation", "ion", "station", "a", "nations"]
    suffix = CommonSuffix(words)
    for word in range(len(words)):
        others = np.arange(len(words))
        lengths = [max(n for n in range(8) if words[word].endswith(other[len(other) - n :] if n else "")
                       and n <= len(other)) for other in words]  # fmt: skip
        assert suffix.scores(word, others).tolist() == lengths


def test_rhymes_compete_with_enough_others() -> None:
    same = np.array([True, False, True, False, False, True])
    others, rhyming = rhymes.competitors(2, same, 4, np.random.default_rng(5))
    assert others[:2].tolist() == [0, 5]
    assert len({*others.tolist()} & {1, 3, 4}) == 2
    assert rhyming.tolist() == [True, True, False, False]
    all_rhyme, _ = rhymes.competitors(0, np.ones(6, np.bool_), 3, np.random.default_rng(5))
    assert all_rhyme.tolist() == [1, 2, 3, 4, 5]  # all that rhyme, even if they are more


def test_hits_by_hand() -> None:
    hits, readings = rhymes.Hits.empty(), rhymes.Readings()
    group_of = np.array([0, 0, 0, 1, 1, 2, 2])  # words 0, 3 and 6 are judged
    rhymes.count_hits(lambda word, others: np.abs(others - word), group_of, 100, 1, hits, readings)
    # the farthest are best: for 0, 2 rhyme and 5, 6 are before them; for 3 only 4; 0 is as far as 6; for 6 only 5
    assert hits.found.sum() == 0.0
    assert hits.rhyming[:4].tolist() == [2, 1, 1, 0]
    rhymes.count_hits(lambda word, others: -np.abs(others - word), group_of, 100, 1, hits, readings)
    # the nearest are best: 1 and 2 for 0; 4 or 2 for 3; 5 for 6
    assert hits.found[:3].tolist() == [2.0, 0.5, 1.0]
    assert hits.shares[:3].tolist() == [1.0, 0.5, 1.0]
    assert hits.words[:3].tolist() == [2, 2, 2]
    assert hits.without_empty_blocks().rhyming.tolist() == [4, 2, 2]


def other_readings(cases: list[tuple[list[int], list[bool]]]) -> dict[str, float]:
    """Precisions by all readings, word by word and score by score."""
    sums = {"against": [0.0, 0.0], "together": [0.0, 0.0]}
    for scores, rhyming in cases:
        count = sum(rhyming)
        best = sorted(zip(scores, rhyming, strict=True), key=lambda one: (-one[0], one[1]))[:count]
        sums["against"][0] += sum(right for _, right in best)
        sums["against"][1] += count
        points = []
        for least in sorted({*scores}, reverse=True):
            taken = [right for score, right in zip(scores, rhyming, strict=True) if score >= least]
            if any(taken):
                points.append((abs(sum(taken) / len(taken) - sum(taken) / count), sum(taken), len(taken)))
        _, found, taken_there = min(points, key=lambda point: point[0])
        sums["together"][0] += found
        sums["together"][1] += taken_there
    every = [(score, right) for case in cases for score, right in zip(*case, strict=True)]
    found, count = break_even(*(np.array(column) for column in zip(*every, strict=True)))
    return {name: one / two for name, (one, two) in sums.items()} | {"one": found / count}


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=8).filter(
            lambda case: any(right for _, right in case)
        ),
        min_size=1,
        max_size=4,
    )
)
def test_other_readings_of_table_4(words: list[list[tuple[int, bool]]]) -> None:
    cases = [tuple(map(list, zip(*word, strict=True))) for word in words]
    readings = rhymes.Readings()
    for scores, rhyming in cases:
        readings.take(np.array(scores, np.float32), np.array(rhyming))
    assert readings.precisions() == pytest.approx(other_readings(cases))  # type: ignore[arg-type]


def test_baselines_of_rhymes() -> None:
    held, others = ["nation", "station", "at"], np.array([1, 2])
    scores = {name: rhymes.scorer_of(name, {}, [], held, 1)(0, others).tolist() for name in BASELINES}
    assert scores["levenshtein"] == [-2.0, -4.0]
    assert scores["levenshtein-share"] == pytest.approx([-2 / 7, -4 / 6])
    assert scores["suffix"] == [5, 0]
    assert scores["suffix-share"] == pytest.approx([5 / 7, 0])
    assert scores["chance"] == rhymes.scorer_of("chance", {}, [], held, 1)(0, others).tolist() != [5, 0]


@pytest.mark.usefixtures("data_folder")
def test_the_known_affinity_is_learned() -> None:
    record = {one["row"]: one for one in measuring.measure_consonants(QUICK, rows_of("consonants"), 1)}
    learned, given = record["edits-0"], record["levenshtein"]
    assert learned["agreeing"][0] > 0.94 > 0.8 > given["agreeing"][0] > 0.7
    assert learned["of"] == given["of"]
    assert sum(learned["of"]) == 917 * 60 * 59 // 2
    assert learned["weights"][0][:3] in [[letter, letter, "∅"] for letter in "bcdfg"]
    assert given["weights"] == []
    assert (learned["part"], learned["size"], learned["corpus"]) == ("folds", "quick", "words")


@pytest.mark.usefixtures("data_folder")
def test_rhymes_are_learned() -> None:
    rows = [row for row in rows_of("rhymes") if row.name in ("suffix", "edits-1")]
    records = {one["row"]: one for one in measuring.measure_rhymes(QUICK, rows, 1)}
    learned, suffix = records["edits-1"], records["suffix"]
    assert learned["precision"][0] > suffix["precision"][0] + 0.1
    assert learned["of"] == suffix["of"]
    assert compare("rhymes", learned, suffix)["precision"].p < 0.01
    assert learned["readings"].keys() == suffix["readings"].keys() == READINGS.keys()


# Names


def test_lists_by_hand() -> None:
    names = Names(
        [], [], [("A", "anna"), ("B", "bea"), ("C", "c")], {"A": ["anna", "ana"], "B": ["bea"], "C": ["c"]}
    )
    lists = [
        [Candidate("ana", 2.0), Candidate("anna", 1.0)],
        [Candidate("x", 0.0)] * 5 + [Candidate("bea", 0.0)],
        [],
    ]
    found = score_lists(lists, names)
    assert found.one == [2, 0, 0]
    assert found.every == [1, 0, 0]
    assert found.errors == [1, 3, 1]
    assert found.letters == [4, 3, 1]
    figures = measuring.accuracies(found)
    assert figures["1-best"][0] == 0.0
    assert figures["5-best"][0] == figures["1-best of all"][0] == pytest.approx(1 / 3, abs=1e-5)


def test_rankings_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names(
        [], [], [("aa", "bb"), ("b", "b"), ("c", "ccc")], {"aa": ["bb", "b"], "b": ["b"], "c": ["ccc"]}
    )
    monkeypatch.setattr("freitag_2007.scoring.PAIRS", 4)  # one name at once

    def by_length(sources: list[str], targets: list[str]) -> Any:
        return -np.abs(np.array([len(s) - len(t) for s, t in zip(sources, targets, strict=True)]))

    found = score_ranking(by_length, names)  # type: ignore[arg-type]
    assert found.one == [1, 1, 3]
    assert found.every == [1, 1, 3]
    assert score_ranking(lambda s, _: np.zeros(len(s)), names).one == [3, 3, 3]  # equal scores rank above


def test_the_most_frequent_letter() -> None:
    pairs = [("xy", "ab"), ("xy", "ach"), ("x", "a"), ("yz", "ch")]
    links = Links.from_pairs([[(0, 0), (1, 1)], [(0, 0), (1, 1), (1, 2)], [(0, 0)], [(0, 0), (0, 1)]])
    table = most_frequent(pairs, links)
    assert table == {"x": "a", "y": "ch", "z": ""}
    assert PlainTransliteration(table).transcribe(["zyx-"])[0] == [Candidate("cha-", 0.0)]


FAKE = """#!{python}
import sys
if sys.argv[1] == "train":
    model = sys.argv[sys.argv.index("--model") + 1]
    open(model, "w").write(open(sys.argv[-1], encoding="utf-8").read())
    sys.exit(0)
assert sys.argv[1:2] == ["predict"] and sys.argv[sys.argv.index("--nbest") + 1] == "2"
for name in sys.stdin.buffer.read().decode("utf-8").split():
    if name == "bad":
        sys.exit("cannot do it")
    if name != "none":
        sys.stdout.buffer.write((name + "\\tb a\\n" + name + "\\tb\\n").encode("utf-8"))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that answers like Phonetisaurus."""
    if sys.platform == "win32":
        pytest.skip("the program is a script with a #! line")
    path = tmp_path / "phonetisaurus"
    path.write_text(FAKE.format(python=sys.executable))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_phonetisaurus(program: Path) -> None:
    model = phonetisaurus.Phonetisaurus.fit([("ة", "ah")], program)
    assert model.transcribe(["ة", "none"], 2) == [[Candidate("ba", 0.0), Candidate("b", 0.0)], []]
    with pytest.raises(InputError, match=r"^phonetisaurus predict failed: cannot do it$"):
        model.transcribe(["bad"], 2)
    assert phonetisaurus.find_program(program) == program


def test_no_phonetisaurus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"no program .*nowhere; give --phonetisaurus where it is installed"):
        phonetisaurus.find_program(tmp_path / "nowhere")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert phonetisaurus.find_program(None) is None
    row, names = BY_PLACE["transcription", "phonetisaurus"], Names([], [], [], {})
    made = measuring.transcription_figures(row, Workshop(names, 1, None))
    assert made == {"skipped": "phonetisaurus is not installed"}


LETTERS = dict(zip("ابتدرسعلمنوي", "abtdrsklmnuy", strict=True))


def toy_names() -> Names:
    """Names whose letters each become one letter."""
    random = np.random.default_rng(7)
    sources = ["".join(random.choice(list(LETTERS), size=random.integers(2, 6))) for _ in range(130)]
    pairs = [(name, "".join(LETTERS[letter] for letter in name)) for name in dict.fromkeys(sources)]
    scored = pairs[100:]
    return Names(pairs[:80], pairs[80:100], scored, {source: [target] for source, target in scored})


def test_systems_are_trained_once() -> None:
    workshop = Workshop(toy_names(), 1)
    assert workshop.system("edits") is workshop.system("edits")
    assert set(workshop.seconds) == {"edits"}
    figures = measuring.transcription_figures(BY_PLACE["transcription", "plain"], workshop)
    assert figures["1-best"][0] > 0.9
    assert figures["character_errors"][0] < 0.05
    ranked = measuring.ranking_figures(BY_PLACE["ranking", "r-1"], workshop)
    assert ranked["accuracy"][0] > 0.9
    assert ranked["candidates"] == len(workshop.names.scored)
    sizes = measuring.data_figures(BY_PLACE["data", "sizes"], workshop)
    assert (sizes["train"], sizes["dev"], sizes["references"]) == (80, 20, 1.0)
    assert sizes["lengths"][0] == sizes["lengths"][1]
