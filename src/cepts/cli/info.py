"""`cepts info`."""

from __future__ import annotations

import json
from typing import Any

import click

from cepts.cli.output import destination


@click.command()
@click.argument("model")
@click.option("--json", "as_json", is_flag=True, help="Write everything that is known, as JSON.")
def info(model: str, as_json: bool) -> None:
    """Say what a model folder holds; its files are checked on the way."""
    from cepts.aligning.saving import KIND, load_model
    from cepts.storage import describe_folder, load_folder

    description = describe_folder(model)
    words = description["kind"] == KIND
    load_model(model) if words else load_folder(model, description["kind"])
    rows = _general(description) | (_of_words(description) if words else {})
    text = "\n".join(f"{name:<20} {value}" for name, value in rows.items())
    with destination(None) as stream:
        stream.write((json.dumps(description, indent=1) if as_json else text) + "\n")


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
