"""`cepts info`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from cepts.cli.output import destination

if TYPE_CHECKING:
    from cepts.characters import TrainingOptions


@click.command()
@click.argument("model")
@click.option("--json", "as_json", is_flag=True, help="Write everything that is known, as JSON.")
def info(model: str, as_json: bool) -> None:
    """Say what a model folder holds; its files are checked on the way."""
    from cepts.storage import describe_folder

    description = describe_folder(model)
    rows = _general(description) | _special(model, description)
    text = "\n".join(f"{name:<20} {value}" for name, value in rows.items())
    with destination(None) as stream:
        stream.write((json.dumps(description, indent=1) if as_json else text) + "\n")


def _special(model: str, description: dict[str, Any]) -> dict[str, Any]:
    """Load a model, as whoever made it does, and describe what only its kind has."""
    from cepts.aligning.saving import KIND as WORDS
    from cepts.storage import load_folder

    kind = description["kind"]
    if kind == WORDS:
        from cepts.aligning.saving import load_model

        load_model(model)
        return _of_words(description)
    if kind == "edit-model":  # as in `cepts.characters.saving`, which takes long to load
        from cepts.characters.saving import load_model as load_edits

        return _of_edits(description, load_edits(model)[3])
    load_folder(model, kind)
    return {}


def _general(description: dict[str, Any]) -> dict[str, Any]:
    """Describe a model of any kind."""
    size = sum(part["bytes"] for part in (*description["texts"].values(), *description["arrays"].values()))
    return {
        "kind": f"{description['kind']}, format {description['format']}",
        "written by": f"cepts {description['meta'].get('cepts', '?')}",
        "size": f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB",
    }


def _of_words(description: dict[str, Any]) -> dict[str, Any]:
    """Describe a word aligner."""
    meta, texts = description["meta"], description["texts"]
    words = [f"{texts[f'{side}_words']['lines']:,} {side}" for side in ("source", "target")]
    tokens = "tokenised" if meta["text"]["tokenize"] else "tokens as given"
    return {
        "trained on": f"{meta['pairs']:,} pairs",
        "words": ", ".join(words),
        "lexicon": f"{description['arrays']['columns']['shape'][0]:,} word pairs",
        "text": f"{tokens}, {'case kept' if meta['text']['keep_case'] else 'lower-cased'}",
        **{name: "-" if value is None else value for name, value in meta["recipe"].items()},
    }


def _of_edits(description: dict[str, Any], options: TrainingOptions) -> dict[str, Any]:
    """Describe a model of names; what its mode does not use is left out."""
    from cepts.cli.names_train import NEEDED

    meta, arrays = description["meta"], description["arrays"]
    chosen = meta["options"] | {"epochs": options.epoch_count, "decoys": options.decoy_count}
    letters = [f"{arrays[f'{side}_letters']['shape'][0]:,} {side}" for side in ("source", "target")]
    return {
        "letters": ", ".join(letters),
        "weights": f"{arrays['keys']['shape'][0]:,}, and one for each edit",
        **{
            name: value for name, value in chosen.items() if options.mode in NEEDED.get(name, (options.mode,))
        },
        "matching": "calibrated on dev" if "matching" in meta["notes"] else "not calibrated",
    }
