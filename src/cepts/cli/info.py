"""`cepts info`."""

from __future__ import annotations

import json
from typing import Any

import click


@click.command(short_help="Say what a model folder holds.")
@click.argument("model")
@click.option("--json", "as_json", is_flag=True, help="Everything, as JSON.")
def info(model: str, as_json: bool) -> None:
    """Say what a model folder holds; its files are checked on the way."""
    from cepts.aligning.saving import KIND
    from cepts.storage import describe_folder, load_folder

    description = describe_folder(model)
    load_folder(model, description["kind"])
    if as_json:
        click.echo(json.dumps(description, indent=1))
        return
    click.echo("\n".join(_lines(description, words=description["kind"] == KIND)))


def _lines(description: dict[str, Any], words: bool) -> list[str]:
    meta, texts, arrays = description["meta"], description["texts"], description["arrays"]
    size = sum(part["bytes"] for part in (*texts.values(), *arrays.values()))
    lines = [
        f"kind          {description['kind']}, format {description['format']}",
        f"written by    cepts {meta.get('cepts', '?')}",
        f"size          {size / 1e6:,.1f} MB",
    ]
    if words:
        lines += [
            f"trained on    {meta['pairs']:,} pairs",
            f"words         {texts['source_words']['lines']:,} source, {texts['target_words']['lines']:,} target",
            f"lexicon       {arrays['columns']['shape'][0]:,} word pairs",
            f"text          {'tokenised' if meta['text']['tokenize'] else 'tokens as given'}, "
            f"{'case kept' if meta['text']['keep_case'] else 'lower-cased'}",
            *(f"{name:<21} {value}" for name, value in meta["recipe"].items()),
        ]
    return lines
