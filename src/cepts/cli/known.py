"""What a user knows already: a lexicon, and links of some pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cepts.cli.help import option
from cepts.cli.options import refuse
from cepts.cli.progress import note
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.aligning import Aligner
    from cepts.corpus import Bitext
    from cepts.links import Links

lexicon_options = (
    option(
        "--lexicon",
        metavar="FILE",
        help="Dictionary to begin with: lines of source TAB target.",
        group="Training",
    ),
)
known_options = (
    option(
        "--known-links",
        metavar="FILE",
        help="Known links of some pairs; empty lines for the others.",
        group="Training",
    ),
    option(
        "--known-complete",
        is_flag=True,
        help="A pair with known links has no others.",
        group="Training",
        common=False,
    ),
)
STDIN = "-"


class Given(NamedTuple):
    """Known links of a text, as an aligner takes them."""

    known_links: Links | None = None
    known_complete: bool = False

    def part(self, first: int, end: int) -> Given:
        """Return those of some pairs."""
        links = self.known_links
        return self if links is None else self._replace(known_links=links.part(first, end))


def check_known(options: dict[str, Any]) -> None:
    """Refuse what would have no effect, before anything is read."""
    if options["lexicon"] is None:
        refuse(("lexicon_weight",), options, "needs --lexicon; add that, or drop it")
    if options["known_links"] is None:
        refuse(("known_complete",), options, "needs --known-links; add that, or drop it")
    if options["known_links"] is not None and options.get("format") == "cepts":
        raise OptionError("--known-links is about links; drop it, or --format cepts")
    if options["lexicon"] == options["known_links"] == STDIN:
        raise OptionError("--lexicon and --known-links cannot both be standard input: give a file for one")


def read_known(options: dict[str, Any], bitext: Bitext, source: str) -> Given:
    """Read the known links of a text, which messages call as its source file."""
    from cepts.links.reading import read_fitting

    path = options["known_links"]
    return Given() if path is None else Given(read_fitting(path, bitext, source), options["known_complete"])


def fit(aligner: Aligner, bitext: Bitext, given: Given, options: dict[str, Any]) -> Aligner:
    """Train with everything that is known, or add to what is trained; say how much of a lexicon was of no use."""
    from cepts.corpus import read_lexicon

    path = options["lexicon"]
    lexicon = None if path is None else read_lexicon(path, errors=options["errors"])
    saving = {"checkpoint": options["checkpoint"], "resume": options["resume"]}
    learn = aligner.updated if options.get("begin") else aligner.fit
    aligner = learn(bitext, lexicon=lexicon, **given._asdict(), **saving)
    use = aligner.lexicon_use
    if use is not None and use.unknown + use.apart + use.long:
        note(
            f"of {use.entries} lexicon entries {use.unknown} have a word that the text lacks, {use.apart} words that"
            f" never meet in it, {use.long} too many words: they change nothing",
            options["quiet"],
        )
    return aligner
