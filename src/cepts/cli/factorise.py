"""`cepts factorise`: cepts of anybody's association matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.opening import check_cepts_format, check_search
from cepts.cli.options import factorising_options, format_option, running_options, with_options, within
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished, note
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.combine import Associations, Cepts, CeptsOptions


@command()
@click.argument("matrices")
@click.option("--null", is_flag=True, help="Row 0 and column 0 of each matrix are those of NULL.")
@click.option(
    "--cepts",
    "number",
    type=within(bounds.CEPTS),
    metavar="K",
    help="Find K cepts, or as many as a matrix allows.",
)
@with_options(factorising_options)
@click.option(
    "--scale",
    type=within(bounds.MATRIX_SCALE),
    metavar="N",
    help="Multiply each matrix, so that its total is that of two lists of N best alignments: N for each word.",
)
@click.option(
    "--min-confidence",
    type=within(bounds.PROBABILITY),
    metavar="X",
    help="Leave out words that are less certain, from 0 to 1.",
)
@format_option
@click.option("--scores", is_flag=True, help="Write links as i-j:probability.")
@click.option("--output", metavar="FILE", help="Write here instead of stdout (also .gz, .xz).")
@with_options(running_options)
def factorise(matrices: str, **options: Any) -> None:
    """Put words into groups that pair off, by factorising association matrices.

    MATRICES is a .npz file with a matrix for each sentence pair, in the order of the file, or a .npy file with one.
    Its cell [i, j] says how often, or how strongly, source word i goes with target word j: any number from 0.

    A line for each matrix comes out: links `i-j` between all words of a group, counted from 0 without NULL, or, with
    --format cepts, the groups themselves.

    What chooses the number of groups takes the numbers as counts: larger ones give more groups. Give --scale 100 for
    probabilities.
    """
    from cepts.combine import factorise as find_cepts
    from cepts.combine import read_matrices
    from cepts.combine.association import scaled

    chosen = _chosen(options)
    _check(options)
    check_outputs(options["output"])
    announce_compilation(options["quiet"])
    found = read_matrices(matrices, options["null"])
    scale = options["scale"]
    cepts = find_cepts(found if scale is None else scaled(found, scale), chosen, options["threads"])
    _write(cepts, options)
    _note_nothing(found, options["quiet"])
    finished(options["quiet"], counted(len(found), "pair"), output=options["output"])


def _write(cepts: Cepts, options: dict[str, Any]) -> None:
    """Write groups or links."""
    from cepts.combine.cepts_lines import write_cepts
    from cepts.links import write_pharaoh

    least = options["min_confidence"] or 0.0
    with destination(options["output"]) as stream:
        if options["format"] == "cepts":
            write_cepts(cepts, stream, least)
        else:
            links = cepts.links(least, options["sure_confidence"] or 0.0)
            write_pharaoh(links, stream, scores=options["scores"])


def _chosen(options: dict[str, Any]) -> CeptsOptions:
    """Make of the options what the factorisation takes; refuse what makes no sense."""
    from cepts.combine import CeptsOptions

    given = {name: options[name] for name in ("criterion", "search", "restarts", "seed", "orphans")}
    given |= {name: options[name] for name in ("tolerance", "patience")} | {"steps": options["em_steps"]}
    given |= {"cepts": options["number"], "null": options["null"]}
    chosen = CeptsOptions(**{name: value for name, value in given.items() if value is not None})
    chosen.check()
    return chosen


def _check(options: dict[str, Any]) -> None:
    """Refuse what would have no effect."""
    if options["number"] is not None and options["criterion"] is not None:
        raise OptionError("--criterion chooses the number of cepts, and --cepts says it; drop one of them")
    if options["number"] is not None and options["patience"] is not None:
        raise OptionError(
            "--patience is about the search for their number, and --cepts says it; drop one of them"
        )
    if options["format"] == "cepts":
        check_cepts_format(options)
    if options["search"] != "restarts":
        check_search(options)


def _note_nothing(matrices: Associations, quiet: bool) -> None:
    """Say how many matrices have nothing in them."""
    import numpy as np

    source, target = (np.diff(side) for side in matrices.shapes)
    filled = np.zeros(len(matrices), np.bool_)
    for values, lengths in (
        (matrices.values, source * target),
        (matrices.source_null, source),
        (matrices.target_null, target),
    ):
        filled[np.repeat(np.arange(len(matrices)), lengths)[values > 0]] = True
    empty = (source == 0) | (target == 0)
    for count, what in (
        (int(empty.sum()), "have no words on a side: nothing to link"),
        (int((~filled & ~empty).sum()), "have no number above 0: nothing is known of their words"),
    ):
        if count:
            note(f"{count} of {len(matrices)} matrices {what}", quiet)
