"""`cepts plot`: pictures of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import Group, command
from cepts.cli.options import quiet_option, with_options, within
from cepts.cli.pictures import check_picture, write_picture
from cepts.cli.progress import note
from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from cepts.evaluation.reliability import Bin
    from cepts.views.records import Measured

picture_options = (
    click.option(
        "--output", metavar="FILE", help="Write the picture here, .svg or .png, instead of SVG to stdout."
    ),
    click.option("--title", metavar="TEXT", default="", help="Write this above the picture."),
)
row_options = (
    click.option("--part", metavar="NAME", help="The scored part, dev or test; test, if it is there."),
    click.option("--systems", metavar="LIST", help="The systems to draw, with commas between them."),
    click.option("--corpora", metavar="LIST", help="The corpora to draw, with commas between them."),
)


@click.group(cls=Group)
def plot() -> None:
    """Draw training, reliability, accuracy and speed, as SVG or PNG.

    Lines differ by colour, dash and mark, and boxes by pattern: pictures can be read in black and white.
    """


@command()
@click.argument("files", nargs=-1, required=True)
@with_options(picture_options)
def training(files: tuple[str, ...], output: str | None, title: str) -> None:
    """Draw how the objective falls, iteration after iteration.

    FILES are what `cepts align --timings FILE` writes, or the lines of `cepts similar curve`. Each stage has a panel,
    each file a line.
    """
    check_picture(output)
    from cepts.views.plots import plot_training
    from cepts.views.records import names_of_files, read_training

    runs = {name: read_training(path) for name, path in zip(names_of_files(files), files, strict=True)}
    write_picture(plot_training(runs, title), output)


@command()
@click.argument("links", nargs=-1, required=True)
@click.argument("gold")
@click.option(
    "--bins",
    type=within(bounds.BINS),
    metavar="N",
    default=10,
    show_default=True,
    help="Ranges of confidence to count in.",
)
@with_options(picture_options)
def reliability(links: tuple[str, ...], gold: str, bins: int, output: str | None, title: str) -> None:
    """Draw which share of links is right, by their confidence.

    LINKS are files of links with confidences, as `cepts align --scores` writes, and GOLD the gold links of the same
    sentences. A link is right if it is sure or possible. On the diagonal confidences mean what they say; the error is
    the expected calibration error, the mean distance from it.
    """
    check_picture(output)
    from cepts.views.plots import plot_reliability
    from cepts.views.records import names_of_files

    curves = {name: _bins(path, gold, bins) for name, path in zip(names_of_files(links), links, strict=True)}
    write_picture(plot_reliability(curves, title), output)


def _bins(path: str, gold: str, bins: int) -> list[Bin]:
    """Count the links of a file by confidence; refuse links without confidences."""
    from cepts.corpus.files import shown
    from cepts.evaluation import reliability as count_bins
    from cepts.links import read_links

    links = read_links(path)
    if not len(links.confidence):
        raise InputError(f"{shown(path)} has no links: there is nothing to draw")
    if (links.confidence == 1).all():
        raise InputError(
            f"{shown(path)} has no confidences: expected links such as 0-1:0.93; write them with `cepts align --scores`"
        )
    return count_bins(links, read_links(gold, pairs=len(links)), bins)


@command()
@click.argument("reports", nargs=-1, required=True)
@with_options(row_options, picture_options)
@quiet_option
def accuracy(reports: tuple[str, ...], output: str | None, title: str, **options: Any) -> None:
    """Draw AER against the number of training pairs.

    REPORTS are rows of systems, as JSON: what `experiments/accuracy.py` keeps, or `benchmarks/aligners.py` writes.
    Each corpus has a panel, each system a line.
    """
    check_picture(output)
    from cepts.views.plots import plot_accuracy

    write_picture(plot_accuracy(_rows(reports, **options), title), output)


@command()
@click.argument("reports", nargs=-1, required=True)
@click.option(
    "--measure",
    type=click.Choice(["cpu", "wall", "memory"]),
    default="cpu",
    show_default=True,
    help="CPU seconds, wall seconds, or the peak of memory.",
)
@with_options(row_options, picture_options)
@quiet_option
def speed(reports: tuple[str, ...], measure: str, output: str | None, title: str, **options: Any) -> None:
    """Draw the seconds of systems beside each other.

    REPORTS are as in `cepts plot accuracy`. Where a corpus has several sizes, seconds are drawn against them; else
    as bars.
    """
    check_picture(output)
    from cepts.views.plots import plot_speed

    write_picture(plot_speed(_rows(reports, **options), title, measure), output)


def _rows(
    reports: tuple[str, ...], part: str | None, systems: str | None, corpora: str | None, quiet: bool
) -> list[Measured]:
    """Read all rows, and choose those that are wanted."""
    from cepts.views.choosing import chosen_rows, main_part
    from cepts.views.records import read_measured

    rows = [row for path in reports for row in read_measured(path)]
    main = part or main_part(rows)
    for other in dict.fromkeys(row.part for row in rows if part is None and row.part != main):
        count = sum(row.part == other for row in rows)
        note(
            f"{count} of {len(rows)} rows are of the part {other}: left out; --part {other} draws them", quiet
        )
    return chosen_rows(rows, part, _names(systems, "--systems"), _names(corpora, "--corpora"))


def _names(text: str | None, option: str) -> list[str] | None:
    """Read names with commas between them."""
    if text is None:
        return None
    names = [*dict.fromkeys(filter(None, (name.strip() for name in text.split(","))))]
    if not names:
        raise OptionError(f"{option} {text!r}: expected names with commas between them")
    return names


for each in (training, reliability, accuracy, speed):
    plot.add_command(each)
