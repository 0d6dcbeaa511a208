"""`cepts names explain`: why two names go together, and what a model has learned."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from unicodedata import normalize

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.names_opening import open_names_model
from cepts.cli.options import within
from cepts.cli.output import destination
from cepts.cli.progress import announce_compilation
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.characters import Edit, EditModel, Weight

TOP = 20
SMALLEST = 0.0005  # weight that is more than 0.000 in a table
SHOWN_LETTERS = 60  # of an alphabet, in a message

format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="Write a table for people, or JSON.",
)


@command(short_help="Show why two names go together, or what a model has learned.")
@click.argument("model")
@click.argument("source", required=False)
@click.argument("target", required=False)
@click.option(
    "--top",
    type=within(bounds.WEIGHTS),
    metavar="N",
    help=f"List the N largest weights of the model ({TOP}).",
)
@click.option(
    "--letter",
    metavar="X",
    help="List those of the edits of this source letter; '' is for letters that are put in.",
)
@format_option
def explain(
    model: str,
    source: str | None,
    target: str | None,
    top: int | None,
    letter: str | None,
    output_format: str,
) -> None:
    """Show the edits that make TARGET of SOURCE, with the features and weights that speak for them.

    MODEL is a folder that `cepts names train` wrote. Without SOURCE and TARGET, the model's largest weights are listed.

    <a, b> is an edit that takes a and gives b; ε is nothing. The features: ∅ is the edit itself; `s,ab_` are letters
    before it in the source, `s,_ab` from it on; `t,ab_` letters before it in the target. <b> and <e> are the ends of a
    name.
    """
    _check(source, target, top, letter)
    announce_compilation(quiet=False)
    opened = open_names_model(model)
    if source is not None and target is not None:
        text = _explained(opened, source, target, output_format)
    else:
        text = _listed(opened, TOP if top is None else top, letter, output_format)
    with destination(None) as stream:
        stream.write(text + "\n")


def _check(source: str | None, target: str | None, top: int | None, letter: str | None) -> None:
    """Refuse what says too little, and what would have no effect."""
    if source is not None and target is None:
        raise OptionError(
            "give SOURCE and TARGET to explain, or none of them for the model's largest weights"
        )
    if source is not None and (top is not None or letter is not None):
        given = "--letter" if top is None else "--top"
        raise OptionError(f"{given} lists weights of the whole model; drop it, or SOURCE and TARGET")


def _explained(model: EditModel, source: str, target: str, output_format: str) -> str:
    """Explain two names."""
    edits, affinity = model.explain(source, target), model.affinity(source, target)
    if output_format == "json":
        rows = [
            edit._asdict() | {"features": [feature._asdict() for feature in edit.features]} for edit in edits
        ]
        return json.dumps(
            {"source": source, "target": target, "affinity": affinity, "edits": rows},
            ensure_ascii=False,
            indent=1,
        )
    return "\n".join([*map(_edit_line, edits), f"{'affinity':<10}{affinity:>9.3f}"])


def _edit_line(edit: Edit) -> str:
    """Write an edit, its score, and what that is the sum of, largest first."""
    visible = [feature for feature in edit.features if abs(feature.weight) >= SMALLEST]
    features = sorted(visible, key=lambda feature: -abs(feature.weight))
    reasons = "   ".join(f"{name} {weight:.3f}" for name, weight in features)
    return f"{_shown(edit.source, edit.target):<10}{edit.score:>9.3f}   {reasons}"


def _listed(model: EditModel, count: int, letter: str | None, output_format: str) -> str:
    """List the largest weights, of one letter if it is given."""
    weights = model.largest_weights(count, None if letter is None else _checked(model, letter))
    if output_format == "json":
        return json.dumps([weight._asdict() for weight in weights], ensure_ascii=False, indent=1)
    return "\n".join(map(_weight_line, weights))


def _weight_line(weight: Weight) -> str:
    """Write a weight as in tables 3 and 6 of freitag-2007."""
    return f"{_shown(weight.source, weight.target):<10}{weight.weight:>9.3f}   {weight.feature}"


def _checked(model: EditModel, letter: str) -> str:
    """Refuse what is no letter of the model's source alphabet."""
    letter = normalize("NFC", letter)
    known = model.source_alphabet.letters
    if letter and letter not in known:
        letters = "".join(known[:SHOWN_LETTERS]) + ("..." if len(known) > SHOWN_LETTERS else "")
        raise OptionError(f"--letter {letter}: not one of the model's source letters, {letters}")
    return letter


def _shown(source: str, target: str) -> str:
    return f"<{source}, {target}>"
