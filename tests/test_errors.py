"""Messages: one line of at most 300 characters, whatever they quote."""

import pickle

import pytest

from cepts import errors
from cepts.cli.progress import note
from cepts.errors import LONGEST_LINE, PREFIX, CeptsError, OptionError, PositionError, listed, one_line

MOST = LONGEST_LINE - len(PREFIX)
KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, CeptsError)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_of_an_error_is_one_short_line(kind: type[CeptsError]) -> None:
    error = kind("line 2: " + "far too much\n" * 10_000 + "; give less")
    assert MOST - 2 <= len(str(error)) <= MOST
    assert str(error).startswith("line 2: far too much far too")
    assert " ... " in str(error)
    assert str(error).endswith("; give less")
    assert len(str(error).splitlines()) == 1
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # as it comes from the worker of a cluster


def test_what_fits_stays_as_it_is() -> None:
    assert str(OptionError("x" * MOST)) == "x" * MOST
    assert str(PositionError("pair 7 of 3")) == "pair 7 of 3"
    assert str(CeptsError()) == ""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_whatever_ends_a_line_becomes_a_space(end: str) -> None:
    assert one_line(f"no{end}such{end}{end}file") == "no such file"


def test_what_a_command_says_is_one_short_line(capsys: pytest.CaptureFixture[str]) -> None:
    note("a name\n" * 1000)
    said = capsys.readouterr().err
    assert LONGEST_LINE - 2 < len(said) <= LONGEST_LINE + 1
    assert said.count("\n") == 1
    note("a name", quiet=True)
    assert capsys.readouterr().err == ""


def test_a_long_list_names_five_and_says_how_many_more() -> None:
    assert listed({f"l{n}": n for n in range(50_000)}) == "l0, l1, l2, l3, l4 and 49,995 more"
    assert listed([str(n) for n in range(6)]) == "0, 1, 2, 3, 4 and 1 more"
    assert listed("abcde") == "a, b, c, d, e"
    assert listed(()) == "none"
