"""`cepts similar curve`: how the loss falls, for several numbers of factors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from cepts.cli.help import command
from cepts.cli.options import input_options, running_options, text_options, with_options
from cepts.cli.output import STDOUT, destination
from cepts.cli.pictures import check_picture, write_picture
from cepts.cli.progress import announce_compilation
from cepts.cli.reading import note_left_out
from cepts.cli.similar_train import (
    chosen_factors,
    chosen_features,
    factorising_options,
    feature_options,
    note_empty,
    read_text,
    teller,
)
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.corpus import Bitext
    from cepts.sentences.features import FeatureOptions

    Losses = dict[int, list[float]]


@command(short_help="Draw how the loss falls, for several numbers of factors.")
@click.argument("source")
@click.argument("target", required=False)
@click.option(
    "--k", "sizes", metavar="LIST", default="4,8,16,32", show_default=True, help="Numbers of factors to try."
)
@click.option("--output", metavar="FILE", help="Write a picture here, .svg or .png.")
@with_options(feature_options, factorising_options, input_options, text_options, running_options)
def curve(source: str, target: str | None, sizes: str, **options: Any) -> None:
    """Draw how the loss falls, for several numbers of factors.

    SOURCE and TARGET are as in `cepts similar train`. The numbers come out as lines of k TAB iteration TAB loss, under
    a header.
    """
    from cepts.storage import together

    numbers = parse_sizes(sizes)
    if options["output"] == STDOUT:
        raise OptionError("--output -: the numbers go to standard output; name a file for the picture")
    if options["output"] is not None:
        check_picture(options["output"])
    features, factors = chosen_features(options), chosen_factors(options)
    announce_compilation(options["quiet"])
    bitext = read_text(source, target, options)
    factors |= {"threads": options["threads"]}
    losses = find_losses(bitext, numbers, features, factors)
    with together():
        if options["output"] is not None:  # first: what is on standard output cannot be taken back
            _draw(losses, options["output"])
        with destination(None) as stream:
            stream.write("k\titeration\tloss\n")
            for k, falling in losses.items():
                stream.writelines(f"{k}\t{number}\t{loss:.8g}\n" for number, loss in enumerate(falling))
    note_left_out(bitext.left_out, source, options["quiet"])
    note_empty(bitext, options["quiet"])


def parse_sizes(text: str) -> list[int]:
    """Read different numbers of factors.

    >>> parse_sizes("16,4")
    [4, 16]
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch("[0-9]{1,6}", part) and int(part) for part in parts):
        raise OptionError(f"--k {text}: expected numbers from 1 with commas between them, such as 4,8,16")
    return sorted({int(part) for part in parts})


def find_losses(
    bitext: Bitext, sizes: list[int], features: FeatureOptions, factors: dict[str, Any]
) -> Losses:
    """Factorise the same matrices several times."""
    from cepts.sentences.features import FeatureSpace
    from cepts.sentences.joint import JointNMF

    matrices = [
        FeatureSpace.fit(side, features, name=name).encode(side, name=name)
        for name, side in (("the source text", bitext.source), ("the target text", bitext.target))
    ]
    losses: Losses = {}
    for k in sizes:
        tell = teller(f"k = {k}", factors["iterations"])
        losses[k] = JointNMF(k, progress=tell, **factors).fit(*matrices).losses
    return losses


def _draw(losses: Losses, path: str) -> None:
    from cepts.views.plots import plot_training
    from cepts.views.records import Curve

    curves = [Curve("factorisation", f"k = {k}", "loss", falling) for k, falling in losses.items()]
    write_picture(plot_training({"": curves}), path)
